"""The words for what is known of a statement: verdict, grade, origin, severity; they load nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Verdict(Enum):
    """What is known of a statement."""

    HOLDS = "holds"
    SMALLER_DOMAIN = "holds in part"
    FAILS = "fails"
    UNDECIDED = "undecided"
    AGREES = "agrees"
    """Of a report about a run: an experiment of ours agrees."""
    DIFFERS = "differs"
    NOT_COMPARABLE = "not comparable"
    WITHDRAWN = "withdrawn"
    """The entry was published and was no fair reading; its id stays, and says why."""


class Origin(Enum):
    """Who makes the claim."""

    PRINTED = "printed"
    """The paper, in words or formulas."""
    IMPLIED = "implied"
    """The paper, in that its argument needs it."""
    OURS = "ours"
    """This ledger: a repair, a sharper constant, a consequence, a lemma of an argument of ours."""


class Severity(Enum):
    """How much it matters that a claim of the paper does not hold."""

    MAJOR = "major"
    """A statement of substance is wrong."""
    GAP = "gap"
    """The conclusion survives, the printed argument does not."""
    EDGE = "edge"
    """A degenerate case: K = 1, an empty sum, no visit."""
    SLIP = "slip"
    """Typing, rounding, wording."""
    LIMIT = "limit"
    """No mistake that is known: the proof given here covers a part of what is claimed."""


class Grade(Enum):
    """How a statement is established, the strongest first."""

    KERNEL = "kernel"
    """A proof assistant's kernel checked the theorem whose statement is shown beside the paper's."""
    EXHAUSTIVE = "exhaustive"
    """A finite domain, all of it, exactly."""
    CERTIFIED = "certified"
    """An exact or enclosing computation, or a decision procedure, that covers the stated domain."""
    ARGUED = "argued"
    """A written argument in numbered steps, at least one of them by hand."""
    TESTED = "tested"
    """Random exact instances; says how many."""
    CITED = "cited"
    """Taken from the literature, named, not proved here."""

    @property
    def rank(self) -> int:
        """0 for the strongest; exhaustive and certified rank alike."""
        return _RANKS[self]


_RANKS = {
    grade: rank
    for rank, alike in enumerate(
        [[Grade.KERNEL], [Grade.EXHAUSTIVE, Grade.CERTIFIED], [Grade.ARGUED], [Grade.TESTED], [Grade.CITED]]
    )
    for grade in alike
}


def weakest(grades: Iterable[Grade]) -> Grade:
    """Return the weakest of some grades; certified where there are none.

    Examples
    --------
    >>> weakest([Grade.CERTIFIED, Grade.TESTED, Grade.EXHAUSTIVE])
    <Grade.TESTED: 'tested'>
    """
    return max(grades, key=lambda grade: grade.rank, default=Grade.CERTIFIED)

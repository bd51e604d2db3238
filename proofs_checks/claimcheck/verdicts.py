"""Verdict, origin, severity and grade of a statement; importing them loads nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


class Verdict(Enum):
    """The result of checking a statement."""

    HOLDS = "holds"
    SMALLER_DOMAIN = "holds in part"
    FAILS = "fails"
    UNDECIDED = "undecided"
    AGREES = "agrees"
    """Our experiment agrees with a report about a run."""
    DIFFERS = "differs"
    NOT_COMPARABLE = "not comparable"
    WITHDRAWN = "withdrawn"
    """The published entry misread the paper; its id stays, with the reason."""


class Origin(Enum):
    """Who makes the claim."""

    PRINTED = "printed"
    """The paper, in words or formulas."""
    IMPLIED = "implied"
    """The paper, whose argument needs the claim without stating it."""
    OURS = "ours"
    """This ledger: a repair, a sharper constant, a consequence, a lemma of an argument of ours."""


class Severity(Enum):
    """How much it matters that a claim of the paper does not hold."""

    MAJOR = "major"
    """A statement of substance is wrong."""
    GAP = "gap"
    """The conclusion survives, the printed argument does not."""
    EDGE = "edge"
    """A degenerate or small case: K = 1, few episodes, an empty sum, no visit."""
    SLIP = "slip"
    """Typing, rounding, wording."""
    LIMIT = "limit"
    """No known mistake; the proof given here covers only a part of the claim."""


class Grade(Enum):
    """How a statement is established, the strongest first."""

    KERNEL = "kernel"
    """A proof assistant's kernel checked the theorem whose statement is shown beside the paper's."""
    EXHAUSTIVE = "exhaustive"
    """Exact evaluation at every point of a finite domain."""
    CERTIFIED = "certified"
    """An exact or enclosing computation, or a decision procedure, that covers the stated domain."""
    ARGUED = "argued"
    """A written argument in numbered steps, at least one of them by hand."""
    TESTED = "tested"
    """Evaluation at random exact instances, whose number is given."""
    CITED = "cited"
    """A named result of the literature, not proved here."""

    @property
    def rank(self) -> int:
        """Position from the strongest grade, which has 0; exhaustive and certified have the same."""
        return _RANKS[self]


_RANKS = {
    grade: rank
    for rank, alike in enumerate(
        [[Grade.KERNEL], [Grade.EXHAUSTIVE, Grade.CERTIFIED], [Grade.ARGUED], [Grade.TESTED], [Grade.CITED]]
    )
    for grade in alike
}


def weakest(grades: Iterable[Grade]) -> Grade:
    """Return the weakest of some grades, or certified if there are none.

    Examples
    --------
    >>> weakest([Grade.CERTIFIED, Grade.TESTED, Grade.EXHAUSTIVE])
    <Grade.TESTED: 'tested'>
    """
    return max(grades, key=lambda grade: grade.rank, default=Grade.CERTIFIED)

"""Verdict, origin, severity and grade of a statement; importing them loads nothing else."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Self


class _Told(Enum):
    """Values that each have a meaning, told in a sentence to readers of the pages."""

    _value_: str
    says: str

    def __new__(cls, value: str, says: str = "") -> Self:
        made = object.__new__(cls)
        made._value_, made.says = value, says
        return made


class Verdict(_Told):
    """The result of checking a statement."""

    HOLDS = "holds", "Its evidence covers the whole of its domain."
    SMALLER_DOMAIN = "holds in part", "A witness refutes it as printed; the part named there holds."
    FAILS = "fails", "A witness, given exactly, refutes it."
    UNDECIDED = "undecided", "No counterexample is known, and nothing establishes it."
    AGREES = "agrees", "The paper reports a run of its own program; a run of ours agrees."
    DIFFERS = "differs", "The paper reports a run of its own program; a run of ours differs. That refutes nothing."
    NOT_COMPARABLE = "not comparable", "The paper reports a run of its own program that ours cannot be compared with."
    WITHDRAWN = "withdrawn", "It misread the paper; its name is kept, with the reason."


class Origin(_Told):
    """Who makes the claim."""

    PRINTED = "printed", "The paper's claim, in its own letters and numbers; text marked as ours was added to check it."
    IMPLIED = "implied", "A claim that an argument of the paper needs and does not state."
    OURS = "ours", "A claim of this ledger: a repair, a sharper constant, a lemma of a repair."


class Severity(_Told):
    """How much it matters that a claim of the paper does not hold."""

    MAJOR = "major", "A statement of substance is wrong."
    GAP = "gap", "The conclusion survives, the printed argument does not."
    EDGE = "edge", "A degenerate or small case: K = 1, few episodes, an empty sum, no visit."
    SLIP = "slip", "Typing, rounding, wording."
    LIMIT = "limit", "No known mistake; the proof given here covers only a part of the claim."


class Grade(_Told):
    """How a statement is established, the strongest first."""

    KERNEL = (
        "kernel",
        "A proof assistant's kernel checked the theorem whose statement is shown beside the paper's. Its word "
        "is recorded, with a digest of the sources that it compiled; python -m proofs_checks kernel compiles "
        "them again.",
    )
    EXHAUSTIVE = "exhaustive", "An exact computation at every point of a finite domain."
    CERTIFIED = "certified", "An exact or enclosing computation, or a decision procedure, covers the domain."
    ARGUED = "argued", "A written argument in numbered steps, at least one of them by hand."
    TESTED = "tested", "An exact computation at random instances; nothing covers the rest."
    CITED = "cited", "A result of the literature, not proved here."

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


def meanings(of: type[_Told]) -> dict[str, str]:
    """Return what each value of one of these enumerations means.

    Examples
    --------
    >>> meanings(Severity)["slip"]
    'Typing, rounding, wording.'
    """
    return {str(each.value): each.says for each in of}

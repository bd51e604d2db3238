"""How strongly a statement is established, in one word."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum


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

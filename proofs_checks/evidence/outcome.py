"""What evidence establishes of a statement, how strongly, by which steps, and on which other entries that rests."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proofs_checks.evidence.evidence import Leaf
    from proofs_checks.statements import ForAll, Statement


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
    Grade.KERNEL: 0,
    Grade.EXHAUSTIVE: 1,
    Grade.CERTIFIED: 1,
    Grade.ARGUED: 2,
    Grade.TESTED: 3,
    Grade.CITED: 4,
}


def weakest(grades: Iterable[Grade]) -> Grade:
    """Return the weakest of some grades; certified where there are none.

    Examples
    --------
    >>> weakest([Grade.CERTIFIED, Grade.TESTED, Grade.EXHAUSTIVE])
    <Grade.TESTED: 'tested'>
    """
    return max(grades, key=lambda grade: grade.rank, default=Grade.CERTIFIED)


@dataclass(frozen=True)
class Use:
    """Another entry that evidence rests on.

    Attributes
    ----------
    claim_id
    domain
        Where it is used, for entries that are relations: this part has been shown to lie within its domain.
    """

    claim_id: str
    domain: ForAll | None = None


@dataclass(frozen=True)
class StepTaken:
    """One numbered step of an argument.

    Attributes
    ----------
    text
        What it says, formulas between dollar signs.
    by
        "hand", or what checked it: a method of `evidence`, or the id of an entry.
    established
    why
        Where it is not established: why.
    within
        The steps of its own, where it is an argument, a distinction of cases or an induction.
    """

    text: str
    by: str
    established: bool
    why: str = ""
    within: tuple[StepTaken, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """What evidence says of a statement.

    Attributes
    ----------
    established
        Whether it establishes the statement, given the entries in `uses`.
    grade
        Its own grade, without that of the entries it uses.
    by
        What decided, in words.
    uses, steps
    values
        What was computed, to be shown.
    instances
        How many instances were evaluated, for `TESTED` and `EXHAUSTIVE`.
    why
        Where it is not established: why.
    decisions
        Every single decision that was taken, with the statement it was about; for the tests of the proofs.
    refuted
        Where an evaluation found the statement false: the values.
    """

    established: bool
    grade: Grade
    by: str
    uses: tuple[Use, ...] = ()
    steps: tuple[StepTaken, ...] = ()
    values: Mapping[str, object] = field(default_factory=dict)
    instances: int | None = None
    why: str = ""
    decisions: tuple[tuple[Leaf, Statement], ...] = ()
    refuted: Mapping[str, object] = field(default_factory=dict)

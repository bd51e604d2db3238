"""Evidence decides whether it establishes a statement: an entry's, or any variant of it.

Evidence is a tree. Its leaves decide (a solver, an enclosure, an enumeration); its branches reduce a statement to
others. An outcome has the grade, the steps, and the other entries that the result rests on. A test trusts each leaf in
turn to accept everything, and has to notice the difference.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Protocol

from proofs_checks.claimcheck.statements import Statement
from proofs_checks.claimcheck.verdicts import Grade, weakest

if TYPE_CHECKING:
    from numpy.random import Generator


@dataclass(frozen=True)
class StepTaken:
    """One numbered step of an argument, by "hand", by a method or by an entry; with the steps within it."""

    text: str
    by: str
    established: bool
    why: str = ""
    within: tuple[StepTaken, ...] = ()


@dataclass(frozen=True)
class Outcome:
    """The result of evidence applied to a statement, given the entries whose ids are in `uses`.

    The grade is the evidence's own; those entries do not lower it. `instances` is the number of instances evaluated, if
    the grade is `TESTED` or `EXHAUSTIVE`; `decisions` has each leaf that decided, with what it decided (for tests of
    proofs), and `refuted` the values at which an evaluation found the statement false.
    """

    established: bool
    grade: Grade
    by: str
    uses: tuple[str, ...] = ()
    steps: tuple[StepTaken, ...] = ()
    values: Mapping[str, object] = field(default_factory=dict)
    instances: int | None = None
    why: str = ""
    decisions: tuple[tuple[Leaf, Statement], ...] = ()
    refuted: Mapping[str, object] | None = None


def together(by: str, parts: Sequence[tuple[str, Outcome]]) -> Outcome:
    """Combine the outcomes of steps that are all needed."""
    found = [outcome for _, outcome in parts]
    return Outcome(
        all(each.established for each in found),
        weakest(each.grade for each in found),
        by,
        uses=tuple(use for each in found for use in each.uses),
        steps=tuple(  # the text of a step by hand says what is granted
            StepTaken(text, each.by, each.established, each.why, () if each.by == "hand" else each.steps)
            for text, each in parts
        ),
        values={name: value for each in found for name, value in each.values.items()},
        instances=sum(filter(None, (each.instances for each in found))) or None,
        why="; ".join(f"step {number}: {each.why}" for number, each in enumerate(found, 1) if not each.established),
        decisions=tuple(decision for each in found for decision in each.decisions),
    )


class Context(Protocol):
    """The context of a check: other entries, random generators, and how much is wanted."""

    sampling: bool
    """Whether random instances may be evaluated; off in a test of the proof alone."""
    brief: bool
    """Whether only the decision counts, so that what comes after a refused step is left out."""
    trusted: Leaf | None
    """A leaf that accepts everything, in a test of the others."""

    def statement(self, claim_id: str) -> Statement:
        """Return the statement of another entry, restricted to the domain on which it stands."""

    def part(self, claim_id: str) -> str:
        """Return in words the part of its domain on which another entry stands; "" for the whole."""

    def varied(self, goal: Statement) -> set[str]:
        """Return the parameters in which a statement, a variant of an entry's, differs from the entry's own."""

    def generator(self, purpose: str) -> Generator:
        """Return a random generator for a purpose, independent of others and the same in every run."""


class Evidence(ABC):
    """A method that may establish a statement."""

    explains: ClassVar[Mapping[str, str]] = {}
    """A sentence for readers on this kind of evidence, keyed by the beginning of the outcome's `by`; may be empty."""

    @abstractmethod
    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Return the outcome of this evidence for `goal`, at the goal's present parameters."""

    def parts(self) -> Iterable[Evidence]:
        """Return the branches, if there are any."""
        return [each for each in vars(self).values() if isinstance(each, Evidence)]


class Leaf(Evidence):
    """Evidence that decides by itself, by the method and with the grade named here."""

    grade = Grade.CERTIFIED
    by = ""

    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Return the outcome of this leaf for `goal`, with the decision recorded."""
        found = "" if context.trusted is self else self.decide(goal, context)
        if isinstance(found, str):
            found = Outcome(found == "", self.grade, self.by, why=found)
        return replace(found, decisions=((self, goal),))

    @abstractmethod
    def decide(self, goal: Statement, context: Context) -> Outcome | str:
        """Return an outcome, or "" if the goal is established, or why it is not."""


def explanation(by: str) -> str:
    """Return a sentence on the kind of evidence that an outcome calls `by`; "" if the name says enough."""
    kinds = Evidence.__subclasses__()
    for kind in kinds:  # the list grows during the loop
        kinds += kind.__subclasses__()
    return next((told for kind in kinds for start, told in kind.explains.items() if by.startswith(start)), "")

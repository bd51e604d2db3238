"""The shape of all evidence: it is handed a statement, variants included, and says whether it establishes that one.

Evidence is a tree. Its leaves decide (a solver, an enclosure, an enumeration); its branches reduce a statement to
others; an outcome says how strongly, by which steps, and on which other entries that rests. A test replaces leaves one
by one by `Trusting`, which says yes to everything, and must notice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Protocol

from proofs_checks.claimcheck.statements import ForAll, Statement
from proofs_checks.claimcheck.verdicts import Grade, weakest

if TYPE_CHECKING:
    from numpy.random import Generator


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
    """The result of evidence applied to a statement.

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
        Where an evaluation found the statement false: the values; None where none did.
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
    refuted: Mapping[str, object] | None = None


def together(by: str, parts: Sequence[tuple[str, Outcome]]) -> Outcome:
    """Combine the outcomes of steps that are all needed."""
    found = [outcome for _, outcome in parts]
    return Outcome(
        all(each.established for each in found),
        weakest(each.grade for each in found),
        by,
        uses=tuple(use for each in found for use in each.uses),
        steps=tuple(  # what is granted by hand is told by the text
            StepTaken(text, each.by, each.established, each.why, () if each.by == "hand" else each.steps)
            for text, each in parts
        ),
        values={name: value for each in found for name, value in each.values.items()},
        instances=sum(filter(None, (each.instances for each in found))) or None,
        why="; ".join(f"step {number}: {each.why}" for number, each in enumerate(found, 1) if not each.established),
        decisions=tuple(decision for each in found for decision in each.decisions),
    )


class Context(Protocol):
    """The context of a check: other entries, random generators, and whether sampling is on."""

    @property
    def sampling(self) -> bool:
        """Whether instances may be evaluated at random; off when a test asks what the proof alone says."""
        ...

    def statement(self, claim_id: str) -> Statement:
        """Return the statement of another entry, on the domain where it stands."""
        ...

    def part(self, claim_id: str) -> str:
        """Return in words the domain on which another entry stands; "" for its whole domain."""
        ...

    def varied(self, goal: Statement) -> set[str]:
        """Return the parameters in which a statement differs from the entry that it belongs to."""
        ...

    def generator(self, purpose: str) -> Generator:
        """Return a random generator of its own for a purpose, the same in every run."""
        ...


class Evidence(ABC):
    """Something that may establish a statement.

    Attributes
    ----------
    explains
        For readers, what evidence of this kind does, by how the outcome's `by` begins; empty where that says it.
    """

    explains: ClassVar[Mapping[str, str]] = {}

    @abstractmethod
    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Return whether this evidence establishes `goal`, for its current parameters."""

    def leaves(self) -> Iterator[Leaf]:
        """Yield the leaves of the tree."""
        for part in self.parts():
            yield from part.leaves()

    def parts(self) -> Iterator[Evidence]:
        """Yield the branches, if there are any."""
        yield from ()

    def replacing(self, replaced: Mapping[Leaf, Evidence]) -> Evidence:
        """Return the tree with some leaves replaced."""
        return self.with_parts([part.replacing(replaced) for part in self.parts()])

    def with_parts(self, parts: list[Evidence]) -> Evidence:
        """Return the same branch with other parts."""
        if parts:
            raise NotImplementedError(f"{type(self).__name__} has parts and does not say how they are replaced")
        return self


class Leaf(Evidence):
    """Evidence that decides by itself.

    Attributes
    ----------
    grade
        Of what it establishes.
    by
        What decides, in words.
    """

    grade = Grade.CERTIFIED
    by = ""

    def leaves(self) -> Iterator[Leaf]:
        """Yield itself."""
        yield self

    def replacing(self, replaced: Mapping[Leaf, Evidence]) -> Evidence:
        """Return the replacement of this leaf, or the leaf itself."""
        return replaced.get(self, self)

    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Return whether this leaf establishes `goal`, and record the decision."""
        found = self.decide(goal, context)
        if isinstance(found, Outcome):
            return Outcome(**{**found.__dict__, "decisions": (*found.decisions, (self, goal))})
        return Outcome(found == "", self.grade, self.by, why="" if found == "" else found, decisions=((self, goal),))

    @abstractmethod
    def decide(self, goal: Statement, context: Context) -> Outcome | str:
        """Return an outcome; or "" where the goal is established, and otherwise why it is not."""


def explanation(by: str) -> str:
    """Return a sentence on what a kind of evidence does, named as an outcome names it; "" if its name says it.

    Examples
    --------
    >>> explanation("evaluation at every instance")
    'The domain is finite, and the step is evaluated exactly at every point of it.'
    """
    kinds = Evidence.__subclasses__()
    for kind in kinds:  # grows as it is walked through
        kinds += kind.__subclasses__()
    return next((told for kind in kinds for start, told in kind.explains.items() if by.startswith(start)), "")


class Trusting(Leaf):
    """Says yes to everything; stands in for another leaf in the tests of the proofs."""

    by = "nothing"

    def decide(self, goal: Statement, context: Context) -> str:
        """Say yes."""
        return ""

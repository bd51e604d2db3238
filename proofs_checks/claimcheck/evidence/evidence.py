"""Evidence decides whether it establishes a statement: an entry's, or any variant of it.

Evidence is a tree. Its leaves decide (a solver, an enclosure, an enumeration); its branches reduce a statement to
others. An outcome has the grade, the steps, and the other entries that the result rests on. A test replaces each leaf
in turn by `Trusting`, which accepts everything, and has to notice the difference.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
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
        Points at which the entry is used, shown to lie within its domain; None if the entry is not a relation.
    """

    claim_id: str
    domain: ForAll | None = None


@dataclass(frozen=True)
class StepTaken:
    """One numbered step of an argument.

    Attributes
    ----------
    text
        The step in words, formulas between dollar signs.
    by
        "hand", or the check: a method of `evidence`, or the id of an entry.
    established
    why
        Why it is not established; "" if it is.
    within
        The steps of an argument, a distinction of cases or an induction that establishes this step.
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
        Whether the evidence establishes the statement, given the entries in `uses`.
    grade
        The evidence's own grade; the entries in `uses` do not lower it.
    by
        The method that decided, in words.
    uses, steps
    values
        Computed values, to be shown.
    instances
        Number of instances evaluated, for `TESTED` and `EXHAUSTIVE`.
    why
        Why it is not established; "" if it is.
    decisions
        Each leaf that decided, with the statement that it decided; for the tests of proofs.
    refuted
        The values at which an evaluation found the statement false; None if none did.
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

    @property
    def sampling(self) -> bool:
        """Whether random instances may be evaluated; off in a test of the proof alone."""
        ...

    @property
    def brief(self) -> bool:
        """Whether only the decision counts, so that what comes after a refused step is left out."""
        ...

    def statement(self, claim_id: str) -> Statement:
        """Return the statement of another entry, restricted to the domain on which it stands."""
        ...

    def part(self, claim_id: str) -> str:
        """Return in words the part of its domain on which another entry stands; "" for the whole."""
        ...

    def varied(self, goal: Statement) -> set[str]:
        """Return the parameters in which a statement, a variant of an entry's, differs from the entry's own."""
        ...

    def generator(self, purpose: str) -> Generator:
        """Return a random generator for a purpose, independent of others and the same in every run."""
        ...


class Evidence(ABC):
    """A method that may establish a statement.

    Attributes
    ----------
    explains
        A sentence for readers on this kind of evidence, keyed by the beginning of the outcome's `by`; may be empty.
    branches
        Names of the attributes that hold its branches, if there are any.
    """

    explains: ClassVar[Mapping[str, str]] = {}
    branches: ClassVar[Sequence[str]] = ()

    @abstractmethod
    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Return the outcome of this evidence for `goal`, at the goal's present parameters."""

    def leaves(self) -> Iterator[Leaf]:
        """Yield the leaves of the tree."""
        for part in self.parts():
            yield from part.leaves()

    def parts(self) -> Iterator[Evidence]:
        """Yield the branches, if there are any."""
        yield from (getattr(self, name) for name in self.branches)

    def replacing(self, replaced: Mapping[Leaf, Evidence]) -> Evidence:
        """Return the tree with some leaves replaced."""
        return self.with_parts([part.replacing(replaced) for part in self.parts()])

    def with_parts(self, parts: list[Evidence]) -> Evidence:
        """Return the same evidence with other parts."""
        made = copy(self) if parts else self
        made.__dict__.update(zip(self.branches, parts, strict=True))
        return made


class Leaf(Evidence):
    """Evidence that decides by itself.

    Attributes
    ----------
    grade
        Grade of the statements that it establishes.
    by
        The method that decides, in words.
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
        """Return the outcome of this leaf for `goal`, with the decision recorded."""
        found = self.decide(goal, context)
        if isinstance(found, Outcome):
            return Outcome(**{**found.__dict__, "decisions": (*found.decisions, (self, goal))})
        return Outcome(found == "", self.grade, self.by, why="" if found == "" else found, decisions=((self, goal),))

    @abstractmethod
    def decide(self, goal: Statement, context: Context) -> Outcome | str:
        """Return an outcome, or "" if the goal is established, or why it is not."""


def explanation(by: str) -> str:
    """Return a sentence on the kind of evidence that an outcome calls `by`; "" if the name says enough.

    Examples
    --------
    >>> explanation("evaluation at every instance")
    'The domain is finite, and the step is evaluated exactly at every point of it.'
    """
    kinds = Evidence.__subclasses__()
    for kind in kinds:  # the list grows during the loop
        kinds += kind.__subclasses__()
    return next((told for kind in kinds for start, told in kind.explains.items() if by.startswith(start)), "")


class Trusting(Leaf):
    """A leaf that accepts everything; the tests of proofs put it in place of another leaf."""

    by = "nothing"

    def decide(self, goal: Statement, context: Context) -> str:
        """Accept."""
        return ""

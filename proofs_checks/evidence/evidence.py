"""The shape of all evidence: it is handed a statement, variants included, and says whether it establishes that one.

Evidence is a tree. Its leaves decide (a solver, an enclosure, an enumeration); its branches reduce a statement to
others. A test replaces leaves one by one by `Trusting`, which says yes to everything, and must notice.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Protocol

from proofs_checks.evidence.outcome import Grade, Outcome
from proofs_checks.statements import Statement

if TYPE_CHECKING:
    from numpy.random import Generator


class Context(Protocol):
    """What evidence may ask for besides the statement."""

    @property
    def sampling(self) -> bool:
        """Whether instances may be evaluated at random; off when a test asks what the proof alone says."""
        ...

    def statement(self, claim_id: str) -> Statement:
        """Return the statement of another entry, on the domain where it stands."""
        ...

    def part(self, claim_id: str) -> str:
        """Return the part on which another entry stands, in its own words; "" where that is all of it."""
        ...

    def varied(self, goal: Statement) -> set[str]:
        """Return the parameters in which a statement differs from the entry that it belongs to."""
        ...

    def generator(self, purpose: str) -> Generator:
        """Return a random generator of its own for a purpose, the same in every run."""
        ...


class Evidence(ABC):
    """Something that may establish a statement."""

    @abstractmethod
    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Return what this says of `goal`, with its parameters as they are."""

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
        """Return what replaces it, or itself."""
        return replaced.get(self, self)

    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Return what this says of `goal`, noting the decision."""
        found = self.decide(goal, context)
        if isinstance(found, Outcome):
            return Outcome(**{**found.__dict__, "decisions": (*found.decisions, (self, goal))})
        return Outcome(found == "", self.grade, self.by, why="" if found == "" else found, decisions=((self, goal),))

    @abstractmethod
    def decide(self, goal: Statement, context: Context) -> Outcome | str:
        """Return an outcome; or "" where the goal is established, and otherwise why it is not."""


class Trusting(Leaf):
    """Says yes to everything; stands in for another leaf in the tests of the proofs."""

    by = "nothing"

    def decide(self, goal: Statement, context: Context) -> str:
        """Say yes."""
        return ""

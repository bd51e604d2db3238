"""Properties: predicates of structured objects (models, policies, runs), or single facts.

The objects come from a `Family`, which yields all of them if they are finitely many, or the edge cases and then exact
random ones. The predicate takes an object and the statement's parameters, and returns its truth with computed values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from proofs_checks.claimcheck.statements.answers import Answer, answer
from proofs_checks.claimcheck.statements.statement import Reading, Statement
from theory.certified import Truth

if TYPE_CHECKING:
    from numpy.random import Generator


@dataclass(frozen=True)
class Family:
    """The objects of a property.

    Attributes
    ----------
    says
        The objects in words, formulas between dollar signs.
    members
        Yields all objects if they are finitely many, otherwise the first ones to try (edges, known hard cases).
    complete
        Whether `members` yields all objects.
    draw
        Returns a random exact object; None if there are none besides `members`.
    """

    says: str
    members: Callable[[], Iterator[Any]] = lambda: iter(())
    complete: bool = False
    draw: Callable[[Generator], Any] | None = None


class Property(Statement):
    """A property of every object of a family, or (without one) a single fact.

    Parameters
    ----------
    claim_id, says, reading
        As for every statement.
    holds
        Called as ``holds(object, **parameters)``, or ``holds(**parameters)`` for a single fact; returns a truth value,
        a `Truth` or an `Answer` with the computed values.
    over
        The objects.
    domain
        The domain claimed, in words and LaTeX, if it is larger than the family (all sizes, all priors).
    **parameters
        Passed to `holds`.

    Examples
    --------
    >>> even = Property("example", lambda number, factor: factor * number % 2 == 0, says="$[[factor]]n$ is even.",
    ...                 over=Family("integers up to 3", lambda: iter(range(4)), complete=True), factor=2)
    >>> all(even.at(number).true for number in even.instances()), even.with_(factor=3).at(1).true
    (True, False)
    """

    def __init__(
        self,
        claim_id: str,
        holds: Callable[..., bool | Truth | Answer],
        *,
        says: str,
        over: Family | None = None,
        domain: str = "",
        reading: Reading | None = None,
        **parameters: object,
    ) -> None:
        super().__init__(claim_id, says, parameters, reading)
        self._holds = holds
        self.over = over
        self._domain = " ".join(domain.split())

    def instances(self) -> Iterator[Any]:
        """Yield the family's `members`, or the single instance of a single fact."""
        if self.over is None:
            yield None
        else:
            yield from self.over.members()

    def at(self, instance: Any) -> Answer:
        """Return the predicate's answer for one object; a single fact is computed once.

        If the predicate returns a plain False, the answer has the object (or a fact's parameters) as its witness.
        """
        if self.over is not None:
            return _answer(self._holds(instance, **self.parameters), {"object": instance})
        return self._fact

    @cached_property
    def _fact(self) -> Answer:
        return _answer(self._holds(**self.parameters), self.parameters)

    @property
    def domain_latex(self) -> str:
        """The domain claimed, in words and LaTeX; by default the family's words."""
        return self._domain or (" ".join(self.over.says.split()) if self.over else "")


def _answer(found: bool | Truth | Answer, witness: Mapping[str, object]) -> Answer:
    if isinstance(found, Answer):
        return found
    told = answer(found)
    return answer(Truth.NO, **witness) if told.false else told

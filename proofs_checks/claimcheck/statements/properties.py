"""Properties: statements about structured objects (models, policies, runs), or about no object but themselves.

The objects come from a `Family`, which yields all of them where they are finite, or draws exact random ones, edges
first. The predicate is handed the object and the statement's parameters, and answers with what it computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from proofs_checks.claimcheck.statements.answers import Answer, answer
from proofs_checks.claimcheck.statements.readings import Reading
from proofs_checks.claimcheck.statements.statement import Statement
from theory.certified import Truth

if TYPE_CHECKING:
    from numpy.random import Generator


@dataclass(frozen=True)
class Family:
    """The objects of a property.

    Attributes
    ----------
    says
        What they are, in words; formulas between dollar signs.
    members
        Yields all of them where they are finitely many, or the first ones to try (edges, known hard cases).
    complete
        Whether `members` are all of them.
    draw
        Returns a random exact member; None where there is nothing but `members`.
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
        As of every statement.
    holds
        ``holds(object, **parameters)``, or ``holds(**parameters)`` for a single fact: a truth value, a `Truth` or an
        `Answer` with what was computed.
    over
        The objects.
    domain
        What it is claimed for, where that is more than what can be drawn (all sizes, all priors), in words and LaTeX.
    **parameters
        Handed to `holds`.

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
        self._answered: tuple[Mapping[str, object], Answer] | None = None

    def instances(self) -> Iterator[Any]:
        """Yield the members of the family that are known without drawing, or the single instance."""
        if self.over is None:
            yield None
        else:
            yield from self.over.members()

    def at(self, instance: Any) -> Answer:
        """Return what the predicate says of one object; a single fact is computed once.

        A plain False comes with the object, or the parameters of a single fact, as its witness.
        """
        if self.over is not None:
            return _answer(self._holds(instance, **self.parameters), {"object": instance})
        if self._answered is None or self._answered[0] is not self.parameters:  # a variant is a copy with others
            self._answered = self.parameters, _answer(self._holds(**self.parameters), self.parameters)
        return self._answered[1]

    @property
    def domain_latex(self) -> str:
        """What it is claimed for."""
        return self._domain or (" ".join(self.over.says.split()) if self.over else "")


def _answer(found: bool | Truth | Answer, witness: Mapping[str, object]) -> Answer:
    if isinstance(found, Answer):
        return found
    told = answer(found)
    return answer(Truth.NO, **witness) if told.false else told

"""The search for a witness: an instance at which a statement is certainly false, the simplest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from proofs_checks.claimcheck.evidence.evidence import Context
from proofs_checks.claimcheck.statements import Property, Relation, Statement

LARGEST_COUNT = 400
DRAWN = 60


@dataclass(frozen=True)
class Witness:
    """An instance at which a statement is false.

    Attributes
    ----------
    instance
        A point of the domain, or an object of the family.
    values
        The values computed there, enough for a reader to redo the computation.
    """

    instance: Any
    values: Mapping[str, object]


def find_witness(
    statement: Statement, context: Context, *, first: Iterable[Any] = (), largest_count: int = LARGEST_COUNT
) -> Witness | None:
    """Return an instance at which `statement` is certainly false, or None.

    Parameters
    ----------
    statement
    context
        Says whether random objects may be drawn after the known members of a family.
    first
        Instances to try before all others, the most telling ones.
    largest_count
        Largest number of other instances to try.
    """
    if isinstance(statement, Relation):  # the surviving part of a statement has a smaller domain
        first = [point for point in first if statement.full_domain.contains(point)]
    for instance in chain(first, islice(_instances(statement, context), largest_count)):
        found = statement.at(instance)
        if found.false:
            return Witness(instance, found.values)
    return None


def _instances(statement: Statement, context: Context) -> Iterator[Any]:
    yield from statement.instances()
    if context.sampling and isinstance(statement, Property) and statement.over and statement.over.draw:
        generator = context.generator(f"witness of {statement.id}")
        for _ in range(DRAWN):
            yield statement.over.draw(generator)

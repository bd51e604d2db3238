"""The search for a witness: an instance at which a statement is certainly false, the simplest first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any

from proofs_checks.claimcheck.evidence.evidence import Context
from proofs_checks.claimcheck.statements import Answer, Property, Relation, Statement

LARGEST_COUNT = 400
DRAWN = 60


def find_witness(
    statement: Statement, context: Context, *, first: Iterable[Any] = (), largest_count: int = LARGEST_COUNT
) -> Answer | None:
    """Return the answer at an instance where `statement` is certainly false, or None.

    The instances are those in `first`, the most telling ones, and at most `largest_count` others; after the known
    members of a family, the context may draw random ones.
    """
    if isinstance(statement, Relation):  # the surviving part of a statement has a smaller domain
        first = [point for point in first if statement.full_domain.contains(point)]
    instances = chain(first, islice(_instances(statement, context), largest_count))
    return next((found for found in map(statement.at, instances) if found.false), None)


def _instances(statement: Statement, context: Context) -> Iterator[Any]:
    yield from statement.instances()
    if context.sampling and isinstance(statement, Property) and statement.over and statement.over.draw:
        generator = context.generator(f"witness of {statement.id}")
        for _ in range(DRAWN):
            yield statement.over.draw(generator)

"""The order of enclosed numbers from the largest to the smallest, or the pairs whose order is undecided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from theory.enclosures.enclosure import Enclosure

Key = TypeVar("Key")


@dataclass(frozen=True)
class Order(Generic[Key]):
    """What is known of the order of enclosed numbers.

    Attributes
    ----------
    certain : tuple of keys, or None
        The keys by non-increasing number, equal numbers in the given order; None if a pair is undecided.
    undecided : tuple of pairs
        Pairs of keys whose enclosures overlap, without being the same exact number.
    """

    certain: tuple[Key, ...] | None
    undecided: tuple[tuple[Key, Key], ...]


def decide_order(numbers: Mapping[Key, Enclosure]) -> Order[Key]:
    """Return the order of `numbers` from the largest to the smallest, as far as their enclosures decide it.

    Examples
    --------
    >>> from flint import fmpq
    >>> a, b, c = Enclosure(fmpq(0), fmpq(2)), Enclosure(fmpq(1), fmpq(3)), Enclosure(fmpq(4), fmpq(5))
    >>> decide_order({"a": a, "b": b, "c": c})
    Order(certain=None, undecided=(('a', 'b'),))
    >>> decide_order({"a": a, "c": c}).certain
    ('c', 'a')
    """
    keys = sorted(numbers, key=lambda key: numbers[key].high, reverse=True)
    place = {key: i for i, key in enumerate(numbers)}
    pairs = []
    for i, key in enumerate(keys):
        for other in keys[i + 1 :]:
            if numbers[key].certainly_above(numbers[other]):
                break  # and above all that follow, whose upper ends are no larger
            if not (numbers[key].is_exact and numbers[key] == numbers[other]):
                pairs.append((key, other) if place[key] < place[other] else (other, key))
    if pairs:
        return Order(None, tuple(sorted(pairs, key=lambda pair: (place[pair[0]], place[pair[1]]))))
    return Order(tuple(keys), ())

"""The order of enclosed numbers from the largest to the smallest, or the pairs whose order is undecided."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cmp_to_key
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
        Pairs of keys whose enclosures overlap, without being the same exact number. Numbers that depend on each other
        may have one order all the same.
    """

    certain: tuple[Key, ...] | None
    undecided: tuple[tuple[Key, Key], ...]


def decide_order(numbers: Mapping[Key, Enclosure], above: Set[tuple[Key, Key]] = frozenset()) -> Order[Key]:
    """Return the order of `numbers` from the largest to the smallest, as far as their enclosures decide it.

    `above` has the pairs, the larger number first, that are decided otherwise.

    Examples
    --------
    >>> from flint import fmpq
    >>> a, b, c = Enclosure(fmpq(0), fmpq(2)), Enclosure(fmpq(1), fmpq(3)), Enclosure(fmpq(4), fmpq(5))
    >>> decide_order({"a": a, "b": b, "c": c})
    Order(certain=None, undecided=(('a', 'b'),))
    >>> decide_order({"a": a, "b": b, "c": c}, above={("a", "b")}).certain
    ('c', 'a', 'b')
    """
    keys = sorted(numbers, key=lambda key: numbers[key].high, reverse=True)
    place = {key: i for i, key in enumerate(numbers)}
    pairs = []
    for i, key in enumerate(keys):
        for other in keys[i + 1 :]:
            if numbers[key].certainly_above(numbers[other]):
                break  # and above all that follow, whose upper ends are no larger
            is_same = numbers[key].is_exact and numbers[key] == numbers[other]
            if not is_same and above.isdisjoint({(key, other), (other, key)}):
                pairs.append((key, other) if place[key] < place[other] else (other, key))
    if pairs:
        return Order(None, tuple(sorted(pairs, key=lambda pair: (place[pair[0]], place[pair[1]]))))

    def compare(one: Key, other: Key) -> int:
        decided = ((other, one) in above) - ((one, other) in above)
        return decided or int(numbers[one].high < numbers[other].high) - int(numbers[one].high > numbers[other].high)

    return Order(tuple(sorted(keys, key=cmp_to_key(compare))), ())

"""The order of enclosed numbers from the largest to the smallest, or the pairs whose order is undecided.

The indices of two states of one arm depend on the same rows, rewards and discount. Where their enclosures overlap, the
arm's box is cut into parts, until in each part the least index of one state is above the largest of the other; every
member of the box lies in some part. The search ends without a decision at a member whose indices have the other order,
or after a number of parts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace
from functools import cmp_to_key
from typing import Final, Generic, TypeAlias, TypeVar

from flint import fmpq

from theory.enclosures.box import ArmBox
from theory.enclosures.enclosure import Enclosure
from theory.enclosures.extremes import range_by_restart
from theory.gittins import gittins_indices
from theory.model import Arm

Key = TypeVar("Key")
Part: TypeAlias = tuple[ArmBox, Enclosure]  # an arm and the discounts
Member: TypeAlias = tuple[Arm, fmpq]
Either: TypeAlias = dict[tuple[int, int], tuple[Member, Member]]

_BITS: Final = 40


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


def certain_order(
    arm: ArmBox, discount: Enclosure, one: int, other: int, most: int = 100, either: Either | None = None
) -> tuple[int, int] | None:
    """Return `one` and `other` in the order that their indices have in every member of the box, the larger first.

    None if some member has equal indices or the other order, or if `most` parts leave it open. If members with both
    orders are found, `either` gets two of them under the pair: one in which `one` has the larger index, and one in
    which `other` has.

    Examples
    --------
    >>> from theory.enclosures.box import RowBox
    >>> zero, one, half = (Enclosure.point(each) for each in (fmpq(0), fmpq(1), fmpq(1, 2)))
    >>> reward, stay = Enclosure(fmpq(0), fmpq(1)), Enclosure(fmpq(1, 4), fmpq(3, 4))
    >>> arm = ArmBox((reward, zero), (RowBox.of([one, zero]), RowBox.of([stay, stay])), (zero, zero), (zero, zero))
    >>> certain_order(replace(arm, rewards=(Enclosure(fmpq(1), fmpq(2)), zero)), half, 0, 1)  # at most 3/5 of it
    (0, 1)
    >>> members = {}
    >>> certain_order(arm, half, 0, 1, either=members) is None, members  # the reward may be 0, but not negative
    (True, {})
    """
    middle = _middle_indices((arm, discount))
    more, less = (one, other) if middle[one] > middle[other] else (other, one)
    parts = deque([(arm, discount)])

    def change(halves: tuple[Part, Part]) -> fmpq:  # of the indices, between the middles of two parts
        low, high = map(_middle_indices, halves)
        return abs(low[more] - high[more]) + abs(low[less] - high[less])

    for _ in range(most):
        part = parts.popleft()
        middle = _middle_indices(part)
        if middle[more] <= middle[less]:
            if either is not None and (found := _either((arm, discount), part, one, other)):
                either[one, other] = found
            return None
        if not range_by_restart(*part, more, _BITS).certainly_above(range_by_restart(*part, less, _BITS)):
            halves = max(_cuts(*part), key=change, default=None)
            if halves is None:  # a single arm, with indices that are too close for so few bits
                return None
            parts.extend(halves)
        if not parts:
            return more, less
    return None


def _cuts(arm: ArmBox, discount: Enclosure) -> Iterator[tuple[Part, Part]]:
    """Yield the ways to cut an arm in two: one row, reward or the discount is cut in the middle."""
    for what in ("rows", "rewards"):
        given = getattr(arm, what)
        for x, number in enumerate(given):
            if not number.is_exact:
                low, high = (replace(arm, **{what: (*given[:x], half, *given[x + 1 :])}) for half in number.halves())
                yield (low, discount), (high, discount)
    if not discount.is_exact:
        below, above = discount.halves()
        yield (arm, below), (arm, above)


def _either(whole: Part, part: Part, one: int, other: int) -> tuple[Member, Member] | None:
    """Return members with either order of two indices, among the middles of these parts and of the second's halves."""
    found: dict[bool, Member] = {}
    for each in (whole, part, *(half for halves in _cuts(*part) for half in halves)):
        indices = _middle_indices(each)
        if indices[one] != indices[other]:
            found.setdefault(bool(indices[one] > indices[other]), _middle(each))
    return (found[True], found[False]) if len(found) == 2 else None


def _middle(part: Part) -> Member:
    arm, discount = part
    rewards = [(reward.low + reward.high) / 2 for reward in arm.rewards]
    rows = [row.member() for row in arm.rows]
    return Arm(rewards=rewards, transitions=rows), (discount.low + discount.high) / 2


def _middle_indices(part: Part) -> tuple[fmpq, ...]:
    return gittins_indices(*_middle(part))

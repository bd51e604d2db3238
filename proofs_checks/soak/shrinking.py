"""The smallest bandit on which something still goes wrong, by taking away and simplifying one thing at a time.

Taken away are arms, states (what led to them stays where it is), radii, and possible moves; simplified are the
discount, rewards and rows. A change is kept if the bandit is then smaller and still goes wrong, until none is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias, TypeVar

from flint import fmpq, fmpz

from theory import ONE, ZERO, Arm, Bandit

MOST_TRIED: Final = 4000
"""Smaller bandits that are tried at most."""

Item = TypeVar("Item")
Row: TypeAlias = "tuple[fmpq, ...]"
Size: TypeAlias = tuple[int, ...]


def shrunk(bandit: Bandit, goes_wrong: Callable[[Bandit], bool], most: int = MOST_TRIED) -> Bandit:
    """Return a bandit that goes wrong and none of whose simplifications does, or the best of so many tried.

    Examples
    --------
    >>> from proofs_checks.soak.models import random_model
    >>> _, bandit = random_model(1, 11)
    >>> bandit.sizes
    (4, 2, 1, 2, 2, 4)
    >>> small = shrunk(bandit, lambda smaller: any(reward < 0 for arm in smaller.arms for reward in arm.rewards))
    >>> small.arms[0].rewards, small.sizes, small.discount
    ((-1,), (1,), 0)
    """
    tried = 0
    found = _plain(bandit)
    best = found if goes_wrong(found) else bandit
    smaller = True
    while smaller:
        smaller = False
        for candidate in _simpler(best):
            if _size(candidate) >= _size(best):
                continue
            tried += 1
            if tried > most:
                return best
            if goes_wrong(candidate):
                best, smaller = candidate, True
                break
    return best


def _size(bandit: Bandit) -> Size:
    """Return what is to be small: states, arms, moves to other states, and the lengths of all numbers."""
    moves, lengths = 0, _length(bandit.discount)
    for arm in bandit.arms:
        moves += sum(p != 0 for x, row in enumerate(arm.transitions) for y, p in enumerate(row) if x != y)
        lengths += sum(map(_length, (*arm.rewards, *arm.reward_radius, *arm.transition_radius)))
        lengths += sum(_length(p) for row in arm.transitions for p in row)
    return sum(bandit.sizes), len(bandit.arms), moves, lengths, sum(bandit.start())


def _length(number: fmpq) -> int:
    """Return the digits of a number: none of 0, one of 1, more of what is negative, longer or no integer."""
    if number == 0:
        return 0
    return int(abs(number.p).bit_length()) + 2 * int((number.q - 1).bit_length()) + int(number < 0)


def _simpler(bandit: Bandit) -> Iterator[Bandit]:
    arms, discount, start = bandit.arms, bandit.discount, bandit.start()
    if len(arms) > 1:
        for a in range(len(arms)):
            yield Bandit(arms[:a] + arms[a + 1 :], discount, start[:a] + start[a + 1 :])
    for a, arm in enumerate(arms):
        if arm.size > 1:
            for x in range(arm.size):
                at = start[a] - (start[a] > x) if start[a] != x else 0
                yield _replaced(bandit, a, _without(arm, x), at)
    for beta in (ZERO, fmpq(1, 2), *_rounder(discount)):
        if 0 <= beta < 1:
            yield Bandit(arms, beta, start)
    for a, arm in enumerate(arms):
        if start[a]:
            yield _replaced(bandit, a, arm, 0)
        for simpler in _simpler_arms(arm):
            yield _replaced(bandit, a, simpler, start[a])
    yield from _all_rewards_divided(bandit)


def _simpler_arms(arm: Arm) -> Iterator[Arm]:
    if arm.has_radii:
        yield _made(arm.rewards, arm.transitions)
    for x, row in enumerate(arm.transitions):
        for simpler in _simpler_rows(row, x):
            yield _with(arm, transitions=_put(arm.transitions, x, simpler))
    for name in ("rewards", "reward_radius", "transition_radius"):
        numbers: Row = getattr(arm, name)
        if any(numbers):
            yield _with(arm, **{name: (ZERO,) * arm.size})
        for x, number in enumerate(numbers):
            for simpler_number in (ZERO, ONE, *_rounder(number)):
                if name == "rewards" or simpler_number >= 0:
                    yield _with(arm, **{name: _put(numbers, x, simpler_number)})


def _simpler_rows(row: Row, x: int) -> Iterator[Row]:
    """Yield rows with fewer moves, or with equal or shorter probabilities."""
    possible = [y for y, p in enumerate(row) if p]
    for y in dict.fromkeys((x, 0, *possible)):
        yield tuple(ONE if z == y else ZERO for z in range(len(row)))
    if len(possible) > 1:
        for y in possible:
            to = x if x != y else next(z for z in possible if z != y)
            yield tuple(ZERO if z == y else p + row[y] if z == to else p for z, p in enumerate(row))
        yield tuple(fmpq(1, len(possible)) if p else ZERO for p in row)
        most = max(possible, key=row.__getitem__)
        for y in possible:
            for p in _rounder(row[y]):
                if y != most and 0 < p < row[y] + row[most]:
                    yield tuple(p if z == y else q + row[y] - p if z == most else q for z, q in enumerate(row))


def _rounder(number: fmpq) -> Iterator[fmpq]:
    """Yield numbers near this one with fewer digits, the shortest first."""
    whole = number.floor()
    if number.q != 1:
        yield fmpq(whole)
        yield fmpq(whole + 1)
    elif abs(whole) > 1:
        yield fmpq(-1 if whole < 0 else 1)
        yield fmpq(whole // 2 if whole > 0 else -(-whole // 2))
    bits = int(number.q.bit_length())
    for kept in (1, 2, 3, 4, 6, 8, bits // 2, bits - 2):  # equivalent: what is kept is tried again, with fewer
        if 0 < kept < bits:
            scale = fmpz(1) << kept
            yield fmpq((number * scale).floor(), scale)
            yield fmpq((number * scale).floor() + 1, scale)


def _all_rewards_divided(bandit: Bandit) -> Iterator[Bandit]:
    """Yield the bandit in larger units of reward: huge rewards are short only together."""
    largest = max(abs(reward) for arm in bandit.arms for reward in arm.rewards)
    if largest not in (0, 1):
        arms = [
            _with(
                arm,
                rewards=tuple(reward / largest for reward in arm.rewards),
                reward_radius=tuple(radius / largest for radius in arm.reward_radius),
            )
            for arm in bandit.arms
        ]
        yield Bandit(arms, bandit.discount, bandit.start())


def _plain(bandit: Bandit) -> Bandit:
    """Return the bandit with states called ``a1s1``, ..."""
    arms = [_made(arm.rewards, arm.transitions, arm.reward_radius, arm.transition_radius) for arm in bandit.arms]
    return Bandit(arms, bandit.discount, bandit.start())


def _without(arm: Arm, x: int) -> Arm:
    rows = []
    for y, row in enumerate(arm.transitions):
        if y != x:
            moved = [*row]
            moved[y] += moved[x]
            rows.append(_dropped(moved, x))
    radii = (_dropped(numbers, x) for numbers in (arm.reward_radius, arm.transition_radius))
    return _made(_dropped(arm.rewards, x), rows, *radii)


def _with(arm: Arm, **changes: Sequence[fmpq] | Sequence[Row]) -> Arm:
    data = {
        "rewards": arm.rewards,
        "transitions": arm.transitions,
        "reward_radius": arm.reward_radius,
        "transition_radius": arm.transition_radius,
    }
    return Arm(**(data | changes))  # type: ignore[arg-type]


def _made(rewards: Sequence[fmpq], rows: Sequence[Row], *radii: Sequence[fmpq]) -> Arm:
    of_rewards, of_rows = radii or ((), ())
    return Arm(rewards=rewards, transitions=rows, reward_radius=of_rewards, transition_radius=of_rows)


def _replaced(bandit: Bandit, a: int, arm: Arm, at: int) -> Bandit:
    return Bandit(_put(bandit.arms, a, arm), bandit.discount, _put(bandit.start(), a, at))


def _put(values: Sequence[Item], at: int, value: Item) -> tuple[Item, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _dropped(numbers: Sequence[fmpq], x: int) -> Row:
    return (*numbers[:x], *numbers[x + 1 :])

"""Shrink a bandit: remove or simplify one thing at a time while the failure persists.

Taken away are arms, states (what led to them stays where it is), radii, and possible moves; simplified are the
discount, rewards and rows. A change is kept if the bandit is then smaller and still goes wrong, until none is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final, TypeAlias, TypeVar

from flint import fmpq

from theory import ONE, ZERO, Arm, Bandit

MOST_TRIED: Final = 4000
"""Smaller bandits that are tried at most."""

Item = TypeVar("Item")
Row: TypeAlias = "tuple[fmpq, ...]"
Size: TypeAlias = tuple[int, ...]


def shrunk(bandit: Bandit, goes_wrong: Callable[[Bandit], bool], most: int = MOST_TRIED) -> Bandit:
    """Return a failing bandit none of whose simplifications fails, or the smallest found within the limit.

    Examples
    --------
    >>> from proofs_checks.trials.soak.models import random_model
    >>> _, bandit = random_model(1, 11)
    >>> bandit.sizes
    (4, 2, 1, 2, 2, 4)
    >>> small = shrunk(bandit, lambda smaller: any(reward < 0 for arm in smaller.arms for reward in arm.rewards))
    >>> small.arms[0].rewards, small.sizes, small.discount
    ((-1,), (1,), 0)
    """
    best: Bandit | None = bandit
    left = iter(range(most))
    while best is not None:
        bandit = best
        best = next((each for each, _ in zip(_smaller(bandit), left, strict=False) if goes_wrong(each)), None)
    return bandit


def _smaller(bandit: Bandit) -> Iterator[Bandit]:
    return (each for each in _simpler(bandit) if _size(each) < _size(bandit))


def _size(bandit: Bandit) -> Size:
    """Return what is to be small: states, arms, moves to other states, the heights of all numbers, the initial state.

    Examples
    --------
    >>> _size(Bandit([Arm(rewards=["-2/3", 0], transitions=[["1/2", "1/2"], [0, 1]])], "1/4", [1]))
    (2, 1, 1, 24, 1)
    """
    rows = [(x, row) for arm in bandit.arms for x, row in enumerate(arm.transitions)]
    moves = sum(p != 0 for x, row in rows for y, p in enumerate(row) if x != y)
    numbers = [bandit.discount, *(p for _, row in rows for p in row)]
    for arm in bandit.arms:
        numbers += [*arm.rewards, *arm.reward_radius, *arm.transition_radius]
    return sum(bandit.sizes), len(bandit.arms), moves, sum(int(abs(x.p) + x.q) for x in numbers), sum(bandit.start())


def _simpler(bandit: Bandit) -> Iterator[Bandit]:
    """Yield bandits with one thing taken away or simplified, and some that are no smaller."""
    arms, discount, start = bandit.arms, bandit.discount, bandit.start()
    if len(arms) > 1:
        for a in range(len(arms)):
            left = [_with(arm) for arm in _dropped(arms, a)]  # called by their new places: no two have one name
            yield Bandit(left, discount, _dropped(start, a))
    for a, arm in enumerate(arms):
        if arm.size > 1:
            for x in range(arm.size):
                yield _replaced(bandit, a, _without(arm, x), max(0, start[a] - (start[a] >= x)))
    for beta in _rounder(discount):
        if beta < 1:
            yield Bandit(arms, beta, start)
    for a, arm in enumerate(arms):
        yield _replaced(bandit, a, arm, 0)
        for simpler in _simpler_arms(arm):
            yield _replaced(bandit, a, simpler, start[a])
    yield from _all_rewards_divided(bandit)


def _simpler_arms(arm: Arm) -> Iterator[Arm]:
    yield _made(arm.rewards, arm.transitions)
    for x, row in enumerate(arm.transitions):
        for simpler in _simpler_rows(row, x):
            yield _with(arm, transitions=_put(arm.transitions, x, simpler))
    for name in ("rewards", "reward_radius", "transition_radius"):
        numbers: Row = getattr(arm, name)
        yield _with(arm, **{name: (ZERO,) * arm.size})
        for x, number in enumerate(numbers):
            for simpler_number in (ZERO, ONE, *_rounder(number)):
                yield _with(arm, **{name: _put(numbers, x, simpler_number)})


def _simpler_rows(row: Row, x: int) -> Iterator[Row]:
    """Yield rows with fewer moves, or with equal or shorter probabilities; what is over stays at x.

    Examples
    --------
    >>> row = (fmpq(1, 3), fmpq(2, 3), fmpq(0))
    >>> [" ".join(map(str, each)) for each in _simpler_rows(row, 1)]
    ['1 0 0', '0 1 0', '1/2 1/2 0', '0 1 0', '0 1 0', '1 0 0', '0 1 0', '1/2 1/2 0', '1/4 3/4 0', '1/2 1/2 0']
    """
    possible = [y for y, p in enumerate(row) if p]
    for y in sorted({x, *possible}):
        yield tuple(ONE if z == y else ZERO for z in range(len(row)))
    yield tuple(fmpq(1, len(possible)) if p else ZERO for p in row)
    for y in possible:
        for p in _rounder(row[y]):
            if y != x and p <= row[y] + row[x]:
                yield _put(_put(row, x, row[x] + row[y] - p), y, p)


def _rounder(number: fmpq) -> Iterator[fmpq]:
    """Yield half of the integer below a number, rounded up, and numbers near it with fewer digits, the shortest first.

    Examples
    --------
    >>> [" ".join(map(str, _rounder(fmpq(*number)))) for number in ((22, 7), (9, 1), (-9, 1))]
    ['2 3 4 3 7/2 3 13/4', '5 9 10 9 19/2', '-4 -9 -8 -9 -17/2']
    """
    whole = number.floor()
    yield fmpq(whole - whole // 2)
    bits = int(number.q.bit_length())
    for kept in (0, *(2**k for k in range(bits.bit_length()))):
        scale = 2**kept
        yield fmpq((number * scale).floor(), scale)
        yield fmpq((number * scale).floor() + 1, scale)


def _all_rewards_divided(bandit: Bandit) -> Iterator[Bandit]:
    """Yield the bandit in larger units of reward: huge rewards are short only together."""
    largest = max(abs(reward) for arm in bandit.arms for reward in arm.rewards)
    if largest:
        arms = [
            _with(
                arm,
                rewards=[reward / largest for reward in arm.rewards],
                reward_radius=[radius / largest for radius in arm.reward_radius],
            )
            for arm in bandit.arms
        ]
        yield Bandit(arms, bandit.discount, bandit.start())


def _without(arm: Arm, x: int) -> Arm:
    rows = []
    for y, row in enumerate(arm.transitions):
        if y != x:
            rows.append(_dropped(_put(row, y, row[y] + row[x]), x))
    return _made(_dropped(arm.rewards, x), rows, _dropped(arm.reward_radius, x), _dropped(arm.transition_radius, x))


def _with(arm: Arm, **changes: Sequence[fmpq] | Sequence[Row]) -> Arm:
    data = {
        "rewards": arm.rewards,
        "transitions": arm.transitions,
        "reward_radius": arm.reward_radius,
        "transition_radius": arm.transition_radius,
    }
    return Arm(**(data | changes))  # type: ignore[arg-type]


def _made(
    rewards: Sequence[fmpq], rows: Sequence[Row], of_rewards: Sequence[fmpq] = (), of_rows: Sequence[fmpq] = ()
) -> Arm:
    return Arm(rewards=rewards, transitions=rows, reward_radius=of_rewards, transition_radius=of_rows)


def _replaced(bandit: Bandit, a: int, arm: Arm, at: int) -> Bandit:
    return Bandit(_put(bandit.arms, a, arm), bandit.discount, _put(bandit.start(), a, at))


def _put(values: Sequence[Item], at: int, value: Item) -> tuple[Item, ...]:
    return (*values[:at], value, *values[at + 1 :])


def _dropped(values: Sequence[Item], x: int) -> tuple[Item, ...]:
    return (*values[:x], *values[x + 1 :])

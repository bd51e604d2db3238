"""A second opinion in mpmath: the same quantities by other routes, in another arithmetic, and without a guarantee.

Each number is the middle of its enclosure, and a row is as close as possible to the middles of its entries. Indices
come from the largest remaining index, values and extended value iteration from policy iteration on the product of the
arms with mpmath's linear solver. The precision is that of a private mpmath context, with extra digits for a discount
close to 1; digits that an expression loses by cancellation are not accounted for. The tests compare enclosures with
these numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from flint import fmpq

from theory.enclosures.enclosure import Enclosure, power_of_ten
from theory.enclosures.expressions import Expression, Rational
from theory.enclosures.model import EnclosedArm, EnclosedBandit, enclose
from theory.gittins import largest_remaining_index
from theory.model import ArmState, GlobalState
from theory.rationals import ONE, ZERO, Exact, rational
from theory.values import global_states, moved, priority_policy

if TYPE_CHECKING:
    from mpmath.ctx_mp import MPContext  # type: ignore[import-untyped]  # it ships no types

LARGEST_PRODUCT: Final = 100
_SPARE_DIGITS: Final = 20
_BITS: Final = 64  # precision of the digits lost to the discount, and of the ends of a row's entries

Choice = tuple[Any, Sequence[Any], Sequence[GlobalState]]
"""A choice in policy iteration: its reward, its row, and the next states."""


def mpmath_indices(bandit: EnclosedBandit, digits: int) -> tuple[tuple[Any, ...], ...]:
    """Return the Gittins index of every state in mpmath numbers, computed with at least `digits` + 20 digits."""
    context = _context(bandit, digits)
    discount = bandit.discount.approximation(context)
    return tuple(
        tuple(largest_remaining_index(_rows(arm, context), _approximations(arm.rewards, context), discount))
        for arm in bandit.arms
    )


def mpmath_value(
    bandit: EnclosedBandit, priority: Sequence[str | ArmState] | None, initial: Sequence[int | str] | None, digits: int
) -> Any:
    """Return the optimal value, or the value of a priority policy, as an mpmath number."""
    return _solve(bandit, priority, initial, digits, with_radii=False)


def mpmath_optimistic_value(
    bandit: EnclosedBandit,
    priority: Sequence[str | ArmState] | None,
    initial: Sequence[int | str] | None,
    digits: int,
    largest_reward: Exact | None = None,
) -> Any:
    """Return the result of extended value iteration, as an mpmath number."""
    return _solve(bandit, priority, initial, digits, with_radii=True, largest_reward=largest_reward)


def agrees(opinion: Any, enclosure: Enclosure, digits: int) -> bool:
    """Return whether mpmath's number lies in the enclosure, up to ``10**(-digits - 10)`` of the number.

    mpmath computed with at least 20 digits more than `digits`, so its error is smaller than that.

    Examples
    --------
    >>> from mpmath import mpf
    >>> [agrees(mpf(1 + 2.0**-bits), Enclosure.point(ONE), 3) for bits in (43, 44)]  # 1.14 and 0.57 times 10**-13
    [False, True]
    """
    value = _exact(opinion)
    slack = max(abs(value), enclosure.magnitude) * power_of_ten(-digits - 10)
    return enclosure.low - slack <= value <= enclosure.high + slack


def _exact(opinion: Any) -> fmpq:
    from mpmath.libmp import to_rational  # type: ignore[import-untyped]  # noqa: PLC0415  (`import theory` stays light)

    return fmpq(*map(int, to_rational(opinion._mpf_)))


def _context(bandit: EnclosedBandit, digits: int) -> MPContext:
    from mpmath.ctx_mp import MPContext  # noqa: PLC0415  (`import theory` stays light)

    context = MPContext()
    context.dps = digits + _SPARE_DIGITS + 2 * _lost_digits(bandit)
    return context


def _lost_digits(bandit: EnclosedBandit) -> int:
    """Return the digits of 1/(1 - beta), which a linear system loses."""
    return len(str((1 / (1 - bandit.at(_BITS).discount.high)).ceil()))


def _approximations(numbers: Sequence[Any], context: MPContext) -> list[Any]:
    return [number.approximation(context) for number in numbers]


def _rows(arm: EnclosedArm, context: MPContext) -> list[list[Any]]:
    return [_row(row, context) for row in arm.transitions]


def _row(entries: Sequence[Expression], context: MPContext) -> list[Any]:
    """Return a probability row near the middles of the entries, which need not sum to 1 or lie in [0, 1]."""
    middles = _approximations(entries, context)
    if not any(entry.is_fixed for entry in entries):
        return [middle / sum(middles) for middle in middles]  # the last digits are rounded
    ends = [
        tuple(Rational(end).approximation(context) for end in (max(known.low, ZERO), min(known.high, ONE)))
        for known in (enclose(entry, _BITS) for entry in entries)
    ]
    row = [min(max(middle, low), high) for middle, (low, high) in zip(middles, ends, strict=True)]
    missing = 1 - sum(row)
    room = [(high if missing > 0 else low) - p for p, (low, high) in zip(row, ends, strict=True)]
    total = sum(room)
    return [p + missing * part / total for p, part in zip(row, room, strict=True)] if total else row


def _solve(
    bandit: EnclosedBandit,
    priority: Sequence[str | ArmState] | None,
    initial: Sequence[int | str] | None,
    digits: int,
    *,
    with_radii: bool,
    largest_reward: Exact | None = None,
) -> Any:
    names, context = bandit.names, _context(bandit, digits)
    start = names.start(initial)
    states = global_states(names, "leave the second opinion out", LARGEST_PRODUCT)
    play = None if priority is None else priority_policy(names, priority)
    discount = bandit.discount.approximation(context)
    rewards = [_approximations(arm.rewards, context) for arm in bandit.arms]
    rows = [_rows(arm, context) for arm in bandit.arms]
    balls = [[context.zero] * arm.size for arm in bandit.arms]
    if with_radii:
        added = [_approximations(arm.reward_radius, context) for arm in bandit.arms]
        rewards = [[r + b for r, b in zip(*pair, strict=True)] for pair in zip(rewards, added, strict=True)]
        if largest_reward is not None:
            most = Rational(rational(largest_reward)).approximation(context)
            rewards = [[min(r, most) for r in of_arm] for of_arm in rewards]
        balls = [_approximations(arm.transition_radius, context) for arm in bandit.arms]

    def choices(state: GlobalState, values: Mapping[GlobalState, Any]) -> list[Choice]:
        found: list[Choice] = []
        for a in range(len(names.arms)) if play is None else (play(state),):
            x = state[a]
            to = [moved(state, a, y) for y in range(names.arms[a].size)]
            found.append((rewards[a][x], _optimistic_row(rows[a][x], balls[a][x], [values[y] for y in to]), to))
        return found

    return _policy_iteration(states, choices, discount, context)[start]


def _policy_iteration(
    states: Sequence[GlobalState],
    choices: Callable[[GlobalState, Mapping[GlobalState, Any]], list[Choice]],
    discount: Any,
    context: MPContext,
) -> dict[GlobalState, Any]:
    """Return the values of a policy that is optimal up to rounding.

    A state keeps its choice unless another is better by more than the last digits of its terms. Where terms cancel,
    this may not suffice; the search then ends when a policy comes again.
    """
    position = {state: i for i, state in enumerate(states)}
    values = dict.fromkeys(states, context.zero)
    slack = context.mpf(10) ** (_SPARE_DIGITS // 4 - context.dps)
    best: list[Choice] = []
    met = set()
    while True:
        proposed = [
            max(choices(state, values), key=lambda choice: _worth(choice, values, discount)) for state in states
        ]
        sizes = {state: abs(value) for state, value in values.items()}
        for i, old in enumerate(best):
            new = proposed[i]
            gain = _worth(new, values, discount) - _worth(old, values, discount)
            if gain <= slack * _worth((abs(new[0]), new[1], new[2]), sizes, discount):
                proposed[i] = old
        policy = tuple((reward, tuple(row), tuple(to)) for reward, row, to in proposed)
        if policy in met:
            return values
        met.add(policy)
        best = proposed
        system, right = context.eye(len(states)), context.matrix(len(states), 1)
        for i, (reward, row, to) in enumerate(best):
            right[i] = reward
            for y, probability in zip(to, row, strict=True):
                system[i, position[y]] -= discount * probability
        solution = context.lu_solve(system, right)
        values = {state: solution[i] for state, i in position.items()}


def _worth(choice: Choice, values: Mapping[GlobalState, Any], discount: Any) -> Any:
    reward, row, to = choice
    return reward + discount * sum(p * values[y] for p, y in zip(row, to, strict=True))


def _optimistic_row(estimate: Sequence[Any], radius: Any, values: Sequence[Any]) -> list[Any]:
    """Return the row of largest expectation within L1 distance `radius`: half the radius moves from worst to best."""
    row = list(estimate)
    best = max(range(len(row)), key=values.__getitem__)
    missing = min(radius / 2, 1 - row[best])
    row[best] += missing
    for y in sorted(range(len(row)), key=values.__getitem__):
        if y != best:
            taken = min(missing, row[y])
            row[y] -= taken
            missing -= taken
    return row

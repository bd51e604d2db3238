"""A second opinion in mpmath: the same quantities by other routes, in another arithmetic, and without a guarantee.

Numbers are taken at the middle of what is known of them. Indices are found by the largest remaining index, values and
extended value iteration by policy iteration on the product of the arms with mpmath's linear solver. Precision is that
of a context of its own; mpmath's global one is not touched.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from flint import fmpq

from theory.enclosures.enclosure import Enclosure, power_of_ten
from theory.enclosures.model import EnclosedArm, EnclosedBandit
from theory.gittins import largest_remaining_index
from theory.model import ArmState, GlobalState
from theory.values import global_states, moved, priority_policy

if TYPE_CHECKING:
    from mpmath.ctx_mp import MPContext  # type: ignore[import-untyped]  # it ships no types

LARGEST_PRODUCT: Final = 100
_SPARE_DIGITS: Final = 20

Choice = tuple[Any, Sequence[Any], Sequence[GlobalState]]
"""A reward, a row, and the next states."""


def mpmath_indices(bandit: EnclosedBandit, digits: int) -> tuple[tuple[Any, ...], ...]:
    """Return the Gittins index of every state as mpmath numbers, computed with 20 digits more than `digits`."""
    context = _context(digits)
    discount = bandit.discount.approximation(context)
    return tuple(
        tuple(largest_remaining_index(_rows(arm, context), _approximations(arm.rewards, context), discount))
        for arm in bandit.arms
    )


def mpmath_value(
    bandit: EnclosedBandit, priority: Sequence[str | ArmState] | None, initial: Sequence[int | str] | None, digits: int
) -> Any:
    """Return the optimal value, or that of a priority policy, as an mpmath number.

    Raises
    ------
    TooLargeError
        Beyond `LARGEST_PRODUCT` global states.
    """
    return _solve(bandit, priority, initial, _context(digits), with_radii=False)


def mpmath_optimistic_value(
    bandit: EnclosedBandit, priority: Sequence[str | ArmState] | None, initial: Sequence[int | str] | None, digits: int
) -> Any:
    """Return what extended value iteration gives, as an mpmath number.

    Raises
    ------
    TooLargeError
        Beyond `LARGEST_PRODUCT` global states.
    """
    return _solve(bandit, priority, initial, _context(digits), with_radii=True)


def agrees(opinion: Any, enclosure: Enclosure, digits: int) -> bool:
    """Return whether mpmath's number lies in the enclosure, give or take mpmath's own last digits.

    Those are ``10**(-digits - 10)`` of the number: mpmath was run with 20 digits more than asked for.
    """
    from mpmath.libmp import to_rational  # type: ignore[import-untyped]  # noqa: PLC0415  (`import theory` stays light)

    value = fmpq(*map(int, to_rational(opinion._mpf_)))
    slack = max(abs(value), enclosure.magnitude) * power_of_ten(-digits - 10)
    return enclosure.low - slack <= value <= enclosure.high + slack


def mpmath_text(opinion: Any, digits: int) -> str:
    """Return mpmath's number with so many significant digits, the last of them rounded."""
    return str(opinion.context.nstr(opinion, digits))


def _context(digits: int) -> MPContext:
    from mpmath.ctx_mp import MPContext  # noqa: PLC0415  (`import theory` stays light)

    context = MPContext()
    context.dps = digits + _SPARE_DIGITS
    return context


def _approximations(numbers: Sequence[Any], context: MPContext) -> list[Any]:
    return [number.approximation(context) for number in numbers]


def _rows(arm: EnclosedArm, context: MPContext) -> list[list[Any]]:
    """Return the rows of the arm, each divided by its sum: middles of ends need not sum to 1."""
    rows = [_approximations(row, context) for row in arm.transitions]
    return [[entry / sum(row) for entry in row] for row in rows]


def _solve(
    bandit: EnclosedBandit,
    priority: Sequence[str | ArmState] | None,
    initial: Sequence[int | str] | None,
    context: MPContext,
    *,
    with_radii: bool,
) -> Any:
    names = bandit.names
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
    position = {state: i for i, state in enumerate(states)}
    values = dict.fromkeys(states, context.zero)
    tolerance = context.mpf(10) ** (-context.dps + _SPARE_DIGITS // 4)
    while True:
        system, right = context.eye(len(states)), context.matrix(len(states), 1)
        for state, i in position.items():
            reward, row, to = max(choices(state, values), key=lambda choice: _worth(choice, values, discount))
            right[i] = reward
            for y, probability in zip(to, row, strict=True):
                system[i, position[y]] -= discount * probability
        solution = context.lu_solve(system, right)
        largest = max(abs(entry) for entry in solution)
        gain = max(abs(solution[i] - values[state]) for state, i in position.items())
        values = {state: solution[i] for state, i in position.items()}
        if gain <= tolerance * largest:
            return values


def _worth(choice: Choice, values: Mapping[GlobalState, Any], discount: Any) -> Any:
    reward, row, to = choice
    return reward + discount * sum(p * values[y] for p, y in zip(row, to, strict=True))


def _optimistic_row(estimate: Sequence[Any], radius: Any, values: Sequence[Any]) -> list[Any]:
    """Return the row of largest expectation within an L1 distance: half of it moves from the worst to the best."""
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

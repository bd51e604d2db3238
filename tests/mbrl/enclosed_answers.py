r"""Answers known up to a hair, in ball arithmetic: for models whose exact answers are fractions of millions of digits.

A float is a rational number, and every ball here (FLINT's `arb`, of 1024 bits) contains the exact number; what is
exactly 0 is so by structure, and an exact zero too. That the balls are narrow enough is not proved beforehand but seen
in each: one that holds 0 beside other numbers is refused, as it would be of no use as a scale for relative errors.

`tests.mbrl.test_accuracy` holds these answers to the exact ones of `theory` on small models.
"""

from __future__ import annotations

from collections.abc import Sequence

import flint
import numpy as np
from flint import arb, arb_mat, fmpq

import theory

BITS = 1024
_ACCURATE_BITS = 400
_ROUNDS = 100


def largest_distance(number: float, ball: arb) -> fmpq:
    """Return how far `number` is from the farthest point of `ball`, rounded up."""
    with flint.ctx.workprec(BITS):
        return (arb(theory.value_of_float(number)) - ball).abs_upper().fmpq()


def ends(ball: arb) -> tuple[fmpq, fmpq]:
    """Return numbers not above and not below those of `ball`."""
    with flint.ctx.workprec(BITS):
        return ball.lower().fmpq(), ball.upper().fmpq()


def smallest_absolute(ball: arb) -> fmpq:
    """Return the least absolute value of a point of `ball`; zero of an exact zero only.

    Raises
    ------
    ArithmeticError
        If the ball holds 0 and other numbers.
    """
    if ball.contains(0) and not ball.is_zero():
        raise ArithmeticError(f"{ball} holds 0: {BITS} bits are too few")
    return ball.abs_lower().fmpq()


def table_values(
    transitions: np.ndarray, rewards: np.ndarray, sizes: Sequence[int], table: np.ndarray, discount: float
) -> list[arb]:
    """Return the (G,) values of a table, from the linear system of all global states."""
    shape = tuple(int(size) for size in sizes)
    states = list(np.ndindex(*shape))
    with flint.ctx.workprec(BITS):
        beta = _ball(discount)
        system, right = arb_mat(len(states), len(states)), arb_mat(len(states), 1)
        for g, state in enumerate(states):
            a = int(table[g])
            right[g, 0] = _ball(rewards[a, state[a]])
            system[g, g] = arb(1)
            for y in np.flatnonzero(transitions[a, state[a]]):
                h = int(np.ravel_multi_index((*state[:a], int(y), *state[a + 1 :]), shape))
                system[g, h] = system[g, h] - beta * _ball(transitions[a, state[a], y])
        return system.solve(right).entries()


def priority_value_and_visits(
    transitions: np.ndarray,
    rewards: np.ndarray,
    sizes: Sequence[int],
    start: Sequence[int],
    order: Sequence[int],
    discount: float,
) -> tuple[arb, list[list[arb]]]:
    r"""Return the value of a priority policy, and how often it plays each arm state, by arm.

    With :math:`D_l` the drop of the product of thetas as the l-th state of an arm joins, :math:`I - \beta Q = LU` in the
    arm's order, and :math:`c_l` the time of an excursion, which is row l of :math:`L^{-1}` times the column of ones, the
    visits of the arm are :math:`y L^{-1}` with :math:`y_l = D_l / ((1-\beta) c_l)` (`theory.values.conservation`).
    """
    width = rewards.shape[1]
    with flint.ctx.workprec(BITS):
        beta = _ball(discount)
        local = [[place % width for place in order if place // width == a] for a in range(len(sizes))]
        arms = [_Arm(transitions[a], rewards[a], local[a], start[a], beta) for a in range(len(sizes))]
        weights: list[list[arb]] = [[] for _ in arms]
        value = arb(0)
        for place in order:
            a = place // width
            level = len(weights[a])
            difference = arms[a].drops[level]
            for b, other in enumerate(arms):
                if b != a:
                    difference *= other.thetas[len(weights[b])]
            per_time = difference / ((1 - beta) * arms[a].times[level])
            weights[a].append(per_time)
            value += arms[a].gains[level] * per_time
        return value, [arm.visits(given) for arm, given in zip(arms, weights, strict=True)]


def optimistic_values(
    transitions: np.ndarray,
    radii: np.ndarray,
    rewards: np.ndarray,
    sizes: Sequence[int],
    discount: float,
    guess: Sequence[float],
) -> list[arb]:
    r"""Return the (G,) values of extended value iteration, from floats that may be anything.

    Where :math:`TV` is the best that one step and then V are worth, :math:`V^* = TV^*`, and two values that differ by at
    most d have images that differ by at most :math:`\beta d`. So :math:`|V - V^*| \le |V - TV| + \beta |V - V^*|` in the
    largest norm, that is :math:`|V - V^*| \le |V - TV| / (1-\beta)`: the right side is computed, in balls, for a V
    that is any numbers. They come from policy iteration, which may round.
    """
    shape = tuple(int(size) for size in sizes)
    states = list(np.ndindex(*shape))
    with flint.ctx.workprec(BITS):
        beta, values = _ball(discount), [_ball(value) for value in guess]
        for _ in range(_ROUNDS):
            system, right = arb_mat(len(states), len(states)), arb_mat(len(states), 1)
            residual, largest = arb(0), max(map(abs, values))
            for g, state in enumerate(states):
                steps = []
                for a, x in enumerate(state):
                    to = [int(np.ravel_multi_index((*state[:a], y, *state[a + 1 :]), shape)) for y in range(shape[a])]
                    row = _best_row(transitions[a, x, : shape[a]], radii[a, x], [values[h] for h in to])
                    after = sum((q * values[h] for q, h in zip(row, to, strict=True) if q != 0), arb(0))
                    steps.append((_ball(rewards[a, x]) + beta * after, a, to, row))
                worth, a, to, row = max(steps, key=lambda step: step[0].mid().fmpq())
                for one, *_ in steps:
                    worth = worth.max(one)
                residual = residual.max(abs(worth - values[g]))
                right[g, 0], system[g, g] = _ball(rewards[a, state[a]]), arb(1)
                for q, h in zip(row, to, strict=True):
                    system[g, h] = system[g, h] - beta * q
            error = residual / (1 - beta)
            if error <= largest / 2**_ACCURATE_BITS:
                return [value + arb(0, error.upper()) for value in values]
            values = [value.mid() for value in system.solve(right).entries()]
    raise ArithmeticError(f"policy iteration has not ended after {_ROUNDS} rounds")


def _best_row(row: np.ndarray, radius: float, after: Sequence[arb]) -> list[arb]:
    """Return a row of largest expectation within L1 distance `radius` of `row`; all numbers are exact."""
    found = [_ball(probability) for probability in row]
    ascending = sorted(range(len(after)), key=lambda y: after[y].fmpq())
    best = ascending[-1]
    left = min(_ball(radius) / 2, 1 - found[best])
    found[best] += left
    for y in ascending[:-1]:
        taken = min(left, found[y])
        found[y] -= taken
        left -= taken
    return found


class _Arm:
    """The elimination of one arm in its order: gains and times of excursions, drops and thetas, factors."""

    def __init__(
        self, transitions: np.ndarray, rewards: np.ndarray, order: Sequence[int], start: int, beta: arb
    ) -> None:
        size = len(order)
        self._order = order
        rows = [
            [(1 if i == j else 0) - beta * _ball(transitions[x, y]) for j, y in enumerate(order)]
            + [_ball(rewards[x]), arb(1)]
            for i, x in enumerate(order)
        ]
        started = [arb(int(x == start)) for x in order]
        self.gains, self.times, self.drops, self.thetas = [], [], [], [arb(1)]
        self._factors: list[list[arb]] = []
        for level in range(size):
            pivot_row = rows[level]
            pivot, rest = pivot_row[level], pivot_row[level + 1 :]
            self.gains.append(pivot_row[size])
            self.times.append(pivot_row[size + 1])
            self.drops.append((1 - beta) * started[level] / pivot * pivot_row[size + 1])
            stays = _cannot_leave(transitions, order[: level + 1], start)
            self.thetas.append(arb(0) if stays else self.thetas[-1] - self.drops[-1])
            column = []
            for i in range(level + 1, size):
                factor = rows[i][level] / pivot
                column.append(factor)
                if not factor.is_zero():
                    rows[i][level + 1 :] = [a - factor * b for a, b in zip(rows[i][level + 1 :], rest, strict=True)]
            self._factors.append(column)
            factor = started[level] / pivot
            started[level + 1 :] = [
                a - factor * b for a, b in zip(started[level + 1 :], rest[: size - level - 1], strict=True)
            ]

    def visits(self, weights: Sequence[arb]) -> list[arb]:
        """Solve x L = weights, from the last state on, and return x by the arm's states."""
        found = [arb(0)] * len(weights)
        solved: list[arb] = []  # of the later states, in order
        for level in range(len(weights) - 1, -1, -1):
            known = sum((x * factor for x, factor in zip(solved, self._factors[level], strict=True)), arb(0))
            solved.insert(0, weights[level] - known)
            found[self._order[level]] = solved[0]
        return found


def _cannot_leave(transitions: np.ndarray, states: Sequence[int], start: int) -> bool:
    """Return whether an arm that starts in `start` is in `states` for ever."""
    inside, reached, waiting = set(states), {start}, [start]
    while waiting:
        x = waiting.pop()
        if x not in inside:
            return False
        for y in np.flatnonzero(transitions[x]).tolist():
            if y not in reached:
                reached.add(y)
                waiting.append(y)
    return True


def _ball(number: float) -> arb:
    """Return an exact ball."""
    return arb(theory.value_of_float(float(number)))

"""The standard deviation of the noise of the paper's Monte Carlo regret, equation (42), in scenario 2.

Equation (42) adds mean rewards of the oracle and the learner, which move apart from each other, over one horizon. A
priority order that works on each task until it is finished makes the global process one chain through the tasks. A
recursion gives the first two moments of its mean rewards up to each horizon, and so the variance of the difference.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from theory import nearest_float
from theory.paper import paper_model

Floats = NDArray[np.float64]

LONGEST: Final = 4000
"""Longest horizon computed; a longer one has probability 0.99**4000, below 1e-17."""


def moments(order: tuple[int, ...]) -> tuple[Floats, Floats]:
    """Return the mean and the variance, (LONGEST,), of the mean rewards of h = 1, 2, ... steps of the tasks in `order`.

    Examples
    --------
    >>> mean, variance = moments(tuple(range(8, -1, -1)))
    >>> float(mean[0]), float(variance[0]), round(float(mean[-1]), 10)  # one step; all nine tasks
    (0.9, 0.0, 9.0)
    """
    arms = paper_model("task-scheduling").arms
    size = sum(arms[task].size - 1 for task in order)
    rows, rewards = np.zeros((size + 1, size + 1)), np.zeros(size + 1)
    rows[size, size] = 1.0
    first = 0
    for task in order:
        arm = arms[task]
        last = arm.size - 1  # the finished state, where the next task begins
        for state in range(last):
            rewards[first + state] = nearest_float(arm.rewards[state])
            rows[first + state, first : first + arm.size] = [nearest_float(p) for p in arm.transitions[state]]
        first += last
    mean, square = np.zeros(size + 1), np.zeros(size + 1)
    means, squares = np.empty(LONGEST), np.empty(LONGEST)
    for horizon in range(LONGEST):
        after = rows @ mean
        square, mean = rewards**2 + 2 * rewards * after + rows @ square, rewards + after
        means[horizon], squares[horizon] = mean[0], square[0]
    return means, squares - means**2


@cache
def standard_deviation(episodes: int, simulations: int, *, one_horizon: bool = True) -> float:
    """Return the standard deviation of the noise, by equation (42), of cumulative regret averaged over simulations.

    The oracle and the learner have one horizon, or draw a horizon each. The learner works in the worst order, that of
    increasing probabilities to finish. In the best order, its noise against an independent run of the oracle is
    smaller.
    """
    discount = 0.99
    weights = (1 - discount) * discount ** np.arange(LONGEST)
    worst = tuple(range(len(paper_model("task-scheduling").arms)))
    (best_mean, best_variance), (mean, variance) = (moments(order) for order in (worst[::-1], worst))
    parts = (best_mean - mean,) if one_horizon else (best_mean, mean)
    of_horizons = sum(weights @ part**2 - (weights @ part) ** 2 for part in parts)
    return float(np.sqrt((weights @ (best_variance + variance) + of_horizons) * episodes / simulations))

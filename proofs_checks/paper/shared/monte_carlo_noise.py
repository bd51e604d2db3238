"""The standard deviation of the noise of the paper's Monte Carlo regret, equation (42), in scenario 2.

A priority order that works on each task until it is finished makes the global process one chain through the tasks. A
recursion gives the first two moments of its rewards up to each horizon, and so the variance of the difference of two
runs, the oracle's and the learner's, over a geometric horizon.
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

READINGS: Final = {
    "mean rewards, one horizon for both": (False, True),
    "mean rewards, a horizon each": (False, False),
    "drawn rewards, one horizon for both": (True, True),
    "drawn rewards, a horizon each": (True, False),
}
"""Readings of equation (42): whether rewards are drawn, and whether both runs share a horizon; the first is printed."""


def moments(order: tuple[int, ...], drawn: bool) -> tuple[Floats, Floats]:
    """Return the mean and the variance, (LONGEST,), of the rewards of h = 1, 2, ... steps of the tasks in an order.

    Parameters
    ----------
    order
        Indices of the tasks, the first task first.
    drawn
        Whether a step's reward is 1 with the probability of finishing, else 0; if False, it is this probability.

    Examples
    --------
    >>> mean, variance = moments(tuple(range(8, -1, -1)), drawn=True)
    >>> float(mean[0]), round(float(variance[0]), 10), round(float(mean[-1]), 10)  # one step; all nine tasks
    (0.9, 0.09, 9.0)
    """
    arms = paper_model("task-scheduling").arms
    size = sum(arms[task].size - 1 for task in order)
    rows, rewards = np.zeros((size + 1, size + 1)), np.zeros(size + 1)
    rows[size, size] = 1.0
    paid = np.zeros_like(rows)
    first = 0
    for task in order:
        arm = arms[task]
        last = arm.size - 1  # the finished state, where the next task begins
        for state in range(last):
            rewards[first + state] = nearest_float(arm.rewards[state])
            rows[first + state, first : first + arm.size] = [nearest_float(p) for p in arm.transitions[state]]
        if drawn:  # R is 1 exactly on the move into the finished state
            paid[first : first + last, first + last] = rows[first : first + last, first + last]
        first += last
    mean, square = np.zeros(size + 1), np.zeros(size + 1)
    means, squares = np.empty(LONGEST), np.empty(LONGEST)
    for horizon in range(LONGEST):
        if drawn:
            square = rewards + 2 * (paid @ mean) + rows @ square
        else:
            square = rewards**2 + 2 * rewards * (rows @ mean) + rows @ square
        mean = rewards + rows @ mean
        means[horizon], squares[horizon] = mean[0], square[0]
    return means, squares - means**2


@cache
def standard_deviation(reading: str, episodes: int, simulations: int) -> float:
    """Return the standard deviation of the noise, by equation (42), of cumulative regret averaged over simulations.

    The learner works in the worst order, that of increasing probabilities to finish. In the best order, its noise
    against an independent run of the oracle is smaller.
    """
    drawn, shared = READINGS[reading]
    number = len(paper_model("task-scheduling").arms)
    discount = 0.99
    weights = (1 - discount) * discount ** np.arange(LONGEST)
    worst = tuple(range(number))
    (best_mean, best_variance), (mean, variance) = (moments(order, drawn) for order in (worst[::-1], worst))
    within = weights @ (best_variance + variance)
    parts = (best_mean - mean,) if shared else (best_mean, mean)
    of_horizons = np.sum([weights @ each**2 - (weights @ each) ** 2 for each in parts])
    return float(np.sqrt((within + of_horizons) * episodes / simulations))

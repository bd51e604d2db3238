"""Two ends of the scale: one who knows the model, and one who does not look."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.interface import Problem
from mbrl.agents.learner import Learner
from mbrl.environments.environment import Environment
from mbrl.kernels.compiling import kernel
from mbrl.kernels.episodes import learnt_by, planned_by
from mbrl.kernels.native import standard_uniform
from mbrl.kernels.play import Track

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Order(NamedTuple):
    """The (n, S) indices that are played, and whether they are drawn anew for each episode."""

    indices: Floats
    drawn: bool
    last_first: bool = False


class Oracle(Learner):
    """Plays the Gittins policy of the true model: its regret is 0."""

    def __init__(self, environment: Environment) -> None:
        problem = Problem(environment.sizes, environment.discount, 0)
        super().__init__(problem, Order(environment.optimal_policy.indices.copy(), drawn=False))


class Uniform(Learner):
    """Plays, in each episode, a priority order drawn uniformly from all."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem, Order(np.empty((problem.arms, problem.width)), drawn=True))


@planned_by(Order)
@kernel
def draw_order(order: Order, sizes: Integers, discount: float, rng: np.random.Generator) -> None:
    """Draw a priority order, where one is drawn."""
    if order.drawn:
        for a in range(order.indices.shape[0]):
            for x in range(order.indices.shape[1]):
                order.indices[a, x] = standard_uniform(rng)


@learnt_by(Order)
@kernel
def learn_nothing(order: Order, sizes: Integers, discount: float, start: Integers, length: int, track: Track) -> None:
    """Ignore what happened."""

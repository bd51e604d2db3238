"""Two baselines: a learner that knows the model, and one that ignores what it observes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mbrl.agents.interface import Problem
from mbrl.agents.learner import Learner
from mbrl.arrays import Floats, Integers
from mbrl.environments.environment import Environment
from mbrl.kernels.compiling import kernel
from mbrl.kernels.episodes import learnt_by, planned_by
from mbrl.kernels.native import standard_uniform
from mbrl.kernels.play import Track


class Order(NamedTuple):
    """The (n, S) indices to play, and whether to draw new ones for each episode."""

    indices: Floats
    drawn: bool
    last_first: bool = False


class Oracle(Learner):
    """Plays the Gittins policy of the true model, so that its regret is 0."""

    def __init__(self, environment: Environment) -> None:
        problem = Problem(environment.sizes, environment.discount, 0)
        super().__init__(problem, Order(environment.optimal_policy.indices.copy(), drawn=False))


class Uniform(Learner):
    """Plays in each episode a priority order drawn uniformly from all orders."""

    needs_bounded_rewards = False

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem, Order(np.empty(problem.shape), drawn=True))


@planned_by(Order)
@kernel
def draw_order(order: Order, sizes: Integers, discount: float, rng: np.random.Generator) -> None:
    """Draw a priority order, if `order` says so."""
    if order.drawn:
        for a in range(order.indices.shape[0]):
            for x in range(order.indices.shape[1]):
                order.indices[a, x] = standard_uniform(rng)


@learnt_by(Order)
@kernel
def learn_nothing(order: Order, sizes: Integers, discount: float, start: Integers, length: int, track: Track) -> None:
    """Learn nothing from an episode."""

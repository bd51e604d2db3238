r"""Q-learning of Gittins indices by the restart-in-state problem, with softmax exploration (Duff, 1995).

The index of state k is :math:`(1-\beta)` times the optimal value, in k, of the problem in which each step may first
put the arm back into k (Katehakis and Veinott, 1987). Every move of the arm updates the problems of all its states.

Play is softmax in the learned indices: the probability of an arm is proportional to exp(index / temperature). One draw
per episode adds a Gumbel variable to each arm state's index / temperature, and the arm of the largest sum is played.
So in every global state each arm has its softmax probability, and within an episode the policy is a priority order, as
an episodic learner's must be.

Theory gives neither the learning rate nor the temperature; the defaults below were fixed once, not tuned.
"""

from __future__ import annotations

from math import log
from typing import Annotated, NamedTuple

import numpy as np

from mbrl.agents.interface import Problem
from mbrl.agents.learner import Learner, check_option
from mbrl.arrays import Floats, Integers
from mbrl.kernels.compiling import kernel
from mbrl.kernels.episodes import learnt_by, planned_by
from mbrl.kernels.native import standard_uniform
from mbrl.kernels.play import Track


class Softmax(NamedTuple):
    """The learned values, and the parameters of learning and exploration."""

    values: Floats  # (n, S, S), of continuing, by arm, state of the restart problem, and state
    visits: Floats  # (n, S)
    exponent: float  # of the learning rate
    last_temperature: float
    cooling: float
    excess: Floats  # (1,), the temperature minus `last_temperature`
    indices: Floats  # (n, S)
    last_first: bool = False


class GittinsQ(Learner):
    """Learns Gittins indices without a model of the arms.

    Parameters
    ----------
    problem
        What the learner knows beforehand.

    Raises
    ------
    BanditError
        For a number outside its range.
    """

    needs_bounded_rewards = False

    def __init__(
        self,
        problem: Problem,
        *,
        rate_exponent: Annotated[float, "the N-th update has rate 1/N^rate_exponent; above 0.5, up to 1"] = 0.6,
        first_temperature: Annotated[float, "softmax temperature in the first episode, in the learner's unit"] = 1.0,
        last_temperature: Annotated[float, "the temperature that it falls to, above 0"] = 0.01,
        cooling: Annotated[float, "factor per episode of the distance to last_temperature, above 0, up to 1"] = 0.99,
    ) -> None:
        last = check_option("last_temperature", last_temperature)
        first = check_option("first_temperature", first_temperature, last, open_below=False)
        memory = Softmax(
            np.zeros((*problem.shape, problem.width)),
            np.zeros(problem.shape),
            check_option("rate_exponent", rate_exponent, 0.5, 1.0),
            last,
            check_option("cooling", cooling, most=1.0),
            np.array([first - last]),
            np.empty(problem.shape),
        )
        super().__init__(problem, memory)


@planned_by(Softmax)
@kernel
def softmax_indices(softmax: Softmax, sizes: Integers, discount: float, rng: np.random.Generator) -> None:
    """Write for each arm state the learned index over the temperature, plus a Gumbel variable."""
    values, indices = softmax.values, softmax.indices
    temperature = softmax.last_temperature + softmax.excess[0]
    for a in range(indices.shape[0]):
        for x in range(indices.shape[1]):
            drawn = 1.0 - standard_uniform(rng)
            while drawn == 1.0:
                drawn = 1.0 - standard_uniform(rng)
            indices[a, x] = (1.0 - discount) * values[a, x, x] / temperature - log(-log(drawn))


@learnt_by(Softmax)
@kernel
def learn_restart_values(
    softmax: Softmax, sizes: Integers, discount: float, start: Integers, length: int, track: Track
) -> None:
    r"""Update the restart-in-state problems of all arm states by Q-learning over one episode, then cool down.

    ``values[a, k, x]`` is the value of continuing from x in the problem that may restart in k, where restarting has
    the value ``values[a, k, k]``. A move from x to y with reward r updates, for all k at once,

    .. math:: W_k(x) \leftarrow W_k(x) + \alpha [ r + \beta \max(W_k(y), W_k(k)) - W_k(x) ]

    with :math:`\alpha = N(x)^{-\text{exponent}}`.
    """
    values, visits = softmax.values, softmax.visits
    for t in range(length):
        a, x, y = track.arms[t], track.states[t], track.following[t]
        visits[a, x] += 1.0
        rate = visits[a, x] ** -softmax.exponent
        for k in range(sizes[a]):
            target = track.rewards[t] + discount * max(values[a, k, y], values[a, k, k])
            values[a, k, x] += rate * (target - values[a, k, x])
    softmax.excess[0] *= softmax.cooling

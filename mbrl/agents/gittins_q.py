r"""Q-learning of Gittins indices by the restart-in-state problem, with softmax exploration (Duff, 1995).

The index of state k is :math:`(1-\beta)` times the optimal value, in k, of the problem in which the arm may at any time
be put back into k (Katehakis and Veinott, 1987). Every move of the arm updates the problems of all its states.

Play is softmax in the learned indices: the probability of an arm is proportional to exp(index / temperature). The
draw is made once per episode, by adding a Gumbel variable to each arm state's index / temperature and playing the
largest: in every global state each arm then has its softmax probability, and within an episode the policy is a
priority order, as an episodic learner's should be.

Neither the learning rate nor the temperature is given by theory; the defaults below were fixed once, not tuned.
"""

from __future__ import annotations

from math import log

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.interface import Problem, Trajectory
from mbrl.agents.statistics import track_of
from mbrl.kernels.clock import now
from mbrl.kernels.compiling import kernel
from mbrl.kernels.episodes import Outcome, Schedule, play_indices_and_value
from mbrl.kernels.play import Track, World, new_track
from mbrl.policies import IndexPolicy

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class GittinsQ:
    """Learns indices without a model.

    Parameters
    ----------
    problem
        What is known beforehand.
    rate_exponent
        The learning rate of the N-th update of a state is N to the power of minus this; in (1/2, 1].
    first_temperature, last_temperature
        Temperature of the first episode, in units of reward, and the one it decreases to.
    cooling
        Factor of the temperature's distance from the last one, per episode.
    """

    anytime = True

    def __init__(
        self,
        problem: Problem,
        *,
        rate_exponent: float = 0.6,
        first_temperature: float = 1.0,
        last_temperature: float = 0.01,
        cooling: float = 0.99,
    ) -> None:
        self._problem = problem
        self._exponent = float(rate_exponent)
        self._excess = float(first_temperature - last_temperature)
        self._coldest = float(last_temperature)
        self._cooling = float(cooling)
        self._values = np.zeros((problem.arms, problem.width, problem.width))
        self._visits = np.zeros((problem.arms, problem.width))

    def plan(self, rng: np.random.Generator) -> IndexPolicy:
        """Return the priority order of a softmax draw."""
        indices = np.empty(self._visits.shape)
        softmax_indices(rng, self._values, self._problem.discount, self._coldest + self._excess, indices)
        return IndexPolicy(indices, self._problem.sizes)

    def observe(self, trajectory: Trajectory) -> None:
        """Update the restart problems of the arms that moved, and cool down."""
        learn_restart_values(
            track_of(trajectory),
            trajectory.length,
            self._problem.sizes,
            self._problem.discount,
            self._exponent,
            self._values,
            self._visits,
        )
        self._excess *= self._cooling

    def play_episodes(
        self,
        world: World,
        schedule: Schedule,
        planning: np.random.Generator,
        playing: np.random.Generator,
        outcome: Outcome,
    ) -> None:
        """Plan, play and learn, episode after episode; see `mbrl.agents.interface`."""
        self._excess = softmax_episodes(
            world,
            schedule,
            planning,
            playing,
            self._values,
            self._visits,
            self._exponent,
            self._coldest,
            self._excess,
            self._cooling,
            outcome,
        )


@kernel
def softmax_indices(
    rng: np.random.Generator, values: Floats, discount: float, temperature: float, indices: Floats
) -> None:
    """Write the learned indices over the temperature, each plus a Gumbel variable."""
    for a in range(indices.shape[0]):
        for x in range(indices.shape[1]):
            uniform = 1.0 - rng.random()
            while uniform == 1.0:
                uniform = 1.0 - rng.random()
            indices[a, x] = (1.0 - discount) * values[a, x, x] / temperature - log(-log(uniform))


@kernel
def learn_restart_values(
    track: Track, length: int, sizes: Integers, discount: float, exponent: float, values: Floats, visits: Floats
) -> None:
    r"""Q-learning of the restart-in-state problems of all arm states, over one episode.

    ``values[a, k, x]`` is the value of continuing from x in the problem that may restart in k; restarting is worth
    ``values[a, k, k]``. A move from x to y with reward r changes, for all k at once,

    .. math:: W_k(x) \leftarrow W_k(x) + \alpha [ r + \beta \max(W_k(y), W_k(k)) - W_k(x) ]

    with :math:`\alpha = N(x)^{-\text{exponent}}`.
    """
    for t in range(length):
        a, x, y = track.arms[t], track.states[t], track.following[t]
        visits[a, x] += 1.0
        rate = visits[a, x] ** -exponent
        for k in range(sizes[a]):
            target = track.rewards[t] + discount * max(values[a, k, y], values[a, k, k])
            values[a, k, x] += rate * (target - values[a, k, x])


@kernel
def softmax_episodes(
    world: World,
    schedule: Schedule,
    planning: np.random.Generator,
    playing: np.random.Generator,
    values: Floats,
    visits: Floats,
    exponent: float,
    coldest: float,
    excess: float,
    cooling: float,
    outcome: Outcome,
) -> float:
    """Plan, play and learn for all episodes of `schedule`, and return by how much the temperature is too high yet."""
    indices, track = np.empty(visits.shape), new_track(schedule.lengths.max())
    for k in range(schedule.lengths.size):
        began = now()
        softmax_indices(planning, values, world.discount, coldest + excess, indices)
        planned = now()
        play_indices_and_value(world, schedule, k, playing, indices, False, track, outcome)
        played = now()
        learn_restart_values(track, schedule.lengths[k], world.sizes, world.discount, exponent, values, visits)
        excess *= cooling
        outcome.seconds[k] = (planned - began) + (now() - played)
    return excess

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

import numpy as np

from mbrl.agents.interface import Problem, Trajectory
from mbrl.kernels.episodes import learn_restart_values
from mbrl.policies import IndexPolicy


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
        self._exponent = rate_exponent
        self._excess = first_temperature - last_temperature
        self._coldest = last_temperature
        self._cooling = cooling
        self._values = np.zeros((problem.arms, problem.width, problem.width))
        self._visits = np.zeros((problem.arms, problem.width))

    def plan(self, rng: np.random.Generator) -> IndexPolicy:
        """Return the priority order of a softmax draw."""
        indices = (1 - self._problem.discount) * np.diagonal(self._values, axis1=1, axis2=2)
        noise = rng.gumbel(size=indices.shape)
        return IndexPolicy.from_indices(indices / (self._coldest + self._excess) + noise, self._problem.sizes)

    def observe(self, trajectory: Trajectory) -> None:
        """Update the restart problems of the arms that moved, and cool down."""
        learn_restart_values(
            trajectory.arms,
            trajectory.states,
            trajectory.next_states,
            trajectory.rewards,
            self._problem.sizes,
            self._problem.discount,
            self._exponent,
            self._values,
            self._visits,
        )
        self._excess *= self._cooling

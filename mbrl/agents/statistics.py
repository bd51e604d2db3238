"""What the model-based learners remember: counts of moves and sums of rewards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.interface import Problem, Trajectory
from mbrl.kernels.episodes import count_arm_states, count_global_states
from theory import TooLargeError

Floats = NDArray[np.float64]

LARGEST_PRODUCT = 512
"""Global states up to which a learner on the global process can keep its table of counts."""


class Statistics:
    """Counts of moves, numbers of visits and sums of rewards of rows that a learner estimates.

    Attributes
    ----------
    moves : (..., Y)
        How often each row's next state was seen.
    sums, squares : (...)
        Sum of the rewards of each row, and of their squares.
    support : (..., Y) of 0 and 1
        Which next states a row has: all but the padding of smaller arms.
    step : int
        :math:`t_k`, the number of the coming step, from 1.
    """

    def __init__(self, support: Floats) -> None:
        self.support = support
        self.moves = np.zeros(support.shape)
        self.sums = np.zeros(support.shape[:-1])
        self.squares = np.zeros(support.shape[:-1])
        self.step = 1
        self._uniform = support / support.sum(axis=-1, keepdims=True)

    @property
    def visits(self) -> Floats:
        """How often each row was played."""
        total: Floats = self.moves.sum(axis=-1)
        return total

    def estimates(self) -> tuple[Floats, Floats, Floats]:
        """Return visits, empirical mean rewards and empirical rows.

        A row never played has mean reward 0 and the uniform law: any law will do there, as its radius is at least 2.
        """
        visits = self.visits
        divisor = np.maximum(visits, 1.0)
        rows = self.moves / divisor[..., None]
        unseen = visits == 0
        if unseen.any():
            rows[unseen] = self._uniform[unseen]
        return visits, self.sums / divisor, rows


class ArmStatistics(Statistics):
    """Statistics of arm states: rows (n, S), next states S."""

    def __init__(self, problem: Problem) -> None:
        valid = (np.arange(problem.width) < problem.sizes[:, None]).astype(np.float64)
        super().__init__(np.repeat(valid[:, None, :], problem.width, axis=1))

    def observe(self, trajectory: Trajectory) -> None:
        """Count an episode."""
        count_arm_states(
            trajectory.arms,
            trajectory.states,
            trajectory.next_states,
            trajectory.rewards,
            self.moves,
            self.sums,
            self.squares,
        )
        self.step += trajectory.length


class GlobalStatistics(Statistics):
    """Statistics of the global process, its structure ignored: rows (G, n), next states G.

    Raises
    ------
    TooLargeError
        Beyond `LARGEST_PRODUCT` global states.
    """

    def __init__(self, problem: Problem) -> None:
        if problem.global_states > LARGEST_PRODUCT:
            raise TooLargeError(
                f"{problem.global_states} global states are beyond {LARGEST_PRODUCT}, what a learner on the global "
                "process can keep; use a learner that knows the arms, such as mb-psrl"
            )
        super().__init__(np.ones((problem.global_states, problem.arms, problem.global_states)))
        self._sizes = problem.sizes

    def observe(self, trajectory: Trajectory) -> None:
        """Count an episode."""
        count_global_states(
            trajectory.arms,
            trajectory.states,
            trajectory.next_states,
            trajectory.rewards,
            self._sizes,
            trajectory.start,
            self.moves,
            self.sums,
            self.squares,
        )
        self.step += trajectory.length

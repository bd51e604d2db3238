r"""What the model-based learners remember: counts of moves and sums of rewards.

The paper leaves three things open, or states them twice; each is an option of the learners that it concerns:

* the next state of the last step of an episode: ``observed``, the state that the arm moved to (section 4 of the paper,
  and algorithm 1), or ``restarted``, the :math:`X_{t+1}` of the appendix's formula, which the next episode starts in;
* the mean reward of a state never played, 0 unless another number is given;
* its next-state law: ``uniform``, ``stay`` (surely the state itself) or ``zero`` (0/0 := 0, a row without mass).
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.interface import Problem, Trajectory
from mbrl.kernels.arguments import product_size, product_text
from mbrl.kernels.episodes import count_arm_states, count_global_states
from theory import TooLargeError

Floats = NDArray[np.float64]

NextState: TypeAlias = Literal["observed", "restarted"]
UnseenRows: TypeAlias = Literal["uniform", "stay", "zero"]

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
    step, episode : int
        :math:`t_k` and k, the numbers of the coming step and of the coming episode, from 1.
    """

    def __init__(self, support: Floats, next_state: NextState) -> None:
        self.support = support
        self._restarted = next_state == "restarted"
        self.moves = np.zeros(support.shape)
        self.sums = np.zeros(support.shape[:-1])
        self.squares = np.zeros(support.shape[:-1])
        self.step = 1
        self.episode = 1
        self._uniform = support / support.sum(axis=-1, keepdims=True)

    def _count_episode(self, trajectory: Trajectory) -> None:
        self.step += trajectory.length
        self.episode += 1

    @property
    def visits(self) -> Floats:
        """How often each row was played."""
        total: Floats = self.moves.sum(axis=-1)
        return total

    def estimates(
        self, unseen_reward: float = 0.0, unseen_rows: UnseenRows = "uniform"
    ) -> tuple[Floats, Floats, Floats]:
        """Return visits, empirical mean rewards and empirical rows; a row never played has the given reward and law.

        The law does not matter to a learner with radii, as the radius of such a row is at least 2.
        """
        visits = self.visits
        divisor = np.maximum(visits, 1.0)
        rewards = self.sums / divisor
        rows = self.moves / divisor[..., None]
        unseen = visits == 0
        if unseen.any():
            rewards[unseen] = unseen_reward
            if unseen_rows == "uniform":
                rows[unseen] = self._uniform[unseen]
            elif unseen_rows == "stay":
                rows[unseen] = np.broadcast_to(np.eye(rows.shape[-1]), rows.shape)[unseen]
        return visits, rewards, rows


class ArmStatistics(Statistics):
    """Statistics of arm states: rows (n, S), next states S."""

    def __init__(self, problem: Problem, next_state: NextState = "observed") -> None:
        valid = (np.arange(problem.width) < problem.sizes[:, None]).astype(np.float64)
        super().__init__(np.repeat(valid[:, None, :], problem.width, axis=1), next_state)

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
        if self._restarted:
            a, x, y = trajectory.arms[-1], trajectory.states[-1], trajectory.next_states[-1]
            self.moves[a, x, y] -= 1
            self.moves[a, x, trajectory.start[a]] += 1
        self._count_episode(trajectory)


class GlobalStatistics(Statistics):
    """Statistics of the global process, its structure ignored: rows (G, n), next states G.

    Raises
    ------
    TooLargeError
        Beyond `LARGEST_PRODUCT` global states.
    """

    def __init__(self, problem: Problem, next_state: NextState = "observed") -> None:
        if product_size(problem.sizes, LARGEST_PRODUCT) is None:
            raise TooLargeError(
                f"{product_text(problem.sizes)} global states are beyond {LARGEST_PRODUCT}, what a learner on the "
                "global process can keep; use a learner that knows the arms, such as mb-psrl"
            )
        super().__init__(np.ones((problem.global_states, problem.arms, problem.global_states)), next_state)
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
        if self._restarted:
            before, arm, after = self._last_move(trajectory)
            self.moves[before, arm, after] -= 1
            self.moves[before, arm, np.ravel_multi_index(tuple(trajectory.start), tuple(self._sizes))] += 1
        self._count_episode(trajectory)

    def _last_move(self, trajectory: Trajectory) -> tuple[int, int, int]:
        """Return the number of the last step's global state, its arm, and the number of the state after."""
        state = trajectory.start.copy()
        for a in range(state.size):
            moves = np.flatnonzero(trajectory.arms == a)
            if moves.size:
                state[a] = trajectory.next_states[moves[-1]]
        arm = int(trajectory.arms[-1])
        after = int(np.ravel_multi_index(tuple(state), tuple(self._sizes)))
        state[arm] = trajectory.states[-1]
        return int(np.ravel_multi_index(tuple(state), tuple(self._sizes))), arm, after

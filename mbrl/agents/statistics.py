r"""What the model-based learners remember: counts of moves and sums of rewards; and the estimates from them.

The paper leaves three things open, or states them twice; each is an option of the learners that it concerns:

* the next state of the last step of an episode: ``observed``, the state that the arm moved to (section 4 of the paper,
  and algorithm 1), or ``restarted``, the :math:`X_{t+1}` of the appendix's formula, which the next episode starts in;
* the mean reward of a state never played, 0 unless another number is given;
* its next-state law: ``uniform``, ``stay`` (surely the state itself) or ``zero`` (0/0 := 0, a row without mass).
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.interface import Problem, Trajectory
from mbrl.kernels.arguments import product_size, product_text
from mbrl.kernels.compiling import kernel
from mbrl.kernels.counting import Counts, count_arm_states, count_global_states
from mbrl.kernels.episodes import Schedule
from mbrl.kernels.play import Track
from theory import TooLargeError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NextState: TypeAlias = Literal["observed", "restarted"]
UnseenRows: TypeAlias = Literal["uniform", "stay", "zero"]
UNSEEN_ROWS: Final[tuple[UnseenRows, ...]] = ("uniform", "stay", "zero")

LARGEST_PRODUCT = 512
"""Global states up to which a learner on the global process can keep its table of counts."""


class Statistics:
    """Counts of moves, numbers of visits and sums of rewards of rows that a learner estimates.

    Attributes
    ----------
    moves : (n, S, S) or (G, n, G)
        How often each row's next state was seen.
    sums, squares : (n, S) or (G, n)
        Sum of the rewards of each row, and of their squares.
    targets : (n,) or (G,) int64
        How many next states the rows of an arm, or of a global state, have.
    restarted : bool
        Whether the next state of an episode's last step is the restart's.
    step, episode : int
        :math:`t_k` and k, the numbers of the coming step and of the coming episode, from 1.
    """

    def __init__(self, rows: tuple[int, int], targets: Integers, next_state: NextState) -> None:
        self.moves = np.zeros((*rows, int(targets.max())))
        self.sums = np.zeros(rows)
        self.squares = np.zeros(rows)
        self.targets = targets
        self.restarted = next_state == "restarted"
        self.step = 1
        self.episode = 1

    @property
    def counts(self) -> Counts:
        """All that is counted, as compiled code takes it."""
        return Counts(self.moves, self.sums, self.squares)

    def played(self, episodes: int, steps: int) -> None:
        """Note that so many episodes and steps have been counted."""
        self.step += steps
        self.episode += episodes

    def played_all(self, schedule: Schedule) -> None:
        """Note that all episodes of `schedule` have been counted."""
        self.played(schedule.lengths.size, int(schedule.lengths.sum()))

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
        visits, rewards, rows = np.empty(self.sums.shape), np.empty(self.sums.shape), np.zeros(self.moves.shape)
        estimate(self.counts, self.targets, unseen_reward, UNSEEN_ROWS.index(unseen_rows), visits, rewards, rows)
        return visits, rewards, rows


class ArmStatistics(Statistics):
    """Statistics of arm states: rows (n, S), next states S."""

    def __init__(self, problem: Problem, next_state: NextState = "observed") -> None:
        super().__init__((problem.arms, problem.width), problem.sizes, next_state)

    def observe(self, trajectory: Trajectory) -> None:
        """Count an episode."""
        count_arm_states(track_of(trajectory), trajectory.length, trajectory.start, self.restarted, self.counts)
        self.played(1, trajectory.length)


class GlobalStatistics(Statistics):
    """Statistics of the global process, its structure ignored: rows (G, n), next states G.

    Raises
    ------
    TooLargeError
        Beyond `LARGEST_PRODUCT` global states.
    """

    def __init__(self, problem: Problem, next_state: NextState = "observed") -> None:
        count = product_size(problem.sizes, LARGEST_PRODUCT)
        if count is None:
            raise TooLargeError(
                f"{product_text(problem.sizes)} global states are beyond {LARGEST_PRODUCT}, what a learner on the "
                "global process can keep; use a learner that knows the arms, such as mb-psrl"
            )
        super().__init__((count, problem.arms), np.full(count, count), next_state)
        self._sizes = problem.sizes

    def observe(self, trajectory: Trajectory) -> None:
        """Count an episode."""
        track, start = track_of(trajectory), trajectory.start
        count_global_states(track, trajectory.length, start, self._sizes, self.restarted, self.counts)
        self.played(1, trajectory.length)


def track_of(trajectory: Trajectory) -> Track:
    """Return an episode as compiled code takes it."""
    return Track(trajectory.arms, trajectory.states, trajectory.next_states, trajectory.rewards)


@kernel
def estimate_row(moves: Floats, targets: int, state: int, unseen_rows: int, row: Floats) -> float:
    """Write the empirical law of a row, and return how often it was played.

    Parameters
    ----------
    moves : (Y,)
    targets
        How many next states it has.
    state
        The state itself, for ``stay``.
    unseen_rows
        Place in `UNSEEN_ROWS` of the law of a row never played.
    row : (Y,)
        Its first `targets` entries are written.
    """
    visits = 0.0
    for y in range(targets):
        visits += moves[y]
    for y in range(targets):
        row[y] = moves[y] / visits if visits > 0.0 else (1.0 / targets if unseen_rows == 0 else 0.0)
    if visits == 0.0 and unseen_rows == 1:
        row[state] = 1.0
    return visits


@kernel
def estimate(
    counts: Counts,
    targets: Integers,
    unseen_reward: float,
    unseen_rows: int,
    visits: Floats,
    rewards: Floats,
    rows: Floats,
) -> None:
    """Write what `Statistics.estimates` returns."""
    for i in range(counts.sums.shape[0]):
        for x in range(counts.sums.shape[1]):
            seen = estimate_row(counts.moves[i, x], targets[i], x, unseen_rows, rows[i, x])
            visits[i, x] = seen
            rewards[i, x] = counts.sums[i, x] / seen if seen > 0.0 else unseen_reward

r"""The statistics of model-based learners: counts of moves, sums of rewards, and estimates from both.

The paper leaves three choices open, or states them twice; each is an option of the learners concerned:

* the next state of an episode's last step: ``observed``, the state that the arm moved to (section 4 of the paper, and
  algorithm 1), or ``restarted``, the :math:`X_{t+1}` of the appendix's formula, in which the next episode starts;
* the mean reward of a state never played: 0 by default;
* the row of a state never played: ``uniform``, ``stay`` (surely the state itself) or ``zero`` (0/0 := 0, no mass).
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, TypeAlias

import numpy as np

from mbrl.agents.interface import Problem
from mbrl.arrays import Floats, product_size, product_text
from mbrl.kernels.compiling import part
from mbrl.kernels.counting import Counts
from theory import TooLargeError

NextState: TypeAlias = Annotated[
    Literal["observed", "restarted"],
    "at an episode's last step, the next state is where the arm moved, or where the next episode starts",
]
UnseenReward: TypeAlias = Annotated[float, "mean reward of a state never played, in the learner's unit, from 0 to 1"]
UnseenRows: TypeAlias = Annotated[
    Literal["uniform", "stay", "zero"], "next states of a state never played: all alike, surely itself, or no mass"
]
UNSEEN_ROWS: Final[tuple[UnseenRows, ...]] = ("uniform", "stay", "zero")


def no_counts(rows: tuple[int, int], next_states: int, next_state: NextState = "observed") -> Counts:
    """Return counts of rows never played."""
    restarted = next_state == "restarted"
    return Counts(np.zeros((*rows, next_states)), np.zeros(rows), np.zeros(rows), np.ones(2, np.int64), restarted)


def counts_of_arms(problem: Problem, next_state: NextState = "observed") -> Counts:
    """Return empty counts of arm states: rows (n, S), next states S."""
    return no_counts(problem.shape, problem.width, next_state)


def check_product(problem: Problem, largest: int) -> int:
    """Return the number of global states.

    Raises
    ------
    TooLargeError
        If there are more than `largest`.
    """
    count = product_size(problem.sizes, largest)
    if count is None:
        beyond = f"{product_text(problem.sizes)} global states are beyond {largest}"
        raise TooLargeError(f"{beyond}, the most that it can plan for; use mb-psrl or mb-ucbvi")
    return count


@part
def estimate_row(
    counts: Counts, i: int, x: int, targets: int, unseen_reward: float, unseen_rows: int, row: Floats
) -> tuple[float, float]:
    """Write the empirical law of row (i, x), and return how often it was played, and its empirical mean reward.

    Parameters
    ----------
    counts, i, x
    targets
        Number of next states of the row.
    unseen_reward
        Mean reward of a row never played.
    unseen_rows
        Position in `UNSEEN_ROWS` of the law of a row never played. It does not matter to a learner with radii, since
        the radius of such a row is at least 2.
    row : (Y,)
        Receives the law in its first `targets` entries.
    """
    visits = 0.0
    for y in range(targets):
        visits += counts.moves[i, x, y]
    for y in range(targets):
        row[y] = counts.moves[i, x, y] / visits if visits > 0.0 else (1.0 / targets if unseen_rows == 0 else 0.0)
    if visits == 0.0 and unseen_rows == 1:
        row[x] = 1.0
    return visits, counts.sums[i, x] / visits if visits > 0.0 else unseen_reward

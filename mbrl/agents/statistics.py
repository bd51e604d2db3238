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
from numpy.typing import NDArray

from mbrl.agents.interface import Problem
from mbrl.arrays import product_size, product_text
from mbrl.kernels.compiling import part
from mbrl.kernels.counting import Counts
from theory import TooLargeError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NextState: TypeAlias = Annotated[
    Literal["observed", "restarted"],
    "at an episode's last step, the next state is where the arm moved, or where the next episode starts",
]
UnseenReward: TypeAlias = Annotated[float, "mean reward of a state never played, in the learner's unit, from 0 to 1"]
UnseenRows: TypeAlias = Annotated[
    Literal["uniform", "stay", "zero"], "next states of a state never played: all alike, surely itself, or no mass"
]
UNSEEN_ROWS: Final[tuple[UnseenRows, ...]] = ("uniform", "stay", "zero")

LARGEST_PRODUCT = 512
"""Global states up to which a learner on the global process can store its counts."""


def no_counts(rows: tuple[int, int], next_states: int, next_state: NextState = "observed") -> Counts:
    """Return counts of rows never played."""
    restarted = next_state == "restarted"
    return Counts(np.zeros((*rows, next_states)), np.zeros(rows), np.zeros(rows), np.ones(2, np.int64), restarted)


def counts_of_arms(problem: Problem, next_state: NextState = "observed") -> Counts:
    """Return empty counts of arm states: rows (n, S), next states S."""
    return no_counts((problem.arms, problem.width), problem.width, next_state)


def counts_of_the_product(problem: Problem, next_state: NextState = "observed") -> Counts:
    """Return empty counts of the global process without its structure: rows (G, n), next states G.

    Raises
    ------
    TooLargeError
        For more than `LARGEST_PRODUCT` global states.
    """
    count = product_size(problem.sizes, LARGEST_PRODUCT)
    if count is None:
        raise TooLargeError(
            f"{product_text(problem.sizes)} global states are beyond {LARGEST_PRODUCT}, what a learner on the "
            "global process can keep; use a learner that knows the arms, such as mb-psrl"
        )
    return no_counts((count, problem.arms), count, next_state)


@part
def estimate_row(moves: Floats, targets: int, state: int, unseen_rows: int, row: Floats) -> float:
    """Write the empirical law of a row, and return how often the row was played.

    Parameters
    ----------
    moves : (Y,)
    targets
        Number of next states of the row.
    state
        The row's own state, for ``stay``.
    unseen_rows
        Position in `UNSEEN_ROWS` of the law for a row never played.
    row : (Y,)
        Receives the law in its first `targets` entries.
    """
    visits = 0.0
    for y in range(targets):
        visits += moves[y]
    for y in range(targets):
        row[y] = moves[y] / visits if visits > 0.0 else (1.0 / targets if unseen_rows == 0 else 0.0)
    if visits == 0.0 and unseen_rows == 1:
        row[state] = 1.0
    return visits


@part
def estimate(
    counts: Counts,
    targets: Integers,
    unseen_reward: float,
    unseen_rows: int,
    visits: Floats,
    rewards: Floats,
    rows: Floats,
) -> None:
    """Write visits, empirical mean rewards and empirical rows; a row never played gets the given reward and law.

    The law does not matter to a learner with radii, since the radius of such a row is at least 2.

    Parameters
    ----------
    counts
    targets : (n,) or (G,) int64
        Number of next states of the rows of each arm, or of each global state.
    unseen_reward
    unseen_rows
        As for `estimate_row`.
    visits, rewards, rows
        Overwritten, except for entries of `rows` beyond the targets.
    """
    for i in range(counts.sums.shape[0]):
        for x in range(counts.sums.shape[1]):
            seen = estimate_row(counts.moves[i, x], targets[i], x, unseen_rows, rows[i, x])
            visits[i, x] = seen
            rewards[i, x] = counts.sums[i, x] / seen if seen > 0.0 else unseen_reward

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

from mbrl.agents.interface import Problem
from mbrl.arrays import product_size, product_text
from mbrl.kernels.compiling import part
from mbrl.kernels.counting import Counts
from theory import TooLargeError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

NextState: TypeAlias = Literal["observed", "restarted"]
UnseenRows: TypeAlias = Literal["uniform", "stay", "zero"]
UNSEEN_ROWS: Final[tuple[UnseenRows, ...]] = ("uniform", "stay", "zero")

LARGEST_PRODUCT = 512
"""Global states up to which a learner on the global process can keep its table of counts."""


def no_counts(rows: tuple[int, int], next_states: int, next_state: NextState = "observed") -> Counts:
    """Return counts of rows of which nothing was seen."""
    restarted = next_state == "restarted"
    return Counts(np.zeros((*rows, next_states)), np.zeros(rows), np.zeros(rows), np.ones(2, np.int64), restarted)


def counts_of_arms(problem: Problem, next_state: NextState = "observed") -> Counts:
    """Return room for counts of arm states: rows (n, S), next states S."""
    return no_counts((problem.arms, problem.width), problem.width, next_state)


def counts_of_the_product(problem: Problem, next_state: NextState = "observed") -> Counts:
    """Return room for counts of the global process, its structure ignored: rows (G, n), next states G.

    Raises
    ------
    TooLargeError
        Beyond `LARGEST_PRODUCT` global states.
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
    """Write visits, empirical mean rewards and empirical rows; a row never played has the given reward and law.

    The law does not matter to a learner with radii, as the radius of such a row is at least 2.

    Parameters
    ----------
    counts
    targets : (n,) or (G,) int64
        How many next states the rows of an arm, or of a global state, have.
    unseen_reward
    unseen_rows
        As for `estimate_row`.
    visits, rewards, rows
        Overwritten, but for entries of `rows` beyond the targets.
    """
    for i in range(counts.sums.shape[0]):
        for x in range(counts.sums.shape[1]):
            seen = estimate_row(counts.moves[i, x], targets[i], x, unseen_rows, rows[i, x])
            visits[i, x] = seen
            rewards[i, x] = counts.sums[i, x] / seen if seen > 0.0 else unseen_reward

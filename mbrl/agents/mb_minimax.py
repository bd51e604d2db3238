"""MB-Minimax: the index policy of optimistic retirement functions, with minimax regret up to logarithms."""

from __future__ import annotations

from math import ceil, log, sqrt
from typing import Annotated, NamedTuple

import numpy as np

from mbrl.agents.interface import Problem
from mbrl.agents.learner import Learner, check_option
from mbrl.agents.statistics import NextState, counts_of_arms, estimate_row
from mbrl.arrays import Floats, Integers
from mbrl.kernels.compiling import kernel
from mbrl.kernels.counting import Counts, count_arm_states
from mbrl.kernels.episodes import learnt_by, planned_by
from mbrl.kernels.optimistic import OptimisticArm, optimistic_indices_of_arm
from mbrl.policies import Ties

C1, C2 = 1.8, 16.0
"""Constants c1 and c2 of the bonus, as in the proof (`theory.minimax.MinimaxSettings`)."""


class Prevailing(NamedTuple):
    """Counts of arm states, the constants, and the last indices."""

    counts: Counts
    constant: float  # 5 S n (G + 1) K, a factor in the logarithm
    scale: float
    cells: int  # the number G of cells of levels
    indices: Floats  # (n, S), -inf beyond arms
    chords: Integers  # (n, S), levels at which the chords for the indices began (`mbrl.kernels.optimistic`)
    last_first: bool


class MBMinimax(Learner):
    r"""Optimism by a bonus that depends on the retirement reward, arm by arm (`theory.minimax`).

    In every cell with N visits, :math:`\hat N = \max\{1, N\}`, two terms are added to the estimates. The mean reward
    gets the radius :math:`\sqrt{l/(2\hat N)}`. The value v of the next state, at each retirement reward, gets the
    Bernstein, monotone (MVP) bonus :math:`\max\{\frac95 \mathrm{sd}(v) \sqrt{l/\hat N}, 16 B l / \hat N\}`. An arm of
    largest index is played.

    The bound (`theory.minimax.minimax_bound`) holds for the defaults, arms of one size and exact arithmetic; floats
    find the fixed point to about 1e-12 B, and may round G up by one. For other scales and fewer cells nothing is
    proved.

    Parameters
    ----------
    problem
        What the learner knows beforehand; rewards must lie in 0..1.
    scale
        The logarithm is :math:`l = \log(5Sn(G+1)Kt_k)`.
    cells
        The proof's G is :math:`\lceil B\max\{60, \sqrt{K/(Sn)}\}\rceil`; it observes the next state and
        allows any ties.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        scale: Annotated[float, "factor of MB-Minimax's logarithm, above 0; below 1 nothing is proved"] = 1.0,
        cells: Annotated[int, "number G of cells of levels; 0 is the proof's number"] = 0,
        next_state: NextState = "observed",
        ties: Annotated[Ties, "which arm is played if indices are equal"] = "first",
    ) -> None:
        check_option("cells", cells, most=1e7, open_below=False)
        B, pairs = 1.0 / (1.0 - problem.discount), problem.arm_states
        G = cells or ceil(B * max(60.0, sqrt(problem.episodes / pairs)))
        memory = Prevailing(
            counts_of_arms(problem, next_state),
            5.0 * pairs * (G + 1) * problem.episodes,
            check_option("scale", scale),
            G,
            np.full(problem.shape, -np.inf),
            np.zeros(problem.shape, np.int64),
            ties == "last",
        )
        super().__init__(problem, memory)


@planned_by(Prevailing)
@kernel
def optimistic_indices(memory: Prevailing, sizes: Integers, discount: float, rng: np.random.Generator) -> None:
    """Write the indices of all arms."""
    counts, S = memory.counts, memory.indices.shape[1]
    kinds = np.zeros(S, np.int64)
    logarithm = memory.scale * log(memory.constant * counts.coming[0])
    for a in range(sizes.size):
        s = sizes[a]
        rows, rewards, spreads, fews = np.empty((s, s)), np.empty(s), np.empty(s), np.empty(s)
        for x in range(s):
            visits, mean = estimate_row(counts, a, x, s, 0.0, 0, rows[x])
            rate = logarithm / max(1.0, visits)
            spreads[x], fews[x] = C1 * sqrt(rate), C2 * rate / (1.0 - discount)
            rewards[x] = mean + sqrt(rate / 2.0)
        rooms = np.empty(s), np.empty(s), np.empty((s, s + 1)), memory.chords[a, :s], kinds[:s], np.empty(s)
        arm = OptimisticArm(rows, rewards, spreads, fews, discount, memory.cells, *rooms)
        optimistic_indices_of_arm(arm, memory.indices[a, :s])


learnt_by(Prevailing)(count_arm_states)

"""MB-Minimax: the index policy of optimistic retirement functions; its regret is minimax up to logarithms."""

from __future__ import annotations

from math import ceil, log, sqrt
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.interface import Problem
from mbrl.agents.learner import Learner, check_option
from mbrl.agents.statistics import NextState, counts_of_arms, estimate_row
from mbrl.kernels.compiling import kernel
from mbrl.kernels.counting import Counts, count_arm_states
from mbrl.kernels.episodes import learnt_by, planned_by
from mbrl.kernels.optimistic import OptimisticArm, optimistic_indices_of_arm
from mbrl.kernels.play import Track
from mbrl.policies import Ties

Floats = NDArray[np.float64]
Clock: TypeAlias = Literal["steps", "visits"]

C1, C2 = 1.8, 16.0
"""Of the bonus, as in the proof (`theory.minimax.MinimaxSettings`)."""


class Prevailing(NamedTuple):
    """Counts of arm states, the constants, and the last indices.

    Attributes
    ----------
    counts : Counts
    constant : float
        5 S n (G + 1) K, of the logarithm.
    scale : float
    cells : int
        G.
    by_visits : bool
        Whether the logarithm is that of a cell's own visits.
    growth : float
        By what part of its visits a cell's visits grow before its arm is computed anew.
    solved : (n, S)
        The visits that the indices were computed from.
    stale : (n,) bool
        Which arms are to be computed anew.
    indices : (n, S)
        -inf beyond arms.
    chords : (n, S)
        Where the chords began of which the indices are (`mbrl.kernels.optimistic`).
    last_first : bool
    """

    counts: Counts
    constant: float
    scale: float
    cells: int
    by_visits: bool
    growth: float
    solved: Floats
    stale: NDArray[np.bool_]
    indices: Floats
    chords: NDArray[np.int64]
    last_first: bool


class MBMinimax(Learner):
    r"""Optimism by a bonus that depends on the retirement reward, arm by arm (`theory.minimax`).

    In every cell with N visits, :math:`\hat N = \max\{1, N\}`, the value v of the next state at a retirement reward has
    the bonus :math:`\max\{\frac95 \mathrm{sd}(v) \sqrt{l/\hat N}, 16 B l / \hat N\}` of Bernstein, monotone (MVP) type,
    and the mean reward the radius :math:`\sqrt{l/(2\hat N)}`. In each episode an arm of largest index is played.

    The bound (`theory.minimax.minimax_bound`) is about the defaults, arms of one size and exact arithmetic; floats find
    the fixed point to about 1e-12 B, and may round G to one more. ``visits`` and ``growth`` have a proof on paper only,
    with other constants; of other scales and fewer cells nothing is proved.

    Parameters
    ----------
    problem
        What is known beforehand; rewards are from 0 to 1.
    scale
        Of the logarithm l; 1 is what is proved, smaller ones are for simulations.
    clock
        ``steps``: :math:`l = \log(5Sn(G+1)Kt_k)`. ``visits``: :math:`\log(5Sn(G+1)K\hat N(\hat N+1))`, which holds at
        all counts at once; the arms that were not played keep their indices, and an episode costs less.
    growth
        With ``visits``: an arm is computed anew once a cell's visits exceed by this part those that it was computed
        from. On paper the bound's first two terms then have the factor :math:`\sqrt{1 + \text{growth}}`, its third the
        square of it.
    cells
        G, of levels of retirement rewards; 0 for the proof's :math:`\lceil B\max\{60, \sqrt{K/(Sn)}\}\rceil`.
    next_state
        See `mbrl.agents.statistics`; the proof observes it.
    ties
        Which arm is played where indices are equal; the proof allows any.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        scale: float = 1.0,
        clock: Clock = "steps",
        growth: float = 0.0,
        cells: int = 0,
        next_state: NextState = "observed",
        ties: Ties = "first",
    ) -> None:
        check_option("cells", cells, most=1e7, open_below=False)
        B, pairs = 1.0 / (1.0 - problem.discount), problem.arm_states
        G = cells or ceil(B * max(60.0, sqrt(problem.episodes / pairs)))
        memory = Prevailing(
            counts_of_arms(problem, next_state),
            5.0 * pairs * (G + 1) * problem.episodes,
            check_option("scale", scale),
            G,
            clock == "visits",
            check_option("growth", growth, open_below=False),
            np.zeros((problem.arms, problem.width)),
            np.ones(problem.arms, np.bool_),
            np.full((problem.arms, problem.width), -np.inf),
            np.zeros((problem.arms, problem.width), np.int64),
            ties == "last",
        )
        super().__init__(problem, memory)


@planned_by(Prevailing)
@kernel
def optimistic_indices(memory: Prevailing, sizes: NDArray[np.int64], discount: float, rng: np.random.Generator) -> None:
    """Write the indices of the arms that were played since, or of all where the logarithm is that of the steps."""
    counts, S = memory.counts, memory.indices.shape[1]
    rows, rewards, spreads, fews = np.empty((S, S)), np.empty(S), np.empty(S), np.empty(S)
    values, caps, system = np.empty(S), np.empty(S), np.empty((S, S + 1))
    kinds, heights = np.zeros(S, np.int64), np.empty(S)
    for a in range(sizes.size):
        if memory.by_visits and not memory.stale[a]:
            continue
        memory.stale[a] = False
        s = sizes[a]
        for x in range(s):
            visits = estimate_row(counts.moves[a, x], s, x, 0, rows[x])
            memory.solved[a, x] = visits
            seen = max(1.0, visits)
            time = seen * (seen + 1.0) if memory.by_visits else 1.0 * counts.coming[0]
            rate = memory.scale * log(memory.constant * time) / seen
            spreads[x], fews[x] = C1 * sqrt(rate), C2 * rate / (1.0 - discount)
            rewards[x] = counts.sums[a, x] / seen + sqrt(rate / 2.0)
        arm = OptimisticArm(
            rows[:s, :s],
            rewards[:s],
            spreads[:s],
            fews[:s],
            discount,
            memory.cells,
            values[:s],
            caps[:s],
            system[:s, : s + 1],
            memory.chords[a, :s],
            kinds[:s],
            heights[:s],
        )
        optimistic_indices_of_arm(arm, memory.indices[a, :s])


@learnt_by(Prevailing)
@kernel
def count_and_mark(
    memory: Prevailing, sizes: NDArray[np.int64], discount: float, start: NDArray[np.int64], length: int, track: Track
) -> None:
    """Count an episode, and mark each arm with enough new visits since its indices were last computed."""
    count_arm_states(memory, sizes, discount, start, length, track)
    for t in range(length):
        a, x = track.arms[t], track.states[t]
        if not memory.stale[a]:
            memory.stale[a] = memory.counts.moves[a, x].sum() >= (1.0 + memory.growth) * memory.solved[a, x]

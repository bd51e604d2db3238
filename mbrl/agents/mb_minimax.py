"""MB-Minimax: the index policy of optimistic retirement functions, with minimax regret up to logarithms."""

from __future__ import annotations

from math import ceil, log, sqrt
from typing import Annotated, Literal, NamedTuple, TypeAlias

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
"""Constants c1 and c2 of the bonus, as in the proof (`theory.minimax.MinimaxSettings`)."""


class Prevailing(NamedTuple):
    """Counts of arm states, the constants, and the last indices.

    Attributes
    ----------
    counts : Counts
    constant : float
        5 S n (G + 1) K, a factor in the logarithm.
    scale : float
    cells : int
        The number G of cells of levels.
    by_visits : bool
        Whether the logarithm depends on a cell's own visits.
    growth : float
        Relative growth of a cell's visits after which its arm's indices are computed again.
    solved : (n, S)
        The visits from which the indices were computed.
    stale : (n,) bool
        Arms whose indices have to be computed again.
    indices : (n, S)
        -inf beyond arms.
    chords : (n, S)
        Levels at which the chords for the indices began (`mbrl.kernels.optimistic`).
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

    In every cell with N visits, :math:`\hat N = \max\{1, N\}`, two terms are added to the estimates. The mean reward
    gets the radius :math:`\sqrt{l/(2\hat N)}`. The value v of the next state, at each retirement reward, gets the
    Bernstein, monotone (MVP) bonus :math:`\max\{\frac95 \mathrm{sd}(v) \sqrt{l/\hat N}, 16 B l / \hat N\}`. An arm of
    largest index is played.

    The bound (`theory.minimax.minimax_bound`) holds for the defaults, arms of one size and exact arithmetic; floats
    find the fixed point to about 1e-12 B, and may round G up by one. With ``visits`` and ``growth`` a bound has a proof
    on paper only, with other constants; for other scales and fewer cells nothing is proved.

    Parameters
    ----------
    problem
        What the learner knows beforehand; rewards must lie in 0..1.
    clock
        ``steps``: :math:`l = \log(5Sn(G+1)Kt_k)`. ``visits``: :math:`\log(5Sn(G+1)K\hat N(\hat N+1))`, which holds at
        all counts at once; arms that were not played then keep their indices, so that an episode costs less.
    growth
        With ``visits``: an arm's indices are computed again once a cell's visits have grown by this share since the
        last time. On paper the bound's first two terms then have the factor :math:`\sqrt{1 + \text{growth}}`, and the
        third the square of it.
    cells
        The proof's G is :math:`\lceil B\max\{60, \sqrt{K/(Sn)}\}\rceil`; it observes the next state and
        allows any ties.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        scale: Annotated[
            float, "factor of the logarithm in MB-Minimax's bonuses, above 0; below 1 nothing is proved"
        ] = 1.0,
        clock: Annotated[Clock, "what that logarithm grows with: t_k, or the cell's own visits"] = "steps",
        growth: Annotated[float, "share of new visits to a cell that renews its arm's indices (clock=visits)"] = 0.0,
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
    """Write the indices of the stale arms, or of all arms if the logarithm depends on the number of steps."""
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
    """Count an episode, and mark an arm as stale if it has enough new visits since its indices were computed."""
    count_arm_states(memory, sizes, discount, start, length, track)
    for t in range(length):
        a, x = track.arms[t], track.states[t]
        if not memory.stale[a]:
            memory.stale[a] = memory.counts.moves[a, x].sum() >= (1.0 + memory.growth) * memory.solved[a, x]

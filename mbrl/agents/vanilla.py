"""PSRL, UCRL2 and UCBVI, which learn the bandit as a Markov decision process with one state per global state.

They ignore that only the played arm moves: for n arms of S states they keep statistics of S^n n pairs of a global state
and an arm, each with S^n possible next states.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from mbrl.agents.interface import Problem
from mbrl.agents.learner import Learner
from mbrl.agents.mb_psrl import MBPSRL
from mbrl.agents.statistics import NextState, check_product, estimate_row, no_counts
from mbrl.arrays import Floats, Integers
from mbrl.confidence import reward_radius, transition_radius, value_bonus
from mbrl.kernels.compiling import kernel
from mbrl.kernels.counting import Counts, count_global_states
from mbrl.kernels.episodes import learnt_by, planned_by
from mbrl.kernels.extended import Extended, dense_process, solve_extended
from mbrl.kernels.sampling import Prior, draw_mean, draw_row

LARGEST_PRODUCT = 512
"""Global states up to which counts can be kept."""

_SAMPLED: Final = 0
_RADII: Final = 1
_BONUS: Final = 2


class Process(NamedTuple):
    """Counts of pairs, the believed process, and its last solution, which is the next warm start."""

    counts: Counts  # rows (n, G), next states G
    kind: int  # whether the process is sampled from the posterior, estimated with radii, or estimated with a bonus
    prior: Prior  # if the process is sampled
    episodes: int  # K
    laws: Floats  # (n, G, G), next-state laws of all pairs
    radii: Floats  # (n, G), their radii
    rewards: Floats  # (n, G), mean rewards of all pairs
    solved: Extended
    values: Floats  # (G,), those of `solved`
    table: Integers  # (G,), that of `solved`


def _empty_process(problem: Problem, kind: int, prior: Prior, next_state: NextState) -> Process:
    count = check_product(problem, LARGEST_PRODUCT)
    solved, (radii, rewards) = dense_process(count, problem.arms, problem.discount), np.zeros((2, problem.arms, count))
    counts = no_counts((problem.arms, count), count, next_state)
    laws = np.empty(counts.moves.shape)
    return Process(counts, kind, prior, problem.episodes, laws, radii, rewards, solved, solved.values, solved.table)


class PSRL(MBPSRL):
    """Posterior sampling (Osband, Russo and Van Roy, 2013) with independent priors of all pairs."""

    @staticmethod
    def _empty_memory(problem: Problem, prior: Prior, next_state: NextState) -> Process:
        return _empty_process(problem, _SAMPLED, prior, next_state)


class UCRL2(Learner):
    """Optimism over rewards and transitions (Auer, Jaksch and Ortner, 2010), with radii for all pairs.

    Parameters
    ----------
    problem
        What the learner knows beforehand.

    Attributes
    ----------
    ties : str
        Always "first": of arms that gain equally, the first is played.
    """

    needs_bounded_rewards = False
    ties: Final = "first"
    _kind = _RADII

    def __init__(self, problem: Problem, *, next_state: NextState = "observed") -> None:
        super().__init__(problem, _empty_process(problem, self._kind, Prior(), next_state))


class UCBVI(UCRL2):
    """Optimism by a bonus on rewards (Azar, Osband and Munos, 2017), in this paper's form, for all pairs."""

    _kind = _BONUS


@planned_by(Process)
@kernel
def plan_process(process: Process, sizes: Integers, discount: float, rng: np.random.Generator) -> None:
    """Sample or estimate the learner's process, and solve it.

    If the process is sampled, the row of every pair is drawn first, then its mean reward.
    """
    counts, prior, episodes, step = process.counts, process.prior, process.episodes, process.counts.coming[0]
    actions, count = counts.sums.shape
    pairs = count * actions
    for g in range(count):
        for a in range(actions):
            law = process.laws[a, g]
            if process.kind == _SAMPLED:
                visits = draw_row(rng, counts.moves[a, g], prior, law)
                process.rewards[a, g] = draw_mean(rng, visits, counts.sums[a, g], counts.squares[a, g], prior)
                continue
            visits, mean = estimate_row(counts, a, g, count, 0.0, 0, law)
            if process.kind == _RADII:
                process.rewards[a, g] = mean + reward_radius(visits, pairs, episodes, step)
                process.radii[a, g] = transition_radius(visits, pairs, count, episodes, step)
            else:
                process.rewards[a, g] = mean + value_bonus(visits, pairs, episodes, step, discount)
    solve_extended(process.laws, process.radii, process.rewards, process.solved)


learnt_by(Process)(count_global_states)

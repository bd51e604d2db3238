"""PSRL, UCRL2 and UCBVI, which learn the bandit as a Markov decision process with one state per global state.

They ignore that only the played arm moves: for n arms of S states they keep statistics of S^n n pairs of a global state
and an arm, each with S^n possible next states.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.interface import Problem
from mbrl.agents.learner import Learner
from mbrl.agents.priors import PosteriorSampling
from mbrl.agents.statistics import NextState, counts_of_the_product, estimate
from mbrl.confidence import reward_radius, transition_radius, value_bonus
from mbrl.kernels.compiling import kernel
from mbrl.kernels.counting import Counts, count_global_states
from mbrl.kernels.decision import solve_decision_process
from mbrl.kernels.episodes import learnt_by, planned_by
from mbrl.kernels.sampling import Prior, draw_mean, draw_row

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_SAMPLED: Final = 0
_RADII: Final = 1
_BONUS: Final = 2


class Process(NamedTuple):
    """Counts of pairs, the believed process, and its last solution, which is the next warm start.

    Attributes
    ----------
    counts : Counts
    kind : int
        Whether the process is sampled from the posterior, estimated with radii, or estimated with a bonus.
    prior : Prior
        Prior, if the process is sampled.
    episodes : int
        K.
    laws : (G, n, G), radii, rewards : (G, n)
        Next-state laws, their radii, and mean rewards of all pairs.
    values : (G,)
    table : (G,) int64
    """

    counts: Counts
    kind: int
    prior: Prior
    episodes: int
    laws: Floats
    radii: Floats
    rewards: Floats
    values: Floats
    table: Integers


def _empty_process(problem: Problem, kind: int, prior: Prior, next_state: NextState) -> Process:
    counts = counts_of_the_product(problem, next_state)
    pairs, count = counts.sums.shape, len(counts.sums)
    rooms = np.empty(counts.moves.shape), np.zeros(pairs), np.empty(pairs), np.zeros(count), np.zeros(count, np.int64)
    return Process(counts, kind, prior, problem.episodes, *rooms)


class PSRL(PosteriorSampling):
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
    count, actions = counts.sums.shape
    pairs = count * actions
    if process.kind == _SAMPLED:
        for g in range(count):
            for a in range(actions):
                visits = draw_row(rng, counts.moves[g, a], prior, process.laws[g, a])
                process.rewards[g, a] = draw_mean(rng, visits, counts.sums[g, a], counts.squares[g, a], prior)
    else:
        seen, targets = np.empty((count, actions)), np.empty(count, np.int64)
        for g in range(count):
            targets[g] = count
        estimate(counts, targets, 0.0, 0, seen, process.rewards, process.laws)
        for g in range(count):
            for a in range(actions):
                if process.kind == _RADII:
                    process.rewards[g, a] += reward_radius(seen[g, a], pairs, episodes, step)
                    process.radii[g, a] = transition_radius(seen[g, a], pairs, count, episodes, step)
                else:
                    process.rewards[g, a] += value_bonus(seen[g, a], pairs, episodes, step, discount)
    solve_decision_process(process.laws, process.radii, process.rewards, discount, process.values, process.table)


learnt_by(Process)(count_global_states)

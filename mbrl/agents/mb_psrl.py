"""MB-PSRL: play the Gittins policy of a bandit sampled from the posterior, arm by arm (`sssec:impl_gittinsPS`)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.interface import Problem
from mbrl.agents.priors import PosteriorSampling
from mbrl.agents.statistics import NextState, counts_of_arms
from mbrl.kernels.compiling import kernel
from mbrl.kernels.counting import Counts, count_arm_states
from mbrl.kernels.episodes import learnt_by, planned_by
from mbrl.kernels.gittins import eliminate_by_ratio
from mbrl.kernels.sampling import Prior, draw_mean, draw_row

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Posterior(NamedTuple):
    """Counts of arm states, their prior, and the (n, S) indices of the last sampled bandit; -inf beyond arms."""

    counts: Counts
    prior: Prior
    indices: Floats
    last_first: bool = False


class MBPSRL(PosteriorSampling):
    """Posterior sampling with an independent prior for each arm state."""

    @staticmethod
    def _empty_memory(problem: Problem, prior: Prior, next_state: NextState) -> Posterior:
        return Posterior(counts_of_arms(problem, next_state), prior, np.full((problem.arms, problem.width), -np.inf))


@planned_by(Posterior)
@kernel
def sample_indices(posterior: Posterior, sizes: Integers, discount: float, rng: np.random.Generator) -> None:
    """Draw a bandit from the posterior, one arm after another, and write its indices.

    For every arm state the row is drawn first, then the mean reward.
    """
    counts, prior, indices = posterior.counts, posterior.prior, posterior.indices
    width = indices.shape[1]
    work, means, states = np.empty((width + 4, width)), np.empty(width), np.empty(width, np.int64)
    for a in range(sizes.size):
        size = sizes[a]
        for x in range(size):
            visits = draw_row(rng, counts.moves[a, x, :size], prior, work[x, :size])
            means[x] = draw_mean(rng, visits, counts.sums[a, x], counts.squares[a, x], prior)
        eliminate_by_ratio(work, means[:size], discount, states, indices[a, :size])


learnt_by(Posterior)(count_arm_states)

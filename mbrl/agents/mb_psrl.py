"""MB-PSRL: play the Gittins policy of a bandit sampled from the posterior, arm by arm (`sssec:impl_gittinsPS`)."""

from __future__ import annotations

from inspect import signature
from typing import Annotated, Any, Literal, NamedTuple, TypeAlias

import numpy as np

from mbrl.agents.interface import Problem
from mbrl.agents.learner import Learner, check_option
from mbrl.agents.statistics import NextState, counts_of_arms
from mbrl.arrays import Floats, Integers
from mbrl.kernels.compiling import kernel
from mbrl.kernels.counting import Counts, count_arm_states
from mbrl.kernels.episodes import learnt_by, planned_by
from mbrl.kernels.gittins import eliminate_by_ratio
from mbrl.kernels.sampling import Prior, draw_mean, draw_row
from theory import BanditError

Rewards: TypeAlias = Literal["beta", "gaussian"]
Second: TypeAlias = Literal["rate", "scale"]
_OF_PRECISION = "of the Gamma law of the precision, 1/variance of a reward in the learner's unit (gaussian)"


class Posterior(NamedTuple):
    """Counts of arm states, their prior, and the (n, S) indices of the last sampled bandit; -inf beyond arms."""

    counts: Counts
    prior: Prior
    indices: Floats
    last_first: bool = False


class MBPSRL(Learner):
    """Posterior sampling with independent priors of the rows and the mean rewards of all arm states (`apx:Bayes`).

    Parameters
    ----------
    problem
        What the learner knows beforehand. The options are those of `mbrl.kernels.sampling.Prior`; with the Beta prior,
        a reward between 0 and 1 counts as a fraction of a success.

    Raises
    ------
    BanditError
        For a number outside its range, one of the other prior of rewards, or rewards outside 0..1 with the Beta prior.

    Examples
    --------
    >>> MBPSRL(Problem(np.array([2]), 0.9, 1), dirichlet=0.0)
    Traceback (most recent call last):
    theory.errors.BanditError: dirichlet is 0; give a number above 0, up to 1e+300
    """

    def __init__(
        self,
        problem: Problem,
        *,
        rewards: Annotated[Rewards, "prior of mean rewards: Beta of rewards 0 or 1, or Gaussian-Gamma"] = "beta",
        dirichlet: Annotated[float, "prior count of moves to each next state, above 0"] = 1.0,
        successes: Annotated[float, "prior count of rewards 1, above 0 (beta)"] = 1.0,
        failures: Annotated[float, "prior count of rewards 0, above 0 (beta)"] = 1.0,
        mean: Annotated[float, "prior mean of a mean reward, in the learner's unit (gaussian)"] = 0.0,
        weight: Annotated[float, "number of rewards that the prior mean counts for, above 0 (gaussian)"] = 1.0,
        shape: Annotated[float, f"shape, above 0, {_OF_PRECISION}"] = 0.5,
        rate: Annotated[float, f"rate, above 0, {_OF_PRECISION}"] = 0.5,
        next_state: NextState = "observed",
        gamma: Annotated[Second, "meaning of the second parameter of that Gamma law (gaussian)"] = "rate",
    ) -> None:
        positive = {"dirichlet": dirichlet, "successes": successes, "failures": failures}
        positive |= {"weight": weight, "shape": shape, "rate": rate}
        prior = Prior(
            rewards == "gaussian",
            mean=check_option("mean", mean, least=-1e300),
            by_scale=gamma == "scale",
            **{name: check_option(name, value) for name, value in positive.items()},
        )
        ignored = {"mean": mean, "weight": weight, "shape": shape, "rate": rate, "gamma": gamma}
        if rewards == "gaussian":
            ignored = {"successes": successes, "failures": failures}
        usual = signature(MBPSRL).parameters
        for name, value in ignored.items():
            if value != usual[name].default:  # it would do nothing
                other = "beta" if rewards == "gaussian" else "gaussian"
                raise BanditError(f"{name}: belongs to the prior rewards={other}, and rewards={rewards} is given")
        self.needs_bounded_rewards = rewards == "beta"
        super().__init__(problem, self._empty_memory(problem, prior, next_state))

    @staticmethod
    def _empty_memory(problem: Problem, prior: Prior, next_state: NextState) -> Any:
        return Posterior(counts_of_arms(problem, next_state), prior, np.full(problem.shape, -np.inf))


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

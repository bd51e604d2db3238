"""The priors of the learners that sample, as options; their draws are in `mbrl.kernels.sampling` (`apx:Bayes`)."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from mbrl.agents.interface import Problem
from mbrl.agents.learner import Learner
from mbrl.agents.statistics import NextState
from mbrl.kernels.sampling import Prior
from theory import BanditError

Rewards: TypeAlias = Literal["beta", "gaussian"]
Second: TypeAlias = Literal["rate", "scale"]


class PosteriorSampling(Learner):
    """A learner that samples its posterior; how, its memory says.

    Parameters
    ----------
    problem
        What is known beforehand.
    rewards, dirichlet, successes, failures, mean, weight, shape, rate, gamma
        The prior; see `checked_prior`.
    next_state
        See `mbrl.agents.statistics`.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        rewards: Rewards = "beta",
        dirichlet: float = 1.0,
        successes: float = 1.0,
        failures: float = 1.0,
        mean: float = 0.0,
        weight: float = 1.0,
        shape: float = 0.5,
        rate: float = 0.5,
        gamma: Second = "rate",
        next_state: NextState = "observed",
    ) -> None:
        prior = checked_prior(problem, rewards, dirichlet, successes, failures, mean, weight, shape, rate, gamma)
        super().__init__(problem, self._empty_memory(problem, prior, next_state))

    @staticmethod
    def _empty_memory(problem: Problem, prior: Prior, next_state: NextState) -> Any:
        raise NotImplementedError


def checked_prior(
    problem: Problem,
    rewards: Rewards,
    dirichlet: float,
    successes: float,
    failures: float,
    mean: float,
    weight: float,
    shape: float,
    rate: float,
    gamma: Second = "rate",
) -> Prior:
    """Return independent priors of all rows and of all mean rewards.

    Parameters
    ----------
    problem
        What the learner knows beforehand.
    rewards : "beta" or "gaussian"
        Whether rewards are believed to be 0 or 1 (Beta prior of the mean), or Gaussian (Gaussian-Gamma prior of the
        mean and the precision). Rewards between 0 and 1 count as fractions of a success for the Beta prior.
    dirichlet, successes, failures, mean, weight, shape, rate
        See `mbrl.kernels.sampling.Prior`.
    gamma : "rate" or "scale"
        What the second parameter of the Gamma law of the precision is taken for; the paper does not say.

    Raises
    ------
    BanditError
        If one that must be positive is not, or for the Beta prior where rewards are not between 0 and 1.

    Examples
    --------
    >>> import numpy as np
    >>> checked_prior(Problem(np.array([2]), 0.9, 1), "beta", 0.0, 1, 1, 0, 1, 0.5, 0.5)
    Traceback (most recent call last):
    theory.errors.BanditError: prior: dirichlet is 0; give a positive number
    """
    positive = {
        "dirichlet": dirichlet,
        "successes": successes,
        "failures": failures,
        "weight": weight,
        "shape": shape,
        "rate": rate,
    }
    for name, value in positive.items():
        if not 0 < value < float("inf"):
            raise BanditError(f"prior: {name} is {value:g}; give a positive number")
    if not abs(mean) < float("inf"):
        raise BanditError(f"prior: mean is {mean:g}; give a number")
    if rewards == "beta" and not problem.bounded:
        raise BanditError(
            "the Beta prior is for rewards from 0 to 1, and those of this bandit have Gaussian noise; "
            "use the option rewards=gaussian"
        )
    return Prior(
        gaussian=rewards == "gaussian",
        dirichlet=float(dirichlet),
        successes=float(successes),
        failures=float(failures),
        mean=float(mean),
        weight=float(weight),
        shape=float(shape),
        rate=float(rate),
        by_scale=gamma == "scale",
    )

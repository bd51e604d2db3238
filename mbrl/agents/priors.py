"""The priors of the learners that sample, as options; their draws are in `mbrl.kernels.sampling` (`apx:Bayes`)."""

from __future__ import annotations

from math import inf
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

    The priors of all rows and of all mean rewards are independent.

    Parameters
    ----------
    problem
        What is known beforehand.
    rewards : "beta" or "gaussian"
        Whether rewards are believed to be 0 or 1 (Beta prior of the mean), or Gaussian (Gaussian-Gamma prior of the
        mean and the precision). Rewards between 0 and 1 count as fractions of a success for the Beta prior.
    dirichlet, successes, failures, mean, weight, shape, rate
        See `mbrl.kernels.sampling.Prior`.
    gamma : "rate" or "scale"
        What the second parameter of the Gamma law of the precision is taken for; the paper does not say.
    next_state
        See `mbrl.agents.statistics`.

    Raises
    ------
    BanditError
        If one that must be positive is not, or for the Beta prior where rewards are not between 0 and 1.

    Examples
    --------
    >>> import numpy as np
    >>> PosteriorSampling(Problem(np.array([2]), 0.9, 1), dirichlet=0.0)
    Traceback (most recent call last):
    theory.errors.BanditError: prior: dirichlet is 0; give a positive number
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
        numbers = {"dirichlet": dirichlet, "successes": successes, "failures": failures}
        numbers |= {"weight": weight, "shape": shape, "rate": rate}
        for name, value in numbers.items():
            if not 0 < value < inf:
                raise BanditError(f"prior: {name} is {value:g}; give a positive number")
        if not abs(mean) < inf:
            raise BanditError(f"prior: mean is {mean:g}; give a number")
        if rewards == "beta" and not problem.bounded:
            raise BanditError(
                "the Beta prior is for rewards from 0 to 1, and those of this bandit have Gaussian noise; "
                "use the option rewards=gaussian"
            )
        floats = {name: float(value) for name, value in numbers.items()}
        prior = Prior(rewards == "gaussian", mean=float(mean), by_scale=gamma == "scale", **floats)
        super().__init__(problem, self._empty_memory(problem, prior, next_state))

    @staticmethod
    def _empty_memory(problem: Problem, prior: Prior, next_state: NextState) -> Any:
        raise NotImplementedError

"""The base class of learners that sample from a posterior, with their priors as options (`apx:Bayes`)."""

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
    """A learner that samples from its posterior; the type of its memory decides how (`mbrl.kernels.sampling`).

    The priors of all rows and of all mean rewards are independent.

    Parameters
    ----------
    problem
        What the learner knows beforehand.
    rewards : "beta" or "gaussian"
        The prior of rewards: Beta for the mean of rewards 0 or 1, or Gaussian-Gamma for mean and precision of Gaussian
        rewards. With the Beta prior, a reward between 0 and 1 counts as a fraction of a success.
    dirichlet, successes, failures, mean, weight, shape, rate
        See `mbrl.kernels.sampling.Prior`.
    gamma : "rate" or "scale"
        Meaning of the second parameter of the precision's Gamma law, which the paper leaves open.
    next_state
        See `mbrl.agents.statistics`.

    Raises
    ------
    BanditError
        If a parameter is not positive, or rewards may lie outside 0..1 with the Beta prior.

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
        self.needs_bounded_rewards = rewards == "beta"
        floats = {name: float(value) for name, value in numbers.items()}
        prior = Prior(rewards == "gaussian", mean=float(mean), by_scale=gamma == "scale", **floats)
        super().__init__(problem, self._empty_memory(problem, prior, next_state))

    @staticmethod
    def _empty_memory(problem: Problem, prior: Prior, next_state: NextState) -> Any:
        raise NotImplementedError

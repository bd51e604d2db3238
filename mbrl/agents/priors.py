"""The base class of learners that sample from a posterior, with their priors as options (`apx:Bayes`)."""

from __future__ import annotations

from math import inf
from typing import Annotated, Any, Literal, TypeAlias

from mbrl.agents.interface import Problem
from mbrl.agents.learner import Learner
from mbrl.agents.statistics import NextState
from mbrl.kernels.sampling import Prior
from theory import BanditError

Rewards: TypeAlias = Literal["beta", "gaussian"]
Second: TypeAlias = Literal["rate", "scale"]
_OF_PRECISION = "of the Gamma law of the precision, 1/variance of a reward in the learner's unit (gaussian)"


class PosteriorSampling(Learner):
    """A learner that samples from its posterior; the type of its memory decides how (`mbrl.kernels.sampling`).

    The priors of all rows and of all mean rewards are independent.

    Parameters
    ----------
    problem
        What the learner knows beforehand. The options are those of `mbrl.kernels.sampling.Prior`; with the Beta prior,
        a reward between 0 and 1 counts as a fraction of a success.

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

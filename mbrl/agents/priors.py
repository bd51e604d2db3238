"""The priors of the learners that sample, and draws from their posteriors (`apx:Bayes`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.interface import Problem
from mbrl.agents.statistics import Statistics
from mbrl.kernels.sampling import BetaPrior, GaussianGammaPrior, beta_means, dirichlet_rows, gaussian_gamma_means
from theory import BanditError

Floats = NDArray[np.float64]
Rewards: TypeAlias = Literal["beta", "gaussian"]


@dataclass(frozen=True)
class Priors:
    """Independent priors of all rows and of all mean rewards.

    Attributes
    ----------
    rewards : "beta" or "gaussian"
        Whether rewards are believed to be 0 or 1 (Beta prior of the mean), or Gaussian (Gaussian-Gamma prior of the
        mean and the precision). Rewards between 0 and 1 count as fractions of a success for the Beta prior.
    dirichlet : float
        The parameter of every next state; 1 is the uniform prior of rows.
    successes, failures : float
        Parameters of the Beta prior.
    mean, weight, shape, rate : float
        Parameters of the Gaussian-Gamma prior; see `mbrl.kernels.sampling.GaussianGammaPrior`.

    Raises
    ------
    BanditError
        If one that must be positive is not.
    """

    rewards: Rewards
    dirichlet: float
    successes: float
    failures: float
    mean: float
    weight: float
    shape: float
    rate: float

    def __post_init__(self) -> None:
        for name in ("dirichlet", "successes", "failures", "weight", "shape", "rate"):
            value = getattr(self, name)
            if not 0 < value < float("inf"):
                raise BanditError(f"prior: {name} is {value:g}; give a positive number")
        if not abs(self.mean) < float("inf"):
            raise BanditError(f"prior: mean is {self.mean:g}; give a number")

    def check(self, problem: Problem) -> None:
        """Refuse the Beta prior where rewards are not between 0 and 1."""
        if self.rewards == "beta" and not problem.bounded:
            raise BanditError(
                "the Beta prior is for rewards from 0 to 1, and those of this bandit have Gaussian noise; "
                "use the option rewards=gaussian"
            )

    def draw(self, rng: np.random.Generator, seen: Statistics, support: Floats | None = None) -> tuple[Floats, Floats]:
        """Return rows and mean rewards drawn from the posterior, given what was seen."""
        rows = dirichlet_rows(rng, seen.moves, support, self.dirichlet)
        if self.rewards == "gaussian":
            prior = GaussianGammaPrior(self.mean, self.weight, self.shape, self.rate)
            return rows, gaussian_gamma_means(rng, seen.visits, seen.sums, seen.squares, prior)
        return rows, beta_means(rng, seen.visits, seen.sums, BetaPrior(self.successes, self.failures))

"""Finite priors over exact bandits: posteriors, and expectations over every history of posterior sampling."""

from theory.bayes.finite_prior import FinitePrior, History, Step, activations, empirical_reward, likelihood
from theory.bayes.posterior_sampling import (
    Scenario,
    StartLaw,
    expectation_along_counts,
    expectation_over,
    probability_of,
    scenarios,
)

__all__ = [
    "FinitePrior",
    "History",
    "Scenario",
    "StartLaw",
    "Step",
    "activations",
    "empirical_reward",
    "expectation_along_counts",
    "expectation_over",
    "likelihood",
    "probability_of",
    "scenarios",
]

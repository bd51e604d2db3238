"""Certified real numbers: balls with three-valued comparison, lengths of episodes, exact tails."""

from theory.certified.balls import Expression, Truth, at_most, enclosure, less, precisions
from theory.certified.horizons import (
    exponential_power,
    horizon_moment,
    horizon_power,
    horizon_tail,
)
from theory.certified.tails import (
    Counts,
    binomial_deviation,
    binomial_law,
    compositions,
    geometric_probability,
    multinomial_deviation,
    transition_count_law,
)

__all__ = [
    "Counts",
    "Expression",
    "Truth",
    "at_most",
    "binomial_deviation",
    "binomial_law",
    "compositions",
    "enclosure",
    "exponential_power",
    "geometric_probability",
    "horizon_moment",
    "horizon_power",
    "horizon_tail",
    "less",
    "multinomial_deviation",
    "precisions",
    "transition_count_law",
]

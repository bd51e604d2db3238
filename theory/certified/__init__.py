"""Certified real numbers: balls with three-valued comparison, suprema over boxes, lengths of episodes, exact tails."""

from theory.certified.balls import Expression, Truth, at_most, ball, enclosure, less, precisions
from theory.certified.horizons import (
    exponential_power,
    horizon_moment,
    horizon_power,
    horizon_power_by_sum,
    horizon_tail,
    least_at_power,
    max_moment_bound,
)
from theory.certified.suprema import Box, BoxFunction, Point, Supremum, maximise
from theory.certified.tails import (
    CountLaw,
    Counts,
    binomial_deviation,
    binomial_law,
    compositions,
    episodic_exit,
    geometric_probability,
    l1_from_counts,
    maximal_deviation,
    multinomial_deviation,
    transition_count_law,
)

__all__ = [
    "Box",
    "BoxFunction",
    "CountLaw",
    "Counts",
    "Expression",
    "Point",
    "Supremum",
    "Truth",
    "at_most",
    "ball",
    "binomial_deviation",
    "binomial_law",
    "compositions",
    "enclosure",
    "episodic_exit",
    "exponential_power",
    "geometric_probability",
    "horizon_moment",
    "horizon_power",
    "horizon_power_by_sum",
    "horizon_tail",
    "l1_from_counts",
    "least_at_power",
    "less",
    "max_moment_bound",
    "maximal_deviation",
    "maximise",
    "multinomial_deviation",
    "precisions",
    "transition_count_law",
]

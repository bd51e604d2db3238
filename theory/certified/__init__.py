"""Certified real numbers: balls with three-valued comparison, logarithms, bonuses and the lengths of episodes."""

from theory.certified.balls import Expression, Truth, at_most, ball, enclosure, less, precisions
from theory.certified.bonuses import (
    horizon_bound,
    last_log_factor,
    log_factor,
    reward_radius,
    tau,
    transition_radius,
    ucbvi_bonus,
)
from theory.certified.horizons import (
    exponential_power,
    horizon_moment,
    horizon_power,
    horizon_power_by_sum,
    horizon_tail,
    least_at_power,
    max_moment_bound,
)

__all__ = [
    "Expression",
    "Truth",
    "at_most",
    "ball",
    "enclosure",
    "exponential_power",
    "horizon_bound",
    "horizon_moment",
    "horizon_power",
    "horizon_power_by_sum",
    "horizon_tail",
    "last_log_factor",
    "least_at_power",
    "less",
    "log_factor",
    "max_moment_bound",
    "precisions",
    "reward_radius",
    "tau",
    "transition_radius",
    "ucbvi_bonus",
]

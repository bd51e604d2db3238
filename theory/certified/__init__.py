"""Certified real numbers: balls with three-valued comparison, and the paper's logarithms and bonuses."""

from theory.certified.balls import Expression, Truth, at_most, ball, enclosure, less
from theory.certified.bonuses import (
    horizon_bound,
    last_log_factor,
    log_factor,
    reward_radius,
    tau,
    transition_radius,
    ucbvi_bonus,
)

__all__ = [
    "Expression",
    "Truth",
    "at_most",
    "ball",
    "enclosure",
    "horizon_bound",
    "last_log_factor",
    "less",
    "log_factor",
    "reward_radius",
    "tau",
    "transition_radius",
    "ucbvi_bonus",
]

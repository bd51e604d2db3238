"""A learner with minimax regret up to logarithms: its tables, the inequalities of its analysis, and its bound."""

from theory.minimax.bound import minimax_bound
from theory.minimax.learner import (
    MinimaxSettings,
    SeenArm,
    convex_minorant,
    equal_levels,
    optimistic_sweep,
    optimistic_table,
    variance,
)
from theory.minimax.steps import (
    OneStep,
    concentration,
    one_steps,
    variance_steps,
)
from theory.minimax.tables import RetirementTable, Tables, exact_tables, index_rule, mean_of_largest, others_law

__all__ = [
    "MinimaxSettings",
    "OneStep",
    "RetirementTable",
    "SeenArm",
    "Tables",
    "concentration",
    "convex_minorant",
    "equal_levels",
    "exact_tables",
    "index_rule",
    "mean_of_largest",
    "minimax_bound",
    "one_steps",
    "optimistic_sweep",
    "optimistic_table",
    "others_law",
    "variance",
    "variance_steps",
]

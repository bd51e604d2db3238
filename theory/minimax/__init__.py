"""A learner with minimax regret up to logarithms: its tables, the inequalities of its analysis, and its bound."""

from theory.minimax.bound import level_cells, minimax_bound, minimax_logarithm
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
    VarianceStep,
    concentration,
    one_steps,
    potential,
    variance_steps,
)
from theory.minimax.tables import RetirementTable, Tables, exact_tables, index_rule, mean_of_largest, others_law

__all__ = [
    "MinimaxSettings",
    "OneStep",
    "RetirementTable",
    "SeenArm",
    "Tables",
    "VarianceStep",
    "concentration",
    "convex_minorant",
    "equal_levels",
    "exact_tables",
    "index_rule",
    "level_cells",
    "mean_of_largest",
    "minimax_bound",
    "minimax_logarithm",
    "one_steps",
    "optimistic_sweep",
    "optimistic_table",
    "others_law",
    "potential",
    "variance",
    "variance_steps",
]

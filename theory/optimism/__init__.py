"""Optimism over transitions, exactly: extended value iteration, and the confidence set it over-estimates."""

from theory.optimism.confidence_set import Supremum, membership_refutation, supremum_over_vertices, vertex_bandits
from theory.optimism.extended import OptimisticValue, optimistic_value
from theory.optimism.l1_ball import best_row, distance, largest_expectation, vertices
from theory.optimism.shared_supremum import SharedSupremum, shared_supremum
from theory.optimism.sharing import Sharing

__all__ = [
    "OptimisticValue",
    "SharedSupremum",
    "Sharing",
    "Supremum",
    "best_row",
    "distance",
    "largest_expectation",
    "membership_refutation",
    "optimistic_value",
    "shared_supremum",
    "supremum_over_vertices",
    "vertex_bandits",
    "vertices",
]

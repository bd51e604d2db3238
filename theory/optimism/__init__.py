"""Exact optimism over transitions: extended value iteration, and the confidence set whose supremum it bounds."""

from theory.optimism.confidence_set import (
    BestVertex,
    best_vertex,
    membership_refutation,
    upper_reward,
    vertex_bandits,
)
from theory.optimism.extended import (
    OptimisticValue,
    Sharing,
    extended_process,
    optimistic_value,
    with_rewards_at_most,
    with_rewards_cut_off,
)
from theory.optimism.l1_ball import best_row, distance, largest_expectation, vertices
from theory.optimism.shared_supremum import SharedSupremum, shared_supremum

__all__ = [
    "BestVertex",
    "OptimisticValue",
    "SharedSupremum",
    "Sharing",
    "best_row",
    "best_vertex",
    "distance",
    "extended_process",
    "largest_expectation",
    "membership_refutation",
    "optimistic_value",
    "shared_supremum",
    "upper_reward",
    "vertex_bandits",
    "vertices",
    "with_rewards_at_most",
    "with_rewards_cut_off",
]

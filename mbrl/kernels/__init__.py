"""Compiled numerical routines, each checked against the exact core of `theory`."""

from mbrl.kernels.conservation import priority_value, priority_visits
from mbrl.kernels.extended import optimistic_values
from mbrl.kernels.gittins import bandit_indices, gittins_indices
from mbrl.kernels.product import priority_table, table_value

__all__ = [
    "bandit_indices",
    "gittins_indices",
    "optimistic_values",
    "priority_table",
    "priority_value",
    "priority_visits",
    "table_value",
]

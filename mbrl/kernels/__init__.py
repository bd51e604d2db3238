"""Compiled numerical routines, each with the bound of its error, and each held to the exact core of `theory`.

The functions here check their arguments. Those of the modules that are marked as kernels do not: they are called by
what has checked before.
"""

from mbrl.kernels.conservation import priority_value, priority_value_and_error
from mbrl.kernels.extended import OptimisticValues, optimistic_values
from mbrl.kernels.gittins import bandit_indices, gittins_indices
from mbrl.kernels.ordering import IndexOrder, index_order
from mbrl.kernels.product import priority_table, table_value

__all__ = [
    "IndexOrder",
    "OptimisticValues",
    "bandit_indices",
    "gittins_indices",
    "index_order",
    "optimistic_values",
    "priority_table",
    "priority_value",
    "priority_value_and_error",
    "table_value",
]

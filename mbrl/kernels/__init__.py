"""Compiled numerical routines, each with a bound on its error and tested against the exact core of `theory`.

The functions of this package check their arguments. Functions marked as kernels in its modules do not; their callers
have checked before.
"""

from mbrl.kernels.conservation import priority_value, priority_value_and_error
from mbrl.kernels.exact import exact_bandit
from mbrl.kernels.extended import OptimisticValues, optimistic_values
from mbrl.kernels.gittins import bandit_indices, gittins_indices
from mbrl.kernels.ordering import IndexOrder, index_order
from mbrl.kernels.product import priority_table, table_value

__all__ = [
    "IndexOrder",
    "OptimisticValues",
    "bandit_indices",
    "exact_bandit",
    "gittins_indices",
    "index_order",
    "optimistic_values",
    "priority_table",
    "priority_value",
    "priority_value_and_error",
    "table_value",
]

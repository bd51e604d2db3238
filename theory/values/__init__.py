"""Exact values of policies, by conservation laws, linear systems, finite horizons, and retirement."""

from theory.values.conservation import PriorityValue, gittins_value, priority_value
from theory.values.horizon import finite_horizon_value, geometric_mixture
from theory.values.product import (
    LARGEST_PRODUCT,
    Activation,
    Policy,
    PolicyTable,
    Values,
    global_states,
    moved,
    optimal_value,
    policy_table,
    policy_value,
    priority_policy,
    product_process,
    values_after,
)
from theory.values.whittle import (
    RetirementFunction,
    RetirementMixture,
    extreme_functions,
    retirement_function,
    retirement_functions,
    retirement_mixture,
    value_by_retirement,
)

__all__ = [
    "LARGEST_PRODUCT",
    "Activation",
    "Policy",
    "PolicyTable",
    "PriorityValue",
    "RetirementFunction",
    "RetirementMixture",
    "Values",
    "extreme_functions",
    "finite_horizon_value",
    "geometric_mixture",
    "gittins_value",
    "global_states",
    "moved",
    "optimal_value",
    "policy_table",
    "policy_value",
    "priority_policy",
    "priority_value",
    "product_process",
    "retirement_function",
    "retirement_functions",
    "retirement_mixture",
    "value_by_retirement",
    "values_after",
]

"""Random exact instances: rows, arms, bandits, members of confidence sets, counts, policies.

Everything is built from random integers, so it is exact, and the same on every machine. Checks that sample take the
integers from a NumPy generator, property searches from Hypothesis (`proofs_checks.trials.strategies`); any object with
a method `integers(low, high)` will do.
"""

from theory.random_models.bandits import (
    DISCOUNTS,
    RADII,
    RandomArm,
    random_arm,
    random_bandit,
    random_discount,
    random_member,
    random_policy,
    with_random_radii,
)
from theory.random_models.counts import Counts, random_counts
from theory.random_models.rows import (
    Integers,
    Row,
    drawn,
    picked,
    random_full_row,
    random_rewards,
    random_row,
    random_shared_row,
    random_sub_row,
)

__all__ = [
    "DISCOUNTS",
    "RADII",
    "Counts",
    "Integers",
    "RandomArm",
    "Row",
    "drawn",
    "picked",
    "random_arm",
    "random_bandit",
    "random_counts",
    "random_discount",
    "random_full_row",
    "random_member",
    "random_policy",
    "random_rewards",
    "random_row",
    "random_shared_row",
    "random_sub_row",
    "with_random_radii",
]

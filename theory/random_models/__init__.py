"""Random exact instances: rows, arms, bandits, members of confidence sets, counts, policies.

Everything is built from random integers, so it is exact, and the same on every machine. The integers come from a NumPy
generator in checks that sample, from Hypothesis where a property is searched and shrunk
(`proofs_checks.trials.strategies`), or from anything else with a method `integers(low, high)`.
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

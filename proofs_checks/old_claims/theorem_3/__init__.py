"""Theorem 3: optimism over transitions, indices, and shared rows."""

from proofs_checks.claims.theorem_3 import (  # noqa: F401  # isort: skip  (entered in the order of the paper)
    counterexample,
    indices,
    orders,
    regions,
    shared_rows,
)

"""Empirical estimates and confidence bonuses."""

from proofs_checks.claims.estimates import (  # noqa: F401  # isort: skip  (entered in the order of the paper)
    estimators,
    bonuses,
)

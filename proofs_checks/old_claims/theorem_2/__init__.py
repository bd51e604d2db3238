"""Theorem 2, the lower bound."""

from proofs_checks.claims.theorem_2 import (  # noqa: F401  # isort: skip  (entered in the order of the paper)
    statement,
    stochastic,
    visits,
    bayes,
)

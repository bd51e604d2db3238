"""Theorem 1: its domain, its constants, its remarks."""

from proofs_checks.claims.theorem_1 import (  # noqa: F401  # isort: skip  (entered in the order of the paper)
    statement,
    reduction,
    constants,
    informative,
    no_regret,
    remarks,
)

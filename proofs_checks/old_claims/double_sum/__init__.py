"""Lemma `sum`."""

from proofs_checks.claims.double_sum import (  # noqa: F401  # isort: skip  (entered in the order of the paper)
    steps,
    bound,
)

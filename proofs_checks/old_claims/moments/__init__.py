"""Lemma `moment`."""

from proofs_checks.claims.moments import (  # noqa: F401  # isort: skip  (entered in the order of the paper)
    region,
    steps,
    blocks,
    repair,
)

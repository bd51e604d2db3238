"""All claims, in the order of the paper: importing this package enters them into the ledger."""

from proofs_checks.claims import (
    tables,
    theorem_3,
)

__all__ = ["tables", "theorem_3"]

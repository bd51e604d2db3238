"""``python -m proofs_checks``: the command line of the ledger."""

from proofs_checks.commands.app import ledger

__all__ = ["ledger"]

"""``python -m proofs_checks``: the command line of the ledger."""

from __future__ import annotations

from proofs_checks.commands.app import main

__all__ = ["main"]

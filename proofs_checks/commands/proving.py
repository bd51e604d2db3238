"""The command that compiles the Rocq sources."""

from proofs_checks.kernel.command import kernel

__all__ = ["kernel"]

"""The command that puts random models through every pair of independent routes."""

from proofs_checks.soak.command import soak_command as soak

__all__ = ["soak"]

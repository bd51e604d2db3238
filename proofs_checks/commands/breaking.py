"""The command that changes a formula and looks what breaks."""

from proofs_checks.properties.command import properties

__all__ = ["properties"]

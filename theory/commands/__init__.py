"""The command line ``python -m theory``."""

from theory.commands.app import main

__all__ = ["main"]

"""The command line of the experiments."""

from mbrl.commands.app import main

__all__ = ["main"]

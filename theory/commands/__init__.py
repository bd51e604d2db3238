"""The command line ``python -m theory``."""

from theory.terminal.console import run_command_line


def main() -> None:
    """Run the command line and leave with its exit code."""
    run_command_line("theory.commands.app:theory", "python -m theory")

"""The command line of the experiments, ``python -m mbrl``."""

from theory.console import run_command_line


def main() -> None:
    """Run the command line and leave with its exit code."""
    run_command_line("mbrl.commands.app:mbrl", "python -m mbrl")

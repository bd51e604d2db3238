"""The command line of the experiments, ``python -m mbrl``."""

from theory.terminal.console import EXTRAS, run_command_line


def main() -> None:
    """Run the command line and leave with its exit code."""
    whole = EXTRAS | {"matplotlib": "learn"}  # its figures are of runs, which need the rest of that extra too
    run_command_line("mbrl.commands.app:mbrl", "python -m mbrl", whole)

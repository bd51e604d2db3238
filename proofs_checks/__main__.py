"""``python -m proofs_checks``."""

from theory.console import run_command_line


def main() -> None:
    """Run the command line and leave with its exit code."""
    run_command_line("proofs_checks.commands:ledger", "python -m proofs_checks")


if __name__ == "__main__":
    main()

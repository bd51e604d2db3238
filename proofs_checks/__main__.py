"""``python -m proofs_checks``."""

import signal

from mbrl.__main__ import leave


def main() -> None:
    """Run the command line and leave with its exit code; Ctrl-C also ends it while it still imports `theory`."""
    before = signal.signal(signal.SIGINT, leave)
    from theory.terminal.console import run_command_line  # noqa: PLC0415

    signal.signal(signal.SIGINT, before)
    run_command_line("proofs_checks.commands.app:ledger", "python -m proofs_checks")


if __name__ == "__main__":
    main()

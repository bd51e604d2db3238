"""``python -m proofs_checks.kernel``."""

from theory.terminal.console import run_command_line

run_command_line("proofs_checks.commands.compiling:kernel", "python -m proofs_checks.kernel")

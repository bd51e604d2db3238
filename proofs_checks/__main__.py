"""``python -m proofs_checks``."""

from proofs_checks.commands import main

main()

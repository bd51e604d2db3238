"""The command line of the ledger, ``python -m proofs_checks``."""

"""The ledger: every claim of the paper, with a check that can fail."""

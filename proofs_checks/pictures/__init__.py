"""Pictures drawn from what the ledger certifies; matplotlib is imported only when one is drawn."""

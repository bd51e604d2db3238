"""Pictures of what the ledger establishes, drawn from exact values."""

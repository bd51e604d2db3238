"""Statements, the evidence that establishes them, and the ledger of both; nothing here knows a paper or a bandit."""

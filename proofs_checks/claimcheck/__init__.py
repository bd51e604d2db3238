"""Claims with evidence: statements, how they are established, and the ledger of both; knows no paper and no bandit."""

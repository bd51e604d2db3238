"""Section 5: Theorem 1, its constants and the remarks on it; Theorem 2."""

"""Section 5.1."""

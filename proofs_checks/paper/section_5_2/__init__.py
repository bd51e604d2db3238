"""Section 5.2."""

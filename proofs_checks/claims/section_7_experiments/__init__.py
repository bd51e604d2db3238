"""Section 7: the numerical experiments."""

"""Section 7."""

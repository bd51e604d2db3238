"""Section 6."""

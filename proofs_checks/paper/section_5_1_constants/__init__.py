"""Section 5.1: its constants."""

"""The ids that were withdrawn, each with the reason."""

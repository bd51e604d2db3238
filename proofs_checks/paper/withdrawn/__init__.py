"""The withdrawn ids, each with the reason."""

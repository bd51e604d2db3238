"""Literature."""

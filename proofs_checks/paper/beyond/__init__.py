"""Beyond the paper."""

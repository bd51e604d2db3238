"""The regret of MB-UCBVI (Section A.5): its event, its optimism, and the bound, display by display."""

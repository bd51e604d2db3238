"""Section 3: learning algorithms and their regret."""

"""Section 2: Markovian bandits."""

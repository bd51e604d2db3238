"""The regret of MB-UCRL2 (Section A.4)."""

"""Detailed analysis of MB-PSRL (Section A.3)."""

"""Lemma `moment`: the moments of the longest of K episodes (Section A.2)."""

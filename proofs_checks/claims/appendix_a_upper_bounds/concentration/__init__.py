"""Lemma `concentration`: events E^r, E^Q and E^V (Section A.2)."""

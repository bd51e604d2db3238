"""Appendix E: the further scenarios."""

"""Appendix B: the proof of Theorem 2, the lower bound."""

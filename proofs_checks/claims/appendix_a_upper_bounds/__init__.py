"""Appendix A: the proof of Theorem 1."""

"""Appendix A.2: the sum."""

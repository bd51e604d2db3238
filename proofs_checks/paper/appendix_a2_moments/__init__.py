"""Appendix A.2: the moments."""

"""Appendix A.1."""

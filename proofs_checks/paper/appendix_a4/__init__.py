"""Appendix A.4."""

"""Appendix A.5."""

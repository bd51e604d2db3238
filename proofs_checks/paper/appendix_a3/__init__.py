"""Appendix A.3."""

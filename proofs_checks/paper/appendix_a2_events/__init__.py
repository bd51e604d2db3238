"""Appendix A.2: the events."""

"""Appendix A.2: the gap."""

"""Appendix B."""

"""Appendix E."""

"""Appendix C."""

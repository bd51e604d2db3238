"""Checks and helpers that several chapters use."""

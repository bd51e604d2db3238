"""Errors that speak to a person: one line that says where, which value, and what to do."""

from __future__ import annotations


class BanditError(ValueError):
    """Base of every error this project raises on purpose; its text is one line."""


class NumberError(BanditError):
    """A number that is not exact, or not a number."""


class ModelError(BanditError):
    """A model, a state or a priority order that breaks the definition of a Markovian bandit."""


class TooLargeError(BanditError):
    """An exact method was asked for more than it can do; the text names the method to use instead."""

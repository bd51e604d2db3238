"""Exact numbers as plotting coordinates."""

from __future__ import annotations

from flint import fmpq


def as_float(value: fmpq) -> float:
    """Return the float nearest to `value`."""
    return int(value.p) / int(value.q)

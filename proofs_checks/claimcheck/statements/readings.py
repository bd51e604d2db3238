"""Readings: the choices of a claim for conventions that the paper leaves open or states in two ways.

Entries that rest on each other make the same choice for a convention, or say why they need not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Reading: TypeAlias = "Mapping[str, str]"
"""The choices that matter to an entry, by name of the convention."""

Conventions: TypeAlias = "Mapping[str, Mapping[str, str]]"
"""The choices of each convention, each with its meaning."""


def check_reading(reading: Reading, conventions: Conventions) -> None:
    """Refuse a reading with an unknown convention or choice.

    Raises
    ------
    ValueError
        If the paper's conventions lack the convention or the choice.

    Examples
    --------
    >>> clock = {"clock": {"t_k": "steps so far", "tau_k": "a bound of them"}}
    >>> check_reading({"clock": "t_k"}, clock)
    >>> check_reading({"clock": "noon"}, clock)
    Traceback (most recent call last):
    ValueError: reading: 'clock' is t_k or tau_k, not 'noon'
    """
    for name, choice in reading.items():
        if name not in conventions:
            raise ValueError(f"reading: no convention is called {name!r}; there are {', '.join(conventions) or 'none'}")
        if choice not in conventions[name]:
            raise ValueError(f"reading: {name!r} is {' or '.join(conventions[name])}, not {choice!r}")

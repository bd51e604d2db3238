"""Readings: the choices that a claim makes where its paper leaves a convention open or states it twice.

Each convention is named once; entries that rest on each other take the same choice, or say why they need not.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

Reading: TypeAlias = "Mapping[str, str]"
"""The choices that matter to an entry, by the name of the convention."""

Conventions: TypeAlias = "Mapping[str, Mapping[str, str]]"
"""The choices of each convention, with what they mean."""


def check_reading(reading: Reading, conventions: Conventions) -> None:
    """Refuse a convention or a choice that has no name.

    Raises
    ------
    ValueError
        For an unknown name.

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

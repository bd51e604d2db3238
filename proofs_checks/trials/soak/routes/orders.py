"""Policies that routes are asked about: the optimal one, or a priority order."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from theory import Bandit, Priority

Order = Callable[[Bandit], Priority | None]
"""The priority order of a bandit that is asked about, or None where it is the optimal policy."""


def optimal(bandit: Bandit) -> None:
    """Return no order: the optimal policy is asked about."""


def some_order(bandit: Bandit) -> Priority:
    """Return an order of the states that has nothing to do with their numbers, the same for the same shape."""
    return tuple(sorted(bandit.arm_states, key=lambda state: sha256(repr(state).encode()).digest()))

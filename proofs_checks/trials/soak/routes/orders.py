"""Policies that routes evaluate: the optimal one, or a priority order."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

from theory import Bandit, Priority

Order = Callable[[Bandit], Priority | None]
"""Returns the priority order of a bandit that routes evaluate, or None for the optimal policy."""


def optimal(bandit: Bandit) -> None:
    """Return None, which stands for the optimal policy."""


def some_order(bandit: Bandit) -> Priority:
    """Return an order of the states that depends only on the bandit's sizes, not on its numbers."""
    return tuple(sorted(bandit.arm_states, key=lambda state: sha256(repr(state).encode()).digest()))

"""Enclosures of numbers that mpmath computed to a number of digits."""

from __future__ import annotations

from typing import Any

from flint import fmpq

from proofs_checks.trials.soak.comparison import within
from theory import Bandit
from theory.enclosures import Enclosure, real_number

DIGITS = 30
_SLACK = fmpq(1, 10**25)


def opinion(number: Any, scale: fmpq) -> Enclosure:
    """Return an enclosure of a number by mpmath: 25 digits, relative to the number or to `scale`, are trusted."""
    value = real_number((number, 0)).enclosure(64).low  # equivalent: of a number that is exact, whatever the bits
    return within(value, _SLACK * max(abs(value), scale))


def value_scale(bandit: Bandit) -> fmpq:
    """Return an upper bound of the absolute value of any policy's value."""
    arms = bandit.arms
    largest = max(abs(r) + b for arm in arms for r, b in zip(arm.rewards, arm.reward_radius, strict=True))
    return largest / (1 - bandit.discount)

"""Bandits whose numbers are only known up to a little: what is computed from them has to contain the exact answer."""

from __future__ import annotations

from flint import fmpq

from theory import ONE, ZERO, Arm, Bandit
from theory.enclosures import EnclosedArm, EnclosedBandit, Enclosure

_SHARE = fmpq(1, 2**20)


def wider_numbers(bandit: Bandit) -> EnclosedBandit:
    """Return the bandit with rewards, radii and the discount known up to a millionth, and exact rows."""
    return _wider(bandit, rows=False)


def wider_rows(bandit: Bandit) -> EnclosedBandit:
    """Return the bandit with all numbers known up to a millionth; what is impossible may be possible."""
    return _wider(bandit, rows=True)


def _wider(bandit: Bandit, *, rows: bool) -> EnclosedBandit:
    arms = [_wider_arm(arm, rows=rows) for arm in bandit.arms]
    nearer, beta = (1 - bandit.discount) * _SHARE, bandit.discount
    return EnclosedBandit(arms, Enclosure(max(ZERO, beta - nearer), beta + nearer), bandit.initial)


def _wider_arm(arm: Arm, *, rows: bool) -> EnclosedArm:
    def row(entries: tuple[fmpq, ...]) -> list[object]:
        return [Enclosure(p * (1 - _SHARE), min(ONE, p + _SHARE)) if rows else p for p in entries]

    return EnclosedArm(
        rewards=[_around(reward) for reward in arm.rewards],
        transitions=[row(entries) for entries in arm.transitions],
        reward_radius=[_around(radius) for radius in arm.reward_radius],
        transition_radius=[_around(radius) for radius in arm.transition_radius],
    )


def _around(number: fmpq) -> Enclosure:
    return Enclosure(*sorted((number * (1 - _SHARE), number * (1 + _SHARE))))

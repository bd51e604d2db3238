"""Bandits of enclosed numbers, whose answers have to contain the exact answer.

Numbers known up to a millionth give wide answers. Rewards times the square root of 2 give narrow ones: the answer
divided by this root is the exact one up to rounding, and must not be rounded inwards.
"""

from __future__ import annotations

from flint import fmpq

from theory import ONE, ZERO, Arm, Bandit
from theory.enclosures import EnclosedArm, EnclosedBandit, Enclosure, parse_number

_SHARE = fmpq(1, 2**20)
_ROOT = parse_number("sqrt(2)").enclosure(256)


def wider_numbers(bandit: Bandit) -> EnclosedBandit:
    """Return the bandit with rewards, radii and the discount known up to a millionth, and exact rows."""
    return _wider(bandit, rows=False)


def wider_rows(bandit: Bandit) -> EnclosedBandit:
    """Return the bandit with all numbers known up to a millionth; moves of probability 0 may be possible."""
    return _wider(bandit, rows=True)


def times_root(bandit: Bandit) -> EnclosedBandit:
    """Return the bandit with rewards and their radii times the square root of 2."""
    arms = [
        EnclosedArm(
            rewards=[f"({reward})*sqrt(2)" for reward in arm.rewards],
            transitions=arm.transitions,
            reward_radius=[f"({radius})*sqrt(2)" for radius in arm.reward_radius],
            transition_radius=arm.transition_radius,
        )
        for arm in bandit.arms
    ]
    return EnclosedBandit(arms, bandit.discount, bandit.initial)


def over_root(number: Enclosure) -> Enclosure:
    """Return an enclosure of a number divided by the square root of 2.

    Examples
    --------
    >>> found = over_root(Enclosure(fmpq(-3), fmpq(4)))
    >>> [2 * end**2 > number**2 for end, number in ((found.low, -3), (found.high, 4))], found.decimals(3)
    ([True, True], ('-2.13', '2.83'))
    """
    ends = [end / root for end in (number.low, number.high) for root in (_ROOT.low, _ROOT.high)]
    return Enclosure(min(ends), max(ends))


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

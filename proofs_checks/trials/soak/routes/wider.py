"""Bandits of enclosed numbers, whose answers have to contain the exact answer.

Numbers known up to a millionth give wide answers. Rewards times the square root of 2 give narrow ones: the answer
divided by this root is the exact one up to rounding, and must not be rounded inwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from flint import fmpq

from proofs_checks.trials.soak.comparison import Answer, Route
from theory import ONE, ZERO, Arm, Bandit
from theory.enclosures import EnclosedArm, EnclosedBandit, Enclosure, parse_number

_SHARE = fmpq(1, 2**20)
_ROOT = parse_number("sqrt(2)").enclosure(256)


def enclosed_routes(
    compute: Callable[[EnclosedBandit, Bandit], Answer],
    limits: Sequence[tuple[int, int | None]],
    takes: Callable[[Bandit], bool] = lambda _: True,
) -> tuple[Route, ...]:
    """Return the routes by bandits of enclosed numbers.

    Parameters
    ----------
    compute
        Returns the answer for a bandit of enclosed numbers that was made of the bandit given second.
    limits
        The largest arm and the largest number of global states for each route: one with rewards, radii and discount
        known up to a millionth; one with rewards times the square root of 2; one with all numbers known up to a
        millionth, so that moves of probability 0 may be possible.
    takes
        Which bandits the routes can answer for.
    """
    answers: dict[str, Callable[[Bandit], Answer]] = {
        "enclosed rewards and discount": lambda bandit: compute(wider(bandit), bandit),
        "rewards times sqrt(2)": lambda bandit: [*map(over_root, compute(times_root(bandit), bandit))],
        "enclosed rows": lambda bandit: compute(wider(bandit, rows=True), bandit),
    }
    return tuple(
        Route(name, answer, *most, takes) for (name, answer), most in zip(answers.items(), limits, strict=True)
    )


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


def wider(bandit: Bandit, *, rows: bool = False) -> EnclosedBandit:
    """Return the bandit with all numbers known up to a millionth, those of its rows only if `rows`."""
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

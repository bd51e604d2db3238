"""What routes to several quantities share: the policies that they evaluate, and bandits of enclosed numbers.

The answers of bandits of enclosed numbers have to contain the exact answer. Numbers known up to a millionth give wide
answers. Rewards times the square root of 2 give narrow ones: the answer divided by this root is the exact one up to
rounding, and must not be rounded inwards.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256

from flint import fmpq

from proofs_checks.trials.soak.comparison import Answer, Route
from theory import ONE, ZERO, Bandit, Priority
from theory.enclosures import EnclosedArm, EnclosedBandit, Enclosure, parse_number

_SHARE = fmpq(1, 2**20)
_ROOT = parse_number("sqrt(2)").enclosure(256)

Order = Callable[[Bandit], Priority | None]
"""Returns the priority order of a bandit that routes evaluate, or None for the optimal policy."""


def optimal(bandit: Bandit) -> None:
    """Return None, which stands for the optimal policy."""


def some_order(bandit: Bandit) -> Priority:
    """Return an order of the states that depends only on the bandit's sizes, not on its numbers."""
    return tuple(sorted(bandit.arm_states, key=lambda state: sha256(repr(state).encode()).digest()))


def only(value: Callable[[Bandit], fmpq | Enclosure]) -> Callable[[Bandit], Answer]:
    """Return the route to an answer of one number."""
    return lambda bandit: [value(bandit)]


def enclosed_routes(
    compute: Callable[[EnclosedBandit, Bandit], Sequence[Enclosure]],
    limits: Sequence[tuple[int, int | None]],
    takes: Callable[[Bandit], bool] = lambda _: True,
) -> tuple[Route, ...]:
    """Return the routes by bandits of enclosed numbers; `compute` takes one, and the bandit of which it was made.

    `limits` has the largest arm and the largest number of global states for each route: one with rewards, radii and
    discount known up to a millionth; one with rewards times the square root of 2; one with all numbers known up to a
    millionth, so that moves of probability 0 may be possible.
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
    nearer, beta = (1 - bandit.discount) * _SHARE, bandit.discount
    arms = [
        EnclosedArm(
            rewards=_around(arm.rewards),
            transitions=[_around_row(row) if rows else row for row in arm.transitions],
            reward_radius=_around(arm.reward_radius),
            transition_radius=_around(arm.transition_radius),
        )
        for arm in bandit.arms
    ]
    return EnclosedBandit(arms, Enclosure(max(ZERO, beta - nearer), beta + nearer), bandit.initial)


def _around(numbers: Sequence[fmpq]) -> list[Enclosure]:
    return [Enclosure(*sorted((number * (1 - _SHARE), number * (1 + _SHARE)))) for number in numbers]


def _around_row(row: Sequence[fmpq]) -> list[Enclosure]:
    return [Enclosure(p * (1 - _SHARE), min(ONE, p + _SHARE)) for p in row]

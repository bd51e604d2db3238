"""Enclosures of optimal values and of values of priority policies, for bandits whose numbers are enclosed.

Values do not decrease in the rewards, nor, for rewards of at least 0, in the discount. So if rows are exact, two exact
evaluations at both ends give the exact range. Rows that are not exact are chosen on the product of the arms if it is
small; otherwise a bound on their effect widens the value of one member of the box. No value lies beyond the least or
the largest reward, paid for ever.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from flint import fmpq

from theory.enclosures.box import BanditBox
from theory.enclosures.digits import to_digits
from theory.enclosures.enclosure import Enclosure
from theory.enclosures.model import EnclosedBandit
from theory.enclosures.perturbation import largest_change
from theory.enclosures.product import product_ranges, rewards_for_ever, smallest_shift
from theory.gittins import gittins_priority
from theory.model import ArmState, Bandit, GlobalState, Priority
from theory.rationals import ZERO
from theory.values import priority_value

LARGEST_PRODUCT: Final = 64  # equivalent: both ways enclose, the one more closely
"""Global states up to which rows that are not exact are chosen on the product."""


def enclosed_value(
    bandit: Bandit | EnclosedBandit,
    priority: Sequence[str | ArmState] | None = None,
    initial: Sequence[int | str] | None = None,
    digits: int = 15,
) -> Enclosure:
    """Return an enclosure of the optimal value, or of the value of a priority policy.

    Parameters
    ----------
    bandit
        Exact or enclosed. Its radii play no part.
    priority
        All arm states in strict order; the optimal value where omitted.
    initial
        One state per arm; the model's own where omitted.
    digits
        Significant digits of the enclosure, as far as the bandit's numbers are known well enough.

    Examples
    --------
    >>> from theory.enclosures import EnclosedArm
    >>> arm = EnclosedArm(rewards=["sqrt(2)"], transitions=[[1]])
    >>> enclosed_value(EnclosedBandit([arm], "exp(-1)", initial=[0]), digits=10).decimals(10)
    ('2.23725291421', '2.23725291422')
    >>> lost = EnclosedBandit([EnclosedArm(rewards=[-1], transitions=[[1]])], "0.5 +/- 0.1", initial=[0])
    >>> enclosed_value(lost)  # -1/(1 - beta)
    Enclosure(low=-5/2, high=-5/3)
    """
    enclosed = EnclosedBandit.of(bandit)
    start = enclosed.names.start(initial)
    order = None if priority is None else enclosed.names.priority(priority)

    def compute(bits: int) -> tuple[Enclosure, list[Enclosure]]:
        found = value_range(enclosed.at(bits), order, start, bits)
        return found, [found]

    return to_digits(compute, digits, is_fixed=enclosed.is_fixed)


def value_range(box: BanditBox, order: Priority | None, start: GlobalState, bits: int) -> Enclosure:
    """Return an enclosure of the values over a box: the exact range if rows are exact and rewards not negative."""
    if not box.has_exact_rows and box.names.number_of_global_states <= LARGEST_PRODUCT:
        no_radii = (replace(arm, transition_radius=(Enclosure.point(ZERO),) * len(arm.rows)) for arm in box.arms)
        return product_ranges(replace(box, arms=tuple(no_radii)), order, bits)[start]
    least = smallest_shift(box)
    lower = _extreme(box, order, start, least, upper=False) + least / (1 - box.discount.high)
    upper = _extreme(box, order, start, least, upper=True) + least / (1 - box.discount.low)
    return Enclosure(lower, upper).common(rewards_for_ever(box))


def _extreme(box: BanditBox, order: Priority | None, start: GlobalState, least: fmpq, *, upper: bool) -> fmpq:
    """Return a bound on the value when `least` is subtracted from all rewards, which are then at least 0."""
    if upper:
        member = box.member(lambda reward: reward.high - least, box.discount.high)
    else:
        member = box.member(lambda reward: reward.low - least, box.discount.low)
    priority = gittins_priority(member) if order is None else order
    value = priority_value(member, priority, start).value
    if box.has_exact_rows:
        return value
    # twice the bound, so that enclosures with more bits, around other members, lie within this one
    change = 2 * largest_change(box, member, priority)
    return value + change if upper else value - change

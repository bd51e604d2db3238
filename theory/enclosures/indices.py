r"""Enclosures of Gittins indices, for arms whose numbers are enclosed.

An index does not decrease in the rewards, nor in the discount. (Under the stopping time that is best for a smaller
discount, the reward after any later time is worth at least as much per unit of time as the whole, and a larger discount
weighs it more.) Extreme rows of the boxes give the largest and the smallest index. So if some number is only known
up to an interval, two evaluations give the exact range of an index: by elimination at both ends if rows are exact, and
otherwise by the restart problem (Katehakis and Veinott 1987), with rows chosen for the index and against it. If more
bits shrink the box, one elimination in balls encloses all indices (`theory.enclosures.elimination`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Final

from theory.enclosures.box import ArmBox
from theory.enclosures.digits import to_digits
from theory.enclosures.elimination import ranges_by_elimination
from theory.enclosures.enclosure import Enclosure
from theory.enclosures.extremes import range_by_restart
from theory.enclosures.model import EnclosedBandit
from theory.enclosures.order import Either, Order, certain_order, decide_order
from theory.gittins import gittins_indices
from theory.model import Arm, ArmState, Bandit

_BITS: Final = 64  # of boxes that are cut to compare states
_WORK: Final = 2500  # parts of each box at most, times its different arms, times the cube of the number of states


@dataclass(frozen=True)
class EnclosedIndices:
    """The Gittins indices of a bandit whose numbers are enclosed.

    Attributes
    ----------
    indices : (n, S_a) Enclosure
    order : Order of arm states
        Of all arms together.
    arm_orders : (n,) Order of states
    jointly : pairs of states of one arm, the larger index first
        Their order is certain (`certain_order`), though their enclosures overlap.
    either : (n,) dict
        For pairs of states of an arm, two exact members (an arm and a discount) whose indices have either order.
    """

    indices: tuple[tuple[Enclosure, ...], ...]
    order: Order[ArmState]
    arm_orders: tuple[Order[int], ...]
    jointly: frozenset[tuple[ArmState, ArmState]]
    either: tuple[Either, ...]


def enclosed_indices(bandit: Bandit | EnclosedBandit, digits: int = 15) -> EnclosedIndices:
    """Return enclosures of the Gittins indices of every state, and their order where it is certain.

    Parameters
    ----------
    bandit
        Exact or enclosed. Its radii play no part.
    digits
        Significant digits of each enclosure, as far as the bandit's numbers are known well enough.

    Raises
    ------
    NumberError
        For less than one digit.
    ModelError
        If so many digits show that a row does not sum to 1.

    Examples
    --------
    >>> from theory.enclosures import EnclosedArm
    >>> arm = EnclosedArm(rewards=[0, "sqrt(2)"], transitions=[["1/2", "1/2"], [0, 1]], states=["x", "y"])
    >>> found = enclosed_indices(EnclosedBandit([arm], "1/2"), digits=10)
    >>> [index.decimals(10) for index in found.indices[0]], found.arm_orders[0].certain
    ([('0.471404520791', '0.471404520792'), ('1.41421356237', '1.41421356238')], (1, 0))
    """
    enclosed = EnclosedBandit.of(bandit)
    fixed = [arm.is_fixed or enclosed.discount.is_fixed for arm in enclosed.arms]

    def compute(bits: int) -> tuple[tuple[tuple[Enclosure, ...], ...], list[Enclosure]]:
        box = enclosed.at(bits)
        found = tuple(
            arm_index_ranges(arm, box.discount, bits, is_fixed=is_fixed)
            for arm, is_fixed in zip(box.arms, fixed, strict=True)
        )
        return found, [index for arm in found for index in arm]

    found = to_digits(compute, digits, is_fixed=any(fixed))
    box = enclosed.at(_BITS)
    work = _WORK // len(set(box.arms))

    @cache
    def jointly(arm: ArmBox, indices: tuple[Enclosure, ...]) -> tuple[frozenset[tuple[int, int]], Either]:
        pairs, either = decide_order(dict(enumerate(indices))).undecided, Either()
        most = work // len(indices) ** 3
        found = (certain_order(arm, box.discount, *pair, most, either) for pair in pairs)
        return frozenset(filter(None, found)), either

    both = [
        jointly(arm, indices) if is_fixed else (frozenset[tuple[int, int]](), Either())
        for arm, indices, is_fixed in zip(box.arms, found, fixed, strict=True)
    ]
    orders = [order for order, _ in both]
    above = frozenset(((a, x), (a, y)) for a, order in enumerate(orders) for x, y in order)
    return EnclosedIndices(
        found,
        decide_order({(a, x): index for a, arm in enumerate(found) for x, index in enumerate(arm)}, above),
        tuple(decide_order(dict(enumerate(arm)), order) for arm, order in zip(found, orders, strict=True)),
        above,
        tuple(either for _, either in both),
    )


def arm_index_ranges(arm: ArmBox, discount: Enclosure, bits: int, *, is_fixed: bool) -> tuple[Enclosure, ...]:
    """Return the range of every state's index over an arm's box and these discounts; unless fixed, an enclosure."""
    has_exact_rows = all(row.is_exact for row in arm.rows)
    is_exact = has_exact_rows and discount.is_exact and all(reward.is_exact for reward in arm.rewards)
    if not is_exact and not is_fixed:
        return ranges_by_elimination(arm, discount, bits)
    if not has_exact_rows:
        return tuple(range_by_restart(arm, discount, home, bits) for home in range(len(arm.rewards)))
    rows = [row.low for row in arm.rows]
    lower = gittins_indices(Arm(rewards=[each.low for each in arm.rewards], transitions=rows), discount.low)
    if is_exact:
        return tuple(map(Enclosure.point, lower))
    upper = gittins_indices(Arm(rewards=[each.high for each in arm.rewards], transitions=rows), discount.high)
    return tuple(map(Enclosure, lower, upper))

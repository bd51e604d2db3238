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

from theory.enclosures.box import ArmBox
from theory.enclosures.digits import to_digits
from theory.enclosures.elimination import ranges_by_elimination
from theory.enclosures.enclosure import Enclosure
from theory.enclosures.extremes import BoxProcess, EnclosedAction
from theory.enclosures.model import EnclosedBandit
from theory.enclosures.order import Order, decide_order
from theory.enclosures.row_box import RowBox
from theory.gittins import gittins_indices
from theory.model import Arm, ArmState, Bandit


@dataclass(frozen=True)
class EnclosedIndices:
    """The Gittins indices of a bandit whose numbers are enclosed.

    Attributes
    ----------
    indices : (n, S_a) Enclosure
    order : Order of arm states
        Of all arms together.
    arm_orders : (n,) Order of states
    """

    indices: tuple[tuple[Enclosure, ...], ...]
    order: Order[ArmState]
    arm_orders: tuple[Order[int], ...]


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

    def compute(bits: int) -> tuple[tuple[tuple[Enclosure, ...], ...], list[Enclosure]]:
        box = enclosed.at(bits)
        found = tuple(
            arm_index_ranges(arm, box.discount, bits, is_fixed=given.is_fixed or enclosed.discount.is_fixed)
            for arm, given in zip(box.arms, enclosed.arms, strict=True)
        )
        return found, [index for arm in found for index in arm]

    found = to_digits(compute, digits, is_fixed=enclosed.is_fixed)
    return EnclosedIndices(
        found,
        decide_order({(a, x): index for a, arm in enumerate(found) for x, index in enumerate(arm)}),
        tuple(decide_order(dict(enumerate(arm))) for arm in found),
    )


def arm_index_ranges(arm: ArmBox, discount: Enclosure, bits: int, *, is_fixed: bool = True) -> tuple[Enclosure, ...]:
    """Return the range of every state's index over an arm's box and the discounts of an enclosure.

    The range is exact if rows are exact and no number is longer than `bits`; otherwise it is wider by less than
    ``2**(20 - bits)`` of the largest reward. Unless `is_fixed`, it is an enclosure that shrinks with the box.
    """
    if not all(row.is_exact for row in arm.rows):
        if is_fixed:
            return tuple(_range_by_restart(arm, discount, home, bits) for home in range(len(arm.rewards)))
        return ranges_by_elimination(arm, discount, bits)
    is_exact = discount.is_exact and all(reward.is_exact for reward in arm.rewards)
    if not is_exact and not is_fixed:
        return ranges_by_elimination(arm, discount, bits)
    rows = [row.low for row in arm.rows]
    lower = gittins_indices(Arm(rewards=[each.low for each in arm.rewards], transitions=rows), discount.low)
    if is_exact:
        return tuple(map(Enclosure.point, lower))
    upper = gittins_indices(Arm(rewards=[each.high for each in arm.rewards], transitions=rows), discount.high)
    return tuple(map(Enclosure, lower, upper))


def _range_by_restart(arm: ArmBox, discount: Enclosure, home: int, bits: int) -> Enclosure:
    """Return (1 - beta) V(home) for the process in which each step may go on, or first jump back to `home`.

    Going on from `home` and restarting there choose their rows separately but for the same values, so the extremes are
    those of one arm.
    """
    states = _reachable(arm, home)
    rows = {
        x: RowBox(*(tuple(ends[y] for y in states) for ends in (arm.rows[x].low, arm.rows[x].high))) for x in states
    }
    restart = EnclosedAction(1, arm.rewards[home], states, rows[home])
    process = BoxProcess({x: [EnclosedAction(0, arm.rewards[x], states, rows[x]), restart] for x in states})
    own = arm.rewards[home]
    low = (1 - discount.low) * process.bound_below(discount.low, bits)[home]
    above = process.bound_above(discount.high, bits)
    # an index that is the reward itself is found exactly: values about as large as its own are set to reward for ever
    reward_for_ever = own.high / (1 - discount.high)
    margin = above[home] - reward_for_ever
    tried = {x: reward_for_ever if value <= above[home] + margin else value for x, value in above.items()}
    if process.is_bound_above(tried, discount.high):
        return Enclosure(max(low, own.low), own.high)
    return Enclosure(max(low, own.low), (1 - discount.high) * above[home])


def _reachable(arm: ArmBox, home: int) -> list[int]:
    found = [home]
    for x in found:
        found += [y for y, p in enumerate(arm.rows[x].high) if p and y not in found]
    return sorted(found)

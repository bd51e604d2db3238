"""The range of an index over an arm's box, by the restart problem (Katehakis and Veinott 1987)."""

from __future__ import annotations

from theory.enclosures.box import ArmBox, RowBox
from theory.enclosures.enclosure import Enclosure
from theory.enclosures.extremes import BoxProcess, EnclosedAction


def range_by_restart(arm: ArmBox, discount: Enclosure, home: int, bits: int) -> Enclosure:
    """Return the range of (1 - beta) V(home) if each step may go on, or first jump back to `home`.

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
    low = (1 - discount.low) * process.bounds(discount.low, bits, upper=False)[home]
    above = process.bounds(discount.high, bits, upper=True)
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

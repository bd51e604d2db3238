r"""Enclosures on the product of the arms: optimal values, values of priority policies, and extended value iteration.

Rewards, rows, radii and the discount lie in enclosures; every global state has its own row, chosen for the values and
against them (`theory.enclosures.extremes`). For extended value iteration, in which the maximum itself chooses a row per
global state, this gives the range over the box, up to rounding. For values, whose rows global states share, it encloses
the range.

Values of non-negative rewards increase with the discount. If the smallest lower end c of the rewards is negative, c is
subtracted from all rewards; the value of c for ever, :math:`c/(1-\beta)`, decreases with the discount.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from flint import fmpq

from theory.domain import named_rational
from theory.enclosures.box import ArmBox, BanditBox
from theory.enclosures.digits import to_digits
from theory.enclosures.enclosure import Enclosure
from theory.enclosures.extremes import BoxProcess, EnclosedAction
from theory.enclosures.model import EnclosedBandit
from theory.enclosures.ranges import product
from theory.errors import ModelError
from theory.model import ArmState, Bandit, GlobalState, Priority
from theory.rationals import ZERO, Exact
from theory.stopping import mean
from theory.values import global_states, moved, priority_policy

_INSTEAD = "extended value iteration needs the product; for values without radii use the command value"


@dataclass(frozen=True)
class EnclosedOptimisticValue:
    """The outcome of extended value iteration on a bandit whose numbers are enclosed.

    Attributes
    ----------
    value : Enclosure
        From the initial state.
    values : Enclosure by global state
    plays : arm by global state
        The arm that is certainly best, by index from 0; None where two overlap.
    """

    value: Enclosure
    values: dict[GlobalState, Enclosure]
    plays: dict[GlobalState, int | None]


def enclosed_optimistic_value(
    bandit: Bandit | EnclosedBandit,
    priority: Sequence[str | ArmState] | None = None,
    initial: Sequence[int | str] | None = None,
    digits: int = 15,
    largest_reward: Exact | None = None,
) -> EnclosedOptimisticValue:
    """Return enclosures of the result of extended value iteration over the radii of `bandit`.

    Parameters
    ----------
    bandit
        Estimates with their radii, exact or enclosed.
    priority
        If given, only this priority policy is considered, and the maximum is over rows alone.
    initial
        One state per arm; the model's own where omitted.
    digits
        Significant digits of each enclosure, as far as the bandit's numbers are known well enough.
    largest_reward
        If given, plausible models have no larger rewards, as in `theory.optimistic_value`.

    Raises
    ------
    ModelError
        For a bad priority order, a missing initial state, or a largest reward that no plausible model may keep to.
    NumberError
        For less than one digit, or a largest reward that is not exact.
    TooLargeError
        If the product of the arms is too large.

    Examples
    --------
    >>> from theory.enclosures import EnclosedArm
    >>> arm = EnclosedArm(rewards=[0, 1], transitions=[["1/2", "1/2"], [0, 1]], transition_radius=["log(2)/2", 0])
    >>> enclosed_optimistic_value(EnclosedBandit([arm], "1/2", initial=[0]), digits=10).value.decimals(10)
    ('0.80474763453', '0.804747634531')
    >>> lost = EnclosedBandit([EnclosedArm(rewards=[-1], transitions=[[1]])], "0.5 +/- 0.1", initial=[0])
    >>> enclosed_optimistic_value(lost).value  # -1/(1 - beta)
    Enclosure(low=-5/2, high=-5/3)
    """
    enclosed = EnclosedBandit.of(bandit)
    start = enclosed.names.start(initial)
    order = None if priority is None else enclosed.names.priority(priority)
    most = None if largest_reward is None else named_rational(largest_reward, "largest reward")
    global_states(enclosed.names, _INSTEAD)

    def compute(bits: int) -> tuple[EnclosedOptimisticValue, list[Enclosure]]:
        box = enclosed.at(bits)
        arms = tuple(_with_upper_rewards(arm, most) for arm in box.arms)
        values = product_ranges(replace(box, arms=arms), order, bits)
        found = EnclosedOptimisticValue(values[start], values, _certain_arms(replace(box, arms=arms), order, values))
        return found, list(values.values())

    return to_digits(compute, digits, is_fixed=enclosed.is_fixed)


def product_ranges(box: BanditBox, order: Priority | None, bits: int) -> dict[GlobalState, Enclosure]:
    """Return enclosures of the optimal values, or of the values of a priority policy, in every global state.

    The maximum is over the balls of the transition radii too; the rewards' radii are ignored.
    """
    least = smallest_shift(box)
    process = _process(box, order, least)
    lower = process.bounds(box.discount.low, bits, upper=False)
    upper = process.bounds(box.discount.high, bits, upper=True)
    lowest, highest = least / (1 - box.discount.high), least / (1 - box.discount.low)
    ends = rewards_for_ever(box)
    return {state: Enclosure(lower[state] + lowest, upper[state] + highest).common(ends) for state in process.actions}


def _process(box: BanditBox, order: Priority | None, least: fmpq) -> BoxProcess[GlobalState]:
    """Return the process of the product of the arms, with `least` subtracted from all rewards."""
    states = global_states(box.names, _INSTEAD)
    play = None if order is None else priority_policy(box.names, order)

    def action(state: GlobalState, a: int) -> EnclosedAction[GlobalState]:
        arm, x = box.arms[a], state[a]
        reward = Enclosure(arm.rewards[x].low - least, arm.rewards[x].high - least)
        to = [moved(state, a, y) for y in range(len(arm.rewards))]
        return EnclosedAction(a, reward, to, arm.rows[x], arm.transition_radius[x])

    arms = range(len(box.arms))
    return BoxProcess({state: [action(state, a) for a in ([play(state)] if play else arms)] for state in states})


def rewards_for_ever(box: BanditBox) -> Enclosure:
    """Return the least and the largest end of a reward, each divided by 1 - discount: values lie between them."""
    rewards = [reward for arm in box.arms for reward in arm.rewards]
    ends = Enclosure(min(each.low for each in rewards), max(each.high for each in rewards))
    return product(ends, Enclosure(1 / (1 - box.discount.low), 1 / (1 - box.discount.high)))


def smallest_shift(box: BanditBox) -> fmpq:
    """Return the smallest lower end of a reward, or 0 if none is negative."""
    return min(ZERO, *(reward.low for arm in box.arms for reward in arm.rewards))


def _with_upper_rewards(arm: ArmBox, most: fmpq | None) -> ArmBox:
    rewards = []
    for reward, radius in zip(arm.rewards, arm.reward_radius, strict=True):
        ends = reward.low + radius.low, reward.high + radius.high
        if most is not None:
            if reward.low - radius.high > most:
                raise ModelError(f"a reward is certainly above {most}, with its whole radius")
            ends = min(ends[0], most), min(ends[1], most)
        rewards.append(Enclosure(*ends))
    return replace(arm, rewards=tuple(rewards))


def _certain_arms(
    box: BanditBox, order: Priority | None, values: dict[GlobalState, Enclosure]
) -> dict[GlobalState, int | None]:
    found: dict[GlobalState, int | None] = {}
    for state, actions in _process(box, order, ZERO).actions.items():
        worth = {each.name: _worth(each, box.discount, values) for each in actions}
        best = max(worth, key=lambda a: worth[a].low)
        certain = all(worth[best].certainly_above(other) for a, other in worth.items() if a != best)
        found[state] = best if certain else None
    return found


def _worth(action: EnclosedAction[GlobalState], discount: Enclosure, values: dict[GlobalState, Enclosure]) -> Enclosure:
    low, high = [values[y].low for y in action.to], [values[y].high for y in action.to]
    least, most = mean(action.lower_row(low), low), mean(action.upper_row(high), high)
    later = product(discount, Enclosure(least, most))
    return Enclosure(action.reward.low + later.low, action.reward.high + later.high)

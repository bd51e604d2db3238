r"""The largest and the smallest optimal values over a box of decision processes.

The reward, the row, and the radius of the ball around the row lie in enclosures, independently in every state and
action. Optimal values increase with rewards, radii, and the mass that rows put on better states. So they are largest
where each row is the one of its box that is best for the values, which is a decision process with a greedy rule. They
are smallest where an adversary chooses the worst row of each box against the best policy: a game, which strategy
iteration solves (Hoffman and Karp 1966).

Policy iteration in rounded arithmetic *proposes* values W; if it does not come to rest, the exact solution takes their
place, unless the process is large. One exact Bellman backup T *certifies* a bound: if :math:`T W \le W + \delta`
everywhere, then the optimal values are at most :math:`W + \delta/(1-\beta)`; and likewise from below.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from typing import Any, Final, Generic, TypeVar

import flint
from flint import arb, arb_mat, fmpq, fmpz

from theory.decision_process import Action, DecisionProcess, OrderRule
from theory.enclosures.box import ArmBox, Row, RowBox
from theory.enclosures.enclosure import Enclosure, rounded_down, rounded_up
from theory.optimism.l1_ball import greedy_row
from theory.rationals import ZERO
from theory.stopping import mean, one_step

State = TypeVar("State")

_GUARD_BITS: Final = 40
_ROUNDS: Final = 30
_LARGEST_EXACT: Final = 64  # states up to which the exact solution does not take minutes
_SPARE_BITS: Final = 16  # results are widened by so many bits, so that they contain results with more bits


@dataclass(frozen=True)
class EnclosedAction(Generic[State]):
    """An action whose numbers are enclosed; the maximum is over the L1 ball of this radius around the true row too."""

    name: int
    reward: Enclosure
    to: Sequence[State]
    row: RowBox
    radius: Enclosure = Enclosure.point(ZERO)  # noqa: RUF009  (frozen)

    def upper_row(self, after: Sequence[Any]) -> Row:
        """Return the row that is best for `after` in the largest ball around the best row of the box."""
        return greedy_row(self.row.best(after), self.radius.high, after)

    def lower_row(self, after: Sequence[Any], centre: Row | None = None) -> Row:
        """Return the row that is best for `after` in the smallest ball around `centre` (default: the box's worst)."""
        return greedy_row(self.row.worst(after) if centre is None else centre, self.radius.low, after)


class BoxProcess(Generic[State]):
    """A decision process whose numbers, except for the discount, are enclosed."""

    def __init__(self, actions: Mapping[State, Sequence[EnclosedAction[State]]]) -> None:
        self.actions = actions

    def largest(self, discount: fmpq) -> dict[State, fmpq]:
        """Return the largest optimal values, exactly: the supremum over the box, if rows may differ between actions."""

        def upper(x: State) -> list[Action[State, int]]:
            return [
                Action(each.name, each.reward.high, each.to, each.row.member(), OrderRule(each.upper_row))
                for each in self.actions[x]
            ]

        return DecisionProcess(self.actions, discount, upper).solve().values

    def smallest(self, discount: fmpq) -> dict[State, fmpq]:
        """Return the smallest optimal values, exactly: the infimum over the box, if rows may differ between actions.

        The adversary's rows are replaced by rows that are worst for the optimal values until none is worse. The values
        decrease strictly or stay the same, so the iteration ends.
        """
        rows = {(x, each.name): each.row.member() for x, choices in self.actions.items() for each in choices}

        def lower(x: State) -> list[Action[State, int]]:
            return [
                Action(each.name, each.reward.low, each.to, row, OrderRule(partial(each.lower_row, centre=row)))
                for each in self.actions[x]
                for row in (rows[x, each.name],)
            ]

        while True:
            values = DecisionProcess(self.actions, discount, lower).solve().values
            changed = False
            for x, choices in self.actions.items():
                for each in choices:
                    after = [values[y] for y in each.to]
                    present = mean(each.lower_row(after, rows[x, each.name]), after)
                    if mean(each.lower_row(after), after) < present:
                        rows[x, each.name], changed = each.row.worst(after), True
            if not changed:
                return values

    def is_bound_above(self, values: Mapping[State, fmpq], discount: fmpq) -> bool:
        """Return whether no action raises `values`; then no optimal value exceeds them."""
        best = self.best_actions(values, discount, upper=True)
        return all(worth <= values[x] for x, (_, worth) in best.items())

    def best_actions(
        self, values: Mapping[State, fmpq], discount: fmpq, *, upper: bool
    ) -> dict[State, tuple[Action[State, int], fmpq]]:
        """Return the action that is best for `values` in each state, with its extreme row, and its value."""
        known: dict[int, tuple[Action[State, int], fmpq]] = {}  # states may share an action
        found = {}
        for x, choices in self.actions.items():
            for each in choices:
                if id(each) not in known:
                    after = [values[y] for y in each.to]
                    row = each.upper_row(after) if upper else each.lower_row(after)
                    reward = each.reward.high if upper else each.reward.low
                    action = Action(each.name, reward, each.to, row)
                    known[id(each)] = action, one_step(row, after, discount, reward)
            found[x] = max((known[id(each)] for each in choices), key=itemgetter(1))
        return found

    def bounds(self, discount: fmpq, bits: int, *, upper: bool) -> dict[State, fmpq]:
        """Return certified upper or lower bounds of the optimal values of any member of the box.

        They are as close to the largest or smallest values as `bits` allow for up to 64 states. For more, policy and
        adversary may run in a cycle, and the bounds are wider.
        """
        best = self.best_actions(dict.fromkeys(self.actions, ZERO), discount, upper=upper)
        lost = int((1 / (1 - discount)).ceil().bit_length())  # equivalent: any number of bits encloses, more do closely
        precision = bits + _GUARD_BITS + 2 * lost  # equivalent: as above
        widest = max(each.reward.magnitude for choices in self.actions.values() for each in choices)
        widening = rounded_up(widest / (1 - discount) / (fmpz(1) << (bits - _SPARE_BITS)), 8)
        for _ in range(_ROUNDS):
            values = _evaluated(best, discount, precision)
            best = self.best_actions(values, discount, upper=upper)
            differences = [worth - values[x] for x, (_, worth) in best.items()]
            if 2 * (max(differences) - min(differences)) <= widening * (1 - discount):
                break  # the bound is this close to what it bounds
        else:  # policy and adversary change at once and may run in a cycle; the exact solution has T W = W
            if len(self.actions) <= _LARGEST_EXACT:
                values = self.largest(discount) if upper else self.smallest(discount)
                differences = [ZERO]
        residual = max(differences) if upper else min(differences)
        shift = residual / (1 - discount) + (widening if upper else -widening)
        return {x: value + shift for x, value in values.items()}


def _evaluated(
    chosen: Mapping[State, tuple[Action[State, int], fmpq]], discount: fmpq, precision: int
) -> dict[State, fmpq]:
    """Return the values of the chosen actions in rounded arithmetic, uncertified."""
    position = {x: i for i, x in enumerate(chosen)}
    size = len(position)
    with flint.ctx.workprec(precision):
        system = arb_mat(size, size)
        right = arb_mat(size, 1)
        for x, i in position.items():
            action, _ = chosen[x]
            system[i, i] = system[i, i] + 1
            right[i, 0] = arb(action.reward)
            for y, probability in zip(action.to, action.row, strict=True):
                if probability:
                    system[i, position[y]] = system[i, position[y]] - arb(discount * probability)
        solution = system.solve(right, algorithm="approx")
        return {x: rounded_down(solution[i, 0].mid().fmpq(), precision) for x, i in position.items()}


def range_by_restart(arm: ArmBox, discount: Enclosure, home: int, bits: int) -> Enclosure:
    """Return the range of an index, by the restart problem (Katehakis and Veinott 1987).

    It is that of (1 - beta) V(home), if each step may go on, or first jump back to `home` (the restart).
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

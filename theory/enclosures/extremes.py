r"""The largest and the smallest optimal values over a box of decision processes.

The reward, the row, and the radius of the ball around the row lie in enclosures, independently in every state and
action. Optimal values increase with rewards, radii, and the mass that rows put on better states. So they are largest
where each row is the one of its box that is best for the values, which is a decision process with a greedy rule. They
are smallest where an adversary chooses the worst row of each box against the best policy: a game, which strategy
iteration solves (Hoffman and Karp 1966).

Policy iteration in rounded arithmetic of few bits *proposes* policies and rows. A few approximate rounds with all bits
follow; if they do not come to rest, the exact solution takes their place, unless the process is large. One exact
Bellman backup T *certifies* a bound: if :math:`T W \le W + \delta` everywhere, then the optimal values are at most
:math:`W + \delta/(1-\beta)`; and likewise from below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import itemgetter
from typing import Any, Final, Generic, TypeVar

import flint
from flint import arb, arb_mat, fmpq, fmpz

from theory.decision_process import Action, DecisionProcess, GreedyRule, OrderRule
from theory.enclosures.enclosure import Enclosure, rounded_down, rounded_up
from theory.enclosures.row_box import Row, RowBox
from theory.optimism.l1_ball import greedy_row
from theory.rationals import ONE, ZERO
from theory.stopping import mean, one_step

State = TypeVar("State")

_PROPOSAL_BITS: Final = 40
_PROPOSAL_ROUNDS: Final = 30
_ROUNDS: Final = 8
_LARGEST_EXACT: Final = 64  # states up to which the exact solution does not take minutes
_SPARE_BITS: Final = 16  # results are widened by so many bits, so that they contain results with more bits


@dataclass(frozen=True)
class EnclosedAction(Generic[State]):
    """An action whose numbers are enclosed.

    Attributes
    ----------
    name
        Unique in its state.
    reward : Enclosure
    to : (k,) states
        The next states.
    row : RowBox
        The k probabilities.
    radius : Enclosure
        L1 radius of the ball of rows around the true row; the maximum is over that ball too.
    """

    name: int
    reward: Enclosure
    to: Sequence[State]
    row: RowBox
    radius: Enclosure = Enclosure.point(ZERO)  # noqa: RUF009  (frozen)

    def rounded(self, bits: int) -> EnclosedAction[State]:
        """Return the action with its numbers rounded outwards."""
        low = tuple(max(rounded_down(p, bits), ZERO) for p in self.row.low)
        high = tuple(min(rounded_up(p, bits), ONE) for p in self.row.high)
        row = self.row if self.row.is_exact else RowBox(low, high)
        return replace(self, reward=self.reward.rounded(bits), row=row, radius=self.radius.rounded(bits))

    def upper_row(self, after: Sequence[fmpq]) -> Row:
        """Return the row that is best for `after` in the largest ball around the best row of the box."""
        return greedy_row(self.row.best(after), self.radius.high, after)

    def lower_row(self, after: Sequence[fmpq], centre: Row | None = None) -> Row:
        """Return the row that is best for `after` in the smallest ball around `centre` (default: the box's worst)."""
        return greedy_row(self.row.worst(after) if centre is None else centre, self.radius.low, after)


class BoxProcess(Generic[State]):
    """A decision process whose numbers, except for the discount, are enclosed.

    Parameters
    ----------
    actions
        The actions of every state, at least one.

    Examples
    --------
    >>> coin = RowBox((fmpq(2, 5), fmpq(2, 5)), (fmpq(3, 5), fmpq(3, 5)))
    >>> process = BoxProcess({x: [EnclosedAction(0, Enclosure.point(fmpq(x)), [0, 1], coin)] for x in (0, 1)})
    >>> process.largest(fmpq(1, 2)), process.smallest(fmpq(1, 2))
    ({0: 3/5, 1: 8/5}, {0: 2/5, 1: 7/5})
    >>> process.bound_above(fmpq(1, 2), 64)[0] - fmpq(3, 5) < fmpq(1, 2**40)
    True
    """

    def __init__(self, actions: Mapping[State, Sequence[EnclosedAction[State]]]) -> None:
        self.actions = actions

    def largest(self, discount: fmpq) -> dict[State, fmpq]:
        """Return the largest optimal values, exactly: the supremum over the box, if rows may differ between actions."""

        def upper(x: State) -> list[Action[State, int]]:
            return [
                Action(each.name, each.reward.high, each.to, each.row.member(), _rule(each, each.upper_row))
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
                Action(each.name, each.reward.low, each.to, row, _rule(each, partial(each.lower_row, centre=row)))
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

    def bound_above(self, discount: fmpq, bits: int) -> dict[State, fmpq]:
        """Return certified upper bounds of the optimal values, for any member of the box.

        They are as close to the largest values as `bits` allow for up to 64 states, and may be wider for more.
        """
        return _certified(self, discount, bits, upper=True)

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
                    known[id(each)] = _extreme(each, values, discount, upper=upper)
            found[x] = max((known[id(each)] for each in choices), key=itemgetter(1))
        return found

    def bound_below(self, discount: fmpq, bits: int) -> dict[State, fmpq]:
        """Return certified lower bounds of the optimal values, for any member of the box.

        They are as close to the smallest values as `bits` allow for up to 64 states. For more, policy and adversary may
        run in a cycle, and the bounds are wider.
        """
        return _certified(self, discount, bits, upper=False)


def _rule(action: EnclosedAction[State], rule: Callable[[Sequence[Any]], Row]) -> GreedyRule | None:
    """Return the greedy rule of an action, or None where it has one row only."""
    return None if action.row.is_exact and action.radius.high == 0 else OrderRule(rule)


def _certified(process: BoxProcess[State], discount: fmpq, bits: int, *, upper: bool) -> dict[State, fmpq]:
    best = process.best_actions(_proposed(process, discount, upper=upper), discount, upper=upper)
    precision = bits + _PROPOSAL_BITS + 2 * int((1 / (1 - discount)).ceil().bit_length())
    widest = max(abs(end) for choices in process.actions.values() for each in choices for end in _ends(each))
    widening = rounded_up(widest / (1 - discount) / (fmpz(1) << (bits - _SPARE_BITS)), 8)
    for _ in range(_ROUNDS):
        values = _evaluated(best, discount, precision)
        best = process.best_actions(values, discount, upper=upper)
        differences = [worth - values[x] for x, (_, worth) in best.items()]
        if 2 * (max(differences) - min(differences)) <= widening * (1 - discount):
            break  # the bound is this close to what it bounds
    else:  # policy and adversary change at once and may run in a cycle; the exact solution has T W = W
        if len(process.actions) <= _LARGEST_EXACT:
            values = process.largest(discount) if upper else process.smallest(discount)
            differences = [ZERO]
    residual = max(differences) if upper else min(differences)
    shift = residual / (1 - discount) + (widening if upper else -widening)
    return {x: value + shift for x, value in values.items()}


def _proposed(process: BoxProcess[State], discount: fmpq, *, upper: bool) -> dict[State, fmpq]:
    """Return an approximation of the extreme values, by policy iteration in rounded arithmetic of few bits.

    Against an adversary the iteration may cycle, since both sides change at once; the exact solution is taken then.
    """
    rounded = {id(each): each.rounded(_PROPOSAL_BITS) for choices in process.actions.values() for each in choices}
    coarse = BoxProcess({x: [rounded[id(each)] for each in choices] for x, choices in process.actions.items()})
    near = rounded_down(discount, _PROPOSAL_BITS)
    values = dict.fromkeys(coarse.actions, ZERO)
    for _ in range(_PROPOSAL_ROUNDS):
        before = values
        values = _evaluated(coarse.best_actions(before, near, upper=upper), near, 2 * _PROPOSAL_BITS)
        largest = max(map(abs, values.values()))
        if max(abs(values[x] - before[x]) for x in values) * (fmpz(1) << _PROPOSAL_BITS) <= largest:
            return values
    return coarse.largest(near) if upper else coarse.smallest(near)


def _ends(action: EnclosedAction[State]) -> tuple[fmpq, fmpq]:
    return action.reward.low, action.reward.high


def _extreme(
    action: EnclosedAction[State], values: Mapping[State, fmpq], discount: fmpq, *, upper: bool
) -> tuple[Action[State, int], fmpq]:
    """Return an action with its extreme row for `values`, and its value."""
    after = [values[y] for y in action.to]
    row = action.upper_row(after) if upper else action.lower_row(after)
    reward = action.reward.high if upper else action.reward.low
    return Action(action.name, reward, action.to, row), one_step(row, after, discount, reward)


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

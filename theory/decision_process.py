r"""Finite discounted decision processes with exact data, and policy iteration on them.

In a state x an action pays a reward r and moves by a row q, so it is worth :math:`r + \beta \sum_y q(y) V(y)`, V the
values of the next states. An action may stand for a whole set of rows, such as the L1 ball of a confidence set: its
*greedy rule* then returns a row of the set that is best for V, and the maximum is over rows too (extended value
iteration). The optimal values are the only solution of the Bellman equation
:math:`V(x) = \max_a (r_a + \beta \max_q \sum_y q(y) V(y))`, which certifies them.

Policy iteration (Howard 1960) evaluates a policy by one exact linear system and changes an action where another is
strictly better. Each policy is better than the last, and a greedy rule returns one of finitely many rows, so the
iteration ends with the exact optimum. With many states it starts from the policy at which the same iteration in
floating point comes to rest; nearly always, one exact system then shows that policy optimal. A bad start costs more
rounds, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, Final, Generic, TypeAlias, TypeVar

from flint import fmpq, fmpq_mat

from theory.domain import check_probability, exact_discount
from theory.errors import ModelError, NumberError
from theory.rationals import ONE, Exact, rational
from theory.stopping import one_step

_PROPOSED_FROM: Final = 24  # states from which an exact system costs more than a proposal (measured)

State = TypeVar("State", bound=Hashable)
Name = TypeVar("Name", bound=Hashable)

Row: TypeAlias = Sequence[fmpq]
GreedyRule: TypeAlias = "Callable[[Sequence[fmpq]], Row]"
"""Maps the values of an action's next states to a row of largest expectation."""


class OrderRule:
    """A greedy rule that maps the ranks of the next states' values to a row, and is called once for each order."""

    def __init__(self, rule: Callable[[Sequence[int]], Row]) -> None:
        self._rule = rule
        self._known: dict[tuple[int, ...], Row] = {}

    def __call__(self, values: Sequence[fmpq | int]) -> Row:
        """Return a best row, the same one for the same order."""
        rank = {value: i for i, value in enumerate(sorted(set(values)))}
        order = tuple(rank[value] for value in values)
        row = self._known.get(order)
        if row is None:
            row = self._known[order] = self._rule(order)
        return row


@dataclass(frozen=True)
class Action(Generic[State, Name]):
    """An action: its reward, and its row of next states or a rule that chooses one.

    A policy refers to it by its `name`, unique in its state. The next states `to`, (k,), of probabilities `row`, (k,),
    may come more than once. An action that stands for a set of rows, of which `row` is any member, has a `greedy_rule`
    that returns a best row of the set.
    """

    name: Name
    reward: fmpq
    to: Sequence[State]
    row: Row
    greedy_rule: GreedyRule | None = None

    @property
    def needs_order_only(self) -> bool:
        """Whether its best row depends on the order of the values only."""
        return isinstance(self.greedy_rule, OrderRule)

    def greedy(self, values: Mapping[State, fmpq], ranks: Mapping[State, int] | None = None) -> Action[State, Name]:
        """Return this action with a row that is best for `values`; `ranks`, if given, are the ranks of the values."""
        if self.greedy_rule is None:
            return self
        known: Mapping[State, Any] = ranks if ranks is not None and self.needs_order_only else values
        row = self.greedy_rule([known[y] for y in self.to])
        return self if row is self.row else Action(self.name, self.reward, self.to, row, self.greedy_rule)


@dataclass(frozen=True)
class Solution(Generic[State, Name]):
    """The optimum of a decision process, by state.

    `policy` names an optimal action, and `actions` has it with its best row; `optimal` names all optimal actions, in
    the order in which the process lists them.
    """

    values: dict[State, fmpq]
    policy: dict[State, Name]
    actions: dict[State, Action[State, Name]]
    optimal: dict[State, tuple[Name, ...]]


class DecisionProcess(Generic[State, Name]):
    """A finite decision process with exact data.

    Parameters
    ----------
    states
        Hashable, each once.
    discount
        Exact, ``0 <= discount < 1``.
    actions
        Returns the actions of a state, at least one.
    may_end
        Whether rows may sum to less than 1; with the missing probability play ends and pays nothing more.

    Raise `ModelError` for a discount outside its range, no state or one that comes twice, a state without actions, an
    unknown next state, or a row that is no probability.

    Examples
    --------
    >>> def actions(x):
    ...     return [Action("stay", fmpq(x), [x], [fmpq(1)]), Action("go", fmpq(0), [1 - x], [fmpq(1)])]
    >>> process = DecisionProcess([0, 1], "1/2", actions)
    >>> process.evaluate({0: "stay", 1: "stay"})
    {0: 0, 1: 2}
    >>> best = process.solve()
    >>> best.values, best.optimal
    ({0: 1, 1: 2}, {0: ('go',), 1: ('stay',)})
    >>> process.refutation({0: fmpq(0), 1: fmpq(2)})
    'state 0: claimed value 0, the best action is worth 1'
    """

    def __init__(
        self,
        states: Iterable[State],
        discount: Exact,
        actions: Callable[[State], Iterable[Action[State, Name]]],
        *,
        may_end: bool = False,
    ) -> None:
        self.discount = exact_discount(discount)
        self.actions: dict[State, tuple[Action[State, Name], ...]] = {}
        for x in states:
            if x in self.actions:
                raise ModelError(f"state {x} comes twice")
            self.actions[x] = tuple(actions(x))
        if not self.actions:
            raise ModelError("a decision process needs at least one state")
        self._may_end = may_end
        self._known_rows: dict[int, tuple[Row, tuple[fmpq, ...]]] = {}
        for x, choices in self.actions.items():
            if not choices:
                raise ModelError(f"state {x}: there is no action")
            if len({action.name for action in choices}) < len(choices):
                raise ModelError(f"state {x}: two actions have one name")
            self.actions[x] = tuple(self._check(x, action) for action in choices)

    def worth(self, action: Action[State, Name], values: Mapping[State, fmpq]) -> fmpq:
        """Return the value of taking `action` with its row once, followed by `values`."""
        return one_step(action.row, [values[y] for y in action.to], self.discount, action.reward)

    def evaluate(self, policy: Mapping[State, Name | Action[State, Name]]) -> dict[State, fmpq]:
        """Return the exact value of a policy in every state, by one linear system.

        The policy has for every state the name of an action, or an action itself, whose row then counts.

        Raise `ModelError` if the policy gives a state no action, or an unknown one, or a row is no probability.
        """
        return self._value({x: self._chosen(x, policy) for x in self.actions})

    def solve(self) -> Solution[State, Name]:
        """Return the optimal values, an optimal policy and all optimal actions, by policy iteration."""
        chosen = {x: choices[0] for x, choices in self.actions.items()}
        if len(chosen) >= _PROPOSED_FROM:
            from theory.policy_proposal import propose_policy  # noqa: PLC0415  (NumPy takes time to load)

            chosen = {x: self._check(x, action) for x, action in propose_policy(self.actions, self.discount).items()}
        while True:
            values = self._value(chosen)
            ranks = _ranks(values)
            changed = False
            optimal: dict[State, tuple[Name, ...]] = {}
            for x, choices in self.actions.items():
                worth = [
                    (self.worth(action, values), action) for action in (each.greedy(values, ranks) for each in choices)
                ]
                best = max(value for value, _ in worth)
                if best > values[x]:
                    better = next(action for value, action in worth if value == best)
                    chosen[x] = self._check(x, better)  # a greedy rule is the caller's: its row is an input
                    changed = True
                optimal[x] = tuple(action.name for value, action in worth if value == best)
            if not changed:
                return Solution(values, {x: action.name for x, action in chosen.items()}, chosen, optimal)

    def refutation(self, values: Mapping[State, Exact]) -> str | None:
        """Return why `values` are not the optimal values, in one sentence, or None if they are.

        Values are optimal exactly when they satisfy the Bellman equation in every state; this needs no policy.
        """
        for x in self.actions:
            if x not in values:
                return f"state {x}: no value is claimed"
        claimed = {x: rational(values[x]) for x in self.actions}
        ranks = _ranks(claimed)
        for x, choices in self.actions.items():
            best = max(self.worth(action.greedy(claimed, ranks), claimed) for action in choices)
            if best != claimed[x]:
                return f"state {x}: claimed value {claimed[x]}, the best action is worth {best}"
        return None

    def _value(self, chosen: Mapping[State, Action[State, Name]]) -> dict[State, fmpq]:
        effects = {x: (chosen[x].reward, zip(chosen[x].to, chosen[x].row, strict=True)) for x in self.actions}
        return values_of_chain(effects, self.discount)

    def _chosen(self, x: State, policy: Mapping[State, Name | Action[State, Name]]) -> Action[State, Name]:
        if x not in policy:
            raise ModelError(f"policy, state {x}: the policy names no action for it")
        choice = policy[x]
        if isinstance(choice, Action):
            return self._check(x, choice)
        for action in self.actions[x]:
            if action.name == choice:
                return action
        names = ", ".join(str(action.name) for action in self.actions[x])
        raise ModelError(f"policy, state {x}: no action is called {choice!r}; the actions are {names}")

    def _check(self, x: State, action: Action[State, Name]) -> Action[State, Name]:
        try:
            if len(action.row) != len(action.to):
                raise ModelError(f"{len(action.row)} probabilities for {len(action.to)} next states")
            row, reward = self._checked_row(action.row), rational(action.reward)
            for y in action.to:
                if y not in self.actions:
                    raise ModelError(f"{y} is not a state")
        except (ModelError, NumberError) as error:
            raise type(error)(f"state {x}, action {action.name}: {error}") from None
        if row is action.row and reward is action.reward:
            return action
        return Action(action.name, reward, action.to, row, action.greedy_rule)

    def _checked_row(self, row: Row) -> tuple[fmpq, ...]:
        """Return a row as exact rationals; a row that several actions share is checked once."""
        if id(row) not in self._known_rows:  # kept, so that no other row has its id
            self._known_rows[id(row)] = row, check_probability(row, may_be_less=self._may_end)
        return self._known_rows[id(row)][1]


def _ranks(values: Mapping[State, fmpq]) -> dict[State, int]:
    """Return the rank of each value, equal ranks for equal values."""
    ranks: dict[State, int] = {}
    for _, together in groupby(sorted(values, key=values.__getitem__), key=values.__getitem__):
        ranks |= dict.fromkeys(together, len(ranks))
    return ranks


def values_of_chain(
    effects: Mapping[State, tuple[fmpq, Iterable[tuple[State, fmpq]]]], discount: fmpq
) -> dict[State, fmpq]:
    """Return the value of each state of a Markov reward process, from its reward and its next states."""
    position = {x: i for i, x in enumerate(effects)}
    system, right = fmpq_mat(len(position), len(position)), fmpq_mat(len(position), 1)
    for i, (reward, moves) in enumerate(effects.values()):
        system[i, i], right[i, 0] = ONE, reward
        for y, probability in moves:
            if probability:
                system[i, position[y]] -= discount * probability
    solution = system.solve(right)
    return {x: solution[i, 0] for x, i in position.items()}

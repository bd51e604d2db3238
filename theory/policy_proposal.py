"""A policy for a decision process by policy iteration in floating point: an uncertified proposal.

Rows that a greedy rule returns stay exact; floats only decide the order of the next states.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, Final, TypeVar

import numpy as np
from flint import fmpq
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from theory.errors import NumberError
from theory.rationals import nearest_float, value_of_float

_ROUNDS: Final = 50
_GAIN: Final = 1e-11  # of the largest value; smaller gains are rounding errors


State = TypeVar("State")


def propose_policy(actions: Mapping[State, Sequence[Any]], discount: fmpq) -> dict[State, Any]:
    """Return an `Action` with its row for each state: the fixed point of policy iteration in floating point.

    If the numbers overflow, or the iteration does not come to rest, the policy is an arbitrary one.
    """
    try:
        table = _Table(actions, nearest_float(discount))
    except NumberError:  # beyond the range of floats
        return {x: choices[0] for x, choices in actions.items()}
    chosen, values = table.first.copy(), np.full(len(actions), np.nan)
    # the systems are too small for several threads
    with np.errstate(all="ignore"), _thread_pools().limit(limits=1, user_api="blas"):
        for _ in range(_ROUNDS):
            values = table.evaluate(chosen)
            if not np.isfinite(values).all() or not table.improve(chosen, values):
                break
    best = chosen.tolist()
    found = table.greedy(best, values) if np.isfinite(values).all() else [table.actions[k] for k in best]
    return dict(zip(actions, found, strict=True))


@cache
def _thread_pools() -> ThreadpoolController:
    """Return the pools of the libraries that NumPy has loaded; finding them takes milliseconds."""
    return ThreadpoolController()


class _Table:
    """All actions in floating point, one after the other, with their current rows."""

    def __init__(self, actions: Mapping[Any, Sequence[Any]], discount: float) -> None:
        self._states = list(actions)
        self.actions: list[Any] = list(chain.from_iterable(actions.values()))
        counts = [len(each) for each in actions.values()]
        lengths = [len(action.to) for action in self.actions]
        position = {x: i for i, x in enumerate(actions)}
        self.first: NDArray[np.intp] = np.cumsum([0, *counts[:-1]])
        self._owner = np.repeat(np.arange(len(counts)), counts)
        self._discount = discount
        self._rewards = np.array([nearest_float(action.reward) for action in self.actions])
        self._action_of = np.repeat(np.arange(len(self.actions)), lengths)
        self._to = np.array([position[y] for action in self.actions for y in action.to], dtype=np.intp)
        self._row = np.array([nearest_float(p) for action in self.actions for p in action.row])
        self._begins = np.cumsum([0, *lengths])
        self._known: dict[int, tuple[Any, list[float]]] = {}
        with_rule = [k for k, action in enumerate(self.actions) if action.greedy_rule is not None]
        self._by_values = [k for k in with_rule if not self.actions[k].needs_order_only]
        by_order = [k for k in with_rule if self.actions[k].needs_order_only]
        self._by_order = [np.array([k for k in by_order if lengths[k] == m]) for m in {lengths[k] for k in by_order}]
        rules = {id(self.actions[k].greedy_rule): k for k in by_order}
        self._rule = np.array([rules.get(id(action.greedy_rule), -1) for action in self.actions])

    def evaluate(self, chosen: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the values of the chosen actions by state; not finite if the system cannot be solved."""
        size = len(chosen)
        state_of = np.full(len(self.actions), -1)
        state_of[chosen] = np.arange(size)
        rows = state_of[self._action_of]
        used = rows >= 0
        system = np.eye(size)
        np.subtract.at(system, (rows[used], self._to[used]), self._discount * self._row[used])
        try:
            return np.linalg.solve(system, self._rewards[chosen])
        except np.linalg.LinAlgError:
            return np.full(size, np.nan)

    def improve(self, chosen: NDArray[np.intp], values: NDArray[np.float64]) -> bool:
        """Give each action with a rule its best row and each state its best action; return whether a state gained."""
        if self._by_values:
            for k, action in zip(self._by_values, self.greedy(self._by_values, values), strict=True):
                self._row[self._begins[k] : self._begins[k + 1]] = self._floats_of(action.row)
        for alike in self._by_order:
            cells = self._begins[alike][:, None] + np.arange(self._begins[alike[0] + 1] - self._begins[alike[0]])
            orders = np.column_stack([self._rule[alike], _ranks(values[self._to[cells]])])
            kinds, which = np.unique(orders, axis=0, return_inverse=True)
            rows = [self.actions[k].greedy_rule(order) for k, *order in kinds.tolist()]
            self._row[cells] = np.array([self._floats_of(row) for row in rows])[which.ravel()]
        after = np.bincount(self._action_of, self._row * values[self._to], minlength=len(self.actions))
        worth = self._rewards + self._discount * after
        best = np.maximum.reduceat(worth, self.first)
        gain = best - values > _GAIN * max(abs(values).max(), 1e-300)
        at_best = np.flatnonzero(worth == best[self._owner])
        owners, where = np.unique(self._owner[at_best], return_index=True)
        chosen[owners[gain]] = at_best[where[gain]]
        return bool(gain.any())

    def greedy(self, ks: Sequence[int], values: NDArray[np.float64]) -> list[Any]:
        """Return these actions with rows that are best for `values`."""
        exact = dict(zip(self._states, map(value_of_float, values.tolist()), strict=True))
        ranks = dict(zip(self._states, np.unique(values, return_inverse=True)[1].tolist(), strict=True))
        return [self.actions[k].greedy(exact, ranks) for k in ks]

    def _floats_of(self, row: Sequence[fmpq]) -> list[float]:
        """Return a row in floats; rows that a rule returns for several states are one object, converted once."""
        if id(row) not in self._known:
            self._known[id(row)] = row, [nearest_float(p) for p in row]  # kept, so that no other has its id
        return self._known[id(row)][1]


def _ranks(values: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return the ranks within each row of `values`, equal ranks for equal values."""
    order = np.argsort(values, axis=1)
    ordered = np.take_along_axis(values, order, axis=1)
    steps = np.zeros_like(order)
    np.cumsum(ordered[:, 1:] > ordered[:, :-1], axis=1, out=steps[:, 1:])
    ranks = np.empty_like(order)
    np.put_along_axis(ranks, order, steps, axis=1)
    return ranks

"""A policy for a decision process by policy iteration in floating point: an uncertified proposal.

Rows that a greedy rule returns stay exact; floats only decide the order of the next states.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

from flint import fmpq

from theory.errors import NumberError
from theory.rationals import nearest_float, value_of_float

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_ROUNDS: Final = 50
_GAIN: Final = 1e-11  # of the largest value; smaller gains are rounding errors


class ProposedAction(Protocol):
    """The interface of an action; see `theory.decision_process`."""

    @property
    def reward(self) -> fmpq: ...  # noqa: D102
    @property
    def to(self) -> Sequence[Any]: ...  # noqa: D102
    @property
    def row(self) -> Sequence[fmpq]: ...  # noqa: D102
    @property
    def greedy_rule(self) -> Any: ...  # noqa: D102
    def greedy(self, values: Mapping[Any, fmpq], ranks: Mapping[Any, int]) -> Any: ...  # noqa: D102


State = TypeVar("State")
AnAction = TypeVar("AnAction", bound=ProposedAction)


def propose_policy(actions: Mapping[State, Sequence[AnAction]], discount: fmpq) -> dict[State, AnAction]:
    """Return an action with its row for each state: the fixed point of policy iteration in floating point.

    If the numbers overflow, or the iteration does not come to rest, the policy is an arbitrary one.
    """
    import numpy as np  # noqa: PLC0415  (`import theory` stays light)
    from threadpoolctl import threadpool_limits  # noqa: PLC0415

    try:
        table = _Table(actions, nearest_float(discount))
    except NumberError:  # beyond the range of floats
        return {x: choices[0] for x, choices in actions.items()}
    chosen = table.first.copy()
    with np.errstate(all="ignore"), threadpool_limits(1, user_api="blas"):  # the systems are too small to share
        for _ in range(_ROUNDS):
            values = table.evaluate(chosen)
            if not np.isfinite(values).all() or not table.improve(chosen, values):
                break
    return {x: table.actions[k] for x, k in zip(actions, chosen.tolist(), strict=True)}


class _Table:
    """All actions in floating point, one after the other, with their current rows."""

    def __init__(self, actions: Mapping[Any, Sequence[Any]], discount: float) -> None:
        import numpy as np  # noqa: PLC0415

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
        self._row = np.array(_as_floats(self.actions))
        self._begins = np.cumsum([0, *lengths])
        self._known: dict[int, tuple[Any, list[float]]] = {}
        self._with_rule = [k for k, action in enumerate(self.actions) if action.greedy_rule is not None]

    def evaluate(self, chosen: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the values of the chosen actions by state; not finite if the system cannot be solved."""
        import numpy as np  # noqa: PLC0415

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
        import numpy as np  # noqa: PLC0415

        if self._with_rule:
            exact = dict(zip(self._states, map(value_of_float, values.tolist()), strict=True))
            ranks = dict(zip(self._states, np.unique(values, return_inverse=True)[1].tolist(), strict=True))
            for k in self._with_rule:
                action = self.actions[k].greedy(exact, ranks)
                if action is not self.actions[k]:
                    self.actions[k] = action
                    self._row[self._begins[k] : self._begins[k + 1]] = self._floats_of(action.row)
        after = np.bincount(self._action_of, self._row * values[self._to], minlength=len(self.actions))
        worth = self._rewards + self._discount * after
        best = np.maximum.reduceat(worth, self.first)
        gain = best - values > _GAIN * max(abs(values).max(), 1e-300)
        at_best = np.flatnonzero(worth == best[self._owner])
        owners, where = np.unique(self._owner[at_best], return_index=True)
        chosen[owners[gain]] = at_best[where[gain]]
        return bool(gain.any())

    def _floats_of(self, row: Sequence[fmpq]) -> list[float]:
        """Return a row in floats; rows that a rule returns for several states are one object, converted once."""
        if id(row) not in self._known:
            self._known[id(row)] = row, [nearest_float(p) for p in row]  # kept, so that no other has its id
        return self._known[id(row)][1]


def _as_floats(actions: Iterable[Any]) -> list[float]:
    return [nearest_float(p) for action in actions for p in action.row]

"""An order of the states by non-increasing index, computed in floating point: an uncertified proposal.

The state of largest reward per time comes first and is folded into the others, whose rewards and times then include
what is earned and spent in it; the next state follows likewise (Sonin 2008). If a state is hardly ever left, floats
overflow; the proposal then still has every state once, but its order is a guess.
"""

from __future__ import annotations

from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

from flint import fmpq

from theory.model import Arm
from theory.rationals import nearest_float

if TYPE_CHECKING:
    import numpy as np

_STEPS_BETWEEN = 128  # steps after which folded states leave the table
_SMALL = 12  # states up to which arrays take longer than lists
_SPARSE_FROM = 40
_SPARSE_UP_TO = fmpq(1, 8)  # share of non-zero entries up to which sparse folding is used
_PRODUCTS = 400  # products that take as long in a full table as one does alone (measured)
_NO_RATE = -1e300  # rate of a state whose numbers have overflowed, so that it comes last


def propose_order(arm: Arm, discount: fmpq) -> list[int]:
    """Return the states, each once, in an order of probably non-increasing index."""
    size = arm.size
    # rewards mapped affinely onto [0, 1], exactly, so that no size of number overflows
    low, high = min(arm.rewards), max(arm.rewards)
    width = high - low or fmpq(1)
    rewards = [nearest_float((reward - low) / width) for reward in arm.rewards]
    if size <= _SMALL or size >= _SPARSE_FROM:
        found = _propose_sparsely(arm, nearest_float(discount), rewards)
        if found is not None:
            return found
    import numpy as np  # noqa: PLC0415  (a small arm needs none, and its command no time for the import)

    # beta*Q, reward and time side by side; one rank-one update folds a chosen state into all rows
    table = np.ones((size, size + 2))
    table[:, :size] = [[n / d for n in row] for d, row in arm.integer_rows]
    table[:, :size] *= nearest_float(discount)
    table[:, size] = rewards
    order: list[int] = []
    states = np.arange(size)
    while states.size:
        change, rates = np.empty_like(table), np.empty(states.size)
        reward, time = table[:, -2], table[:, -1]
        chosen: list[np.intp] = []
        with np.errstate(over="ignore", invalid="ignore"):
            for _ in range(min(_STEPS_BETWEEN, states.size)):
                np.divide(reward, time, out=rates)
                rates[np.isnan(rates)] = _NO_RATE
                rates[chosen] = -np.inf  # below all others
                k = rates.argmax()
                chosen.append(k)
                factors = table[:, k] / max(1.0 - table[k, k], 1e-300)
                table += np.multiply(factors[:, None], table[k], out=change)
        order += states[chosen].tolist()
        left = np.delete(np.arange(states.size), chosen)
        table = table[left][:, np.append(left, (states.size, states.size + 1))]
        states = states[left]
    return order


def _propose_sparsely(arm: Arm, discount: float, rewards: list[float]) -> list[int] | None:
    """Return an order like `propose_order`, from non-zero entries only, or None if these are too many."""
    size = arm.size
    if size > _SMALL and sum(map(len, arm.entries)) > _SPARSE_UP_TO * size * size:
        return None
    left = size**3 if size <= _SMALL else size**3 // _PRODUCTS
    rows = [{y: discount * (n / d) for y, n in pairs} for d, pairs in arm.integer_entries]
    leading_to: list[set[int]] = [set() for _ in range(size)]  # per state, the remaining states that lead to it
    for x, row in enumerate(rows):
        for y in row:
            leading_to[y].add(x)
    reward, time = rewards[:], [1.0] * size
    lost: list[float | None] = [-rate for rate in rewards]  # None for a chosen state
    waiting = [(-rate, x) for x, rate in enumerate(rewards)]  # a heap; only the last entry of a state is valid
    heapify(waiting)
    order: list[int] = []
    while waiting:
        rate, k = heappop(waiting)
        if lost[k] != rate:
            continue
        lost[k] = None
        order.append(k)
        row = rows[k]
        leaving = max(1.0 - row.pop(k, 0.0), 1e-300)
        for y in row:
            leading_to[y].discard(k)
        leading_to[k].discard(k)
        left -= (len(row) + 1) * len(leading_to[k])
        if left < 0:
            return None
        for x in leading_to[k]:
            other = rows[x]
            factor = other.pop(k) / leaving
            for y, p in row.items():
                other[y] = other.get(y, 0.0) + factor * p
                leading_to[y].add(x)
            reward[x] += factor * reward[k]
            time[x] += factor * time[k]
            rate = -reward[x] / time[x]
            lost[x] = rate = rate if rate == rate else -_NO_RATE  # noqa: PLR0124  (not a number)
            heappush(waiting, (rate, x))
    return order

r"""One exact elimination of an arm, state after state in a given order: the basis of indices and priority values.

Let C be the first states of the order, and T the first time at which the arm, played alone, is outside C. The
elimination is of :math:`[I - \beta Q \mid r \mid 1]` in that order. At the pivot of the next state x, the two appended
entries are the discounted reward and the discounted time of playing from x until the arm leaves C and x; their quotient
is the *rate* of x. Sorted by non-increasing Gittins index, rates are indices (Varaiya, Walrand and Buyukkoc 1985).

A row appended for a starting state y also gives the drop of :math:`E_y \beta^T` when x joins C: :math:`(1-\beta)` times
the discounted mass that y puts on x on leaving C, times the time of x, over the pivot of x.

Each row is multiplied by its common denominator, so that the elimination runs on integers: by FLINT for few states; for
many states on non-zero entries only if these are few, and modulo many primes otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import repeat

from flint import fmpq, fmpq_mat, fmpz, fmpz_mat

from theory.elimination.sparse import BorderedMinors, sparse_minors
from theory.model import Arm
from theory.rationals import ONE

LARGE = 70
"""Number of states from which FLINT's elimination is not the fastest (measured)."""

_COUNTED_UP_TO = fmpq(3, 4)  # share of non-zero entries above which their products are not counted
_SPARSE_UP_TO = fmpq(1, 32)  # share of non-zero products up to which sparse elimination is fastest (measured)


@dataclass(frozen=True)
class IntegerRows:
    r"""The integer rows of :math:`[I - \beta Q \mid r \mid 1]`, rows and columns in an order.

    Each row is multiplied by its own factor, its last entry. A row after the others belongs to a starting state.
    """

    entries: list[dict[int, int]]  # per row, the non-zero entries of its S + 2 columns
    size: int
    reward_scale: int  # the factor by which the column of rewards is too large
    largest_reward: int  # in absolute value, scaled; at least 1
    discount: fmpq

    @cached_property
    def rows(self) -> list[list[int]]:
        """The rows with their zeros, (S, S + 2) or (S + 1, S + 2)."""
        columns = range(self.size + 2)
        return [list(map(row.get, columns, repeat(0))) for row in self.entries]

    @property
    def bounds(self) -> list[int]:
        r"""By pivot: a bordered minor is at most the bound times the leading minor before it, in absolute value.

        The bound is the row's factor times the largest reward over :math:`1-\beta`.
        """
        p, q = int(self.discount.p), int(self.discount.q)
        last = self.size + 1
        return [-(-row[last] * self.largest_reward * q // (q - p)) for row in self.entries[: self.size]]

    def rates(self, columns: Sequence[tuple[fmpz, fmpz]]) -> list[fmpq]:
        """Return the quotient of reward and time for each pair of bordered minors."""
        return [fmpq(reward, time * self.reward_scale) for reward, time in columns]


def integer_rows(arm: Arm, discount: fmpq, order: Sequence[int], start: int | None = None) -> IntegerRows:
    """Return the rows to eliminate, with one for the state `start` if it is given."""
    p, q = int(discount.p), int(discount.q)
    numerators_of_rewards, reward_scale = fmpq_mat([arm.rewards]).numer_denom()
    rewards = [int(reward) for reward in numerators_of_rewards.entries()]
    place, size = {x: k for k, x in enumerate(order)}, len(order)
    rows: list[dict[int, int]] = []
    for k, x in enumerate(order):
        denominator, numerators = arm.integer_entries[x]
        factor = q * denominator
        row = {place[y]: -p * numerator for y, numerator in numerators} if p else {}
        row[k] = row.get(k, 0) + factor
        if rewards[x]:
            row[size] = factor * rewards[x]
        row[size + 1] = factor
        rows.append(row)
    if start is not None:
        rows.append({place[start]: 1})
    return IntegerRows(rows, size, int(reward_scale), max(1, *map(abs, rewards)), discount)


def minors_along(system: IntegerRows) -> BorderedMinors:
    """Return the bordered minors by the fastest elimination; all eliminations give the same integers."""
    size = system.size
    if size >= LARGE:
        few = sum(map(len, system.entries)) <= _COUNTED_UP_TO * size * size
        if few and share_of_products(system.entries, size) <= _SPARSE_UP_TO:
            return sparse_minors(system.entries, size)
        from theory.elimination.modular import bordered_minors  # noqa: PLC0415  (NumPy takes time to load)

        return bordered_minors(system.rows, system.bounds)
    # leading minors of I - beta*Q are positive, so the elimination never exchanges rows
    _, lower, _, upper = fmpz_mat(system.rows).fflu()
    return BorderedMinors(
        [upper[k, k] for k in range(size)],
        [(upper[k, size], upper[k, size + 1]) for k in range(size)],
        [lower[size, k] for k in range(size)] if len(system.rows) > size else [],
    )


def rates_along(arm: Arm, discount: fmpq, order: Sequence[int]) -> list[fmpq]:
    """Return the rate of each state of `order`, exactly.

    Examples
    --------
    >>> arm = Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], ["1/2", "1/2"]])
    >>> rates_along(arm, fmpq(1, 2), [0, 1]), rates_along(arm, fmpq(1, 2), [1, 0])
    ([1, 1/4], [0, 3/4])
    """
    system = integer_rows(arm, discount, order)
    return system.rates(minors_along(system).columns)


def rates_and_drops(arm: Arm, discount: fmpq, order: Sequence[int], start: int) -> tuple[list[fmpq], list[fmpq]]:
    r"""Return the rate of each state of `order`, and the drop of :math:`E \beta^T` from `start` as it joins C.

    Examples
    --------
    >>> arm = Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], ["1/2", "1/2"]])
    >>> rates_and_drops(arm, fmpq(1, 2), [0, 1], start=0)
    ([1, 1/4], [2/3, 1/3])
    """
    system = integer_rows(arm, discount, order, start)
    minors = minors_along(system)
    drops, before = [], fmpz(1)
    for leading, (_, time), mass in zip(minors.leading, minors.columns, minors.row, strict=True):
        drops.append((ONE - discount) * fmpq(mass * time, before * leading))
        before = leading
    return system.rates(minors.columns), drops


def share_of_products(rows: Sequence[Mapping[int, int]], size: int) -> fmpq:
    """Return the share of non-zero products in a full elimination of `rows`, fill-in included.

    Examples
    --------
    >>> share_of_products([{0: 2, 1: -1}, {1: 2}], 2), share_of_products([{0: 3, 1: 1, 2: 1}] * 3, 3)
    (0, 1)
    """
    # a pattern has a bit per column, set where the row's entry is not zero
    patterns = [sum(1 << y for y in row if y < size) for row in rows[:size]]
    products = 0
    for k in range(size):
        pivot = 1 << k
        right = patterns[k] >> k + 1 << k + 1
        for x in range(k + 1, size):
            if patterns[x] & pivot:
                patterns[x] |= right
                products += right.bit_count()
    return fmpq(6 * products, max(1, (size - 1) * size * (2 * size - 1)))

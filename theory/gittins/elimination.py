r"""Gittins indices by one fraction-free elimination, in a proposed and then certified order. The default.

Sort the states by non-increasing index and eliminate, in that order, the matrix :math:`[I - \beta Q \mid r \mid 1]`.
When the k-th pivot is reached, its two appended entries are the discounted reward and the discounted time of playing
from state k until the chain leaves the k states met so far, so their quotient is the index of state k
(Varaiya, Walrand and Buyukkoc 1985). Rows are cleared of denominators and the elimination runs on integers: by FLINT
for few states, modulo many primes for many.

The order is *proposed* in floating point and *certified* by the exact quotients: it is right exactly when they do not
increase, ties allowed. A state that should have come earlier stays above every later pivot, because eliminating one
more state replaces its quotient by a weighted average of itself and the pivot's; so it shows as an increase. Then an
order is proposed with more digits, and if that fails too, the pivots are chosen exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter

from flint import fmpq, fmpz, fmpz_mat

from theory.gittins.fixed_point import propose_order_in_fixed_point
from theory.gittins.modular import appended_minors
from theory.model import Arm

MODULAR_FROM = 80
"""Number of states from which the elimination of a dense arm is faster modulo primes (measured)."""


@dataclass(frozen=True)
class IntegerSystem:
    r"""The rows to eliminate.

    Attributes
    ----------
    rows : (S, S + 2) integers
        Of :math:`[I - \beta Q \mid r \mid 1]`, each times its own factor.
    reward_scale
        The factor by which their last but one entries are too large.
    bound
        No appended entry of a fraction-free elimination, in whatever order, is larger in absolute value.
    """

    rows: list[list[fmpz]]
    reward_scale: fmpz
    bound: fmpz

    def arranged(self, order: Sequence[int]) -> fmpz_mat:
        """Return the matrix with rows and columns in `order`, the two appended columns last."""
        size = len(order)
        columns = itemgetter(*order, size, size + 1)
        return fmpz_mat([columns(self.rows[x]) for x in order])

    def quotient(self, reward: fmpz, time: fmpz) -> fmpq:
        """Return the index that two appended entries of one row stand for."""
        return fmpq(reward, time * self.reward_scale)


def indices_by_elimination(arm: Arm, discount: fmpq) -> tuple[fmpq, ...]:
    """Return the Gittins index of every state of `arm`, exactly.

    Parameters
    ----------
    arm
        S states.
    discount
        ``0 <= discount < 1``.

    Examples
    --------
    >>> indices_by_elimination(Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], ["1/2", "1/2"]]), fmpq(1, 2))
    (1, 1/4)
    """
    indices, _ = indices_and_certainty(arm, discount, propose_order(arm, discount))
    return indices


def indices_and_certainty(arm: Arm, discount: fmpq, order: Sequence[int]) -> tuple[tuple[fmpq, ...], bool]:
    """Return the indices, and whether the proposed `order` (a permutation of the states) was certified.

    Where it was not, the indices come from exactly chosen pivots; they are right either way.
    """
    system = integer_system(arm, discount)
    quotients = _quotients_along(system, order)
    certified = _do_not_increase(quotients)
    if not certified:
        order = propose_order_in_fixed_point(arm, discount)
        quotients = _quotients_along(system, order)
        if not _do_not_increase(quotients):
            order, quotients = _choose_pivots_exactly(system)
    indices = [fmpq(0)] * arm.size
    for state, quotient in zip(order, quotients, strict=True):
        indices[state] = quotient
    return tuple(indices), certified


def integer_system(arm: Arm, discount: fmpq) -> IntegerSystem:
    r"""Return :math:`[I - \beta Q \mid r \mid 1]` in integers.

    Each row is multiplied by its own least common denominator, and the column of rewards by that of all rewards: so
    their denominators stay out of the pivots.

    The bound: the leading minors of :math:`I - \beta Q`, in any order, are products of pivots that lie in (0, 1], since
    each is 1 minus the discounted probability of coming back; so those of the integer rows are at most the product of
    their factors. The time entry is such a minor times the next row's factor times a discounted time, which is at most
    :math:`1/(1-\beta)`; the reward entry at most the largest absolute value of a (scaled) reward times that.
    """
    p, q = discount.p, discount.q
    reward_scale = fmpz(1)
    for reward in arm.rewards:
        reward_scale = reward_scale.lcm(reward.q)
    rows = []
    product = fmpz(1)
    for x, (denominator, numerators) in enumerate(arm.integer_rows):
        scale = q * denominator
        row = [-p * numerator for numerator in numerators]
        row[x] += scale
        reward = arm.rewards[x]
        row.append(scale * (reward_scale // reward.q) * reward.p)
        row.append(scale)
        rows.append(row)
        product *= scale
    largest_reward = max(abs(reward) for reward in arm.rewards) * reward_scale
    return IntegerSystem(rows, reward_scale, (product * max(largest_reward, fmpq(1)) / (1 - discount)).ceil())


def propose_order(arm: Arm, discount: fmpq) -> list[int]:
    """Return the states by non-increasing index as floating point sees it: a proposal, certified by nothing."""
    import numpy as np  # noqa: PLC0415  (only the proposal needs it; `import theory` stays light)

    size = arm.size
    # rewards mapped affinely onto [0, 1], exactly, so that no size of number overflows
    low, high = min(arm.rewards), max(arm.rewards)
    width = high - low or fmpq(1)
    # beta*Q, reward and time side by side; a chosen state is folded into all rows by one rank-one update
    table = np.ones((size, size + 2))
    table[:, :size] = [_as_floats(numerators, int(denominator)) for denominator, numerators in arm.integer_rows]
    table[:, :size] *= _as_float(discount)
    table[:, size] = [_as_float((reward - low) / width) for reward in arm.rewards]
    reward, time = table[:, size], table[:, size + 1]
    chosen = np.zeros(size)  # more than any quotient, for the states already chosen
    order: list[int] = []
    for _ in range(size):
        k = int((reward / time - chosen).argmax())
        order.append(k)
        chosen[k] = 2.0
        table += (table[:, k] / max(1.0 - table[k, k], 1e-300))[:, None] * table[k]
    return order


def _as_floats(numerators: Sequence[fmpz], denominator: int) -> list[float]:
    return [int(numerator) / denominator for numerator in numerators]


def _as_float(value: fmpq) -> float:
    return int(value.p) / int(value.q)


def _quotients_along(system: IntegerSystem, order: Sequence[int]) -> list[fmpq]:
    size = len(order)
    matrix = system.arranged(order)
    if is_faster_modulo_primes(matrix):
        minors = appended_minors(matrix.tolist(), system.bound)
    else:
        # leading minors of I - beta*Q are positive, so the elimination never exchanges rows
        _, _, _, upper = matrix.fflu()
        minors = [(upper[k, size], upper[k, size + 1]) for k in range(size)]
    return [system.quotient(reward, time) for reward, time in minors]


def is_faster_modulo_primes(matrix: fmpz_mat) -> bool:
    """Return whether to eliminate modulo primes; either way gives the same integers.

    FLINT's elimination gains from zeros, the other does not. So what counts is the number of products of non-zero
    entries per state, fill-in included: a sparse arm needs more states.
    """
    size = matrix.nrows()
    if size < MODULAR_FROM:
        return False
    # bit y of a row's pattern stands for column y
    patterns = [int("".join("01"[entry != 0] for entry in reversed(row)), 2) for row in matrix.tolist()]
    products = 0
    for k, pivot_row in enumerate(patterns):
        right = pivot_row >> k + 1 << k + 1
        below = [x for x in range(k + 1, size) if patterns[x] >> k & 1]
        products += right.bit_count() * len(below)
        for x in below:
            patterns[x] |= right
    return 3 * products >= MODULAR_FROM**2 * size


def _do_not_increase(quotients: Sequence[fmpq]) -> bool:
    return all(later <= earlier for earlier, later in pairwise(quotients))


def _choose_pivots_exactly(system: IntegerSystem) -> tuple[list[int], list[fmpq]]:
    """Largest remaining quotient first, decided by exact comparison, in Bareiss's fraction-free elimination."""
    size = len(system.rows)
    table = [list(row) for row in system.rows]
    remaining = list(range(size))
    order: list[int] = []
    quotients: list[fmpq] = []
    previous = fmpz(1)
    while remaining:
        best = max(remaining, key=lambda x: fmpq(table[x][size], table[x][size + 1]))
        pivot_row, pivot = table[best], table[best][best]
        order.append(best)
        quotients.append(system.quotient(pivot_row[size], pivot_row[size + 1]))
        remaining.remove(best)
        columns = [*remaining, size, size + 1]
        for x in remaining:
            row = table[x]
            factor = row[best]
            for y in columns:
                row[y] = (pivot * row[y] - factor * pivot_row[y]) // previous
        previous = pivot
    return order, quotients

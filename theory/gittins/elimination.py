r"""Gittins indices by one fraction-free elimination, in a proposed and then certified order. The default.

Sort the states by non-increasing index and eliminate, in that order, the matrix :math:`[I - \beta Q \mid r \mid 1]`.
When the k-th pivot is reached, its two appended entries are the discounted reward and the discounted time of playing
from state k until the chain leaves the k states met so far, so their quotient is the index of state k
(Varaiya, Walrand and Buyukkoc 1985). Rows are cleared of denominators and FLINT runs the elimination on integers.

The order is *proposed* in floating point and *certified* by the exact quotients: it is right exactly when they do not
increase, ties allowed. A state that should have come earlier stays above every later pivot, because eliminating one
more state replaces its quotient by a weighted average of itself and the pivot's; so it shows as an increase. Then the
elimination is repeated with exactly chosen pivots.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from flint import fmpq, fmpz, fmpz_mat

from theory.model import Arm


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
    >>> indices_by_elimination(Arm([1, 0], [["1/2", "1/2"], ["1/2", "1/2"]]), fmpq(1, 2))
    (1, 1/4)
    """
    indices, _ = indices_and_certainty(arm, discount, propose_order(arm, discount))
    return indices


def indices_and_certainty(arm: Arm, discount: fmpq, order: Sequence[int]) -> tuple[tuple[fmpq, ...], bool]:
    """Return the indices, and whether the proposed `order` (a permutation of the states) was certified.

    Where it was not, the indices come from exactly chosen pivots; they are right either way.
    """
    rows = integer_system(arm, discount)
    quotients = _quotients_along(rows, order)
    certified = all(later <= earlier for earlier, later in pairwise(quotients))
    if not certified:
        order, quotients = _choose_pivots_exactly(rows)
    indices = [fmpq(0)] * arm.size
    for state, quotient in zip(order, quotients, strict=True):
        indices[state] = quotient
    return tuple(indices), certified


def integer_system(arm: Arm, discount: fmpq) -> list[list[fmpz]]:
    r"""Return :math:`[I - \beta Q \mid r \mid 1]`, each row multiplied by its least common denominator."""
    p, q = discount.p, discount.q
    rows = []
    for x, (denominator, numerators) in enumerate(arm.integer_rows):
        reward = arm.rewards[x]
        scale = q * denominator
        lift = reward.q // scale.gcd(reward.q)
        weight = -p * lift
        scale *= lift
        row = [weight * numerator for numerator in numerators]
        row[x] += scale
        row.append(scale // reward.q * reward.p)
        row.append(scale)
        rows.append(row)
    return rows


def propose_order(arm: Arm, discount: fmpq) -> list[int]:
    """Return the states by non-increasing index as floating point sees it: a proposal, certified by nothing."""
    import numpy as np  # noqa: PLC0415  (only the proposal needs it; `import theory` stays light)

    size = arm.size
    # rewards mapped affinely onto [0, 1], exactly, so that no size of number overflows
    low, high = min(arm.rewards), max(arm.rewards)
    width = high - low or fmpq(1)
    reward = np.array([_as_float((r - low) / width) for r in arm.rewards])
    time = np.ones(size)
    kernel = _as_float(discount) * np.array(
        [[int(n) / int(d) for n in numerators] for d, numerators in arm.integer_rows], dtype=float
    )
    open_ = np.ones(size, dtype=bool)
    order: list[int] = []
    for _ in range(size):
        k = int(np.argmax(np.where(open_, reward / time, -np.inf)))
        order.append(k)
        open_[k] = False
        column = kernel[:, k] / max(1.0 - kernel[k, k], 1e-300)
        column[~open_] = 0.0
        reward += column * reward[k]
        time += column * time[k]
        kernel += np.outer(column, kernel[k])
    return order


def _as_float(value: fmpq) -> float:
    return int(value.p) / int(value.q)


def _quotients_along(rows: Sequence[Sequence[fmpz]], order: Sequence[int]) -> list[fmpq]:
    size = len(rows)
    columns = [*order, size, size + 1]
    system = fmpz_mat([[rows[x][y] for y in columns] for x in order])
    # leading minors of I - beta*Q are positive, so the elimination never exchanges rows
    _, _, _, upper = system.fflu()
    return [fmpq(upper[k, size], upper[k, size + 1]) for k in range(size)]


def _choose_pivots_exactly(rows: Sequence[Sequence[fmpz]]) -> tuple[list[int], list[fmpq]]:
    """Largest remaining quotient first, decided by exact comparison, in Bareiss's fraction-free elimination."""
    size = len(rows)
    table = [list(row) for row in rows]
    remaining = list(range(size))
    order: list[int] = []
    quotients: list[fmpq] = []
    previous = fmpz(1)
    while remaining:
        best = max(remaining, key=lambda x: fmpq(table[x][size], table[x][size + 1]))
        pivot_row, pivot = table[best], table[best][best]
        order.append(best)
        quotients.append(fmpq(pivot_row[size], pivot_row[size + 1]))
        remaining.remove(best)
        columns = [*remaining, size, size + 1]
        for x in remaining:
            row = table[x]
            factor = row[best]
            for y in columns:
                row[y] = (pivot * row[y] - factor * pivot_row[y]) // previous
        previous = pivot
    return order, quotients

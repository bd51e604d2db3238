"""The order by non-increasing index with every pivot chosen by exact comparison: where proposals failed."""

from __future__ import annotations

from flint import fmpq, fmpz

from theory.elimination.levels import integer_rows
from theory.model import Arm


def order_and_rates(arm: Arm, discount: fmpq) -> tuple[list[int], list[fmpq]]:
    """Return the states by non-increasing index, and their indices: Bareiss's fraction-free elimination.

    Examples
    --------
    >>> order_and_rates(Arm(rewards=[0, 1], transitions=[["1/2", "1/2"], ["1/2", "1/2"]]), fmpq(1, 2))
    ([1, 0], [1, 1/4])
    """
    size = arm.size
    system = integer_rows(arm, discount, range(size))
    table = [[fmpz(entry) for entry in row] for row in system.rows]
    remaining = list(range(size))
    order: list[int] = []
    entries: list[tuple[fmpz, fmpz]] = []
    previous = fmpz(1)
    while remaining:
        best = max(remaining, key=lambda x: fmpq(table[x][size], table[x][size + 1]))
        pivot_row, pivot = table[best], table[best][best]
        order.append(best)
        entries.append((pivot_row[size], pivot_row[size + 1]))
        remaining.remove(best)
        columns = [*remaining, size, size + 1]
        for x in remaining:
            row = table[x]
            factor = row[best]
            for y in columns:
                row[y] = (pivot * row[y] - factor * pivot_row[y]) // previous
        previous = pivot
    return order, system.rates(entries)

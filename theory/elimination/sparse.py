r"""Fraction-free elimination on non-zero entries only, for arms whose states lead to few others.

In Bareiss's elimination every pivot changes every row below it: a row without an entry in the pivot's column is
multiplied by :math:`\Delta_k / \Delta_{k-1}`. These factors telescope. So this elimination leaves a row alone until a
pivot meets an entry of the row (or the row becomes the pivot's). One quotient of two leading minors then brings the row
up to date; the division leaves no remainder.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from flint import fmpz


@dataclass(frozen=True)
class BorderedMinors:
    """The leading and bordered minors at each of the n pivots of an elimination."""

    leading: list[fmpz]
    columns: list[tuple[fmpz, fmpz]]  # bordered by each of the two appended columns
    row: list[fmpz]  # bordered by the appended row; empty if there is none


def sparse_minors(matrix: Sequence[Mapping[int, int]], size: int) -> BorderedMinors:
    """Return the minors of `bordered_minors` from the non-zero entries of each row, by column; `size` is its n.

    Examples
    --------
    >>> sparse_minors([{0: 2, 1: -1, 2: 3, 3: 1}, {0: -1, 1: 2, 2: -5, 3: 1}], 2)
    BorderedMinors(leading=[2, 3], columns=[(3, 1), (-7, 3)], row=[])
    """
    rows = [{y: fmpz(entry) for y, entry in row.items()} for row in matrix]
    leading = [fmpz(1)]
    seen = [0] * len(rows)  # number of pivots applied to each row so far
    below: list[set[int]] = [set() for _ in range(size)]  # per column, the rows with an entry below the diagonal
    for x, row in enumerate(rows):
        for y in row:
            if y < min(x, size):
                below[y].add(x)
    columns, bordered, zero = [], [], fmpz(0)

    def up_to_date(x: int, k: int) -> dict[int, fmpz]:
        if seen[x] < k:
            now, then = leading[k], leading[seen[x]]
            rows[x] = {y: entry * now // then for y, entry in rows[x].items()}
            seen[x] = k
        return rows[x]

    for k in range(size):
        pivot_row = up_to_date(k, k)
        pivot, before = pivot_row.pop(k), leading[k]
        columns.append((pivot_row.get(size, zero), pivot_row.get(size + 1, zero)))
        if len(rows) > size:
            bordered.append(up_to_date(size, k)[k] if size in below[k] else zero)
        for x in below[k]:
            row = up_to_date(x, k)
            factor = row.pop(k)
            rows[x] = {y: entry * pivot // before for y, entry in row.items() if y not in pivot_row}
            for y, entry in pivot_row.items():
                entry_now = (row.get(y, zero) * pivot - factor * entry) // before
                if entry_now:
                    rows[x][y] = entry_now
                if y < min(x, size):
                    (below[y].add if entry_now else below[y].discard)(x)
            seen[x] = k + 1
        leading.append(pivot)
    return BorderedMinors(leading[1:], columns, bordered)

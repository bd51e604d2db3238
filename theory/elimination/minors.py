"""The minors that an elimination meets at its pivots."""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpz


@dataclass(frozen=True)
class BorderedMinors:
    """The leading and bordered minors at each of the n pivots of an elimination.

    Attributes
    ----------
    leading : (n,) integers
        The leading minors.
    columns : (n, 2) integers
        The minors bordered by each of the two appended columns.
    row : (n,) integers
        The minors bordered by the appended row; empty if there is none.
    """

    leading: list[fmpz]
    columns: list[tuple[fmpz, fmpz]]
    row: list[fmpz]

"""The minors that an elimination meets at its pivots."""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpz


@dataclass(frozen=True)
class BorderedMinors:
    """The leading and bordered minors at each of the n pivots of an elimination."""

    leading: list[fmpz]
    columns: list[tuple[fmpz, fmpz]]  # bordered by each of the two appended columns
    row: list[fmpz]  # bordered by the appended row; empty if there is none

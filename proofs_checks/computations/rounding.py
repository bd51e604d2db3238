"""Printed numbers: a value agrees with its print when it rounds to it, exactly decided."""

from __future__ import annotations

from flint import fmpq

from theory import rational


def rounds_to(value: fmpq, printed: str) -> bool:
    """Return whether `value` is within half a unit of the last digit of the decimal `printed`.

    Examples
    --------
    >>> rounds_to(fmpq(5163, 800), "6.45"), rounds_to(fmpq(5163, 800), "6.47")
    (True, False)
    """
    _, _, digits = printed.partition(".")
    return abs(value - rational(printed)) <= fmpq(1, 2 * 10 ** len(digits))

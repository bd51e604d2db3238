"""Comparisons whose answer a check needs: an undecided one is an error, never a guess."""

from __future__ import annotations

from flint import arb

from theory.certified import Expression, Truth, less


def certain(answer: Truth) -> bool:
    """Return whether the answer is yes.

    Raises
    ------
    ArithmeticError
        If the comparison is undecided at the largest precision.

    Examples
    --------
    >>> certain(Truth.NO)
    False
    """
    if answer is Truth.UNDECIDED:
        raise ArithmeticError("a comparison of real numbers is undecided at the largest precision")
    return answer is Truth.YES


def is_less(left: Expression, right: Expression) -> bool:
    """Return whether `left` < `right`, for real numbers that are known to differ.

    Examples
    --------
    >>> is_less(lambda: arb(2).log(), lambda: arb(1))
    True
    """
    return certain(less(left, right))


def whole(value: arb) -> int:
    """Return the integer part of an enclosed number that is not an integer itself.

    Raises
    ------
    ArithmeticError
        If the enclosure contains an integer, so that the integer part is not certain.

    Examples
    --------
    >>> whole(arb(3).log())
    1
    """
    found = value.floor().unique_fmpz()
    if found is None:
        raise ArithmeticError(f"the integer part of {value} is not certain")
    return int(found)

"""Symbolic decisions: identities, and polynomial inequalities on orthants, for all values of the free parameters."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any


def algebra() -> Any:
    """Return SymPy, loaded when a check first needs it."""
    return import_module("sympy")


def is_identity(left: object, right: object) -> bool:
    """Return whether two expressions are equal for all values of their symbols.

    Examples
    --------
    >>> x = algebra().Symbol("x")
    >>> is_identity((x + 1) ** 2, x**2 + 2 * x + 1)
    True
    """
    return bool(algebra().simplify(left - right) == 0)  # type: ignore[operator]


def nonnegative_above(expression: Any, lower: Mapping[Any, object]) -> bool:
    """Return whether a polynomial is shown to be >= 0 wherever each symbol is at least its bound in `lower`.

    Each symbol is replaced by its bound plus a new symbol that is >= 0; where all coefficients that result are
    non-negative, so is the polynomial. True is a proof; False is not a refutation.

    Examples
    --------
    >>> L, H = algebra().symbols("L H")
    >>> nonnegative_above(L * H - L, {L: 0, H: 1}), nonnegative_above(L * H - 2 * L, {L: 0, H: 1})
    (True, False)
    """
    sympy = algebra()
    shifted = {symbol: sympy.nsimplify(bound) + sympy.Dummy() for symbol, bound in lower.items()}
    polynomial = sympy.Poly(sympy.expand(expression.subs(shifted, simultaneous=True)), *_new_symbols(shifted))
    return all(coefficient.is_nonnegative is True for coefficient in polynomial.coeffs())


def _new_symbols(shifted: Mapping[Any, Any]) -> list[Any]:
    return [symbol for value in shifted.values() for symbol in value.free_symbols]

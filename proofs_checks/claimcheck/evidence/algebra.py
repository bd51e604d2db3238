"""Identities, decided by SymPy: the difference of the two sides is simplified to 0."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import sympy  # type: ignore[import-untyped]

from proofs_checks.claimcheck.evidence.evidence import Context, Leaf
from proofs_checks.claimcheck.statements import Relation, Statement


class Algebra(Leaf):
    """Both sides of an equation are the same formula, for all values of their symbols in the domain.

    Parameters
    ----------
    rewriting
        A function applied to the difference of the sides before SymPy simplifies it, such as ``sympy.expand_log``.
    """

    by = "algebra (SymPy)"
    explains: ClassVar = {by: "Both sides are brought to one normal form, symbolically, and agree."}

    def __init__(self, rewriting: Callable[[Any], Any] | None = None) -> None:
        self.rewriting = rewriting

    def decide(self, goal: Statement, context: Context) -> str:
        """Simplify the difference of the two sides of each equation."""
        if not isinstance(goal, Relation):
            return "algebra decides equations"
        signed = _signed(goal)
        for relation in goal.relations:
            if not isinstance(relation, sympy.Eq):
                return f"algebra decides equations, not {relation}"
            difference = (relation.lhs - relation.rhs).subs(signed).doit()
            if self.rewriting is not None:
                difference = self.rewriting(difference)
            if not _is_zero(difference):
                return f"the difference of the sides is not seen to be 0: {sympy.simplify(difference)}"
        return ""


def _signed(goal: Relation) -> dict[sympy.Symbol, sympy.Symbol]:
    """Return, for each symbol, one with the sign that the domain implies, so that SymPy simplifies roots and logs."""
    found = {}
    for symbol, bounds in goal.full_domain.bounds.items():
        known: dict[str, bool] = {"integer": True} if symbol.is_integer else {"real": True}
        if bounds.low is not None and (bounds.low > 0 or (bounds.low == 0 and bounds.low_open)):
            known["positive"] = True
        elif bounds.low is not None and bounds.low == 0:
            known["nonnegative"] = True
        found[symbol] = sympy.Symbol(symbol.name, **known)
    return found


def _is_zero(difference: sympy.Expr) -> bool:
    for attempt in (sympy.expand, sympy.cancel, sympy.simplify):
        try:
            if attempt(difference) == 0:
                return True
        except (sympy.PolynomialError, NotImplementedError):
            continue
    return False

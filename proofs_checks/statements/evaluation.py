"""The value of a formula at a point: exact where it is rational, a ball otherwise; over boxes, an enclosure.

A formula is a SymPy expression; a point gives each of its symbols an exact rational, or (for boxes) a ball. What is
rational is computed in rationals, so that equality is decided; everything else in balls at the precision in force.
Nothing is rounded through a float.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import flint
import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq, fmpz

from theory.certified import precisions

MOST_TERMS = 400
"""A longer sum is left undecided."""
MOST_BITS = 100_000
"""A power with more bits than that is a ball, not an exact rational."""

Value: TypeAlias = "fmpq | arb"
Point: TypeAlias = "Mapping[sympy.Symbol, Value]"


class NotDefinedError(ArithmeticError):
    """A formula has no value at this point: a logarithm of 0, a division by 0, a root of a negative number."""


class UnclearError(ArithmeticError):
    """Whether a formula has a value is not decided at the precision in force, or not the same all over a box."""


class Evaluated(sympy.Function):  # type: ignore[misc]
    """A function of the formulas that is computed by a program of ours: subclass it, and give `exact` or `enclosed`.

    A subclass names itself in LaTeX by `latex_name`; `compute(*values)` takes rationals (or balls, over boxes) and
    returns a rational or a ball.
    """

    latex_name = ""

    @classmethod
    def compute(cls, *values: Value) -> Value:
        """Return its value."""
        raise NotImplementedError(f"{cls.__name__} says nothing of how it is computed")

    def _latex(self, printer: Any, exp: Any = None) -> str:
        """Return LaTeX; SymPy's printer calls this."""
        arguments = ", ".join(printer._print(each) for each in self.args)
        power = f"^{{{exp}}}" if exp is not None else ""
        return rf"{self.latex_name}{power}\left({arguments}\right)"


def evaluate(formula: sympy.Expr, point: Point) -> Value:
    """Return the value of `formula` at `point`.

    Raises
    ------
    NotDefinedError
        If it certainly has none there.
    UnclearError
        If that is not decided.
    KeyError
        If the point gives no value to one of its symbols.
    NotImplementedError
        For a function that is not known here.

    Examples
    --------
    >>> T = sympy.Symbol("T")
    >>> evaluate(2 * sympy.sqrt(T) - 1, {T: fmpq(9)})
    5
    >>> evaluate(sympy.log(T), {T: fmpq(2)}).overlaps(arb(2).log())
    True
    """
    if isinstance(formula, sympy.Symbol):
        return point[formula]
    if formula.is_Rational:
        return fmpq(int(formula.p), int(formula.q))
    for kind, rule in _RULES:
        if isinstance(formula, kind):
            return rule(formula, point)
    constant = _CONSTANTS.get(formula)
    if constant is None:
        raise NotImplementedError(f"no rule for {type(formula).__name__} in {formula}")
    return constant()


def _defined(value: Value) -> Value:
    if isinstance(value, arb) and value.is_nan():
        raise UnclearError("not known to be a real number")
    return value


def _add(formula: sympy.Add, point: Point) -> Value:
    total: Value = fmpq(0)
    for term in formula.args:
        total = total + evaluate(term, point)
    return total


def _mul(formula: sympy.Mul, point: Point) -> Value:
    total: Value = fmpq(1)
    for factor in formula.args:
        value = evaluate(factor, point)
        if isinstance(value, fmpq) and value == 0:
            total = fmpq(0)  # every factor is evaluated all the same: 0 times an undefined factor is not defined
        elif not (isinstance(total, fmpq) and total == 0):
            total = total * value
    return total


def _pow(formula: sympy.Pow, point: Point) -> Value:
    base, exponent = evaluate(formula.base, point), evaluate(formula.exp, point)
    if isinstance(exponent, fmpq) and exponent.q == 1:
        return _whole_power(base, int(exponent.p))
    if isinstance(exponent, fmpq) and isinstance(base, fmpq):
        return _rational_power(base, exponent)
    ball, power = arb(base), arb(exponent)
    if isinstance(base, fmpq) and base == 0 and power > 0:
        return fmpq(0)
    if isinstance(exponent, fmpq) and 2 % int(exponent.q) == 0:  # halves: also where the ball touches 0
        if ball < 0:
            raise NotDefinedError("a root of a negative number")
        return _whole_power(_defined(ball.sqrt()), int(exponent.p))
    if ball < 0:
        raise NotDefinedError(f"the power {exponent} of a negative number")
    return _defined(ball**power)


def _whole_power(base: Value, exponent: int) -> Value:
    if exponent < 0 and (base == 0 if isinstance(base, fmpq) else base.contains(0)):
        if isinstance(base, arb) and not base.is_zero():
            raise UnclearError("a division by what may be 0")
        raise NotDefinedError("a division by 0")
    if isinstance(base, fmpq) and abs(exponent) * (base.p.bit_length() + base.q.bit_length()) > MOST_BITS:
        return arb(base) ** exponent
    return base**exponent


def _rational_power(base: fmpq, exponent: fmpq) -> Value:
    p, q = int(exponent.p), int(exponent.q)
    if base < 0:
        raise NotDefinedError(f"the power {exponent} of {base}")
    if base == 0:
        if p < 0:
            raise NotDefinedError("a division by 0")
        return fmpq(0)
    top, exact_top = base.p.root(q), base.q.root(q)
    if top**q == base.p and exact_top**q == base.q:
        return fmpq(top, exact_top) ** p
    return arb(base) ** arb(exponent)


def _log(formula: sympy.log, point: Point) -> Value:
    argument = evaluate(formula.args[0], point)
    if isinstance(argument, fmpq):
        if argument <= 0:
            raise NotDefinedError(f"the logarithm of {argument}")
        return fmpq(0) if argument == 1 else arb(argument).log()
    if argument <= 0:
        raise NotDefinedError("the logarithm of a number that is not positive")
    return _defined(argument.log())


def _exp(formula: sympy.exp, point: Point) -> Value:
    exponent = evaluate(formula.args[0], point)
    return fmpq(1) if isinstance(exponent, fmpq) and exponent == 0 else arb(exponent).exp()


def _floor(formula: sympy.floor, point: Point) -> Value:
    return _rounded(evaluate(formula.args[0], point), up=False)


def _ceiling(formula: sympy.ceiling, point: Point) -> Value:
    return _rounded(evaluate(formula.args[0], point), up=True)


def _rounded(value: Value, up: bool) -> Value:
    if isinstance(value, fmpq):
        return fmpq(value.ceil() if up else value.floor())
    rounded = value.ceil() if up else value.floor()
    whole = rounded.unique_fmpz()
    return rounded if whole is None else fmpq(whole)


def _extremum(largest: bool) -> Callable[[sympy.Expr, Point], Value]:
    def rule(formula: sympy.Expr, point: Point) -> Value:
        values = [evaluate(each, point) for each in formula.args]
        if all(isinstance(value, fmpq) for value in values):
            return max(values) if largest else min(values)
        best = arb(values[0])
        for value in values[1:]:
            best = best.max(arb(value)) if largest else best.min(arb(value))
        return best

    return rule


def _abs(formula: sympy.Abs, point: Point) -> Value:
    value = evaluate(formula.args[0], point)
    return -value if isinstance(value, fmpq) and value < 0 else value if isinstance(value, fmpq) else abs(value)


def _sum(formula: sympy.Sum, point: Point) -> Value:
    return _repeated(formula, point, fmpq(0), lambda total, term: total + term)


def _product(formula: sympy.Product, point: Point) -> Value:
    return _repeated(formula, point, fmpq(1), lambda total, term: total * term)


def _repeated(formula: Any, point: Point, start: Value, join: Callable[[Value, Value], Value]) -> Value:
    (index, low, high), *others = formula.limits
    first, last = (_integer(evaluate(end, point), end) for end in (low, high))
    if last - first >= MOST_TERMS:
        raise UnclearError(f"a sum of {last - first + 1} terms is not added up")
    inner = formula.function if not others else type(formula)(formula.function, *others)
    total = start
    for each in range(first, last + 1):
        total = join(total, evaluate(inner, {**point, index: fmpq(each)}))
    return total


def _integer(value: Value, end: sympy.Expr) -> int:
    if isinstance(value, fmpq) and value.q == 1:
        return int(value.p)
    raise NotImplementedError(f"the end {end} of a sum is not an integer here")


def _gamma(formula: sympy.gamma, point: Point) -> Value:
    return _defined(arb(evaluate(formula.args[0], point)).gamma())


def _harmonic(formula: sympy.harmonic, point: Point) -> Value:
    count = _integer(evaluate(formula.args[0], point), formula.args[0])
    power = _integer(evaluate(formula.args[1], point), formula.args[1]) if len(formula.args) > 1 else 1
    return sum((fmpq(1, each**power) for each in range(1, count + 1)), fmpq(0))


def _factorial(formula: sympy.factorial, point: Point) -> Value:
    return fmpq(fmpz.fac_ui(fmpz(_integer(evaluate(formula.args[0], point), formula))))


def _binomial(formula: sympy.binomial, point: Point) -> Value:
    above, below = (_integer(evaluate(each, point), formula) for each in formula.args)
    return fmpq(fmpz.bin_uiui(above, below)) if 0 <= below <= above else fmpq(0)


def _piecewise(formula: sympy.Piecewise, point: Point) -> Value:
    for value, condition in formula.args:
        if condition == sympy.true or decided(condition, point):
            return evaluate(value, point)
    raise NotDefinedError("no case of a distinction applies")


def _evaluated(formula: Evaluated, point: Point) -> Value:
    return _defined(formula.compute(*(evaluate(each, point) for each in formula.args)))


def decided(condition: sympy.Rel, point: Point) -> bool:
    """Return whether a condition holds at a point.

    Raises
    ------
    UnclearError
        If that is not decided at the largest precision: two numbers that are not rational may be equal.

    Examples
    --------
    >>> T = sympy.Symbol("T")
    >>> decided(T >= sympy.log(3), {T: fmpq(1)}), decided(T >= sympy.log(2), {T: fmpq(1)})
    (False, True)
    """
    kind = type(condition)
    for precision in precisions():
        with flint.ctx.workprec(precision):
            left, right = evaluate(condition.lhs, point), evaluate(condition.rhs, point)
            if isinstance(left, fmpq) and isinstance(right, fmpq):
                return bool(_COMPARISONS[kind](left, right))
            if not arb(left).overlaps(arb(right)):
                return bool(_COMPARISONS[kind](arb(left), arb(right)))
    raise UnclearError(f"{condition} is not decided")


_COMPARISONS: dict[type, Callable[[Any, Any], bool]] = {
    sympy.Le: lambda a, b: a <= b,
    sympy.Lt: lambda a, b: a < b,
    sympy.Ge: lambda a, b: a >= b,
    sympy.Gt: lambda a, b: a > b,
    sympy.Eq: lambda a, b: a == b,
    sympy.Ne: lambda a, b: a != b,
}

_RULES: list[tuple[Any, Callable[[Any, Point], Value]]] = [
    (sympy.Add, _add),
    (sympy.Mul, _mul),
    (sympy.Pow, _pow),
    (sympy.log, _log),
    (sympy.exp, _exp),
    (sympy.floor, _floor),
    (sympy.ceiling, _ceiling),
    (sympy.Max, _extremum(largest=True)),
    (sympy.Min, _extremum(largest=False)),
    (sympy.Abs, _abs),
    (sympy.Sum, _sum),
    (sympy.Product, _product),
    (sympy.gamma, _gamma),
    (sympy.harmonic, _harmonic),
    (sympy.factorial, _factorial),
    (sympy.binomial, _binomial),
    (sympy.Piecewise, _piecewise),
    (Evaluated, _evaluated),
]

_CONSTANTS: dict[Any, Callable[[], arb]] = {
    sympy.pi: arb.pi,
    sympy.E: arb.const_e,
    sympy.EulerGamma: arb.const_euler,
}

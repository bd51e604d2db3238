"""The value of a formula at a point: exact if it is rational, a ball otherwise; over a box, an enclosure.

A formula is a SymPy expression; a point gives each of its symbols an exact rational or (for a box) a ball. Rational
values are computed in rationals, so that equality is decided; all others in balls at the precision in force. Nothing is
rounded through a float.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache, reduce
from math import prod
from typing import Any, TypeAlias

import flint
import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from theory import rational
from theory.certified import Truth, precisions

MOST_TERMS = 400
"""Largest number of terms of a sum; a longer sum is left undecided."""
MOST_BITS = 100_000
"""Largest number of bits of a power that is kept as an exact rational; a longer one becomes a ball."""

Value: TypeAlias = "fmpq | arb"
Point: TypeAlias = "Mapping[sympy.Symbol, Value]"
Program: TypeAlias = "Callable[[Point], Value]"
"""Computes one formula at any point."""
Maker: TypeAlias = "Callable[[Any], Program]"


class NotDefinedError(ArithmeticError):
    """A formula has no value at this point: a logarithm of 0, a division by 0, a root of a negative number."""


class UnclearError(ArithmeticError):
    """The precision does not decide whether a formula has a value, or the formula has one only on part of a box."""


class Evaluated(sympy.Function):  # type: ignore[misc]
    """A function for use in formulas, whose values a program computes: a subclass defines `compute` and `latex_name`.

    `compute(*values)` takes rationals (balls, over a box) and returns a rational or a ball; `latex_name` is the
    function's name in LaTeX.
    """

    latex_name = ""

    @classmethod
    def compute(cls, *values: Value) -> Value:
        """Return the function's value at these values of its arguments."""
        raise NotImplementedError(f"{cls.__name__} does not define compute")

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
        If the formula certainly has no value at the point.
    UnclearError
        If the precision does not decide whether it has one.
    KeyError
        If the point lacks a symbol of the formula.
    NotImplementedError
        If the formula has a function without a rule here.

    Examples
    --------
    >>> T = sympy.Symbol("T")
    >>> evaluate(2 * sympy.sqrt(T) - 1, {T: fmpq(9)})
    5
    >>> evaluate(sympy.log(T), {T: fmpq(2)}).overlaps(arb(2).log())
    True
    """
    return program(formula)(point)


@lru_cache(maxsize=100_000)  # a statement is evaluated at many points, and shares most formulas with its variants
def program(formula: sympy.Expr) -> Program:
    """Compile a formula to a function of a point, so that the rule for each part is looked up only once."""
    if isinstance(formula, sympy.Symbol):
        return operator.itemgetter(formula)
    if formula.is_Rational:
        value = fmpq(int(formula.p), int(formula.q))
        return lambda _: value
    for kind, made in _RULES:
        if isinstance(formula, kind):
            return made(formula)
    constant = _CONSTANTS.get(formula)
    if constant is None:
        raise NotImplementedError(f"no rule for {type(formula).__name__} in {formula}")
    return lambda _: constant()


def _defined(value: Value) -> Value:
    if isinstance(value, arb) and value.is_nan():
        raise UnclearError("not known to be a real number")
    return value


def _sum(*terms: Value) -> Value:
    return reduce(operator.add, terms)


def _product(*factors: Value) -> Value:
    total = reduce(operator.mul, factors)  # 0 times an undefined factor is undefined
    return fmpq(0) if isinstance(total, arb) and total.is_zero() else total  # 0 times a ball is 0


def _power(base: Value, exponent: Value) -> Value:
    if isinstance(exponent, fmpq) and exponent.q == 1:
        return _whole_power(base, int(exponent.p))
    if isinstance(exponent, fmpq) and isinstance(base, fmpq):
        return _rational_power(base, int(exponent.p), int(exponent.q))
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


def _rational_power(base: fmpq, p: int, q: int) -> Value:
    above, below = base.p, base.q
    if above < 0:
        raise NotDefinedError(f"the power {fmpq(p, q)} of {base}")
    if above == 0:
        if p < 0:
            raise NotDefinedError("a division by 0")
        return fmpq(0)
    if q == 2 and not (above.is_square() and below.is_square()):  # most often
        return arb(base).sqrt() if p == 1 else arb(base).sqrt() ** p
    top = above.root(q)
    if top**q == above and (bottom := below.root(q)) ** q == below:
        return fmpq(top, bottom) ** p
    return arb(base) ** arb(fmpq(p, q))


def _log(argument: Value) -> Value:
    if isinstance(argument, fmpq):
        if argument <= 0:
            raise NotDefinedError(f"the logarithm of {argument}")
        return fmpq(0) if argument == 1 else arb(argument).log()
    if argument <= 0:
        raise NotDefinedError("the logarithm of a number that is not positive")
    return _defined(argument.log())


def _exp(exponent: Value) -> Value:
    return fmpq(1) if isinstance(exponent, fmpq) and exponent == 0 else arb(exponent).exp()


def _whole(rounded: Any) -> Value:
    whole = rounded.unique_fmpz() if isinstance(rounded, arb) else rounded
    return rounded if whole is None else fmpq(whole)


def _extreme(of_rationals: Callable[..., fmpq], of_balls: Callable[[arb, arb], arb]) -> Callable[..., Value]:
    def rule(*values: Value) -> Value:
        if all(isinstance(value, fmpq) for value in values):
            return of_rationals(values)
        return reduce(of_balls, map(arb, values))

    return rule


def _gamma(value: Value) -> Value:
    return _defined(arb(value).gamma())


def _integer(value: Value) -> int:
    if isinstance(value, fmpq) and value.q == 1:
        return int(value.p)
    raise NotImplementedError(f"{value} is no integer: an end of a sum has to be one")


def _of_values(rule: Callable[..., Value]) -> Maker:
    """Return a compiler for a function that needs only the values of its arguments."""

    def made(formula: sympy.Expr) -> Program:
        arguments = [program(each) for each in formula.args]
        return lambda point: rule(*[each(point) for each in arguments])

    return made


def _evaluated(formula: Evaluated) -> Program:
    return _of_values(lambda *values: _defined(formula.compute(*values)))(formula)


def _repeated(join: Callable[[Iterable[Value]], Value]) -> Maker:
    """Return a compiler for sums or products over an index."""

    def made(formula: Any) -> Program:
        (index, *ends), *others = formula.limits
        low, high = map(program, ends)
        inner = program(formula.function if not others else type(formula)(formula.function, *others))

        def run(point: Point) -> Value:
            first, last = _integer(low(point)), _integer(high(point))
            if last - first >= MOST_TERMS:
                raise UnclearError(f"a sum of {last - first + 1} terms is not added up")
            return join(inner({**point, index: fmpq(each)}) for each in range(first, last + 1))

        return run

    return made


def decided(condition: sympy.Rel, point: Point) -> bool:
    """Return whether a condition holds at a point."""
    truth, _ = compare(condition, point)
    if truth is Truth.UNDECIDED:
        raise UnclearError(f"{condition} is not decided")
    return truth is Truth.YES


def compare(relation: sympy.Rel, point: Point) -> tuple[Truth, dict[str, object]]:
    """Return whether a relation holds at a point, with the values of its sides."""
    truth, values = Truth.UNDECIDED, dict[str, object]()
    left_side, right_side = program(relation.lhs), program(relation.rhs)
    for precision in precisions():
        with flint.ctx.workprec(precision):
            try:
                left, right = left_side(point), right_side(point)
            except UnclearError:
                continue
            truth, values = compare_values(type(relation), left, right), {"left": left, "right": right}
        if truth is not Truth.UNDECIDED:
            break
    return truth, values


def compare_values(kind: type, left: Value, right: Value) -> Truth:
    """Return whether a relation of this kind holds between two numbers, or between all numbers of two balls."""
    if isinstance(left, fmpq) and isinstance(right, fmpq):
        return Truth.YES if COMPARED[kind](left, right) else Truth.NO
    a, b = arb(left), arb(right)
    if kind in (sympy.Eq, sympy.Ne):
        apart = Truth.NO if kind is sympy.Eq else Truth.YES
        return Truth.UNDECIDED if a.overlaps(b) else apart
    if COMPARED[kind](a, b):
        return Truth.YES
    return Truth.NO if COMPARED[_OPPOSITE[kind]](a, b) else Truth.UNDECIDED


def sympy_number(value: object) -> sympy.Expr:
    """Return an exact number of any type as one of SymPy's; formulas are returned unchanged."""
    if isinstance(value, sympy.Basic):
        return value
    number = rational(value)
    return sympy.Rational(int(number.p), int(number.q))


COMPARED: Mapping[type, Callable[[Any, Any], Any]] = {
    sympy.Le: operator.le,
    sympy.Lt: operator.lt,
    sympy.Ge: operator.ge,
    sympy.Gt: operator.gt,
    sympy.Eq: operator.eq,
    sympy.Ne: operator.ne,
}
"""Python's comparison operator for each kind of relation."""
_OPPOSITE = {sympy.Le: sympy.Gt, sympy.Gt: sympy.Le, sympy.Lt: sympy.Ge, sympy.Ge: sympy.Lt}

_RULES: list[tuple[Any, Maker]] = [
    (sympy.Add, _of_values(_sum)),
    (sympy.Mul, _of_values(_product)),
    (sympy.Pow, _of_values(_power)),
    (sympy.log, _of_values(_log)),
    (sympy.exp, _of_values(_exp)),
    (sympy.floor, _of_values(lambda value: _whole(value.floor()))),
    (sympy.ceiling, _of_values(lambda value: _whole(value.ceil()))),
    (sympy.Max, _of_values(_extreme(max, arb.max))),
    (sympy.Min, _of_values(_extreme(min, arb.min))),
    (sympy.Abs, _of_values(abs)),
    (sympy.Sum, _repeated(lambda terms: sum(terms, fmpq(0)))),
    (sympy.Product, _repeated(lambda terms: prod(terms, start=fmpq(1)))),
    (sympy.gamma, _of_values(_gamma)),
    (Evaluated, _evaluated),
]


def _no_value() -> arb:
    raise NotDefinedError("a division by 0")


_CONSTANTS: dict[Any, Callable[[], arb]] = {
    sympy.zoo: _no_value,
    sympy.nan: _no_value,
    sympy.pi: arb.pi,
    sympy.E: arb.const_e,
}

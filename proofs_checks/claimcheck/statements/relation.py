"""Relations: scalar inequalities and identities over a domain; one object is searched, proved, varied and printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from functools import cache, cached_property
from typing import Any, Self

import flint
import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claimcheck.statements.answers import Answer
from proofs_checks.claimcheck.statements.domains import ForAll
from proofs_checks.claimcheck.statements.evaluation import (
    COMPARED,
    NotDefinedError,
    Point,
    UnclearError,
    Value,
    sides,
)
from proofs_checks.claimcheck.statements.readings import Reading
from proofs_checks.claimcheck.statements.statement import Statement
from theory import BanditError, rational
from theory.certified import Truth, precisions

_SIGNS = {sympy.Le: "<=", sympy.Lt: "<", sympy.Ge: ">=", sympy.Gt: ">", sympy.Eq: "=", sympy.Ne: "!="}


class Relation(Statement):
    r"""One or several relations between formulas, claimed for every point of a domain.

    Parameters
    ----------
    claim_id, says, reading
        As for every statement; without `says`, the text is the formula.
    domain
        The variables, and the conditions on them.
    *relations
        SymPy relations (``<=``, ``<``, ``sympy.Eq(..., evaluate=False)``); several are claimed together.
    **parameters
        Values of the symbols that are constants of the statement: ``c=2`` gives the symbol c the value 2.

    Raises
    ------
    ValueError
        If a relation is missing, or SymPy has evaluated it, or a constant is a float or not a number.

    Examples
    --------
    >>> from proofs_checks.claimcheck.statements.symbols import T, a, c, m
    >>> bound = Relation(
    ...     "example", ForAll(T >= 1), sympy.Sum(1 / sympy.sqrt(m), (m, 1, T)) <= c * sympy.sqrt(T) - a, c=2, a=1
    ... )
    >>> bound.at({T: fmpq(4)}).truth, bound.with_(a=2).at({T: fmpq(1)}).truth
    (<Truth.YES: 'yes'>, <Truth.NO: 'no'>)
    >>> bound.formula_latex
    '\\sum_{m=1}^{T} \\frac{1}{\\sqrt{m}} \\le 2 \\sqrt{T} - 1'
    """

    def __init__(
        self,
        claim_id: str,
        domain: ForAll,
        *relations: sympy.Rel,
        says: str = "",
        reading: Reading | None = None,
        **parameters: object,
    ) -> None:
        if not relations or any(each in (sympy.true, sympy.false, True, False) for each in relations):
            instead = "use evaluate=False, and sympy.Eq(left, right, evaluate=False) in place of =="
            raise ValueError(f"{claim_id}: a relation is missing or was decided at once: {instead}")
        for each in relations:
            if not isinstance(each, sympy.core.relational.Relational):
                raise ValueError(f"{claim_id}: {each!r} is no relation: write a SymPy relation, such as beta <= c")
        if not isinstance(domain, ForAll):
            raise ValueError(f"{claim_id}: the domain is {domain!r}: write ForAll({domain})")
        refuse_floats(claim_id, *relations, *domain.conditions)
        super().__init__(claim_id, says, parameters, reading)
        self.domain = domain
        self._relations = relations
        for name in {symbol.name for each in (*relations, *domain.conditions) for symbol in each.free_symbols}:
            try:
                _sympy_number(parameters.get(name, 0))
            except BanditError as error:
                raise ValueError(f"{claim_id}: {name}: {error}") from None

    def __copy__(self) -> Self:
        """Return a copy without the cached formulas."""
        made = type(self).__new__(type(self))
        made.__dict__.update({name: value for name, value in self.__dict__.items() if name not in _CACHED})
        return made

    def restricted(self, *conditions: sympy.Rel) -> Self:
        """Return the same claim on the part of its domain on which these conditions hold."""
        refuse_floats(self.id, *conditions)
        narrower = copy(self)
        narrower.domain = self.domain.where(*conditions)
        return narrower

    def saying(self, *relations: sympy.Rel) -> Self:
        """Return the claim of these relations over the same domain."""
        other = copy(self)
        other._relations = relations
        return other

    @cached_property
    def relations(self) -> tuple[sympy.Rel, ...]:
        """The relations with the parameters' values substituted."""
        return tuple(self.filled(each) for each in self._relations)

    @property
    def unbound(self) -> list[str]:
        """The symbols that are neither variables of the domain nor parameters; a well-formed claim has none."""
        free = {symbol for each in self._relations for symbol in each.free_symbols} - set(self.domain.variables)
        return sorted({symbol.name for symbol in free} - set(self.parameters))

    def filled(self, formula: Any) -> Any:
        """Return any formula with the parameters' values substituted."""
        values = {
            symbol: _sympy_number(self.parameters[symbol.name])
            for symbol in _free_symbols(formula)
            if symbol.name in self.parameters
        }
        if not values:
            return formula
        if isinstance(formula, sympy.core.relational.Relational):
            return with_sides(formula, formula.lhs.xreplace(values), formula.rhs.xreplace(values))
        return formula.xreplace(values)

    @cached_property
    def full_domain(self) -> ForAll:
        """The domain with the parameters' values substituted."""
        filled = [self.filled(each) for each in self.domain.conditions]
        same = all(one is other for one, other in zip(filled, self.domain.conditions, strict=True))
        return self.domain if same else ForAll(*filled)  # the same object keeps its caches

    def instances(self) -> Iterator[dict[sympy.Symbol, fmpq]]:
        """Yield points of the domain, edges first."""
        return self.full_domain.points()

    def point(self, given: Mapping[sympy.Symbol | str, object]) -> dict[sympy.Symbol, fmpq]:
        """Return a point given by symbols or their names, with values of any exact type; leave other symbols out.

        Raises
        ------
        ValueError
            If it does not give each variable of the domain an exact number.

        Examples
        --------
        >>> x, y = sympy.symbols("x y")
        >>> Relation("example", ForAll(x >= 0, y >= 0), x <= y).point({"x": 8, y: sympy.Rational(1, 2)})
        {x: 8, y: 1/2}
        """
        named = {symbol.name: symbol for symbol in self.full_domain.variables}
        values = {named[str(symbol)]: value for symbol, value in given.items() if str(symbol) in named}
        for symbol in named.values():
            if symbol not in values:
                raise ValueError(f"{self.id}: candidates: {given} gives no value to {symbol}")
        try:
            return {symbol: rational(value) for symbol, value in values.items()}
        except BanditError as error:
            raise ValueError(f"{self.id}: candidates: {error}") from None

    def at(self, instance: Point) -> Answer:
        """Return whether all relations hold at a point; a relation with an undefined side does not."""
        told = {symbol.name: value for symbol, value in instance.items()}
        truth = Truth.YES
        for relation in self.relations:
            one, values = _holds(relation, instance)
            if one is Truth.NO:
                return Answer(Truth.NO, {**told, **values})
            truth = truth.both(one)
        return Answer(truth, told)

    def compared_at(self, told: Mapping[str, Any]) -> sympy.Rel | None:
        """Return the first relation that fails at a point, given by the names of its variables, or None.

        Examples
        --------
        >>> from proofs_checks.claimcheck.statements.symbols import T
        >>> Relation("example", ForAll(T >= 1), T >= 1, T**2 <= 3 * T).compared_at({"T": fmpq(4)})
        T**2 <= 3*T
        """
        if len(self.relations) == 1:
            return self.relations[0]
        point = {symbol: told[symbol.name] for symbol in self.domain.variables if symbol.name in told}
        return next((each for each in self.relations if _holds(each, point)[0] is Truth.NO), None)

    @property
    def domain_latex(self) -> str:
        """The domain in LaTeX."""
        return f"${self.full_domain.latex}$" if self.full_domain.conditions else ""

    def says_parameter(self, name: str) -> bool:
        """Return whether the printed claim or its domain shows the parameter."""
        in_domain = {symbol.name for each in self.domain.conditions for symbol in each.free_symbols}
        return name in in_domain or super().says_parameter(name)

    def _in_formula(self, name: str) -> bool:
        return any(name == symbol.name for each in self._relations for symbol in each.free_symbols)

    @property
    def formula_latex(self) -> str:
        """The relations in LaTeX."""
        return r",\quad ".join(formula_latex(each) for each in self.relations)


@cache  # SymPy looks through the formula each time
def _free_symbols(formula: Any) -> frozenset[sympy.Symbol]:
    return frozenset(formula.free_symbols)


_CACHED = ("relations", "full_domain")


def refuse_floats(where: str, *formulas: sympy.Basic) -> None:
    """Raise an error if a formula contains a float; the error names the fraction that its decimal stands for.

    Raises
    ------
    ValueError
        For the first float.

    Examples
    --------
    >>> refuse_floats("half", sympy.Symbol("x") <= 2.5)
    Traceback (most recent call last):
    ValueError: half: 2.5 is a float; write it exactly, as sympy.Rational(5, 2)
    """
    for number in (each for formula in formulas for each in formula.atoms(sympy.Float)):
        exact = rational(repr(float(number)))
        raise ValueError(
            f"{where}: {float(number)} is a float; write it exactly, as sympy.Rational({exact.p}, {exact.q})"
        )


@cache  # the text of a claim is compared with that of each variant
def formula_latex(formula: Any) -> str:
    """Return a formula in LaTeX, its sides not simplified (SymPy sorts the terms of sums)."""
    text = sympy.latex(formula, fold_short_frac=False, root_notation=True)
    return str(text).replace(r"\leq", r"\le").replace(r"\geq", r"\ge")


def with_sides(relation: sympy.Rel, left: Any, right: Any) -> sympy.Rel:
    """Return the same relation between other sides, unevaluated even where SymPy can decide it."""
    return type(relation)(left, right, evaluate=False)


def margin(relation: sympy.Rel) -> sympy.Expr:
    """Return the difference that a relation claims to be >= 0 (or > 0, or = 0).

    Examples
    --------
    >>> x, y = sympy.symbols("x y")
    >>> margin(x <= y), margin(x > y)
    (-x + y, x - y)
    """
    if isinstance(relation, (sympy.Le, sympy.Lt)):
        return relation.rhs - relation.lhs
    return relation.lhs - relation.rhs


def _holds(relation: sympy.Rel, point: Point) -> tuple[Truth, dict[str, object]]:
    truth, values = Truth.UNDECIDED, dict[str, object]()
    one, other = sides(relation)
    for precision in precisions():
        with flint.ctx.workprec(precision):
            try:
                left, right = one(point), other(point)
            except NotDefinedError as error:
                return Truth.NO, {"not defined": str(error)}
            except UnclearError:
                continue
            truth, values = _compared(type(relation), left, right), {"left": left, "right": right}
        if truth is not Truth.UNDECIDED:
            break
    return truth, values


def _compared(kind: type, left: Value, right: Value) -> Truth:
    if isinstance(left, fmpq) and isinstance(right, fmpq):
        return Truth.YES if COMPARED[kind](left, right) else Truth.NO
    a, b = arb(left), arb(right)
    if kind is sympy.Eq:
        return Truth.UNDECIDED if a.overlaps(b) else Truth.NO
    if kind is sympy.Ne:
        return Truth.UNDECIDED if a.overlaps(b) else Truth.YES
    if COMPARED[kind](a, b):
        return Truth.YES
    return Truth.NO if COMPARED[_OPPOSITE[kind]](a, b) else Truth.UNDECIDED


_OPPOSITE = {sympy.Le: sympy.Gt, sympy.Gt: sympy.Le, sympy.Lt: sympy.Ge, sympy.Ge: sympy.Lt}


def _sympy_number(value: object) -> sympy.Expr:
    if isinstance(value, sympy.Basic):
        return value
    number = rational(value)
    return sympy.Rational(int(number.p), int(number.q))

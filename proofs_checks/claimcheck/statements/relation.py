"""Relations: scalar inequalities and identities over a domain; one object is searched, proved, varied and printed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from functools import cache, cached_property
from typing import Any, Self

import sympy  # type: ignore[import-untyped]
from flint import fmpq

from proofs_checks.claimcheck.statements.answers import Answer
from proofs_checks.claimcheck.statements.domains import ForAll
from proofs_checks.claimcheck.statements.evaluation import MOST_TERMS, NotDefinedError, Point, compare, sympy_number
from proofs_checks.claimcheck.statements.statement import Reading, Statement, names_in
from theory import BanditError, rational
from theory.certified import Truth

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
        self.claimed = relations
        for name in names_in(*self.formulas):
            try:
                sympy_number(parameters.get(name, 0))
            except BanditError as error:
                raise ValueError(f"{claim_id}: {name}: {error}") from None

    def restricted(self, *conditions: sympy.Rel) -> Self:
        """Return the same claim on the part of its domain on which these conditions hold."""
        refuse_floats(self.id, *conditions)
        narrower = copy(self)
        narrower.domain = self.domain.where(*conditions)
        return narrower

    @cached_property
    def relations(self) -> tuple[sympy.Rel, ...]:
        """The relations with the parameters' values substituted."""
        return tuple(self.filled(each) for each in self.claimed)

    @property
    def formulas(self) -> tuple[sympy.Basic, ...]:
        """The relations and the conditions of the domain, before parameters are substituted."""
        return (*self.claimed, *self.domain.conditions)

    def filled(self, formula: Any) -> Any:
        """Return any formula with the parameters' values substituted."""
        values = {
            symbol: sympy_number(self.parameters[symbol.name])
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
        """Return a point given by symbols or their names, with values of any exact type; leave other symbols out."""
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

    def why_undecided(self, instance: Point) -> str:
        """Return where the relations are undecided, and the reason if it is a long sum."""
        point = ", ".join(f"{symbol} = {value}" for symbol, value in instance.items())
        long = any(each.has(sympy.Sum, sympy.Product) for each in self.relations)
        return (f"undecided at {point}" if point else "undecided") + (
            f" (sums of more than {MOST_TERMS} terms are not added up)" if long else ""
        )

    def compared_at(self, told: Mapping[str, Any]) -> sympy.Rel | None:
        """Return the first relation that fails at a point, given by the names of its variables, or None."""
        point = {symbol: told[symbol.name] for symbol in self.domain.variables if symbol.name in told}
        return next((each for each in self.relations if _holds(each, point)[0] is Truth.NO), None)

    @property
    def domain_latex(self) -> str:
        """The domain in LaTeX."""
        return f"${self.full_domain.latex}$" if self.full_domain.conditions else ""

    def says_parameter(self, name: str) -> bool:
        """Return whether the printed claim or its domain shows the parameter."""
        return name in names_in(*self.domain.conditions) or super().says_parameter(name)

    @property
    def formula_latex(self) -> str:
        """The relations in LaTeX."""
        return r",\quad ".join(formula_latex(each) for each in self.relations)


@cache  # SymPy looks through the formula each time
def _free_symbols(formula: Any) -> frozenset[sympy.Symbol]:
    return frozenset(formula.free_symbols)


def refuse_floats(where: str, *formulas: sympy.Basic) -> None:
    """Raise an error if a formula contains a float; the error names the fraction that its decimal stands for."""
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
    """Return the difference that a relation claims to be >= 0 (or > 0, or = 0)."""
    if isinstance(relation, (sympy.Le, sympy.Lt)):
        return relation.rhs - relation.lhs
    return relation.lhs - relation.rhs


def _holds(relation: sympy.Rel, point: Point) -> tuple[Truth, dict[str, object]]:
    try:
        return compare(relation, point)
    except NotDefinedError as error:
        return Truth.NO, {"not defined": str(error)}

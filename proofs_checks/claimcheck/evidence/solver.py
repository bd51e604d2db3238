r"""Inequalities between real formulas, decided by refuting their negation with Z3.

Z3 does not know logarithms, exponentials, powers with a symbolic exponent, or sums. Each such formula becomes an
unknown real number, the same one at each occurrence, of which Z3 is told a few signs and tangents (`_KNOWN`, for powers
`_symbolic_power`, and `more_facts`), the bounds of a constant, and the `given` relations. So an answer yes is right
whatever the numbers are. Integer symbols take all real values, unless `integers` is set.

First it is shown that every formula has a value: no denominator 0, no root of a negative number, no logarithm of a
number that is not positive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import Any, ClassVar, NamedTuple

import sympy  # type: ignore[import-untyped]
import z3  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claimcheck.evidence.evidence import Context, Leaf
from proofs_checks.claimcheck.statements import ForAll, Relation, Statement
from proofs_checks.claimcheck.statements.domains import Bounds
from proofs_checks.claimcheck.statements.evaluation import COMPARED, decided, evaluate, sympy_number
from theory import ONE, BanditError, rational

RESOURCES = 2_000_000  # equivalent: one more or less is not noticed
"""Limit on Z3's own count of its work, so that the answer does not depend on the machine."""
LONGEST = 60_000  # equivalent: one more or less is not noticed
"""Milliseconds after which Z3 gives up a question; `RESOURCES` misses some of its work on long numbers."""
LARGEST_ROOT, LARGEST_POWER = 12, 60
"""Roots and powers beyond these are not multiplied out, but treated like powers with a symbolic exponent."""


class Solver(Leaf):
    """A proof by Z3 that the negation of the relation has no solution in the domain.

    Parameters
    ----------
    *given
        Relations established elsewhere that hold on the domain (an argument gives those of its steps).
    integers
        Whether Z3 is told that integer symbols are integers; slower, and rarely needed.
    """

    by = "a decision procedure for real arithmetic (Z3)"
    explains: ClassVar = {
        by: (
            "The step's relation is negated, and Z3 finds that the negation has no solution over the real "
            "numbers; functions that it does not know are replaced by free variables, so what it establishes "
            "holds whatever they are."
        ),
    }

    def __init__(self, *given: sympy.Rel, integers: bool = False) -> None:
        self.given = given
        self.integers = integers

    def decide(self, goal: Statement, context: Context) -> str:
        """Refute the negation of each relation of the goal."""
        if not isinstance(goal, Relation):
            return "the solver decides relations"
        given = tuple(map(goal.filled, self.given))
        return refute_negation(goal.full_domain, goal.relations, given, self.integers)


@cache  # the variants of an argument share most of their steps
def refute_negation(
    domain: ForAll,
    relations: tuple[sympy.Rel, ...],
    given: tuple[sympy.Rel, ...] = (),
    integers: bool = False,
) -> str:
    """Return "" if every relation holds on the domain where `given` do; otherwise the counterexample or obstacle."""
    translated = _Translation(integers)
    bounds = domain.bounds.items()
    fixed = {
        symbol: sympy_number(each.low) for symbol, each in bounds if each.low == each.high and each.low is not None
    }

    def read(relation: sympy.Rel) -> Any:
        return translated.relation(_settled(relation.xreplace(fixed), domain))

    assumed = [*map(translated.relation, domain.conditions), *map(read, given)]
    claimed = [read(each) for each in relations]
    for formula, inside, strict, obligation in translated.obligations:
        if _seen_positive(inside, domain, strict):
            continue
        found = _refute(translated, assumed, obligation, domain)
        if found is not None and (more := translated.more_facts()):
            found = _refute(translated, [*assumed, *more], obligation, domain)
        if found is not None:
            return f"{formula} may have no value{found}"
    known = tuple(each.xreplace(fixed) for each in (*domain.conditions, *given))
    for relation, claim in zip(relations, claimed, strict=True):
        if _follows_linearly(known, relation.xreplace(fixed)):
            continue
        found = _refute(translated, assumed, claim, domain, relation)
        if found == "":
            found = _refute(translated, [*assumed, *translated.more_facts()], claim, domain, relation)
        if found is not None:
            return f"{relation} {f'may fail{found}' if found else 'is undecided'}{translated.little_known()}"
    return ""


def included(inner: ForAll, outer: ForAll, given: Sequence[sympy.Rel] = ()) -> bool:
    """Return whether every point of `inner` that satisfies `given` is shown to lie in `outer`."""
    known = {*inner.conditions, *given}
    asked = tuple(each for each in outer.conditions if each not in known and not inner.within(each))
    kinds = (False, True)  # equivalent: what holds of real numbers holds of integers, but is found sooner
    return not asked or any(refute_negation(inner, asked, tuple(given), integers) == "" for integers in kinds)


def covered(domain: ForAll, parts: Sequence[Sequence[sympy.Rel]]) -> bool:
    """Return whether every point of `domain` is shown to satisfy all conditions of at least one part."""
    translated = _Translation(integers=True)
    assumed = [translated.relation(each) for each in domain.conditions]
    one_of = z3.Or([z3.And([translated.relation(each) for each in part]) for part in parts])
    return _refute(translated, assumed, one_of, domain) is None


def _seen_positive(formula: sympy.Expr, domain: ForAll, strict: bool) -> bool:
    """Return whether the constant bounds of its symbols show that a formula, if it has a value, is positive.

    If `strict` is False, return whether they show that it is not negative. Most conditions for a formula to have a
    value are decided so, where Z3 would need milliseconds for each.

    Examples
    --------
    >>> x, y = sympy.symbols("x y", real=True)
    >>> domain = ForAll(x >= 0, y >= 1, x <= y)
    >>> [_seen_positive(each, domain, True) for each in (y, x + y, y * sympy.sqrt(y), x, x * y, y - x, sympy.log(y))]
    [True, True, True, False, False, False, False]
    >>> [_seen_positive(each, domain, False) for each in (x, x * y, sympy.log(y), -y, y - 1)]
    [True, True, True, False, True]
    """
    if isinstance(formula, sympy.Add) and all(_seen_positive(each, domain, False) for each in formula.args):
        return not strict or any(_seen_positive(each, domain, True) for each in formula.args)
    if isinstance(formula, sympy.Mul) and all(_seen_positive(each, domain, strict) for each in formula.args):
        return True
    if isinstance(formula, sympy.Pow):
        return _seen_positive(formula.base, domain, strict)
    if isinstance(formula, sympy.log):
        return _seen_positive(formula.args[0] - 1, domain, strict)
    least, attained = fmpq(0), True
    for symbol, factor in formula.as_coefficients_dict().items():
        bounds = Bounds(ONE, ONE) if symbol == 1 else domain.bounds.get(symbol)
        if bounds is None or not factor.is_Rational:
            return False
        end, is_open = (bounds.low, bounds.low_open) if factor > 0 else (bounds.high, bounds.high_open)
        if end is None:
            return False
        least, attained = least + rational(factor) * end, attained and not is_open
    return bool(least > 0 or (least == 0 and not (strict and attained)))


@cache  # the steps of an argument and their variants ask the same questions again
def _follows_linearly(known: tuple[sympy.Rel, ...], claim: sympy.Rel) -> bool:
    """Return whether a relation follows from others by linear arithmetic in their monomials.

    Multiplied out, each relation is linear in its monomials; if it follows whatever real numbers these are, it follows.
    Conclusions of arguments are often of this kind, and decided at once.
    """
    try:
        facts = [_linear(each) for each in known if isinstance(each, sympy.Rel)]
        denied = z3.Not(_linear(claim))
    except (AttributeError, TypeError):  # not a relation, or a coefficient is not rational
        return False
    return _answer([*facts, denied], "QF_LRA").refuted


@cache
def _linear(relation: sympy.Rel) -> Any:
    """Return a relation as one between numbers that stand for its monomials."""
    monomials = sympy.expand(relation.lhs - relation.rhs).as_coefficients_dict()
    parts = [
        z3.RatVal(int(factor.p), int(factor.q)) * (1 if each == 1 else _monomial(each))
        for each, factor in monomials.items()
    ]
    return COMPARED[type(relation)](z3.Sum(parts), 0)


@cache
def _monomial(formula: sympy.Expr) -> Any:
    return z3.FreshReal("m")


def _settled(relation: sympy.Rel, domain: ForAll) -> sympy.Rel:
    """Return the relation with each maximum or minimum that bounds a sum replaced by its value on the domain.

    Z3 does not know sums, so two sums with equal bounds have to be written alike.
    """
    ends = {each for one in relation.atoms(sympy.Sum) for each in _end(one).atoms(sympy.Max, sympy.Min)}
    settled = {}
    for each in ends:
        for candidate in each.args:
            others = [other for other in each.args if other != candidate]
            wins = [candidate >= other if isinstance(each, sympy.Max) else candidate <= other for other in others]
            open_ones = tuple(one for one in wins if one is not sympy.true)
            if not open_ones or refute_negation(domain, open_ones) == "":
                settled[each] = candidate
                break
    changed = relation.xreplace(settled)
    added_up = {one: one.doit() for one in changed.atoms(sympy.Sum) if not _end(one).free_symbols}
    return changed.xreplace(added_up)


def _end(one: sympy.Sum) -> sympy.Expr:
    ((_, _, end),) = one.limits
    return end


def _refute(
    translated: _Translation, assumed: Sequence[Any], claim: Any, domain: ForAll, relation: Any = sympy.false
) -> str | None:
    """Return None if Z3 refutes the negation, ``: x = 1`` if x = 1 is a solution of it, "" if Z3 gives up.

    A solution outside the domain, or at which the claimed relation holds, does not count, for example if Z3 takes
    exp(2 y) to be 4 at y = 1.
    """
    answer = _answer([*assumed, *translated.definitions, z3.Not(claim)], translated=translated)
    if answer.refuted:
        return None
    if answer.solution is None or _no_counterexample(domain, answer.solution, relation):
        return ""
    part = [each.name for each in domain.variables if each.is_integer and "/" in answer.solution.get(each.name, "")]
    whole = f"; Solver(integers=True) takes {', '.join(part)} as whole" if part else ""
    return ": " + ", ".join(f"{name} = {value}" for name, value in answer.solution.items()) + whole


def _no_counterexample(domain: ForAll, solution: Mapping[str, str], relation: sympy.Rel) -> bool:
    """Return whether a solution is a rational point outside the domain, or at which the claimed relation holds."""
    try:
        point = {symbol: rational(solution[symbol.name]) for symbol in domain.variables}
        inside = all(decided(each, point) for each in domain.conditions)
        return not inside or (relation != sympy.false and decided(relation, point))
    except (BanditError, ArithmeticError, LookupError, NotImplementedError):
        return False


class _Answer(NamedTuple):
    """Z3's answer to whether assertions can hold together: no, a solution (values by name), or unknown."""

    refuted: bool
    solution: Mapping[str, str] | None


_ANSWERS: dict[Any, tuple[_Answer, tuple[Any, ...]]] = {}
"""Z3's answers, each with the terms of its question, which have to stay alive for their ids to stay theirs."""


def _answer(assertions: Sequence[Any], logic: str | None = None, translated: _Translation | None = None) -> _Answer:
    """Return Z3's answer to whether assertions can hold together, with the values of symbols where they can.

    Without a logic, each question is asked in a Z3 context of its own. In a shared context, earlier questions change
    the order in which Z3 looks at terms, and an answer may take a second or hours; so the same question always gets
    the same answer, which is kept. Linear questions (those with a logic) are decided in either context.
    """
    question = (tuple(each.get_id() for each in assertions), logic)  # equal terms have one id while they are kept
    if question not in _ANSWERS:
        apart = None if logic else z3.Context()
        solver = z3.SolverFor(logic) if logic else z3.Solver(ctx=apart)
        solver.set("rlimit", RESOURCES)
        solver.set("timeout", LONGEST)
        solver.add(*(each.translate(apart) if apart else each for each in assertions))
        found = solver.check()
        solution = None
        if found == z3.sat and translated:
            model = solver.model()
            solution = {
                name: str(model.eval(variable.translate(apart), model_completion=True))
                for name, variable in translated.symbols.items()
            }
        _ANSWERS[question] = _Answer(found == z3.unsat, solution), tuple(assertions)
    return _ANSWERS[question][0]


class _Translation:
    """SymPy formulas as Z3 terms, with definitions of the numbers that stand for roots, quotients and functions."""

    def __init__(self, integers: bool) -> None:
        self.integers = integers
        self.symbols: dict[str, Any] = {}
        self.definitions: list[Any] = []
        self.obligations: list[tuple[sympy.Expr, sympy.Expr, bool, Any]] = []
        self._atoms: dict[sympy.Expr, Any] = {}

    def little_known(self) -> str:
        """Return a text that names the formulas of which Z3 knows only signs and tangents; "" if there are none."""
        known = [each for each in self._atoms if each.is_Pow and each.exp.is_Rational]
        little = ", ".join(str(each) for each in self._atoms if each not in known)
        powers = "; or take logarithms of both sides" * any(each.is_Pow for each in self._atoms if each not in known)
        return f" (Z3 knows little of {little}; Enclosures() computes with it in boxes{powers})" if little else ""

    def more_facts(self) -> list[Any]:
        """Return facts for a second try: log(a) - log(b) <= a/b - 1; exp(a) (1 - a) <= 1; exp(2 a) = exp(a)^2."""
        logs = [(self.term(*each.args), value) for each, value in self._atoms.items() if isinstance(each, sympy.log)]
        exps = [(*each.args, value) for each, value in self._atoms.items() if isinstance(each, sympy.exp)]
        facts = [(p - q) * b <= a - b for a, p in logs for b, q in logs if a is not b]
        facts += [value * (1 - self.term(inside)) <= 1 for inside, value in exps]
        ratios = [(p, q, sympy.cancel(b / a)) for a, p in exps for b, q in exps if a is not b]
        return facts + [z3.Product([p] * int(k)) == q for p, q, k in ratios if k.is_Integer and 1 < k <= LARGEST_POWER]

    def relation(self, relation: sympy.Rel) -> Any:
        if relation in (sympy.true, sympy.false):
            return z3.BoolVal(bool(relation))
        left, right = self.term(relation.lhs), self.term(relation.rhs)
        return COMPARED[type(relation)](left, right)

    def term(self, formula: sympy.Expr) -> Any:
        if formula in self._atoms:
            return self._atoms[formula]
        if formula.is_Integer and self.integers:  # Z3 decides more of arithmetic that stays within the integers
            return z3.IntVal(int(formula))
        if formula.is_Rational:
            return z3.RatVal(int(formula.p), int(formula.q))
        if isinstance(formula, sympy.Symbol):
            return self._symbol(formula)
        if isinstance(formula, sympy.Add):
            return z3.Sum([self.term(each) for each in formula.args])
        if isinstance(formula, sympy.Mul):
            return z3.Product([self.term(each) for each in formula.args])
        if isinstance(formula, sympy.Pow):
            return self._power(formula)
        if isinstance(formula, sympy.Abs):
            return z3.Abs(self.term(*formula.args))
        if isinstance(formula, (sympy.Max, sympy.Min)):
            return self._extremum(formula)
        if isinstance(formula, sympy.log):
            inside = self.term(*formula.args)
            self.obligations.append((formula, *formula.args, True, inside > 0))
        return self._atom(formula)

    def _symbol(self, symbol: sympy.Symbol) -> Any:
        if symbol.name not in self.symbols:
            make = z3.Int if self.integers and symbol.is_integer else z3.Real
            self.symbols[symbol.name] = make(symbol.name)
        return self.symbols[symbol.name]

    def _power(self, formula: sympy.Pow) -> Any:
        base, exponent = formula.base, formula.exp
        if not exponent.is_Rational or exponent.q > LARGEST_ROOT or abs(exponent.p) > LARGEST_POWER:
            return self._symbolic_power(formula)
        if exponent.is_negative:
            inverse = self.term(sympy.Pow(base, -exponent))
            self.obligations.append((formula, base, True, inverse != 0))
            made = self._atom(formula)
            self.definitions.append(z3.Implies(inverse != 0, made * inverse == 1))
            return made
        power, root = int(exponent.p), int(exponent.q)
        if exponent.is_Integer:
            return z3.Product([self.term(base)] * power)
        if power != 1:
            return z3.Product([self.term(sympy.root(base, root))] * power)
        inside = self.term(base)
        self.obligations.append((formula, base, False, inside >= 0))
        made = self._atom(formula)
        self.definitions.append(z3.Implies(inside >= 0, z3.And([made >= 0, z3.Product([made] * root) == inside])))
        return made

    def _symbolic_power(self, formula: sympy.Pow) -> Any:
        """Return an unknown number for a power: Z3 knows its sign, its value at exponent 0, its order to 1 and base."""
        whole, rest = formula.exp.as_coeff_Add()
        if whole.is_Integer and whole > 0:
            return self.term(sympy.Pow(formula.base, rest)) * z3.Product([self.term(formula.base)] * int(whole))
        base, exponent = _real(self.term(formula.base)), _real(self.term(formula.exp))
        known = base != 0 if formula.exp.is_integer else base > 0
        defined = z3.Or([known, z3.And([base == 0, exponent >= 0])])
        self.obligations.append((formula, formula.base, True, defined))
        value = self._atom(formula)
        self.definitions += [
            z3.Implies(base > 0, value > 0),
            z3.Implies(exponent == 0, value == 1),
            z3.Implies(z3.And([base == 0, exponent > 0]), value == 0),
            z3.Implies(z3.And([base >= 0, base <= 1, exponent >= 0]), value <= 1),  # equivalent: else it is 1
            z3.Implies(z3.And([base >= 1, exponent >= 0]), value >= 1),  # equivalent: else it is 1
            z3.Implies(z3.And([base >= 0, base <= 1, exponent >= 1]), value <= base),  # equivalent: else it is 0
            z3.Implies(z3.And([base >= 1, exponent >= 1]), value >= base),
        ]
        return value

    def _extremum(self, formula: sympy.Expr) -> Any:
        terms = [_real(self.term(each)) for each in formula.args]
        best = terms[0]
        for each in terms[1:]:
            above = each >= best  # equivalent: of equal ones it does not matter which
            best = z3.If(above, each, best) if isinstance(formula, sympy.Max) else z3.If(above, best, each)
        return best

    def _atom(self, formula: sympy.Expr) -> Any:
        whole = self.integers and isinstance(formula, (sympy.floor, sympy.ceiling))
        self._atoms[formula] = z3.Int(f"<{formula}>") if whole else z3.Real(f"<{formula}>")
        with suppress(ArithmeticError, NotImplementedError):
            value = arb(evaluate(formula, {})) * 10**9 if formula.is_number else arb.nan()
            if value.rad() < 1:  # a constant that is not huge
                low, high = int(value.lower().fmpq().floor()), int(value.upper().fmpq().ceil())
                self.definitions += [self._atoms[formula] * 10**9 >= low, self._atoms[formula] * 10**9 <= high]
        known = _KNOWN.get(type(formula))
        if known is not None:
            self.definitions.append(known(self._atoms[formula], self.term(*formula.args)))
        return self._atoms[formula]


def _real(term: Any) -> Any:
    return z3.ToReal(term) if z3.is_int(term) else term


_KNOWN: Mapping[type, Any] = {
    sympy.exp: lambda value, inside: z3.And([value > 0, value >= 1 + inside]),
    sympy.log: lambda value, inside: z3.And([value <= inside - 1, value * inside >= inside - 1]),
    sympy.floor: lambda value, inside: z3.And(
        [value <= inside, inside < value + 1, *(z3.Implies(inside >= whole, value >= whole) for whole in (0, 1))]
    ),
    sympy.ceiling: lambda value, inside: z3.And(
        [value >= inside, inside > value - 1, *(z3.Implies(inside <= whole, value <= whole) for whole in (0, 1))]
    ),
}
"""Facts about each function that Z3 does not know: its signs, its tangents, that a floor is an integer."""

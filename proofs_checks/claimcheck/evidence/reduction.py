"""Reductions of a relation: to one end of its domain and the sign of the slope, or to parts of its domain."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, ClassVar

import sympy  # type: ignore[import-untyped]

from proofs_checks.claimcheck.evidence.argument import relation_of_step, relations_at
from proofs_checks.claimcheck.evidence.everywhere import Everywhere
from proofs_checks.claimcheck.evidence.evidence import Context, Evidence, Leaf, Outcome, together
from proofs_checks.claimcheck.evidence.solver import Solver, covered, included
from proofs_checks.claimcheck.statements import ForAll, Relation, Statement
from proofs_checks.claimcheck.statements.relation import formula_latex, margin, refuse_floats
from proofs_checks.claimcheck.verdicts import Grade


class LeastAt(Evidence):
    """A relation holds at the value of one variable at which its margin is least, hence at every value.

    Parameters
    ----------
    variable
        The variable.
    value
        Value of the variable at which the margin is least: a number, or a formula in the other variables.
    then
        Evidence for the relation at this value; by default evaluation, or the solver if other variables remain.
    slope
        Evidence that the margin does not decrease above the value, nor increase below it (if the domain reaches
        below); the solver by default.
    steps
        Whether the slope is the difference over a unit step (an induction, for integer variables; of a sum that ends
        at the variable it keeps one term) and not the derivative.
    """

    explains: ClassVar = {
        "the derivative in": (
            "The difference of both sides is monotone in this variable, by the sign of its derivative, so that it "
            "is enough to decide the end of the range."
        ),
        "unit steps in": (
            "The difference of both sides is monotone along unit steps of this variable (an induction), so that it "
            "is enough to decide the first value."
        ),
    }

    def __init__(
        self,
        variable: sympy.Symbol,
        value: Any,
        *,
        then: Evidence | None = None,
        slope: Evidence | None = None,
        steps: bool = False,
    ) -> None:
        self.variable = variable
        self.value = sympy.sympify(value)
        refuse_floats("LeastAt", self.value)
        self.then = then or _Directly()
        self.slope = slope or Solver()
        self.steps = steps

    def parts(self) -> Any:
        """Yield the evidence for the end and for the slope."""
        yield self.then
        yield self.slope

    def with_parts(self, parts: list[Evidence]) -> Evidence:
        """Return the same reduction with other parts."""
        made = copy(self)
        made.then, made.slope = parts
        return made

    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Establish the end and the slope."""
        if not isinstance(goal, Relation):
            return _refused("only a relation has a slope")
        if any(isinstance(each, sympy.Ne) for each in goal.relations):
            return _refused("an inequation has no margin")
        domain = goal.full_domain
        if self.variable not in domain.variables:
            return _refused(f"{self.variable} is no variable of the domain")
        try:
            at_end = domain.replaced({self.variable: self.value})
        except ValueError as error:
            return _refused(f"{self.variable} = {self.value} is outside the domain: {error}")
        if not included(domain, at_end):
            return _refused(f"{self.variable} = {self.value} is not in the domain for every choice of the others")
        end = _goal(goal, "end", at_end, relations_at(goal.relations, {self.variable: self.value}))
        place = f"${formula_latex(self.variable)} = {formula_latex(self.value)}$"
        how = "unit steps" if self.steps else "the derivative"
        parts = [(f"at {place}", self.then.establish(end, context))]
        above = _sloped(goal, domain.where(self.variable >= self.value), self.variable, self.steps, rising=True)
        parts.append((f"{how} of the margin above {place}", self.slope.establish(above, context)))
        if not included(domain, ForAll(self.variable >= self.value)):
            if self.steps:
                return _refused("induction goes upwards: the domain reaches below the value")
            below = _sloped(goal, domain.where(self.variable <= self.value), self.variable, False, rising=False)
            parts.append((f"{how} of the margin below {place}", self.slope.establish(below, context)))
        return together(f"{how} in {self.variable}", parts)


class _Directly(Leaf):
    """Evaluate the goal if it has no variables left; otherwise refute its negation with the solver."""

    by = "evaluation, or a decision procedure for real arithmetic (Z3)"
    explains: ClassVar = {
        by: (
            "A relation without free variables is evaluated in exact numbers or enclosures; any other is decided "
            "by Z3 over the real numbers."
        ),
    }

    def decide(self, goal: Statement, context: Context) -> Outcome | str:
        """Evaluate the goal, or refute its negation."""
        single = (
            isinstance(goal, Relation)
            and not goal.full_domain.variables
            and not any(each.free_symbols for each in goal.relations)
        )
        return (Everywhere() if single else Solver()).decide(goal, context)


class Cases(Evidence):
    """A distinction of cases, each with its own evidence; the solver checks that the cases cover the domain.

    Parameters
    ----------
    *cases
        Pairs of a condition (or a sequence of conditions) and the evidence where it holds.

    Raises
    ------
    ValueError
        For anything else.
    """

    explains: ClassVar = {
        "a distinction of cases": "The cases are shown to cover the domain, and each is established by itself.",
    }

    def __init__(self, *cases: tuple[Any, Evidence]) -> None:
        self.cases = [
            (tuple(conditions) if isinstance(conditions, Sequence) else (conditions,), evidence)
            for conditions, evidence in map(_pair, cases)
        ]

    def parts(self) -> Any:
        """Yield the evidence of each part."""
        yield from (evidence for _, evidence in self.cases)

    def with_parts(self, parts: list[Evidence]) -> Evidence:
        """Return the same distinction of cases with other evidence for each."""
        return Cases(*((conditions, part) for (conditions, _), part in zip(self.cases, parts, strict=True)))

    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Establish the relation in each case, and that the cases cover the domain."""
        if not isinstance(goal, Relation):
            return _refused("a distinction of cases needs a domain with conditions")
        if not covered(goal.full_domain, [conditions for conditions, _ in self.cases]):
            return _refused("the cases are not seen to cover the domain")
        parts = [
            (f"where {relation_of_step(conditions)}", evidence.establish(goal.restricted(*conditions), context))
            for conditions, evidence in self.cases
        ]
        return together("a distinction of cases", parts)


def _pair(case: Any) -> tuple[Any, Evidence]:
    if not (isinstance(case, tuple) and len(case) == 2 and isinstance(case[1], Evidence)):
        raise ValueError(f"a case is {case!r}: write pairs, Cases((x <= 2, Solver()), (x > 2, Solver()))")
    return case


def _refused(why: str) -> Outcome:
    return Outcome(False, Grade.CERTIFIED, "", why=why)


def _goal(goal: Relation, suffix: str, domain: ForAll, relations: Sequence[sympy.Rel]) -> Relation:
    return Relation(f"{goal.id}#{suffix}", domain, *relations, reading=goal.reading)


def _sloped(goal: Relation, domain: ForAll, variable: sympy.Symbol, steps: bool, rising: bool) -> Relation:
    relations = []
    for each in goal.relations:
        gap = margin(each)
        slope = _step(gap, variable) if steps else sympy.diff(gap, variable)
        kind = sympy.Eq if isinstance(each, sympy.Eq) else sympy.Ge
        relations.append(kind(slope if rising else -slope, 0, evaluate=False))
    return _goal(goal, "slope", domain, relations)


def _step(formula: sympy.Expr, variable: sympy.Symbol) -> sympy.Expr:
    """Return formula(v + 1) - formula(v), with a sum up to v + 1 written as the sum up to v and one more term."""
    grown = {}
    for each in formula.atoms(sympy.Sum):
        (index, low, high), *others = each.limits
        ends_here = high - variable
        if not others and not (ends_here.has(variable) or low.has(variable) or each.function.has(variable)):
            grown[each.subs(variable, variable + 1)] = each + each.function.subs(index, high + 1)
    after = formula.subs(variable, variable + 1).xreplace(grown)
    return sympy.expand(after - formula) if grown else after - formula

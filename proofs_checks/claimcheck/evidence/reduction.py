"""Reductions of a statement: to an end of its domain and a slope, to cases, moves or terms; or one of several ways."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

import sympy  # type: ignore[import-untyped]

from proofs_checks.claimcheck.evidence.argument import relation_of_step, relations_at
from proofs_checks.claimcheck.evidence.evidence import Context, Evidence, Leaf, Outcome, together
from proofs_checks.claimcheck.evidence.leaves import Everywhere
from proofs_checks.claimcheck.evidence.solver import Solver, covered, included
from proofs_checks.claimcheck.statements import ForAll, Process, Relation, Statement
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
        Evidence that the margin does not decrease above the value, nor increase below it (where the domain reaches
        there); the solver by default.
    steps
        Whether the slope is the difference over a unit step (an induction, for integer variables; of a sum that ends
        at the variable it keeps one term) and not the derivative; always so for a sum that ends at the variable.
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

    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Establish the end and the slope."""
        if not isinstance(goal, Relation):
            return _refused("only a relation has a slope")
        if any(isinstance(each, sympy.Ne) for each in goal.relations):
            return _refused("an inequation has no margin")
        domain = goal.full_domain
        if self.variable not in domain.variables:
            return _refused(f"{self.variable} is no variable of the domain")
        steps = self.steps or any(
            limits[2].has(self.variable)
            for each in goal.relations
            for one in each.atoms(sympy.Sum)
            for limits in one.limits
        )
        if steps and not (self.variable.is_integer and self.value.is_integer):
            whole = f"symbols('{self.variable}', integer=True)"
            return _refused(f"unit steps go from one whole number to the next: declare {whole}, and give a whole value")
        try:
            at_end = domain.replaced({self.variable: self.value})
        except ValueError as error:
            return _refused(f"{self.variable} = {self.value} is outside the domain: {error}")
        if not included(domain, at_end):
            return _refused(f"{self.variable} = {self.value} is not in the domain for every choice of the others")
        end = _goal(goal, "end", at_end, relations_at(goal.relations, {self.variable: self.value}))
        place = f"${formula_latex(self.variable)} = {formula_latex(self.value)}$"
        how = "unit steps" if steps else "the derivative"
        parts = [(f"at {place}", self.then.establish(end, context))]
        if steps or not included(domain, ForAll(self.variable <= self.value)):
            above = _sloped(goal, domain.where(self.variable >= self.value), self.variable, steps, rising=True)
            parts.append((f"{how} of the margin above {place}", self.slope.establish(above, context)))
        if not included(domain, ForAll(self.variable >= self.value)):
            if steps:
                return _refused("induction goes upwards: the domain reaches below the value")
            below = _sloped(goal, domain.where(self.variable <= self.value), self.variable, False, rising=False)
            parts.append((f"{how} of the margin below {place}", self.slope.establish(below, context)))
        return together(f"{how} in {self.variable}", parts)


class _Directly(Leaf):
    """Evaluate the goal if no variables are left in its relations; otherwise refute its negation with the solver."""

    by = "evaluation, or a decision procedure for real arithmetic (Z3)"
    explains: ClassVar = {
        by: (
            "A relation without free variables is evaluated in exact numbers or enclosures; any other is decided "
            "by Z3 over the real numbers."
        ),
    }

    def decide(self, goal: Statement, context: Context) -> Outcome | str:
        """Evaluate the goal, or refute its negation."""
        if isinstance(goal, Relation) and not any(each.free_symbols for each in goal.relations):
            found = Everywhere().decide(_goal(goal, "constant", ForAll(), goal.relations), context)
            if not goal.full_domain.variables or (isinstance(found, Outcome) and found.established):
                return found  # a false relation holds all the same where the domain is empty
        return Solver().decide(goal, context)


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

    def parts(self) -> Iterable[Evidence]:
        """Return the evidence of each case."""
        return [evidence for _, evidence in self.cases]

    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Establish the relation in each case, and that the cases cover the domain."""
        if not isinstance(goal, Relation):
            return _refused("a distinction of cases needs a domain with conditions")
        if not covered(goal.full_domain, [conditions for conditions, _ in self.cases]):
            return _refused("the cases are not seen to cover the domain")
        parts: list[tuple[str, Outcome]] = []
        for conditions, evidence in self.cases:
            found = evidence.establish(goal.restricted(*conditions), context)
            parts.append((f"where {relation_of_step(conditions)}", found))
            if context.brief and not found.established:
                break
        return together("a distinction of cases", parts)


class Invariant(Evidence):
    """Induction over the moves of a process.

    Parameters
    ----------
    *also
        Relations proved together with the claimed ones, if a move does not preserve the claimed ones alone.
    start, move
        Evidence that the relations hold at the start, and that a move preserves them; the solver by default.
    """

    explains: ClassVar = {
        "induction over the moves": "It holds at the start, and every move preserves it; the steps within show both.",
    }

    def __init__(
        self,
        *also: sympy.Rel,
        start: Evidence | None = None,
        move: Evidence | None = None,
    ) -> None:
        self.also = also
        self.start = start or Solver()
        self.move = move or Solver()

    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Establish the start and every move."""
        if not isinstance(goal, Process):
            return _refused("only a process has an invariant")
        kept = (*goal.claimed, *self.also)
        at_start = goal.relation(goal.fixed, *relations_at(kept, goal.start))
        before = goal.relation(goal.fixed.where(*goal.inputs.conditions, *kept), *map(goal.after_move, kept))
        start = ("at the start", self.start.establish(at_start, context))
        move = (f"every move preserves {relation_of_step(kept)}", self.move.establish(before, context))
        return together("induction over the moves", (start, move))


class TermByTerm(Evidence):
    """An inequality between convergent series, from the inequality between their terms.

    Parameters
    ----------
    index
        Symbol of the index 1, 2, ... of the terms. Each side of the relation has a method ``term(index)``.
    terms
        Evidence that each term of the smaller side is at most that of the larger side.
    """

    explains: ClassVar = {
        "term by term": (
            "Both sides are series, and each term of one is at most that of the other; the step within shows that."
        ),
    }

    def __init__(self, index: sympy.Symbol, terms: Evidence) -> None:
        self.index = index
        self.terms = terms

    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Establish the relation between the terms."""
        sides = [each.args for each in goal.relations] if isinstance(goal, Relation) else []
        if not sides or not all(hasattr(side, "term") for pair in sides for side in pair):
            return _refused("both sides have to be series")
        assert isinstance(goal, Relation)
        between = [
            each.func(*(side.term(self.index) for side in pair), evaluate=False)
            for each, pair in zip(goal.relations, sides, strict=True)
        ]
        domain = goal.full_domain.where(self.index >= 1)
        terms = _goal(goal, "terms", domain, between)
        return together("term by term", [(relation_of_step(between), self.terms.establish(terms, context))])


class AnyOf(Evidence):
    """Several ways, each of which establishes the whole statement; contradicting findings are an error.

    Parameters
    ----------
    *ways
        Evidence of any kind. For example, a theorem of the kernel gives the grade, and a computation gives the numbers
        and decides variants.
    """

    def __init__(self, *ways: Evidence) -> None:
        self.ways = ways

    def parts(self) -> Iterable[Evidence]:
        """Return the ways."""
        return self.ways

    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Try every way; the statement is not established if any of them finds it false."""
        found = [way.establish(goal, context) for way in self.ways]
        refuted = next((each for each in found if each.refuted is not None), None)
        established = sorted((each for each in found if each.established), key=lambda each: each.grade.rank)
        if refuted is not None and established:
            raise ArithmeticError(f"{goal.id}: {established[0].by} establishes what {refuted.by} finds false")
        if not established:
            return refuted or Outcome(False, Grade.CERTIFIED, "", why="; ".join(each.why for each in found if each.why))
        return replace(
            established[0],
            by="; and ".join(each.by for each in established if each.by),
            values={name: value for each in reversed(established) for name, value in each.values.items()},
            steps=next((each.steps for each in established if each.steps), ()),
            instances=next((each.instances for each in established if each.instances), None),
            decisions=tuple(decision for each in found for decision in each.decisions),
        )


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

"""The search for a counterexample; and evidence that decides by itself, or is granted unchecked."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import Any, ClassVar

import sympy  # type: ignore[import-untyped]

from proofs_checks.claimcheck.evidence.evidence import Context, Evidence, Leaf, Outcome, StepTaken
from proofs_checks.claimcheck.statements import Answer, Family, Property, Relation, Statement, answer
from proofs_checks.claimcheck.verdicts import Grade
from theory.certified import Truth

LARGEST_COUNT = 400
"""Number of instances that the search for a counterexample tries, if an entry does not say how many."""
_DRAWN = 60


def find_witness(
    statement: Statement, context: Context, *, first: Iterable[Any] = (), largest_count: int = LARGEST_COUNT
) -> Answer | None:
    """Return the answer at an instance where `statement` is certainly false, or None.

    The instances are those in `first`, the most telling ones, and at most `largest_count` others; after the known
    members of a family, the context may draw random ones.
    """
    if isinstance(statement, Relation):  # the surviving part of a statement has a smaller domain
        first = [point for point in first if statement.full_domain.contains(point)]
    instances = chain(first, islice(_instances(statement, context), largest_count))
    return next((found for found in map(statement.at, instances) if found.false), None)


def _instances(statement: Statement, context: Context) -> Iterator[Any]:
    yield from statement.instances()
    if context.sampling and isinstance(statement, Property) and statement.over and statement.over.draw:
        generator = context.generator(f"witness of {statement.id}")
        for _ in range(_DRAWN):
            yield statement.over.draw(generator)


class Everywhere(Leaf):
    """Evaluation of the statement at all its instances, if they are finitely many; otherwise it establishes nothing.

    The grade is `EXHAUSTIVE`, or `CERTIFIED` for a single fact.
    """

    by = "evaluation at every instance"
    explains: ClassVar = {by: "The domain is finite, and the step is evaluated exactly at every point of it."}

    def decide(self, goal: Statement, context: Context) -> Outcome | str:
        """Evaluate the goal everywhere."""
        single, instances = _extent(goal)
        if instances is None:
            return "the domain is not finite: have each variable whole, symbols('n', integer=True), and between bounds"
        found = _evaluated(goal, instances, self.by)
        if isinstance(found, str) or not found.established:
            return found
        if single:
            return replace(found, instances=None)
        return replace(found, grade=Grade.EXHAUSTIVE, values={})


def _extent(goal: Statement) -> tuple[bool, Iterator[Any] | None]:
    """Return whether there is a single instance, and all instances if they are finitely many."""
    if isinstance(goal, Relation):
        domain = goal.full_domain
        return not domain.variables, domain.all_points() if domain.finite else None
    over = goal.over if isinstance(goal, Property) else Family("")
    return over is None, goal.instances() if over is None or over.complete else None


def _evaluated(goal: Statement, instances: Iterable[Any], by: str) -> Outcome | str:
    """Return the outcome of an evaluation at all of these instances, with the values at the last one."""
    count = 0
    for instance in instances:
        count, found = count + 1, goal.at(instance)
        if found.false:
            return Outcome(False, Grade.CERTIFIED, by, why="it is false", refuted=found.values)
        if not found.true:
            return goal.why_undecided(instance) if isinstance(goal, Relation) else f"undecided at {instance}"
    if not count:
        return "there is no instance: the domain is empty"
    return Outcome(True, Grade.CERTIFIED, by, values=found.values, instances=count)


class Algebra(Leaf):
    """Both sides of an equation are the same formula, for all values of their symbols in the domain."""

    by = "algebra (SymPy)"
    explains: ClassVar = {by: "Both sides are brought to one normal form, symbolically, and agree."}

    def decide(self, goal: Statement, context: Context) -> str:
        """Simplify the difference of the two sides of each equation."""
        if not isinstance(goal, Relation):
            return "algebra decides equations"
        signed = _signed(goal)
        for relation in goal.relations:
            if not isinstance(relation, sympy.Eq):
                return f"algebra decides equations, not {relation}; Solver() decides inequalities"
            difference = (relation.lhs - relation.rhs).subs(signed).doit()
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
    for attempt in (sympy.expand, sympy.expand_log, sympy.cancel, sympy.simplify):
        try:
            if attempt(difference) == 0:
                return True
        except (sympy.PolynomialError, NotImplementedError):
            continue
    return False


class Decides(Leaf):
    """A function of the statement's parameters alone computes whether the statement is true.

    Use it where no general method decides: a supremum over all models by branch and bound, a region by exact algebra.
    The function has to cover the whole domain; `covers` says how.

    Parameters
    ----------
    function
        Called as ``function(**parameters)``; returns a truth value, a `Truth`, or an `Answer` with the computed values.
        It has to take every parameter of the statement, so that each can change the decision.
    covers
        A sentence that says why the computation covers the domain.
    grade
        `EXHAUSTIVE` if the function goes through a finite domain.

    Raises
    ------
    ValueError
        If `grade` is not a `Grade`.
    """

    explains: ClassVar = {
        "computation:": (
            "A computation of this project decides it, in exact numbers or enclosures; why that covers the whole "
            "domain is said here."
        ),
    }

    def __init__(
        self, function: Callable[..., bool | Truth | Answer], covers: str, grade: Grade = Grade.CERTIFIED
    ) -> None:
        if not isinstance(grade, Grade):
            raise ValueError(f"grade: {grade!r} is no Grade: {', '.join(map(str, Grade))}")
        self.function = function
        self.covers = " ".join(covers.split())
        self.grade = grade
        self.by = f"computation: {self.covers}"

    def decide(self, goal: Statement, context: Context) -> Outcome:
        """Call the function."""
        found = self.function(**goal.parameters)
        found = found if isinstance(found, Answer) else answer(found)
        count = found.values.get("instances")
        return Outcome(
            found.true,
            self.grade,
            self.by,
            values=found.values if found.true else {},
            instances=count if isinstance(count, int) else None,
            why="" if found.true else "it is false" if found.false else "undecided",
            refuted=found.values if found.false else None,
        )


class Samples(Leaf):
    """Evaluation of a property at the known members of its family and at random exact ones.

    A relation is evaluated at the first points that its domain proposes.

    Parameters
    ----------
    count
        Number of random members, or of points.
    """

    grade = Grade.TESTED
    by = "random exact instances"
    explains: ClassVar = {by: "Instances drawn at random are evaluated exactly; nothing covers the rest."}
    explains["exact points"] = "The simplest points of the domain are evaluated exactly; nothing covers the rest."

    def __init__(self, count: int) -> None:
        self.count = count

    def decide(self, goal: Statement, context: Context) -> Outcome | str:
        """Evaluate the goal at known and at random members, or at points."""
        if not context.sampling:
            return "sampling is off"
        if isinstance(goal, Relation):
            found = _evaluated(goal, islice(goal.instances(), self.count), "exact points of the domain")
        elif isinstance(goal, Property) and goal.over is not None and goal.over.draw is not None:
            draw, generator = goal.over.draw, context.generator(goal.id)
            found = _evaluated(goal, chain(goal.over.members(), (draw(generator) for _ in range(self.count))), self.by)
        else:
            return "there is nothing to draw from: give over=Family(words, draw=function of a generator)"
        return found if isinstance(found, str) or not found.established else replace(found, grade=self.grade, values={})


class Cited(Leaf):
    """A result of the literature, with its reference; the search for a witness still tries it at instances.

    Parameters
    ----------
    reference
        Author, title or place, year.

    Raises
    ------
    ValueError
        If the reference has no year.
    """

    grade = Grade.CITED
    by = "the literature"

    def __init__(self, reference: str) -> None:
        if not re.search(r"\b(1[5-9]|20)\d\d\b", reference):
            raise ValueError(f"Cited: {reference!r} has no year: write author, title and year, so that it can be found")
        self.reference = reference

    def decide(self, goal: Statement, context: Context) -> Outcome:
        """Accept the cited result unchecked."""
        return Outcome(True, Grade.CITED, self.reference)


class ByHand(Evidence):
    """A step that the reader is asked to grant; pages count and mark such steps.

    Parameters
    ----------
    why
        The reasoning, in a sentence or two; "" where the step's own text says it.
    """

    def __init__(self, why: str = "") -> None:
        self.why = " ".join(why.split())

    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Grant the claimed statement at grade "argued"; refuse every variant of it."""
        varied = sorted(context.varied(goal))
        if varied:
            return Outcome(False, Grade.ARGUED, "hand", why=f"the argument is not for another {', '.join(varied)}")
        return Outcome(True, Grade.ARGUED, "hand", steps=(StepTaken(self.why, "hand", True),) if self.why else ())

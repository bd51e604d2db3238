"""Written arguments: numbered steps, each checked or marked by hand, and a conclusion drawn from them.

A step may be a relation, established by evidence of its own. If the statement is a relation too, the solver draws the
conclusion from the relations of all steps, so that an argument that lacks a step it needs is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, ClassVar

import sympy  # type: ignore[import-untyped]

from proofs_checks.claimcheck.evidence.evidence import Context, Evidence, Outcome, together
from proofs_checks.claimcheck.evidence.leaves import ByHand
from proofs_checks.claimcheck.evidence.solver import Solver, included
from proofs_checks.claimcheck.statements import ForAll, Relation, Statement
from proofs_checks.claimcheck.statements.relation import formula_latex, with_sides
from proofs_checks.claimcheck.statements.statement import names_in
from proofs_checks.claimcheck.verdicts import Grade
from theory import BanditError, rational


class Uses(Evidence):
    """The use of another entry; the conclusion stands only if the other entry does.

    Parameters
    ----------
    claim_id
        Id of the entry that is used.
    at
        Formulas to substitute for the entry's variables, if it is a relation; a variable that is left out stays itself.
        The points of use are checked to lie in the domain on which the entry stands.
    same
        For parameters of the statement that uses the entry, the entry's parameter that has to have the same value.
    """

    def __init__(
        self,
        claim_id: str,
        at: Mapping[sympy.Symbol, Any] | None = None,
        *,
        same: Mapping[str, str] | None = None,
    ) -> None:
        self.claim_id = claim_id
        self.same = dict(same or {})
        self.at = {symbol: sympy.sympify(value) for symbol, value in (at or {}).items()}

    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Establish the goal by the other entry, which must claim the same on a domain that contains the goal's."""
        why = self.refused(goal, context)
        if not why and isinstance(goal, Relation) and isinstance(context.statement(self.claim_id), Relation):
            given = self.relations(goal, context)
            if given != goal.relations:
                why = Solver(*given).decide(goal, context)
        return self.outcome(why)

    def outcome(self, why: str) -> Outcome:
        """Return the outcome of the use: accepted if `why` is "", otherwise refused for that reason."""
        return Outcome(not why, Grade.CERTIFIED, self.claim_id, uses=(self.claim_id,), why=why)

    def refused(self, goal: Statement, context: Context, given: Sequence[sympy.Rel] = ()) -> str:
        """Return "" if the entry may be used for `goal`, `given` the relations of earlier steps; otherwise why not."""
        used = context.statement(self.claim_id)
        for name, theirs in self.same.items():
            if not equal(goal.parameters[name], used.parameters[theirs]):
                return f"{self.claim_id} is about {theirs} = {used.parameters[theirs]}, not {goal.parameters[name]}"
        if isinstance(used, Relation) and isinstance(goal, Relation):
            return refused_use(used, _filled(self.at, goal), goal.full_domain, given)
        part = context.part(self.claim_id)
        return f"{self.claim_id} holds only {part}, and is used as a whole" if part else ""

    def relations(self, goal: Statement, context: Context) -> tuple[sympy.Rel, ...]:
        """Return the other entry's relations in the variables of the statement that uses it."""
        used = context.statement(self.claim_id)
        return relations_at(used.relations, _filled(self.at, goal)) if isinstance(used, Relation) else ()


def equal(one: object, other: object) -> bool:
    """Return whether two values of parameters are equal, as numbers if they are numbers."""
    try:
        return rational(one) == rational(other)
    except BanditError:  # no numbers
        return one == other


def relations_at(relations: Sequence[sympy.Rel], at: Mapping[sympy.Symbol, Any]) -> tuple[sympy.Rel, ...]:
    """Return relations with formulas substituted for their variables."""
    return tuple(with_sides(each, *(side.subs(at, simultaneous=True) for side in each.args)) for each in relations)


def _filled(at: Mapping[sympy.Symbol, Any], goal: Statement) -> Mapping[sympy.Symbol, Any]:
    """Return formulas with the goal's parameters substituted."""
    return {symbol: goal.filled(value) for symbol, value in at.items()} if isinstance(goal, Relation) else at


def refused_use(used: Relation, at: Mapping[sympy.Symbol, Any], domain: ForAll, given: Sequence[sympy.Rel] = ()) -> str:
    """Return "" if a relation may be used on `domain`, other relations being `given`; otherwise why not."""
    try:
        needed = used.full_domain.replaced(at)
    except ValueError:
        return f"{used.id} is used where its domain is empty"
    if included(domain, needed, given):
        return ""
    return f"{used.id} is used outside its domain: {needed.latex} is not seen to hold"


class Step:
    """One numbered step.

    Parameters
    ----------
    *parts
        In any order: a text, with formulas between dollar signs (optional if there are relations); evidence, `Uses` or
        `ByHand()` (the solver, if nothing is given); and relations in the parameters and variables of the statement,
        which become premises of the conclusion. A step by hand may have no relations; one that uses an entry takes
        the entry's relations.
    over
        The step's own domain, if it differs from the statement's.
    at
        Formulas to substitute in the conclusion for variables that only the step has. They are checked to lie in the
        step's domain, the earlier steps being given.
    claim
        The step as a statement of another kind.
    """

    def __init__(
        self,
        *parts: str | Evidence | sympy.Rel,
        over: ForAll | None = None,
        at: Mapping[sympy.Symbol, Any] | None = None,
        claim: Statement | None = None,
    ) -> None:
        self.at = {symbol: sympy.sympify(value) for symbol, value in (at or {}).items()}
        self.says = " ".join(" ".join(each for each in parts if isinstance(each, str)).split())
        self.by = next((each for each in parts if isinstance(each, Evidence)), None) or Solver()
        self.relations = tuple(each for each in parts if not isinstance(each, (str, Evidence)))
        self.over = over
        self.claim = claim

    def put(self, at: Mapping[sympy.Symbol, Any]) -> Step:
        """Return a copy of the step with other formulas `at` for its own variables."""
        other = copy(self)
        other.at = {symbol: sympy.sympify(value) for symbol, value in at.items()}
        return other


class Argument(Evidence):
    """Steps, and a conclusion drawn from them.

    Parameters
    ----------
    *steps
        Steps. A `Uses` or the id of the entry to use, a `ByHand`, and a relation (for the solver) are short for a step.
    conclusion
        Evidence that the statement follows: for relations, by default, the solver with the steps' relations as
        premises; for other statements it has to be given, as `ByHand("...")` or evidence that decides.
    """

    explains: ClassVar = {
        "an argument in steps": "Numbered steps, each shown below; from their relations the conclusion is drawn by Z3.",
    }

    def __init__(self, *steps: Step | Uses | ByHand | str | sympy.Rel, conclusion: Evidence | None = None) -> None:
        self.steps = tuple(_step(each) for each in steps)
        self.conclusion = conclusion or Solver()

    def parts(self) -> Iterable[Evidence]:
        """Return the evidence of each step, then that of the conclusion."""
        return (*(step.by for step in self.steps), self.conclusion)

    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Establish each step, then the conclusion."""
        parts: list[tuple[str, Outcome]] = []
        premises: list[sympy.Rel] = []
        for number, step in enumerate(self.steps, 1):
            text, outcome, given = self._take(step, number, goal, context, premises)
            parts.append((text, outcome))
            if context.brief and not outcome.established:
                return together("an argument in steps", parts)
            premises.extend(given)
        conclusion, text = self.conclusion, "The statement follows from these steps."
        if isinstance(conclusion, Solver) and context.trusted is not conclusion:
            knowing = Solver(*conclusion.given, *premises, integers=conclusion.integers)
            end = replace(knowing.establish(goal, context), decisions=((conclusion, goal),))  # not noted for the copy
        elif isinstance(conclusion, ByHand):
            end, text = self._granted(goal, context), conclusion.why
        else:
            end = conclusion.establish(goal, context)
        return together("an argument in steps", [*parts, (text, end)])

    def _granted(self, goal: Statement, context: Context) -> Outcome:
        """Return the outcome of a conclusion by hand; for a variant, checked steps have to depend on what it varies."""
        unreached = context.varied(goal) - self._reached(goal)
        if not unreached:
            return Outcome(True, Grade.ARGUED, "hand")
        why = f"no step depends on {', '.join(sorted(unreached))}: the argument is not for another one"
        return Outcome(False, Grade.ARGUED, "hand", why=why)

    def _reached(self, goal: Statement) -> set[str]:
        """Return the parameters of the goal on which some checked step (one not by hand) depends."""
        reached: set[str] = set()
        for step in self.steps:
            if not isinstance(step.by, ByHand):
                reached |= names_in(*step.relations)
                reached |= set(step.claim.parameters) if step.claim is not None else set()
                reached |= set(step.by.same) if isinstance(step.by, Uses) else set()
        return reached & set(goal.parameters)

    def _take(
        self, step: Step, number: int, goal: Statement, context: Context, premises: Sequence[sympy.Rel]
    ) -> tuple[str, Outcome, Sequence[sympy.Rel]]:
        claim = step.claim
        if claim is not None:
            shared = {name: value for name, value in goal.parameters.items() if name in claim.parameters}
            claim = claim.with_(**shared)
        elif step.relations:
            claim = _as_relation(step, number, goal)
        if isinstance(step.by, Uses) and claim is None:
            return self._use(step, step.by, goal, context, premises)
        in_words = claim is None and isinstance(step.by, ByHand)
        outcome = self._granted(goal, context) if in_words else step.by.establish(claim or goal, context)
        text = step.says or (claim.text if claim else "")
        if isinstance(claim, Relation) and ("$" not in step.says or step.says.endswith(":")):
            text = f"{step.says} ${claim.formula_latex}${_where(step, claim, goal)}".strip()
        if not isinstance(claim, Relation) or not isinstance(goal, Relation):
            return text, outcome, ()
        at = _filled(step.at, goal)
        why = refused_use(claim, at, goal.full_domain, premises)
        if why:
            return text, replace(outcome, established=False, why=why), ()
        return text, outcome, relations_at(claim.relations, at)

    @staticmethod
    def _use(
        step: Step, use: Uses, goal: Statement, context: Context, premises: Sequence[sympy.Rel]
    ) -> tuple[str, Outcome, Sequence[sympy.Rel]]:
        why = use.refused(goal, context, premises)
        relations = use.relations(goal, context)
        text = step.says or (relation_of_step(relations) if relations else context.statement(use.claim_id).text)
        # the solver gets no premises from a refused use, nor for a goal that is not a relation
        return text, use.outcome(why), relations if isinstance(goal, Relation) and not why else ()


def _step(given: Step | Uses | ByHand | str | sympy.Rel) -> Step:
    if isinstance(given, Step):
        return given
    if isinstance(given, str):
        return Step(Uses(given))
    return Step(given.why, ByHand()) if isinstance(given, ByHand) else Step(given)


def _where(step: Step, claim: Relation, goal: Statement) -> str:
    """Return in LaTeX the domain of a step's own variables and the formulas substituted for them."""
    domain = f" for {claim.domain_latex}" if step.over is not None and claim.domain_latex else ""
    at = _filled(step.at, goal).items()
    put = r",\; ".join(f"{formula_latex(symbol)} = {formula_latex(value)}" for symbol, value in at)
    return f"{domain}, at ${put}$" if put else domain


def relation_of_step(relations: Sequence[sympy.Rel]) -> str:
    """Return relations in LaTeX, as a step's text shows them."""
    return "$" + r",\; ".join(map(formula_latex, relations)) + "$"


def _as_relation(step: Step, number: int, goal: Statement) -> Relation:
    domain = step.over or (goal.full_domain if isinstance(goal, Relation) else ForAll())
    names = names_in(*step.relations, *domain.conditions)
    own: dict[str, Any] = {name: value for name, value in goal.parameters.items() if name in names}
    return Relation(f"{goal.id}#{number}", domain, *step.relations, reading=goal.reading, **own)

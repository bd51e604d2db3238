"""Tests of proofs: every leaf of an entry's evidence has to refuse some statement.

A leaf that accepts everything proves nothing. A leaf passes the test if it refuses a stronger variant of the statement
that it accepted (the right side scaled or lowered), or if some mutant of the entry is accepted once the leaf is
replaced by one that accepts everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import sympy  # type: ignore[import-untyped]

from proofs_checks.claimcheck.evidence.evidence import Context, Evidence, Leaf, Outcome, Trusting
from proofs_checks.claimcheck.evidence.leaves import Cited
from proofs_checks.claimcheck.statements import Relation, Statement
from proofs_checks.claimcheck.statements.relation import with_sides

SCALES = tuple(map(sympy.Rational, ("-1", "1/10", "10", "1/2", "2", "9/10", "11/10", "999/1000", "1001/1000")))
SHIFTS = tuple(map(sympy.Rational, ("1/1000", "1/10", "1", "10", "1000", "1000000")))


def blind_leaves(
    evidence: Evidence, statement: Statement, mutants: Sequence[Statement], context: Context
) -> list[tuple[Leaf, Statement]]:
    """Return the decisions that no test shows to be able to fail.

    Parameters
    ----------
    evidence, statement
        The evidence of an entry, and the statement that it establishes.
    mutants
        False variants of the statement.
    context
        A context whose `sampling` is off.
    """
    outcome = evidence.establish(statement, context)
    seen: list[tuple[Leaf, Statement]] = []
    for leaf, goal in outcome.decisions:
        if isinstance(leaf, Cited) or any(leaf is other for other, _ in seen):
            continue
        goals = [each for other, each in outcome.decisions if other is leaf]
        if not any(refuses(leaf, each, context) for each in goals) and not noticed(evidence, leaf, mutants, context):
            seen.append((leaf, goal))
    return seen


def refuses(leaf: Leaf, goal: Statement, context: Context) -> bool:
    """Return whether a leaf refuses some stronger variant (even a true one) of the relation that it accepted."""
    return any(not _established(leaf, variant, context) for variant in stronger(goal))


def noticed(evidence: Evidence, leaf: Leaf, mutants: Sequence[Statement], context: Context) -> bool:
    """Return whether some mutant passes, or two methods disagree, once this leaf accepts everything."""
    blind = evidence.replacing({leaf: Trusting()})
    return any(_goes_through(blind, mutant, context) for mutant in mutants)


def _goes_through(evidence: Evidence, mutant: Statement, context: Context) -> bool:
    try:
        return evidence.establish(mutant, context).established
    except ArithmeticError:  # the leaf says yes where another of several ways says no
        return True


def stronger(goal: Statement) -> Iterator[Statement]:
    """Yield stronger variants of a relation: its larger side scaled or lowered, first by much (soonest refused)."""
    if not isinstance(goal, Relation):
        return
    for change in (*(("scale", scale) for scale in SCALES), *(("shift", shift) for shift in SHIFTS)):
        yield goal.saying(*(_changed(each, *change) for each in goal.relations))


def _changed(relation: sympy.Rel, kind: str, by: sympy.Rational) -> sympy.Rel:
    left, right = relation.args
    if isinstance(relation, (sympy.Ge, sympy.Gt)):
        return with_sides(relation, left * by if kind == "scale" else left - by, right)
    return with_sides(relation, left, right * by if kind == "scale" else right - by)


def _established(leaf: Leaf, goal: Statement, context: Context) -> bool:
    found: Outcome = leaf.establish(goal, context)
    return found.established

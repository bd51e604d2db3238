"""Tests of proofs: every leaf of an entry's evidence has to refuse some statement.

A leaf that accepts everything proves nothing. A leaf passes the test if it refuses a stronger variant of the statement
that it accepted (the right side scaled or lowered), or if some mutant of the entry is accepted once the leaf accepts
everything.
"""

from __future__ import annotations

import sympy

from proofs_checks.claimcheck.evidence import Cited
from proofs_checks.claimcheck.ledger import Book
from proofs_checks.claimcheck.statements import Relation
from proofs_checks.claimcheck.statements.relation import with_sides

SCALES = tuple(map(sympy.Rational, ("-1", "1/10", "10", "1/2", "2", "9/10", "11/10", "999/1000", "1001/1000")))
SHIFTS = tuple(map(sympy.Rational, ("1/1000", "1/10", "1", "10", "1000", "1000000")))


def blind_leaves(evidence, statement, mutants, registry):
    """Return the decisions that no test shows to be able to fail: leaves, each with what it decided."""
    book = Book(registry, sampling=False)
    decisions, blind = evidence.establish(statement, book).decisions, []
    for leaf, goal in {id(leaf): (leaf, goal) for leaf, goal in reversed(decisions)}.values():
        goals = [each for other, each in decisions if other is leaf]
        refuses = (not leaf.establish(variant, book).established for each in goals for variant in stronger(each))
        trusting = Book(registry, sampling=False, trusted=leaf)
        if not (isinstance(leaf, Cited) or any(refuses) or any(accepted(evidence, each, trusting) for each in mutants)):
            blind.append((leaf, goal))
    return blind


def accepted(evidence, mutant, book):
    """Return whether a mutant passes, or two methods disagree."""
    try:
        return evidence.establish(mutant, book).established
    except ArithmeticError:  # the trusted leaf says yes where another of several ways says no
        return True


def stronger(goal):
    """Yield stronger variants of a relation: its larger side scaled or lowered, first by much (soonest refused)."""
    if isinstance(goal, Relation):
        scaled, lowered = ((by, 0) for by in SCALES), ((1, by) for by in SHIFTS)
        for scale, shift in (*scaled, *lowered):
            relations = [_changed(each, lambda side, a=scale, b=shift: side * a - b) for each in goal.relations]
            yield Relation(goal.id, goal.full_domain, *relations, **goal.parameters)


def _changed(relation, change):
    left, right = relation.args
    if isinstance(relation, sympy.Ge | sympy.Gt):
        return with_sides(relation, change(left), right)
    return with_sides(relation, left, change(right))

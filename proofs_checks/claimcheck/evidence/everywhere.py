"""Evaluation at every instance: of a single fact, or of a finite domain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from proofs_checks.claimcheck.evidence.evidence import Context, Leaf, Outcome
from proofs_checks.claimcheck.statements import Property, Relation, Statement
from proofs_checks.claimcheck.verdicts import Grade


class Everywhere(Leaf):
    """Evaluation of the statement at all its instances, if they are finitely many; otherwise it establishes nothing.

    The grade is `EXHAUSTIVE`, or `CERTIFIED` for a single fact.
    """

    by = "evaluation at every instance"
    explains: ClassVar = {by: "The domain is finite, and the step is evaluated exactly at every point of it."}

    def decide(self, goal: Statement, context: Context) -> Outcome | str:
        """Evaluate the goal everywhere."""
        single, finite = _extent(goal)
        if not finite:
            return "the domain is not finite"
        count, values = 0, {}
        for instance in _all(goal):
            found = goal.at(instance)
            count += 1
            if found.false:
                return Outcome(False, Grade.CERTIFIED, self.by, why="it is false", refuted=found.values)
            if not found.true:
                return f"undecided at {instance}"
            values = dict(found.values)
        if count == 0:
            return "there is no instance: the domain is empty"
        grade = Grade.CERTIFIED if single else Grade.EXHAUSTIVE
        return Outcome(True, grade, self.by, values=values if single else {}, instances=None if single else count)


def _extent(goal: Statement) -> tuple[bool, bool]:
    """Return whether there is a single instance, and whether there are finitely many."""
    if isinstance(goal, Relation):
        return not goal.full_domain.variables, goal.full_domain.finite
    over = goal.over if isinstance(goal, Property) else None
    return over is None, over is None or over.complete


def _all(goal: Statement) -> Iterator[Any]:
    return goal.full_domain.all_points() if isinstance(goal, Relation) else goal.instances()

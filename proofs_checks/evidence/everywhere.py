"""Evaluation at every instance: of a single fact, or of a finite domain."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from proofs_checks.evidence.evidence import Context, Leaf, Outcome
from proofs_checks.evidence.grade import Grade
from proofs_checks.statements import Property, Relation, Statement


class Everywhere(Leaf):
    """The statement is evaluated at all its instances, which are finitely many.

    Its grade is `EXHAUSTIVE`; for a single fact `CERTIFIED`. Where a domain is not finite it establishes nothing.
    """

    by = "evaluation at every instance"

    def decide(self, goal: Statement, context: Context) -> Outcome | str:
        """Evaluate the goal everywhere."""
        single = _single(goal)
        if not single and not _finite(goal):
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


def _single(goal: Statement) -> bool:
    if isinstance(goal, Relation):
        return not goal.full_domain.variables
    return not (isinstance(goal, Property) and goal.over is not None)


def _finite(goal: Statement) -> bool:
    if isinstance(goal, Relation):
        return goal.full_domain.finite
    return isinstance(goal, Property) and goal.over is not None and goal.over.complete


def _all(goal: Statement) -> Iterator[Any]:
    return goal.full_domain.all_points() if isinstance(goal, Relation) else goal.instances()

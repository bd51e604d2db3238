"""Random exact instances: evidence that tests and never proves."""

from __future__ import annotations

from typing import ClassVar

from proofs_checks.claimcheck.evidence.evidence import Context, Leaf, Outcome
from proofs_checks.claimcheck.statements import Property, Statement
from proofs_checks.claimcheck.verdicts import Grade


class Samples(Leaf):
    """Evaluation of a property at the known members of its family and at random exact ones.

    Parameters
    ----------
    count
        Number of random members.
    """

    grade = Grade.TESTED
    by = "random exact instances"
    explains: ClassVar = {by: "Instances drawn at random are evaluated exactly; nothing covers the rest."}

    def __init__(self, count: int) -> None:
        self.count = count

    def decide(self, goal: Statement, context: Context) -> Outcome | str:
        """Evaluate the goal at known and at random members."""
        if not isinstance(goal, Property) or goal.over is None or goal.over.draw is None:
            return "there is nothing to draw from"
        if not context.sampling:
            return "sampling is off"
        draw, generator = goal.over.draw, context.generator(goal.id)
        tried = [*goal.over.members(), *(draw(generator) for _ in range(self.count))]
        for instance in tried:
            found = goal.at(instance)
            if found.false:
                return Outcome(False, Grade.CERTIFIED, self.by, why="it is false", refuted=found.values)
            if not found.true:
                return "undecided at an instance"
        return Outcome(True, Grade.TESTED, self.by, instances=len(tried))

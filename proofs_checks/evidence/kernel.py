"""Theorems that a proof assistant's kernel has checked."""

from __future__ import annotations

from proofs_checks.evidence.evidence import Context, Leaf
from proofs_checks.evidence.outcome import Grade, Outcome
from proofs_checks.statements import Statement


class InKernel(Leaf):
    """A theorem of the Rocq sources, whose statement is shown beside the paper's.

    Parameters
    ----------
    theorem
        Its name in the sources.
    **values
        The parameters of the statement for which the theorem is stated: it establishes no variant.
    """

    grade = Grade.KERNEL

    def __init__(self, theorem: str, **values: object) -> None:
        self.theorem = theorem
        self.values = values
        self.by = f"the kernel of Rocq: {theorem}"

    def decide(self, goal: Statement, context: Context) -> Outcome | str:
        """Accept the statement as recorded, with the parameters for which the theorem is stated."""
        if goal.parameters != {**goal.parameters, **self.values} or set(self.values) != set(goal.parameters):
            return f"the theorem {self.theorem} is stated for {self.values}, not for {goal.parameters}"
        return Outcome(True, Grade.KERNEL, self.by)

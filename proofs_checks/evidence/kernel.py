"""Theorems that a proof assistant's kernel has checked."""

from __future__ import annotations

from proofs_checks.evidence.evidence import Context, Leaf, Outcome
from proofs_checks.evidence.grade import Grade
from proofs_checks.kernel.record import is_current, record
from proofs_checks.statements import Statement


class InKernel(Leaf):
    """A theorem of the Rocq sources, whose statement is shown beside the paper's.

    The kernel's answer is the recorded one; the record holds only for the very sources that it was made from.

    Parameters
    ----------
    theorem
        Its name in the sources. It has to name the entry that it carries there.
    **values
        The parameters of the statement for which the theorem is stated: it establishes no variant.
    """

    grade = Grade.KERNEL

    def __init__(self, theorem: str, **values: object) -> None:
        self.theorem = theorem
        self.values = values
        self.by = f"the kernel of Rocq: {theorem}"

    def decide(self, goal: Statement, context: Context) -> Outcome | str:
        """Accept the statement with the parameters for which the theorem is stated, if the record is current."""
        claim_id = goal.id.partition("#")[0]
        found = [each for each in record()["theorems"] if each["name"] == self.theorem]
        if not found:
            return f"no theorem {self.theorem} is recorded"
        if claim_id not in (*found[0]["entries"], *found[0]["step_of"]):
            return f"the theorem {self.theorem} does not say that it carries {claim_id}"
        if not is_current():
            return "the Rocq sources are not those that were compiled for the record: python -m proofs_checks kernel"
        if goal.parameters != self.values:
            return f"the theorem {self.theorem} is stated for {self.values}, not for {goal.parameters}"
        return Outcome(True, Grade.KERNEL, self.by)

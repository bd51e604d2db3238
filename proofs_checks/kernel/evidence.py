"""Theorems that a proof assistant's kernel has checked."""

from __future__ import annotations

from typing import ClassVar

from proofs_checks.claimcheck.evidence import Context, Grade, Leaf, Outcome
from proofs_checks.claimcheck.statements import Statement
from proofs_checks.kernel.constants import unstated
from proofs_checks.kernel.record import NAMED_AS, is_current, record


class InKernel(Leaf):
    """Theorems of the Rocq sources that together make up the statement; pages show them beside the paper's words.

    The kernel's answer is read from the record, which counts only for the sources from which it was made. The comment
    of each theorem has to name the entry, at least one under ``ledger:``. The values are the statement's parameters for
    which the theorems are stated; they establish no variant.
    """

    grade = Grade.KERNEL

    explains: ClassVar = {
        NAMED_AS: "The kernel of the proof assistant Rocq checked a theorem; its statement is shown below.",
    }

    def __init__(self, *theorems: str, **values: object) -> None:
        if not theorems:
            raise ValueError("name the theorems of the kernel that establish the statement")
        self.theorems = theorems
        self.values = values
        self.by = NAMED_AS + ", ".join(theorems)

    def decide(self, goal: Statement, context: Context) -> Outcome | str:
        """Accept the statement, if the record is current, at the parameters for which the theorems are stated."""
        claim_id, theorems = goal.id.partition("#")[0], ", ".join(self.theorems)
        known = {each["name"]: each for each in record()["theorems"]}
        for theorem in self.theorems:
            if theorem not in known:
                return f"no theorem {theorem} is recorded"
            if claim_id not in (*known[theorem]["entries"], *known[theorem]["step_of"]):
                return f"the theorem {theorem} does not name {claim_id}"
        if goal.id == claim_id and not any(claim_id in known[theorem]["entries"] for theorem in self.theorems):
            return f"{theorems}: named only as a step of {claim_id}"
        if not is_current():
            return "the Rocq sources are not those that were compiled for the record: python -m proofs_checks kernel"
        if goal.parameters != self.values:
            return f"{theorems}: stated for {self.values}, not for {goal.parameters}"
        if missing := unstated(self.theorems, self.values):
            return f"{', '.join(missing)}: stands in no statement of {theorems}"
        return Outcome(True, Grade.KERNEL, self.by)

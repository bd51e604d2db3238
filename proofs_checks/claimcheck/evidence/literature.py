"""Unchecked evidence: results cited from the literature, and steps granted by hand; every page marks both."""

from __future__ import annotations

from proofs_checks.claimcheck.evidence.evidence import Context, Evidence, Leaf, Outcome, StepTaken
from proofs_checks.claimcheck.statements import Statement
from proofs_checks.claimcheck.verdicts import Grade


class Cited(Leaf):
    """A result of the literature, with its reference; the search for a witness still tries it at instances.

    Parameters
    ----------
    reference
        Author, title or place, year.
    """

    grade = Grade.CITED
    by = "the literature"

    def __init__(self, reference: str) -> None:
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

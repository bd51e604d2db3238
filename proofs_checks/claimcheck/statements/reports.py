"""Reports: numbers from runs of the paper's programs, compared with the numbers of our runs.

Our run is another experiment, so it cannot refute a report: it agrees with the report, differs from it, or cannot be
compared with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from proofs_checks.claimcheck.statements.answers import Answer, answer
from proofs_checks.claimcheck.statements.properties import Property
from theory.certified import Truth


class Agreement(Enum):
    """Whether our experiment agrees with a report."""

    AGREES = "agrees"
    DIFFERS = "differs"
    NOT_COMPARABLE = "not comparable"


@dataclass(frozen=True)
class Compared:
    """The comparison of our experiment with a report.

    Attributes
    ----------
    agreement
    values
        Our numbers, with their uncertainty and the number of replications, and the paper's numbers.
    why
        Why they differ or cannot be compared, if that is known.
    """

    agreement: Agreement
    values: Mapping[str, object] = field(default_factory=dict)
    why: str = ""


class Report(Property):
    """The claim that our experiment agrees with the numbers that the paper reports from a run of its program.

    Parameters
    ----------
    claim_id, says, domain, reading
        As for every property; the domain is the experiment.
    compare
        Called as ``compare(**parameters)``; returns the comparison. "Not comparable" makes the claim undecided.
    **parameters
        Passed to `compare`.
    """

    def __init__(self, claim_id: str, compare: Callable[..., Compared], **others: Any) -> None:
        def agrees(**parameters: object) -> Answer:
            found = compare(**parameters)
            truth = {Agreement.AGREES: Truth.YES, Agreement.DIFFERS: Truth.NO}.get(found.agreement, Truth.UNDECIDED)
            return answer(truth, **found.values)

        super().__init__(claim_id, agrees, **others)
        self._compare = compare

    def compared(self) -> Compared:
        """Return the comparison of our experiment with the report."""
        return self._compare(**self.parameters)

"""Numbers that the paper reports from runs of its own programs, compared with those of ours.

A run of ours is another experiment. It does not refute a report; it agrees with it, differs from it, or cannot be
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
    """An experiment of ours beside a report.

    Attributes
    ----------
    agreement
    values
        Our numbers, with their uncertainty and the number of replications, and the paper's.
    why
        Where they differ or cannot be compared: why, as far as it is known.
    """

    agreement: Agreement
    values: Mapping[str, object] = field(default_factory=dict)
    why: str = ""


class Report(Property):
    """A property of a single experiment: ours agrees with what the paper reports of a run of its program.

    Parameters
    ----------
    claim_id, says, domain, reading
        As of every property; the domain is the experiment.
    compare
        ``compare(**parameters)``: our experiment beside the report. Where the two cannot be compared it is undecided.
    **parameters
        Handed to `compare`.
    """

    def __init__(self, claim_id: str, compare: Callable[..., Compared], **others: Any) -> None:
        def agrees(**parameters: object) -> Answer:
            found = compare(**parameters)
            truth = {Agreement.AGREES: Truth.YES, Agreement.DIFFERS: Truth.NO}.get(found.agreement, Truth.UNDECIDED)
            return answer(truth, **found.values)

        super().__init__(claim_id, agrees, **others)
        self._compare = compare

    def compared(self) -> Compared:
        """Return our experiment beside the report."""
        return self._compare(**self.parameters)

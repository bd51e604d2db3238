"""Reports of the paper about runs of its own programs: compared with ours, which may agree or differ.

A run of ours is another experiment. It does not refute a report; it agrees with it, differs from it, or cannot be
compared with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from proofs_checks.claimcheck.statements.answers import Answer, answer
from proofs_checks.claimcheck.statements.readings import Reading
from proofs_checks.claimcheck.statements.statement import Statement
from theory.certified import Truth


class Agreement(Enum):
    """What an experiment of ours says of a report."""

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


class Report(Statement):
    """What the paper reports of a run of its program.

    Parameters
    ----------
    claim_id, says, reading
        As of every statement.
    compare
        ``compare(**parameters)``: our experiment beside the report.
    domain
        The experiment, in words.
    **parameters
        Handed to `compare`.
    """

    def __init__(
        self,
        claim_id: str,
        compare: Callable[..., Compared],
        *,
        says: str,
        domain: str = "",
        reading: Reading | None = None,
        **parameters: object,
    ) -> None:
        super().__init__(claim_id, says, parameters, reading)
        self._compare = compare
        self._domain = domain

    def compared(self) -> Compared:
        """Return our experiment beside the report."""
        return self._compare(**self.parameters)

    def instances(self) -> Iterator[None]:
        """Yield the single instance."""
        yield None

    def at(self, instance: None) -> Answer:
        """Return whether our experiment agrees; undecided where it cannot be compared."""
        found = self.compared()
        truth = {Agreement.AGREES: Truth.YES, Agreement.DIFFERS: Truth.NO}.get(found.agreement, Truth.UNDECIDED)
        return answer(truth, **found.values)

    @property
    def domain_latex(self) -> str:
        """The experiment."""
        return self._domain

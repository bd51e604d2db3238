"""The result of judging one entry, assuming the entries that it uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from proofs_checks.claimcheck.evidence import Grade, Outcome, Use
from proofs_checks.claimcheck.verdicts import Verdict


@dataclass(frozen=True)
class Finding:
    """The result for one entry, on the assumption that the entries it uses stand.

    Attributes
    ----------
    verdict
        The entry's own verdict.
    grade
        Grade of the entry's evidence or, if the statement fails, of the refutation; None if nothing is established.
    outcome
        Outcome of the evidence; None if no evidence was applied.
    values
        Computed values, by name.
    witness
        For a statement that fails: data from which a reader can redo the failure by hand.
    refuted_by
        For a statement that fails: the theorem of the kernel that refutes it, or the entry that its witness rests on.
    reason
        Why the verdict is undecided, or a report differs or cannot be compared.
    uses
        Other entries that the refutation rests on.
    """

    verdict: Verdict
    grade: Grade | None
    outcome: Outcome | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    witness: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    refuted_by: str = ""
    uses: tuple[Use, ...] = ()

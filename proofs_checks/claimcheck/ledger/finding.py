"""The result of judging one entry, assuming the entries that it uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from proofs_checks.claimcheck.evidence import Grade, Outcome, Use
from proofs_checks.claimcheck.verdicts import Verdict


@dataclass(frozen=True)
class Finding:
    """The outcome of one entry, before the entries that it uses are looked at.

    Attributes
    ----------
    verdict
        As far as the entry itself goes: it stands only if what it uses stands.
    grade
        Of its own evidence; of a failure, that of its witness. None where nothing is established.
    outcome
        What the evidence said; None where none was asked.
    values
        What was computed.
    witness
        Where the statement fails: data from which the failure can be redone by hand.
    refuted_by
        Where the statement fails and a theorem of the kernel says so: which. Or on which entry its witness rests.
    reason
        Where it is undecided, or a report differs or cannot be compared: why.
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

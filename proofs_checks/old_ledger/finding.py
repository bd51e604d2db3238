"""What a check finds: a verdict, how well it is established, the values computed, and a witness where it fails."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class Verdict(Enum):
    """Whether a claim is true."""

    HOLDS = "holds"
    SMALLER_DOMAIN = "holds on a smaller domain"
    FAILS = "fails"
    UNDECIDED = "undecided"


class Evidence(Enum):
    """How a verdict is established, the strongest first."""

    PROOF = "proof"
    """Symbolic, for all parameters."""
    CERTIFIED = "certified"
    """Interval or exact arithmetic over the whole stated domain; a single exact computation is its own domain."""
    EXHAUSTIVE = "exhaustive"
    """A finite domain, all of it."""
    TESTED = "tested"
    """Random exact instances; says how many."""
    CITED = "cited"
    """Taken from the literature, named, not proved here (instances may be checked)."""


@dataclass(frozen=True)
class Finding:
    """The outcome of one check.

    Attributes
    ----------
    verdict, evidence
        The evidence for a failure is that of its witness: an exact counterexample is `CERTIFIED`.
    values
        What was computed, by name: `fmpq`, integers, `arb` enclosures, text, or lists and mappings of these.
    witness
        Where the claim fails: data from which the failure can be redone by hand. May hold a `Bandit`.
    domain
        For `SMALLER_DOMAIN`: where the claim does hold.
    instances
        For `TESTED`: how many random exact instances; for `EXHAUSTIVE`: how many cases there are.
    reason
        For `UNDECIDED`: why. Otherwise a remark, such as the step of an argument that settles it.
    """

    verdict: Verdict
    evidence: Evidence
    values: Mapping[str, object] = field(default_factory=dict)
    witness: Mapping[str, object] = field(default_factory=dict)
    domain: str = ""
    instances: int | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        """Refuse findings that say less than their verdict needs."""
        if self.verdict is Verdict.FAILS and not self.witness:
            raise ValueError("a claim that fails needs a witness")
        if self.verdict is Verdict.SMALLER_DOMAIN and not (self.domain and self.witness):
            raise ValueError("a claim that holds on a smaller domain needs that domain, and a witness outside it")
        if self.verdict is Verdict.UNDECIDED and not self.reason:
            raise ValueError("an undecided claim needs a reason")
        if self.evidence in (Evidence.TESTED, Evidence.EXHAUSTIVE) and not self.instances:
            raise ValueError(f"evidence '{self.evidence.value}' says how many instances")
        for name in ("domain", "reason"):  # written over several lines in the source
            object.__setattr__(self, name, " ".join(getattr(self, name).split()))

    @property
    def stands(self) -> bool:
        """Whether the claim is true on the domain that the finding names."""
        return self.verdict in (Verdict.HOLDS, Verdict.SMALLER_DOMAIN)


def holds(evidence: Evidence, *, reason: str = "", instances: int | None = None, **values: object) -> Finding:
    """Return the finding that the claim holds on its stated domain."""
    return Finding(Verdict.HOLDS, evidence, values, reason=reason, instances=instances)


def fails(
    witness: Mapping[str, object],
    *,
    evidence: Evidence = Evidence.CERTIFIED,
    instances: int | None = None,
    reason: str = "",
    **values: object,
) -> Finding:
    """Return the finding that the claim fails, with the data of its failure."""
    return Finding(Verdict.FAILS, evidence, values, witness, reason=reason, instances=instances)


def holds_only(
    domain: str,
    evidence: Evidence,
    witness: Mapping[str, object],
    *,
    reason: str = "",
    instances: int | None = None,
    **values: object,
) -> Finding:
    """Return the finding that the claim holds on `domain`, smaller than stated, with a witness outside it."""
    return Finding(Verdict.SMALLER_DOMAIN, evidence, values, witness, domain=domain, reason=reason, instances=instances)


def undecided(reason: str, **values: object) -> Finding:
    """Return the finding that the claim could not be decided."""
    return Finding(Verdict.UNDECIDED, Evidence.CERTIFIED, values, reason=reason)


def decide(
    statement: bool, evidence: Evidence, *, instances: int | None = None, reason: str = "", **values: object
) -> Finding:
    """Return `holds` or `fails`, with `values` as the witness of a failure.

    For claims about a few computed numbers, where what was computed is itself the witness.
    """
    if statement:
        return holds(evidence, instances=instances, reason=reason, **values)
    return Finding(Verdict.FAILS, Evidence.CERTIFIED, values, values, reason=reason)

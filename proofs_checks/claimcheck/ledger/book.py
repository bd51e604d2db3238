"""Compute the verdict of an entry from the search for a counterexample and from its evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any
from zlib import crc32

from proofs_checks.claimcheck.evidence import (
    Everywhere,
    Grade,
    Leaf,
    Outcome,
    Samples,
    find_witness,
)
from proofs_checks.claimcheck.evidence.solver import covered
from proofs_checks.claimcheck.ledger.entry import Entry
from proofs_checks.claimcheck.ledger.registry import Registry, UnknownClaimError
from proofs_checks.claimcheck.statements import Answer, Relation, Report, Statement
from proofs_checks.claimcheck.verdicts import Verdict

if TYPE_CHECKING:
    from numpy.random import Generator

SEED = 20231101
"""Seed of all random generators."""


@dataclass(frozen=True)
class Finding:
    """The result for one entry, on the assumption that the entries it uses stand.

    The grade is that of the evidence or, if the statement fails, of the refutation: by a theorem of the kernel or with
    the entries in `refuted_by` and `uses`. A reader can redo the failure by hand from the witness.
    """

    verdict: Verdict
    grade: Grade | None
    outcome: Outcome | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    witness: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""
    refuted_by: str = ""
    uses: tuple[str, ...] = ()


class Book:
    """The computation of verdicts; evidence gets it as its `Context`.

    Parameters
    ----------
    registry
    sampling
        Whether anything is drawn at random; off in the tests of proofs.
    brief
        Whether evidence may leave out what comes after a refused step.
    trusted
        A leaf of evidence that accepts everything; only for tests of proofs.
    """

    def __init__(
        self, registry: Registry, *, sampling: bool = True, brief: bool = False, trusted: Leaf | None = None
    ) -> None:
        self.registry = registry
        self.sampling = sampling
        self.brief = brief
        self.trusted = trusted

    # -- the context of evidence

    def statement(self, claim_id: str) -> Statement:
        """Return the statement of an entry, restricted to the part on which it is recorded to stand."""
        try:
            entry = self.registry[claim_id]
        except UnknownClaimError as error:
            raise UnknownClaimError(f"{error}; evidence that is a text is an id, words are ByHand(...)") from None
        return entry.part if self.part(claim_id) else entry.statement

    def part(self, claim_id: str) -> str:
        """Return in words the part of its domain on which an entry is recorded to stand; "" for the whole."""
        entry = self.registry[claim_id]
        if entry.verdict is Verdict.SMALLER_DOMAIN and entry.survives is not None:
            return entry.survives.words(entry.statement)
        return ""

    def varied(self, goal: Statement) -> set[str]:
        """Return the parameters in which a statement, a variant of an entry's, differs from the entry's own."""
        claim_id = goal.id.partition("#")[0]
        if claim_id not in self.registry:
            return set()
        entry = self.registry[claim_id]
        stated = entry.statement.parameters
        kept = entry.survives.parameters if entry.survives is not None else {}
        return {
            name
            for name, value in goal.parameters.items()
            if name in stated and value != stated[name] and value != kept.get(name, stated[name])
        }

    def generator(self, purpose: str) -> Generator:
        """Return a random generator for `purpose`, spawned from the seed with `purpose` as the key."""
        import numpy as np  # noqa: PLC0415  (only what samples needs it)

        return np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(crc32(purpose.encode()),)))

    # -- judging

    def judge(self, entry: Entry) -> Finding:
        """Return the finding about an entry, assuming the entries that it uses."""
        if entry.withdrawn:
            return Finding(Verdict.WITHDRAWN, None, reason=entry.withdrawn)
        if isinstance(entry.statement, Report):
            compared = entry.statement.compared()
            return Finding(compared.agreement, Grade.TESTED, values=compared.values, reason=compared.why)
        found = self.judge_statement(entry.statement, entry)
        if found.verdict is Verdict.HOLDS and entry.survives is not None and entry.survives.in_words_only:
            return replace(found, verdict=Verdict.SMALLER_DOMAIN)
        if found.verdict is not Verdict.FAILS or entry.survives is None or entry.survives.in_words_only:
            return found
        part = self.judge_statement(entry.part, entry)
        told = (part.outcome, part.values, part.witness or found.witness)
        if part.verdict is Verdict.HOLDS:
            return Finding(Verdict.SMALLER_DOMAIN, part.grade, *told, part.reason, found.refuted_by, found.uses)
        fails = "it fails too, at the witness" if part.verdict is Verdict.FAILS else part.reason
        why = f"what survives: {fails}"
        return Finding(Verdict.FAILS, Grade.CERTIFIED, *told, why, found.refuted_by, found.uses)

    def judge_statement(self, statement: Statement, entry: Entry) -> Finding:
        """Return the finding about a statement, the entry's or a variant: by a counterexample, else by the evidence."""
        witness = self.witness(statement, entry)
        if witness is not None:
            return self._failing(statement, entry, witness.values)
        if isinstance(statement, Relation) and not entry.candidates and next(statement.instances(), None) is None:
            domain = statement.full_domain
            names = ", ".join(f'"{each}": ...' for each in domain.variables)
            none = f"none of the {domain.tried} points tried lies in its domain: give one, candidates=[{{{names}}}]"
            return Finding(Verdict.UNDECIDED, None, reason="its domain is empty" if covered(domain, ()) else none)
        if entry.evidence is None:
            return Finding(Verdict.UNDECIDED, None, reason="nothing here establishes or refutes it")
        outcome = entry.evidence.establish(statement, self)
        if outcome.established:
            return Finding(Verdict.HOLDS, outcome.grade, outcome, outcome.values)
        if outcome.refuted is not None:
            return self._failing(statement, entry, outcome.refuted, outcome)
        return Finding(Verdict.UNDECIDED, None, outcome, outcome.values, reason=outcome.why)

    def _failing(
        self, statement: Statement, entry: Entry, witness: Mapping[str, object], outcome: Outcome | None = None
    ) -> Finding:
        """Return the finding about a refuted statement, with the refuting theorem or the entry its witness uses."""
        found = Finding(Verdict.FAILS, Grade.CERTIFIED, outcome, witness=witness)
        if entry.refutation is None:
            return found
        refuted = entry.refutation.establish(statement, self)
        if refuted.established:
            by = f"a witness, given `{refuted.by}`" if refuted.uses else refuted.by
            return replace(found, grade=refuted.grade, refuted_by=by, uses=refuted.uses)
        if refuted.uses:
            return Finding(Verdict.UNDECIDED, None, reason=f"a witness is not enough: {refuted.why}")
        return found

    def witness(self, statement: Statement, entry: Entry) -> Answer | None:
        """Return a counterexample; only the entry's candidates are tried if its evidence evaluates all other ones."""
        count = 0 if isinstance(entry.evidence, (Everywhere, Samples)) else entry.max_instances
        return find_witness(statement, self, first=entry.candidates, largest_count=count)

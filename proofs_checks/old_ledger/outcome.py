"""One claim after its check has run: what was found, against what is recorded."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from proofs_checks.ledger.book import Book
from proofs_checks.ledger.claim import Claim
from proofs_checks.ledger.finding import Evidence, Finding, Verdict
from proofs_checks.ledger.registry import CLAIMS, Registry


@dataclass(frozen=True)
class Outcome:
    """One claim after its check has run.

    Attributes
    ----------
    claim_id
    finding
        None if the check raised an error.
    error
        That error, in one line.
    depends_on
        The claims whose findings the check asked for.
    cited
        The results taken from the literature among everything the claim rests on.
    stands_throughout
        Whether the claim stands together with everything it rests on.
    seconds
        Time of the check, without that of the claims it rests on where these had been found before.
    """

    claim_id: str
    finding: Finding | None
    error: str
    depends_on: tuple[str, ...]
    cited: tuple[str, ...]
    stands_throughout: bool
    seconds: float

    def as_recorded(self, claim: Claim) -> bool:
        """Return whether the check found the recorded verdict with the recorded evidence."""
        return self.finding is not None and (self.finding.verdict, self.finding.evidence) == (
            claim.verdict,
            claim.evidence,
        )


def run_check(claim_id: str, book: Book) -> Outcome:
    """Run one check; an error in it becomes an outcome, so that no other result is lost."""
    begin = time.perf_counter()
    try:
        finding = book.finding(claim_id)
        foundations = book.foundations(claim_id)
        cited = tuple(each for each in foundations if book.finding(each).evidence is Evidence.CITED)
        return Outcome(
            claim_id,
            finding,
            "",
            book.depends_on(claim_id),
            cited,
            book.stands_with_everything_below(claim_id),
            time.perf_counter() - begin,
        )
    except Exception as error:
        line = f"{type(error).__name__}: {error}".replace("\n", " ")
        return Outcome(claim_id, None, line, (), (), False, time.perf_counter() - begin)


@dataclass(frozen=True)
class VariantOutcome:
    """What a check says of a mutant (to be refuted) or of a control (to be confirmed)."""

    claim_id: str
    name: str
    is_mutant: bool
    finding: Finding

    @property
    def as_it_should(self) -> bool:
        """Whether the mutant was refuted, or the control confirmed on its whole domain."""
        return self.finding.verdict is (Verdict.FAILS if self.is_mutant else Verdict.HOLDS)


def run_variants(claim_ids: Iterable[str], registry: Registry = CLAIMS) -> Iterator[VariantOutcome]:
    """Run every mutant and control of these claims."""
    book = Book(registry)
    for claim_id in claim_ids:
        entry = registry[claim_id]
        for name, parameters in entry.mutants.items():
            yield VariantOutcome(claim_id, name, True, book.variant(claim_id, **parameters))
        for name, parameters in entry.controls.items():
            yield VariantOutcome(claim_id, name, False, book.variant(claim_id, **parameters))

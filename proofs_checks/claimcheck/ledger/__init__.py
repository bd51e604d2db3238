"""The ledger: entries, the finding about each, and the entries that each rests on."""

from proofs_checks.claimcheck.ledger.book import Book
from proofs_checks.claimcheck.ledger.causes import Cause
from proofs_checks.claimcheck.ledger.chapter import Chapter, Source
from proofs_checks.claimcheck.ledger.content import hands
from proofs_checks.claimcheck.ledger.entry import Entry, Survives
from proofs_checks.claimcheck.ledger.registry import Registry, UnknownClaimError
from proofs_checks.claimcheck.ledger.runner import judged, run
from proofs_checks.claimcheck.ledger.variants import (
    false_variants,
    mutated,
    nearest_refuted,
    variants,
)
from proofs_checks.claimcheck.verdicts import Origin, Severity, Verdict

__all__ = [
    "Book",
    "Cause",
    "Chapter",
    "Entry",
    "Origin",
    "Registry",
    "Severity",
    "Source",
    "Survives",
    "UnknownClaimError",
    "Verdict",
    "false_variants",
    "hands",
    "judged",
    "mutated",
    "nearest_refuted",
    "run",
    "variants",
]

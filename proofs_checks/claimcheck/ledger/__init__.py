"""The ledger: entries, the finding about each, and the entries that each rests on."""

from proofs_checks.claimcheck.ledger.book import Book
from proofs_checks.claimcheck.ledger.causes import Cause
from proofs_checks.claimcheck.ledger.chapter import Chapter, Section
from proofs_checks.claimcheck.ledger.content import Content, hands, own_content, resolved
from proofs_checks.claimcheck.ledger.entry import Entry, Survives, survives
from proofs_checks.claimcheck.ledger.finding import Finding
from proofs_checks.claimcheck.ledger.registry import Registry, UnknownClaimError
from proofs_checks.claimcheck.ledger.runner import judged, run
from proofs_checks.claimcheck.ledger.source import Source
from proofs_checks.claimcheck.ledger.variants import (
    VariantFinding,
    evidence_alone,
    false_variants,
    mutated,
    nearest_refuted,
    nearest_values,
    variants,
)
from proofs_checks.claimcheck.verdicts import Origin, Severity, Verdict

__all__ = [
    "Book",
    "Cause",
    "Chapter",
    "Content",
    "Entry",
    "Finding",
    "Origin",
    "Registry",
    "Section",
    "Severity",
    "Source",
    "Survives",
    "UnknownClaimError",
    "VariantFinding",
    "Verdict",
    "evidence_alone",
    "false_variants",
    "hands",
    "judged",
    "mutated",
    "nearest_refuted",
    "nearest_values",
    "own_content",
    "resolved",
    "run",
    "survives",
    "variants",
]

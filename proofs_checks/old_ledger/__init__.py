"""The ledger: claims, findings, and what rests on what."""

from proofs_checks.ledger.book import Book
from proofs_checks.ledger.claim import Claim
from proofs_checks.ledger.finding import (
    Evidence,
    Finding,
    Verdict,
    decide,
    fails,
    holds,
    holds_only,
    undecided,
)
from proofs_checks.ledger.outcome import Outcome, VariantOutcome, run_check, run_variants
from proofs_checks.ledger.registry import CLAIMS, Registry, UnknownClaimError, claim
from proofs_checks.ledger.runner import run

__all__ = [
    "CLAIMS",
    "Book",
    "Claim",
    "Evidence",
    "Finding",
    "Outcome",
    "Registry",
    "UnknownClaimError",
    "VariantOutcome",
    "Verdict",
    "claim",
    "decide",
    "fails",
    "holds",
    "holds_only",
    "run",
    "run_check",
    "run_variants",
    "undecided",
]

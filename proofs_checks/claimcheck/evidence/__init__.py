"""Evidence for a statement (enumeration, enclosures, algebra, solvers, steps), and the search for a counterexample."""

from proofs_checks.claimcheck.evidence.algebra import Algebra
from proofs_checks.claimcheck.evidence.any_of import AnyOf
from proofs_checks.claimcheck.evidence.argument import Argument, Step, Uses
from proofs_checks.claimcheck.evidence.decides import Decides
from proofs_checks.claimcheck.evidence.enclosures import Enclosures
from proofs_checks.claimcheck.evidence.everywhere import Everywhere
from proofs_checks.claimcheck.evidence.evidence import (
    Context,
    Evidence,
    Leaf,
    Outcome,
    StepTaken,
    Trusting,
    Use,
    explanation,
)
from proofs_checks.claimcheck.evidence.invariant import Invariant
from proofs_checks.claimcheck.evidence.literature import ByHand, Cited
from proofs_checks.claimcheck.evidence.reduction import Cases, LeastAt
from proofs_checks.claimcheck.evidence.samples import Samples
from proofs_checks.claimcheck.evidence.search import LARGEST_COUNT, Witness, find_witness
from proofs_checks.claimcheck.evidence.solver import Solver, included
from proofs_checks.claimcheck.evidence.term_by_term import TermByTerm
from proofs_checks.claimcheck.verdicts import Grade, weakest

__all__ = [
    "LARGEST_COUNT",
    "Algebra",
    "AnyOf",
    "Argument",
    "ByHand",
    "Cases",
    "Cited",
    "Context",
    "Decides",
    "Enclosures",
    "Everywhere",
    "Evidence",
    "Grade",
    "Invariant",
    "Leaf",
    "LeastAt",
    "Outcome",
    "Samples",
    "Solver",
    "Step",
    "StepTaken",
    "TermByTerm",
    "Trusting",
    "Use",
    "Uses",
    "Witness",
    "explanation",
    "find_witness",
    "included",
    "weakest",
]

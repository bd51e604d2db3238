"""Evidence for a statement (enumeration, enclosures, algebra, solvers, steps), and the search for a counterexample."""

from proofs_checks.claimcheck.evidence.argument import Argument, Step, Uses
from proofs_checks.claimcheck.evidence.enclosures import Enclosures
from proofs_checks.claimcheck.evidence.evidence import (
    Context,
    Evidence,
    Leaf,
    Outcome,
    StepTaken,
    explanation,
)
from proofs_checks.claimcheck.evidence.leaves import (
    LARGEST_COUNT,
    Algebra,
    ByHand,
    Cited,
    Decides,
    Everywhere,
    Samples,
    find_witness,
)
from proofs_checks.claimcheck.evidence.reduction import AnyOf, Cases, Invariant, LeastAt, TermByTerm
from proofs_checks.claimcheck.evidence.solver import Solver
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
    "Uses",
    "explanation",
    "find_witness",
    "weakest",
]

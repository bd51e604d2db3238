"""How a statement is established: enumeration, enclosures, algebra, solvers, steps; and the search against it."""

from proofs_checks.evidence.algebra import Algebra
from proofs_checks.evidence.any_of import AnyOf
from proofs_checks.evidence.argument import Argument, Step, Uses
from proofs_checks.evidence.decides import Decides
from proofs_checks.evidence.enclosures import Enclosures
from proofs_checks.evidence.everywhere import Everywhere
from proofs_checks.evidence.evidence import Context, Evidence, Leaf, Outcome, StepTaken, Trusting, Use
from proofs_checks.evidence.grade import Grade, weakest
from proofs_checks.evidence.invariant import Invariant
from proofs_checks.evidence.kernel import InKernel
from proofs_checks.evidence.literature import ByHand, Cited
from proofs_checks.evidence.reduction import Cases, LeastAt
from proofs_checks.evidence.samples import Samples
from proofs_checks.evidence.search import LARGEST_COUNT, Witness, find_witness
from proofs_checks.evidence.solver import Solver, included

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
    "InKernel",
    "Invariant",
    "Leaf",
    "LeastAt",
    "Outcome",
    "Samples",
    "Solver",
    "Step",
    "StepTaken",
    "Trusting",
    "Use",
    "Uses",
    "Witness",
    "find_witness",
    "included",
    "weakest",
]

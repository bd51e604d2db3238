"""What is claimed: statements as objects that can be evaluated, varied and shown, each with its place in the paper."""

from proofs_checks.claimcheck.statements.answers import Answer, answer
from proofs_checks.claimcheck.statements.domains import ForAll
from proofs_checks.claimcheck.statements.evaluation import Evaluated, evaluate
from proofs_checks.claimcheck.statements.places import Place, at, headings
from proofs_checks.claimcheck.statements.printed_number import PrintedNumber
from proofs_checks.claimcheck.statements.process import Process
from proofs_checks.claimcheck.statements.properties import Family, Property
from proofs_checks.claimcheck.statements.readings import CONVENTIONS, Reading
from proofs_checks.claimcheck.statements.relation import Relation
from proofs_checks.claimcheck.statements.reports import Agreement, Compared, Report
from proofs_checks.claimcheck.statements.statement import Statement

__all__ = [
    "CONVENTIONS",
    "Agreement",
    "Answer",
    "Compared",
    "Evaluated",
    "Family",
    "ForAll",
    "Place",
    "PrintedNumber",
    "Process",
    "Property",
    "Reading",
    "Relation",
    "Report",
    "Statement",
    "answer",
    "at",
    "evaluate",
    "headings",
]

"""What is claimed: statements as objects that can be evaluated, varied and shown, each with its place in the paper."""

from proofs_checks.statements.answers import Answer, answer
from proofs_checks.statements.domains import ForAll
from proofs_checks.statements.evaluation import Evaluated, evaluate
from proofs_checks.statements.places import Place, at, headings
from proofs_checks.statements.printed_number import PrintedNumber
from proofs_checks.statements.process import Process
from proofs_checks.statements.properties import Family, Property
from proofs_checks.statements.readings import CONVENTIONS, Reading
from proofs_checks.statements.relation import Relation
from proofs_checks.statements.reports import Agreement, Compared, Report
from proofs_checks.statements.statement import Statement

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

"""Statements: objects that can be evaluated, varied and shown, each with its place in the paper."""

from proofs_checks.claimcheck.statements.answers import Answer, all_of, answer
from proofs_checks.claimcheck.statements.domains import ForAll
from proofs_checks.claimcheck.statements.evaluation import Evaluated, evaluate
from proofs_checks.claimcheck.statements.numbers import Compared, PrintedNumber, Report
from proofs_checks.claimcheck.statements.places import Outline, Place
from proofs_checks.claimcheck.statements.process import Process
from proofs_checks.claimcheck.statements.properties import Family, Property
from proofs_checks.claimcheck.statements.relation import Relation
from proofs_checks.claimcheck.statements.statement import Reading, Statement

__all__ = [
    "Answer",
    "Compared",
    "Evaluated",
    "Family",
    "ForAll",
    "Outline",
    "Place",
    "PrintedNumber",
    "Process",
    "Property",
    "Reading",
    "Relation",
    "Report",
    "Statement",
    "all_of",
    "answer",
    "evaluate",
]

"""Comparison of series: one is at most another if each of its terms is at most the other's."""

from __future__ import annotations

from typing import Any, ClassVar

import sympy  # type: ignore[import-untyped]

from proofs_checks.claimcheck.evidence.argument import relation_of_step
from proofs_checks.claimcheck.evidence.evidence import Context, Evidence, Outcome, together
from proofs_checks.claimcheck.statements import Relation, Statement
from proofs_checks.claimcheck.verdicts import Grade


class TermByTerm(Evidence):
    """An inequality between convergent series, from the inequality between their terms.

    Parameters
    ----------
    index
        Symbol of the index 1, 2, ... of the terms. Each side of the relation has a method ``term(index)``.
    terms
        Evidence that each term of the smaller side is at most that of the larger side.
    """

    explains: ClassVar = {
        "term by term": (
            "Both sides are series, and each term of one is at most that of the other; the step within shows that."
        ),
    }

    def __init__(self, index: sympy.Symbol, terms: Evidence) -> None:
        self.index = index
        self.terms = terms

    def parts(self) -> Any:
        """Yield the evidence for the inequality of the terms."""
        yield self.terms

    def with_parts(self, parts: list[Evidence]) -> Evidence:
        """Return the same with other evidence."""
        return TermByTerm(self.index, *parts)

    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Establish the relation between the terms."""
        sides = [each.args for each in goal.relations] if isinstance(goal, Relation) else []
        if not sides or not all(hasattr(side, "term") for pair in sides for side in pair):
            return Outcome(False, Grade.CERTIFIED, "", why="both sides have to be series")
        assert isinstance(goal, Relation)
        between = [
            each.func(*(side.term(self.index) for side in pair), evaluate=False)
            for each, pair in zip(goal.relations, sides, strict=True)
        ]
        domain = goal.full_domain.where(self.index >= 1)
        terms = Relation(f"{goal.id}#terms", domain, *between, reading=goal.reading)
        return together("term by term", [(relation_of_step(between), self.terms.establish(terms, context))])

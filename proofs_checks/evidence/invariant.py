"""Induction over the moves of a process: the relation holds at the start, and every move preserves it."""

from __future__ import annotations

from copy import copy
from typing import Any

import sympy  # type: ignore[import-untyped]

from proofs_checks.evidence.argument import relation_of_step
from proofs_checks.evidence.evidence import Context, Evidence, Outcome, StepTaken
from proofs_checks.evidence.grade import Grade, weakest
from proofs_checks.evidence.solver import Solver
from proofs_checks.statements import Process, Statement


class Invariant(Evidence):
    """What a process reaches, by induction over its moves.

    Parameters
    ----------
    *also
        Relations that are proved along with the claimed ones, where these alone are not preserved.
    start, move, end
        Evidence that the relations hold at the start, that a move preserves them, and that they imply what is claimed;
        the solver by default.
    """

    def __init__(
        self,
        *also: sympy.Rel,
        start: Evidence | None = None,
        move: Evidence | None = None,
    ) -> None:
        self.also = also
        self.start = start or Solver()
        self.move = move or Solver()

    def parts(self) -> Any:
        """Yield what establishes the start and the moves."""
        yield self.start
        yield self.move

    def with_parts(self, parts: list[Evidence]) -> Evidence:
        """Return the same induction with other parts."""
        made = copy(self)
        made.start, made.move = parts
        return made

    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Establish the start and every move."""
        if not isinstance(goal, Process):
            return Outcome(False, Grade.CERTIFIED, "", why="an invariant is that of a process")
        kept = (*goal.claimed, *self.also)
        at_start = goal.relation(goal.fixed, *(_put(each, goal.start) for each in kept))
        before = goal.relation(goal.fixed.where(*goal.inputs.conditions, *kept), *map(goal.after_move, kept))
        found = (self.start.establish(at_start, context), self.move.establish(before, context))
        texts = ("at the start", "every move preserves " + relation_of_step(kept))
        return Outcome(
            all(each.established for each in found),
            weakest(each.grade for each in found),
            "induction over the moves",
            uses=tuple(use for each in found for use in each.uses),
            steps=tuple(
                StepTaken(text, each.by, each.established, each.why, each.steps if each.by != "hand" else ())
                for text, each in zip(texts, found, strict=True)
            ),
            why="; ".join(f"{t}: {each.why}" for t, each in zip(texts, found, strict=True) if not each.established),
            decisions=tuple(decision for each in found for decision in each.decisions),
        )


def _put(relation: sympy.Rel, values: Any) -> sympy.Rel:
    return type(relation)(
        relation.lhs.subs(values, simultaneous=True), relation.rhs.subs(values, simultaneous=True), evaluate=False
    )

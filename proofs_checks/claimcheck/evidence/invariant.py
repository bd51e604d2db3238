"""Induction over the moves of a process: the relation holds at the start, and every move preserves it."""

from __future__ import annotations

from copy import copy
from typing import Any, ClassVar

import sympy  # type: ignore[import-untyped]

from proofs_checks.claimcheck.evidence.argument import relation_of_step, relations_at
from proofs_checks.claimcheck.evidence.evidence import Context, Evidence, Outcome, together
from proofs_checks.claimcheck.evidence.solver import Solver
from proofs_checks.claimcheck.statements import Process, Statement
from proofs_checks.claimcheck.verdicts import Grade


class Invariant(Evidence):
    """Induction over the moves of a process.

    Parameters
    ----------
    *also
        Relations proved together with the claimed ones, if a move does not preserve the claimed ones alone.
    start, move
        Evidence that the relations hold at the start, and that a move preserves them; the solver by default.
    """

    explains: ClassVar = {
        "induction over the moves": "It holds at the start, and every move preserves it; the steps within show both.",
    }

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
        """Yield the evidence for the start and for the moves."""
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
            return Outcome(False, Grade.CERTIFIED, "", why="only a process has an invariant")
        kept = (*goal.claimed, *self.also)
        at_start = goal.relation(goal.fixed, *relations_at(kept, goal.start))
        before = goal.relation(goal.fixed.where(*goal.inputs.conditions, *kept), *map(goal.after_move, kept))
        start = ("at the start", self.start.establish(at_start, context))
        move = (f"every move preserves {relation_of_step(kept)}", self.move.establish(before, context))
        return together("induction over the moves", (start, move))

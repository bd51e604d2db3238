"""Decision procedures: a function of this project decides a statement on its whole domain by exact computation."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from proofs_checks.claimcheck.evidence.evidence import Context, Leaf, Outcome
from proofs_checks.claimcheck.statements import Answer, Statement, answer
from proofs_checks.claimcheck.verdicts import Grade
from theory.certified import Truth


class Decides(Leaf):
    """A function of the statement's parameters alone computes whether the statement is true.

    Use it where no general method decides: a supremum over all models by branch and bound, a region by exact algebra.
    The function has to cover the whole domain; `covers` says how.

    Parameters
    ----------
    function
        Called as ``function(**parameters)``; returns a truth value, a `Truth`, or an `Answer` with the computed values.
        It has to take every parameter of the statement, so that each can change the decision.
    covers
        A sentence that says why the computation covers the domain.
    grade
        `EXHAUSTIVE` if the function goes through a finite domain.

    Raises
    ------
    ValueError
        If `grade` is not a `Grade`.
    """

    explains: ClassVar = {
        "computation:": (
            "A computation of this project decides it, in exact numbers or enclosures; why that covers the whole "
            "domain is said here."
        ),
    }

    def __init__(
        self, function: Callable[..., bool | Truth | Answer], covers: str, grade: Grade = Grade.CERTIFIED
    ) -> None:
        if not isinstance(grade, Grade):
            raise ValueError(f"grade: {grade!r} is no Grade: {', '.join(map(str, Grade))}")
        self.function = function
        self.covers = " ".join(covers.split())
        self.grade = grade
        self.by = f"computation: {self.covers}"

    def decide(self, goal: Statement, context: Context) -> Outcome:
        """Call the function.

        Raises
        ------
        TypeError
            If the function does not take a parameter of the statement.
        """
        found = self.function(**goal.parameters)
        found = found if isinstance(found, Answer) else answer(found)
        count = found.values.get("instances")
        return Outcome(
            found.true,
            self.grade,
            self.by,
            values=found.values if found.true else {},
            instances=count if isinstance(count, int) else None,
            why="" if found.true else "it is false" if found.false else "undecided",
            refuted=found.values if found.false else None,
        )

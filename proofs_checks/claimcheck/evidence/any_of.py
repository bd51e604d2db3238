"""Several independent ways to establish one statement: the strongest that succeeds counts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from proofs_checks.claimcheck.evidence.evidence import Context, Evidence, Outcome
from proofs_checks.claimcheck.statements import Statement
from proofs_checks.claimcheck.verdicts import Grade


class AnyOf(Evidence):
    """Several ways, each of which establishes the whole statement; contradicting findings are an error.

    Parameters
    ----------
    *ways
        Evidence of any kind. For example, a theorem of the kernel gives the grade, and a computation gives the numbers
        and decides variants.
    """

    def __init__(self, *ways: Evidence) -> None:
        self.ways = ways

    def parts(self) -> Iterator[Evidence]:
        """Yield the ways."""
        yield from self.ways

    def with_parts(self, parts: list[Evidence]) -> Evidence:
        """Return a choice between other ways."""
        return AnyOf(*parts)

    def establish(self, goal: Statement, context: Context) -> Outcome:
        """Try every way; the statement is not established if any of them finds it false.

        Raises
        ------
        ArithmeticError
            If one way establishes what another finds false.
        """
        found = [way.establish(goal, context) for way in self.ways]
        refuted = next((each for each in found if each.refuted is not None), None)
        established = sorted((each for each in found if each.established), key=lambda each: each.grade.rank)
        if refuted is not None and established:
            raise ArithmeticError(f"{goal.id}: {established[0].by} establishes what {refuted.by} finds false")
        if not established:
            return refuted or Outcome(False, Grade.CERTIFIED, "", why="; ".join(each.why for each in found if each.why))
        return replace(
            established[0],
            by="; and ".join(each.by for each in established if each.by),
            values={name: value for each in reversed(established) for name, value in each.values.items()},
            steps=next((each.steps for each in established if each.steps), ()),
            instances=next((each.instances for each in established if each.instances), None),
            decisions=tuple(decision for each in found for decision in each.decisions),
        )

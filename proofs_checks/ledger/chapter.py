"""A chapter: entries that stand together in the paper, in its order, each entered in one call."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from typing import Any

from proofs_checks.evidence import Evidence
from proofs_checks.ledger.entry import Entry, Origin, Survives, Verdict
from proofs_checks.statements import Place, PrintedNumber, Statement, at
from proofs_checks.statements.statement import parameter_latex

_DETAILS = tuple(each.name for each in fields(Entry) if each.name not in ("statement", "origin", "place", "evidence"))


class Chapter:
    """Entries of one part of the paper.

    Parameters
    ----------
    under
        The entry under which those of the chapter stand, unless they say otherwise.

    Examples
    --------
    >>> from proofs_checks.evidence import Everywhere
    >>> from proofs_checks.statements import Property
    >>> chapter = Chapter("thm:no_OFU")
    >>> even = Property("two", lambda n: n % 2 == 0, says="$[[n]]$ is even.", n=2)
    >>> chapter.ours(even, Everywhere(), mutants=[{"n": 3}])
    >>> [entry.id for entry in chapter], chapter.entries[0].mutants
    (['two'], {'n = 3': {'n': 3}})
    """

    def __init__(self, under: str = "") -> None:
        self.under = under
        self.entries: list[Entry] = []

    def __iter__(self) -> Iterator[Entry]:
        """Yield the entries in order."""
        return iter(self.entries)

    def printed(self, statement: Statement, evidence: Evidence | None = None, *, line: int, **details: Any) -> None:
        """Enter what the paper says, at a line of its source."""
        self._enter(Origin.PRINTED, statement, evidence, at(line), details)

    def implied(self, statement: Statement, evidence: Evidence | None = None, *, line: int, **details: Any) -> None:
        """Enter what an argument of the paper needs and does not say, at the line that needs it."""
        self._enter(Origin.IMPLIED, statement, evidence, at(line), details)

    def ours(
        self, statement: Statement, evidence: Evidence | None = None, *, line: int | None = None, **details: Any
    ) -> None:
        """Enter a statement of this ledger (a repair, a sharper constant, a lemma) about a line of the paper."""
        self._enter(Origin.OURS, statement, evidence, at(line) if line else None, details)

    def withdrawn(self, claim_id: str, why: str, *, line: int | None = None, under: str | None = None) -> None:
        """Keep the id of an entry that was no fair reading of the paper, and say why."""
        self.entries.append(
            Entry(
                _Withdrawn(claim_id),
                Origin.OURS,
                at(line) if line else None,
                under=self.under if under is None else under,
                verdict=Verdict.WITHDRAWN,
                withdrawn=" ".join(why.split()),
            )
        )

    def _enter(
        self,
        origin: Origin,
        statement: Statement,
        evidence: Evidence | None,
        place: Place | None,
        details: dict[str, Any],
    ) -> None:
        for name in details:
            if name not in _DETAILS:
                (nearest,) = get_close_matches(name, _DETAILS, n=1, cutoff=0)
                raise ValueError(f"{statement.id}: an entry has no {name!r}; the nearest is {nearest}")
        repairs = details.pop("repairs", ())
        mutants = _named(details.pop("mutants", ()), statement)
        if isinstance(statement, PrintedNumber):
            for decimal in statement.neighbours():
                mutants.setdefault(f"printed = {decimal}", {"printed": decimal})
        holds: Verdict = details.pop("verdict", Verdict.HOLDS)
        kept: Survives | None = details.get("survives")
        if holds is Verdict.HOLDS and kept is not None:
            holds = Verdict.SMALLER_DOMAIN
        self.entries.append(
            Entry(
                statement,
                origin,
                place,
                evidence,
                under=details.pop("under", self.under),
                verdict=holds,
                repairs=(repairs,) if isinstance(repairs, str) else tuple(repairs),
                mutants=mutants,
                controls=_named(details.pop("controls", ()), statement),
                witnesses=tuple(details.pop("witnesses", ())),
                **details,
            )
        )


class _Withdrawn(Statement):
    """What is left of an entry that was withdrawn: its id."""

    def __init__(self, claim_id: str) -> None:
        super().__init__(claim_id, "withdrawn", {})

    def instances(self) -> Iterator[Any]:
        """Yield nothing."""
        return iter(())

    def at(self, instance: Any) -> Any:
        """Refuse: it claims nothing.

        Raises
        ------
        ValueError
            Always.
        """
        raise ValueError(f"{self.id} was withdrawn and claims nothing")

    @property
    def domain_latex(self) -> str:
        """Nothing."""
        return ""


def _named(
    variants: Sequence[Mapping[str, object]] | Mapping[str, Mapping[str, object]], statement: Statement
) -> dict[str, dict[str, object]]:
    """Return variants by name; one without a name is called by its parameters."""
    if isinstance(variants, Mapping):
        return {name: dict(parameters) for name, parameters in variants.items()}
    return {
        ", ".join(f"{name} = {_short(value)}" for name, value in parameters.items()): dict(parameters)
        for parameters in variants
    }


def _short(value: object) -> str:
    text = parameter_latex(value)
    return str(value) if text.startswith((r"\frac", r"-\frac")) else text

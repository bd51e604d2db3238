"""Chapters: the entries of one part of the paper, in the paper's order, each added in one call."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from difflib import get_close_matches
from typing import Any

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claimcheck.evidence import AnyOf, Argument, ByHand, Evidence
from proofs_checks.claimcheck.ledger.entry import Entry, Survives
from proofs_checks.claimcheck.ledger.source import Source
from proofs_checks.claimcheck.statements import (
    Compared,
    Family,
    ForAll,
    Place,
    PrintedNumber,
    Process,
    Property,
    Reading,
    Relation,
    Report,
    Statement,
)
from proofs_checks.claimcheck.statements.readings import check_reading
from proofs_checks.claimcheck.statements.statement import parameter_latex
from proofs_checks.claimcheck.verdicts import Origin, Verdict
from theory import BanditError, rational

_ID = re.compile(r"[\w:./+-]+")
_OF_EVIDENCE = ("by", "so", "kernel", "refuted", "fails", "nearest", "false", "true", "candidates")
_TAKEN = (*_OF_EVIDENCE, "survives", "verdict", "severity", "repairs", "under", "max_instances")
_DETAILS = tuple(each.name for each in fields(Entry) if each.name not in ("statement", "origin", "place", "evidence"))


class Section:
    """The entries under one entry: ``at.printed(643).relation(...)`` adds an entry for a claim printed at line 643."""

    def __init__(self, chapter: Chapter, under: str) -> None:
        self._chapter = chapter
        self._under = under

    def printed(self, line: int | Place) -> EntryBuilder:
        """Start an entry for a claim printed at this line."""
        return EntryBuilder(self._chapter, Origin.PRINTED, line, None, self._under)

    def implied(self, line: int | Place) -> EntryBuilder:
        """Start an entry for an assumption that an argument of the paper needs but does not state."""
        return EntryBuilder(self._chapter, Origin.IMPLIED, line, None, self._under)

    def ours(self, line: int | Place | None = None) -> EntryBuilder:
        """Start an entry for a statement of ours: a sharper constant, a consequence, a lemma."""
        return EntryBuilder(self._chapter, Origin.OURS, line, None, self._under)

    def repairs(self, claim_id: str, line: int | None = None) -> EntryBuilder:
        """Start an entry that repairs another, whose line, reading and parent it takes.

        Raises
        ------
        ValueError
            If the chapter has no entry with this id so far.
        """
        for entry in self._chapter:
            if entry.id == claim_id:
                return EntryBuilder(self._chapter, Origin.OURS, line, entry, self._under)
        raise ValueError(f"{claim_id} cannot be repaired: no entry before this one has the id")

    def withdrawn(self, claim_id: str, why: str, *, line: int | None = None, under: str | None = None) -> None:
        """Keep the id of a withdrawn entry (an entry that misread the paper), and the reason."""
        details = {"verdict": Verdict.WITHDRAWN, "withdrawn": " ".join(why.split())}
        details["under"] = self._under if under is None else under
        nothing = Property(claim_id, _claims_nothing, over=Family(""), says="withdrawn")
        self._chapter.enter(Origin.OURS, nothing, None, self._chapter.place(line), **details)


class Chapter(Section):
    """The entries of one part of a paper, in the paper's order, each entered in one call.

    Parameters
    ----------
    source
        The paper that the entries are about.

    Examples
    --------
    >>> from proofs_checks.claimcheck.evidence import Everywhere
    >>> chapter = Chapter()
    >>> at = chapter.heading("thm:no_OFU")
    >>> at.ours().property("two", "$[[n]]$ is even.", lambda n: n % 2 == 0, n=2, by=Everywhere(), false={"n": 3})
    >>> [entry.id for entry in chapter], chapter.entries[0].mutants, chapter.entries[0].under
    (['two'], {'n = 3': {'n': 3}}, 'thm:no_OFU')
    """

    def __init__(self, source: Source | None = None) -> None:
        super().__init__(self, "")
        self.source = source or Source()
        self.entries: list[Entry] = []

    def __iter__(self) -> Iterator[Entry]:
        """Yield the entries in order."""
        return iter(self.entries)

    def heading(self, under: str) -> Section:
        """Return the section whose entries stand under the entry with id `under`."""
        return Section(self, under)

    def place(self, line: int | Place | None) -> Place | None:
        """Return the place of a line of the paper; a `Place` is returned unchanged.

        Raises
        ------
        ValueError
            If the chapter has no outline of the paper.
        """
        if line is None or isinstance(line, Place):
            return line
        if self.source.outline is None:
            raise ValueError(f"line {line}: the chapter has no outline; write Chapter(Source(Outline(path)))")
        return self.source.outline.at(line)

    def enter(
        self, origin: Origin, statement: Statement, evidence: Evidence | None, place: Place | None, **details: Any
    ) -> None:
        """Enter a statement."""
        if not _ID.fullmatch(statement.id):
            raise ValueError(f"{statement.id!r} is no id: write letters, digits and : . / _ + - alone")
        check_reading(statement.reading, self.source.conventions)
        for said, name in (("false", "mutants"), ("true", "controls")):
            if said in details:
                details[name] = details.pop(said)
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
                under=details.pop("under", ""),
                verdict=holds,
                repairs=(repairs,) if isinstance(repairs, str) else tuple(repairs),
                mutants=mutants,
                controls=_named(details.pop("controls", ()), statement),
                candidates=_candidates(details.pop("candidates", ()), statement),
                **details,
            )
        )


class EntryBuilder:
    r"""Adds one entry, at a line of the paper or at none; each kind of statement has a method of its own.

    Every method takes the arguments of its kind of statement, the statement's parameters, and

    - ``by``: evidence, or the steps of an argument as a sequence, in which a text is the id of an entry to use;
      ``so``: the argument's conclusion (a text: by hand);
    - ``kernel``: theorems of the kernel that establish the claim at its parameters, beside ``by`` or alone;
    - ``refuted``: theorems of the kernel that refute the claim, or the entry that its witness rests on, as `Uses`;
    - ``fails``: the cause, if the claim does not hold;
    - ``false``, ``true``: parameters of mutants and of controls: one mapping, several, or several by name;
    - ``nearest``: constants whose nearest refuted values are sought, such as ``"c d"``; ``"c+"`` seeks upwards only;
      the search tries simple points of the domain, and points that `Enclosures` find critical;
    - ``candidates``: instances to search first, such as ``[{"x": 8}]``;
    - ``survives``: the part that holds of a claim that fails as a whole; ``verdict=Verdict.FAILS``: no part holds;

    and ``severity``, ``under``, ``max_instances``, as in `Entry`. In a claim's words, ``[[c]]`` stands for the value of
    its constant c, and ``[[formula]]`` for its formula (see `Statement`).

    Examples
    --------
    A claim that holds in part only: false at 1/4, it stands for x >= 1.

    >>> from proofs_checks.claimcheck.evidence import Solver
    >>> from proofs_checks.claimcheck.statements.symbols import c, x
    >>> chapter = Chapter()
    >>> chapter.ours().relation(
    ...     "root", r"Roots are small: $\sqrt x \le [[c]] x$.", ForAll(x >= 0), sympy.sqrt(x) <= c * x, c=1,
    ...     by=Solver(), survives=Survives((x >= 1,)), nearest="c",
    ... )
    >>> chapter.entries[0].verdict
    <Verdict.SMALLER_DOMAIN: 'holds in part'>
    """

    def __init__(
        self, chapter: Chapter, origin: Origin, line: int | Place | None, mended: Entry | None, under: str
    ) -> None:
        self._chapter = chapter
        self._origin = origin
        self._place = chapter.place(line) or (mended.place if mended else None)
        self._mended = mended
        self._under = mended.under if mended else under

    def relation(
        self,
        claim_id: str,
        says: str,
        domain: ForAll,
        *relations: sympy.Rel,
        reading: Reading | None = None,
        **more: Any,
    ) -> None:
        """Enter relations between formulas over a domain."""
        details, parameters = _parted(more)
        own: dict[str, Any] = {"reading": self._reading(reading), **parameters}
        made = Relation(self._id(claim_id), domain, *relations, says=says, **own)
        part = getattr(details.get("survives"), "conditions", ())
        _refuse_unknown(made.id, parameters, says, *relations, *domain.conditions, *part)
        self.statement(made, **details)

    def property(
        self,
        claim_id: str,
        says: str,
        holds: Callable[..., Any],
        *,
        over: Family | None = None,
        domain: str = "",
        reading: Reading | None = None,
        **more: Any,
    ) -> None:
        """Enter a property of all objects of a family, or a single fact."""
        details, parameters = _parted(more)
        own: dict[str, Any] = {"over": over, "domain": domain, "reading": self._reading(reading), **parameters}
        self.statement(Property(self._id(claim_id), holds, says=says, **own), **details)

    def process(
        self,
        claim_id: str,
        says: str,
        *relations: sympy.Rel,
        start: Mapping[sympy.Symbol, Any],
        move: Mapping[sympy.Symbol, Any],
        inputs: ForAll,
        fixed: ForAll | None = None,
        reading: Reading | None = None,
        **more: Any,
    ) -> None:
        """Enter a relation that holds after any number of moves."""
        details, parameters = _parted(more)
        own: dict[str, Any] = {"fixed": fixed, "reading": self._reading(reading), **parameters}
        made = Process(self._id(claim_id), *relations, start=start, move=move, inputs=inputs, says=says, **own)
        conditions = (*made.inputs.conditions, *made.fixed.conditions)
        _refuse_unknown(made.id, parameters, says, *relations, *conditions, *made.start.values(), *made.move.values())
        self.statement(made, **details)

    def number(
        self,
        claim_id: str,
        says: str,
        printed: str,
        value: Callable[..., fmpq | arb],
        *,
        also: Callable[..., fmpq] | None = None,
        reading: Reading | None = None,
        **more: Any,
    ) -> None:
        """Enter a decimal that the paper prints."""
        details, parameters = _parted(more)
        own: dict[str, Any] = {"also": also, "reading": self._reading(reading), **parameters}
        self.statement(PrintedNumber(self._id(claim_id), printed, value, says=says, **own), **details)

    def report(
        self, claim_id: str, says: str, compare: Callable[..., Compared], *, domain: str = "", **more: Any
    ) -> None:
        """Enter a number that the paper reports from a run of its program; seek the nearest one that would differ."""
        details, parameters = _parted(more)
        details.setdefault("nearest", " ".join(name for name, value in parameters.items() if is_number(value)))
        self.statement(Report(self._id(claim_id), compare, says=says, domain=domain, **parameters), **details)

    def statement(
        self,
        statement: Statement,
        *,
        by: Evidence | str | Sequence[Any] | None = None,
        so: Evidence | str | None = None,
        kernel: str | Sequence[str] = (),
        refuted: Evidence | str | Sequence[str] = (),
        fails: str = "",
        nearest: str = "",
        **details: Any,
    ) -> None:
        """Enter a statement object."""
        ways = [self._theorem(kernel, statement)] if kernel else []
        if so is None and by is not None and not isinstance(by, (str, Sequence)):
            ways.append(by)
        elif so is not None or by is not None:
            steps = (by,) if isinstance(by, (str, Evidence)) else tuple(by or ())
            ways.append(Argument(*steps, conclusion=ByHand(so) if isinstance(so, str) else so))
        if fails:
            details.setdefault("verdict", Verdict.FAILS if "survives" not in details else Verdict.SMALLER_DOMAIN)
        if self._mended is not None:
            details.setdefault("repairs", self._mended.id)
        details.setdefault("under", self._under)
        self._chapter.enter(
            self._origin,
            statement,
            AnyOf(*ways) if len(ways) > 1 else ways[0] if ways else None,
            self._place,
            cause=fails,
            refutation=self._refutation(refuted, statement),
            nearest={each.rstrip("+-"): _DIRECTIONS.get(each[-1], "") for each in nearest.split()},
            **details,
        )

    def _refutation(self, refuted: Evidence | str | Sequence[str], statement: Statement) -> Evidence | None:
        if isinstance(refuted, Evidence):
            return refuted
        return self._theorem(refuted, statement) if refuted else None

    def _theorem(self, names: str | Sequence[str], statement: Statement) -> Evidence:
        """Return the evidence by theorems that a proof assistant has checked, at the parameters' present values."""
        by = self._chapter.source.theorem
        if by is None:
            raise ValueError(f"{statement.id}: the chapter knows no theorems; write Chapter(Source(theorem=...))")
        return by(*_several(names), **statement.parameters)

    def _id(self, claim_id: str) -> str:
        """Return the whole id; for a repair, an id that begins with "/" is appended to the repaired entry's."""
        return self._mended.id + claim_id if self._mended and claim_id.startswith("/") else claim_id

    def _reading(self, reading: Reading | None) -> Reading | None:
        return self._mended.statement.reading if reading is None and self._mended else reading


_DIRECTIONS = {"+": "up", "-": "down"}


def _several(names: str | Sequence[str]) -> Sequence[str]:
    return (names,) if isinstance(names, str) else names


def _parted(more: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the details of an entry, and the parameters of its statement."""
    details = {name: value for name, value in more.items() if name in _TAKEN}
    return details, {name: value for name, value in more.items() if name not in _TAKEN}


def _refuse_unknown(claim_id: str, parameters: Iterable[str], says: str, *formulas: sympy.Basic) -> None:
    """Refuse a keyword that is neither an argument nor a constant of the words or formulas.

    Raises
    ------
    ValueError
        If there is such a keyword; the message names the arguments.
    """
    constants = {symbol.name for each in formulas for symbol in each.free_symbols}
    for name in parameters:
        if name not in constants and not re.search(rf"\[\[\*?{name}\b", says):
            meant = get_close_matches(name, _TAKEN, n=1, cutoff=0.7)
            known = f"the arguments are {', '.join(_TAKEN)}: by=[id] is what it rests on, false={{'c': 1}} a mutant"
            hint = f"is {meant[0]} meant?" if meant else known
            raise ValueError(f"{claim_id}: {name!r} is no argument and no constant of its formulas; {hint}")


def _candidates(given: Any, statement: Statement) -> tuple[Any, ...]:
    """Return the instances to try first, those of a relation as points with exact numbers."""
    several = (given,) if isinstance(given, Mapping) else tuple(given)
    return tuple(map(statement.point, several)) if isinstance(statement, Relation) else several


def _claims_nothing(_: Any) -> bool:
    """Raise an error in place of the claim of a withdrawn entry."""
    raise ValueError("it was withdrawn and claims nothing")


def is_number(value: object) -> bool:
    """Whether a parameter is a number, possibly as text."""
    try:
        rational(value)
    except BanditError:
        return False
    return True


def _named(
    variants: Mapping[str, Any] | Sequence[Mapping[str, object]], statement: Statement
) -> dict[str, dict[str, object]]:
    """Return variants by name; a variant without a name is named after its parameters."""
    if isinstance(variants, Mapping):
        if all(isinstance(each, Mapping) for each in variants.values()):
            return {name: dict(parameters) for name, parameters in variants.items()}
        variants = [variants]
    for names in filter(None, variants) if isinstance(statement, Property) else ():
        if statement.parameters.keys() >= names.keys() and not any(map(statement.says_parameter, names)):
            raise ValueError(f"{statement.id}: no sentence shows {', '.join(names)}; write [[{min(names)}]] in one")
    return {
        ", ".join(f"{name} = {_short(value)}" for name, value in parameters.items()): dict(parameters)
        for parameters in variants
    }


def _short(value: object) -> str:
    text = parameter_latex(value)
    if text.startswith((r"\frac", r"-\frac")):
        return str(value)
    return f"${text}$" if re.search(r"[\\{]", text) and "$" not in text else text

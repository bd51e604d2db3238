"""Chapters: the entries of one part of the paper, in the paper's order, each added in one call."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from inspect import signature
from typing import Any

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claimcheck.evidence import LARGEST_COUNT, AnyOf, Argument, ByHand, Evidence, Leaf
from proofs_checks.claimcheck.ledger.entry import Entry, Survives
from proofs_checks.claimcheck.statements import (
    Compared,
    Family,
    ForAll,
    Outline,
    Place,
    PrintedNumber,
    Process,
    Property,
    Relation,
    Report,
    Statement,
)
from proofs_checks.claimcheck.statements.statement import names_in, parameter_latex
from proofs_checks.claimcheck.verdicts import Origin, Severity, Verdict
from theory import BanditError, rational

_ID = re.compile(r"[\w:./+-]+")


@dataclass(frozen=True)
class Source:
    """The data about the paper that a chapter needs; any of them may be left out.

    Attributes
    ----------
    outline
        The outline, from which a line of the source gives its place.
    conventions
        The conventions that the paper leaves open, each with its choices and their meaning.
    theorem
        ``theorem(*names, **parameters)`` returns the evidence by theorems that a proof assistant has checked.
    """

    outline: Outline | None = None
    conventions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    theorem: Callable[..., Leaf] | None = None


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
        """Start an entry that repairs another, whose line, reading and parent it takes."""
        for entry in self._chapter:
            if entry.id == claim_id:
                return EntryBuilder(self._chapter, Origin.OURS, line, entry, self._under)
        raise ValueError(f"{claim_id} cannot be repaired: no entry before this one has the id")

    def withdrawn(self, claim_id: str, why: str, *, line: int | None = None, under: str | None = None) -> None:
        """Keep the id of a withdrawn entry (an entry that misread the paper), and the reason."""
        nothing = Property(claim_id, _claims_nothing, over=Family(""), says="withdrawn")
        above, reason = self._under if under is None else under, " ".join(why.split())
        withdrawn = Entry(
            nothing, Origin.OURS, self._chapter.place(line), None, above, Verdict.WITHDRAWN, withdrawn=reason
        )
        self._chapter.entries.append(withdrawn)


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
        return iter(self.entries)

    def heading(self, under: str) -> Section:
        """Return the section whose entries stand under the entry with id `under`."""
        return Section(self, under)

    def place(self, line: int | Place | None) -> Place | None:
        """Return the place of a line of the paper, by the outline; a `Place` is returned unchanged."""
        if line is None or isinstance(line, Place):
            return line
        if self.source.outline is None:
            raise ValueError(f"line {line}: the chapter has no outline; write Chapter(Source(Outline(path)))")
        return self.source.outline.at(line)


class EntryBuilder:
    r"""Adds one entry, at a line of the paper or at none; each kind of statement has a method of its own.

    Every method takes the arguments of its kind of statement (of `Relation`, `Property`, `Process`, `PrintedNumber` or
    `Report`), the statement's parameters, and

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
    ...     by=Solver(), survives=Survives(x >= 1), nearest="c",
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

    def relation(self, claim_id: str, says: str, domain: ForAll, *relations: sympy.Rel, **more: Any) -> None:
        """Enter relations between formulas over a domain."""
        self._made(Relation, claim_id, domain, *relations, says=says, **more)

    def property(self, claim_id: str, says: str, holds: Callable[..., Any], **more: Any) -> None:
        """Enter a property of all objects of a family, or a single fact."""
        self._made(Property, claim_id, holds, says=says, **more)

    def process(self, claim_id: str, says: str, *relations: sympy.Rel, **more: Any) -> None:
        """Enter a relation that holds after any number of moves."""
        self._made(Process, claim_id, *relations, says=says, **more)

    def number(self, claim_id: str, says: str, printed: str, value: Callable[..., fmpq | arb], **more: Any) -> None:
        """Enter a decimal that the paper prints."""
        self._made(PrintedNumber, claim_id, printed, value, says=says, **more)

    def report(self, claim_id: str, says: str, compare: Callable[..., Compared], **more: Any) -> None:
        """Enter a number that the paper reports from a run of its program; seek the nearest one that would differ."""
        more.setdefault("nearest", " ".join(each for each in more if each not in _ARGUMENTS and is_number(more[each])))
        self._made(Report, claim_id, compare, says=says, **more)

    def _made(self, kind: Callable[..., Statement], claim_id: str, *given: Any, **more: Any) -> None:
        """Enter a statement; a keyword that is no argument has to be a constant of its formulas or words."""
        details = {name: more.pop(name) for name in _ARGUMENTS if name in more}
        if self._mended is not None:
            more.setdefault("reading", self._mended.statement.reading)
            claim_id = self._mended.id + claim_id if claim_id.startswith("/") else claim_id
        made = kind(claim_id, *given, **more)
        constants = names_in(*made.formulas, *getattr(details.get("survives"), "conditions", ()))
        for name in made.parameters if made.formulas else ():
            if name not in constants and not re.search(rf"\[\[\*?{name}\b", more["says"]):
                meant = get_close_matches(name, _ARGUMENTS, n=1, cutoff=0.7)
                known = f"the arguments are {', '.join(_ARGUMENTS)}: by=[id] is what it rests on"
                hint = f"is {meant[0]} meant?" if meant else f"{known}, false={{'c': 1}} a mutant"
                raise ValueError(f"{claim_id}: {name!r} is no argument and no constant of its formulas; {hint}")
        self.statement(made, **details)

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
        false: Any = (),
        true: Any = (),
        candidates: Any = (),
        survives: Survives | None = None,
        verdict: Verdict | None = None,
        severity: Severity | None = None,
        repairs: str | Sequence[str] = (),
        under: str | None = None,
        max_instances: int = LARGEST_COUNT,
        **unknown: Any,
    ) -> None:
        """Enter a statement object."""
        for name in unknown:
            (near,) = get_close_matches(name, _ARGUMENTS, n=1, cutoff=0)
            raise ValueError(f"{statement.id}: an entry has no {name!r}; the nearest is {near}")
        if not _ID.fullmatch(statement.id):
            raise ValueError(f"{statement.id!r} is no id: write letters, digits and : . / _ + - alone")
        self._check_reading(statement.reading)
        ways = [self._theorem(kernel, statement)] if kernel else []
        if so is None and by is not None and not isinstance(by, (str, Sequence)):
            ways.append(by)
        elif so is not None or by is not None:
            steps = (by,) if isinstance(by, (str, Evidence)) else tuple(by or ())
            ways.append(Argument(*steps, conclusion=ByHand(so) if isinstance(so, str) else so))
        mutants = _named(false, statement)
        if isinstance(statement, PrintedNumber):
            for decimal in statement.neighbours():
                mutants.setdefault(f"printed = {decimal}", {"printed": decimal})
        default = Verdict.FAILS if fails else Verdict.HOLDS
        self._chapter.entries.append(
            Entry(
                statement,
                self._origin,
                self._place,
                AnyOf(*ways) if len(ways) > 1 else ways[0] if ways else None,
                under=self._under if under is None else under,
                verdict=verdict or (Verdict.SMALLER_DOMAIN if survives is not None else default),
                survives=survives,
                severity=severity,
                cause=fails,
                repairs=_several(repairs or (self._mended.id if self._mended else ())),
                candidates=_candidates(candidates, statement),
                mutants=mutants,
                controls=_named(true, statement),
                nearest={each.rstrip("+-"): {"+": "up", "-": "down"}.get(each[-1], "") for each in nearest.split()},
                max_instances=max_instances,
                refutation=self._theorem(refuted, statement) if refuted else None,
            )
        )

    def _check_reading(self, reading: Mapping[str, str]) -> None:
        """Refuse a reading with an unknown convention or choice."""
        conventions = self._chapter.source.conventions
        for name, choice in reading.items():
            if name not in conventions:
                known = ", ".join(conventions) or "none"
                raise ValueError(f"reading: no convention is called {name!r}; there are {known}")
            if choice not in conventions[name]:
                raise ValueError(f"reading: {name!r} is {' or '.join(conventions[name])}, not {choice!r}")

    def _theorem(self, names: Evidence | str | Sequence[str], statement: Statement) -> Evidence:
        """Return the evidence by theorems that a proof assistant has checked; evidence is returned unchanged."""
        if isinstance(names, Evidence):
            return names
        by = self._chapter.source.theorem
        if by is None:
            raise ValueError(f"{statement.id}: the chapter knows no theorems; write Chapter(Source(theorem=...))")
        return by(*_several(names), **statement.parameters)


_ARGUMENTS = tuple(signature(EntryBuilder.statement).parameters)[2:-1]


def _several(names: str | Sequence[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


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

"""The registry: all entries in the order of the paper, found by id, with a check of their references to each other."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches

from proofs_checks.claimcheck.ledger.causes import Cause
from proofs_checks.claimcheck.ledger.entry import Entry
from proofs_checks.claimcheck.statements import Outline, Place
from proofs_checks.claimcheck.verdicts import Origin, Severity, Verdict
from theory import BanditError

_EQUATION = re.compile(r"(?:(?:eq\.?|equation)\s*\(?|\()(\d{1,4})\)?", re.IGNORECASE)
_LINE = re.compile(r"line\s*(\d{1,5})", re.IGNORECASE)
_NUMBER = re.compile(r"\d+\.\d+")


class UnknownClaimError(BanditError):
    """No entry has this id."""


class Registry:
    """The entries of a ledger and the causes that they name.

    Entries stand in the order of the paper's headings, those under one heading in the order given; entries without a
    place stand first. For an unknown name, an error names the nearest of the ids `own`, of a user's file, unless
    another id is very near. The `outline` resolves labels and numbers about which there is no entry.

    Raises
    ------
    ValueError
        If an id is entered twice.
    """

    def __init__(
        self,
        entries: Iterable[Entry],
        causes: Sequence[Cause] = (),
        own: Sequence[str] = (),
        outline: Outline | None = None,
    ) -> None:
        self._own = own
        self.outline = outline
        self.causes = {cause.id: cause for cause in causes}
        self._entries: dict[str, Entry] = {}
        for entry in sorted(entries, key=lambda entry: entry.place.order if entry.place else -1):
            if entry.id in self._entries:
                raise ValueError(f"{entry.id} is entered twice")
            self._entries[entry.id] = self._with_severity(entry)

    def _with_severity(self, entry: Entry) -> Entry:
        """Return the entry, with the severity of its cause if it is a claim of the paper without a severity."""
        stands = entry.verdict is Verdict.HOLDS or entry.origin is Origin.OURS
        if entry.verdict is Verdict.SMALLER_DOMAIN and not (stands or entry.severity or entry.cause):
            return replace(entry, severity=Severity.LIMIT)
        if stands or entry.severity or entry.cause not in self.causes:
            return entry
        return replace(entry, severity=self.causes[entry.cause].severity)

    def problems(self) -> list[str]:
        """Return the broken references between entries and causes."""
        found = []
        for entry in self:
            found += [
                f"{entry.id} names {other}, which is no entry"
                for other in (entry.under, *entry.repairs)
                if other and other not in self
            ]
            if entry.cause and entry.cause not in self.causes:
                found.append(f"{entry.id} names the cause {entry.cause!r}, which does not exist")
            if entry.repairs and entry.origin is not Origin.OURS:
                found.append(f"{entry.id} repairs {', '.join(entry.repairs)}; a repair has to be ours")
        touched = {entry.cause for entry in self if entry.cause}
        for cause in self.causes.values():
            if cause.witness not in self:
                found.append(f"cause {cause.id}: its witness {cause.witness} is no entry")
            if cause.id not in touched:
                found.append(f"cause {cause.id}: no entry names it")
        return found

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, claim_id: object) -> bool:
        return claim_id in self._entries

    def __getitem__(self, claim_id: str) -> Entry:
        """Return the entry with this id."""
        if claim_id not in self._entries:
            raise UnknownClaimError(f"no claim is called {claim_id!r}{self._hint(claim_id)}")
        return self._entries[claim_id]

    def _hint(self, name: str) -> str:
        """Return a hint for a name that no entry has: names of the same kind, a section, or the nearest ids."""
        kind, *number = name.split() or [""]
        places = [entry.place for entry in self if entry.place]
        if kind.lower() in ("section", "appendix"):
            sections, wanted = sorted({each.section for each in places} - {""}), "".join(number[:1]).upper()
            if any(f"{each}.".startswith(f"{wanted}.") for each in sections):
                return f"; python -m proofs_checks --section {wanted} lists the entries of that section"
            return f"; the sections are {', '.join(sections)}"
        if places_there := self._places_of(name):
            there = places_there[0]
            return f"; it is in {there}: python -m proofs_checks --section {there.section} lists the claims there"
        if equation := _EQUATION.fullmatch(name.strip()):
            known = sorted({each.equation for each in places if each.equation})
            near = sorted(known, key=lambda each: abs(each - int(equation[1])))[:3]
            return f"; of the numbered equations nearby there are claims about {', '.join(map('({})'.format, near))}"
        if line := _LINE.fullmatch(name.strip()):
            near = sorted({each.line for each in places}, key=lambda each: abs(each - int(line[1])))[:3]
            return f"; of the lines nearby there are claims about {', '.join(map(str, near))}"
        if cause := next((each for each in self.causes if name.lower() in (each, each.partition("-")[0])), None):
            return f"; {cause} is a cause: python -m proofs_checks --cause {cause}"
        alike = {each.environment for each in places if each.environment.lower().startswith(f"{kind.lower()} ")}
        if kind and alike:
            return f"; there are {', '.join(sorted(alike, key=_by_number))}"
        if ids := [each.id for each in self if _prints(each, name) and not each.withdrawn]:
            return f"; it stands in {', '.join(ids[:3])}{f' and {len(ids) - 3} more' if len(ids) > 3 else ''}"
        if name.isdecimal() and any(each.line == int(name) for each in places):
            return f"; python -m proofs_checks show line {name} shows a claim of that line"
        standing = [each.id for each in self if not each.withdrawn]
        nearest = get_close_matches(name, standing, n=3, cutoff=0.8 if self._own else 0.4)
        nearest = nearest or get_close_matches(name, self._own, n=3, cutoff=0.4)
        if nearest:
            return f"; the nearest are {', '.join(nearest)}"
        return "; python -m proofs_checks lists all, --section B those of a section"

    def _places_of(self, name: str) -> list[Place]:
        """Return the place of a label or number of the paper and those that cite it; none if there is no such name."""
        if self.outline is None:
            return []
        equation = _EQUATION.fullmatch(name.strip())
        names = [name.strip().lower(), _plain(name, r"\1"), _plain(name)]
        keys = [f"({int(equation[1])})"] if equation else names
        return [self.outline.at(line) for line in next(filter(None, map(self.outline.lines.get, keys)), ())]

    def _around(self, name: str) -> list[Entry]:
        """Return the entries of the theorem or figure that holds what is named, or of the paragraphs that cite it."""
        places = self._places_of(name)
        within = places[0].environment if places else ""
        found = [(place, each) for each in self if (place := each.place) and place.environment == within != ""]
        if not found and len(places) > 1:
            named, *citing = places
            cited = {(each.section, each.environment, each.paragraph) for each in citing}
            parts = [(place, each) for each in self if (place := each.place)]
            found = [
                (place, each)
                for place, each in parts
                if (place.section, place.environment, place.paragraph) in cited or each.id.startswith(f"{named.label}/")
            ]
            found.sort(key=lambda pair: (pair[0].line < citing[0].line, pair[0].line))  # what precedes stands last
        return [] if within.startswith("proof") else [each for _, each in found if not each.withdrawn]

    def named(self, name: str) -> list[Entry]:
        """Return the entry with this id, or those of a theorem, lemma, equation or line, those that fail first.

        A name is one such as ``Theorem 2``, ``lemma 4``, ``Lemma moment``, ``eq. (25)``, ``(25)``, ``line 438``, a
        label of the paper, or a number with a point, such as ``6.42``, that claims print. If no printed claim has the
        name, printed claims of the theorem that displays it are returned; if there are none, entries of ours with the
        name, entries that mention the equation or the number or whose id begins with the label, entries of the figure,
        or of the paragraphs that cite it. Claims that fail precede the others.

        Raises
        ------
        UnknownClaimError
            If no entry has this name; the message names the nearest.
        """
        if name in self._entries:
            return [self._entries[name]]
        equation, line = _EQUATION.fullmatch(name.strip()), _LINE.fullmatch(name.strip())
        number = _NUMBER.fullmatch(name.strip())
        wanted, label = _plain(name), name.strip().lower()

        def is_there(entry: Entry, place: Place) -> bool:
            if equation is not None:
                return place.equation == int(equation[1])
            if line is not None:
                return place.line == int(line[1])
            environment = _plain(place.environment).removeprefix("proofof")
            by_label = environment.rstrip("0123456789") + entry.id.partition(":")[2].lower()
            return wanted != "" and not {wanted, label}.isdisjoint((environment, place.label.lower(), by_label))

        def speaks_of_it(entry: Entry) -> bool:
            text = f"{entry.statement.paper_text} {entry.statement.own_text}"
            by_number = equation is not None and f"eq. ({equation[1]})" in text
            prints_it = number is not None and _prints(entry, number[0])
            return not entry.withdrawn and (by_number or prints_it or entry.id.startswith(f"{name.strip()}/"))

        named = [each for each in self if each.place and is_there(each, each.place)]
        if all(each.origin is Origin.OURS for each in named):
            around = self._around(name)
            named = [each for each in around if each.origin is not Origin.OURS and named] or named
            named = named or [each for each in self if speaks_of_it(each)] or around
        found = [each for each in named if each.origin is not Origin.OURS] or named
        found = [each for each in found if not (each.place and each.place.environment.startswith("proof"))] or found

        # a lemma comes before its parts, whose ids extend the lemma's
        def order(entry: Entry) -> tuple[int, bool, bool]:
            stands = entry.verdict in (Verdict.HOLDS, Verdict.UNDECIDED)
            return entry.id.count("/"), stands, entry.origin is not Origin.PRINTED

        return sorted(found, key=order) or [self[name]]

    def below(self, claim_id: str) -> list[str]:
        """Return the ids of an entry and of all that stand under it, in order."""
        return [entry.id for entry in self if claim_id in self._line_up(entry) or entry.id == self[claim_id].id]

    def top(self, claim_id: str) -> str:
        """Return the id of the outermost entry that an entry stands under, or its own if it stands under none."""
        return [claim_id, *self._line_up(self[claim_id])][-1]

    def repairs_of(self, claim_id: str) -> list[str]:
        """Return the ids of the entries that repair this one."""
        return [entry.id for entry in self if claim_id in entry.repairs]

    def _line_up(self, entry: Entry) -> Iterator[str]:
        """Yield the ids of the entries that an entry stands under, the nearest first."""
        while entry.under:
            yield entry.under
            entry = self[entry.under]


def _prints(entry: Entry, wanted: str) -> bool:
    """Return whether a number or formula stands in the entry's statement, however LaTeX groups it."""
    text, wanted = map(_without_markup, (f"{entry.statement.paper_text} {entry.statement.own_text}", wanted))
    return wanted != "" and re.search(rf"(?<![\d.]){re.escape(wanted)}(?!\.?\d)", text) is not None


def _without_markup(latex: str) -> str:
    r"""Return LaTeX without spaces, braces and alphabets: \frac{8S}{K} is 8S/K, \mathcal{E}^V is E^V."""
    argument = r"\s*(?:\{([^{}]*)\}|(\w))"
    return re.sub(r"\\[A-Za-z]+(?=\{)|[\s{}$\\]", "", re.sub(rf"\\[a-z]*frac{argument * 2}", r"\1\2/\3\4", latex))


def _by_number(name: str) -> tuple[str, int]:
    kind, _, number = name.rpartition(" ")
    return kind, int(number) if number.isdecimal() else 0


def _plain(name: str, part: str = "") -> str:
    r"""Return a name without spaces, abbreviations and the letter of a part: Fig. 5(b) is figure5, figure5b with \1."""
    words = name.lower().replace("thm.", "theorem").replace("thm", "theorem").replace("fig.", "figure")
    return re.sub(r"(?<=\d)\(?([a-z])\)?$", part, words.replace(" ", ""))

"""Parts of the page beside the contents of entries: glossaries, kinds of evidence, dependents, the search index."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from proofs_checks.claimcheck.plain import flat_text
from proofs_checks.claimcheck.verdicts import Grade, Origin, Severity, Verdict, meanings
from proofs_checks.paper.shared.source import CONVENTIONS, OUTLINE
from proofs_checks.report.pages.annotated.figures import PageFigure
from proofs_checks.report.pages.annotated.skeleton import Part, block_title, place_of
from proofs_checks.report.pages.terminal import numbered
from proofs_checks.report.pages.theorems import TheoremSummary
from proofs_checks.report.pages.unicode_math import unicode_text

Entry = Mapping[str, Any]

DOES_NOT_HOLD = ("fails", "holds in part")

VERDICTS = {**meanings(Verdict), "error": "Its check stopped with an error: nothing is known of it."}
GRADES, SEVERITIES, ORIGINS = meanings(Grade), meanings(Severity), meanings(Origin)


def methods(entries: Sequence[Entry]) -> dict[str, int]:
    """Return the kinds of evidence of steps without steps of their own, numbered, the most frequent first.

    Examples
    --------
    >>> below = [{"by": "solver"}, {"by": "hand"}, {"by": "lem:sum"}, {"by": "solver"}]
    >>> methods([{"id": "lem:sum", "steps": [{"by": "algebra"}, {"by": "lemma", "steps": below}]}])
    {'solver': 1, 'algebra': 2}
    """
    known = {"hand", *(entry["id"] for entry in entries)}
    steps = (step for entry in entries for _, step in numbered(entry["steps"]))
    found = Counter(step["by"] for step in steps if step["by"] not in known and "steps" not in step)
    return {by: number for number, (by, _) in enumerate(found.most_common(), 1)}


def resting_on(entries: Sequence[Entry]) -> dict[str, list[str]]:
    """Return, for each id, the entries that rest on it directly.

    Examples
    --------
    >>> resting_on([{"id": "a", "depends_on": ["b", "cited"]}, {"id": "b", "depends_on": []}])
    {'a': [], 'b': ['a'], 'cited': ['a']}
    """
    found: dict[str, list[str]] = {entry["id"]: [] for entry in entries}
    for entry in entries:
        for other in entry["depends_on"]:
            found.setdefault(other, []).append(entry["id"])
    return found


def roots(entries: Sequence[Entry]) -> list[Entry]:
    """Return the paper's theorems and lemmas, and its other claims that rest on several entries and that none uses."""
    carried = {other for entry in entries for other in entry["depends_on"]}
    return [
        entry
        for entry in entries
        if entry["origin"] == "printed"
        and entry["verdict"] != "withdrawn"
        and (
            (not entry["under"] and entry["location"]["environment"].startswith(("Theorem", "Lemma")))
            or (len(entry["foundations"]) > 1 and entry["id"] not in carried)
        )
    ]


def index(
    entries: Sequence[Entry],
    causes: Sequence[Mapping[str, Any]],
    theorems: Sequence[TheoremSummary],
    parts: Sequence[Part],
) -> list[dict[str, Any]]:
    """Return the page's search index: title, places and words of each theorem, section, change and claim.

    ``find`` and ``places`` are in lower case, with formulas as Unicode; ``uses`` are the entries that a claim rests on.
    """
    known = {entry["id"]: entry for entry in entries}
    found = []
    for each in theorems:
        around = [entry["location"] for entry in (each.theorem, *each.claims, *each.established)]
        stands = sorted({searched for place in around if place for searched in _searched(place)})
        name = f"summary-{each.name.lower().replace(' ', '-')}"
        found.append(_item("theorem", name, each.name, each.in_short, stands) | _state(each.theorem))
    titles = ", ".join(block_title(place) for entry in entries if (place := place_of(entry, known))).lower().split(", ")
    unclaimed = {name: of.section for name, of in OUTLINE.numbered.items() if name not in titles}
    for part in parts:
        within = [each for each in parts if f"{each.section}.".startswith(f"{part.number}.")] if part.number else [part]
        count = sum(entry["verdict"] != "withdrawn" for each in within for entry in each.entries)
        name = f"{'Appendix' if part.number[:1].isalpha() else 'Section'} {part.number}: " if part.number else ""
        told = f"{count} claim{'' if count == 1 else 's'}" if count else ""
        here = [each for each, section in unclaimed.items() if section == part.number]
        found.append(_item("section", part.anchor, f"{name}{part.title}", told, here))
    for cause in causes:
        places = [*_searched(cause["location"]), *(f"line {line}" for line in cause["also_at"])]
        words = [cause[name] for name in ("printed", "why", "instead", "follows", "id")]
        told = cause["instead"] or cause["follows"]
        more = {"severity": cause["severity"], "cause": cause["id"], "section": cause["location"]["section"]}
        found.append(_item("change", f"cause-{cause['id']}", cause["title"], told, places, words) | more)
    for entry in entries:
        place = place_of(entry, known)
        told = entry["withdrawn"] or entry["paper"] or entry["statement"]
        title = f"{block_title(place)}, {entry['id']}" if place else entry["id"]
        words = [entry[name] or "" for name in _SAID] + [place["heading"] if place else ""]
        words += [step["text"] for _, step in numbered(entry["steps"])]
        words += [flat_text(entry[name] or {}) for name in ("reading", "witness", "values")]
        more = {
            "cause": entry["cause"] or "",
            "section": place["section"] if place else "",
            "origin": entry["origin"],
            "uses": entry["depends_on"],
        }
        item = _item("claim", entry["id"], title, told, _searched(place) if place else (), words)
        found.append(item | _state(entry) | more)
    return found


def elsewhere(figures: Sequence[PageFigure]) -> list[dict[str, Any]]:
    """Return the search index of the page's other parts: figures, explorers, readings, glossaries."""
    terms = (*VERDICTS, *GRADES, *SEVERITIES, *ORIGINS)
    return [
        *(_item("part", f"figure-{each.name}", each.title, each.told) for each in figures),
        _item("part", "explore-counterexample", "Try it: the counterexample of Theorem 3", "In exact fractions."),
        _item("part", "explore-moments", "Try it: the region of Lemma 4", "Where the moment lemma holds."),
        *(
            _item("part", f"reading-{name.replace(' ', '-')}", f"Reading: {name}", flat_text(choices))
            for name, choices in CONVENTIONS.items()
        ),
        _item("part", "glossaries", "How to read this page: what the words mean", f"{', '.join(terms)}."),
    ]


def _state(entry: Entry) -> dict[str, str]:
    severity = entry["severity"] if entry["verdict"] in DOES_NOT_HOLD else ""
    return {"verdict": entry["verdict"], "grade": entry["effective_evidence"] or "", "severity": severity or ""}


def _item(
    kind: str, name: str, title: str, told: str, places: Iterable[str] = (), words: Iterable[str] = ()
) -> dict[str, Any]:
    r"""Return an item of the search index: its searched text, in lower case, and its shown text.

    Examples
    --------
    >>> found = _item("part", "here", "Where $K \\ge 2$", "A `word` " * 40, ["Section 5", "Line 7"], ["More"])
    >>> found["title"], len(found["told"]), found["told"][-8:], found["places"]
    ('Where K ≥ 2', 241, 'word A …', 'section 5; line 7')
    >>> found["find"][:13], found["find"][-9:]
    ('here a word a', 'word more')
    """
    whole = unicode_text(told).replace("`", "")
    return {
        "kind": kind,
        "id": name,
        "title": unicode_text(title),
        "told": whole if len(whole) <= _TOLD else f"{whole[:_TOLD].rpartition(' ')[0]} …",
        "places": "; ".join(places).lower(),
        "find": " ".join(f"{name} {whole} {' '.join(map(unicode_text, words))}".lower().split()),
    }


_SAID = ("ours", "domain", "smaller_domain", "reason", "cause", "by", "refuted_by")
"""Fields of an entry that are searched besides its statement, its numbers and its steps."""
_TOLD = 240
"""Largest number of letters of a text that a search shows."""


def _searched(place: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the texts that a reader may type to find a place: section or appendix, theorem, equation, line, label."""
    kind = "appendix" if place["section"][:1].isalpha() else "section"
    return f"{kind} {place['section']}", block_title(place), f"line {place['line']}", place["label"]

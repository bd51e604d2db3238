"""The skeleton of the paper: its sections, in them theorems, lemmas and displays, and the entries at each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from proofs_checks.paper.shared.source import OUTLINE
from proofs_checks.report.pages.terminal import section_of

Entry = Mapping[str, Any]


@dataclass
class Block:
    """The entries at one theorem, lemma, proof or display, or in the text around them; the paper's before ours.

    The anchor is its name in the page's address, the title its place in the paper: ``proof of Lemma 3, equation (32)``.
    """

    anchor: str
    title: str
    line: int
    entries: list[Entry] = field(default_factory=list)


@dataclass
class Part:
    """A section of the paper (level 1), a subsection (2), or a heading without a number (3) in a numbered section."""

    anchor: str
    number: str
    title: str
    level: int
    section: str
    blocks: list[Block] = field(default_factory=list)

    @property
    def entries(self) -> list[Entry]:
        """The entries of all blocks."""
        return [entry for block in self.blocks for entry in block.entries]

    def add(self, entry: Entry, anchor: str, title: str, line: int) -> None:
        """Add an entry to the block of this title."""
        block = next((each for each in self.blocks if each.title == title), None)
        if block is None:
            block = Block(f"{self.anchor}{anchor}", title, line)
            self.blocks.append(block)
        block.entries.append(entry)
        block.line = min(block.line, line)


def skeleton(entries: Sequence[Entry]) -> list[Part]:
    """Return the parts of the paper with their entries; a part is left out if it and its sections have no entries.

    An entry without a place of its own has the place of the entry that it repairs or stands under.
    """
    known = {entry["id"]: entry for entry in entries}
    parts = _parts()
    unplaced = {
        part.title: part
        for part in (
            Part("beyond", "", "Beyond the paper", 1, ""),
            Part("beside", "", "Beside the paper", 1, ""),
            Part("literature", "", "Taken from the literature", 1, ""),
        )
    }
    for entry in entries:
        place = place_of(entry, known)
        if place is None:
            part = unplaced[section_of(entry)]
            part.add(entry, "-entries", _TITLES[part.anchor], 0)
        else:
            title = block_title(place)
            slug = "-".join("".join(each if each.isalnum() else " " for each in title.lower()).split())
            parts[max(line for line in parts if line <= place["line"])].add(entry, f"/{slug}", title, place["line"])
    kept: list[Part] = []
    for part in reversed([*parts.values(), *unplaced.values()]):
        part.blocks.sort(key=lambda block: block.line)
        for block in part.blocks:
            block.entries.sort(key=lambda entry: entry["origin"] == "ours")
        if part.blocks or (kept and kept[-1].level > part.level):
            kept.append(part)
    return kept[::-1]


_TITLES = {
    "beyond": "Bounds that are sharper than the paper's",
    "beside": "Entries at no place of the paper",
    "literature": "Results and lemmas that entries use",
}


def _parts() -> dict[int, Part]:
    """Return the parts without entries, by the line on which each begins."""
    found, section = {}, ""
    for heading in OUTLINE.headings:
        section = heading["number"] or (section if heading["level"] > 1 else "")
        anchor = f"section-{heading['number']}" if heading["number"] else f"heading-{heading['line']}"
        title = heading["title"].replace(" -- ", " – ")
        found[heading["line"]] = Part(anchor, heading["number"], title, heading["level"], section)
    return found


def place_of(entry: Entry, known: Mapping[str, Entry]) -> Mapping[str, Any] | None:
    """Return the location of an entry, or of the nearest one that it repairs or stands under."""
    waiting, seen = [entry], set()
    while waiting:
        current = waiting.pop(0)
        if current["location"]:
            location: Mapping[str, Any] = current["location"]
            return location
        seen.add(current["id"])
        others = (*current["repairs"], current["under"])
        waiting += [known[other] for other in others if other in known and other not in seen]
    return None


def block_title(place: Mapping[str, Any]) -> str:
    """Return the theorem, lemma, proof or equation by which a reader finds a place within its section.

    Examples
    --------
    >>> block_title({"environment": "Lemma 1", "equation": 18, "line": 643})
    'Lemma 1, equation (18)'
    >>> block_title({"environment": "", "equation": None, "line": 423})
    'in the text'
    """
    parts = [place["environment"], f"equation ({place['equation']})" if place["equation"] else ""]
    return ", ".join(part for part in parts if part) or "in the text"

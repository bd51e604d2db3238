"""The skeleton of the paper: its sections, in them theorems, lemmas and displays, and the entries at each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any

from proofs_checks.paper.shared.source import OUTLINE
from proofs_checks.report.pages.beside import BESIDE, BEYOND, LITERATURE, heading_without_place

Entry = Mapping[str, Any]


@dataclass
class Block:
    """The entries at one theorem, lemma, proof or display, or in the text around them.

    Attributes
    ----------
    anchor
        Name of the block in the page's address.
    title
        The place in the paper: ``Lemma 3``, ``equation (31)``, ``proof of Lemma 3, equation (32)``.
    entries
        The entries in the order of the ledger, the paper's before ours.
    """

    anchor: str
    title: str
    entries: list[Entry] = field(default_factory=list)


@dataclass
class Part:
    """A section of the paper, or an unnumbered heading in one.

    Attributes
    ----------
    anchor, number, title
    level : int
        1 for sections, 2 for subsections, 3 for headings without a number.
    section
        Number of the part, or of the numbered section around it.
    blocks
    """

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


def skeleton(entries: Sequence[Entry]) -> list[Part]:
    """Return the parts of the paper with their entries; a part is left out if it and its sections have no entries.

    An entry without a place of its own has the place of the entry that it repairs or stands under.
    """
    known = {entry["id"]: entry for entry in entries}
    parts = _parts()
    starts = [part.line for part in parts]
    unplaced = {
        BEYOND: (Part("beyond", "", BEYOND, 1, ""), "Bounds that are sharper than the paper's"),
        BESIDE: (Part("beside", "", BESIDE, 1, ""), "Entries at no place of the paper"),
        LITERATURE: (Part("literature", "", LITERATURE, 1, ""), "Results and lemmas that entries use"),
    }
    blocks: dict[tuple[int, str], Block] = {}
    lines: dict[str, int] = {}
    for entry in entries:
        place = place_of(entry, known)
        if place is None:
            part, title = unplaced[heading_without_place(entry)]
            _block(blocks, part, -1, f"{part.anchor}-entries", title).entries.append(entry)
            continue
        number = max(index for index, line in enumerate(starts) if line <= place["line"])
        title = block_title(place)
        block = _block(blocks, parts[number].part, number, f"{parts[number].part.anchor}/{_slug(title)}", title)
        block.entries.append(entry)
        lines[block.anchor] = min(lines.get(block.anchor, place["line"]), place["line"])
    all_parts, last = [each.part for each in parts], [part for part, _ in unplaced.values()]
    for part in (*all_parts, *last):
        part.blocks.sort(key=lambda block: lines.get(block.anchor, 0))
        for block in part.blocks:
            block.entries.sort(key=lambda entry: entry["origin"] == "ours")
    kept = [part for number, part in enumerate(all_parts) if part.entries or _holds_entries(all_parts, number)]
    return kept + [part for part in last if part.entries]


def place_of(entry: Entry, known: Mapping[str, Entry]) -> Mapping[str, Any] | None:
    """Return the location of an entry, or of the nearest one that it repairs or stands under."""
    waiting, seen = [entry], set()
    while waiting:
        current = waiting.pop(0)
        if current["location"]:
            location: Mapping[str, Any] = current["location"]
            return location
        seen.add(current["id"])
        waiting += [
            known[other] for other in (*current["repairs"], current["under"]) if other in known and other not in seen
        ]
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


@dataclass(frozen=True)
class _Start:
    line: int
    part: Part


def _parts() -> list[_Start]:
    found, section = [], ""
    for heading in OUTLINE.headings:
        section = heading["number"] or (section if heading["level"] > 1 else "")
        anchor = f"section-{heading['number']}" if heading["number"] else f"heading-{heading['line']}"
        part = Part(anchor, heading["number"], heading["title"].replace(" -- ", " – "), heading["level"], section)
        found.append(_Start(heading["line"], part))
    return found


def _block(blocks: dict[tuple[int, str], Block], part: Part, number: int, anchor: str, title: str) -> Block:
    if (number, title) not in blocks:
        blocks[number, title] = Block(anchor, title)
        part.blocks.append(blocks[number, title])
    return blocks[number, title]


def _holds_entries(parts: Sequence[Part], number: int) -> bool:
    within = takewhile(lambda later: later.level > parts[number].level, parts[number + 1 :])
    return any(later.entries for later in within)


def _slug(title: str) -> str:
    return "-".join("".join(character if character.isalnum() else " " for character in title.lower()).split())

"""Places of claims in a paper: section, theorem or lemma, number of the display, line of the source."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Place:
    """A place in the paper.

    Attributes
    ----------
    line
        Line of the paper's source, from 1.
    section
        Number of the section, such as ``A.2``; "" in the abstract.
    heading
        Title of the innermost heading, numbered or not.
    environment
        The theorem, lemma, proof, table or figure around the line, such as ``Lemma 3`` or ``proof of Lemma 3``; or "".
    label
        Label of the numbered display that holds the line, or of the environment; or "".
    equation
        Number of the display that holds the line, or None if the display has none.
    paragraph
        Number of the paragraph in the section, or in the proof around the line, from 1; 0 before the first paragraph.
    order
        Number of the innermost heading in the order of the paper, from 0; entries are sorted by it.
    """

    line: int
    section: str
    heading: str
    environment: str = ""
    label: str = ""
    equation: int | None = None
    paragraph: int = 0
    order: int = 0

    def __str__(self) -> str:
        """Return the place in words.

        Examples
        --------
        >>> print(Place(776, "A.2", "Events", environment="Lemma 3"), Place(104, "", "Abstract"), sep="; ")
        Section A.2, Lemma 3; Abstract
        """
        section = f"Section {self.section}" if self.section else self.heading
        parts = [section, self.environment, f"equation ({self.equation})" if self.equation else ""]
        return ", ".join(part for part in parts if part)

    @property
    def content(self) -> dict[str, Any]:
        """The place as ``--json`` prints it."""
        shown = ("section", "heading", "environment", "label", "equation", "line")
        return {name: getattr(self, name) for name in shown}


class Outline:
    """The outline of a paper's source, from which a line alone gives a place.

    Theorems, sections and equations have the numbers of the PDF, so that its readers find the text of an entry.

    Parameters
    ----------
    path
        A JSON file with ``lines`` (number of lines of the source), ``sections`` (line, level, number, title, label),
        ``environments`` (line, end, kind, number, label; for figures and tables, ``cited``: the lines that cite them),
        ``displays`` (line, end, equations with line, number, label), ``labels`` (the line of every other label) and
        ``paragraphs`` (the lines on which they begin).
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def _content(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self._path.read_text(encoding="utf-8"))
        return content

    @property
    def headings(self) -> list[Mapping[str, Any]]:
        """The headings in order: line, level (1 to 3), number (or ""), title, label."""
        return list(self._content["sections"])

    def at(self, line: int) -> Place:
        """Return the place of a line of the source."""
        if line > self._content["lines"]:
            raise ValueError(f"line {line}: the paper's source ends with line {self._content['lines']}")
        headings = [each for each in self.headings if each["line"] <= line]
        if not headings:
            raise ValueError(f"line {line} is before the first heading of the paper")
        numbered = next((each for each in reversed(headings) if each["number"]), headings[-1])
        around = [each for each in self._content["environments"] if each["line"] <= line <= each["end"]]
        environment, label = self._environment(around[-1]) if around else ("", "")
        equation = None
        for display in self._content["displays"]:
            if display["line"] <= line <= display["end"] and display["equations"]:
                rows = display["equations"]
                row = next((each for each in rows if line <= each["line"]), rows[-1])
                equation, label = row["number"], row["label"] or label
        begin = max([headings[-1]["line"], *(each["line"] for each in around if each["kind"] == "proof")])
        return Place(
            line,
            numbered["number"],
            headings[-1]["title"],
            environment,
            label,
            equation,
            paragraph=sum(begin <= start <= line for start in self._content["paragraphs"]),
            order=len(headings) - 1,
        )

    @property
    def numbered(self) -> Mapping[str, Place]:
        """The places of numbered equations, theorems, figures and so on by name, such as ``equation (12)``."""
        rows = [row for display in self._content["displays"] for row in display["equations"]]
        names = {f"equation ({row['number']})": row["line"] for row in rows}
        around = [each for each in self._content["environments"] if each["kind"] != "proof"]
        names |= {f"{each['kind']} {each['number']}": each["line"] for each in around}
        return {name: self.at(line) for name, line in names.items()}

    @cached_property
    def lines(self) -> Mapping[str, Sequence[int]]:
        """The line of each label, number (``(12)``) and environment (``figure3``), then the lines that cite it."""
        lines: dict[str, Sequence[int]] = {each["label"].lower(): [each["line"]] for each in self.headings}
        for display in self._content["displays"]:
            for row in display["equations"]:
                lines[row["label"].lower()] = lines[f"({row['number']})"] = [row["line"]]
        for each in self._content["environments"]:
            names = (each["label"].lower(), f"{each['kind']}{each['number']}")
            lines |= {key: [each["line"], *each.get("cited", ())] for key in names}
        for label, line in self._content.get("labels", {}).items():
            around = [each for each in self._content["environments"] if each["line"] <= line <= each["end"]]
            lines[label.lower()] = [line, *(around[-1].get("cited", ()) if around else ())]
        lines.pop("", None)
        return lines

    def _environment(self, found: Mapping[str, Any]) -> tuple[str, str]:
        if found["kind"] != "proof":
            return f"{found['kind'].capitalize()} {found['number']}", found["label"]
        proved = [
            each
            for each in self._content["environments"]
            if each["line"] < found["line"] and each["kind"] in ("theorem", "lemma")
        ][-1]
        return f"proof of {proved['kind'].capitalize()} {proved['number']}", ""

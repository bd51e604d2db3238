"""Where a claim stands in the paper: section, theorem or lemma, number of the display, line of the source.

The numbers were counted once from the source, as its document class numbers them, and lie in ``places.json``: so a
reader with the PDF finds what an entry speaks of, and a line of the source is all that an entry has to give.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
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
        Number of the display that holds the line, or None where it has none.
    paragraph
        Which paragraph of the section, or of the proof around it, counted from 1; 0 where none is begun.
    """

    line: int
    section: str
    heading: str
    environment: str = ""
    label: str = ""
    equation: int | None = None
    paragraph: int = 0

    def __str__(self) -> str:
        """Return it as a person would say it.

        Examples
        --------
        >>> print(at(776)), print(at(940)), print(at(104))
        Section A.2, Lemma 3
        Section A.3, equation (32)
        Abstract
        (None, None, None)
        """
        section = f"Section {self.section}" if self.section else self.heading
        parts = [section, self.environment, f"equation ({self.equation})" if self.equation else ""]
        return ", ".join(part for part in parts if part)

    @property
    def content(self) -> dict[str, Any]:
        """What ``--json`` says of it."""
        return {
            "section": self.section,
            "heading": self.heading,
            "environment": self.environment,
            "label": self.label,
            "equation": self.equation,
            "line": self.line,
        }


def at(line: int) -> Place:
    """Return the place of a line of the paper's source.

    Raises
    ------
    ValueError
        If the line is before the abstract, or beyond the end of the source.

    Examples
    --------
    >>> at(643).equation, at(643).environment, at(643).label
    (18, 'Lemma 1', 'eq:conc_h')
    >>> at(790).environment
    'proof of Lemma 3'
    """
    skeleton = _skeleton()
    if line > skeleton["lines"]:
        raise ValueError(f"line {line}: the paper's source ends with line {skeleton['lines']}")
    headings = [each for each in skeleton["sections"] if each["line"] <= line]
    if not headings:
        raise ValueError(f"line {line} is before the abstract of the paper")
    numbered = next((each for each in reversed(headings) if each["number"]), headings[-1])
    around = [each for each in skeleton["environments"] if each["line"] <= line <= each["end"]]
    environment, label = _environment(around[-1]) if around else ("", "")
    equation = None
    for display in skeleton["displays"]:
        if display["line"] <= line <= display["end"] and display["equations"]:
            rows = display["equations"]
            row = next((each for each in rows if line <= each["line"]), rows[-1])
            equation, label = row["number"], row["label"] or label
    begin = max([headings[-1]["line"], *(each["line"] for each in around if each["kind"] == "proof")])
    paragraph = sum(begin <= start <= line for start in skeleton["paragraphs"])
    return Place(line, numbered["number"], headings[-1]["title"], environment, label, equation, paragraph)


def headings() -> list[Mapping[str, Any]]:
    """Return the paper's headings in order: line, level (1 to 3), number (or ""), title, label."""
    return list(_skeleton()["sections"])


def _environment(found: Mapping[str, Any]) -> tuple[str, str]:
    if found["kind"] != "proof":
        return f"{found['kind'].capitalize()} {found['number']}", found["label"]
    earlier = [
        each
        for each in _skeleton()["environments"]
        if each["line"] < found["line"] and each["kind"] in ("theorem", "lemma")
    ]
    return f"proof of {earlier[-1]['kind'].capitalize()} {earlier[-1]['number']}", ""


@cache
def _skeleton() -> dict[str, Any]:
    content: dict[str, Any] = json.loads(Path(__file__).with_name("places.json").read_text(encoding="utf-8"))
    return content

"""Every line of prose in the paper's source has an entry of the ledger, or a reason why it has none.

The paper's text is not part of this project. What is recorded of it are numbers of lines: `sentences.json` gives ranges
of them with reasons, and entries know the line where they stand. With the source at hand,
``PAPER_SOURCE=paper.tex pytest tests/proofs_checks/test_sentences.py`` goes through it; otherwise that test is skipped.
A line of the source may hold several sentences: the unit is the line, or the display that it introduces.
"""

from __future__ import annotations

import json
import os
import re
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest

from proofs_checks.paper import registry

SENTENCES = json.loads(files("proofs_checks.paper.shared").joinpath("sentences.json").read_text(encoding="utf-8"))
RANGES = SENTENCES["ranges"]
SOURCE = os.environ.get("PAPER_SOURCE", "")
DISPLAYS = {"align", "align*", "equation", "equation*", "gather", "tikzpicture", "tabular", "thebibliography"}
LEAST_WORDS = 4


def with_entries():
    return {entry.place.line for entry in registry() if entry.place and not entry.withdrawn}


def prose(source):
    """Yield the numbers of the lines of prose: outside displays, with some words besides formulas and commands."""
    lines = source.split("\n")
    begin = next(number for number, line in enumerate(lines) if r"\begin{document}" in line)
    within = []
    for number, line in enumerate(lines[begin:], begin + 1):
        text = line.partition("%")[0] if not line.startswith(r"\%") else line
        for kind, name in re.findall(r"\\(begin|end)\{([\w*]+)\}", text):
            if kind == "begin":
                within.append(name)
            elif within and within[-1] == name:
                within.pop()
        commands = "cite|ref|eqref|label|section|subsection|subsubsection|paragraph|begin|end|footnote|caption"
        words = re.sub(rf"\\({commands})\{{[^}}]*\}}", " ", text)
        words = re.sub(r"\\\w+", " ", re.sub(r"\$[^$]*\$", " x ", words))
        if not DISPLAYS & set(within) and len(re.findall(r"[A-Za-z]{2,}", words)) >= LEAST_WORDS:
            yield number


def test_prose_yields_lines_outside_displays():
    source = "\n".join((r"\begin{document}", "Here are four words.", r"\begin{align}", "x is not in prose here",
        r"\end{align}", "$x$ too short % but not this comment here", "And so it goes on."))  # fmt: skip
    assert list(prose(source)) == [2, 7]


def test_line_ranges_are_disjoint_and_name_known_reasons_and_entries():
    assert all(first <= last for first, last in (each["lines"] for each in RANGES))
    assert all(one["lines"][1] < other["lines"][0] for one, other in pairwise(RANGES))
    for each in RANGES:
        assert each["reason"] in SENTENCES["reasons"]
        assert ("entry" in each) == (each["reason"] == "carried")
        assert "entry" not in each or (each["entry"] in registry() and not registry()[each["entry"]].withdrawn)


@pytest.mark.skipif(not SOURCE, reason="the paper's source is not at hand: set PAPER_SOURCE")
def test_every_line_of_prose_has_an_entry_or_a_reason():
    lines = list(prose(Path(SOURCE).read_text(encoding="utf-8")))
    entries = with_entries()
    excused = {line for each in RANGES for line in range(each["lines"][0], each["lines"][1] + 1)}
    assert [line for line in lines if line not in entries | excused] == []
    idle = [each["lines"] for each in RANGES if not set(range(each["lines"][0], each["lines"][1] + 1)) & set(lines)]
    assert idle == [], "ranges without any prose"

"""The reviewed content of every entry, pinned as text, one file per chapter: a change of a claim is a diff to review.

An entry is a block under its id: the paper's words, ours, the verdict, where it fails, its steps, the statements of the
theorems it rests on, what varies, and its first cases. A second block tells what its variants find.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from itertools import chain, islice
from pathlib import Path

import numpy as np

from proofs_checks.claimcheck.evidence import Argument
from proofs_checks.claimcheck.plain import flat_text, plain
from proofs_checks.claimcheck.statements import Family
from proofs_checks.kernel.evidence import InKernel
from proofs_checks.kernel.record import record
from proofs_checks.paper import CHAPTERS, registry
from tests.pinned import hold

FOLDER = Path(__file__).with_name("pins")


def hold_entry(name, lines):
    """Assert that lines about an entry, or about its variants, equal the pinned ones."""
    chapter = chapter_of()[name.removesuffix(VARIED)]
    ids = [each for each, its in chapter_of().items() if its == chapter]
    hold(FOLDER / f"{chapter}.txt", name, lines, [each for one in ids for each in (one, one + VARIED)])


VARIED = ", varied"


@cache
def chapter_of():
    """Return the chapter of every entry, in the order of the ledger."""
    entered = {
        entry.id: name for name in CHAPTERS for entry in import_module(f"proofs_checks.paper.{name}.entries").chapter
    }
    return {entry.id: entered[entry.id] for entry in registry()}


def described(content):
    """Yield the content of an entry after a run, line by line."""
    entry = registry()[content["id"]]
    if entry.withdrawn:
        return  # withdrawn.json is the text to review
    statement = entry.statement
    yield ", ".join(filter(None, [
        content["origin"], str(entry.place or ""), entry.place and f"line {entry.place.line}",
        entry.under and f"under {entry.under}", entry.repairs and f"repairs {' and '.join(entry.repairs)}"]))  # fmt: skip
    grades = [content["evidence"] or "", content["by_hand"] and f"{content['by_hand']} steps by hand",
        content["effective_evidence"] and f"with all it rests on: {content['effective_evidence']}"]  # fmt: skip
    fields = {
        "paper": content["paper"],
        "ours": content["ours"],
        "formula": content["latex"] if content["latex"] not in content["statement"] else "",
        "domain": content["domain"],
        "with": flat_text(content["parameters"]),
        "reading": flat_text(content["reading"]),
        "verdict": ", ".join([content["verdict"], *filter(None, grades)]),
        "survives": content["smaller_domain"],
        "cause": content["cause"],
        "refuted by": content["refuted_by"],
        "fails at": flat_text(rounded(content["witness"])),
        "finds": flat_text(rounded(content["values"])),
        "nearest refuted": flat_text(content["nearest_refuted"]),
        "instances": content["instances"],
        "by": content["by"],
        "rests on": ", ".join(content["depends_on"]),
    }
    yield from (f"{name}: {text}" for name, text in fields.items() if text)
    yield from (f"  {line}" for line in steps_of(content["steps"]))
    yield from (f"  where {line}" for line in stated(entry.evidence))
    statements = {theorem["name"]: theorem["statement"] for theorem in record()["theorems"]}
    for theorem in dict.fromkeys(name for leaf in in_kernel(entry) for name in leaf.theorems):
        yield f"theorem {theorem}: {' '.join(statements[theorem].split())}"
    varied = {"mutants": entry.mutants, "controls": entry.controls}
    yield from (f"{name}: {shown(plain(each))}" for name, each in varied.items() if each)
    if entry.candidates:
        yield f"tried first: {shown(plain(entry.candidates), 600)}"
    yield from (f"case: {shown(each)}" for each in first_members(getattr(statement, "over", None) or Family(""), 3, 2))


def steps_of(steps, number=""):
    for position, step in enumerate(steps, 1):
        failed = f" (not established: {step['not_established']})" if "not_established" in step else ""
        yield f"{number}{position}. {step['text']} [{step['by']}]{failed}"
        yield from steps_of(step.get("steps", ()), f"{number}{position}.")


def stated(evidence):
    """Yield the relations of the steps of a proof (also of steps displayed in words), with their domains and points."""
    for step in evidence.steps if isinstance(evidence, Argument) else ():
        over = getattr(step.over, "conditions", ())
        if step.relations or over or step.at:
            parts = [" and ".join(map(str, step.relations)), over and f"over {', '.join(map(str, over))}",
                step.at and f"at {flat_text(plain(step.at))}"]  # fmt: skip
            yield "; ".join(filter(None, parts))
    for part in evidence.parts() if evidence is not None else ():
        yield from stated(part)


def in_kernel(entry):
    """Yield the evidence of an entry, in its proof or refutation, that names theorems of the kernel."""
    waiting = [each for each in (entry.evidence, entry.refutation) if each is not None]
    while waiting:
        first = waiting.pop(0)
        waiting = [*first.parts(), *waiting]
        if isinstance(first, InKernel):
            yield first


def first_members(over, known, drawn):
    """Return the first known members of a family, and some drawn ones."""
    draws = map(over.draw, [np.random.default_rng(2023)] * drawn) if over.draw else ()
    return chain(islice(over.members(), known), draws)


def shown(value, most=240):
    """Return a value as one line, cut after `most` characters."""
    text = value if isinstance(value, str) else flat_text(plain(value))
    text = re.sub(r" at 0x[0-9a-f]+", "", " ".join(text.split()))
    return text if len(text) <= most else f"{text[:most]} ..."


def rounded(content):
    """Return plain data with enclosures replaced by six digits of their midpoints."""
    match content:
        case {"enclosure": [low, high]}:
            return f"{(float(low) + float(high)) / 2:.6g}"
        case dict():
            return {name: rounded(value) for name, value in content.items()}
        case list():
            return [rounded(value) for value in content]
    return content

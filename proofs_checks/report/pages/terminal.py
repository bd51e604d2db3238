"""The ledger for a terminal: one line per entry with its whole id, a summary by origin, and one entry in full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any

from rich.text import Text

from proofs_checks.claimcheck.plain import flat_text
from proofs_checks.claimcheck.verdicts import Grade, Origin, Severity
from proofs_checks.kernel.record import NAMED_AS, kernel_word, record
from proofs_checks.kernel.sources import qualified
from proofs_checks.report.pages.unicode_math import unicode_text
from theory.terminal.console import console, fitted

Entry = Mapping[str, Any]

SHORT: Mapping[str, str] = {"not comparable": "no comparison"}
"""Shorter words for verdicts that do not fit a column."""
STYLE = {
    "holds": "green",
    "agrees": "green",
    "holds in part": "yellow",
    "fails": "red",
    "differs": "red",
    "undecided": "magenta",
    "not comparable": "magenta",
    "withdrawn": "dim",
    "error": "bold red",
}
STYLE_OF_SEVERITY = {"major": "bold red", "gap": "yellow", "edge": "cyan", "slip": "dim"}
_JUDGED = ("holds", "holds in part", "fails", "undecided")
"""Verdicts on statements; all others are on comparisons of experiments."""
_LONGEST_POINT = 300
_WIDTHS = {"verdict": 14, "evidence": 21}

_MEANT_TO_BE_FALSE = "verdict=Verdict.FAILS, from proofs_checks.claimcheck.ledger"


def ledger_lines(entries: Sequence[Entry], width: int) -> Iterator[Text]:
    """Yield one line per entry: id, verdict, severity, grade (and the effective grade, if weaker).

    These are never cut: if they do not fit beside the id, they stand below it. If there is room, the statement follows,
    cut at the end of the line.
    """
    longest = max((len(entry["id"]) for entry in entries), default=0)
    beside = longest + 2 + sum(_WIDTHS.values()) + 6 <= width
    for entry in entries:
        verdict = str(entry["verdict"])
        line = Text(entry["id"].ljust(longest) + "  " if beside else "\n".join((*fitted(entry["id"], width), "  ")))
        line.append(SHORT.get(verdict, verdict).ljust(_WIDTHS["verdict"] if beside else 9), STYLE[verdict])
        line.append(f"{'' if beside else ' '}{entry['severity'] or '':6}{grade_text(entry):{_WIDTHS['evidence']}}")
        if not entry["as_recorded"]:
            line.append(f" recorded: {entry['recorded']['verdict']}", "bold red")
        elif beside and width - line.cell_len > 40:
            line.append(" " + unicode_text(entry["statement"]))
            line.truncate(width)
        line.rstrip()
        yield line


def grade_text(entry: Entry) -> str:
    """Return the grade of an entry, and its effective grade if an entry that it rests on is weaker."""
    own, effective = entry["evidence"] or "", entry["effective_evidence"]
    hand = f" ({entry['by_hand']} by hand)" if entry["by_hand"] else ""
    below = f" / {effective}" if effective and effective != own else ""
    return f"{own}{hand}{below}"


def print_ledger(entries: Sequence[Entry]) -> None:
    """Print one line per entry, in the order of the paper, under the headings of its sections."""
    out = console()
    section = None
    for entry, line in zip(entries, ledger_lines(entries, out.width), strict=True):
        here = section_of(entry)
        if here != section:
            section = here
            out.print(f"\n{here}", style="bold")
        out.print(line, soft_wrap=True)


def section_of(entry: Entry) -> str:
    """Return the heading under which an entry stands: number and title of its section, if it has a place."""
    place = entry["location"]
    if not place:
        kind, _, _ = entry["id"].partition(":")
        return {"cited": "Taken from the literature", "beyond": "Beyond the paper"}.get(kind, "Beside the paper")
    heading = unicode_text(place["heading"])
    return f"Section {place['section']}: {heading}" if place["section"] else heading


def print_summary(entries: Sequence[Entry]) -> None:
    """Print counts by origin, the number of steps by hand, and the entries that did not come out as recorded."""
    out = console()
    out.print()
    for origin in Origin:
        mine = [entry for entry in entries if entry["origin"] == origin.value and entry["verdict"] != "withdrawn"]
        if mine:
            counts = Counter(entry["verdict"] for entry in mine)
            told = ", ".join(f"{counts[verdict]} {verdict}" for verdict in STYLE if counts[verdict])
            out.print(f"{len(mine)} {origin.value}: {told}")
    withdrawn = sum(entry["verdict"] == "withdrawn" for entry in entries)
    if withdrawn:
        out.print(f"{withdrawn} withdrawn")
    grades = Counter(entry["evidence"] for entry in entries if entry["evidence"])
    out.print("evidence: " + ", ".join(f"{count} {_graded(grade)}" for grade, count in grades.most_common()))
    hands = [entry["by_hand"] for entry in entries if entry["by_hand"]]
    out.print(f"steps by hand: {sum(hands)}, in {len(hands)} entries")
    wrong = [entry for entry in entries if not entry["as_recorded"]]
    for entry in wrong:
        told = f"{entry['id']}: found {entry['verdict']}, recorded {entry['recorded']['verdict']}. "
        told += unicode_text(entry["reason"])
        meant = f" (A claim meant to be false has {_MEANT_TO_BE_FALSE}.)" if entry["verdict"] == "fails" else ""
        out.print(Text.assemble(("not as recorded: ", "bold red"), told, meant), soft_wrap=True)
    for entry in entries:
        for difference in entry["different_readings"]:
            out.print(f"another reading: {entry['id']} rests on {difference}", soft_wrap=True)
        for name, variant in entry.get("variants", {}).items():
            if not variant["as_it_should"]:
                told = f"{entry['id']}, {variant['kind']} {unicode_text(name)}: {variant['why']}"
                out.print(f"variant: {told}", soft_wrap=True)
    variants = [variant for entry in entries for variant in entry.get("variants", {}).values()]
    if any("variants" in entry for entry in entries):
        right = [variant for variant in variants if variant["as_it_should"]]
        refuted = sum(variant["kind"] == "mutant" for variant in right)
        left = sum(variant["kind"] == "control" and variant["verdict"] == "undecided" for variant in right)
        told = f"{refuted} false ones refuted, {len(right) - refuted - left} true ones established"
        out.print(f"variants: {told}{f', {left} left open as recorded' * bool(left)}")
    for name, variant in entries[0].get("variants", {}).items() if len(entries) == 1 else ():
        if variant.get("witness"):
            out.print(f"  {unicode_text(name)} is false: {flat_text(variant['witness'])}", soft_wrap=True)
    if not wrong:
        astray = not all(variant["as_it_should"] for variant in variants)
        out.print("Every entry came out as recorded" + (", but not every variant as it should." if astray else "."))


def print_entry(entry: Entry) -> None:
    """Print one entry in full, with the data from which a reader can redo a failure by hand."""
    for line in entry_lines(entry, console().width):
        console().print(line, soft_wrap=True)


def entry_lines(entry: Entry, width: int) -> Iterator[Text]:
    """Yield the lines of one entry: statement, place, verdict, evidence with steps, numbers, entries it rests on."""
    for each in _paragraphs(entry):
        if isinstance(each, Text):
            yield each if each.cell_len <= width else Text("\n".join(fitted(each.plain, width)), each.style)
        else:
            indent = each[: len(each) - len(each.lstrip())]
            shape: dict[str, Any] = {"initial_indent": indent, "subsequent_indent": indent, "break_long_words": False}
            for line in wrap(each.lstrip(), width, **shape):
                yield Text("\n".join(fitted(line, width)))


def _paragraphs(entry: Entry) -> Iterator[str | Text]:
    """Yield the parts of one entry: texts to be broken over indented lines, and lines for their own."""
    yield Text(entry["id"], "bold")
    if place := entry["location"]:
        where = [f"Section {place['section']}" if place["section"] else place["heading"], place["environment"]]
        where.append(f"equation ({place['equation']})" if place["equation"] else f"line {place['line']} of the source")
        yield f"{entry['origin']}: {', '.join(part for part in where if part)}"
    else:
        yield entry["origin"]
    if entry["withdrawn"]:
        beside = f" (--under {entry['under']} lists the entries beside it.)" if entry["under"] else ""
        yield f"Withdrawn: {unicode_text(entry['withdrawn'])}{beside}"
        return
    yield Text("")
    yield unicode_text(entry["paper"] or entry["statement"])
    if entry["paper"] and entry["ours"]:
        yield f"Ours: {unicode_text(entry['ours'])}"
    if entry["domain"]:
        yield f"For {unicode_text(entry['domain'])}."
    for name, choice in entry["reading"].items():
        yield f"Reading: {name}: {choice}."
    yield Text("")
    yield Text.assemble("Verdict: ", (entry["verdict"], STYLE[entry["verdict"]]))
    if entry["smaller_domain"]:
        yield f"It holds for {unicode_text(entry['smaller_domain'])}."
    if entry["severity"]:
        cause = f"; cause: {entry['cause']}" if entry["cause"] else ""
        yield f"Severity: {entry['severity']}{cause}"
    if not entry["as_recorded"]:
        yield Text(f"Recorded: {entry['recorded']['verdict']}", "bold red")
    yield from _evidence(entry)
    if entry["reason"]:
        yield unicode_text(entry["reason"])
    for number, step in numbered(entry["steps"]):
        failed = f" NOT ESTABLISHED: {step['not_established']}" if "not_established" in step else ""
        by = "BY HAND" if step["by"] == "hand" else step["by"]
        yield f"{'  ' * number.count('.')}{number} {unicode_text(step['text'])}  [{by}]{failed}"
    yield from _in_kernel(entry)
    for title, key in (("Values", "values"), ("Witness against it", "witness")):
        if entry[key]:
            yield Text("")
            yield Text(title, "bold")
            yield from _tree(entry[key], "  ", entry["decimals"] if key == "values" else {})
    if said := {name: unicode_text(formula) for name, formula in entry["compared"].items()}:
        yield f"  left is {said['left']}"
        yield f"  right is {said['right']}"
        yield f"  claimed is {said['claimed']}, which is false of these two numbers"
    yield from _nearest(entry)
    yield Text("")
    yield from _related(entry)


def _related(entry: Entry) -> Iterator[str]:
    """Yield the entries that an entry rests on or repairs, and its variants."""
    for title, key in (
        ("Rests on", "depends_on"),
        ("Taken from the literature", "cited"),
        ("Repairs", "repairs"),
        ("Repaired by", "repaired_by"),
    ):
        if entry[key]:
            yield f"{title}: {unicode_text(', '.join(entry[key]))}"
    for title, key in (
        ("False variants (`check --mutants` tries them)", "mutants"),
        ("Variants that must not be refuted (tried likewise)", "controls"),
    ):
        reads = {name: entry["variants_read"].get(name, "") for name in entry[key]}
        if any(reads.values()):  # a variant named after its parameters is shown with its changed words
            yield f"{title}:"
            yield from (f"  {unicode_text(f'{name}: {read}' if read else name)}" for name, read in reads.items())
        elif reads:
            yield f"{title}: {unicode_text(', '.join(reads))}"


def _evidence(entry: Entry) -> Iterator[str]:
    """Yield the grade of an entry's evidence with its method, and the refutation of a statement that fails."""
    if entry["evidence"]:
        count = f", {entry['instances']} instances" if entry["instances"] else ""
        effective = entry["effective_evidence"]
        below = f"; {effective} with all it rests on" if effective and effective != entry["evidence"] else ""
        by = entry["by"] or entry["refuted_by"]
        yield f"Evidence: {_graded(entry['evidence'])}{count}{below}. {by}".rstrip()
        if entry["by"] and (refuted := entry["refuted_by"]):
            witness = "" if refuted.startswith("a witness") else "a witness, and by "
            yield f"The whole is refuted by {witness}{refuted}"


def _graded(grade: str) -> str:
    """Return a grade; the kernel's says whether these sources were compiled on this machine."""
    return kernel_word() if grade == Grade.KERNEL.value else grade


def _in_kernel(entry: Entry) -> Iterator[str | Text]:
    """Yield, as the kernel printed them, its theorems that establish an entry or a step of the entry."""
    told = [each.get(key, "") for _, each in [("", entry), *numbered(entry["steps"])] for key in ("by", "refuted_by")]
    named = [part.removeprefix(NAMED_AS).split(", ") for by in told for part in by.split("; and ") if NAMED_AS in part]
    theorems = [theorem for theorem in record()["theorems"] if any(theorem["name"] in names for names in named)]
    if theorems:
        yield Text("")
        how = (
            f"Rocq {record()['rocq']} accepted these theorems; python -m proofs_checks kernel has it compile them anew"
        )
        yield f"In the {kernel_word()}. {how}."
    for theorem in theorems:
        yield Text(qualified(theorem), "bold")
        yield f"  {theorem['comment']}"
        yield from (Text(f"    {line}") for line in theorem["statement"].splitlines())


def _nearest(entry: Entry) -> Iterator[str | Text]:
    """Yield the nearest values of parameters for which the statement is false, or its verdict another."""
    if not entry["nearest_refuted"]:
        return
    yield Text("")
    nearest = "Nearest known to be false" if entry["verdict"] in _JUDGED else "The verdict is another"
    nearest += " (where the claim holds)" if entry["smaller_domain"] else ""
    for name, value in entry["nearest_refuted"].items():
        reads = unicode_text(entry["nearest_reads"][name])
        told = "" if reads == value else f": {reads}"
        yield f"{nearest}, with {value} in place of {flat_text(entry['parameters'][name])}{told}"
        point = flat_text(entry["nearest_at"].get(name, ""))
        if 0 < len(point) <= _LONGEST_POINT:
            yield f"  Witness: {point}"


def numbered(steps: Sequence[Mapping[str, Any]], before: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield steps with their numbers, each step followed by the steps within it: 1., 1.1., 1.2., 2."""
    for number, step in enumerate(steps, 1):
        yield f"{before}{number}.", step
        yield from numbered(step.get("steps", ()), f"{before}{number}.")


def _tree(content: Any, indent: str, decimals: Mapping[str, str]) -> Iterator[str]:
    """Yield the lines of named values; values within a value stand indented below its name.

    Examples
    --------
    >>> content = {"by": {"of": {"S": "1"}}, "rows": [{"S": 1}, ["x", [2]]], "of": {"enclosure": ["1", "2"]}}
    >>> print(*_tree(content, " ", {"of": "3"}), sep="|")
     by:|   of:|     S = 1| rows:|   S = 1|   [x, [2]]| of = between 1 and 2  (3)
    """
    for name, value in content.items():
        nested = isinstance(value, Mapping) and set(value) != {"enclosure"}
        if nested or (isinstance(value, list) and any(isinstance(each, Mapping) for each in value)):
            yield f"{indent}{name}:"
            for each in [value] if nested else value:
                within = f"{indent}  "
                yield from _tree(each, within, {}) if isinstance(each, Mapping) else [f"{within}{_line(each)}"]
        else:
            decimal = f"  ({decimals[name]})" if name in decimals else ""
            yield f"{indent}{name} = {_line(value)}{decimal}"


def _line(value: Any) -> str:
    return f"[{', '.join(map(_line, value))}]" if isinstance(value, list) else flat_text(value)


def print_causes(causes: Sequence[Mapping[str, Any]]) -> None:
    """Print the causes on one screen, and the number of causes of each severity."""
    out = console()
    for line in cause_lines(causes, out.width):
        out.print(line, soft_wrap=True)
    counts = Counter(cause["severity"] for cause in causes)
    told = ", ".join(f"{counts[each.value]} {each.value}" for each in Severity if counts[each.value])
    what = "causes by severity and consequence, each with its section and the number of entries it touches"
    out.print(f"\n{len(causes)} {what}: {told}")


def cause_lines(causes: Sequence[Mapping[str, Any]], width: int) -> Iterator[Text]:
    r"""Yield the lines of causes: severity, name, place, number of entries touched, title.

    Examples
    --------
    >>> slip = {"id": "typo", "severity": "slip", "place": "A.1", "entries": ["a"], "title": f"$x$ {'words ' * 6}"}
    >>> causes = [slip | {"id": "in-mind", "severity": "major", "entries": range(12)}, slip]
    >>> for width in (54, 55):
    ...     print(*(line.plain for line in cause_lines(causes, width)), sep="\n")
    major in-mind A.1 12
          x words words words words words words
    slip  typo A.1 1
          x words words words words words words
    major in-mind  A.1     12  x words words words words
                               words words
    slip  typo     A.1      1  x words words words words
                               words words
    """
    longest = max(len(cause["id"]) for cause in causes)
    beside = longest + 48 <= width
    for cause in causes:
        line = Text(cause["severity"].ljust(6), STYLE_OF_SEVERITY[cause["severity"]])
        name, place, touched = cause["id"], cause["place"], len(cause["entries"])
        line.append(f"{name:{longest}}  {place:7}{touched:>3}  " if beside else f"{name} {place} {touched}")
        indent = line.cell_len if beside else 6
        title = wrap(unicode_text(cause["title"]), width - indent)
        line.append(f"\n{' ' * indent}".join(title if beside else ["", *title]))
        yield line

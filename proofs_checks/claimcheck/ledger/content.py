"""The JSON object of an entry: its own finding, and the verdict and grade that follow from the entries it uses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from proofs_checks.claimcheck.evidence import Grade, StepTaken, weakest
from proofs_checks.claimcheck.ledger.book import Finding
from proofs_checks.claimcheck.ledger.entry import Entry
from proofs_checks.claimcheck.ledger.registry import Registry
from proofs_checks.claimcheck.plain import decimals, plain
from proofs_checks.claimcheck.statements import Relation, Statement
from proofs_checks.claimcheck.statements.relation import formula_latex
from proofs_checks.claimcheck.verdicts import Origin, Verdict
from theory import BanditError, rational

Content = dict[str, Any]

STANDING = (Verdict.HOLDS.value, Verdict.SMALLER_DOMAIN.value, Verdict.AGREES.value)


class CircleError(BanditError, ValueError):
    """Entries rest on each other in a circle."""


def own_content(entry: Entry, finding: Finding, seconds: float, nearest: Mapping[str, str]) -> Content:
    """Return an entry's own content; `resolved` adds the fields that depend on the entries that it uses."""
    statement, outcome = entry.statement, finding.outcome
    uses = (*(outcome.uses if outcome else ()), *finding.uses)
    survives = entry.survives.words(statement) if finding.verdict is Verdict.SMALLER_DOMAIN and entry.survives else ""
    return {
        "id": entry.id,
        "under": entry.under,
        "origin": entry.origin.value,
        "location": entry.place.content if entry.place else None,
        "section": entry.place.section if entry.place else "",
        "statement": statement.text,
        "paper": statement.paper_text if entry.origin is Origin.PRINTED else "",
        "ours": statement.own_text if entry.origin is Origin.PRINTED else statement.text,
        "latex": statement.formula_latex,
        "domain": statement.domain_latex,
        "parameters": plain(statement.parameters),
        "reading": dict(statement.reading),
        "verdict": finding.verdict.value,
        "evidence": finding.grade.value if finding.grade else None,
        "by": outcome.by if outcome else "",
        "recorded": {"verdict": entry.verdict.value, "grade": entry.recorded_grade and entry.recorded_grade.value},
        "cause": entry.cause or None,
        "smaller_domain": survives,
        "reason": finding.reason,
        "instances": outcome.instances if outcome else None,
        "steps": [_told(step) for step in (outcome.steps if outcome else ())],
        "depends_on": list(dict.fromkeys(uses)),
        "values": plain(finding.values),
        "decimals": decimals(finding.values),
        "witness": plain(finding.witness),
        "compared": _compared(statement, finding.witness),
        "refuted_by": finding.refuted_by,
        "nearest_refuted": dict(nearest),
        "nearest_at": {},
        "nearest_reads": {name: nearest_reads(entry, name, value) for name, value in nearest.items()},
        "repairs": list(entry.repairs),
        "mutants": list(entry.mutants),
        "controls": list(entry.controls),
        "variants_read": {name: told for name, told in variants_read(entry) if told},
        "withdrawn": entry.withdrawn,
        "seconds": round(seconds, 3),
    }


def _compared(statement: Statement, witness: Mapping[str, Any]) -> dict[str, str]:
    """Return the two formulas that a witness evaluates, in the statement's letters, and the claimed relation."""
    relation = statement.compared_at(witness) if isinstance(statement, Relation) and "left" in witness else None
    if relation is None:
        return {}
    sides = {"left": relation.lhs, "right": relation.rhs, "claimed": relation}
    return {name: f"${formula_latex(formula)}$" for name, formula in sides.items()}


def nearest_reads(entry: Entry, name: str, value: str) -> str:
    """Return the formula or words of the nearest false variant that differ from the claim."""
    varied = entry.part.with_(**{name: rational(value)})
    return _changed(*(each.text.replace(varied.shown(name), value) for each in (entry.part, varied)))


def variants_read(entry: Entry) -> Iterator[tuple[str, str]]:
    """Yield each variant that is named after its parameters, with the formulas and words that they change."""
    for base, variants in ((entry.part, entry.mutants), (entry.statement, entry.controls)):
        for name, parameters in variants.items():
            if all(f"{each} = " in name for each in parameters):
                varied = base.with_(**parameters)
                yield name, _changed(base.text, varied.text) or _changed(base.domain_latex, varied.domain_latex)


def _changed(here: str, there: str) -> str:
    """Return the formulas and words of `there` that `here` lacks at the same place; a number, with words around it.

    Examples
    --------
    >>> _changed("at most $x$, and so on", "at most $2x$, and so on")
    '$2x$'
    >>> _changed("it is at most $2$ here, too", "it is at most $3$ here, too")
    'it is at most $3$ here, too'
    """
    before, after = _FORMULA.split(here), _FORMULA.split(there)
    changed: dict[str, None] = {}
    for place, (this, that) in enumerate(zip_longest(before, after, fillvalue="")):
        if this != that and _NUMBER.fullmatch(that):
            front, back = after[place - 1].split(" ")[-_WORDS:], after[place + 1].split(" ")[:_WORDS]
            changed[f"{' '.join(front)}{that}{' '.join(back)}".strip()] = None
        elif this != that and that:
            changed[that] = None
    return " \u2026 ".join(changed)


_FORMULA = re.compile(r"(\$[^$]*\$)")
_NUMBER = re.compile(r"\$[^\\A-Za-z<=>]*\$")
_WORDS = 6
"""Number of words shown on each side of a number that stands among words."""


def _has_recorded_grade(entry: Entry, done: Mapping[str, Any]) -> bool:
    """Return whether the grade is the recorded one, and the entry's refutation, if it names one, succeeded."""
    wanted = entry.recorded_grade
    refuted = entry.refutation is None or bool(done["refuted_by"])
    return (wanted is None or done["evidence"] == wanted.value) and refuted


def failed_content(entry: Entry, error: str) -> Content:
    """Return the content of an entry whose check stopped with this error."""
    empty = own_content(entry, Finding(Verdict.UNDECIDED, None, None), 0.0, {})
    return {**empty, "verdict": "error", "reason": error}


def _told(step: StepTaken) -> Content:
    failed = {} if step.established else {"not_established": step.why}
    within = {"steps": [_told(each) for each in step.within]} if step.within else {}
    return {"text": step.text, "by": step.by} | failed | within


def hands(content: Mapping[str, Any]) -> int:
    """Return the number of an entry's steps that are by hand, nested steps included."""
    return sum((step["by"] == "hand") + hands(step) for step in content.get("steps", ()))


def resolved(contents: Mapping[str, Content], registry: Registry) -> Iterator[Content]:
    """Yield the contents with the grade and verdict that follow from the entries that each rests on."""
    for claim_id, content in contents.items():
        below = foundations(claim_id, contents)
        fallen = [each for each in below if contents[each]["verdict"] not in STANDING]
        done = dict(content)
        if fallen and content["verdict"] in (*STANDING, Verdict.FAILS.value):
            done["verdict"] = Verdict.UNDECIDED.value
            done["reason"] = f"an entry that it rests on does not stand: {', '.join(fallen)}"
        grades = [Grade(contents[each]["evidence"]) for each in (claim_id, *below) if contents[each]["evidence"]]
        entry = registry[claim_id]
        done |= {
            "severity": entry.severity and entry.severity.value,
            "effective_evidence": weakest(grades).value if content["evidence"] and not fallen else None,
            "foundations": below,
            "cited": [each for each in below if contents[each]["evidence"] == Grade.CITED.value],
            "by_hand": hands(content),
            "by_hand_below": hands(content) + sum(hands(contents[each]) for each in below),
            "stands_throughout": done["verdict"] in STANDING,
            "repaired_by": registry.repairs_of(claim_id),
            "as_recorded": done["verdict"] == entry.verdict.value and _has_recorded_grade(entry, done),
            "different_readings": _differences(claim_id, contents, registry),
        }
        yield done


def foundations(claim_id: str, contents: Mapping[str, Content]) -> list[str]:
    """Return the ids of all entries that an entry rests on, directly or not."""
    found: dict[str, None] = {}

    def follow(current: str, path: Sequence[str]) -> None:
        for other in contents[current]["depends_on"]:
            if other in path:
                raise CircleError(f"entries rest on each other in a circle: {' -> '.join((*path, other))}")
            if other not in found:
                found[other] = None
                follow(other, (*path, other))

    follow(claim_id, (claim_id,))
    return list(found)


def _differences(claim_id: str, contents: Mapping[str, Content], registry: Registry) -> list[str]:
    """Return the conventions that an entry reads in another way than one that it uses, or leaves open."""
    mine = registry[claim_id].statement.reading
    return [
        f"{other}: {name} is {choice}, here {mine.get(name, 'open')}"
        for other in contents[claim_id]["depends_on"]
        for name, choice in contents[other]["reading"].items()
        if mine.get(name) != choice
    ]

"""The JSON of an entry satisfies its schema."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proofs_checks.claimcheck import ledger
from tests import command_line

SCHEMA = json.loads(Path(ledger.__file__).with_name("entry.schema.json").read_text(encoding="utf-8"))
TYPES = {
    "string": str, "integer": int, "number": (int, float), "boolean": bool, "array": list, "object": dict,
    "null": type(None),
}  # fmt: skip


def problems(value, schema, place="entry"):
    """Yield the violations of the schema; covers the part of JSON Schema that this schema uses."""
    known = "$schema title description type enum properties required additionalProperties items"
    assert set(schema) <= set(known.split())
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if not any(
        isinstance(value, TYPES[kind]) and not (isinstance(value, bool) and kind != "boolean") for kind in kinds
    ):
        yield f"{place} is {value!r}"
    if value not in schema.get("enum", [value]):
        yield f"{place} is {value!r}"
    if isinstance(value, dict):
        known = schema.get("properties", {})
        yield from (f"{place} lacks {name}" for name in schema.get("required", ()) if name not in value)
        for name, each in value.items():
            if name in known:
                yield from problems(each, known[name], f"{place}.{name}")
            elif schema.get("additionalProperties") is False:
                yield f"{place} has {name}"
    if isinstance(value, list) and "items" in schema:
        for each in value:
            yield from problems(each, schema["items"], f"{place}[]")


def test_every_entry_satisfies_the_schema(ledger):
    assert [problem for entry in ledger for problem in problems(entry, SCHEMA, entry["id"])] == []


def test_json_of_show_and_check_satisfies_the_schema():
    shown = json.loads(command_line.run("proofs_checks", "show", "thm:no_OFU/value-M1", "--json").stdout)
    checked = json.loads(command_line.run("proofs_checks", "check", "eq:tau", "--mutants", "--json").stdout)["claims"]
    assert [problem for entry in (shown, *checked) for problem in problems(entry, SCHEMA)] == []
    assert "variants" in checked[0]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"verdict": "true"}, "entry.verdict is 'true'"), ({"by_hand": True}, "entry.by_hand is True"),
        ({"steps": [{"text": "so"}]}, "entry.steps[] lacks by"), ({"colour": "red"}, "entry has colour"),
        ({"location": {"line": 3}}, "entry.location lacks section"),
    ],
)  # fmt: skip
def test_problems_reports_a_violation_of_the_schema(change, problem):
    entry = json.loads(command_line.run("proofs_checks", "show", "eq:tau", "--json").stdout)
    assert problem in list(problems(entry | change, SCHEMA))

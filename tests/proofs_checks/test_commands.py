"""``python -m proofs_checks`` as a person meets it."""

from __future__ import annotations

import json

import pytest

from proofs_checks.claims import registry
from proofs_checks.commands.app import _COMMANDS
from proofs_checks.commands.options import ORIGINS, SEVERITIES
from proofs_checks.ledger.entry import Origin, Severity
from proofs_checks.pages.terminal import _tree, ledger_lines
from tests import command_line

SOME = ("thm:no_OFU/value-pi2", "thm:no_OFU/value-M1")


def run(*arguments):
    return command_line.run("proofs_checks", *arguments)


def test_claims_as_json():
    done = run("check", *SOME, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    entries = json.loads(done.stdout)["claims"]
    assert [entry["id"] for entry in entries] == list(SOME)
    assert [entry["verdict"] for entry in entries] == ["holds", "fails"]
    assert entries[0]["values"]["value"] == "321/50"
    assert entries[1]["witness"]["value"] == "5163/800"
    assert entries[1]["location"]["equation"] == 40


def test_the_findings_do_not_depend_on_the_number_of_processes():
    def findings(jobs):
        entries = json.loads(run("check", *SOME, "--json", "--fresh", "--jobs", jobs).stdout)["claims"]
        return [{key: value for key, value in entry.items() if key != "seconds"} for entry in entries]

    assert findings("1") == findings("2")


def test_show_prints_the_witness():
    done = run("show", "thm:no_OFU/value-M1")
    assert done.returncode == 0
    assert "Evidence: exhaustive, 12 instances" in run("show", "fig:randomwalk/indices/repair").stdout
    parts = ("printed: Section C, equation (40)", "Verdict: fails", "value = 5163/800", "thm:no_OFU/value-M1/repair")
    for part in parts:
        assert part in done.stdout


def test_what_is_shown_again_is_the_same():
    assert run("show", "lem:sum/integral").stdout == run("show", "lem:sum/integral").stdout != ""
    assert run("show", "lem:sum/integral", "--json").stdout == run("show", "lem:sum/integral", "--json").stdout


def test_steps_by_hand_are_marked_and_numbered():
    done = run("show", "gittins-cost")
    assert "  3.2. unit steps of the margin" in done.stdout
    assert "[BY HAND]" in done.stdout
    assert "nearest values known to be false: c = 4.999995" in done.stdout


def test_mutants_can_be_run():
    done = run("check", SOME[0], "--mutants", "--json")
    assert done.returncode == 0
    (entry,) = json.loads(done.stdout)["claims"]
    assert entry["variants"]["printed = 6.43"] | {"why": ""} == {
        "kind": "mutant", "verdict": "fails", "as_it_should": True, "why": "",
    }  # fmt: skip


def test_one_line_an_entry_with_its_whole_id_at_any_width():
    entries = json.loads(run("check", "--under", "thm:no_OFU", "--json").stdout)["claims"]
    ids = registry().below("thm:no_OFU")
    for width in (80, 120, 200):
        lines = list(ledger_lines(entries, width))
        assert [line.plain.split(" ")[0] for line in lines] == ids
        assert all(line.cell_len <= max(width, 90) for line in lines)
    narrow = [line.plain.split("\n")[1] for line in ledger_lines(entries, 40)]
    severities = [(line, entry["severity"]) for line, entry in zip(narrow, entries, strict=True) if entry["severity"]]
    assert {line.index(severity) for line, severity in severities} == {12}  # one column, after verdicts of 9 letters
    printed = run("check", "--under", "thm:no_OFU").stdout.splitlines()
    assert [line.split(" ")[0] for line in printed if line.split(" ")[0] in ids] == ids  # each once: grep finds it


def test_the_filters_choose():
    def ids(*words):
        return [entry["id"] for entry in json.loads(run("check", *words, "--json").stdout)["claims"]]

    assert ids("--under", "lem:sum", "--fails") == ["lem:sum/reorder", "lem:sum/floor", "lem:sum/integral"]
    assert set(ids("--under", "lem:sum", "--cause", "integral-from-1")) == {"lem:sum/integral"}
    assert "lem:sum/integral/repair" in ids("--under", "lem:sum", "--origin", "ours")


def test_the_filters_know_every_origin_and_severity():
    assert tuple(each.value for each in Origin) == ORIGINS
    assert tuple(each.value for each in Severity) == SEVERITIES


def test_programs_in_the_help_keep_their_lines():
    assert "\n      def half(S, n, K, t, N, beta):\n" in run("properties", "--help").stdout
    assert "\n      python -m proofs_checks soak --models 1000 --jobs 2 --json\n" in run("soak", "--help").stdout
    assert not any("\\b" in run(each, "--help").stdout for each in _COMMANDS)


def test_headings_do_not_repeat():
    lines = run("check", "--under", "thm:no_OFU").stdout.splitlines()
    headings = [line for line in lines if line.startswith("Section ")]
    assert len(headings) == len(set(headings)) >= 2


@pytest.mark.parametrize("columns", [40, 80, 160])
def test_causes_are_a_line_each_and_fit_a_narrower_terminal(columns, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(columns))
    listed = run("causes").stdout.splitlines()
    causes = json.loads(run("causes", "--json").stdout)["causes"]
    begun = [line.split()[1] for line in listed[: listed.index("")] if line[0] != " "]
    assert begun == [cause["id"] for cause in causes]
    assert max(map(len, listed)) <= columns
    assert columns < 160 or len(listed) == len(causes) + 2


def test_bad_arguments_are_refused_in_one_line():
    for arguments, part in [
        (("check",), "name claims, or choose some by --section"),
        (("check", "--under", "lem:som"), "no claim is called 'lem:som'; the nearest are lem:sum"),
        (("show", "theorem2"), "no claim is called 'theorem2'; the nearest are thm:lower_bound"),
        (("report",), "Missing argument"),
    ]:
        done = run(*arguments)
        assert done.returncode == 2
        assert done.stderr.startswith("error: ")
        assert part in done.stderr
        assert done.stderr.count("\n") == 1


def test_values_within_values_stand_below_them():
    content = {"mean": {"ours": "3", "by": {"S": "1"}}, "rows": [{"S": 1}, "x"], "of": {"enclosure": ["1", "2"]}}
    told = "| mean:|   ours = 3|   by:|     S = 1| rows:|   S = 1|   x| of = between 1 and 2"
    assert "".join(f"|{line}" for line in _tree(content, " ", {}, 80)) == told

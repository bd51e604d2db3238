"""``python -m proofs_checks`` as a person meets it."""

from __future__ import annotations

import json
import subprocess
import sys

SOME = ("thm:no_OFU/value-pi2", "thm:no_OFU/value-M1")


def run(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "proofs_checks", *arguments], capture_output=True, text=True, check=False
    )


def test_claims_as_json():
    done = run("check", *SOME, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    entries = json.loads(done.stdout)["claims"]
    assert [entry["id"] for entry in entries] == list(SOME)
    assert [entry["verdict"] for entry in entries] == ["holds", "fails"]
    needed = {
        "id",
        "section",
        "statement",
        "verdict",
        "evidence",
        "domain",
        "depends_on",
        "values",
        "witness",
        "seconds",
    }
    assert needed <= set(entries[0])
    assert entries[0]["values"]["value"] == "321/50"
    assert entries[1]["witness"]["value"] == "5163/800"


def test_the_findings_do_not_depend_on_the_number_of_processes():
    def findings(jobs):
        entries = json.loads(run("check", *SOME, "--json", "--jobs", jobs).stdout)["claims"]
        return [{key: value for key, value in entry.items() if key != "seconds"} for entry in entries]

    assert findings("1") == findings("2")


def test_show_prints_the_witness():
    done = run("show", "thm:no_OFU/value-M1")
    assert done.returncode == 0
    for part in ("Verdict: fails", "value = 5163/800", "[2/5, 3/5, 0]", "thm:no_OFU/value-M1/repair"):
        assert part in done.stdout


def test_mutants_can_be_run():
    done = run("check", SOME[0], "--mutants")
    assert done.returncode == 0
    assert "mutant 6.43: fails, as it should" in done.stdout


def test_bad_arguments_are_refused_in_one_line():
    for arguments, part in [
        (
            ("show", "thm:no_OFU/value-M3"),
            "no claim is called 'thm:no_OFU/value-M3'; the nearest are thm:no_OFU/value-M",
        ),
        (("check",), "Missing argument"),
        (("check", SOME[0], "--jobs", "-1"), "Invalid value for '--jobs': -1 is not in the range"),
        (("report",), "Missing argument"),
    ]:
        done = run(*arguments)
        assert done.returncode == 2
        assert done.stderr.startswith("error: ")
        assert part in done.stderr
        assert done.stderr.count("\n") == 1


def test_the_report_is_one_page_that_needs_nothing_else(tmp_path):
    from proofs_checks.report import write_report

    entries = json.loads(run("check", *SOME, "--json").stdout)["claims"]
    page = write_report(tmp_path / "made", entries)
    text = page.read_text(encoding="utf-8")
    for part in ("thm:no_OFU/value-M1", "5163/800", "thm:no_OFU/value-M1/repair"):
        assert part in text
    assert "http" not in text
    assert json.loads((tmp_path / "made" / "ledger.json").read_text(encoding="utf-8"))["claims"] == entries
    write_report(tmp_path / "made", entries)  # a report may be written again


def test_the_report_overwrites_nothing_foreign(tmp_path):
    (tmp_path / "index.html").write_text("my own page", encoding="utf-8")
    done = run("report", str(tmp_path))
    assert done.returncode == 2
    assert "is not a report of the ledger; choose another folder" in done.stderr
    assert (tmp_path / "index.html").read_text(encoding="utf-8") == "my own page"

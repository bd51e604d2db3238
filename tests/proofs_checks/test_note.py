"""The note on the sharper bounds: its numbers come from the ledger, and LaTeX compiles it."""

import os
import re
import shutil

import pytest
from click.testing import CliRunner

from proofs_checks.commands import page
from proofs_checks.paper import registry
from proofs_checks.paper.recorded import VARIANCES, recorded_run
from proofs_checks.report import note
from proofs_checks.report.note import ENTRIES, LEARNERS, SCENARIOS, NoteError, constants, note_text, write_note
from theory import ModelError


def judged(verdict="holds", grade="kernel"):
    return [{"id": each, "verdict": verdict, "effective_evidence": grade} for each in ENTRIES]


def test_note_prints_the_constants_of_the_statements():
    text = note_text(judged(), constants(registry()) | {"c": 123, "corollary": 4567})
    assert text.count("123B^{3/2}") + text.count("123 \\,B^{3/2}") == 2
    assert text.count("4567}B\\sqrt{SnK}") == 2
    assert "<<" not in text
    assert ">>" not in text


@pytest.mark.parametrize("grade", ["argued", None])
def test_note_lists_every_entry_with_verdict_and_grade(grade):
    text = note_text(judged("undecided", grade), constants(registry()))
    for each in ENTRIES:
        assert re.search(rf"\\entry\{{{re.escape(each)}\}} & .* & undecided & {grade or ''}\\", text)


def test_note_tables_print_measured_and_computed_values():
    text = note_text(judged(), constants(registry()))
    for name, told in LEARNERS.items():
        means = []
        for scenario in SCENARIOS:
            regrets = [each[-1] for each in recorded_run(scenario, VARIANCES).agents[name].regret]
            means.append(rf"{sum(regrets) / len(regrets):.4g} \[[\d.]+, [\d.]+\]")
        assert re.search(rf"{told} & {' & '.join(means)}\\", text), means
    assert r"$1$ & $2$ & $0$ & $2$ & $1/4$ & $0.218$ & $1.96$\\" in text  # 7/32, and 18 times that over 2
    assert r"$2$ & $2$ & $2$ & $1{,}410$ & $7.53$ & $0.0326$ & $0.000478$ & $12{,}407{,}241$ & at none\\" in text
    assert r"$0.00974$ & $5{,}200{,}238{,}648$ & $10^{26}$\\" in text  # S = 4, n = 3, B = 100, and K = 10^12
    other = note_text(judged(), constants(registry()) | {"motionless": 9})
    assert r"$1/4$ & $0.218$ & $0.98$\\" in other


def test_note_states_whether_the_local_variance_is_in_the_kernel():
    assert "kernel has\n(\\entry{beyond:local-variance})" in note_text(judged(), constants(registry()))
    assert "argument that is not in the kernel" in note_text(judged(grade="tested"), constants(registry()))


def test_note_without_latex_writes_the_source(tmp_path, monkeypatch):
    drawn = []  # the PDFs that LaTeX includes are drawn where it compiles the note
    monkeypatch.setattr(note, "draw_picture", lambda *picture: drawn.append(picture))
    monkeypatch.setattr(shutil, "which", lambda _: None)
    written = write_note(tmp_path / "note", judged(), constants(registry()))
    assert written.name == "sharper.tex"
    assert drawn == [(name, tmp_path / "note" / f"{name}.pdf") for name in ("bounds", "learners")]
    monkeypatch.setattr(page, "run_entries", lambda ids, jobs: judged() if (ids, jobs) == (list(ENTRIES), 3) else [])
    result = CliRunner().invoke(page.note, [str(tmp_path / "other"), "--jobs", "3"])
    assert result.output == f"{tmp_path / 'other' / 'sharper.tex'}\n"


def test_latex_error_names_the_log(tmp_path, monkeypatch):
    refusing = tmp_path / "pdflatex"
    refusing.write_text('#!/bin/sh\necho "$*" >> asked\n[ $(wc -l < asked) = 1 ]\n')
    refusing.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    monkeypatch.setattr(note, "draw_picture", lambda name, path: None)
    with pytest.raises(NoteError, match=r"LaTeX refuses it; see .*sharper\.log"):
        write_note(tmp_path, judged(), constants(registry()))
    assert (tmp_path / "asked").read_text().splitlines() == ["-interaction=nonstopmode -halt-on-error sharper.tex"] * 2


def test_write_note_refuses_a_file_as_folder(tmp_path):
    (tmp_path / "taken").write_text("")
    with pytest.raises(ModelError, match="is a file; give a folder"):
        write_note(tmp_path / "taken", judged(), constants(registry()))


@pytest.mark.system
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="LaTeX is not installed")
def test_latex_compiles_the_note_without_overfull_boxes(tmp_path):
    written = write_note(tmp_path, judged(), constants(registry()))
    assert written.read_bytes().startswith(b"%PDF")
    assert "Overfull" not in (tmp_path / "sharper.log").read_text(errors="replace")

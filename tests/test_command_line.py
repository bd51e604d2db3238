"""Common behaviour of the three command lines: versions, completion, errors as JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests import command_line
from theory.terminal.console import PROJECT, version_text

PROGRAMS = tuple(command_line.MAINS)


@pytest.mark.parametrize("program", PROGRAMS)
def test_each_program_prints_its_version(program):
    done = command_line.run(program, "--version")
    assert (done.returncode, done.stdout) == (0, f"{PROJECT} {version_text()}\n")


@pytest.mark.parametrize(
    ("program", "begun", "one"),
    [("theory", "in", "indices"), ("mbrl", "r", "run"), ("proofs_checks", "con", "conform")],
)
def test_shell_completion_offers_matching_commands(monkeypatch, program, begun, one):
    monkeypatch.setenv("___MAIN___PY_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"program {begun}")
    monkeypatch.setenv("COMP_CWORD", "1")
    done = command_line.run(program)
    assert f"plain,{one}" in done.stdout.split("\n")
    assert all(line.removeprefix("plain,").startswith(begun) for line in done.stdout.split())


@pytest.mark.parametrize(
    "words",
    [
        ("theory", "indices", "nowhere.json", "--json"), ("mbrl", "table", "nowhere", "--json"),
        ("proofs_checks", "replay", "nowhere", "--json"), ("proofs_checks", "show", "no:claim", "--json"),
        ("proofs_checks", "properties", "--replace", "bonus", "--json"),
        ("proofs_checks", "conform", "math:sin", "--json"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_json_option_also_prints_the_error_as_json(words):
    done = command_line.run(*words)
    assert done.returncode == 2
    assert done.stderr == f"error: {json.loads(done.stdout)['error']}\n"
    plain = command_line.run(*(word for word in words if word != "--json"))
    assert (plain.stdout, plain.stderr) == ("", done.stderr)


def test_interrupted_command_prints_one_json_object(tmp_path):
    mine = "def f(transitions, rewards, discount):\n    raise KeyboardInterrupt\n"
    (tmp_path / "mine.py").write_text(mine, encoding="utf-8")
    done = command_line.run("proofs_checks", "conform", "mine:f", "--kind", "gittins", "--json", folder=tmp_path)
    assert (done.returncode, done.stderr) == (
        130,
        "error: interrupted at one state, beta 0; --discounts-up-to X and --states-up-to N leave out cases\n",
    )
    assert json.loads(done.stdout)["interrupted"] is True


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_table_keeps_verdict_severity_and_grade_at_any_width(monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    claim = "thm:no_OFU/value-M1"
    claims = (claim, "thm:regret_upper_bound/main-text/unvisited")
    done = command_line.run("proofs_checks", "check", *claims, "--jobs", "1")
    lines = done.stdout.splitlines()
    first = next(number for number, line in enumerate(lines) if line.startswith(claim))
    row = " ".join(lines[first : first + 2]) if columns < 200 else lines[first]
    assert row.split()[:4] == [claim, "fails", "slip", "kernel"]
    table = lines[: next(number for number, line in enumerate(lines) if line == "1 printed: 1 fails")]
    assert all(len(line) <= columns for line in table if ":" in line[:20] and not line.startswith("Section"))
    assert done.stdout == "\n".join(map(str.rstrip, lines)) + "\n"


def test_interrupted_import_prints_one_line_and_exits_with_130(tmp_path):
    program = 'from theory.terminal.console import run_command_line\nrun_command_line("slow:group", "program")\n'
    slow = 'import os, signal\nexec("os.kill(os.getpid(), signal.SIGINT)\\nfor _ in range(10**6): pass")\n'
    (tmp_path / "program.py").write_text(program, encoding="utf-8")
    (tmp_path / "slow.py").write_text(slow, encoding="utf-8")
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (tmp_path, Path(__file__).parents[1])))}
    command = [sys.executable, "-m", "program"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "error: interrupted\n")

"""Every wrong input of `wrong_inputs` gives its error line."""

from __future__ import annotations

import io
import json
import shlex
import sys

import pytest

from tests.command_line import run
from tests.first_contact.wrong_inputs import COMMANDS, FILES, PREPARED, STATEMENTS, TABLES, UNPLAYABLE, model

BESIDE = {
    "placeless.json": model(initial=None),
    "expression.json": model(discount="exp(-1/100)"),
    "unplayable.py": UNPLAYABLE,
    "log.csv": "Machine,Before,After\nM1,good,worn\n",
}


def says(found, line):
    return found.startswith(line.removesuffix("...")) if line.endswith("...") else found == line


def check(done, line):
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("error: ")
    assert says(done.stderr.removeprefix("error: ").rstrip("\n"), line), done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_wrong_command_prints_its_error_line_and_writes_nothing(command, tmp_path):
    for name, text in BESIDE.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    check(run(*shlex.split(command), folder=tmp_path), COMMANDS[command])
    assert {path.name for path in tmp_path.iterdir()} - {"__pycache__"} == set(BESIDE)


@pytest.mark.parametrize("text", FILES, ids=lambda text: text[:80])
def test_wrong_model_file_prints_its_error_line(text):
    # latin-1, because some texts of the table are arbitrary bytes
    check(run("theory", "value", "-", stdin=text.encode("latin-1")), FILES[text])


@pytest.mark.parametrize("text", TABLES)
def test_wrong_table_prints_its_error_line(text, tmp_path):
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    done = run("theory", "import", "t.csv", "--discount", "0.9", folder=tmp_path)
    error = done.stderr.removeprefix("error: t.csv")
    check(done._replace(stderr="error: " + error.removeprefix(": ").removeprefix(", ")), TABLES[text])


EVALUATE = """
answers = {}
for statement in json.load(sys.stdin):
    try:
        answers[statement] = f"answered: {eval(statement)}"
    except BanditError as error:
        answers[statement] = str(error)
    except Exception as error:
        answers[statement] = f"{type(error).__name__}: {error}"
print(json.dumps(answers))
"""


def check_answers(printed):
    answers = json.loads(printed)
    assert {statement: line for statement, line in answers.items() if not says(line, STATEMENTS[statement])} == {}


def test_wrong_python_statements_raise_the_expected_error_line(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(json.dumps(list(STATEMENTS))))
    exec(PREPARED + EVALUATE, {})
    check_answers(capsys.readouterr().out)


@pytest.mark.system
def test_wrong_python_statements_raise_their_line_after_installation(newcomer):
    check_answers(newcomer.run("python", "-c", PREPARED + EVALUATE, stdin=json.dumps(list(STATEMENTS))).stdout)

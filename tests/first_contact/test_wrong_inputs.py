"""Every wrong input of the table is answered by its line, in the environment of the README's first command alone."""

from __future__ import annotations

import json
import shlex

import pytest

from tests.first_contact.wrong_inputs import COMMANDS, FILES, PREPARED, STATEMENTS, UNPLAYABLE, model

pytestmark = pytest.mark.system


def says(found, line):
    return found.startswith(line.removesuffix("...")) if line.endswith("...") else found == line


def check(done, line):
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("error: ")
    assert says(done.stderr.removeprefix("error: ").rstrip("\n"), line), done.stderr


def test_the_table_is_long_and_nothing_in_it_is_said_in_many_lines():
    lines = [*COMMANDS.values(), *FILES.values(), *STATEMENTS.values()]
    assert len(lines) >= 100
    assert all(line and "\n" not in line for line in lines)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_wrong_command(newcomer, command):
    newcomer.write("placeless.json", model(initial=None))
    newcomer.write("expression.json", model(discount="exp(-1/100)"))
    newcomer.write("unplayable.py", UNPLAYABLE)
    check(newcomer.module(*shlex.split(command)), COMMANDS[command])
    left = {path.name for path in newcomer.folder.iterdir()} - {"__pycache__"}
    assert left == {"placeless.json", "expression.json", "unplayable.py"}


@pytest.mark.parametrize("text", FILES, ids=lambda text: text[:80])
def test_a_wrong_file(newcomer, text):
    # latin-1 lets the table hold bytes that are no text
    check(newcomer.module("theory", "value", "-", stdin=text.encode("latin-1")), FILES[text])


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


def test_wrong_statements(newcomer):
    done = newcomer.run("python", "-c", PREPARED + EVALUATE, stdin=json.dumps(list(STATEMENTS)))
    answers = json.loads(done.stdout)
    assert {statement: line for statement, line in answers.items() if not says(line, STATEMENTS[statement])} == {}

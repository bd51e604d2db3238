"""The help of every command of the three programs in a pipe, and the types of their output options."""

from __future__ import annotations

import re
from importlib import import_module

import click
import pytest

from mbrl.agents.registry import AGENTS
from proofs_checks.commands.app import FOR_MAINTAINERS
from tests.command_line import run
from theory.terminal.console import OutputFile, OutputFolder, PictureFile

GROUPS = {
    "theory": import_module("theory.commands.app").theory,
    "mbrl": import_module("mbrl.commands.app").mbrl,
    "proofs_checks": import_module("proofs_checks.commands.app").ledger,
}
CONTEXT = click.Context(click.Command("all"))
COMMANDS = [(program, name) for program, group in GROUPS.items() for name in group.list_commands(CONTEXT)]
INPUT_PARAMETERS = {
    *((("mbrl", name), "directory") for name in ("table", "learning", "paper")),
    (("mbrl", "plot"), "directories"),
    *((("theory", "import"), name) for name in ("tables", "rewards")),
    (("proofs_checks", "check"), "own"),
    (("proofs_checks", "show"), "own"),
    (("proofs_checks", "kernel"), "certificates"),
    (("proofs_checks", "record"), "folders"),
    (("proofs_checks", "record-curve"), "folder"),
}
"""Parameters (of a command) that name input files and folders; all others name outputs."""


def help_text(monkeypatch, *words, columns=80):
    monkeypatch.setenv("COLUMNS", str(columns))
    done = run(*words, "--help")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("columns", [40, 60, 80])
@pytest.mark.parametrize("program", GROUPS)
def test_help_lists_every_command_within_the_terminal_width(monkeypatch, program, columns):
    listed, _, others = help_text(monkeypatch, program, columns=columns).split("Commands:\n")[1].partition("\n\n")
    hidden = FOR_MAINTAINERS if program == "proofs_checks" else ()
    assert re.findall(r"^  (\S+)", listed, re.M) == [
        name for name in GROUPS[program].list_commands(CONTEXT) if name not in hidden
    ]
    assert all(name in others for name in hidden)
    assert "..." not in listed
    assert max(map(len, listed.splitlines())) < columns


@pytest.mark.parametrize(("program", "name"), COMMANDS)
def test_help_breaks_no_line_after_a_hyphen(monkeypatch, program, name):
    text = help_text(monkeypatch, program, name)
    assert text.isascii()
    assert re.findall(" $", text, re.M) == []
    assert re.findall(r"\S*\w-$", text, re.M) == []


def test_help_of_run_shows_learner_names_that_exist(monkeypatch):
    text = help_text(monkeypatch, "mbrl", "run")
    (given,) = re.findall(r"^ +--agents (\S+)$", text, re.M)
    *ours, yours = given.split(",")
    assert {name.partition("/")[0] for name in ours} <= set(AGENTS)
    assert yours.startswith("mine:")
    for name in ("mb-ucrl2", "mb-ucbvi"):
        assert name in text


def test_every_output_option_has_a_checked_type():
    commands = {(program, name): GROUPS[program].get_command(CONTEXT, name) for program, name in COMMANDS}
    for command, parameter in ((command, each) for command, found in commands.items() for each in found.params):
        if (parameter.metavar or "").rstrip(".").rpartition("_")[2] not in ("FILE", "DIR", "FOLDER"):
            continue
        is_output = isinstance(parameter.type, (OutputFile, OutputFolder, PictureFile))
        assert is_output != ((command, parameter.name) in INPUT_PARAMETERS), (command, parameter.name)

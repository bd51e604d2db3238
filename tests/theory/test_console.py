"""Start, end and output of every command line, in this process with replaced streams."""

from __future__ import annotations

import os
import sys
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from unittest.mock import patch

import click
import pytest
from rich.console import Console

from tests.refusals import refusal
from tests.theory.test_commands import refused, run
from theory import model_text, paper_model
from theory.errors import ModelError, OutputError
from theory.terminal import console as terminal


def run_with_streams(words=("indices", "random-walk"), program="__main__.py", **streams):
    """Run a command of theory with some of the streams replaced, and return its exit code and stderr."""
    replaced = {"stdout": TextIOWrapper(BytesIO(), encoding="utf-8"), "stderr": StringIO()} | streams
    with patch.object(sys, "argv", [program, *words]), patch.multiple(sys, **replaced):
        with pytest.raises(SystemExit) as left:
            terminal.run_command_line("theory.commands.app:theory", "python -m theory")
        error = sys.stderr.getvalue() if isinstance(sys.stderr, StringIO) else None
        for name in (name for name, stream in streams.items() if stream is None):
            getattr(sys, name).close()  # the replacement
    return left.value.code, error


def test_usage_error_names_the_called_program_and_its_help():
    assert refused("value") == "Missing argument 'MODEL'. See python -m theory value --help."
    outcome = run_with_streams(["value"], program="bin/bandits")
    assert outcome == (2, "error: Missing argument 'MODEL'. See bandits value --help.\n")
    assert refused("frobnicate").startswith("No such command 'frobnicate'")


def test_program_without_a_command_prints_its_help():
    code, help_text = run_with_streams([])
    assert code == 2
    assert help_text.startswith("Usage: python -m theory [OPTIONS] COMMAND [ARGS]...\n\n  Exact computation")
    assert help_text.count("\n") > 10
    done = run("--help")
    assert (done.returncode, done.stdout) == (0, help_text)


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (KeyboardInterrupt(), 130, "interrupted"),
        (click.Abort(), 130, "interrupted"),
        (MemoryError(), 1, "out of memory"),
        (OutputError("x.png: cannot be written"), 1, "x.png: cannot be written"),
        (ModelError("a model\nof two lines"), 2, "a model of two lines"),
        (click.ClickException("it cannot be done"), 2, "it cannot be done"),
        (OSError(5, "Input/output error", "model.json"), 1, "model.json: Input/output error"),
        (OSError(5, "Input/output error"), 1, "the output cannot be written: Input/output error"),
        (OSError("no reason"), 1, "the output cannot be written: no reason"),
    ],
)
def test_errors_map_to_exit_code_and_one_line(monkeypatch, tmp_path, error, code, line):
    def begun(*_, **__):
        sys.stdout.write("begun")
        raise error

    monkeypatch.setattr("theory.commands.app.gittins_indices", begun)
    with open(tmp_path / "out", "w", encoding="utf-8") as out:
        assert run_with_streams(stdout=out) == (code, f"error: {line}\n")
    if isinstance(error, OSError):  # output that is buffered is discarded
        assert (tmp_path / "out").read_text() == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_full_disk_is_reported_in_one_line():
    with open("/dev/full", "w", encoding="utf-8") as full:  # closing it flushes, and must not fail
        code, error = run_with_streams(stdout=full)
    assert (code, error) == (1, "error: the output cannot be written: No space left on device\n")
    with open("/dev/full", "w", encoding="utf-8") as full:
        assert run_with_streams(["value"], stderr=full) == (2, None)


@pytest.mark.parametrize("words", [["indices", "random-walk"], ["indices", "random-walk", "--json"], ["--help"]])
def test_closed_pipe_ends_the_program_silently(words):
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "w", encoding="utf-8") as pipe:
        assert run_with_streams(words, stdout=pipe) == (1, "")


@pytest.mark.parametrize("width", range(24, 44))
def test_help_text_breaks_no_word_at_its_hyphen(width):
    text = "it names a well-known thing, or two well-known ones: non-empty, read-only, up-to-date"
    ways = {"write_text": [text], "write_dl": [[("--certificate", text)]], "write_usage": ["program", text]}
    for name, given in ways.items():
        help_text = terminal._UnbrokenHelp(width=width)
        getattr(help_text, name)(*given)
        assert [word for word in help_text.getvalue().split() if word in text.split()] == text.split()


def test_program_runs_with_closed_streams():
    assert run_with_streams(stdout=None) == (0, "")
    assert run_with_streams(["value"], stderr=None) == (2, None)


def test_unencodable_letters_are_written_as_escapes():
    model = model_text(paper_model("counterexample-m1")).replace("A1", "ŷ")
    out = TextIOWrapper(BytesIO(), encoding="ascii")
    stdin = TextIOWrapper(BytesIO(model.encode()), encoding="utf-8")
    assert run_with_streams(["indices", "-"], stdout=out, stdin=stdin) == (0, "")
    assert b"\\u0177" in out.buffer.getvalue()


@pytest.mark.parametrize(
    ("encoding", "written"), [("utf-8", "ŷ"), ("UTF8", "ŷ"), ("latin-1", "\\u0177"), ("ascii", "\\u0177")]
)
def test_json_escapes_only_unencodable_letters(monkeypatch, encoding, written):
    out = TextIOWrapper(BytesIO(), encoding=encoding)
    monkeypatch.setattr(sys, "stdout", out)
    terminal.print_json({"name": "ŷ", "numbers": [1, (0.5, float("nan"))], "inner": {"most": float("inf")}})
    out.flush()
    assert out.buffer.getvalue().decode(encoding) == (
        f'{{\n  "name": "{written}",\n  "numbers": [\n    1,\n    [\n      0.5,\n      null\n    ]\n  ],\n'
        '  "inner": {\n    "most": null\n  }\n}\n'
    )


def test_default_number_of_jobs_equals_available_cores(monkeypatch):
    assert terminal.number_of_jobs(3) == 3
    # 0 is this process
    monkeypatch.setattr(os, "sched_getaffinity", {0: {2, 3, 5}}.__getitem__, raising=False)
    assert terminal.number_of_jobs(None) == 3
    monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 7)
    assert terminal.number_of_jobs(None) == 7
    monkeypatch.setattr(os, "cpu_count", lambda: None)  # as Python says where it does not know
    assert terminal.number_of_jobs(None) == 1


class Terminal(StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(("columns", "in_a_pipe"), [("57", 57), ("", 120), ("wide", 120), ("0", 120)])
def test_console_width_follows_terminal_or_columns_variable(monkeypatch, columns, in_a_pipe):
    monkeypatch.setenv("COLUMNS", columns)
    widths = [(StringIO(), in_a_pipe), *([(Terminal(), 57)] if columns == "57" else [])]
    for stream, width in widths:
        monkeypatch.setattr(sys, "stdout", stream)
        assert terminal.console().width == width
        monkeypatch.setattr(sys, "stderr", stream)
        assert terminal.console(stderr=True).width == width


def test_piped_output_has_no_trailing_blanks(monkeypatch):
    out = StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    rows = terminal.table("name", "what it is")
    rows.add_row("a", "short")
    rows.add_row("b", "not quite so short")
    terminal.console().print(rows)
    assert out.getvalue() == "name  what it is\na     short\nb     not quite so short\n"


def test_console_writes_plain_stdout_and_styled_stderr(monkeypatch):
    out, err = Terminal(), Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    terminal.console().print("[bold]1/2 'x'")  # no colours for numbers and texts
    assert (out.getvalue(), err.getvalue()) == ("[bold]1/2 'x'\n", "")
    terminal.console(stderr=True).print("1/2", style="bold")
    assert err.getvalue() == "\x1b[1m1/2\x1b[0m\n"


def shown(rows, width):
    with StringIO() as stream:
        Console(file=stream, width=width).print(rows)
        return [line.rstrip() for line in stream.getvalue().splitlines()]


def test_table_has_no_rules_and_two_blanks_between_columns():
    rows = terminal.table("state", "discounted visits", title="a title")
    rows.add_row("a1s1", "1")
    rows.add_row("a1s2", "22")
    assert shown(rows, 40) == ["a title", "state  discounted visits", "a1s1   1", "a1s2   22"]
    assert shown(terminal.table("state"), 40) == ["state"]
    rows = terminal.table("agent", *"abc")
    rows.add_row("mine:Mine/rate=0.05", *["21749.2 [21747.1, 21751.3]"] * 3)
    assert "mine:Mine/rate=0.05  21749.2" in "".join(shown(rows, 80))


@pytest.mark.parametrize("width", [24, 38, 39, 40, 43, 60, 80, 120])
def test_table_keeps_numbers_whole_at_any_width(width):
    rows = terminal.table("state", "discounted visits", "exactly", title="visits")
    rows.add_row("a1s1", "0.2757363295", "43675147/158394605")
    rows.add_row("a1s2", "0.2894715468", "39204/135433")
    lines = shown(rows, width)
    words = {"visits", "a1s1", "0.2757363295", "43675147/158394605", "a1s2", "39204/135433"}
    assert words <= set(" ".join(lines).split())
    assert max(map(len, lines)) <= width
    assert any(line.startswith("exactly: ") for line in lines) == (width < 39)


def test_output_options_refuse_existing_or_empty_names(tmp_path):
    file, folder = tmp_path / "file.png", tmp_path / "folder"
    file.write_text("mine")
    folder.mkdir()
    (folder / "file").write_text("mine")
    option = click.Option(["--certificate", "-c"])
    assert terminal.OutputFile().convert(str(file), option, None) == file
    assert terminal.OutputFolder().convert(str(folder), option, None) == folder
    assert terminal.PictureFile().convert(str(file), option, None) == file
    for named, given, of, message in (
        (terminal.OutputFolder(new=True), folder, option, f"{folder}: exists already; give a new or empty folder"),
        (terminal.OutputFile(), "", option, "--certificate: an empty name; write that of a file"),
        (terminal.OutputFolder(), "", click.Argument(["out"]), "OUT: an empty name; write that of a folder"),
        (terminal.PictureFile(), "", None, "output: an empty name; write that of a file"),
    ):
        assert refusal(named.convert, given, of, None) == message


@pytest.mark.parametrize(
    ("cells", "width"),
    [(["1", "longer", ""], 120), (["1", "longer", ""], 20), (["1"], 28), (["1"], 29), (["a:x:b", "[bold]"], 120), (["\N{GREEK SMALL LETTER BETA}", "b"], 120)],
)  # fmt: skip
@pytest.mark.parametrize("title", ["", "all of them"])
def test_long_table_is_drawn_like_a_short_one(monkeypatch, cells, width, title):
    def drawn(least):
        monkeypatch.setattr("theory.terminal.console._LONG", least)
        rows = terminal.table("arm", "what is said of it", "a", "b", title=title)
        for k in range(15):
            rows.add_row(str(k), cells[k % len(cells)], "", "")
        out = StringIO()
        Console(file=out, width=width, markup=False, emoji=False, highlight=False).print(rows)
        return out.getvalue()

    assert drawn(15) == drawn(16)
    assert drawn(15).splitlines()[-1 if width > 20 else -2].strip()


@pytest.mark.parametrize("type_", [terminal.Whole(), terminal.WholeIn(min=1)])
def test_whole_numbers_may_be_written_with_an_exponent_or_underscores(type_):
    written = {"1e6": 10**6, "1E5": 10**5, "2.5e+3": 2500, "3_000": 3000, "9007199254740993e0": 2**53 + 1}
    assert {text: type_.convert(text, None, None) for text in written} == written
    for text in ("1.25e1", "1e999", "1.5", "3e-1", "1e", "", "3,000"):
        with pytest.raises(click.BadParameter, match="is not a valid integer"):
            type_.convert(text, None, None)

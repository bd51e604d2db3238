"""``python -m mbrl`` for the tests: in this process, or in one of its own."""

import subprocess
import sys
from pathlib import Path

from tests.command_line import run

PROJECT = Path(__file__).parents[2]
SMALL = ("--simulations", "3", "--episodes", "40", "--seed", "7")


def mbrl(*words, check=True):
    done = run("mbrl", *words)
    if check:
        assert done.returncode == 0, done.stderr
    return done


def refused(*words):
    done = mbrl(*words, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    # the first run may compile
    errors = [line for line in done.stderr.splitlines(keepends=True) if not line.startswith("compiling ")]
    assert [line[:7] for line in errors] == ["error: "]
    return errors[0]


def started(*words, **options):
    """Start a command in a process group of its own."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(
        [sys.executable, "-m", "mbrl", *map(str, words)], cwd=PROJECT, start_new_session=True, **(pipes | options)
    )


def content(folder):
    """Return what is in the files of a folder, by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}

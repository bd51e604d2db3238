"""``python -m mbrl`` for the tests: in this process, or in one of its own."""

import subprocess
import sys
import time
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
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "cwd": PROJECT}
    return subprocess.Popen(
        [sys.executable, "-m", "mbrl", *map(str, words)], start_new_session=True, **(pipes | options)
    )


def wait_until(holds, seconds=120):
    """Return what a function returns as soon as that is true."""
    end = time.monotonic() + seconds
    while not (answer := holds()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)
    return answer


def saved_rows(folder):
    return list((folder / "rows").rglob("*.rows"))


def content(folder):
    """Return what is in the files of a folder, by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}

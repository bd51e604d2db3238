"""Full disks, closed pipes and interruptions give one line, never a traceback; output fits narrow terminals."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import struct
import subprocess
import termios
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.system

PRINTING = [
    ["theory", "--help"], ["theory", "example", "random-walk"], ["theory", "indices", "random-walk"],
    ["theory", "value", "random-walk"], ["theory", "value", "random-walk", "--json"],
    ["theory", "optimism", "counterexample"], ["theory", "export", "counterexample-m1"], ["mbrl", "--help"],
    ["mbrl", "list"], ["proofs_checks", "show", "thm:no_OFU/radius"],
]  # fmt: skip
needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
needs_dev_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")


@needs_dev_full
@pytest.mark.parametrize("command", PRINTING, ids=" ".join)
def test_full_disk_is_reported_in_one_line(newcomer, command):
    with open("/dev/full", "w") as full:
        done = newcomer.module(*command, stdout=full)
    assert (done.returncode, done.stderr) == (1, "error: the output cannot be written: No space left on device\n")


@pytest.mark.parametrize("command", PRINTING[:5], ids=" ".join)
def test_closed_pipe_prints_no_error(newcomer, command):
    with subprocess.Popen(
        [newcomer.python, "-m", *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=newcomer.folder
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.parametrize(
    ("script", "module"),
    [("markov-bandits", "theory"), ("markov-bandits-learn", "mbrl"), ("markov-bandits-ledger", "proofs_checks")],
)
def test_installed_script_prints_the_help_of_its_module(newcomer, script, module):
    by_script, by_module = newcomer.run(script, "--help"), newcomer.module(module, "--help")
    assert by_script.returncode == 0
    assert by_script.stdout == by_module.stdout.replace(f"python -m {module}", script)


@needs_proc
@pytest.mark.parametrize(
    ("command", "seconds"),
    [
        (["theory", "value", "-"], None),
        (["mbrl", "run", "random-walk", "--out", "new", "--jobs", "1"], 0.7),
        (["mbrl", "run", "random-walk", "--out", "new", "--jobs", "1"], 6),
        (["proofs_checks", "--fresh"], 0.7),
    ],
    ids=["theory, reading", "mbrl, starting", "mbrl, running", "proofs_checks, starting"],
)
def test_interruption_is_reported_in_one_line(newcomer, command, seconds):
    with subprocess.Popen(
        [newcomer.python, "-m", *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=newcomer.folder,
        env=newcomer.environment(),
        start_new_session=True,
    ) as process:
        try:
            wait_until_it_has_computed(process, seconds)
            os.killpg(process.pid, signal.SIGINT)
            _, err = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    saved = "; what is finished is saved, and the same command goes on from there" if "mbrl" in command else ""
    assert [line for line in err.splitlines() if not line.startswith("compiling")] == [f"error: interrupted{saved}"]


def wait_until_it_has_computed(process, seconds):
    """Wait until the process has used so many seconds of CPU time, or waits for input."""
    ticks = os.sysconf("SC_CLK_TCK")
    asleep = 0
    last = time.monotonic() + 120
    while process.poll() is None:
        assert time.monotonic() < last, f"has not computed for {seconds} seconds in two minutes"
        fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        used = (int(fields[11]) + int(fields[12])) / ticks
        asleep = asleep + 1 if fields[0] == "S" else 0
        if (used >= seconds) if seconds is not None else (asleep > 100 and used > 0.02):  # asleep for a second
            return
        time.sleep(0.01)


@pytest.mark.parametrize("columns", [40, 80, 200])
@pytest.mark.parametrize("command", [["indices"], ["value"], ["optimism"]], ids=lambda words: words[0])
def test_output_fits_the_terminal_and_keeps_every_state(newcomer, command, columns):
    text = in_a_terminal([newcomer.python, "-m", "theory", *command, "counterexample-m1"], columns, newcomer)
    assert max(map(len, text.splitlines())) <= columns
    letters = "".join(text.split())
    for name in ("A1", "A2", "A3", "B1", "B2", "B3", "3.21"):
        assert name in letters
    value = {"indices": "42/13", "value": "5163/800", "optimism": "5163/800"}[command[0]]
    assert value in letters


def in_a_terminal(command, columns, newcomer):
    """Return what a command prints on a terminal with this number of columns, without colours."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    environment = {name: value for name, value in newcomer.environment().items() if name not in ("COLUMNS", "LINES")}
    with subprocess.Popen(
        command, stdout=theirs, stderr=theirs, cwd=newcomer.folder, env=environment | {"TERM": "xterm", "NO_COLOR": "1"}
    ):
        os.close(theirs)
        parts = []
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # on Linux this is the end of the output
                part = b""
            if not part:
                break
            parts.append(part)
    os.close(ours)
    text = b"".join(parts).decode()
    for style in ("\x1b[1m", "\x1b[0m"):  # bold is no colour
        text = text.replace(style, "")
    return text

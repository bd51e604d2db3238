"""Workers end with the process that started them, however it ends. Each case is a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

PROGRAM = """
import os, sys, time
from pathlib import Path
from theory.errors import BanditError
from theory.workers import in_parallel

FOLDER = Path(sys.argv[1])

def sleeping(task):
    (FOLDER / f"{os.getpid()}.pid").touch()
    time.sleep(60)

def failing(task):
    (FOLDER / f"{os.getpid()}.pid").touch()
    if task == 1:
        raise ZeroDivisionError("task 1")
    time.sleep(0 if task == 0 else 60)
    return 10 * task

def dying(task):
    if task == 1:
        os.kill(os.getpid(), 9)
    return 10 * task

if __name__ == "__main__":
    what = {"sleeping": sleeping, "failing": failing, "dying": dying}[sys.argv[2]]
    try:
        for task, result in in_parallel(what, range(4), jobs=2):
            print(task, result, flush=True)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    except (BanditError, ZeroDivisionError) as error:
        print(error, flush=True)
"""


@pytest.fixture
def start(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    started = []

    def start_program(what):
        started.append(
            subprocess.Popen(
                [sys.executable, tmp_path / "program.py", tmp_path, what],
                cwd=ROOT,
                env=os.environ | {"PYTHONPATH": str(ROOT)},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        )
        return started[-1]

    yield start_program
    for process in started:
        process.kill()
        process.communicate()


def eventually(condition, seconds=20):
    until = time.monotonic() + seconds
    while not condition() and time.monotonic() < until:
        time.sleep(0.02)
    return condition()


def workers(folder):
    return [int(path.stem) for path in folder.glob("*.pid")]


def lives(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"  # an orphan may wait for somebody to take note of its end


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")


@needs_proc
def test_workers_end_when_the_parent_is_killed(start, tmp_path):
    process = start("sleeping")
    assert eventually(lambda: len(workers(tmp_path)) == 2)
    assert all(map(lives, workers(tmp_path)))
    process.kill()
    assert eventually(lambda: not any(map(lives, workers(tmp_path))))


@needs_proc
def test_workers_end_in_silence_when_everyone_is_interrupted(start, tmp_path):
    process = start("sleeping")
    assert eventually(lambda: len(workers(tmp_path)) == 2)
    os.killpg(process.pid, signal.SIGINT)  # what a terminal does on Ctrl-C
    out, err = process.communicate(timeout=20)
    assert (out, err) == ("interrupted\n", "")
    assert eventually(lambda: not any(map(lives, workers(tmp_path))))


@needs_proc
def test_an_error_keeps_what_was_done_and_ends_the_others(start, tmp_path):
    out, _ = start("failing").communicate(timeout=50)  # not the minute that the other tasks would take
    assert out.splitlines() == ["0 0", "task 1"]
    assert eventually(lambda: not any(map(lives, workers(tmp_path))))


def test_a_worker_that_is_killed_is_one_line(start):
    out, err = start("dying").communicate(timeout=50)
    assert "a worker process ended before its task was done" in out.splitlines()[-1]
    assert err == ""

"""Worker processes: their end with the parent process, errors, interrupts and restored signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from unittest.mock import Mock

import pytest

import mbrl
from theory import BanditError
from theory.terminal import workers as workers_module
from theory.terminal.workers import WorkerLostError, in_parallel

ROOT = Path(__file__).parents[2]

PROGRAM = """
import os, signal, sys, threading, time
from multiprocessing import resource_tracker, util
from pathlib import Path
from unittest.mock import Mock
from theory.errors import BanditError
from theory.terminal.workers import in_parallel

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

def interrupted_between(path, arguments, fds, start=util.spawnv_passfds):
    pid = start(path, arguments, fds)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.2)  # the worker runs, and has not been told what to do
    return pid

if __name__ == "__main__":
    what = {"sleeping": sleeping, "failing": failing, "dying": dying}.get(sys.argv[2], sleeping)
    if sys.argv[2] == "interrupted":
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()  # it can take what the main one blocks
        resource_tracker.ensure_running()
        util.spawnv_passfds = interrupted_between
    try:
        for task, result in in_parallel(what, range(4), jobs=2, forked="forked" in sys.argv):
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

    def start_program(*what):
        started.append(
            subprocess.Popen(
                [sys.executable, tmp_path / "program.py", tmp_path, *what],
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


def is_alive(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"  # an orphan may be a zombie until it is reaped


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")


@needs_proc
@pytest.mark.parametrize("how", [[], ["forked"]])
@pytest.mark.parametrize(("sent", "told"), [(signal.SIGKILL, ""), (signal.SIGINT, "interrupted\n")])
def test_workers_end_silently_if_their_parent_is_killed_or_interrupted(start, tmp_path, sent, told, how):
    process = start("sleeping", *how)
    assert eventually(lambda: len(workers(tmp_path)) == 2)
    assert all(map(is_alive, workers(tmp_path)))
    if sent == signal.SIGKILL:
        process.kill()
    else:
        os.killpg(process.pid, sent)  # what a terminal does on Ctrl-C
    assert process.communicate(timeout=20) == (told, "")
    assert eventually(lambda: not any(map(is_alive, workers(tmp_path))))


def test_interrupt_during_worker_start_prints_nothing(start, tmp_path):
    out, err = start("interrupted").communicate(timeout=20)
    assert (out, err) == ("interrupted\n", "")


@needs_proc
def test_error_in_a_task_keeps_results_and_ends_other_workers(start, tmp_path):
    out, _ = start("failing").communicate(timeout=50)  # less than the minute of the other tasks
    assert out.splitlines() == ["0 0", "task 1"]
    assert eventually(lambda: not any(map(is_alive, workers(tmp_path))))


def test_killed_worker_is_reported_in_one_line(start):
    out, err = start("dying").communicate(timeout=50)
    assert "a worker process ended before its task was done" in out.splitlines()[-1]
    assert err == ""


@pytest.mark.parametrize(("tasks", "jobs"), [([3, -2], 1), ([-2], 2), ([], 2)])
def test_single_job_or_task_runs_in_this_process(tasks, jobs):
    prepared = []
    # a lambda, which cannot be sent to another process
    found = list(in_parallel(lambda task: (task, os.getpid()), tasks, jobs, lambda: prepared.append(os.getpid())))
    assert found == [(task, (task, os.getpid())) for task in tasks]
    assert prepared == ([os.getpid()] if tasks else [])  # once, and only if there is a task


def test_two_processes_restore_environment_and_signals(monkeypatch):
    monkeypatch.setenv("PYTHONWARNINGS", "ignore:mine")
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    assert sorted(in_parallel(abs, [3, -2, 0], 2)) == [(-2, 2), (0, 0), (3, 3)]
    assert os.environ["PYTHONWARNINGS"] == "ignore:mine"
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == before


@pytest.mark.parametrize(
    ("platform", "threads", "how"), [("linux", 1, "fork"), ("linux", 2, "spawn"), ("darwin", 1, "spawn")]
)
def test_processes_are_forked_only_on_linux_with_one_thread(monkeypatch, platform, threads, how):
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(threading, "active_count", lambda: threads)
    context = Mock(side_effect=ZeroDivisionError)
    monkeypatch.setattr(workers_module, "get_context", context)
    with pytest.raises(ZeroDivisionError):
        list(in_parallel(abs, [1, 2], 2, forked=True))
    context.assert_called_once_with(how)


@pytest.mark.parametrize(("tasks", "jobs", "processes"), [(2, 3, 2), (3, 2, 2), (4, 4, 4)])
def test_number_of_processes_is_at_most_number_of_tasks(monkeypatch, tasks, jobs, processes):
    pool = Mock(side_effect=ZeroDivisionError)
    monkeypatch.setattr(workers_module, "ProcessPoolExecutor", pool)
    with pytest.raises(ZeroDivisionError):
        list(in_parallel(abs, range(tasks), jobs))
    assert pool.call_args.args[0] == processes


def test_unguarded_script_fails_with_one_explanation_and_standard_input_runs(tmp_path):
    program = "from theory.terminal.workers import in_parallel\nprint(sorted(in_parallel(abs, [3, -2, 0], 2)))\n"
    (tmp_path / "unguarded.py").write_text(program)
    asked = {"cwd": tmp_path, "env": os.environ | {"PYTHONPATH": str(ROOT)}, "capture_output": True, "text": True}
    failed = subprocess.run([sys.executable, "unguarded.py"], check=False, **asked)
    assert failed.stderr.count("Traceback") == 1
    assert failed.stderr.splitlines()[-1].endswith("put the run under if __name__ == '__main__': or give jobs=1")
    done = subprocess.run([sys.executable, "-"], check=True, input=program, **asked)
    assert (done.stdout, done.stderr) == ("[(-2, 2), (0, 0), (3, 3)]\n", "")


def test_run_within_a_worker_is_refused_before_the_parents_folder_is_touched(tmp_path, monkeypatch):
    monkeypatch.setattr("mbrl.experiments.runner.refuse_within_worker", Mock(side_effect=BanditError("a worker")))
    with pytest.raises(BanditError, match=r"^a worker$"):
        mbrl.run("random-walk", out=tmp_path / "run", agents=["random"], simulations=2, episodes=2, jobs=2)
    assert not (tmp_path / "run").exists()


def test_exit_code_that_another_thread_collects_is_asked_again():
    class Ended:
        pid, codes = 7, iter([None, None, workers_module._UNGUARDED])
        join = Mock()
        exitcode = property(lambda self: next(self.codes))

    assert "each worker imports the main script" in str(workers_module._loss([Ended()], {}, []))


def asks_for_workers(_):
    try:
        return list(in_parallel(abs, [1, 2], 2))
    except BanditError as error:
        return str(error)


def test_in_parallel_refuses_to_run_inside_a_pool_worker():
    with get_context("spawn").Pool(1) as pool:
        assert pool.map(asks_for_workers, [0]) == [
            "jobs: this process is itself a worker, and cannot start others: give jobs=1"
        ]


def ends_itself(task):
    return os._exit(7) if task == 2 else task


@pytest.mark.parametrize("handed_out", ["before", "after"])
def test_error_names_the_task_that_ends_its_process(handed_out, monkeypatch):
    """The last task is handed out before, or after, the second has ended its process."""
    submit = ProcessPoolExecutor.submit

    def late(pool, function, *work):
        while handed_out == "after" and work[1] == 2 and not pool._broken:
            time.sleep(0.01)
        return submit(pool, function, *work)

    monkeypatch.setattr(ProcessPoolExecutor, "submit", late)
    with pytest.raises(WorkerLostError) as caught:
        list(in_parallel(ends_itself, [1, 2, 3], 2))
    assert (list(caught.value.tasks), caught.value.exit_code) == ([2], 7)

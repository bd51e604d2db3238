"""Simulations on a Dask cluster: a real scheduler and real workers on the loopback, one of them killed."""

import json
import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.mbrl.command_line import PROJECT, mbrl, refused, saved_rows, started, wait_until

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra 'cluster'")

WORDS = ("run", "random-walk", "--simulations", 12, "--episodes", 400, "--seed", 5)
ENVIRONMENT = os.environ | {
    "PYTHONPATH": os.pathsep.join([str(PROJECT), *os.environ.get("PYTHONPATH", "").split(os.pathsep)])
}
LEARNER = """
from mbrl.agents.baselines import Uniform


class Mine(Uniform):
    pass
"""


def dask(*words, folder):
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
        cwd=folder,
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.fixture
def cluster(tmp_path):
    """Start a scheduler and two workers in a folder of their own; yield the address and the processes."""
    folder = tmp_path / "cluster"
    folder.mkdir()
    known = folder / "scheduler.json"
    scheduler = ("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(known))
    processes = [dask(*scheduler, folder=folder)]
    try:
        address = wait_until(lambda: address_in(known))
        worker = ("worker", address, "--no-nanny", "--nthreads", "1", "--no-dashboard", "--death-timeout", "60")
        processes += [dask(*worker, folder=folder) for _ in range(2)]
        yield address, processes
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def address_in(path):
    try:
        return json.loads(path.read_text())["address"]
    except (OSError, ValueError, KeyError):
        return None


def run_on(address, folder, agents):
    words = (*WORDS, "--agents", agents, "--out", folder, "--dask", address)
    return started(*words, cwd=folder.parent, env=ENVIRONMENT)


@pytest.mark.system
def test_run_with_a_killed_worker_equals_the_serial_run(cluster, tmp_path, monkeypatch):
    address, processes = cluster
    (tmp_path / "mine.py").write_text(LEARNER)  # the client sends it to the workers
    agents = "mb-psrl,mb-ucbvi,mine:Mine"
    with run_on(address, tmp_path / "distributed", agents) as process:
        wait_until(lambda: len(saved_rows(tmp_path / "distributed")) >= 6)
        os.kill(processes[1].pid, signal.SIGKILL)
        killed_at = len(saved_rows(tmp_path / "distributed"))
        output, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")
    assert killed_at < 36
    assert "36 simulations in" in output
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    mbrl(*WORDS, "--agents", agents, "--out", "serial", "--jobs", 1)
    assert Path("distributed/regret.nc").read_bytes() == Path("serial/regret.nc").read_bytes()


@pytest.mark.system
def test_run_resumes_after_the_scheduler_is_killed(cluster, tmp_path):
    address, processes = cluster
    with run_on(address, tmp_path / "lost", "mb-psrl") as process:
        wait_until(lambda: len(saved_rows(tmp_path / "lost")) >= 2)
        os.kill(processes[0].pid, signal.SIGKILL)
        output, errors = process.communicate(timeout=120)
    saved = len(saved_rows(tmp_path / "lost"))
    assert (process.returncode, output) == (2, ""), errors
    assert errors == (
        f"error: the Dask scheduler at {address} is gone; what is finished is saved, "
        "and the same command goes on from there\n"
    )
    again = mbrl(*WORDS, "--agents", "mb-psrl", "--out", tmp_path / "lost", "--jobs", 1).stdout
    assert f"{saved} of them saved by an earlier run" in again


def test_run_refuses_an_address_without_scheduler(tmp_path, monkeypatch):
    import distributed

    client, waits = distributed.Client, []
    monkeypatch.setattr(
        distributed, "Client", lambda address, timeout: waits.append(timeout) or client(address, timeout="1 s")
    )
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in refused(
        *WORDS, "--agents", "random", "--out", tmp_path / "new", "--dask", "tcp://127.0.0.1:9"
    )
    assert waits == ["10 s"]

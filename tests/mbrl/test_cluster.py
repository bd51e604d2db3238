"""Simulations on a Dask cluster: a real scheduler and real workers on the loopback, one of them killed."""

import os
import signal
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.mbrl.command_line import PROJECT, mbrl, refused

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="needs the extra 'cluster'")

WORDS = ("run", "random-walk", "--simulations", 12, "--episodes", 400, "--seed", 5)
LEARNER = """
from mbrl.agents.baselines import Uniform


class Mine(Uniform):
    pass
"""


def dask(*words, folder):
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_" + words[0], *words[1:]],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
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
        address = wait_for(lambda: address_in(known))
        worker = ("worker", address, "--no-nanny", "--nthreads", "1", "--no-dashboard", "--death-timeout", "60")
        processes += [dask(*worker, folder=folder) for _ in range(2)]
        yield address, processes
    finally:
        for process in processes:
            process.kill()
            process.communicate()


def address_in(path):
    import json

    try:
        return json.loads(path.read_text())["address"]
    except (OSError, ValueError, KeyError):
        return None


def wait_for(found, seconds=120):
    end = time.monotonic() + seconds
    while not (answer := found()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)
    return answer


def rows(folder):
    return list((folder / "rows").rglob("*.rows"))


def run_on(address, folder, tmp_path, agents):
    return subprocess.Popen(
        [sys.executable, "-m", "mbrl", *map(str, WORDS), "--agents", agents, "--out", folder, "--dask", address],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(PROJECT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.system
def test_run_with_a_killed_worker_equals_the_serial_run(cluster, tmp_path, monkeypatch):
    address, processes = cluster
    (tmp_path / "mine.py").write_text(LEARNER)  # the client sends it to the workers
    agents = "mb-psrl,mb-ucbvi,mine:Mine"
    with run_on(address, tmp_path / "distributed", tmp_path, agents) as process:
        wait_for(lambda: len(rows(tmp_path / "distributed")) >= 6)
        os.kill(processes[1].pid, signal.SIGKILL)
        killed_at = len(rows(tmp_path / "distributed"))
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
    with run_on(address, tmp_path / "lost", tmp_path, "mb-psrl") as process:
        wait_for(lambda: len(rows(tmp_path / "lost")) >= 2)
        os.kill(processes[0].pid, signal.SIGKILL)
        output, errors = process.communicate(timeout=120)
    saved = len(rows(tmp_path / "lost"))
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

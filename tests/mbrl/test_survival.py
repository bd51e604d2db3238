"""Runs that are killed, interrupted, run out of disk or find damaged files lose no finished simulation and repeat none.

With real processes. ``SURVIVAL_KILLS=20 pytest -m system tests/mbrl/test_survival.py`` kills twenty runs instead of three.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from mbrl.experiments.rows import Rows, pack, unpack
from mbrl.experiments.runner import run
from mbrl.experiments.scenarios import find_scenario
from mbrl.experiments.settings import make_settings
from tests.mbrl.command_line import PROJECT, mbrl, refused, saved_rows, started, wait_until
from tests.theory.test_workers import is_alive
from theory import BanditError

KILLS = int(os.environ.get("SURVIVAL_KILLS", "3"))
WORDS = ("run", "random-walk", "--agents", "mb-psrl,mb-ucbvi", "--simulations", 12, "--episodes", 300, "--seed", 5)
TOTAL = 24
INTERRUPTED = "error: interrupted; what is finished is saved, and the same command goes on from there\n"

needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
pytestmark = [pytest.mark.system, needs_proc]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed") / "run"
    mbrl(*WORDS, "--out", folder, "--jobs", 1)
    return folder


def children(parent):
    """Return the processes that `parent` has started, without those that have ended."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, of = entry.read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(of) == parent and state != "Z":
            found.append(int(entry.parent.name))
    return found


def finish(folder, undisturbed, saved):
    """Finish a run; assert that saved simulations are not recomputed and the bytes equal the undisturbed run's."""
    done = json.loads(mbrl(*WORDS, "--out", folder, "--jobs", 1, "--json").stdout)
    assert (done["resumed"], done["computed"]) == (saved, TOTAL - saved)
    assert (folder / "regret.nc").read_bytes() == (undisturbed / "regret.nc").read_bytes()
    assert not (folder / "rows").exists()
    assert not list(folder.rglob("*.part"))


def killed(folder, after):
    """Kill a run once `after` rows are saved; return its output and the number of saved rows."""
    with started(*WORDS, "--out", folder, "--jobs", 2) as process:
        wait_until(lambda: len(saved_rows(folder)) >= after and len(children(process.pid)) >= 2)
        workers = children(process.pid)
        os.kill(process.pid, signal.SIGKILL)
        output = process.communicate()
    wait_until(lambda: not any(map(is_alive, workers)), 20)
    return output, len(saved_rows(folder))


@pytest.mark.parametrize("attempt", range(KILLS))
def test_killed_run_leaves_no_process_and_resumes_to_the_same_bytes(attempt, undisturbed, tmp_path):
    after = random.Random(attempt).randrange(TOTAL - 4)
    for trial in range(5):
        folder = tmp_path / f"run-{trial}"
        output, saved = killed(folder, after)
        if saved < TOTAL:  # on a busy machine the run may finish before it is killed: try again
            break
    assert output == ("", "")
    assert after <= saved < TOTAL
    assert not (folder / "regret.nc").exists()
    assert "not complete" in refused("plot", folder)
    finish(folder, undisturbed, saved)


@pytest.mark.parametrize("seconds", [0.25, 0.6, 1.5])
def test_interrupt_at_the_start_prints_one_line(seconds, tmp_path):
    with started(*WORDS, "--out", tmp_path / "run", "--jobs", 2) as process:
        started_at = time.monotonic()
        wait_until(lambda: "mbrl" in Path(f"/proc/{process.pid}/cmdline").read_text())
        time.sleep(max(0.0, seconds - (time.monotonic() - started_at)))
        os.killpg(process.pid, signal.SIGINT)
        output = process.communicate()
    assert (process.returncode, *output) == (130, "", INTERRUPTED)


def test_interrupted_run_resumes_to_the_same_bytes(undisturbed, tmp_path):
    with started(*WORDS, "--out", tmp_path / "run", "--jobs", 2) as process:
        wait_until(lambda: len(saved_rows(tmp_path / "run")) >= 5)
        workers = children(process.pid)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: workers too
        output = process.communicate()
    assert (process.returncode, *output) == (130, "", INTERRUPTED)
    wait_until(lambda: not any(map(is_alive, workers)), 20)
    finish(tmp_path / "run", undisturbed, len(saved_rows(tmp_path / "run")))


def test_killed_worker_is_replaced(undisturbed, tmp_path):
    with started(*WORDS, "--out", tmp_path / "run", "--jobs", 2, "--json") as process:
        wait_until(lambda: len(saved_rows(tmp_path / "run")) >= 3)
        workers = [pid for pid in children(process.pid) if "spawn_main" in Path(f"/proc/{pid}/cmdline").read_text()]
        os.kill(workers[0], signal.SIGKILL)
        output, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")
    assert json.loads(output)["computed"] == TOTAL
    assert (tmp_path / "run" / "regret.nc").read_bytes() == (undisturbed / "regret.nc").read_bytes()


def interrupted_run(folder, undisturbed):
    """Make the folder of a run that stopped half-way, and return its files of rows."""
    with started(*WORDS, "--out", folder, "--jobs", 1) as process:
        wait_until(lambda: len(saved_rows(folder)) >= 8)
        os.kill(process.pid, signal.SIGKILL)
        process.communicate()
    return sorted(saved_rows(folder))


def test_damaged_or_moved_rows_are_recomputed(undisturbed, tmp_path):
    rows = interrupted_run(tmp_path / "run", undisturbed)
    rows[0].write_bytes(rows[0].read_bytes()[:-1])
    rows[1].write_bytes(b"")
    changed = bytearray(rows[2].read_bytes())
    changed[len(changed) // 2] ^= 4
    rows[2].write_bytes(changed)
    shutil.copy(rows[4], rows[3])
    finish(tmp_path / "run", undisturbed, len(rows) - 4)


def test_unpack_detects_every_single_bit_change():
    content = pack(Rows(np.array([0.5, 1.5]), np.array([1e-3, 2e-3]), b"learner"), "mb-psrl/0")
    assert unpack(content, "mb-psrl/0").learner == b"learner"
    for position in range(8 * len(content)):
        changed = bytearray(content)
        changed[position // 8] ^= 1 << position % 8
        assert unpack(bytes(changed), "mb-psrl/0") is None
    assert not any(unpack(content[:end], "mb-psrl/0") for end in range(len(content)))


@pytest.mark.parametrize("name", ["regret.nc", "timing.nc", "learners.zip", "settings.json"])
def test_damaged_result_files_are_recomputed(name, undisturbed, tmp_path):
    folder = tmp_path / "run"
    shutil.copytree(undisturbed, folder)
    path = folder / name
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    done = json.loads(mbrl(*WORDS, "--out", folder, "--jobs", 1, "--json").stdout)
    assert done["computed"] == (0 if name in ("learners.zip", "settings.json") else TOTAL)
    assert (folder / "regret.nc").read_bytes() == (undisturbed / "regret.nc").read_bytes()
    if name == "learners.zip":  # learners that cannot be resumed start again
        more = json.loads(mbrl(*WORDS[:6], "--seed", 5, "--episodes", 310, "--out", folder, "--json").stdout)
        assert more["computed"] == TOTAL


ON_A_SMALL_DISK = """
mount -t tmpfs -o size={first}k tmpfs {disk} || exit 77
{python} -m mbrl {words} --out {disk}/run
echo "exit $?"
ls {disk}/run > {disk}.listed
mount -o remount,size=20m {disk}
{python} -m mbrl {words} --out {disk}/run --json > {disk}.json && cp {disk}/run/regret.nc {disk}.nc
"""


@pytest.mark.parametrize("kilobytes", [0, 40, 240])
def test_run_on_a_full_disk_prints_one_line_and_resumes(kilobytes, undisturbed, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    script = ON_A_SMALL_DISK.format(
        first=kilobytes or 4,  # 0 would be no limit
        disk=disk,
        python=sys.executable,
        words=" ".join(map(str, (*WORDS, "--jobs", 1))),
    )
    try:
        done = subprocess.run(["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script],
            cwd=PROJECT, capture_output=True, text=True, check=False)  # fmt: skip
    except FileNotFoundError:
        pytest.skip("needs unshare")
    if done.returncode in {1, 77} and "exit" not in done.stdout:
        pytest.skip("needs leave to mount a small disk")
    assert done.stdout.splitlines()[-1] == "exit 1"
    assert done.stderr.startswith("error: ")
    assert ": cannot be written (" in done.stderr
    assert "the same command goes on from there" in done.stderr
    assert done.stderr.count("\n") == 1
    assert "regret.nc" not in Path(f"{disk}.listed").read_text()
    counts = json.loads(Path(f"{disk}.json").read_text())
    assert counts["resumed"] + counts["computed"] == TOTAL
    assert Path(f"{disk}.nc").read_bytes() == (undisturbed / "regret.nc").read_bytes()


def test_run_refuses_workers_of_other_versions(tmp_path, monkeypatch):
    scenario, settings = make_settings(find_scenario("random-walk"), agents=("random",), simulations=2, episodes=5)
    monkeypatch.setattr("mbrl.experiments.runner.present_versions", lambda: (("mbrl", "0"), ("numpy", "1.0")))
    with pytest.raises(BanditError, match=r"a worker has mbrl 0, numpy 1\.0, and the run mbrl"):
        run(scenario, settings, tmp_path / "run")

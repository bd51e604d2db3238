"""The command line: results to the bit, resumed runs, refusals, figures."""

import io
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest
import xarray as xr

from mbrl.commands import main

PROJECT = Path(__file__).parents[2]
SMALL = ("--simulations", "3", "--episodes", "40", "--seed", "7")


class Done(NamedTuple):
    returncode: int
    stdout: str
    stderr: str


def mbrl(*words, check=True):
    """Run a command in this process: numba and xarray are loaded once for all tests."""
    out, err = io.StringIO(), io.StringIO()
    with (
        patch.object(sys, "argv", ["mbrl", *map(str, words)]),
        redirect_stdout(out),
        redirect_stderr(err),
        pytest.raises(SystemExit) as left,
    ):
        main()
    done = Done(int(left.value.code or 0), out.getvalue(), err.getvalue())
    if check:
        assert done.returncode == 0, done.stderr
    return done


def refused(*words):
    done = mbrl(*words, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("finished") / "run"
    mbrl("run", "random-walk", "--out", folder, *SMALL, "--jobs", 1)
    return folder


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_results_have_the_promised_shape(finished):
    with xr.open_dataset(finished / "regret.nc") as data:
        assert data["regret"].dims == ("agent", "simulation", "episode")
        assert data["regret"].dtype == "float64"
        assert data["agent"].values.tolist() == ["mb-psrl", "mb-ucrl2", "mb-ucbvi"]
        assert data["episode"].values[[0, -1]].tolist() == [1, 40]
        assert (data["regret"] >= -1e-9 * 100).all()
        assert (data.attrs["scenario"], data.attrs["seed"], data.attrs["regret_method"]) == (
            "random-walk",
            7,
            "expected",
        )
        assert "numba" in json.loads(data.attrs["versions"])
    with xr.open_dataset(finished / "timing.nc") as data:
        assert data["policy_seconds"].dims == ("agent", "simulation", "episode")
        assert (data["policy_seconds"] > 0).all()


def test_two_processes_give_the_same_bytes(finished, tmp_path):
    mbrl("run", "random-walk", "--out", tmp_path, *SMALL, "--jobs", 2)
    assert (tmp_path / "regret.nc").read_bytes() == (finished / "regret.nc").read_bytes()


def test_a_killed_run_resumes_to_the_same_bytes(tmp_path):
    words = ["run", "random-walk", "--simulations", "12", "--episodes", "400", "--jobs", "1", "--agents", "mb-psrl"]
    with subprocess.Popen(
        [sys.executable, "-m", "mbrl", *words, "--out", tmp_path / "killed"],
        cwd=PROJECT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        rows = tmp_path / "killed" / "rows" / "mb-psrl"
        deadline = time.monotonic() + 60
        while len(list(rows.glob("*.f8"))) < 3 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
        os.killpg(process.pid, signal.SIGKILL)
    saved = len(list(rows.glob("*.f8")))
    assert 0 < saved < 12
    assert not (tmp_path / "killed" / "regret.nc").exists()
    assert "not complete" in refused("plot", tmp_path / "killed")
    resumed = json.loads(mbrl(*words, "--out", tmp_path / "killed", "--json").stdout)
    assert resumed["resumed"] == saved
    mbrl(*words, "--out", tmp_path / "undisturbed")
    assert (tmp_path / "killed" / "regret.nc").read_bytes() == (tmp_path / "undisturbed" / "regret.nc").read_bytes()


def test_an_agents_rows_do_not_depend_on_the_others(finished, tmp_path):
    mbrl("run", "random-walk", "--out", tmp_path, *SMALL, "--jobs", 1, "--agents", "mb-ucbvi")
    with xr.open_dataset(tmp_path / "regret.nc") as alone, xr.open_dataset(finished / "regret.nc") as together:
        assert (alone["regret"].sel(agent="mb-ucbvi") == together["regret"].sel(agent="mb-ucbvi")).all()


def test_a_finished_run_is_left_as_it_is(finished):
    before = content(finished)
    mbrl("run", "random-walk", "--out", finished, *SMALL)
    assert content(finished) == before


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["run", "no-such"], "no scenario is called 'no-such'; the scenarios are random-walk"),
        (["run", "random-walk", "--agents", "nobody"], "no agent is called 'nobody'"),
        (["run", "random-walk", "--agents", "random,random"], "an agent comes twice"),
        (["run", "random-walk", "--episodes", "0"], "episodes: 0 is too few"),
        (["run", "random-walk", "--simulations", "-1"], "simulations: -1 is too few"),
        (["run", "random-walk", "--jobs", "0"], "Invalid value for '--jobs': 0 is not in the range"),
        (["run", "random-walk", "--seed", "-5"], "seed: -5 is negative"),
        (["run", "random-walk", "--regret", "guess"], "no way to compute the regret is called 'guess'"),
        (["run", "task-scheduling", "--agents", "mb-ucrl2"], "2357947691 global states"),
        (["run", "random-walk", "--episodes", "many"], "'many' is not a valid integer"),
    ],
)
def test_mistakes_are_one_line_and_leave_nothing(words, expected, tmp_path):
    assert expected in refused(*words, "--out", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_other_settings_overwrite_nothing(finished):
    before = content(finished)
    assert "other settings (episodes: 40, now 41)" in refused(
        "run", "random-walk", "--out", finished, "--simulations", 3, "--episodes", 41, "--seed", 7
    )
    assert "other settings (seed: 7, now 8)" in refused(
        "run", "random-walk", "--out", finished, "--simulations", 3, "--episodes", 40, "--seed", 8
    )
    assert content(finished) == before


def test_foreign_and_unwritable_folders_are_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    assert "no results of this program" in refused("run", "random-walk", "--out", tmp_path, *SMALL)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    assert "is a file" in refused("run", "random-walk", "--out", tmp_path / "thesis.tex", *SMALL)
    assert "cannot be written" in refused("run", "random-walk", "--out", tmp_path / "thesis.tex" / "deeper", *SMALL)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "settings.json").write_text('{"mine": 1}')
    assert "not one of this program's" in refused("run", "random-walk", "--out", tmp_path / "other", *SMALL)
    (tmp_path / "empty").mkdir()
    assert "holds no results" in refused("plot", tmp_path / "empty")


def test_figures_are_drawn_from_saved_rows_and_reproducible(tmp_path):
    mbrl("run", "random-models", "--out", tmp_path, *SMALL, "--jobs", 1, "--agents", "mb-psrl,mb-psrl-gaussian")
    printed = mbrl("plot", tmp_path).stdout.split()
    names = {"regret", "regret-error-bars", "policy-time", "priors"}
    assert {Path(path).name for path in printed} == {
        f"{name}.{form}" for name in names for form in ("pdf", "svg", "png")
    }
    before = content(tmp_path / "figures")
    mbrl("plot", tmp_path)
    assert content(tmp_path / "figures") == before
    assert all(len(data) > 1000 for data in before.values())


def test_list_names_scenarios_and_agents():
    listed = json.loads(mbrl("list", "--json").stdout)
    assert {"random-walk", "task-scheduling", "random-models"} <= {entry["name"] for entry in listed["scenarios"]}
    assert {"mb-psrl", "mb-ucrl2", "mb-ucbvi", "psrl", "ucrl2", "ucbvi", "gittins-q", "oracle", "random"} <= set(
        listed["agents"]
    )
    assert "task-scheduling" in mbrl("list").stdout

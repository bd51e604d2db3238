"""The printed examples (bandit, learner, scenario) run as they are, up to figures."""

from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

from mbrl import importing
from mbrl.examples.learner import Myopic
from mbrl.examples.scenario import machine, random_machines
from mbrl.experiments.scenarios import find_scenario
from mbrl.experiments.settings import make_settings
from tests.mbrl.command_line import mbrl, refused

FEW = ("--simulations", 3, "--episodes", 30, "--jobs", 1)


@pytest.fixture
def bandit(tmp_path):
    path = tmp_path / "bandit.json"
    path.write_text(mbrl("example", "bandit").stdout)
    return path


def learners(folder):
    with xr.open_dataset(folder / "regret.nc") as data:
        return data["agent"].values.tolist(), data["regret"].shape


def test_example_bandit_runs_with_a_users_learner(bandit, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "myown.py").write_text(mbrl("example", "learner").stdout)
    out = tmp_path / "run"
    mbrl("run", bandit, "--out", out, *FEW, "--agents", "myown:Myopic,mb-psrl-gaussian")
    assert learners(out) == (["myown:Myopic", "mb-psrl-gaussian"], (2, 3, 30))
    mbrl("run", bandit, "--out", out, "--agents", "myown:Myopic/first=0.2", "--episodes", 50, "--jobs", 1)
    assert learners(out) == (["myown:Myopic", "mb-psrl-gaussian", "myown:Myopic/first=0.2"], (3, 3, 50))
    assert "regret.png" in mbrl("plot", out).stdout
    error = refused("run", bandit, "--out", tmp_path / "new", "--agents", "mb-psrl")
    assert "agent mb-psrl: it needs rewards from 0 to 1" in error


def test_example_learner_is_short_and_plays_mean_rewards():
    lines = mbrl("example", "learner").stdout.partition("class Myopic")[2].splitlines()
    code = [line for line in lines if line.strip() and not line.strip().startswith(('"""', "#"))]
    assert len(code) <= 15
    problem = SimpleNamespace(arms=2, width=2, sizes=np.array([2, 2]))
    np.testing.assert_array_equal(Myopic(problem).plan(None).indices, np.ones((2, 2)))
    learner = Myopic(problem, first=0.25)
    learner.observe(SimpleNamespace(arms=[0, 0, 1], states=[1, 1, 0], rewards=[1.0, 0.25, 0.0]))
    np.testing.assert_array_equal(learner.plan(None).indices, [[0.25, 0.5], [0.125, 0.25]])


def test_run_options_change_discount_and_rewards(bandit, tmp_path):
    changes = ("--discount", "0.5", "--rewards", "constant")
    mbrl("run", bandit, "--out", tmp_path / "run", *FEW, *changes, "--agents", "mb-psrl")
    with xr.open_dataset(tmp_path / "run" / "regret.nc") as data:
        assert data.attrs["discount"] == 0.5
        assert data.attrs["title"] == "the model file bandit.json; discount 0.5; constant rewards"
    # constant rewards in 0..1 suit the Beta prior; those of the file do not
    _, settings = make_settings(find_scenario(str(bandit)), discount="0.5", rewards="constant")
    assert settings.agents == ("mb-psrl", "mb-ucrl2", "mb-ucbvi")


def test_example_scenario_draws_its_models_and_runs(tmp_path):
    drawn = [machine(1, model, 1) for model in range(40)]
    worn = np.array([each.transitions[:, 0, 1] for each in drawn])
    assert (worn.shape, set((10 * worn).round(12).ravel())) == ((40, 3), set(range(1, 9)))
    np.testing.assert_array_equal([each.transitions[:, 1] for each in drawn], np.tile([0.25, 0.75], (40, 3, 1)))
    assert {(each.discount, *each.starts[0], *each.rewards[0]) for each in drawn} == {(0.9, 0, 0, 0, 1, 0)}
    assert (random_machines.simulations, random_machines.episodes) == (20, 200)
    done = mbrl("run", "mbrl.examples.scenario:random_machines", "--out", tmp_path, "--episodes", 20, "--jobs", 1)
    output = " ".join(done.stdout.split())
    over = "20 simulations, of 4 models that they share. In brackets: 95% intervals over models"
    assert f"{over}; none of a mean below n = 80, of a median" in output
    with xr.open_dataset(tmp_path / "regret.nc") as data:
        assert data["model"].values.tolist() == [model for model in range(4) for _ in range(5)]
        assert data["agent"].values.tolist() == ["mb-psrl", "mbrl.examples.learner:Myopic"]


def test_blaming_reraises_errors_of_this_package(monkeypatch):
    monkeypatch.setattr(importing, "_OURS", (*importing._OURS, __file__))
    with pytest.raises(ZeroDivisionError), importing.blaming("a learner"):
        raise ZeroDivisionError

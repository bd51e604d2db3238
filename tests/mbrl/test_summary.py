"""The table of a run: means, medians and quantiles with their intervals, over the unit of replication."""

import json

import numpy as np
import pytest
import xarray as xr

from mbrl.experiments.summary import by_unit, summarise
from tests.mbrl.command_line import mbrl, refused
from theory import BanditError


def saved(totals, per_model=0, agents=("a",)):
    """Return regret and times of a run of two episodes with these final regrets, (agents, simulations)."""
    totals = np.atleast_2d(np.asarray(totals, dtype=float))
    dims, shape = ("agent", "simulation", "episode"), (*totals.shape, 2)
    regret = np.stack([0.25 * totals, 0.75 * totals], axis=-1)
    attributes = {"seed": 1, "simulations_per_model": per_model}
    coordinates = {"agent": list(agents)}
    return (
        xr.Dataset({"regret": (dims, regret)}, coords=coordinates, attrs=attributes),
        xr.Dataset({"policy_seconds": (dims, np.full(shape, 2e-3))}, coords=coordinates),
    )


def test_numbers_by_hand():
    (line,) = summarise(*saved(np.arange(1.0, 12.0)))
    assert (line.final_regret, line.median, line.lower_decile, line.upper_decile, line.largest) == (6, 6, 2, 10, 11)
    assert (line.simulations, line.units) == (11, 11)
    assert line.milliseconds == pytest.approx(2)
    assert np.isnan(line.ratio)


def test_intervals_are_about_those_of_the_normal_law():
    totals = np.random.default_rng(1).normal(100, 10, 400)
    (line,) = summarise(*saved(totals))
    half = 1.96 * totals.std(ddof=1) / 20
    np.testing.assert_allclose([line.mean_low, line.mean_high], totals.mean() + np.array([-half, half]), atol=0.2)
    # the median's standard error is sqrt(pi/2) times the mean's
    np.testing.assert_allclose(line.median_high - line.median_low, 2 * half * np.sqrt(np.pi / 2), rtol=0.3)


def test_models_and_not_simulations_are_resampled_where_they_are_shared():
    rng = np.random.default_rng(2)
    of_models = rng.normal(100, 10, 40)
    totals = np.repeat(of_models, 5)  # simulations of one model tell nothing new
    (shared,), (alone,) = summarise(*saved(totals, per_model=5)), summarise(*saved(totals))
    assert (shared.units, alone.units) == (40, 200)
    widths = shared.mean_high - shared.mean_low, alone.mean_high - alone.mean_low
    np.testing.assert_allclose(widths[0], 2 * 1.96 * of_models.std(ddof=1) / np.sqrt(40), rtol=0.12)
    np.testing.assert_allclose(widths[0] / widths[1], np.sqrt(5), rtol=0.15)


def test_a_model_that_is_not_complete_counts_with_what_it_has():
    regret, timing = saved([1, 3, 10, 20, 30], per_model=2)
    np.testing.assert_array_equal(by_unit(regret, np.arange(5.0)), [[0, 1], [2, 3], [4, np.nan]])
    (line,) = summarise(regret, timing)
    assert (line.final_regret, line.largest, line.units) == (12.8, 30, 3)


def test_learners_are_compared_simulation_by_simulation():
    base = np.random.default_rng(3).exponential(100, 50)
    lines = summarise(*saved([base, 3 * base, np.zeros(50)], agents=("a", "b", "c")), versus="a")
    assert [(line.ratio_low, line.ratio, line.ratio_high) for line in lines] == [
        (1, 1, 1),
        pytest.approx((3, 3, 3)),
        (0, 0, 0),
    ]
    with pytest.raises(BanditError, match="no learner called 'd'; it has a, b, c"):
        summarise(*saved([base, base, base], agents=("a", "b", "c")), versus="d")


def test_a_single_simulation_has_no_interval():
    (line,) = summarise(*saved([7.0]))
    assert (line.final_regret, line.median) == (7, 7)
    assert np.isnan([line.mean_low, line.mean_high, line.median_low]).all()


def test_the_same_run_gives_the_same_intervals():
    totals = np.random.default_rng(4).random(30)
    assert repr(summarise(*saved(totals))) == repr(summarise(*saved(totals)))


def test_the_command_prints_them(tmp_path):
    words = ("run", "random-walk", "--out", tmp_path, "--simulations", 1, "--episodes", 5, "--agents", "random,oracle")
    assert "[" not in mbrl(*words, "--jobs", 1).stdout.splitlines()[2]  # one simulation has no interval
    mbrl(*words[:4], "--simulations", 4, "--jobs", 1)
    content = json.loads(mbrl("table", tmp_path, "--versus", "random", "--json").stdout)
    first, second = content["agents"]
    assert first["mean_low"] <= first["final_regret"] <= first["mean_high"]
    assert (second["ratio"], second["largest"]) == (0, 0)
    assert "mean / random" in mbrl("table", tmp_path, "--versus", "random").stdout
    assert "no learner called 'nobody'; it has random, oracle" in refused("table", tmp_path, "--versus", "nobody")

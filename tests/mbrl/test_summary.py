"""The table of a run: means, medians and quantiles with their intervals, over the unit of replication."""

import json

import numpy as np
import pytest

from mbrl.experiments.dataset import Saved
from mbrl.experiments.summary import by_unit, summarise
from tests.mbrl.command_line import mbrl, refused
from theory import BanditError


def saved(totals, per_model=0, agents=("a",)):
    """Return regret and times of a run of two episodes with these final regrets, (agents, simulations)."""
    totals = np.atleast_2d(np.asarray(totals, dtype=float))
    regret = np.stack([0.25 * totals, 0.75 * totals], axis=-1)
    attributes = {"seed": 1, "simulations_per_model": per_model}
    models = np.arange(totals.shape[1]) // (per_model or totals.shape[1])
    return tuple(Saved(list(agents), rows, models, attributes) for rows in (regret, np.full(regret.shape, 2e-3)))


def test_summary_matches_hand_computation():
    (line,) = summarise(*saved(np.arange(1.0, 12.0)))
    assert (line.mean.estimate, line.median.estimate) == (6, 6)
    assert (line.lower_decile, line.upper_decile, line.largest) == (2, 10, 11)
    assert np.isnan(line.mean.low)  # eleven simulations are too few for an interval
    assert (line.median.low, line.median.high) == (2, 10)
    assert (line.simulations, line.units) == (11, 11)
    assert line.milliseconds == pytest.approx(2)
    assert np.isnan(line.ratio.estimate)


@pytest.mark.parametrize(("episodes", "steady"), [((3, 3), True), ((1, 3), False), ((0, 0), False)])
def test_learner_is_steady_if_it_loses_the_same_in_every_episode(episodes, steady):
    regret, timing = saved(np.ones(6))
    (line,) = summarise(regret._replace(rows=np.tile(np.array(episodes, dtype=float), (1, 6, 1))), timing)
    assert (line.steady, line.median.alike) == (steady, True)


def test_summary_resamples_models_if_simulations_share_them():
    rng = np.random.default_rng(2)
    of_models = rng.normal(100, 10, 90)
    totals = np.repeat(of_models, 5)  # simulations of one model are equal
    (shared,), (alone,) = summarise(*saved(totals, per_model=5)), summarise(*saved(totals))
    assert (shared.units, alone.units) == (90, 450)
    widths = shared.mean.high - shared.mean.low, alone.mean.high - alone.mean.low
    np.testing.assert_allclose(widths[0], 2 * 2.2414 * of_models.std(ddof=1) / np.sqrt(90), rtol=0.12)
    np.testing.assert_allclose(widths[0] / widths[1], np.sqrt(5), rtol=0.15)


def test_incomplete_model_counts_with_its_simulations():
    regret, timing = saved([1, 3, 10, 20, 30], per_model=2)
    np.testing.assert_array_equal(by_unit(regret, np.arange(5.0)), [[0, 1], [2, 3], [4, np.nan]])
    np.testing.assert_array_equal(
        by_unit(regret._replace(models=regret.models[[3, 1, 2]]), np.arange(3.0)), [[1, np.nan], [0, 2]]
    )
    (line,) = summarise(regret, timing, "a")
    assert (line.mean.estimate, line.ratio.estimate, line.largest, line.units) == (pytest.approx(12.8), 1, 30, 3)


def test_ratio_compares_learners_simulation_by_simulation():
    base = np.random.default_rng(3).exponential(100, 90)
    lines = summarise(*saved([base, 3 * base, np.zeros(90)], agents=("a", "b", "c")), versus="a")
    for line, expected in zip(lines, (1, 3, 0), strict=True):
        for ratio in (line.ratio, line.median_ratio):
            assert (ratio.estimate, ratio.alike, np.isnan(ratio.low)) == (pytest.approx(expected), True, True)
    without = summarise(*saved([base, 3 * base, np.zeros(90)], agents=("a", "b", "c")), versus="c")
    assert np.isnan([(line.ratio.estimate, line.median_ratio.estimate) for line in without]).all()  # of nothing
    assert {(line.ratio.units, line.median_ratio.units) for line in without} == {(0, 0)}
    with pytest.raises(BanditError, match="no learner called 'd'; it has a, b, c"):
        summarise(*saved([base, base, base], agents=("a", "b", "c")), versus="d")


def test_table_command_prints_means_medians_and_ratios(tmp_path):
    words = ("run", "random-walk", "--out", tmp_path, "--simulations", 1, "--episodes", 5, "--agents", "random,oracle")
    printed = " ".join(mbrl(*words, "--jobs", 1).stdout.split())
    assert not {"[", "|"} & {*printed}  # one simulation has no interval
    footnote = "95% intervals over simulations; none of a mean below n = 80, of a median below n = 6. Time:"
    assert f"over 5 episodes; 1 simulation. In brackets: {footnote}" in printed
    assert printed.count("below n") == 2  # beneath the table, not in its rows
    mbrl(*words[:4], "--simulations", 6, "--jobs", 1)
    content = json.loads(mbrl("table", tmp_path, "--versus", "random", "--json").stdout)
    first, second = content["agents"]
    assert first["median"]["low"] <= first["median"]["estimate"] <= first["median"]["high"]
    assert (first["mean"]["low"], first["mean"]["least"]) == (None, 80)
    assert (second["ratio"]["estimate"], second["largest"]) == (0, 0)
    assert "mean / random" in mbrl("table", tmp_path, "--versus", "random").stdout
    assert mbrl("table", tmp_path, "--markdown").stdout.startswith("**scenario 1: three random walks on four states**")
    assert "no learner called 'nobody'; it has random, oracle" in refused("table", tmp_path, "--versus", "nobody")

"""Printed curves against runs, and the readings of the paper's text."""

import json
from dataclasses import replace

import numpy as np
import pytest

from mbrl.agents.registry import canonical_name
from mbrl.experiments.dataset import Saved
from mbrl.experiments.scenarios import SCENARIOS
from mbrl.paper.comparison import SIGNIFICANCE, compare
from mbrl.paper.printed import PrintedCurve, printed_curves
from mbrl.paper.readings import QUESTIONS, READINGS, readings_of
from tests.mbrl.command_line import mbrl

EPISODES = np.array([1, 10, 40])


def run_of(totals, models=1, **settings):
    """Return a run whose cumulative regrets at `EPISODES` are these, (simulations, 3)."""
    regret = np.zeros((len(settings.get("agents", [1])), len(totals), EPISODES[-1]))
    regret[:, :, EPISODES - 1] = np.diff(totals, axis=1, prepend=0)
    settings = {"scenario": "random-walk", "agents": ["mb-psrl"], "episodes": int(EPISODES[-1])} | settings
    settings = {"discount": "", "rewards": "", "regret": "expected"} | settings
    attributes = {"settings": json.dumps(settings), "seed": 1}
    return Saved(settings["agents"], regret, np.arange(len(totals)) // models, attributes)


def curve_of(values, error=0.0, simulations=80, models=None):
    values = np.asarray(values, dtype=float)
    errors = np.full(values.shape, error)
    return PrintedCurve("fig:x", "random-walk", "mb-psrl", simulations, models, "expected", EPISODES, values, errors)


def population(count, seed):
    """Return cumulative regrets of a skew law, like those of posterior sampling."""
    rng = np.random.default_rng(seed)
    return np.cumsum(rng.exponential([1.0, 10.0, 40.0], (count, 3)) * (1 + 5 * (rng.random((count, 1)) < 0.1)), axis=1)


@pytest.fixture
def few_resamples(monkeypatch):
    """A thousand are enough for a share of 1%."""
    for module in ("mbrl.paper.comparison", "mbrl.experiments.intervals"):
        monkeypatch.setattr(f"{module}.RESAMPLES", 1000)


@pytest.mark.usefixtures("few_resamples")
def test_compare_rejects_shifted_curves_and_few_curves_of_the_same_law():
    run = run_of(population(100, seed=1))
    shares = [compare(curve_of(population(80, seed).mean(axis=0)), run).p_value for seed in range(2, 32)]
    assert sum(share < SIGNIFICANCE for share in shares) <= 2
    assert min(shares) < 0.5 < max(shares)
    shifted = population(80, seed=2).mean(axis=0) * [1.0, 1.0, 3.0]
    found = compare(curve_of(shifted), run)
    assert (found.verdict, found.worst.episode, found.points[0].verdict) == ("differs", 40, "agrees")


def test_compare_widens_by_the_units_of_both_paper_and_run():
    # of n units in the paper and m of ours, the variance of the difference is s^2 (1/n + 1/m)
    ours = population(100, seed=3)
    shared = run_of(np.repeat(ours, 5, axis=0), models=5)
    for n, run, models in ((20, run_of(ours), None), (500, run_of(ours), None), (500, shared, 20)):
        (*_, last) = compare(curve_of(ours.mean(axis=0), simulations=n, models=models), run).points
        width = 2 * 2.576 * ours[:, 2].std() * np.sqrt(1 / (models or n) + 1 / 100)
        assert last.most - last.least == pytest.approx(width, rel=0.12)
        assert last.ours.high - last.ours.low == pytest.approx(2 * 1.96 * ours[:, 2].std() / 10, rel=0.5)  # skew
    off = [2.0, 0.0, 3.0]  # larger at the end, but small relative to the spread there
    assert compare(curve_of(ours.mean(axis=0) + off), run_of(ours)).worst.episode == 1


@pytest.mark.usefixtures("few_resamples")
def test_verdict_changes_at_the_smallest_detectable_difference():
    run = run_of(population(100, seed=1))
    ours = np.array([point.ours.estimate for point in compare(curve_of([1, 2, 3]), run).points])
    for simulations, error in ((20, 0.0), (80, 0.0), (80, 3.0)):
        like_ours = compare(curve_of(ours, error, simulations), run)
        assert like_ours.verdict == "agrees"
        for sign in (-1, 1):
            off = [ours * (1 + sign * part * like_ours.detectable[sign > 0]) for part in (0.97, 1.03)]
            found = [compare(curve_of(values, error, simulations), run).verdict for values in off]
            assert found == ["agrees", "differs"]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"scenario": "task-scheduling"}, "the run is of task-scheduling, the figure of random-walk"),
        ({"agents": ["random"]}, "the run has no learner mb-psrl"),
        ({"discount": "0.9"}, "another discount or other rewards"),
        ({"rewards": "constant"}, "another discount or other rewards"),
        ({"episodes": 39}, "the run has 39 episodes, the figure 40"),
        ({"regret": "monte-carlo"}, "regret is by expected: give --regret expected"),
    ],
)
def test_incomparable_runs_report_the_reason(settings, words):
    found = compare(curve_of([1, 2, 3]), run_of(population(20, seed=5), **settings))
    assert (found.verdict, found.points, found.worst) == ("not comparable", (), None)
    assert words in found.reason


def test_too_few_units_or_another_K_make_runs_incomparable():
    nine = "9 units of replication are too few; there must be at least 10"
    for count, models, reason in ((9, None, nine), (10, None, ""), (18, 16, nine), (18, None, ""), (20, 16, "")):
        run = run_of(population(count, seed=6), models=1 if count < 18 else 2)
        assert compare(curve_of([1, 2, 3], models=models), run).reason == reason
    other_K = "the learner is told that there are 40 episodes, and in the paper 3000"
    for episodes, reason in ((40, other_K), (3000, "")):
        run = run_of(population(20, seed=5), agents=["mb-ucbvi"], episodes=episodes)
        assert compare(replace(curve_of([1, 2, 3]), agent="mb-ucbvi"), run).reason == reason


def test_printed_curves_are_complete():
    curves = printed_curves()
    assert len(curves) == 16
    for curve in curves:
        assert curve.agent in SCENARIOS[curve.scenario].agents
        assert min(np.diff(curve.episodes).min(), curve.errors.min()) > 0
        assert curve.episodes[-1] in (1000, 3000)
        assert curve.units == (16 if curve.scenario == "random-models" else curve.simulations)


def test_readings_are_options_of_the_learners():
    assert [len(readings_of(agent)) for agent in ("mb-psrl", "psrl-gaussian", "mb-ucrl2", "mb-ucbvi")] == [2, 4, 24, 72]
    for agent in {name for each in QUESTIONS for name in readings_of(each)}:
        assert canonical_name(agent) == agent  # the key of recorded draws
        assert set(agent.split("/")[1:]) <= set(READINGS)
    assert "largest_reward=1 optimistic mean rewards cut off at 1" in " ".join(
        mbrl("list", "--readings").stdout.split()
    )
    assert json.loads(mbrl("list", "--readings", "--json").stdout)["readings"] == dict(READINGS)


@pytest.mark.parametrize(("scenario", "simulations"), [("random-walk", 10), ("random-models", 50)])
def test_paper_command_says_at_once_all_that_a_small_run_lacks(tmp_path, scenario, simulations):
    words = ("run", scenario, "--out", tmp_path, "--agents", "mb-psrl", "--simulations", 2, "--episodes", 3)
    mbrl(*words, "--jobs", 1)
    needed = f"--episodes 3000 and --simulations {simulations} or more"
    last = mbrl("paper", tmp_path).stdout.splitlines()[-1]
    assert last == f"nothing is drawn: run a learner of the figures with {needed}"


def test_paper_command_compares_learners_and_their_readings_with_printed_curves(tmp_path):
    words = ("run", "random-walk", "--out", tmp_path / "run", "--readings", "--agents", "mb-psrl,random")
    mbrl(*words, "--simulations", 10, "--episodes", 3000, "--jobs", 1)
    printed = mbrl("paper", tmp_path / "run", "--points", "--markdown").stdout
    assert "| fig:randomwalk_3b4s | mb-ucbvi | not comparable |  |  | the run has no learner mb-ucbvi |" in printed
    picture = tmp_path / "run" / "figures" / "printed.svg"
    drawn = picture.read_text(encoding="utf-8")
    assert "printed curves over ours" in drawn
    assert "printed: agrees; detects " in drawn
    assert "printed, with error bars: agrees; detects " in drawn
    assert not any(words in drawn for words in ("fig:", "next_state"))
    content = json.loads(mbrl("paper", tmp_path / "run", "--json", "--no-title", "--width", "241pt").stdout)
    assert "printed curves over ours" not in (narrow := picture.read_text(encoding="utf-8"))
    assert 'width="240' in narrow  # 241 points of TeX, in those of a picture
    names = ["mb-psrl", "mb-psrl/next_state=restarted", "mb-ucrl2", "mb-ucbvi"]
    assert [curve["agent"] for curve in content["curves"]] == names * 2
    ours, other, *_ = content["curves"]
    assert (ours["verdict"], other["verdict"]) == ("agrees", "differs")
    worst = max(other["points"], key=lambda point: abs(point["printed"] - point["ours"]["estimate"]) / point["most"])
    assert f"| {other['agent']} | {worst['episode']} | {worst['printed']:g} ± 2 | " in printed
    mbrl("run", "counterexample", "--out", tmp_path / "other", "--agents", "oracle", "--episodes", 3, "--jobs", 1)
    assert "the paper has no figure of counterexample" in mbrl("paper", tmp_path / "other").stdout
    assert json.loads(mbrl("paper", tmp_path / "other", "--json").stdout) == {"curves": [], "figures": []}

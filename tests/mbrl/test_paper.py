"""Printed curves against runs, and the readings of the paper's text."""

import json
from dataclasses import replace

import numpy as np
import pytest

from mbrl.agents.registry import check_agent_name
from mbrl.commands.paper import _print_readings
from mbrl.experiments.dataset import Saved
from mbrl.experiments.intervals import Interval
from mbrl.figures.printed import printed_over_ours
from mbrl.paper.comparison import SIGNIFICANCE, Comparison, Point, compare
from mbrl.paper.printed import PrintedCurve, printed_curves
from mbrl.paper.readings import AGENTS, READINGS, Effect, Reading, agents_to_run, learners_of
from tests.mbrl.command_line import mbrl, refused

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


def test_printed_figure_has_a_panel_per_learner():
    names = ["mb-psrl", "mb-psrl-gaussian", "psrl"]
    run = run_of(population(30, seed=1), agents=names)
    run.attributes.update({"title": "a title", "regret_method": "expected", "discount": 0.99})
    printed = [replace(curve_of(population(80, 2).mean(axis=0) * k), agent=name) for k, name in enumerate(names, 1)]
    figure = printed_over_ours(run, [compare(curve, run) for curve in printed])
    assert [axes.get_title().splitlines()[0] for axes in figure.axes] == names
    alone = printed_over_ours(run._replace(attributes=run.attributes | {"title": "/" * 99}), [compare(printed[0], run)])
    assert (*alone.get_size_inches(), *figure.get_size_inches()) == (3.7, 3.7, 7.4, 7.4)
    assert max(map(len, alone.get_suptitle().splitlines())) == 44  # letters of six points
    for axes, curve in zip(figure.axes, printed, strict=True):
        (points,) = axes.containers
        np.testing.assert_array_equal(points.lines[0].get_xydata(), np.transpose([EPISODES, curve.values]))


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


def test_long_tail_above_excuses_no_value_below():
    """One unit in ten loses 91, so means vary by 30 above; but none is less than 1, which is 9 below."""
    run = run_of(np.repeat([[1.0, 1.0, 1.0], [91.0, 91.0, 91.0]], [90, 10], axis=0))
    for value, verdict in ((0.9, "differs"), (10.0, "agrees"), (19.0, "agrees")):
        found = compare(curve_of([value] * 3, simulations=20), run)
        assert (found.verdict, {point.verdict for point in found.points}) == (verdict, {verdict})
    below, above = found.detectable
    assert below < 0.95
    assert above > 1.5


def test_compare_allows_for_the_reading_error():
    ours = np.tile(np.array([5.0, 50.0, 200.0]), (20, 1))  # no spread at all
    for last, error, verdict in ((200, 0, "agrees"), (201, 0, "differs"), (201, 1, "agrees")):
        assert compare(curve_of([5, 50, last], error), run_of(ours)).verdict == verdict


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
        assert curve.agent in AGENTS[curve.scenario]
        assert min(np.diff(curve.episodes).min(), curve.errors.min()) > 0
        assert curve.episodes[-1] in (1000, 3000)
        assert curve.units == (16 if curve.scenario == "random-models" else curve.simulations)


def test_agents_to_run_lists_every_combination_of_readings():
    played = [agent for scenario in AGENTS for agent in agents_to_run(scenario, learners_of(scenario))]
    assert len(played) == (2 + 24 + 72 + 2) + (2 + 72 + 2) + (2 + 4 + 2 + 4)
    for agent in played:
        check_agent_name(agent)
    assert agents_to_run("random-models", ["mb-psrl"]) == ("mb-psrl", "mb-psrl/next_state=restarted")
    assert "the paper has no figure of 'lower-bound'" in refused("readings", "lower-bound", "--out", "nowhere")
    words = ("readings", "task-scheduling", "--out", "nowhere", "--agents", "mb-psrl,mb-ucrl2")
    assert "no curve of 'mb-ucrl2' in task-scheduling; it has those of mb-psrl, mb-ucbvi" in refused(*words)


def test_readings_command_prints_tables_and_json(tmp_path, monkeypatch):
    from mbrl.paper import readings

    monkeypatch.setattr(readings, "READINGS", {agent: choices[:1] for agent, choices in READINGS.items()})
    words = ("readings", "random-walk", "--out", tmp_path, "--simulations", 3, "--episodes", 20, "--jobs", 1)
    printed = mbrl(*words).stdout
    assert all(words in printed for words in ("mb-psrl: what each reading does alone", "next_state=restarted"))
    assert "not comparable with the printed curves: the run has 20 episodes, the figure 3000" in printed
    content = json.loads(mbrl(*words, "--json").stdout)
    assert [effect["agent"] for effect in content["mb-ucrl2"]] == ["mb-ucrl2", "mb-ucrl2/radii=appendix"]
    assert content["mb-ucrl2"][0]["summary"]["ratio"]["estimate"] == 1


def test_readings_are_sorted_by_distance_with_their_verdicts(capsys):
    points = (Point(40, 10.0, 0.5, Interval(9.0, 8.0, 10.0, 80), 8.0, 9.75),)
    measured = []
    for k in range(8):  # ours first, the furthest; from a = 5 on they agree
        verdict, readings = ("agrees", "differs")[k < 5], (Reading(f"a={k}", ""),) * (k > 0)
        known = ((0.5, ()), (0.002 * (k + 0.5), points))
        of_curves = [Comparison("", "", verdict, "", share, (share * 50, share * 60), name) for share, name in known]
        measured.append(Effect("", readings, None, tuple(of_curves)))
    for everything, kept in ((False, (7, 6, 5, 4, 3, 2, 0)), (True, (7, 6, 5, 4, 3, 2, 1, 0))):
        _print_readings("mb-psrl", measured, everything=everything, markdown=True)
        title, _, _, _, *lines, _, note, _ = capsys.readouterr().out.splitlines()
        assert title == "**mb-psrl: readings against the printed curves, the nearest first**"
        for k, line in zip(kept, lines, strict=True):
            cells = (f"a={k}" if k else "as it is here", "agrees" if k >= 5 else "differs", f"{0.002 * (k + 0.5):.2g}")
            worst = "episode 40: printed 10 ± 0.5, ours 9.0"
            assert line == "| " + " | ".join((*cells, f"-{0.1 * (k + 0.5):.0%}, +{0.12 * (k + 0.5):.0%}", worst)) + " |"
        more = "" if everything else "; the nearest 6 are shown, --all prints the others"
        assert note == f"mb-psrl: 3 of 8 combinations of readings agree with the printed curves{more}."


@pytest.mark.parametrize(("scenario", "simulations"), [("random-walk", 10), ("random-models", 50)])
def test_paper_command_says_at_once_all_that_a_small_run_lacks(tmp_path, scenario, simulations):
    words = ("run", scenario, "--out", tmp_path, "--agents", "mb-psrl", "--simulations", 2, "--episodes", 3)
    mbrl(*words, "--jobs", 1)
    needed = f"--episodes 3000 and --simulations {simulations} or more"
    last = mbrl("paper", tmp_path).stdout.splitlines()[-1]
    assert last == f"nothing is drawn: run a learner of the figures with {needed}"


def test_paper_command_compares_a_run_with_printed_curves(tmp_path):
    words = ("run", "random-walk", "--out", tmp_path / "run", "--agents", "mb-ucbvi", "--simulations", 10)
    mbrl(*words, "--episodes", 3000, "--jobs", 1)
    printed = mbrl("paper", tmp_path / "run", "--points").stdout
    assert "the run has no learner mb-psrl" in printed
    assert "printed.png" in printed
    picture = tmp_path / "run" / "figures" / "printed.svg"
    drawn = picture.read_text(encoding="utf-8")
    assert "printed curves over ours" in drawn
    assert "printed: agrees; detects " in drawn
    assert "printed, with error bars: agrees; detects " in drawn
    assert "fig:" not in drawn
    content = json.loads(mbrl("paper", tmp_path / "run", "--json", "--no-title", "--width", "241pt").stdout)
    assert "printed curves over ours" not in (narrow := picture.read_text(encoding="utf-8"))
    assert 'width="240' in narrow  # 241 points of TeX, in those of a picture
    judged = {curve["figure"]: curve for curve in content["curves"] if curve["agent"] == "mb-ucbvi"}
    assert set(judged) == {"fig:randomwalk_3b4s", "fig:randomwalk_3b4s_errorbar"}
    assert judged["fig:randomwalk_3b4s"]["points"][0]["printed"] == 269.5
    mbrl("run", "counterexample", "--out", tmp_path / "other", "--agents", "oracle", "--episodes", 3, "--jobs", 1)
    assert "the paper has no figure of counterexample" in mbrl("paper", tmp_path / "other").stdout
    assert json.loads(mbrl("paper", tmp_path / "other", "--json").stdout) == {"curves": [], "figures": []}

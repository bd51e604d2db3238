"""Recorded runs against the paper's reports: when they agree, differ or are not comparable."""

from __future__ import annotations

from importlib.resources import files
from math import inf, nan

import numpy as np
import pytest

from mbrl.experiments.dataset import Saved
from mbrl.experiments.intervals import Interval
from mbrl.experiments.summary import summarise
from proofs_checks.claimcheck.verdicts import Verdict
from proofs_checks.paper.beyond.swept import recorded_sweep
from proofs_checks.paper.recorded import recorded_run, sweep
from proofs_checks.paper.recorded.scaling import ARMS, record_times, recorded_times
from proofs_checks.paper.shared.monte_carlo_noise import standard_deviation
from proofs_checks.paper.shared.recorded_experiments import between, curve

SCENARIO = "random-walk"
READINGS = files("mbrl.paper").joinpath("READINGS.md").read_text(encoding="utf-8")


def test_too_few_units_are_not_comparable():
    found = {"what": Interval(3.0, nan, nan, 10, 80)}
    for most in (inf, 5):
        assert between(found, 1, most, SCENARIO).agreement is Verdict.NOT_COMPARABLE


@pytest.mark.parametrize(("bounds", "low", "high", "expected"), [
    ((1, inf), 1.5, 3, "AGREES"), ((1, inf), 0.2, 0.8, "DIFFERS"), ((1, inf), 0.5, 2, "NOT_COMPARABLE"),
    ((1, 2), 1, 2, "AGREES"), ((1, 2), 2.5, 3, "DIFFERS"), ((1, 2), 1.5, 2.5, "NOT_COMPARABLE"),
])  # fmt: skip
def test_interval_that_contains_a_bound_is_not_comparable(bounds, low, high, expected):
    found = {"what": Interval((low + high) / 2, low, high, 10)}
    compared = between(found, *bounds, SCENARIO)
    assert (compared.agreement, compared.values["what"]) == (Verdict[expected], str(found["what"]))


def test_verdict_is_differs_if_one_interval_lies_outside_the_bounds():
    found = {"open": Interval(1, 0.5, 2, 10), "clear": Interval(0.5, 0.2, 0.8, 10)}
    assert between(found, 1, inf, SCENARIO).agreement is Verdict.DIFFERS


@pytest.mark.parametrize(("times", "expected"), [(1.0, Verdict.AGREES), (1.02, Verdict.DIFFERS)])
def test_printed_curve_shifted_by_two_percent_differs(times, expected):
    assert curve("fig:randomwalk_3b4s_errorbar", "mb-ucbvi", times).agreement is expected


def test_standard_deviation_of_monte_carlo_regret_matches_simulation():
    """Simulates 4,000 episodes: best minus worst order of the tasks, by mean rewards, over two horizons and over one."""
    rng = np.random.default_rng(7)

    def rewards(order, horizon):
        paid, stage, place = 0.0, 0, 0
        for _ in range(horizon):
            if place == len(order):
                break
            hazard = 1 - (1 - order[place]) * 0.8 ** min(stage, 9)
            paid += hazard
            stage, place = (0, place + 1) if rng.random() < hazard else (stage + 1, place)
        return paid

    worst = [each / 10 for each in range(1, 10)]
    best, other = [np.array([rewards(order, h) for h in rng.geometric(0.01, 4000)]) for order in (worst[::-1], worst)]
    assert standard_deviation(1, 1, one_horizon=False) == pytest.approx(np.std(best - other), rel=0.06)
    found = [rewards(worst[::-1], h) - rewards(worst, h) for h in rng.geometric(0.01, 4000)]
    assert standard_deviation(1, 1) == pytest.approx(np.std(found), rel=0.06)
    assert standard_deviation(3000, 240) == pytest.approx(8.917, rel=1e-3)


@pytest.mark.parametrize(("agent", "times", "expected"), [
    ("mb-psrl", 1.0, "AGREES"), ("mb-psrl", 10.0, "DIFFERS"), ("mb-ucbvi", 1.0, "DIFFERS"), ("mb-ucbvi", 1.18, "AGREES"),
])  # fmt: skip
def test_monte_carlo_curve_is_compared_by_its_last_printed_number(agent, times, expected):
    assert curve("fig:task_scheduling", agent, times).agreement is Verdict[expected]


@pytest.mark.parametrize("learner", sweep.LEARNERS)
def test_learners_reproduce_the_recorded_sweep(learner):
    recorded = recorded_sweep()["regrets"]["3,3,2"][learner][0]
    assert sweep.regrets(3, 3, 2, learner, [sweep.EPISODES], 0) == pytest.approx([recorded], rel=1e-3, abs=1e-3)


def test_recorded_run_states_its_command():
    command = recorded_run("random-models").command
    assert "--agents mb-psrl,mb-psrl-gaussian,psrl,psrl-gaussian --simulations 500" in command


def test_recorded_times_are_medians_of_the_second_half(monkeypatch, tmp_path):
    """The times are 0, 1, ..., 4999 seconds: 3749.5 is the median of the last 2500."""
    played = []

    def simulate(environment, agent, **settings):
        played.append((environment.sizes.tolist(), environment.starts.tolist(), settings))
        return None, np.arange(5000.0)

    monkeypatch.setattr("mbrl.experiments.simulation.simulate", simulate)
    assert {name: tuple(times) for name, times in recorded_times().items()} == ARMS
    record_times(tmp_path / "times.json")
    monkeypatch.setattr("proofs_checks.paper.recorded.scaling.TIMES", tmp_path / "times.json")
    assert recorded_times() == {name: dict.fromkeys(numbers, 3749500) for name, numbers in ARMS.items()}
    assert [(sizes, starts) for sizes, starts, _ in played] == [
        ([4] * n, [[0] * n]) for each in ARMS.values() for n in each
    ]
    assert all(how["simulation"] == len(sizes) for sizes, _, how in played)
    assert all((how["episodes"], how["seed"], how["monte_carlo"]) == (5000, 0, True) for _, _, how in played)


def test_agreement_states_the_smallest_detectable_differences():
    values = curve("fig:randomwalk_3b4s_errorbar", "mb-psrl").values
    assert values["smallest difference that would be refused"] == "35% below ours, 69% above"
    for times, expected in ((0.85, "AGREES"), (0.75, "DIFFERS"), (1.93, "AGREES"), (2.2, "DIFFERS")):
        assert curve("fig:randomwalk_3b4s_errorbar", "mb-psrl", times).agreement is Verdict[expected]


@pytest.mark.parametrize(("scenario", "each"), [("random-walk", 0), ("task-scheduling", 0), ("random-models", 5)])
def test_tables_in_readings_equal_the_record(scenario, each):
    run = recorded_run(scenario)
    parts = np.diff([record.regret for record in run.agents.values()], axis=2, prepend=0)
    attributes = {"seed": run.settings["seed"], "simulations_per_model": each}
    regret = Saved(list(run.agents), parts, np.arange(parts.shape[1]) // (each or 1), attributes)
    lines = summarise(regret, regret, "mb-psrl" if each else None)
    for line in lines:
        numbers = line.mean.written(".1f"), line.median.written(".1f")
        spread = f"{line.lower_decile:.1f} to {line.upper_decile:.1f}", f"{line.largest:.1f}"
        assert f"| {' | '.join((line.agent, *numbers, *spread))} |" in READINGS
    if each:
        both = lines[1].ratio.written(".2f"), lines[1].median_ratio.written(".2f")
        assert all(ratio in READINGS for ratio in both)

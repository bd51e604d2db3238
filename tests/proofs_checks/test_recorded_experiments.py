"""How recorded runs are held to reports: intervals, and when two agree, differ, or cannot be compared."""

from __future__ import annotations

from math import nan

import pytest

from mbrl.experiments.intervals import Interval
from proofs_checks.computations.recorded_experiments import above, between, curve
from proofs_checks.recorded import recorded_run
from proofs_checks.statements import Agreement

SCENARIO = "random-walk"


def test_too_few_units_decide_nothing():
    found = {"what": Interval(3.0, nan, nan, 10, 80)}
    assert above(found, 1.0, SCENARIO).agreement is Agreement.NOT_COMPARABLE
    assert between(found, 1, 5, SCENARIO).agreement is Agreement.NOT_COMPARABLE


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(1.5, 3, Agreement.AGREES), (0.2, 0.8, Agreement.DIFFERS), (0.5, 2, Agreement.NOT_COMPARABLE)],
)
def test_an_interval_that_holds_the_bound_decides_nothing(low, high, expected):
    found = {"what": Interval((low + high) / 2, low, high, 10)}
    assert above(found, 1.0, SCENARIO).agreement is expected


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(1.2, 1.8, Agreement.AGREES), (2.5, 3, Agreement.DIFFERS), (1.5, 2.5, Agreement.NOT_COMPARABLE)],
)
def test_a_range_is_left_only_by_a_whole_interval(low, high, expected):
    found = {"what": Interval((low + high) / 2, low, high, 10)}
    assert between(found, 1, 2, SCENARIO).agreement is expected


def test_one_clear_difference_among_open_ones_is_enough():
    found = {"open": Interval(1, 0.5, 2, 10), "clear": Interval(0.5, 0.2, 0.8, 10)}
    assert above(found, 1.0, SCENARIO).agreement is Agreement.DIFFERS


@pytest.mark.parametrize(("times", "expected"), [(1.0, Agreement.AGREES), (1.02, Agreement.DIFFERS)])
def test_a_printed_curve_two_per_cent_off_is_noticed(times, expected):
    assert curve("fig:randomwalk_3b4s_errorbar", "mb-ucbvi", times).agreement is expected


def test_regret_with_monte_carlo_noise_is_not_compared_with_expected_regret():
    assert curve("fig:task_scheduling", "mb-psrl").agreement is Agreement.NOT_COMPARABLE


def test_the_command_of_a_recorded_run_names_its_learners():
    assert (
        "--agents mb-psrl,mb-psrl-gaussian,psrl,psrl-gaussian --simulations 500"
        in recorded_run("random-models").command
    )

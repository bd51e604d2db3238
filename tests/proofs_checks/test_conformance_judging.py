"""Judgements and reports by hand; the fixed cases of a version are pinned."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq

from proofs_checks.trials.conformance import KINDS, Tolerance, cases
from proofs_checks.trials.conformance.calling import answer_of
from proofs_checks.trials.conformance.cases import VERSION
from proofs_checks.trials.conformance.judging import Defect, Judgement, compare_numbers, failure
from proofs_checks.trials.conformance.printing import print_report, report_content
from proofs_checks.trials.conformance.running import Failure, Report, always_the_same
from tests.pinned import hold, in_short
from theory import Arm, Bandit, ModelError, parse_model, rational

PINNED = Path(__file__).with_name("cases.txt")
"""The fixed cases of each version and kind; changing a model needs a new version."""


@pytest.mark.parametrize("kind", KINDS)
def test_fixed_cases_equal_the_pinned_cases_of_their_version(kind):
    found = cases.__wrapped__(kind)
    hold(PINNED, f"version {VERSION}, {kind}", (f"{case.name}: {in_short(case.bandit)}" for case in found))


def compared(found, exact, tolerance=Tolerance()):  # noqa: B008
    names = [f"s{x + 1}" for x in range(len(exact))]
    return compare_numbers(np.array(found, dtype=float), [fmpq(value) for value in exact], names, tolerance)


def test_judgement_reports_the_largest_errors():
    judged = compared([4.5, 0.25, -2.0], [4, 0, -1])
    assert (judged.absolute_error, judged.relative_error) == (1.0, 1.0)
    judged = compared([4.5, 0.25, -1.0], [4, 0, -1])
    assert (judged.absolute_error, judged.relative_error) == (0.5, 0.125)  # relative where the exact answer is not 0
    assert compared([0.25], [0]).relative_error == 0
    assert judged.defects == (Defect("wrong number", "s1: 4.5 in place of 4.0"),)


def test_error_tolerance_scales_with_the_largest_answer():
    loose = Tolerance(error=0.125)
    assert compared([9.0, 0.0], [8, 0], loose).passed  # exactly the tolerance
    assert not compared([9.25, 0.0], [8, 0], loose).passed
    assert compared([0.125, 0.0], [fmpq(0), fmpq(0)], replace(loose, tie=1.0)).passed  # of answers below 1: times 1
    assert not compared([0.25, 0.0], [fmpq(1, 8), fmpq(0)], replace(loose, error=0.0625)).passed


@pytest.mark.parametrize("inverted", range(4))
def test_every_adjacent_inversion_is_reported_as_wrong_order(inverted):
    exact = [5, 4, 3, 2, 1]
    found = [float(value) for value in exact]
    found[inverted], found[inverted + 1] = found[inverted + 1], found[inverted]
    (defect,) = (each for each in compared(found, exact).defects if each.kind == "wrong order")
    detail = f"s{inverted + 1} is above s{inverted + 2} exactly, and came out below it"
    assert defect.detail == detail


def test_inversions_within_tolerance_or_of_ties_are_not_reported():
    loose = Tolerance(error=0.25, tie=0.5)
    assert compared([1.0, 1.25], [fmpq(9, 8), 1], loose).passed
    assert [each.kind for each in compared([0.875, 1.25], [fmpq(9, 8), 1], loose).defects] == ["wrong order"]
    assert {each.kind for each in compared([1.0, 3.0], [1, 1], loose).defects} == {"wrong number", "tie split"}


def test_split_ties_are_counted_in_pairs_up_to_their_tolerance():
    exact = [1, 1, 1, 1, 2, 2]
    judged = compared([1.0, 1.0, 1.0 + 2**-40, 1.0 + 2**-39, 2.0, 2.0], exact)
    assert (judged.ties_split, judged.passed) == (5, True)  # six pairs, of which one is equal
    judged = compared([1.0, 1.0, 1.5, 1.25, 2.0, 2.0], exact, Tolerance(error=0.5))
    assert judged.defects == (Defect("tie split", "s1 and s3 are exactly equal and came out 0.5 apart"),)
    for tie, passed in ((0.25, True), (0.125, False)):
        assert compared([1.0, 1.25], [1, 1], Tolerance(error=0.5, tie=tie)).passed is passed


@pytest.mark.parametrize(
    "wrong", [{"error": 0.0}, {"tie": 0.0}, {"optimism": 0.0}, {"error": 1.5}, {"optimism": np.nan}]
)
def test_tolerance_must_be_above_0_and_at_most_1(wrong):
    with pytest.raises(ModelError, match="is not above 0 and at most 1"):
        Tolerance(**wrong)
    Tolerance(1.0, 1.0, 1.0)


@pytest.mark.parametrize("of_first", [True, False])
def test_gittins_judgement_takes_the_worst_arm_and_all_ties(of_first):
    """The largest errors of any arm, and the number of split ties of all arms."""
    tied, other = Arm(rewards=[1, 1], transitions=[[1, 0], [0, 1]]), Arm(rewards=["1/2"], transitions=[[1]])
    error = 2.0**-40

    def nearly(transitions, rewards, discount):
        if len(rewards) == 2:
            return rewards + np.array([0, error])
        return rewards + error / 4

    arms = [tied, other, tied] if of_first else [other, tied, tied]
    judged = KINDS["gittins"](nearly, Bandit(arms, "1/2"), Tolerance())
    assert judged == Judgement(error, error, 2)


def one_state(reward, radius=0):
    return Bandit([Arm(rewards=[reward], transitions=[[1]], reward_radius=[radius])], "1/2", [0])


@pytest.mark.parametrize("reward", [4, "1/8"])
def test_value_above_the_optimum_is_reported_as_negative_regret(reward):
    """Of one state and discount 1/2 the value is twice the reward; the tolerance is relative to it, or to 1."""
    bandit, loose = one_state(reward), Tolerance(error=0.125, tie=1.0)
    value = 2 * float(fmpq(*map(int, str(reward).split("/"))) if isinstance(reward, str) else reward)
    allowed = 0.125 * max(1.0, value)
    for above, kinds in (
        (allowed, set()),
        (1.5 * allowed, {"wrong number", "negative regret"}),
        (-1.5 * allowed, {"wrong number"}),
    ):
        judged = KINDS["value"](lambda *_, above=above: value + above, bandit, loose)
        assert {defect.kind for defect in judged.defects} == kinds
        assert judged.absolute_error == abs(above)
        assert (judged.relative_error > 0, judged.ties_split) == (True, 0)
    found = iter([value, 2 * value + 1, value])
    judged = KINDS["value"](lambda *_: next(found), bandit, loose)
    detail = f"its reverse: {2 * value + 1!r} is above the optimal value {value!r}"
    assert [defect.detail for defect in judged.defects if defect.kind == "negative regret"] == [detail]


@pytest.mark.parametrize(("value", "radius"), [(4, "1/2"), (0.5, "1/8"), (-4, "1/2")])
@pytest.mark.parametrize(("below", "kinds"), [(1, set()), (1.5, {"not optimistic"}), (-1.5, set())])
def test_optimism_has_its_own_tolerance(value, radius, below, kinds):
    """Rewards 3/2, 1/8 and -5/2 with their radius at discount 1/2; the tolerance is relative to their value, or to 1."""
    bandit, below = one_state(rational(str(value)) / 2 - rational(radius), radius), below * max(1, abs(value)) / 16
    judged = KINDS["evi"](lambda *_: value - below, bandit, Tolerance(error=1.0, optimism=0.0625))
    assert {defect.kind for defect in judged.defects} == kinds
    assert (judged.absolute_error, judged.relative_error) == (abs(below), abs(below / value))
    if kinds:
        assert judged.defects[0].detail == f"{value - below!r} is below the optimistic value {float(value)!r}"


@pytest.mark.parametrize(("kind", "answer"), [("value", [1.0]), ("evi", [1.0]), ("gittins", 1.0)])
def test_answer_of_another_shape_is_reported(kind, answer):
    (defect,) = KINDS[kind](lambda *_: answer, one_state(1), Tolerance()).defects
    assert defect.kind == "wrong shape"


def test_implementations_receive_the_model_as_arrays():
    """Every argument in its place, for each kind of implementation."""
    given = []
    rows, radii = [[1, 0], ["1/2", "1/2"]], {"reward_radius": ["1/8", 0], "transition_radius": [2, "1/4"]}
    known = Arm(rewards=["1/2"], transitions=[[1]], reward_radius=[1], transition_radius=[0])
    bandit = Bandit([Arm(rewards=["1/4", 1], transitions=rows, **radii), known], "3/4", [1, 0])

    def noted(*arguments):
        given.append(arguments)
        return 0.0

    KINDS["evi"](noted, bandit, Tolerance())
    transitions, rewards, row_radii, reward_radii, discount, initial = given.pop()
    assert [row.tolist() for row in transitions] == [[[1, 0], [0.5, 0.5]], [[1]]]
    assert [row.tolist() for row in rewards] == [[0.25, 1], [0.5]]
    assert [row.tolist() for row in row_radii] == [[2, 0.25], [0]]
    assert [row.tolist() for row in reward_radii] == [[0.125, 0], [1]]
    assert (discount, initial.tolist()) == (0.75, [1, 0])
    KINDS["value"](noted, bandit, Tolerance())
    assert [np.array(arguments[3]).tolist() for arguments in given] == [
        [[0, 1], [1, 0], [0, 0]],  # the indices are 1, 1/2 and 1/4
        [[0, 0], [1, 0], [0, 1]],
        [[0, 0], [0, 1], [1, 0]],
    ]
    assert all((arguments[2], arguments[4].tolist()) == (0.75, [1, 0]) for arguments in given)


@pytest.mark.parametrize("changed", [lambda a: a.pop(), lambda a: a.append(1), lambda a: a.__setitem__(0, np.zeros(2))])
def test_changed_argument_lists_are_reported(changed):
    judged = answer_of(lambda each: changed(each) and 0.0, (), each=[np.ones(2), np.ones(1)])
    assert judged.defects[0].kind == "changes its arguments"


def test_type_error_inside_the_function_is_not_blamed_on_the_call():
    judged = answer_of(lambda x: x + "text", (), x=1.0)
    assert judged.defects[0].kind == "error"
    assert "it is called with" not in judged.defects[0].detail


def report(**changed):
    judgements = {
        "first": Judgement(0.5, 0.25, 2, (Defect("wrong number", "s1"), Defect("wrong number", "s2")), {"regret": 2.0}),
        "second": Judgement(0.125, 0.75, 3, (), {"regret": 0.5, "other": 1.0}),
        "third": Judgement(0.25, 0.125, 0, (Defect("wrong number", "s1"), Defect("tie split", "s3")), {}),
    }
    return replace(Report("gittins", "theirs", judgements, 7, 61), **changed)


FAILED = (Failure("error: why", bandit=one_state(1), judgement=failure("error", "why")),)


def test_report_aggregates_its_judgements():
    found = report()
    assert (found.whole.absolute_error, found.whole.relative_error, found.whole.ties_split) == (0.5, 0.75, 5)
    assert dict(found.defects) == {"wrong number": 2, "tie split": 1}  # by cases
    assert found.whole.information == {"regret": 2.5, "other": 1.0}
    assert (found.passed, found.unanswered) == (False, 0)
    unanswered = report(judgements={"a": failure("error", "x"), "b": Judgement(), "c": failure("error", "x")})
    assert (unanswered.unanswered, unanswered.whole.absolute_error) == (2, np.inf)


def test_report_passes_only_if_complete_and_without_failure():
    right = {"only": Judgement(1e-12, 1e-12)}
    assert report(judgements=right).passed
    assert not report(judgements=right, interrupted=True).passed
    assert not report(judgements=right, failures=FAILED).passed
    assert not report(judgements=right | {"other": failure("error", "x")}).passed


def test_report_content_lists_failures_and_smallest_models():
    content = report_content(report(failures=FAILED))
    assert (content["cases"], content["failed_cases"]) == (3, 2)
    assert content["failures"] == {
        "first": ["wrong number: s1", "wrong number: s2"],
        "third": ["wrong number: s1", "tie split: s3"],
    }
    (smallest,) = content["smallest_failures"]
    assert (smallest["case"], smallest["defects"]) == (None, ["error: why"])
    assert parse_model(json.dumps(smallest["model"])).discount == fmpq(1, 2)
    empty = report_content(report())
    assert (empty["smallest_failures"], empty["generated"]) == ([], 7)


def test_printed_report_groups_failures_and_abbreviates(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    print_report(report(), with_model=True)
    output = capsys.readouterr().out
    assert "theirs (gittins, cases of version 1): does not conform" in output
    assert "fixed cases: 1 of 61 passed" in output
    assert "worst error: 0.5 absolute, 0.75 relative" in output
    assert "by however little: 5" in output
    assert "no failure on 7 generated models" in output
    alike = {f"case {i}": failure("error", "same") for i in range(2)}
    alike |= {f"own {i}": failure("error", str(i)) for i in range(21)}
    two_arms = Bandit([Arm(rewards=[1], transitions=[[1]])] * 2, "1/2")
    two_arms = Failure("error: other", bandit=two_arms, judgement=failure("error", "other"))
    print_report(
        report(judgements=alike, failures=(*FAILED, two_arms, replace(two_arms, case="twice"))), with_model=True
    )
    output = capsys.readouterr().out
    assert "without an answer that can be compared: 23" in output
    assert "case 0 and 1 more" in output
    assert "own 18  " in output
    assert "own 19" not in output
    assert "... and 2 more cases" in output
    assert "smallest failing model (1 state, discount 1/2): error: why" in output
    assert '"discount": "1/2"' in output
    assert "failing otherwise (2 states in 2 arms, discount 1/2): error: other" in output
    assert "failing otherwise (twice): error: other" in output
    print_report(report(judgements={"only": Judgement()}, generated=0), with_model=True)
    output = capsys.readouterr().out
    assert ": conforms" in output
    assert "generated" not in output
    print_report(report(judgements={}, interrupted=True), with_model=True)
    output = capsys.readouterr().out
    assert ": interrupted" in output
    assert "worst error: 0 absolute, 0 relative" in output


def test_failure_that_does_not_repeat_is_noticed():
    tried = []

    def fails_once(bandit):
        tried.append(bandit)
        return len(tried) == 3

    assert not always_the_same(fails_once, "gittins", 20)
    assert always_the_same(lambda bandit: False, "gittins", 5)
    assert always_the_same(lambda bandit: bandit.sizes == (2,), "gittins", 50)

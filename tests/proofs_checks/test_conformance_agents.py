"""The conformance kit passes the learners of this package and finds defects of broken learners."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from mbrl.agents import Problem
from mbrl.agents.baselines import Oracle, Uniform
from mbrl.agents.interface import Trajectory
from mbrl.agents.mb_minimax import MBMinimax
from mbrl.agents.mb_psrl import MBPSRL
from mbrl.agents.mb_ucbvi import MBUCBVI
from mbrl.agents.mb_ucrl2 import MBUCRL2
from mbrl.agents.vanilla import PSRL, UCBVI, UCRL2
from mbrl.confidence import value_bonus
from mbrl.environments import from_bandit
from mbrl.kernels import bandit_indices
from mbrl.policies import IndexPolicy, TablePolicy
from proofs_checks.trials.conformance import KINDS, Tolerance, agents, cases, conform, load_callable
from proofs_checks.trials.conformance.optimism import Shown
from theory import Arm, Bandit, nearest_float, rational
from theory.values import optimal_value


class Careless:
    """A correct learner: random orders and a count of visits; the broken ones derive from it."""

    def __init__(self, problem):
        self.problem = problem
        self.step, self.visits = 1, np.zeros((problem.arms, problem.width))

    def plan(self, rng):
        return self.order(rng.random((self.problem.arms, self.problem.width)))

    def order(self, numbers):
        return IndexPolicy.from_indices(numbers, self.problem.sizes)

    def observe(self, trajectory):
        self.count(trajectory.arms, trajectory.states)

    def count(self, arms, states):
        self.step += len(arms)
        np.add.at(self.visits, (arms, states), 1)


def learner(of=Careless, **methods):
    """Return a subclass of a learner with some methods replaced."""
    return type("Learner", (of,), methods)


def values_changed(change):
    """Return an optimistic learner that changes its values after computing them."""

    def plan(self, rng):
        policy = MBUCRL2.plan(self, rng)
        change(self.values)
        return policy

    return learner(MBUCRL2, plan=plan)


def with_optimistic_value(values):
    """Return a learner with the given optimistic values; it reports no gap, so no iteration is compared."""
    return learner(optimistic_value=property(lambda self: values(self.problem) * np.ones(self.problem.global_states)))


def certain(problem):
    """A value that no bandit exceeds."""
    return 1 / (1 - problem.discount)


def with_squared_discount(self, problem):
    """Learn as if the discount were its square."""
    MBUCRL2.__init__(self, Problem(problem.sizes, problem.discount**2, problem.episodes))


def raises(self, trajectory):
    raise IndexError("no such state")


def in_one_state(there):
    return with_optimistic_value(
        lambda problem: np.where(np.arange(problem.global_states) == 1, there, certain(problem))
    )


def plan_unsettled(self, rng):
    """Plan like MB-UCBVI, but break ties of indices by rounding."""
    problem, (moves, sums, _, (step, _), _) = self._problem, self._memory.counts
    visits, sizes = moves.sum(axis=2), problem.sizes[:, None]
    seen, uniform = np.maximum(visits, 1), (np.arange(problem.width) < sizes) / sizes
    rows = np.where(visits[..., None] > 0, moves / seen[..., None], uniform[:, None])
    means = sums / seen + value_bonus(visits, problem.arm_states, problem.episodes, step, problem.discount)
    return IndexPolicy.from_indices(bandit_indices(rows, means, problem.sizes, problem.discount), problem.sizes)


def table_learner(ties):
    """Return a learner that plays the arm with the largest sum of rewards, perhaps with rounding noise in the sums."""

    def plan(self, rng):
        states = np.indices(self.problem.sizes).reshape(self.problem.arms, -1)
        paid = np.array([self.paid[a, x] for a, x in enumerate(states)])
        noise = np.array([[0.1 * (a + x) + 0.2 * (a + x) - 0.3 * (a + x) for x in of] for a, of in enumerate(states)])
        return TablePolicy.from_table((paid + (noise if ties == "rounding" else 0)).argmax(axis=0), self.problem.sizes)

    def observe(self, seen):
        Careless.observe(self, seen)
        np.add.at(self.paid, (seen.arms, seen.states), seen.rewards)

    paid = property(lambda self: self.__dict__.setdefault("paid_so_far", np.zeros_like(self.visits)))
    return learner(plan=plan, observe=observe, paid=paid, ties="last" if ties == "last" else "first")


EPISODES = itertools.count()
CERTAIN, NOTHING_IN_ONE_STATE = with_optimistic_value(certain), in_one_state(0.0)
GLOBAL = learner(plan=lambda self, rng: self.order(np.random.random((self.problem.arms, self.problem.width))))
RIGHT = [MBPSRL, MBUCRL2, MBUCBVI, MBMinimax, PSRL, UCRL2, UCBVI, Uniform, CERTAIN, table_learner("first")]
BROKEN = {
    "forgets the last step": learner(observe=lambda self, seen: self.count(seen.arms[:-1], seen.states[:-1])),
    "counts where the arm went": learner(observe=lambda self, seen: self.count(seen.arms, seen.next_states)),
    "uses the global generator": GLOBAL,
    "its knowledge outlives it": learner(plan=lambda self, _: Careless.plan(self, np.random.default_rng(next(EPISODES)))),
    "changes the rewards": learner(observe=lambda self, seen: Careless.observe(self, seen) or seen.rewards.fill(0)),
    "plans nothing": learner(plan=lambda self, rng: None),
    "plans an arm too many": learner(plan=lambda self, _: TablePolicy(np.full(self.problem.global_states, self.problem.arms))),
    "raises": learner(observe=raises),
    "values 1e-6 too low": values_changed(lambda values: np.subtract(values, 1e-6 * np.maximum(1, abs(values)), values)),
    "one value 1e-6 too low": values_changed(lambda values: values.put(0, values[0] - 1e-6 * max(1, abs(values[0])))),
    "discounts twice": learner(MBUCRL2, __init__=with_squared_discount), "other values, and too low": with_optimistic_value(lambda problem: 1e-3),
    "not a number": with_optimistic_value(lambda problem: np.nan), "infinite in one state": in_one_state(np.inf),
    "nothing in one state": NOTHING_IN_ONE_STATE,
    "leaves indices to rounding": learner(MBUCBVI, plan=plan_unsettled), "leaves a table to rounding": table_learner("rounding"),
    "says last, plays the first": table_learner("last"),
}  # fmt: skip


@pytest.mark.parametrize("learner", RIGHT, ids=lambda c: c.__name__)
def test_correct_learners_conform(learner):
    report = conform(learner, "agent", examples=10 if learner in (MBUCRL2, MBUCBVI) else 0)
    assert report.passed, (report.defects, report.failures)
    assert (report.whole.absolute_error, report.whole.ties_split) == (0, 0)
    information = report.whole.information
    assert set(information) == {"total exact regret", "of random play"}
    assert learner is not Uniform or information["total exact regret"] == information["of random play"] > 0


def test_oracle_conforms_with_zero_regret():
    for case in cases("agent"):
        environment = from_bandit(case.bandit, "known")
        judged = case.judge(lambda problem, environment=environment: Oracle(environment))
        assert judged.passed, (case.name, judged.defects)
        assert judged.information["total exact regret"] == 0, case.name


@pytest.mark.parametrize(
    ("name", "defect"),
    [
        ("forgets the last step", "steps missed"), ("forgets the last step", "wrong visits"),
        ("counts where the arm went", "wrong visits"), ("uses the global generator", "global randomness"),
        ("uses the global generator", "not reproducible"), ("its knowledge outlives it", "not reproducible"),
        ("changes the rewards", "changes what it is shown"), ("plans nothing", "invalid policy"),
        ("plans an arm too many", "invalid policy"), ("raises", "error"), ("values 1e-6 too low", "not optimistic"),
        ("one value 1e-6 too low", "not optimistic"), ("discounts twice", "not optimistic"),
        ("other values, and too low", "not optimistic"), ("not a number", "not finite"),
        ("infinite in one state", "not finite"), ("nothing in one state", "not optimistic"),
        *((name, "tie broken by rounding") for name in list(BROKEN)[-3:]),
    ],
)  # fmt: skip
def test_broken_learners_have_the_expected_defect(name, defect):
    found = set()
    named = ("arms of different sizes, beta 1/2", "two tied arms, beta 1/2")
    for case in (case for case in cases("agent") if case.name in named):
        for each in case.judge(BROKEN[name]).defects:
            found.add(each.kind)
            if name == "leaves indices to rounding":
                assert each.detail.endswith("; round indices, as np.round(indices, 12) does")
            later = each.kind in (
                "tie broken by rounding",
                "error",
                "global randomness",
                "changes what it is shown",
                "wrong visits",
            )
            assert later or each.detail.startswith("episode 1: "), each.detail
    assert defect in found


def test_optimism_error_is_relative_to_the_largest_value():
    case = next(case for case in cases("agent") if case.name == "one arm, beta 1/2")
    judged = case.judge(NOTHING_IN_ONE_STATE)
    assert judged.absolute_error == nearest_float(optimal_value(case.bandit).values[(1,)])
    assert judged.relative_error == judged.absolute_error / 2  # the others are 1 / (1 - 1/2)


@pytest.mark.parametrize(("below", "passes"), [(3 / 64, True), (5 / 64, False)])
def test_optimism_tolerance_is_absolute_for_values_below_1(below, passes):
    """The only value is 1/8; the tolerance 1/16 is relative to the largest value, but at least absolute."""

    class TooLow(Careless):
        optimistic_value = np.array([1 / 8 - below])

    bandit = Bandit([Arm(rewards=["1/8"], transitions=[[1]])], 0, [0])
    judged = KINDS["agent"](TooLow, bandit, Tolerance(optimism=1 / 16))
    assert judged.passed == passes
    assert (judged.absolute_error, judged.relative_error) == (below, below)


@pytest.mark.parametrize(("gap", "passes"), [(0.125, True), (0.0625, False)])
def test_optimism_check_allows_for_the_reported_gap(gap, passes):
    """Values are too low by 1/8; the reported gap covers that, or does not."""

    def plan(self, rng):
        policy = MBUCRL2.plan(self, rng)
        self.values -= 0.125
        self._memory.gap[0] += gap
        return policy

    case = next(case for case in cases("agent") if case.name == "one state, beta 1/2")
    judged = case.judge(learner(MBUCRL2, plan=plan))
    assert judged.passed == passes
    assert passes or judged.absolute_error == pytest.approx(1 / 8, abs=1 / 64)  # unchanged: nearly exact


@pytest.mark.parametrize(
    ("regret", "defect"), [("-1/8", "negative regret"), ("0", None), ("1", None), ("9/8", "impossible regret")]
)
def test_referee_refuses_negative_and_impossible_regret(monkeypatch, regret, defect):
    """Rewards 1/4 and 3/4 at discount 1/2: the optimum from 3/4 is 3/2, and no policy loses more than 1."""
    bandit = Bandit([Arm(rewards=["1/4", "3/4"], transitions=[[1, 0], [0, 1]])], "1/2", [1])
    value = rational("3/2") - rational(regret)
    monkeypatch.setattr(agents.RegretMeter, "exact", lambda meter, policy, start: (value, rational("3/2")))
    referee = agents._Referee(from_bandit(bandit, "hard"), Tolerance())
    policy = IndexPolicy.from_indices(np.zeros((1, 2)), [2])
    assert referee.total_regret([policy, policy]) == 2 * rational(regret)
    assert set(referee.defects) == ({defect} if defect else set())


def test_judge_restores_global_random_generators():
    np.random.seed(5)
    random.seed(5)
    before = np.random.get_state()[1].tolist(), random.getstate()
    cases("agent")[0].judge(GLOBAL)
    assert (np.random.get_state()[1].tolist(), random.getstate()) == before


@pytest.mark.parametrize(("options", "first"), [("", 1.0), ("/first=0.5", 0.5)])
def test_example_learner_conforms(options, first):
    made = load_callable(f"mbrl.examples.learner:Myopic{options}")
    assert made(Problem(np.array([2]), 0.5, 10)).first == first
    report = conform(made, "agent", examples=20)
    assert report.passed, report.failures


def test_reproducibility_check_includes_the_last_plan():
    """A learner that plans at random in the last episode only, the second time that it is made."""
    made = []

    class AtLast(Careless):
        def __init__(self, problem):
            super().__init__(problem)
            made.append(self)
            self.second, self.planned = len(made) == 2, 0

        def plan(self, rng):
            self.planned += 1
            numbers = rng.random((self.problem.arms, self.problem.width))
            return self.order(-numbers if self.second and self.planned == agents.EPISODES else numbers)

    two_arms = next(case for case in cases("agent") if case.name == "two tied arms, beta 1/2")
    (defect,) = two_arms.judge(AtLast).defects
    assert (defect.kind, defect.detail) == ("not reproducible", "episode 24: another plan from the same seeds")


@pytest.mark.parametrize("plans", [2, 2 * agents.EPISODES])
def test_state_that_fades_during_the_run_is_found(plans):
    """A learner that explores in the first plans of the process, whatever bandit they are for."""
    before = itertools.count()

    def plan(self, rng):
        drawn = Careless.plan(self, rng)
        return drawn if next(before) < plans else self.order(np.zeros((self.problem.arms, self.problem.width)))

    assert conform(learner(plan=plan), "agent", examples=0).defects["not reproducible"] == 1


def test_confidence_set_of_observations_matches_hand_computation():
    """One visit that paid, two of which one did: t = 4, S = 2, n = 1, K = 10, and radii sqrt(log(2 S n K t)/(2 N))."""
    shown = Shown(Problem(np.array([2]), 0.5, 10))
    played, moved, paid = ([0, 0, 0], [0, 1, 1]), [1, 1, 0], [1.0, 1.0, 0.0]
    shown.add(Trajectory(np.array([0]), *map(np.array, (*played, moved, paid))))
    truth = Bandit([Arm(rewards=[0, 0], transitions=[[1, 0], [0, 1]])], "1/2", [0])
    (arm,) = shown.confidence_set(truth).arms
    assert (arm.rewards, arm.transitions) == ((1, rational("1/2")), ((0, 1), (rational("1/2"), rational("1/2"))))
    expected = [np.sqrt(np.log(2 * 2 * 10 * 4) / (2 * N)) for N in (1, 2)]
    assert [nearest_float(radius) for radius in arm.reward_radius] == pytest.approx(expected)
    expected = [np.sqrt(2 * np.log(2 * 10 * 2**2 * 4) / N) for N in (1, 2)]
    assert [nearest_float(radius) for radius in arm.transition_radius] == pytest.approx(expected)

"""Refusals of arguments outside a function's domain, and their messages."""

import re
from decimal import Decimal
from fractions import Fraction
from types import SimpleNamespace

import pytest
from flint import fmpq

import theory
import theory.certified
from tests.refusals import refusal
from theory import bayes, minimax, paper
from theory.gittins import gittins_indices
from theory.model import Arm, Bandit
from theory.optimism import best_row, distance, largest_expectation, shared_supremum, vertex_bandits, vertices
from theory.paper import BestArmPrior, log_term, ucbvi_bonus
from theory.parametric import parametric_bandit, parametric_indices

ARM = Arm(rewards=[1], transitions=[[1]])
TAKING_A_DISCOUNT = [
    theory.exact_discount, lambda beta: Bandit([ARM], beta), lambda beta: gittins_indices(ARM, beta),
    lambda beta: theory.gittins_index(ARM, beta, 0),
    lambda beta: theory.certified.horizon_moment(1, beta), lambda beta: ucbvi_bonus(1, 1, 1, 1, 0, beta),
    lambda beta: log_term(1, 1, 2, beta), lambda beta: BestArmPrior(1, 1, beta, 0, 1),
]  # fmt: skip


@pytest.mark.parametrize("taking", TAKING_A_DISCOUNT)
def test_every_function_refuses_a_float_discount_and_one_outside_0_to_1(taking):
    for value in (1, "-1/10", 2, "1.0000000000000000000001"):
        assert re.fullmatch("discount: .* is outside 0 <= discount < 1", refusal(taking, value))
    assert refusal(taking, 0.9).startswith("discount: 0.9 is a float")


@pytest.mark.parametrize("count", [0, -1, True, 1.0, "1", None])
def test_check_counts_refuses_other_than_positive_integers(count):
    assert refusal(theory.check_counts, K=count) == f"K: {count!r} is not an integer of at least 1"
    theory.check_counts(0, N=0)


TWO = Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], [0, 1]])
BOTH = Bandit([TWO, ARM], "1/2", [0, 0])
FOR_ALL = parametric_indices(Arm(rewards=[0, 1], transitions=[["1/2", "1/2"], [0, 1]]))
KNOWN_ARMS = Arm(rewards=[0, 1], transitions=[[0, 1]] * 2), Arm(rewards=["1/2"], transitions=[[1]])
KNOWN = parametric_bandit(Bandit(KNOWN_ARMS, 0))
COIN = Bandit([ARM], 0)
LARGE = Arm(rewards=[0] * 21, transitions=[[1, *[0] * 20]] * 21)
WIDE = Arm(rewards=[0] * 8, transitions=[[fmpq(1, 8)] * 8] * 8, transition_radius=[1] * 8)
TASKS = theory.paper_model("task-scheduling")


def nothing(state):
    return 0


@pytest.mark.parametrize(
    ("taking", "answer"),
    [
        (lambda h: theory.gittins.continuation_set(TWO, h, 1), frozenset({0})),
        (lambda h: theory.gittins.continuation_set(TWO, "1/2", h), frozenset({0})),
        (lambda h: theory.gittins.stopping_process(TWO, h, h).solve().values[0], fmpq(3, 2)),
        (lambda h: theory.gittins.restart_process(TWO, h, 0).solve().values[0], 2),
        (lambda h: theory.gittins.refutation(TWO, h, [1, 0]), None),
        (lambda h: theory.gittins.values_with_retirement(theory.stopped_chain(TWO, h, [0]), h, h), (fmpq(3, 2), fmpq(1, 2))),
        (lambda h: theory.stopped_chain(TWO, h, [0]).time, (fmpq(4, 3), 0)),
        (lambda h: theory.expectation([h, h], [h, 1]), fmpq(3, 4)),
        (lambda h: best_row([h, h], h, [0, h]), (fmpq(1, 4), fmpq(3, 4))),
        (lambda h: largest_expectation([h, h], h, [0, h]), fmpq(3, 8)),
        (lambda h: distance([h, h], [1, 0]), 1),
        (lambda h: vertices([h, h], h), [(fmpq(1, 4), fmpq(3, 4)), (fmpq(3, 4), fmpq(1, 4))]),
        (lambda h: shared_supremum(BOTH, tolerance=h).lower, 2),
        (lambda h: theory.values.retirement_function(TWO, h, 0)(h), fmpq(3, 2)),
        (lambda h: theory.values.retirement_function(TWO, h, 0).slope(h), fmpq(1, 3)),
        (lambda h: theory.values.extreme_functions(TWO, h)[0], (0, 2)),
        (lambda h: FOR_ALL.piece_at(h).order, (1, 0)),
        (FOR_ALL.pieces[0].indices[0], fmpq(1, 3)),
        (lambda h: theory.certified.binomial_law(1, h), (fmpq(1, 2), fmpq(1, 2))),
        (lambda h: theory.certified.binomial_deviation(1, h, h), 1),
        (lambda h: theory.certified.multinomial_deviation(1, [h, h], h), 1),
        (lambda h: theory.certified.transition_count_law([[h, h], [0, 1]], [1, 0], [1])[(0, 1), (0, 0)], fmpq(1, 2)),
        (lambda h: theory.certified.geometric_probability([2], h), fmpq(1, 4)),
        (lambda h: theory.check_probability([h, h]), (fmpq(1, 2), fmpq(1, 2))),
        (lambda h: theory.check_probability([h, 0], may_be_less=True), (fmpq(1, 2), 0)),
    ],
)  # fmt: skip
def test_functions_accept_every_exact_number_type_and_refuse_floats(taking, answer):
    for half in (Fraction(1, 2), fmpq(1, 2), Decimal("0.5"), "0.5"):
        assert taking(half) == answer, type(half)
    assert "0.5 is a float" in refusal(taking, 0.5)


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: theory.check_probability([fmpq(-1, 2), fmpq(3, 2)]), "row has the negative probability -1/2"),
        (lambda: theory.check_probability([fmpq(1, 2)], "row of A1"), "row of A1 sums to 1/2, not 1"),
        (lambda: theory.check_probability([fmpq(3, 2)], may_be_less=True), "row sums to 3/2, not at most 1"),
        (lambda: theory.certified.binomial_law(-1, fmpq(1, 2)), "trials: -1 is not an integer of at least 0"),
        (lambda: theory.certified.binomial_law(1, fmpq(3, 2)), "has the negative probability -1/2"),
        (lambda: vertices(["1/2", "1/2"], -1), "radius: -1 is negative"),
        (lambda: vertices(["1/2", "1/3"], 1), "estimate sums to 5/6, not 1"),
        (lambda: best_row([1, 0], "-1/9", [0, 1]), "radius: -1/9 is negative"),
        (lambda: best_row([1, 0], 1, [0, 1, 2]), "3 values for 2 next states"),
        (lambda: largest_expectation([1, 0], 1, [0]), "1 values for 2 next states"),
        (lambda: distance([1, 0], [1]), "rows of 2 and of 1 entries have no distance"),
        (lambda: theory.expectation([1, 0], [1]), "2 probabilities for 1 values"),
        (lambda: theory.stopped_chain(TWO, 1, [0]), "discount: 1 is outside"),
        (lambda: theory.stopped_chain(TWO, 0, [2]), "continue_in: index 2 is outside 0..1"),
        (lambda: theory.gittins.continuation_set(TWO, -1, 0), "discount: -1 is outside"),
        (lambda: theory.gittins.stopping_process(BOTH, 0, 0), "an Arm is wanted and this is a Bandit"),
        (lambda: theory.gittins.restart_process(TWO, 0, -1), "home: index -1 is outside 0..1"),
        (lambda: theory.gittins.refutation(TWO, 2, [1, 0]), "discount: 2 is outside"),
        (lambda: theory.gittins_index(TWO, 0, 2), "state: index 2 is outside 0..1"),
        (lambda: theory.values.retirement_function(TWO, "1/2", -1), "state: index -1 is outside 0..1"),
        (lambda: theory.values.retirement_function(TWO, "3/2", 0), "discount: 3/2 is outside"),
        (lambda: theory.values.extreme_functions(BOTH, "1/2"), "an Arm is wanted and this is a Bandit"),
        (lambda: theory.values.retirement_mixture(TWO, 0, [0]), "a Bandit is wanted and this is an Arm"),
        (lambda: theory.gittins_value(SimpleNamespace(bandit=BOTH)), ": give its .bandit"),
        (lambda: theory.values.value_by_retirement(TWO), "a Bandit is wanted and this is an Arm"),
        (lambda: theory.values.geometric_mixture(BOTH, nothing, -1), "longest: -1 is not an integer of at least 0"),
        (lambda: theory.values.geometric_mixture(TWO, nothing, 1), "a Bandit is wanted and this is an Arm"),
        (lambda: theory.values.finite_horizon_value(BOTH, nothing, -1), "steps: -1 is not an integer of at least 0"),
        (lambda: theory.optimism.optimistic_value(TWO), "a Bandit is wanted and this is an Arm"),
        (lambda: theory.optimism.shared_supremum(TWO), "a Bandit is wanted and this is an Arm"),
        (lambda: shared_supremum(BOTH, tolerance=-1), "tolerance: -1 is negative"),
        (lambda: shared_supremum(BOTH, largest=0), "largest: 0 is not an integer of at least 1"),
        (lambda: FOR_ALL.piece_at(2), "discount: 2 is outside 0 <= discount <= 1"),
        (lambda: FOR_ALL.piece_at("-1/9"), "discount: -1/9 is outside 0 <= discount <= 1"),
        (lambda: FOR_ALL.ties_at(99), "breakpoint: index 99 is one of none"),
        (lambda: KNOWN.ties_at(99), "breakpoint: index 99 is outside 0..0"),
        (lambda: KNOWN.arms[0].ties_at(-1), "breakpoint: index -1 is one of none"),
        (lambda: KNOWN.played((0, 1)), "initial, arm 2: index 1 is outside 0..0"),
        (lambda: theory.certified.binomial_deviation(0, "1/2", 0), "trials: 0 is not an integer of at least 1"),
        (lambda: theory.gittins_indices(LARGE, "1/2", "definition"), "all stopping sets of 21 states is too much"),
        (lambda: theory.policy_value(TASKS, nothing), "has 2357947691 global states (11 * 11 * 11 * 11 * 11 * 11 * 11 * 11 * 11), beyond 2048 for exact linear systems; for a priority policy use the conservation laws"),
        (lambda: theory.finite_horizon_value(TASKS, nothing, 3), "a finite horizon needs the product; the discounted"),
        (lambda: theory.optimistic_value(TASKS), "its value is that of the Gittins policy"),
        (lambda: list(vertex_bandits(Bandit([WIDE], "1/2"))), "use extended value iteration"),
        (lambda: shared_supremum(BOTH, None, {(0, 0): "1/2"}), "weights sum to 1/2, not 1"),
        (lambda: shared_supremum(Bandit([ARM], 0)), "the model has no initial state"),
        (lambda: theory.values.retirement_mixture(BOTH, 2, [0, 0]), "2 is not an arm"),
        (lambda: theory.values.retirement_mixture(BOTH, 0, [0]), "initial: 1 states given for 2 arms"),
        (lambda: parametric_indices(BOTH), "an Arm is wanted and this is a Bandit"),
        (lambda: parametric_bandit(ARM), "a Bandit is wanted and this is an Arm"),
        (lambda: parametric_bandit(BOTH, 0), "largest: 0 is not an integer of at least 1"),
        (lambda: parametric_indices(LARGE), "21 states are beyond 20"),
        (lambda: FOR_ALL.indices_at(1), "discount: 1 is outside"),
        (lambda: FOR_ALL.indices_at(0.5), "0.5 is a float"),
        (lambda: theory.prism_model(Bandit([Arm(rewards=[-1], transitions=[[1]])], "1/2", [0])), "arm 1, state a1s1: reward -1 is negative, which PRISM does not allow"),
        (lambda: theory.prism_model(Bandit([ARM, Arm(rewards=[0, "-1/9"], transitions=[[1, 0]] * 2)], 0, [0, 0])), "arm 2, state a2s2: reward -1/9 is negative"),
        (lambda: theory.nearest_float(-(10**401) - 1), "-1.00e401 is beyond the range of floating-point numbers"),
        (lambda: theory.decimal_text("2/3", 0), "digits: 0 is too few; give at least 1"),
        (lambda: bayes.FinitePrior([], []), "0 models"),
        (lambda: bayes.FinitePrior([COIN], ["1/2", "1/2"]), "one weight per model"),
        (lambda: bayes.FinitePrior([COIN] * 2, [1, 0]), "weight 0"),
        (lambda: bayes.FinitePrior([COIN] * 2, ["1/2", "1/3"]), "sum to 5/6"),
        (lambda: bayes.FinitePrior([COIN, Bandit([ARM], "1/2")], ["1/2", "1/2"]), "differ"),
        (lambda: bayes.FinitePrior([COIN, Bandit([TWO], 0)], ["1/2", "1/2"]), "differ"),
        (lambda: bayes.FinitePrior([Bandit([Arm(rewards=[2], transitions=[[1]])], 0)], [1]), "reward 2 is outside"),
        (lambda: bayes.FinitePrior([COIN], [1]).posterior([[bayes.Step((0,), 0, 0, 0)]]), "no model"),
        (lambda: minimax.RetirementTable((1, 2), ((1, 2),)), "0 to B"),
        (lambda: minimax.RetirementTable((0, 1, 2), ((0, 1),)), "a value for each level"),
        (lambda: minimax.RetirementTable((0, 1, 2), ((0, "1/2", 2),)), "below it"),
        (lambda: minimax.RetirementTable((0, 1, 2), ((1, "9/5", 2),)), "slopes"),
        (lambda: minimax.RetirementTable((0, 1, 2), ((3, 2, 2),)), "slopes"),
        (lambda: minimax.MinimaxSettings(1, c1=2, c2="7/2"), "monotone"),
        (lambda: minimax.SeenArm(["3/2"], [[1]], [1]), "mean rewards are from 0 to 1"),
        (lambda: minimax.SeenArm(["1/2"], [[1]], [-1]), "visits are integers, at least 0"),
        (lambda: minimax.SeenArm(["1/2"], [["1/2"]], [1]), "row 0 sums to 1/2, not 1"),
        (lambda: paper.reward_radius(0, 1, 1, 1, 0), "S: 0 is not an integer of at least 1"),
        (lambda: paper.reward_radius(1, 1, 1, 1, -1), "N: -1 is not an integer of at least 0"),
        (lambda: paper.horizon_bound(3, 1, 0), "k: log(K(k-1)) needs k >= 2, and 1 was given"),
        (lambda: paper.last_log_factor(1, 1, 1, 0), "K: log K must be positive, and K = 1 was given"),
        (lambda: paper.tau(3, 2, 1), "discount: 1 is outside 0 <= discount < 1"),
        (lambda: theory.certified.enclosure(lambda: paper.tau(0, 2, "1/2")), "K: 0"),
        (lambda: paper.leading_function(0, 1, 2, 0), "S: 0"),
        (lambda: paper.leading_function(1, True, 2, 0), "n: True"),
        (lambda: paper.log_term(1, 1, 1, 0), "K: 1 is not an integer of at least 2"),
        (lambda: paper.theorem_side(1, 1, 1, 0), "K: 1 is not an integer of at least 2"),
        (lambda: paper.theorem_side(1, 1, 2, 0, 3), "order: 3 is neither 1"),
        (lambda: paper.trivial_bound(0, 0), "K: 0"),
        (lambda: paper.squared_bound(1, 0, 16, 0), "n: 0"),
        (lambda: BestArmPrior(0, 2, 0, "1/4", "3/4"), "S: 0"),
        (lambda: BestArmPrior(1, 0, 0, "1/4", "3/4"), "n: 0"),
        (lambda: BestArmPrior(1, 2, 0, 1, "3/4"), "means: 1 and 3/4 are not in order between 0 and 1"),
        (lambda: BestArmPrior(1, 2, 0, -1, "3/4"), "means: -1 and 3/4 are not in order"),
        (lambda: BestArmPrior(1, 2, 0, "1/4", "9/8"), "means: 1/4 and 9/8 are not in order"),
        (lambda: paper.adaptive_regret(BestArmPrior(1, 2, 0, "1/4", "3/4"), 0, 3), "K: 0"),
        (lambda: paper.episodic_regret(BestArmPrior(1, 2, 0, "1/4", "3/4"), 1, -1), "depth"),
        (lambda: paper.AbsorbingPrior(2, 2, "1/3", "1/2"), "discount: 1/3 is below 1/2"),
        (lambda: paper.AbsorbingPrior(2, 2, "1/2", 0), "delta: 0 is not in"),
        (lambda: paper.AbsorbingPrior(2, 2, "1/2", "51/100"), "delta: 51/100 is not in"),
        (lambda: paper.AbsorbingPrior(1, 2, "1/2", "1/2"), "S: 1 is not"),
        (lambda: paper.absorbing_regret(paper.AbsorbingPrior(2, 2, "1/2", "3/8"), 0, 3), "K: 0 is not"),
        (lambda: paper.absorbing_bound_squared(2, 2, 4, "1/2"), "K >= 9n"),
        (lambda: paper.motionless_bound_squared(2, 2, 3, "1/2"), "K >= 2S"),
        (lambda: paper.sharper_bound(2, 2, 10, "1/2", theta=0), "theta: 0 is not in"),
        (lambda: paper.sharper_bound(2, 2, 10, "1/2", theta="11/10"), "theta: 11/10 is not in"),
    ],
)  # fmt: skip
def test_functions_refuse_arguments_outside_their_domain(refused, message):
    assert message in refusal(refused)

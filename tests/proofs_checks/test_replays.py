"""Optimism with the paper's radii, in replayed runs and for any counts that a run could produce."""

from __future__ import annotations

import json
from dataclasses import replace
from types import SimpleNamespace

import flint
import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import event as note
from hypothesis import given
from hypothesis import strategies as st

from mbrl.agents.interface import Trajectory
from mbrl.confidence import appendix_step, bernstein_bonus
from mbrl.kernels.retirement import local_variances
from proofs_checks.trials.history import History
from proofs_checks.trials.replays import replaying
from proofs_checks.trials.replays.confidence import Confidence, believed_model, event
from proofs_checks.trials.replays.printing import print_replay, replay_content
from proofs_checks.trials.replays.replaying import LEARNERS, ReplayedEpisode, counts, replay
from proofs_checks.trials.strategies import arms, rationals
from tests.command_line import run
from theory import Arm, Bandit, ModelError, nearest_float, paper_model, value_of_float
from theory.certified import Truth
from theory.enclosures import Enclosure, enclosed_optimistic_value
from theory.paper import log_factor, random_walk, reward_radius
from theory.values import optimal_value

TWO_ARMS = Bandit([Arm(rewards=["1/5", "9/10"], transitions=[["1/2", "1/2"], ["1/4", "3/4"]]),
    Arm(rewards=["3/5", "1/10"], transitions=[["9/10", "1/10"], ["1/3", "2/3"]])], "3/4", [0, 0])  # fmt: skip
WALKS = Bandit(random_walk().arms[:2], "9/10", [0, 0])
RADII = ("text", "appendix")


# --- replayed runs


@pytest.mark.parametrize("radii", RADII)
@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize(("truth", "episodes"), [(TWO_ARMS, 12), (WALKS, 8)], ids=["two arms", "two walks"])
def test_replayed_episodes_with_the_event_are_optimistic(truth, episodes, learner, radii):
    found = replay(learner, truth, Confidence(radii, episodes), 1)
    defined = episodes - (radii == "appendix")
    sums = {"episodes": episodes, **dict.fromkeys(("defined", "event", "optimistic_with_event"), defined)}
    assert sums.items() <= counts(found).items()  # the radii are wide: the event has never failed
    assert all(each.stands for each in found)
    assert all(each.learner_agrees for each in found if each.event is not None)
    assert all(each.slack.low > 0 for each in found if each.event is not None)
    steps = [each.step for each in found]
    assert steps[0] == 1
    assert steps == sorted(set(steps))


def test_replay_with_small_radii_loses_event_and_optimism():
    """With a twentieth of the radii, so that the certified test above can fail."""
    ucrl2 = replay("mb-ucrl2", WALKS, Confidence("text", 8, fmpq(1, 20)), 1)
    assert counts(ucrl2)["event"] == 0
    assert counts(ucrl2)["optimistic"] < 8
    assert any(each.slack.high < 0 for each in ucrl2)
    ucbvi = counts(replay("mb-ucbvi", TWO_ARMS, Confidence("text", 25, fmpq(1, 20)), 1))
    assert 0 < ucbvi["event"] < 25
    assert ucbvi["optimistic_with_event"] == ucbvi["event"]
    assert ucbvi["optimistic"] < 25


def test_episode_stands_iff_it_contradicts_no_claim():
    assert ReplayedEpisode(1, 1, Truth.YES, Truth.YES, None, True).stands
    for bad in (
        ReplayedEpisode(1, 1, Truth.YES, Truth.NO, None, True),
        ReplayedEpisode(1, 1, Truth.YES, Truth.UNDECIDED, None, True),
        ReplayedEpisode(1, 1, Truth.NO, Truth.NO, None, False),
        ReplayedEpisode(1, 1, Truth.YES, Truth.YES, None, True, Truth.YES, False),
    ):
        assert not bad.stands
    assert ReplayedEpisode(2, 3, Truth.NO, Truth.NO, None, None, Truth.YES, False).stands


def test_recursion_may_fail_in_episodes_without_the_event(monkeypatch):
    """Two constant arms; without a bonus the right side of the recursion is nearly zero."""
    arms = Bandit([Arm(rewards=["1/2"], transitions=[[1]]), Arm(rewards=["1/3"], transitions=[[1]])], "1/2", [0, 0])
    none = replay("mb-ucbvi", arms, Confidence("text", 12, fmpq(1, 10**6)), 1)
    assert 0 < counts(none)["recursion"] < 12
    assert all(each.stands for each in none)
    whole = replay("mb-ucbvi", arms, Confidence("text", 12), 1)
    assert counts(whole)["recursion"] == counts(whole)["event"] == 12
    assert all(each.few_moves is Truth.YES for each in whole)
    assert all(each.recursion is None for each in replay("mb-ucrl2", arms, Confidence("text", 2), 1))
    for gap, kept in ((2 * 2 + 3, True), (8, False)):
        side = SimpleNamespace(gap=gap, bonus=2, excess=1, later=2)
        monkeypatch.setattr(replaying, "recursion_sides", lambda _, side=side: [side])
        assert replaying._recursion("mb-ucbvi", History.empty(arms.sizes), arms, Confidence("text", 2))[1] is kept


@pytest.mark.parametrize("radii", RADII)
def test_exact_bernstein_bonuses_match_the_learner(radii):
    """Many visits, where they are smaller than the printed ones: against the floating-point formula."""
    moves = (((400, 600), (30, 70)), ((0, 0), (5000, 15000)))
    history = History(moves, ((300, 1), (0, 19000)), (9000, 12100, 21100))
    confidence = Confidence(radii, 10)
    step = history.step if radii == "text" else appendix_step(10, history.episode, 0.9)
    for a in range(2):
        visits = np.array(history.visits[a], dtype=float)
        means, rows = zip(*(history.estimate(a, x) for x in range(2)), strict=True)
        spreads, floats = np.empty(2), np.array([nearest_float(mean) for mean in means])
        local_variances(np.array([[nearest_float(p) for p in row] for row in rows]), floats, 0.9, spreads)
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = (np.sqrt(floats * (1 - floats)) + 0.9 * np.sqrt(spreads)) ** 2 * visits / (visits - 1)
        expected = bernstein_bonus(visits, variance, 4, 10, step, 0.9)
        found = confidence.bonuses("mb-ucbvi-bernstein", history, history, fmpq(9, 10), a)
        np.testing.assert_allclose([float(each.mid()) for each in found], expected, rtol=1e-9)
        printed = confidence.bonuses("mb-ucbvi", history, history, fmpq(9, 10), a)
        assert any(one < other for one, other in zip(found, printed, strict=True))


@pytest.mark.parametrize(("share", "noticed"), [(1e-3, True), (2e-9, True), (5e-10, False)])
def test_replay_detects_a_learner_with_other_values(monkeypatch, share, noticed):
    lower = "proofs_checks.trials.replays.replaying.value_of_float"
    monkeypatch.setattr(lower, lambda number: value_of_float((1 - share) * number))
    assert all(each.stands for each in replay("mb-ucrl2", TWO_ARMS, Confidence("text", 3), 1)) is not noticed


def test_replay_refuses_other_learners_and_models():
    with pytest.raises(ModelError, match="no learner called 'oracle'"):
        replay("oracle", TWO_ARMS, Confidence("text", 3), 1)
    with pytest.raises(ModelError, match="rewards from 0 to 1"):
        replay("mb-ucrl2", paper_model("counterexample-m1"), Confidence("text", 3), 1)
    uneven = Bandit([Arm(rewards=[0], transitions=[[1]], states=["alone"]), TWO_ARMS.arms[0]], "1/2", [0, 0])
    with pytest.raises(ModelError, match="arms of equal size, not of 1 to 2 states"):
        replay("mb-ucbvi", uneven, Confidence("text", 3), 1)
    with pytest.raises(ModelError, match="seed: -3 is not an integer of at least 0"):
        replay("mb-ucbvi", TWO_ARMS, Confidence("text", 3), seed=-3)
    with pytest.raises(ModelError, match="share: -1/2 is negative"):
        Confidence("text", 3, fmpq(-1, 2))


def test_replay_command_prints_the_run():
    done = run("proofs_checks", "replay", "random-walk", "--episodes", "3", "--json")
    found = json.loads(done.stdout)
    assert (found["episodes"], found["event"], found["optimistic_with_event"]) == (3, 3, 3)
    assert found["rows"][0]["optimistic"] == "yes"
    done = run("proofs_checks", "replay", "random-walk", "--episodes", "1", "--share", "1/2")
    assert done.stdout.startswith("mb-ucrl2, radii of the main text, 1/2 of them\n")


PRINTED = """mb-ucbvi, radii of the appendix, 1/2 of them

episode  first step  event     optimistic  smallest slack, at least  learner agrees  few moves  recursion
1        1           no radii
2        9           yes       no          0.33333333                no              undecided  yes

2 episodes, radii defined in 1; the event held in 1, 0 of them optimistic; in all 0 were; the recursion held in 1
mb-ucrl2, radii of the main text

episode  first step  event     optimistic  smallest slack, at least  learner agrees
1        1           no radii

1 episodes, radii defined in 0; the event held in 0, 0 of them optimistic; in all 0 were
"""


def test_printed_replay_shows_what_is_not_defined_as_blank(capsys):
    slack, undefined = Enclosure(fmpq(1, 3), fmpq(1, 3) + fmpq(1, 10**9)), ReplayedEpisode(1, 1)
    defined = ReplayedEpisode(2, 9, Truth.YES, Truth.NO, slack, False, Truth.UNDECIDED, True)
    print_replay("mb-ucbvi", Confidence("appendix", 2, fmpq(1, 2)), (undefined, defined))
    print_replay("mb-ucrl2", Confidence("text", 2), (undefined,))
    assert capsys.readouterr().out == PRINTED
    content = replay_content("mb-ucbvi", Confidence("appendix", 2), (undefined, defined))
    sums = {"share": "1", "episodes": 2, "defined": 1, "event": 1, "optimistic": 0, "recursion": 1, "stands": False}
    assert sums.items() <= content.items()
    empty, row = content["rows"]
    assert (set(empty.values()), row["few_moves"], row["recursion"]) == ({1, None}, "undecided", True)
    assert row["slack"]["enclosure"][0] == "0.33333333"


# --- counts


def test_history_counts_match_hand_computation():
    def trajectory(arms, states, following, rewards):
        return Trajectory(np.array([0, 0]), *map(np.array, (arms, states, following, rewards)))

    history = History.empty(TWO_ARMS.sizes).after(trajectory([0, 0, 1], [0, 1, 0], [1, 1, 0], [0.0, 1.0, 1.0]))
    history = history.after(trajectory([0], [1], [0], [1.0]))
    assert (history.episode, history.step, history.lengths) == (3, 5, (3, 1))
    assert history.visits == ((1, 2), (1, 0))
    assert history.estimate(0, 1) == (1, (fmpq(1, 2), fmpq(1, 2)))
    assert history.estimate(0, 0) == (0, (0, 1))
    assert history.estimate(1, 1) == (0, (fmpq(1, 2), fmpq(1, 2)))


def test_confidence_radii_match_the_papers_formulas():
    """S = 2, n = 1, K = 10; k = 3, t_k = 5, N = 2, against independently written formulas."""
    history = History(moves=(((0, 2), (1, 1)),), paid=((0, 2),), lengths=(3, 1))
    beta = fmpq(3, 4)
    text, appendix = Confidence("text", 10), Confidence("appendix", 10)
    with flint.ctx.workprec(100):
        assert text.of_reward(history, beta, 2).overlaps((arb(2 * 2 * 10 * 5).log() / 4).sqrt())
        assert text.of_row(history, beta, 2).overlaps(arb(2 * 10 * 4 * 5).log().sqrt())
        assert text.of_value(history, beta, 2).overlaps(4 * (arb(200).log() / 4).sqrt())
        tau = 2 * arb(20).log() * 4
        L = (2 * (40 * tau).log()).sqrt()
        assert appendix.of_reward(history, beta, 2).overlaps(L / 2 / arb(2).sqrt())
        assert appendix.of_row(history, beta, 2).overlaps((L + arb("1.5") * arb(2).sqrt()) / arb(2).sqrt())
        assert appendix.of_value(history, beta, 2).overlaps(4 * L / 2 / arb(2).sqrt())
        half = Confidence("text", 10, fmpq(1, 2)).of_reward(history, beta, 2)
        assert half.overlaps(reward_radius(2, 1, 10, 5, 2) / 2)
        assert log_factor(2, 1, 10, 3, beta).overlaps(L)
    assert not appendix.is_defined(History.empty(TWO_ARMS.sizes))
    assert text.is_defined(History.empty(TWO_ARMS.sizes))
    assert [Confidence("appendix", K).is_defined(replace(history, lengths=(4,))) for K in (1, 2)] == [False, True]


# --- any counts


@st.composite
def truths(draw):
    size = draw(st.integers(1, 3))
    number = draw(st.integers(1, 2))
    discount = draw(st.sampled_from([fmpq(0), fmpq(1, 2), fmpq(9, 10)]))
    return Bandit([draw(arms(size, size)) for _ in range(number)], discount, [0] * number)


@st.composite
def histories(draw, truth):
    """Counts that play of `truth` could produce: drawn from it, or arbitrary."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    most = draw(st.sampled_from([2, 10, 200]))
    moves, paid = [], []
    for arm in truth.arms:
        rows, sums = [], []
        for x in range(arm.size):
            count = draw(st.integers(0, most))
            if draw(st.booleans()):
                row = [nearest_float(p) for p in arm.transitions[x]]
                rows.append(tuple(int(c) for c in rng.multinomial(count, row)))
                sums.append(int(rng.binomial(count, nearest_float(arm.rewards[x]))))
            else:
                rows.append(tuple(int(c) for c in rng.multinomial(count, [1 / arm.size] * arm.size)))
                sums.append(draw(st.integers(0, count)))
        moves.append(tuple(rows))
        paid.append(tuple(sums))
    total = sum(sum(row) for rows in moves for row in rows)
    lengths = []
    while total:
        length = draw(st.integers(1, total)) if len(lengths) < 4 else total
        lengths.append(length)
        total -= length
    return History(tuple(moves), tuple(paid), tuple(lengths))


@pytest.mark.parametrize("radii", RADII)
@pytest.mark.parametrize("learner", LEARNERS)
@given(data=st.data())
def test_event_implies_optimism_for_drawn_counts(learner, radii, data):
    """With the paper's bonuses and radii, or shares of them: if the event holds, no true value exceeds the model's."""
    truth = data.draw(truths())
    history = data.draw(histories(truth))
    share = data.draw(st.sampled_from([fmpq(1), fmpq(1, 2), fmpq(1, 8)]))
    confidence = Confidence(radii, history.episode + data.draw(st.integers(1, 20)), share)
    if not confidence.is_defined(history):
        return
    values = optimal_value(truth).values
    held = event(learner, [History.empty(truth.sizes), history], truth, values, confidence)
    note(f"event {held.value}")
    found = enclosed_optimistic_value(believed_model(learner, history, truth.discount, confidence, truth.initial))
    falls_short = any(found.values[state].high < value for state, value in values.items())
    note(f"optimistic {not falls_short}")
    if held is Truth.YES:
        assert all(found.values[state].low >= value for state, value in values.items())


def test_appendix_event_uses_the_logarithm_of_the_current_episode():
    """A mean of 0 in place of 1 after one visit is within the radius in episode 3, and was not in episode 2."""
    truth = Bandit([Arm(rewards=[1], transitions=[[1]])], "1/2", [0])
    seen = [History((((count,),),), ((paid,),), (1,) * count) for count, paid in ((0, 0), (1, 0), (2, 1))]
    two, three = (float(log_factor(1, 1, 10, k, fmpq(1, 2)).mid()) for k in (2, 3))
    confidence = Confidence("appendix", 10, fmpq(round(4e6 / (two + three)), 10**6))
    assert [event("mb-ucrl2", seen[:k], truth, {}, confidence) for k in (2, 3)] == [Truth.NO, Truth.YES]
    # of ten episodes the first may last 2 log(10 (2 - 1)) = 4.6 steps
    first = [[seen[0], History((((steps,),),), ((steps,),), (steps,))] for steps in (4, 5)]
    found = [event("mb-ucrl2", each, truth, {}, Confidence("appendix", 10)) for each in first]
    assert found == [Truth.YES, Truth.NO]


@given(deviation=rationals(0, 2))
def test_event_equals_the_exact_comparison_with_its_radius(deviation):
    """One arm, one state, one visit without reward: the event is r <= b, with b = sqrt(log(2 K t) / 2)."""
    truth = Bandit([Arm(rewards=[min(deviation, fmpq(1))], transitions=[[1]])], fmpq(1, 2), [0])
    history = History(moves=((((1,)),),), paid=((0,),), lengths=(1,))
    values = optimal_value(truth).values
    held = event("mb-ucrl2", [history], truth, values, Confidence("text", 2, fmpq(1, 2)))
    with flint.ctx.workprec(100):
        border = (arb(2 * 2 * 2).log() / 2).sqrt() / 2
        assert held is (Truth.YES if arb(truth.arms[0].rewards[0]) <= border else Truth.NO)

"""The soak finds broken routes, shrinks their models and does not depend on the number of processes."""

from __future__ import annotations

import json
import signal
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path

import pytest
from click.testing import CliRunner
from flint import fmpq

from proofs_checks.commands.app import ledger
from proofs_checks.trials.arrays import in_floats
from proofs_checks.trials.models import CHAINS, DISCOUNTS, REWARDS, SHAPES, Kind, random_model
from proofs_checks.trials.soak import running
from proofs_checks.trials.soak.comparison import Disagreement, Question, Route, Tally, compare, enclosure_of
from proofs_checks.trials.soak.printing import print_tally, tally_content
from proofs_checks.trials.soak.routes import QUESTIONS
from proofs_checks.trials.soak.routes import indices as routes_to_indices
from proofs_checks.trials.soak.routes.values import without_radii
from proofs_checks.trials.soak.running import smallest_models, soak
from tests.pinned import hold, in_short
from theory import Arm, Bandit, gittins_indices, model_text, read_model
from theory.enclosures import Enclosure

INDICES, ORDER, *_, VISITS = QUESTIONS[:5]
IS_DISCOUNT = {"0": (0, 0), "simple": (0, 1), "any": (0, 1), "near 0": (0, fmpq(1, 16)), "near 1": (fmpq(15, 16), 1)}
SEED = 3
NOTHING = Bandit([Arm(rewards=[0], transitions=[[1]])], 0, [0])


def asked(*routes):
    """Return a question about indices: elimination against the given functions of an arm and the discount."""

    def of(function):
        return lambda bandit: [number for arm in bandit.arms for number in function(arm, bandit.discount)]

    broken = (Route(f"broken {k}", of(function)) for k, function in enumerate(routes))
    return Question("indices", (INDICES.routes[0], *broken), INDICES.labels)


@pytest.fixture
def ask(monkeypatch):
    """Let the soak ask one question, and shrink one model per disagreeing route, not three."""

    def only(question, most=1):
        monkeypatch.setattr(running, "QUESTIONS", [question])
        monkeypatch.setattr(running, "MODELS_PER_ROUTE", most)
        return question

    return only


def one_step_ahead(arm, discount):
    """Wrong indices: stop after one step or after two."""
    after = [sum((p * r for p, r in zip(row, arm.rewards, strict=True)), fmpq(0)) for row in arm.transitions]
    two = [(r + discount * then) / (1 + discount) for r, then in zip(arm.rewards, after, strict=True)]
    return [max(pair) for pair in zip(arm.rewards, two, strict=True)]


def test_soak_finds_a_broken_route_and_its_smallest_model(ask):
    # right on one state: its error needs two states, an arm that moves, and a discount
    question = ask(asked(one_step_ahead, gittins_indices))
    soaked, *timed = (soak(SEED, models=12, jobs=1, minutes=m) for m in (None, 0, 60))
    assert [each.models for each in timed] == [10, 12]
    assert soaked.disagreements["indices", "elimination", "broken 0"] > 5
    found = list(smallest_models(SEED, soaked))
    assert {each.pair for each in found} == {("indices", "elimination", "broken 0")}
    for each in found:
        assert each.bandit.sizes == (2,)
        assert each.bandit.discount == fmpq(1, 2)
        assert sorted(each.bandit.arms[0].rewards) in ([0, fmpq(1, 1024)], [0, 1])
        assert each.text.startswith("index of a1s")
        assert (each.pair, each.text) in {(said.pair, said.text) for said in compare([question], each.bandit).found}


def test_soak_shrinks_at_most_three_models_per_route(monkeypatch, ask):
    monkeypatch.setattr("proofs_checks.trials.soak.running.simplest", lambda *_, **__: None)
    # it is wrong on five
    drawn = [random_model(131, number)[1] for number in range(5)]
    five = Route("five", lambda bandit: [] if bandit in drawn else INDICES.routes[0].answer(bandit))
    ask(Question("indices", (INDICES.routes[0], five), INDICES.labels), running.MODELS_PER_ROUTE)
    found = smallest_models(131, soak(131, models=5, jobs=1))
    assert [each.number for each in found] == [0, 1, 2]


def test_soak_finds_a_wrong_last_digit_and_a_wrong_bound(ask):
    def in_the_last_digit(arm, discount):
        return [index * (1 + fmpq(1, 10**30)) for index in gittins_indices(arm, discount)]

    def bound(parts):
        off = 1 + fmpq(1, 2**50)

        def of(arm, discount):
            found = ((i * off, abs(i) / parts) for i in gittins_indices(arm, discount))
            return [Enclosure(middle - error, middle + error) for middle, error in found]

        return of

    ask(asked(in_the_last_digit, bound(2**51), bound(2**50)))
    soaked = soak(SEED, models=10, jobs=1)
    wrong = soaked.disagreements
    assert wrong["indices", "elimination", "broken 0"] > 5
    assert wrong["indices", "elimination", "broken 1"] > 5
    assert wrong["indices", "elimination", "broken 2"] == 0
    assert {each.bandit.sizes for each in smallest_models(SEED, soaked)} == {(1,)}


def test_route_that_raises_or_returns_too_few_numbers_disagrees(ask):
    def fails_on_two_states(arm, discount):
        return arm.rewards if arm.size == 1 else 1 // 0

    ask(asked(fails_on_two_states, lambda *of: gittins_indices(*of)[1:]))
    soaked = soak(SEED, models=10, jobs=1)
    found = {each.pair: each for each in smallest_models(SEED, soaked)}
    raised = found["indices", "broken 0", "broken 0"]
    assert raised.text == "it raises ZeroDivisionError: integer division or modulo by zero"
    assert raised.bandit.sizes == (2,)
    missing = found["indices", "elimination", "broken 1"]
    assert (missing.text, missing.bandit) == ("1 numbers and 0", NOTHING)


def test_endless_route_is_stopped_by_a_timer(monkeypatch):
    monkeypatch.setattr("proofs_checks.trials.soak.comparison._limited.__wrapped__.__defaults__", (0.05,))
    (disagreement,) = compare([asked(lambda *_: any(turn < 0 for turn in count()))], NOTHING).found
    assert disagreement.text == "it raises TimeoutError: no answer within 0.05 seconds of computing"
    assert signal.getitimer(signal.ITIMER_VIRTUAL) == (0, 0)
    with ThreadPoolExecutor() as threads:  # threads receive no signals
        compared = threads.submit(compare, [asked(lambda arm, _: [arm.rewards[0]])], NOTHING)
    assert compared.result().found == []


def test_random_models_of_a_seed_are_pinned_and_cover_all_kinds():
    kinds, every = set(), []
    for number in range(240):
        kind, bandit = random_model(7, number)
        kinds |= set(zip(Kind._fields, kind, strict=True))
        every.append(f"{', '.join(kind)}: {in_short(bandit)}")
        if number < 5:
            assert random_model(8, number)[1] != bandit
        assert in_floats(without_radii(bandit)) or kind.numbers == "fractions"
        assert 0 <= bandit.discount <= 1 - fmpq(1, 2**30)
        assert bandit.initial is not None
        assert IS_DISCOUNT[kind.discount][0] <= bandit.discount <= IS_DISCOUNT[kind.discount][1]
        assert ("radii" in kind.arms) >= any(arm.has_radii for arm in bandit.arms)
    # the k-th model of a seed must not change: otherwise an earlier finding cannot be reproduced
    hold(Path(__file__).with_name("soaked.txt"), "models 0 to 239 of seed 7", every)
    tables = (SHAPES, CHAINS, REWARDS, DISCOUNTS, ("binary fractions", "fractions"))
    assert kinds == {(what, name) for what, names in zip(Kind._fields, tables, strict=True) for name in names}


def test_routes_have_their_limits_on_states():
    """No route is left out by mistake, and none gets models that take it minutes."""
    assert ["".join(f" {r.states}/{r.product or ''}" for r in asked.routes) for asked in QUESTIONS] == [
        " 40/ 40/ 16/ 16/ 8/ 30/ 30/ 6/ 4/ 16/ 12/ 5/ 40/", " 30/ 40/ 4/ 12/ 30/",
        *(f" 40/ 20/{some} 6/12 40/ 40/100 40/40" for some in (" 16/ 10/ 40/64 40/16 16/ 12/", " 40/64 16/ 12/")),
        " 24/ 40/24", *(f" 40/16 5/16 40/12 40/12 40/12 40/12{kernel}" for kernel in (" 40/16", ""))]  # fmt: skip


def ends(number):
    """Both ends of a number of an answer."""
    found = enclosure_of(number)
    return found.low, found.high


def test_routes_to_an_order_match_hand_computation():
    """Of rewards 0, 1 and 1 the last two are tied, and of 0, 2 and 1 none: 1 is above, -1 below; of floats neighbours."""
    listed, up, down, open_ = [(-1, 0), (-1, 0), (0, 1)], (1, 1), (-1, -1), (-1, 1)
    for rewards, exact, enclosed, last in (([0, 1, 1], (0, 0), [open_] * 3, open_), ([0, 2, 1], up, listed, up)):
        bandit = Bandit([Arm(rewards=[reward], transitions=[[1]]) for reward in rewards], "1/2", [0, 0, 0])
        answers = [[ends(each) for each in route.answer(bandit)] for route in ORDER.routes]
        assert answers == [[down, down, exact], listed, listed, enclosed, [open_, down, last]]
    assert ORDER.labels(bandit)[1] == "a1s1 above a3s1 (1), tied (0) or below (-1)"
    # nothing now and then 1 is worth the discount, which ties it with 1/2 at 1/2
    later = Arm(rewards=[0, 1], transitions=[[0, 1], [0, 1]])
    for beta, first in ((0, open_), ("1/4", (-1, 0)), ("1/2", open_), ("3/4", (0, 1))):
        bandit = Bandit([later, Arm(rewards=["1/2"], transitions=[[1]])], beta, [0, 0])
        assert [ends(each) for each in ORDER.routes[2].answer(bandit)][1] == first


def test_soak_finds_no_disagreement_with_any_number_of_processes(monkeypatch):
    monkeypatch.setattr("proofs_checks.trials.soak.running.BLOCK", 1)
    alone, together = (soak(9, models=2, jobs=jobs) for jobs in (1, 2))
    assert alone.found == []
    assert alone.models == 2
    assert alone == together


def test_printed_tally_shows_comparisons_and_disagreements(capsys, tmp_path):
    """A route that raised is on the diagonal; pairs that were not compared have no number; unasked questions no table."""
    raised, compared = ((VISITS.name, route, "linear systems") for route in ("linear systems", "conservation laws"))
    kinds = Counter({("arms", "two arms"): 200, ("arms", "one arm"): 1000})
    orders = (ORDER.name, "folding", "kernel index_order")
    tally = Tally(1200, kinds, Counter({compared: 1100, orders: 2}), [Disagreement("", pair=raised)])
    print_tally(tally)
    assert capsys.readouterr().out.split("5 kernel index_order             2\n\n") == [
        f"models    of which kind\narms      one arm 1,000, two arms 200\nchains\nrewards\ndiscount\nnumbers\n\n{ORDER.name}             1  2  3  4  5\n1 folding\n2 priority by elimination\n3 parametric in the discount\n4 enclosed rewards and discount\n",
        "visits under an order      1        2\n1 conservation laws\n2 linear systems       1,100  1 wrong\n\n1,200 models, 1,102 comparisons, 1 disagreements\n",
    ]
    content = tally_content(tally)
    of_arms = {"arms": {"one arm": 1000, "two arms": 200}}
    assert content["kinds"] == {each: {} for each in Kind._fields} | of_arms
    pairs = [(each["question"], *each["routes"], each["models"], each["disagreements"]) for each in content["pairs"]]
    assert pairs == [(*orders, 2, 0), (*compared, 1100, 0), (*raised, 0, 1)]
    long = Bandit([Arm(rewards=[fmpq(1, 3**170)], transitions=[[1]])], 0, [0])
    found = Disagreement("it raises ValueError: no", bandit=long, pair=raised, number=7)
    said = f"{VISITS.name}, linear systems"
    assert found.title == said
    replayed = f"python -m proofs_checks soak {tmp_path}/{'long' * 30}.json"
    found.show("2", replayed)
    found.show("3", "")
    raised = "it raises ValueError: no"
    assert capsys.readouterr().out == f"\n2\n{raised}\n{replayed}\n\n3\n{raised}\n{model_text(long)}"


def test_soak_command_writes_a_disagreement_and_replays_it(tmp_path, monkeypatch):
    """A method of `theory` is patched to use half the discount."""
    monkeypatch.setattr(running, "MODELS_PER_ROUTE", 1)
    right = routes_to_indices.indices_by_folding
    run = CliRunner().invoke
    asked_for = []
    for words in (["soak"], ["soak", "--models", "7"]):
        with monkeypatch.context() as quick:
            quick.setattr(running, "soak", lambda seed, **of: asked_for.append(of) or Tally())
            assert run(ledger, words).exit_code == 0
    assert [(of["minutes"], of["models"]) for of in asked_for] == [(1, None), (None, 7)]
    with monkeypatch.context() as broken:
        broken.setattr(routes_to_indices, "indices_by_folding", lambda Q, r, beta: right(Q, r, beta / 2))
        words = ["soak", "--models", "2", "--seed", "5", "--jobs", "1", "--json", "--out", str(tmp_path / "found")]
        done = run(ledger, words)
        assert done.exit_code == 1
        content = json.loads(done.stdout)
        first = content["found"][0]
        assert ("folding" in first["routes"], content["interrupted"]) == (True, False)
        assert read_model(first["written_to"]).sizes == (2,)
        assert all(pair["disagreements"] == 0 for pair in content["pairs"] if "folding" not in str(pair))
        again = run(ledger, ["soak", first["written_to"]])
        assert again.exit_code == 1
        assert "folding" in again.stdout.rpartition(" disagreements\n")[2]
    placeless = tmp_path / "placeless.json"
    placeless.write_text('{"discount": "1/2", "arms": [{"rewards": [1], "transitions": [[1]]}]}', encoding="utf-8")
    refused = run(ledger, ["soak", str(placeless)])
    assert str(refused.exception) == "the model has no initial state: give initial, one state per arm"
    mended = run(ledger, ["soak", first["written_to"], "--json"])
    assert (mended.exit_code, json.loads(mended.stdout)["disagreements"]) == (0, 0)

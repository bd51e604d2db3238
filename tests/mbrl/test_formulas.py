"""A user's bonus and radii in learners: the functions that property checks take, compiled where possible."""

import numpy as np
import pytest
from flint import fmpq

from mbrl.agents import Problem, formulas, make_agent
from mbrl.agents.formulas import Formula
from mbrl.agents.mb_ucbvi import MBUCBVI
from mbrl.environments import random_walk
from mbrl.experiments.simulation import simulate
from mbrl.kernels.compiling import INTERPRETED
from proofs_checks.trials.properties import replaced
from tests.mbrl import own_formulas
from tests.mbrl.own_agent import WithoutLoop
from theory import BanditError
from theory.paper import reward_radius, transition_radius, ucbvi_bonus

OWN = "tests.mbrl.own_formulas"


def regret(name, episodes=60, loop=True):
    """Return regrets; without the loop, which numba compiles for each function, `plan` is called in each episode."""
    agent = (
        make_agent(name, random_walk(), episodes) if loop else WithoutLoop(make_agent(name, random_walk(), episodes))
    )
    return simulate(random_walk(), agent, scenario="test", name="same", simulation=0, episodes=episodes, seed=1)[0]


@pytest.mark.parametrize("name", ["half_in_floats", "half_uncompiled"])
def test_half_bonus_equals_half_scale(name):
    np.testing.assert_allclose(regret(f"mb-ucbvi/bonus={OWN}:{name}"), regret("mb-ucbvi/scale=0.5"), rtol=1e-9)


def test_printed_formulas_as_options_change_nothing():
    assert (regret("mb-ucbvi/bonus=theory.paper:ucbvi_bonus", loop=False) == regret("mb-ucbvi")).all()
    written = "reward_radius=theory.paper:reward_radius/row_radius=theory.paper:transition_radius"
    assert (regret(f"mb-ucrl2/{written}", loop=False) == regret("mb-ucrl2")).all()


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
@pytest.mark.parametrize(
    ("name", "given", "compiled"),
    [
        *(("bonus", getattr(own_formulas, name), True) for name in ("printed", "half", "half_of_the_papers")),
        *(("bonus", getattr(own_formulas, name), False) for name in ("half_uncompiled", "text", "differs_in_floats")),
        ("bonus", ucbvi_bonus, True),
        ("reward_radius", reward_radius, True),
        ("row_radius", transition_radius, True),
    ],
)
def test_float_formula_matches_exact_formula_of_the_property_checks(name, given, compiled, capfd):
    formula = Formula(name, given, Problem(np.array([4, 4, 4]), 0.9, 50))
    assert hasattr(formula.function, "error") != compiled
    for t, N in ((1, 0), (5, 1), (10**5, 37)):
        counts = {"S": 4, "n": 3, "K": 50, "t": t, "N": N} | ({"beta": fmpq(9, 10)} if name == "bonus" else {})
        exact = replaced(**{name: given}).ball(name, **counts)
        assert formula.function(4.0, 3.0, 50.0, t, N, 0.9) == pytest.approx(float(exact), rel=1e-12)
    formula.check()


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_only_the_main_process_says_that_a_formula_is_not_compiled(monkeypatch, capfd):
    for parent, lines in ((None, 1), ("parent", 0)):
        monkeypatch.setattr(formulas, "parent_process", lambda parent=parent: parent)
        formulas.say_once.cache_clear()
        Formula("bonus", own_formulas.half_uncompiled, Problem(np.array([2, 2]), 0.9, 5))
        assert capfd.readouterr().err.count("cannot be compiled") == lines


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("infinite_unseen", r"bonus\(S=4, n=3, K=60, t=\d+, N=0, beta=0.99\) is not a finite number"),
        ("fails", r"bonus\(S=4, .*\) raised ValueError: no bonus at 0 \(.*own_formulas.py, line \d+, in fails\)"),
        ("says_nothing", r"bonus\(S=4, .*\): returned None, and a number is wanted"),
    ],
)
def test_formula_without_a_number_is_refused(name, words):
    with pytest.raises(BanditError, match=words):
        regret(f"mb-ucbvi/bonus={OWN}:{name}", loop=name != "infinite_unseen")
    with pytest.raises(BanditError, match=words.replace("K=60", "K=5")):
        make_agent(f"mb-ucbvi/bonus={OWN}:{name}", random_walk(), 5).plan(np.random.default_rng(1))


def test_learner_accepts_a_function_as_bonus():
    problem = Problem(random_walk().sizes, random_walk().discount, 5)
    half, scaled = (MBUCBVI(problem, **of) for of in ({"bonus": own_formulas.half}, {"scale": 0.5}))
    rng = np.random.default_rng(1)
    assert (half.plan(rng).indices == scaled.plan(rng).indices).all()


def test_radius_option_sets_both_radii():
    spelled = "radius={0}", "reward_radius={0}/row_radius={0}", "reward_radius={0}"
    agents = [make_agent("mb-ucrl2/" + each.format(f"{OWN}:quarter"), random_walk(), 5) for each in spelled]
    formulas_of = [[each.name for each in agent._formulas if each.function] for agent in agents]
    assert formulas_of[0] == formulas_of[1] == ["reward_radius", "row_radius"] != formulas_of[2]

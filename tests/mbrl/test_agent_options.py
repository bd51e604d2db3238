"""Options of learners: parsing, effect on the regret, and refusals."""

from dataclasses import replace
from typing import get_args

import numpy as np
import pytest

from mbrl.agents import AGENTS, make_agent
from mbrl.agents.options import options_of
from mbrl.agents.registry import agent_options
from mbrl.agents.statistics import UNSEEN_ROWS, estimate_row, no_counts
from mbrl.environments import random_walk
from mbrl.experiments.simulation import simulate
from tests.mbrl.own_agent import WithoutLoop
from theory import BanditError

OWN = "tests.mbrl.own_formulas"


def regret(name, episodes=60, discount=0.99):
    walk = replace(random_walk(), discount=discount)
    agent = make_agent(name, walk, episodes)
    if OWN in name:  # numba would compile the whole loop for each function
        agent = WithoutLoop(agent)
    # the same random key: only the options differ
    return simulate(walk, agent, scenario="test", name="same", simulation=0, episodes=episodes, seed=1)[0]


def test_options_of_a_users_learner_are_parsed_to_their_types():
    name = "tests.mbrl.own_agent:WithOptions/rate=0.1/steps=7/greedy=yes/label=mine"
    assert make_agent(name, random_walk(), 1).options == (0.1, 7, True, "mine")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("mb-psrl/alpha=2", "agent mb-psrl: no option is called 'alpha'; its options are rewards, dirichlet,"),
        ("mb-psrl/dirichlet", "options are written mb-psrl/option=value, not 'dirichlet'"),
        ("mb-psrl/dirichlet=1/dirichlet=2", "the option dirichlet comes twice"),
        ("mb-psrl/dirichlet=much", "agent mb-psrl: dirichlet: 'much' is not a valid float"),
        ("mb-psrl/dirichlet=nan", "dirichlet is nan; give a number above 0"),
        *(
            (f"mb-psrl/{name}=0", f"{name} is 0; give a number above 0, up to 1e[+]300")
            for name in ("dirichlet", "successes", "failures", "weight", "shape", "rate")
        ),
        ("mb-psrl/rate=inf", "rate is inf; give a number above 0"),
        ("mb-psrl/mean=inf", "mean is inf; give a number"),
        ("psrl/mean=-inf", "mean is -inf"),
        ("psrl/weight=2", "weight: belongs to the prior rewards=gaussian, and rewards=beta is given"),
        ("mb-psrl-gaussian/failures=2", "failures: belongs to the prior rewards=beta, and rewards=gaussian is given"),
        ("mb-ucbvi/unseen_reward=-0.1", "unseen_reward is -0.1; give a number from 0, up to 1"),
        ("mb-ucrl2/unseen_reward=1.5", "unseen_reward is 1.5; give a number from 0, up to 1"),
        ("mb-ucvbi", "no agent is called 'mb-ucvbi', did you mean mb-ucbvi"),
        ("mb-ucbvi/scal=1", "agent mb-ucbvi: no option is called 'scal', did you mean scale.; its options are radii, "),
        ("mb-ucbvi/ties=lats", "agent mb-ucbvi: ties: 'lats' is not one of 'first', 'last'"),
        ("mb-ucbvi/bonus=half", "agent mb-ucbvi/bonus=half: bonus 'half': write module:attribute"),
        (f"mb-ucbvi/bonus={OWN}:third", "third: bonus .*module 'tests.mbrl.own_formulas' has no attribute"),
        (f"mb-ucbvi/bonus={OWN}:quarter", r"quarter: bonus is called with \(S, n, K, t, N, beta\), by these"),
        (f"mb-ucrl2/row_radius={OWN}:half", r"half: row_radius is called with \(S, n, K, t, N\), by these"),
        (f"mb-ucrl2/radius={OWN}:OWN", "OWN: reward_radius is a function of S, n, K, t, N, not 1"),
        (f"mb-ucbvi/bonus={OWN}:half/radii=appendix", "bonus is a function of t_k: leave out radii=appendix"),
        ("mb-ucbvi/scale=0", "agent mb-ucbvi/scale=0: scale is 0; give a number above 0"),
        ("mb-ucrl2/scale=-1", "scale is -1; give a number above 0"),
        ("mb-ucrl2/largest_reward=0", "largest_reward is 0; give a number above 0"),
        ("gittins-q/rate_exponent=0.5", r"rate_exponent is 0.5; give a number above 0.5, up to 1"),
        ("gittins-q/rate_exponent=1.1", r"rate_exponent is 1.1; give a number above 0.5, up to 1"),
        ("gittins-q/cooling=0", "cooling is 0; give a number above 0, up to 1"),
        ("gittins-q/last_temperature=0", "last_temperature is 0"),
        ("gittins-q/first_temperature=0.001", "first_temperature is 0.001; give a number from 0.01"),
        ("gittins-q/first_temperature=inf", "first_temperature is inf"),
        ("mb-psrl/rewards=poisson", "rewards: 'poisson' is not one of 'beta', 'gaussian'"),
        ("random/rate=1", "agent random: no option is called 'rate'; it has none"),
        ("tests.mbrl.own_agent:WithOptions/steps=1.5", "steps: '1.5' is not a valid integer"),
        ("tests.mbrl.own_agent:WithOptions/greedy=perhaps", "greedy: 'perhaps' is not a valid boolean"),
    ],
)
def test_make_agent_refuses_wrong_options(name, words):
    with pytest.raises(BanditError, match=words):
        make_agent(name, random_walk(), 1)


@pytest.mark.parametrize("name", AGENTS)
def test_spelled_out_default_options_change_nothing(name):
    options = {key: value for key, value in agent_options(name).items() if value not in (np.inf, None)}
    spelled = "/".join([name, *(f"{key}={value}" for key, value in options.items())])
    assert (regret(spelled) == regret(name)).all()


CHANGES = {
    "rewards": ["rewards=gaussian", "rewards=beta"],
    "next_state": ["scale=0.01/next_state=restarted", "next_state=restarted"],
    **{name: [f"rewards=beta/{name}=5"] for name in ("successes", "failures")},
    **{name: [f"rewards=gaussian/{name}=3"] for name in ("mean", "weight", "shape", "rate")},
    "gamma": ["rewards=gaussian/rate=3/gamma=scale"],
    "scale": ["scale=0.01", "scale=0.001"],
    "bonus": [f"bonus={OWN}:half"],
    **{name: [f"scale=0.3/{name}={OWN}:quarter"] for name in ("reward_radius", "row_radius", "radius")},
    "largest_reward": ["largest_reward=1"],
    "unseen_reward": ["unseen_reward=1", "scale=0.01/unseen_reward=1"],
    "cells": ["scale=0.001/cells=3"],
    "rate_exponent": ["rate_exponent=0.9"],
    "last_temperature": ["last_temperature=0.5"],
}
"""Values by option, after the other options they need; at least one of them must change the regret."""


def option_values(name, option):
    """Return values of an option that may change the regret: those of `CHANGES`, or values other than the default."""
    kind, default, _ = options_of(AGENTS[name].load())[option]
    if option in CHANGES:
        known = agent_options(name)
        return [each for each in CHANGES[option] if all(part.split("=")[0] in known for part in each.split("/"))]
    numbers = () if isinstance(default, str | bool | None) else (default / 10, default / 2, default * 2, default * 10)
    numbers = (default + 1, default * 10) if isinstance(default, int) and numbers else numbers
    others = get_args(kind) or (("yes", "no") if kind is bool else map(kind, numbers))
    return [f"{option}={other}" for other in others if other != default]


@pytest.mark.parametrize(("name", "option"), [(name, each) for name in AGENTS for each in agent_options(name)])
def test_every_option_changes_the_regret_of_its_learner(name, option):
    # unvisited states have the largest bonus; near discount 1 it decides their index, whatever their rows
    played = {"episodes": 200, "discount": 0.5} if "unseen" in option else {}
    if name == "ucrl2":  # its radii allow any row up to some 30 visits
        played = {"episodes": 300}

    def changes(written):
        without = "/".join([name, *written.split("/")[:-1]])
        return (regret(f"{name}/{written}", **played) != regret(without, **played)).any()

    values = option_values(name, option)
    assert any(changes(written) for written in values), (
        f"none of {values} changes what {name} plays: add a value of {option} that does to CHANGES, behind what must be "
        "set for it to matter, such as 'scale=0.01/" + option + "=...'"
    )


def test_estimates_fill_unvisited_states_by_the_given_rule():
    counts = no_counts((2, 3), 3)  # two arms, of 2 and 3 states; the first one moved from its first state to its second
    counts.moves[0, 0, 1] = counts.sums[0, 0] = 1.0
    for law, unseen in (("uniform", [1 / 2, 1 / 2, 0]), ("stay", [0, 1, 0]), ("zero", [0, 0, 0])):
        for x, expected, law_of_x in ((0, (1.0, 1.0), [0, 1, 0]), (1, (0.0, 0.25), unseen)):
            row = np.zeros(3)
            assert estimate_row(counts, 0, x, 2, 0.25, UNSEEN_ROWS.index(law), row) == expected
            assert row.tolist() == law_of_x

"""A learner cannot change what other learners play, learn or are measured by."""

import json
import pickle
import re
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import xarray as xr

from mbrl.agents import Problem, make_agent
from mbrl.environments import Environment, lower_bound, random_walk, with_rewards
from mbrl.environments.rewards import RewardLaws
from mbrl.experiments.seeds import generator
from mbrl.experiments.simulation import Simulation, play, simulate
from mbrl.importing import described
from mbrl.policies import IndexPolicy, TablePolicy
from tests.mbrl.arrays import arrays_of
from tests.mbrl.command_line import mbrl, refused, started
from theory import BanditError

MODULE = "tests.mbrl.misbehaving_agents"
SIZE = ("--simulations", 3, "--episodes", 30, "--seed", 7)


def regrets(folder):
    with xr.open_dataset(folder / "regret.nc") as data:
        return {str(name): data["regret"].sel(agent=name).values for name in data["agent"].values}


def test_vandal_leaves_regrets_of_other_learners_unchanged(tmp_path):
    run = ("run", "tests.mbrl.own_scenario:walk", *SIZE, "--jobs", 1)  # all play in the same environment
    others = "mb-psrl", "mb-ucbvi", "tests.mbrl.own_agent:Stubborn"
    mbrl(*run, "--out", tmp_path / "alone", "--agents", ",".join(others))
    vandal = f"{MODULE}:Vandal"
    agents = ",".join((vandal, f"{MODULE}:VandalWithALoop", *others))
    mbrl(*run, "--out", tmp_path / "beside", "--agents", agents)
    alone, beside = regrets(tmp_path / "alone"), regrets(tmp_path / "beside")
    for other in others:
        assert (alone[other] == beside[other]).all()
    assert (beside[vandal] >= -1e-9).all()
    assert beside[vandal].std() > 0


@pytest.mark.parametrize(
    ("name", "indices"),
    [
        ("Vandal", lambda rng, k: rng.random((3, 4))),  # overwrites the indices after they were played
        ("ForcesItsPolicy", lambda rng, k: np.roll(np.arange(12.0).reshape(3, 4), k)),  # and before they are
    ],
)
def test_overwritten_policy_is_valued_as_played(name, indices, monkeypatch):
    walk = random_walk()
    key = {"scenario": "test", "name": "vandal", "simulation": 0, "episodes": 12, "seed": 7}
    before = np.geterr(), Path.cwd()
    monkeypatch.delitem(sys.modules, MODULE, raising=False)
    regret, _ = simulate(walk, make_agent(f"{MODULE}:{name}", walk, 12), **key)
    assert (np.geterr(), Path.cwd()) == before
    rng, best = generator(7, "test", 0, "vandal", "plan"), walk.value(walk.optimal_policy, walk.starts[0])
    played = [IndexPolicy.from_indices(indices(rng, k), walk.sizes) for k in range(12)]
    expected = [best - walk.value(policy, walk.starts[0]) for policy in played]
    np.testing.assert_allclose(regret, expected, atol=1e-12)
    assert np.ptp(expected) > 1


@pytest.mark.parametrize(
    ("name", "when"),
    [
        ("WritesIntoStart", "episode 1"),
        ("WritesIntoSizes", "episode 1"),
        ("WritesIntoTheWorld", "episodes from 1"),
        ("RemembersAndWrites", "episode 3"),
    ],
)  # fmt: skip
def test_error_names_the_line_that_writes_into_a_read_only_array(name, when, tmp_path):
    agent = f"{MODULE}:{name}"
    complaint = refused("run", "lower-bound", "--out", tmp_path, "--agents", f"random,{agent}", *SIZE, "--jobs", 1)
    assert complaint.startswith(f"error: agent {agent}, simulation 0, {when} writes into a read-only array; copy it")
    assert re.search(r"misbehaving_agents\.py, line \d+, in (observe|plan|play_episodes)\)$", complaint.strip())


@pytest.mark.parametrize(
    ("name", "warned"),
    [
        ("CountsInItsClass", r"differs from episode \d+ on: the learner keeps something .*"),
        ("DrawsElsewhere", r"differs from episode \d+ on: the learner draws from np\.random of .*"),
        ("DrawsInVain", "has the same regrets by chance: the learner draws from np\\.random and random of .*"),
        ("SeedsTheProcess", None),
        ("Faithful", None),
    ],
)
def test_run_warns_of_a_learner_that_is_not_reproducible(name, warned, tmp_path):
    agent = f"{MODULE}:{name}"
    agents = f"random,{MODULE}:Prints,{agent}"
    done = mbrl("run", "random-walk", "--out", tmp_path, "--agents", agents, *SIZE, "--jobs", 1, "--json")
    assert json.loads(done.stdout)["computed"] == 9
    warnings = [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
    if warned is None:
        assert warnings == []
    else:
        (warning,) = warnings
        assert re.fullmatch(rf"warning: agent {agent}: simulation 0, played again, {warned}--jobs", warning)


def test_error_names_the_learner_that_exits_its_process(tmp_path, monkeypatch):
    monkeypatch.setattr("mbrl.experiments.parallel._MOST_LOSSES", 1)  # restarts are slow
    agent = f"{MODULE}:Leaves"
    run = ("run", "random-walk", "--out", tmp_path, "--agents", f"random,{agent}", *SIZE, "--jobs", 2)
    assert re.fullmatch(
        rf"error: agent {agent}, simulation \d.*: its process ended itself with exit code 7, 1 times; what is finished is "
        "saved, and the same command goes on from there\n",
        refused(*run),
    )


def test_a_learner_that_ends_the_only_process_is_named(tmp_path):
    with started(
        "run", "random-walk", "--out", tmp_path, "--agents", f"{MODULE}:Leaves", *SIZE, "--jobs", 1
    ) as process:
        output, errors = process.communicate()
    assert (process.returncode, output) == (7, "")
    named = rf"error: agent {MODULE}:Leaves, simulation 0, episode \d+ ended this process with exit code 7"
    assert re.fullmatch(named, errors.splitlines()[-1])


FAILING = {
    "Exits": r", simulation 0, episode 1 raised SystemExit: 3 \(.*misbehaving_agents.py, line \d+, in observe\)",
    "NoNumber": ", simulation 0, episode 1: arm 1, state 1: the index is not a number",
    "VandalWithALoop/values=inf": r", simulation 0, episodes from 1: play_episodes left inf in outcome.values\[0\]",
    "VandalWithALoop/values=1000000000": ": play_episodes left wrong outcome.values: a policy is better than .*",
    "VandalWithALoop/values=-1000000000": ": play_episodes left wrong outcome.values: a policy is worth -1e.09, less .*",
    "Reshapes": ", simulation 0, episodes from 1: play_episodes changed the shape of outcome.values",
    "BackwardClock": r", simulation 0, episodes from 1: play_episodes left -1.0 in outcome.seconds\[0\]",
    "Narrow": ", simulation 0, episodes from 1: its problem has arms of other sizes than the bandit",
    "Silent": ", simulation 0, episode 1: plan returned NoneType, .*",
    "Faulty": r", simulation 0, episode \d+ raised IndexError: .*own_agent.py, line \d+, in plan\)",
}


@pytest.mark.parametrize("name", FAILING)
def test_error_names_the_learner_that_fails(name, tmp_path):
    agent = f"{'tests.mbrl.own_agent' if name in ('Silent', 'Faulty') else MODULE}:{name}"
    run = ("run", "random-walk", "--out", tmp_path / "beside", *SIZE, "--jobs", 2 if name == "Exits" else 1)
    assert re.fullmatch(rf"error: agent {agent}{FAILING[name]}\n", refused(*run, "--agents", f"mb-psrl,{agent}"))


def test_text_of_an_error_is_one_printable_line():
    assert described(ValueError("two\n\x1b[31mlines \ud800")) == r"ValueError: two \x1b[31mlines \ud800"


def test_learner_that_exits_when_pickled_is_not_saved_and_a_damaged_one_is_refused():
    simulation = simulation_of_walk(SimpleNamespace(anytime=True, lock=Unpicklable()))
    assert simulation.saved() == b""
    with pytest.raises(BanditError, match="agent idle, simulation 0, saved learner has no method plan"):
        simulation.resume(simulation_of_walk(SimpleNamespace(anytime=True)).saved())


class Unpicklable:
    def __reduce__(self):
        raise SystemExit(4)


def simulation_of_walk(agent):
    return Simulation(random_walk(), agent, scenario="walk", name="idle", simulation=0, seed=1)


def worlds():
    return [random_walk(), lower_bound(np.random.default_rng(1), 10), with_rewards(random_walk(), "gaussian:0.1")]


@pytest.mark.parametrize("environment", worlds(), ids=["walk", "lower bound", "laws"])
@pytest.mark.parametrize("travels", [False, True], ids=["here", "elsewhere"])
def test_arrays_handed_to_learners_are_read_only(environment, travels):
    environment = pickle.loads(pickle.dumps(environment)) if travels else environment
    episode = play(environment, environment.optimal_policy, environment.starts[0], 5, np.random.default_rng(1))
    problem, policy = Problem(environment.sizes, 0.9, 1), environment.optimal_policy
    table = TablePolicy.from_table([0] * 64, environment.sizes)
    things = {"problem": problem, "episode": episode, "policy": policy, "table": table, "environment": environment}
    if travels:
        things = pickle.loads(pickle.dumps(things))
    things["world"] = things["environment"].world
    found = dict(arrays_of(things))
    assert {"problem.sizes", "episode.start", "policy.indices", "table.table", "world.laws.values"} <= found.keys()
    assert ("environment.laws.values" in found) == (environment.laws is not None)
    assert [name for name, array in found.items() if array.flags.writeable] == []


def test_environments_and_policies_copy_their_arrays():
    rows, means, start = np.full((1, 2, 2), 0.5), np.full((1, 2, 1), 0.5), np.zeros((1, 1), dtype=np.int64)
    laws = np.array([[[0.25, 0.75]] * 2]), np.array([[[0.5, 1.0]] * 2]), np.zeros((1, 2))
    sizes, law = np.array([2]), np.ones(1)
    made = Environment("mine", rows, means, sizes, 0.9, start, law, laws=RewardLaws(*laws))
    indices, table = np.ones((1, 2)), np.zeros(2, dtype=np.int64)
    policy, by_table = IndexPolicy(indices, sizes), TablePolicy(table)
    before = {name: array.copy() for name, array in arrays_of({"e": made, "p": policy, "t": by_table})}
    for array in (rows, means, start, sizes, law, *laws, indices, table):
        array[...] = 7
    after = dict(arrays_of({"e": made, "p": policy, "t": by_table}))
    assert [name for name, array in before.items() if not np.array_equal(array, after[name])] == []

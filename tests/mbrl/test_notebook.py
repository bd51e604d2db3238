"""The functions for notebooks: bandits from arrays, runs as datasets, figures, named environments, printed objects."""

import subprocess
import sys
from fractions import Fraction
from functools import partial
from io import StringIO

import numpy as np
import pytest
import xarray as xr
from gymnasium.utils.env_checker import check_env
from rich.console import Console

import mbrl
from mbrl.environments import from_bandit
from mbrl.environments.gym import BanditEnv
from mbrl.importing import import_attribute
from tests.mbrl.command_line import PROJECT
from tests.mbrl.command_line import mbrl as command
from tests.mbrl.own_agent import Stubborn
from theory import Arm, Bandit, BanditError, ModelError, nearest_float, paper_model
from theory.values import optimal_value

ROWS = [[[0.8, 0.2, 0], [0, 0.7, 0.3], [0.5, 0, 0.5]], [[0.6, 0.4], [0.4, 0.6]]]
REWARDS = [[3, 2, -1], [0.5, 1.5]]
NUMBERS = zip(REWARDS, ROWS, strict=True)
ARMS = [Arm(rewards=list(map(str, r)), transitions=[list(map(str, row)) for row in q]) for r, q in NUMBERS]
MACHINES = Bandit(ARMS, "9/10", [1, 0])


@pytest.mark.parametrize("progress", [False, True])
def test_run_shows_a_progress_bar_on_request(monkeypatch, progress):
    screen = Console(file=StringIO(), force_terminal=True, width=80)
    monkeypatch.setattr("mbrl.commands.showing.console", lambda *, stderr: screen)
    mbrl.run("random-walk", "random", simulations=3, episodes=2, progress=progress)
    assert ("3/3" in screen.file.getvalue()) == progress


def test_bandit_of_arrays_equals_from_bandit_of_the_exact_model():
    made, exact = mbrl.bandit(ROWS, REWARDS, 0.9, [1, 0], name="machines"), from_bandit(MACHINES, "machines")
    for name in ("transitions", "rewards", "sizes", "starts", "unit", "offset", "discount"):
        np.testing.assert_allclose(getattr(made, name), getattr(exact, name), rtol=1e-15, atol=1e-15)
    assert str(exact) == "machines: 2 arms of 2 to 3 states, discount 0.9, play starts in (a1s2, a2s1)"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rewards": [[1, 2, 3]]}, "transitions of 2 arms for 1 arms"),
        ({"rewards": [[1, 2], [0, 0]]}, r"arm 1: transitions of shape \(3, 3\) for 2 states"),
        (
            {"rewards": [[1, 2, 3], ["0", "1,5"]]},
            "arm 2: rewards are no array of numbers: .*'1,5'",
        ),
        (
            {"transitions": [ROWS[0], [[1, 0], [0, "x"]]]},
            "arm 2: transitions are no array of numbers: .*'x'",
        ),
        ({"transitions": [ROWS[0], [[1, 0], [1]]]}, "arm 2: transitions are no array of numbers: .* inhomogeneous"),
        ({"rewards": [[1, 2, 3], 4]}, r"arm 2: transitions of shape \(2, 2\) for 1 states"),
        ({"transitions": [[[1, 0, 0]] * 3, [[0.5, 0.6], [0, 1]]]}, "arm 2, state 1: row sums to 1.1, not 1"),
        ({"rewards": [[1, 2, 3], np.array([1j, 0])]}, "arm 2: rewards are no array of numbers"),
        ({"start": [3, 0]}, "initial state, arm 1: 3 is outside 0..2"),
        ({"discount": 1}, "discount: 1 is outside"),
    ],
)
def test_bandit_refuses_wrong_arrays(changes, words):
    given = {"transitions": ROWS, "rewards": REWARDS, "discount": 0.9, "start": [0, 0]} | changes
    with pytest.raises(ModelError, match=words):
        mbrl.bandit(**given)


def test_run_in_python_equals_the_command(tmp_path, monkeypatch):
    monkeypatch.setattr("mbrl.experiments.parallel.in_parallel", None)  # by default no worker is started
    data = mbrl.run("random-walk", ["mb-psrl", Stubborn], simulations=2, episodes=30, seed=7, out=tmp_path / "kept")
    agents = "mb-psrl,tests.mbrl.own_agent:Stubborn"
    size = ("--simulations", 2, "--episodes", 30, "--seed", 7, "--jobs", 1)
    command("run", "random-walk", "--out", tmp_path / "ran", "--agents", agents, *size)
    with xr.open_dataset(tmp_path / "ran" / "regret.nc") as ran:
        assert (ran["regret"] == data["regret"]).all()
        assert ran.attrs == data.attrs
    assert (data["policy_seconds"] > 0).all()
    with pytest.raises(ModelError) as caught:
        mbrl.load(tmp_path / "ran")
    told = f"{tmp_path}/ran: is the folder of a run, and no model: read it by xarray.open_dataset('{tmp_path}/ran/regret.nc')"
    assert str(caught.value) == told
    assert (tmp_path / "ran" / "regret.nc").read_bytes() == (tmp_path / "kept" / "regret.nc").read_bytes()
    assert mbrl.summary(data).keys() == set(data["agent"].values)
    assert "(no interval below n = 80), median" in mbrl.summary(data)["mb-psrl"]
    assert len(mbrl.plot(data).axes[0].get_lines()) == 8  # of each a mean, a median and the borders of a band
    assert len(mbrl.plot(data, agents="mb-psrl").axes[0].get_lines()) == 4
    first, other = mbrl.summary(data, versus="mb-psrl").values()
    ratio = data["regret"].sum("episode").mean("simulation")
    assert f"; / mb-psrl: mean {float(ratio[1] / ratio[0]):.2f}" in other
    assert first == mbrl.summary(data)["mb-psrl"]
    with pytest.raises(BanditError, match="versus: the run has no learner called 'random'"):
        mbrl.summary(data, versus="random")
    for show in (mbrl.plot, mbrl.summary):
        with pytest.raises(BanditError, match=r"data.sel\(agent=\['mb-psrl'\]\)"):
            show(data.sel(agent="mb-psrl"))
    assert mbrl.summary(data[["regret"]]) == mbrl.summary(data)
    walk = paper_model("random-walk")
    assert mbrl.run(walk, Stubborn, simulations=np.int64(2), episodes=30).regret.shape == (1, 2, 30)
    later = type("Stubborn", (Stubborn,), {"__module__": Stubborn.__module__})  # like running its cell again
    for played, agents, size, words in (
        (walk, partial(Stubborn), 3, "Mine/rate=0.1'"), (walk, later, 3, "is not the object called tests.mbrl.own_agent:Stubborn;"),
        (3, "random", 3, "is a int, not"), (walk, "random", 3.0, "3.0 is no whole number"),
    ):  # fmt: skip
        with pytest.raises(BanditError, match=words):
            mbrl.run(played, agents, episodes=size)


def test_mbrl_lists_its_names_and_imports_lazily():
    done = subprocess.run(
        [sys.executable, "-c", "import sys, mbrl; print({'numba', 'xarray', 'numpy', 'gymnasium'} & {*sys.modules}, *mbrl.__all__)"],
        cwd=PROJECT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["set()", *sorted(mbrl.__all__)]
    assert dir(mbrl) == sorted(mbrl.__all__)
    for name in mbrl.__all__:
        assert callable(getattr(mbrl, name))
    words = "import sys, mbrl; print(mbrl.agents.interface.__name__, mbrl.policies is sys.modules['mbrl.policies'])"
    done = subprocess.run([sys.executable, "-c", words], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout == "mbrl.agents.interface True\n"
    words = "import mbrl; print(mbrl.environments.gym.__name__, hasattr(mbrl.environments, 'nothing'))"
    done = subprocess.run([sys.executable, "-c", words], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout == "mbrl.environments.gym False\n"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = mbrl.nothing


@pytest.mark.parametrize("imports", ["gymnasium", "mbrl, gymnasium", "gymnasium, mbrl"])
def test_gymnasium_makes_registered_environments_in_a_new_process(imports):
    names = ["mbrl:mbrl/random-walk-v0", *["mbrl/random-walk-v0"][: "mbrl" in imports]]
    words = f"import {imports}; [print(gymnasium.make(name).unwrapped.environment) for name in {names}]"
    done = subprocess.run([sys.executable, "-c", words], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert done.stdout.count("random-walk: 3 arms of 4 states, discount 0.99, play starts in (") == len(names)


def test_regret_of_an_action_matches_exact_values():
    env, best = BanditEnv(from_bandit(MACHINES, "machines")), optimal_value(MACHINES).values
    check_env(env, skip_render_check=True)
    (state, _), rng, seen = env.reset(seed=1), np.random.default_rng(2), set()
    for _ in range(300):
        arm = int(rng.integers(2))
        x = int(state[arm])
        of_arm = MACHINES.arms[arm]
        after = [tuple(y if a == arm else int(state[a]) for a in range(2)) for y in range(of_arm.size)]
        follows = sum((p * best[s] for p, s in zip(of_arm.transitions[x], after, strict=True)), 0 * best[after[0]])
        lost = best[tuple(map(int, state))] - of_arm.rewards[x] - MACHINES.discount * follows
        state, _, over, _, info = env.step(np.int64(arm))
        assert 0 <= info["regret"] == pytest.approx(nearest_float(lost), abs=1e-12)
        seen.add(info["regret"] > 1e-9)
        if over:
            state, _ = env.reset()
    assert seen == {False, True}


def test_bandits_and_arms_print_as_line_and_html_table():
    assert str(MACHINES) == "bandit of 2 arms, with 2 to 3 states, discount 9/10, started in (a1s2, a2s1)"
    assert str(MACHINES.arms[1]) == "arm of 2 states"
    html = MACHINES._repr_html_()
    assert html.count("<table>") == 2
    assert html.count("<tr>") == 2 + 3 + 2
    assert "<td>4/5</td>" in html
    named = Bandit([Arm(rewards=[Fraction(1, 3)], transitions=[[1]], states=["a<b>"])], "1/2")
    assert "a&lt;b&gt;" in named._repr_html_()
    assert str(named) == "bandit of 1 arm, with 1 state, discount 1/2"
    many = Bandit([Arm(rewards=[0] * 21, transitions=np.eye(21, dtype=int).tolist())], "1/2")
    assert many._repr_html_() == "<p>bandit of 1 arm, with 21 states, discount 1/2</p>"
    assert many.arms[0]._repr_html_() == "<p>arm of 21 states</p>"


def test_errstate_of_the_caller_changes_no_number():
    rows, rewards = [[[1e-200, 1.0], [0, 1]], [[1.0]]], [[1e-320, 1e10], [0.6]]

    def numbers():
        made = mbrl.bandit(rows, rewards, 0.9, reward_laws="gaussian:1e-310")
        data = mbrl.run(mbrl.bandit(rows, rewards, 0.9), ["random", "mb-psrl"], simulations=2, episodes=5)
        judged = mbrl.judge(made, lambda state: 1)
        return [data["regret"].values.tolist(), judged.value, judged.optimal, made.laws.values.tolist()]

    expected = numbers()
    with np.errstate(all="raise"):
        assert numbers() == expected


def test_learner_is_found_in_the_folder_that_is_current_now(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", [folder for folder in sys.path if folder not in ("", ".")])
    monkeypatch.delitem(sys.path_importer_cache, ".", raising=False)
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"in_{name}.py").write_text("from mbrl.agents.baselines import Uniform as Mine\n")
        monkeypatch.chdir(tmp_path / name)
        assert import_attribute(f"in_{name}:Mine", "agent").__name__ == "Uniform"

"""A run extended by simulations, learners or episodes equals a run at once, byte for byte, and repeats nothing."""

import json
import os
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import xarray as xr

from mbrl.agents import AGENTS, make_agent
from mbrl.environments import lower_bound, random_walk
from mbrl.experiments import runner
from mbrl.experiments.rows import Rows
from mbrl.experiments.scenarios import find_scenario
from mbrl.experiments.settings import Settings, make_settings
from mbrl.experiments.simulation import Simulation, horizons, initial_states
from mbrl.experiments.store import Store
from mbrl.importing import code_digest
from mbrl.notebook import run as notebook_run
from tests.mbrl.command_line import PROJECT, content, mbrl, refused

ALL = "mb-psrl,mb-ucbvi,random"
RUN = ("run", "random-walk", "--seed", 7, "--jobs", 1, "--out")


def run(folder, *words):
    """Run the command, and return the numbers of simulations that it computed and resumed."""
    done = json.loads(mbrl(*RUN, folder, *words, "--json").stdout)
    return done["computed"], done["resumed"]


@pytest.fixture(scope="module")
def at_once(tmp_path_factory):
    folder = tmp_path_factory.mktemp("at-once") / "run"
    run(folder, "--agents", ALL, "--simulations", 4, "--episodes", 60)
    return (folder / "regret.nc").read_bytes()


def test_extended_run_equals_a_single_run_of_final_size(at_once, tmp_path):
    assert run(tmp_path, "--agents", "mb-psrl,mb-ucbvi", "--simulations", 2, "--episodes", 30) == (4, 0)
    assert run(tmp_path, "--agents", "random") == (2, 4)
    assert run(tmp_path, "--simulations", 4) == (6, 6)
    assert run(tmp_path, "--episodes", 60) == (12, 0)
    assert (tmp_path / "regret.nc").read_bytes() == at_once
    assert not (tmp_path / "rows").exists()


def test_extension_replays_only_learners_that_depend_on_K(tmp_path):
    run(tmp_path, "--agents", "mb-psrl,mb-ucbvi,random", "--simulations", 1, "--episodes", 50)
    with xr.open_dataset(tmp_path / "timing.nc") as timing:
        before = timing["policy_seconds"].load()
    run(tmp_path, "--episodes", 80)
    with xr.open_dataset(tmp_path / "timing.nc") as timing:
        same = (timing["policy_seconds"].isel(episode=slice(0, 50)).values == before.values).all(axis=(1, 2))
    # equal to the last bit: not measured again
    assert same.tolist() == [True, False, True]


@pytest.mark.parametrize("name", AGENTS)
def test_resumed_learner_equals_an_uninterrupted_one(name):
    walk = random_walk()

    def simulation():
        return Simulation(walk, make_agent(name, walk, 50), scenario="test", name=name, simulation=0, seed=1)

    at_once = simulation().play(50)
    first = simulation()
    rows = first.play(20)
    assert bool(rows.learner) == AGENTS[name].anytime
    if rows.learner:
        longer = Simulation(walk, make_agent(name, walk, 5000), scenario="test", name=name, simulation=0, seed=1)
        assert (longer.play(50).regret == at_once.regret).all(), (
            f"{name} looks at K: its entry must not say that it is anytime"
        )
        later = simulation()
        later.resume(rows.learner)
        both = rows.followed_by(later.play(50))
        assert (both.regret == at_once.regret).all()
    else:  # it knows K, and plays its first episodes accordingly
        assert make_agent(name, walk, 50)._problem.episodes == 50


def test_more_episodes_keep_the_first_draws():
    environment = lower_bound(np.random.default_rng(1), episodes=10)
    for draw in (horizons, initial_states):
        assert (draw(environment, "test", 3, 1000, 7)[:50] == draw(environment, "test", 3, 50, 7)).all()


def test_smaller_request_leaves_the_run_unchanged_and_says_so(tmp_path):
    words = ("run", "random-walk", "--out", tmp_path, "--agents", "random", "--jobs", 1)
    mbrl(*words[:-3], ALL, "--simulations", 3, "--episodes", 20)
    before = content(tmp_path)
    held = "the folder holds 3 simulations of 20 episodes, more than you ask for"
    for smaller in (("--episodes", 10), ("--simulations", 1)):
        done = mbrl(*words, *smaller)
        assert held in done.stderr
        assert "Regret cumulated over 20 episodes; 3 simulations" in done.stdout
    done = json.loads(mbrl(*words, "--episodes", 10, "--json").stdout)
    assert (done["episodes"], done["computed"], done["resumed"]) == (20, 0, 9)
    assert held not in mbrl(*words, "--episodes", 20).stderr
    with pytest.warns(UserWarning, match=held):
        assert notebook_run("random-walk", "random", simulations=1, episodes=10, out=tmp_path).sizes["episode"] == 20
    assert content(tmp_path) == before


def test_abandoned_extension_is_not_resumed_unasked(tmp_path):
    words = ("--agents", "random", "--episodes", 20)
    run(tmp_path, *words, "--simulations", 2)
    before = content(tmp_path)
    settings = json.loads((tmp_path / "settings.json").read_text())
    (tmp_path / "settings.json").write_text(json.dumps(settings | {"simulations": 10**6}))  # begun, and interrupted
    assert run(tmp_path, *words, "--simulations", 2) == (0, 2)
    assert content(tmp_path) == before


def test_rows_of_an_interrupted_longer_run_are_reused(tmp_path, monkeypatch):
    words = ("--agents", "random,mb-ucbvi", "--simulations", 2)
    save = Store.save_rows
    saved = []

    def save_and_be_interrupted(self, *args):
        save(self, *args)
        saved.append(args)
        if len(saved) == 4:
            raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Store, "save_rows", save_and_be_interrupted)
        command = ("run", "random-walk", "--out", tmp_path, "--seed", 7, "--jobs", 1, *words, "--episodes", 40)
        done = mbrl(*command, check=False)
    assert (done.returncode, done.stderr.split()) == (130, ["error:", "interrupted"])
    # the first 25 of 40 episodes equal those of a run of 25 for `random`, but not for mb-ucbvi, which depends on K
    assert run(tmp_path, *words, "--episodes", 25) == (2, 2)
    assert len(list((tmp_path / "rows").rglob("*-40.rows"))) == 4
    assert run(tmp_path, *words, "--episodes", 40) == (0, 4)
    fresh = tmp_path / "fresh"
    run(fresh, *words, "--episodes", 40)
    assert (tmp_path / "regret.nc").read_bytes() == (fresh / "regret.nc").read_bytes()


def test_rows_of_more_simulations_are_kept(tmp_path):
    store = Store(tmp_path, Settings("walk", ("mine:Mine",), 1, 3))
    for simulation in (0, 1):
        store.save_rows("mine:Mine", simulation, Rows(np.zeros(3), np.zeros(3)))
    store.remove_rows()
    assert [store.saved_episodes("mine:Mine", simulation) for simulation in (0, 1)] == [[], [3]]


def test_run_of_models_that_depend_on_K_refuses_more_episodes(tmp_path, monkeypatch):
    played, play = [], Simulation.play
    monkeypatch.setattr(runner, "_WARM", set())
    monkeypatch.setattr(
        Simulation, "play", lambda self, count: played.append((self.simulation, count)) or play(self, count)
    )
    words = ("run", "lower-bound", "--out", tmp_path, "--agents", "random", "--jobs", 1)
    watched = []
    runner.run(
        *make_settings(find_scenario(words[1]), agents=("random",), simulations=2, episodes=20),
        tmp_path,
        watch=watched.append,
    )
    assert watched == [runner.Progress(done, 2, 0) for done in range(3)]
    assert played == [(0, 1), (0, 20), (1, 20)]  # the first untimed
    why = refused(*words, "--episodes", 30)
    assert re.search(r"a run of other settings \(model: [0-9a-f]{16}, now [0-9a-f]{16}\)", why)
    mbrl(*words, "--simulations", 3)


def test_results_of_a_changed_file_are_not_extended(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    agent, code = "edited:Mine", "from mbrl.agents.baselines import Uniform as Mine\n"
    Path("edited.py").write_text(code)
    run("out", "--agents", agent, "--simulations", 1, "--episodes", 5)
    Path("edited.py").write_text(f"{code}# another rate\n")
    assert run("out", "--agents", "random") == (1, 1)  # the edited learner is not played further
    before = content(Path("out"))
    for words in (("--simulations", 2), ("--agents", "random", "--episodes", 6), ("--agents", agent)):
        assert re.search(rf"agent {agent}, whose code has changed .* new folder", refused(*RUN, "out", *words))
    assert content(Path("out")) == before
    Path("edited.py").write_text(code)
    assert run("out", "--simulations", 2) == (2, 2)


LEARNER = """
class L:
    def __init__(self, problem): self.problem = problem
    def plan(self, rng): return IndexPolicy.from_priority(order(), self.problem.sizes)
    def observe(self, trajectory): pass
"""
PLAYED = """
try: print(float(mbrl.run("random-walk", [L], simulations=1, episodes=5, out="out").regret.sum()))
except BanditError as error: print(error)
"""
CELLS = """
import linecache
for n, cell in enumerate(CELLS):
    linecache.cache[f"<cell {n}>"] = len(cell), None, cell.splitlines(True), f"<cell {n}>"
    exec(compile(cell, f"<cell {n}>", "exec"))

"""


@pytest.mark.parametrize("typed", [True, False])
def test_redefined_learner_of_a_session_is_refused(tmp_path, typed):
    states = [(a, x) for a in range(3) for x in range(4)]
    first, second = (f"\nORDER = {order}\ndef order(): return ORDER\n" for order in (states, states[::-1]))
    other = LEARNER.replace("order()", "order()[::-1]")
    cells = ["import mbrl\nfrom mbrl.policies import IndexPolicy\nfrom theory import BanditError\n", first]
    cells += [LEARNER, PLAYED, LEARNER, PLAYED, other, PLAYED, LEARNER, second, PLAYED]
    text = "\n".join(cells) + "\n" if typed else CELLS.replace("CELLS", repr(cells))
    done = subprocess.run(
        [sys.executable, "-i", "-q"], input=text, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(PROJECT)},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    played, again, *changed = done.stdout.splitlines()
    assert played == again
    assert all("agent __main__:L, whose code has changed since" in line for line in changed)
    assert len(changed) == 2


SESSION = """
import numpy as np
class Config:
    def __init__(self, rate): self.rate, self.whole = rate, self
CONFIG, SHARE, TABLE, CHOICES = Config({a}), Fraction({b}, 7), np.arange(3.0) * {c}, {{"x": [{d}]}}
class Base:
    first = {e}
class L(Base):
    @staticmethod
    def inner(): return (lambda: {f})()
    @property
    def shown(self): return {g}
    def plan(self, rng, most={h}): return CONFIG, SHARE, TABLE, CHOICES, super().first, "a" in {{"a", "b", "c"}}
"""


def test_digest_of_typed_code_sees_all_that_the_code_says(monkeypatch):
    session = ModuleType("session")
    session.Fraction = Fraction
    monkeypatch.setitem(sys.modules, "session", session)

    def digest(**changed):
        exec(SESSION.format(**(dict.fromkeys("abcdefgh", 1) | changed)), vars(session))
        return code_digest("session:L")

    assert len({digest(), digest(), *(digest(**{part: 2}) for part in "abcdefgh")}) == 9


def test_folder_in_place_of_a_rows_file_fails_only_runs_that_write_it(tmp_path):
    words = ("run", "random-walk", "--agents", "random", "--simulations", 2, "--jobs", 1)
    mbrl(*words, "--out", tmp_path, "--episodes", 5)
    rows = tmp_path / "rows" / "random" / "00000-5.rows"
    rows.mkdir(parents=True)
    mbrl(*words, "--out", tmp_path)  # a finished run needs no rows
    assert rows.is_dir()
    later = mbrl(*words, "--out", tmp_path, "--episodes", 6, check=False)
    assert later.returncode == 0
    (tmp_path / "rows" / "random" / "00000-7.rows").mkdir(parents=True)
    done = mbrl(*words, "--out", tmp_path, "--episodes", 7, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "00000-7.rows: cannot be written (Is a directory)" in done.stderr

"""The command `mbrl run`: results, reproducibility to the bit, refusals."""

import json
from contextlib import contextmanager
from itertools import count

import numpy as np
import pytest
import xarray as xr
from filelock import FileLock
from netCDF4 import Dataset

from mbrl import notebook
from mbrl.environments import lower_bound, random_model
from mbrl.experiments import settings as settings_module
from mbrl.experiments.parallel import in_processes
from mbrl.experiments.scenarios import find_scenario
from mbrl.experiments.settings import make_settings
from proofs_checks.paper.recorded import record_runs, recorded_run
from tests.mbrl.command_line import SMALL, content, mbrl, refused
from theory import BanditError
from theory.terminal.workers import WorkerLostError


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("finished") / "new" / "run"
    mbrl("run", "random-walk", "--out", folder, *SMALL, "--jobs", 1)
    return folder


def test_results_have_documented_shape_and_match_the_record(finished, tmp_path):
    with xr.open_dataset(finished / "regret.nc") as data:
        assert data["regret"].dims == ("agent", "simulation", "episode")
        kept = {"zlib": True, "complevel": 1, "shuffle": True, "fletcher32": True, "chunksizes": (1, 1, 40)}
        assert (data["regret"].dtype, data["regret"].encoding | kept) == ("float64", data["regret"].encoding)
        assert data["agent"].values.tolist() == ["mb-psrl", "mb-ucrl2", "mb-ucbvi"]
        assert data["episode"].values[[0, -1]].tolist() == [1, 40]
        assert (data["regret"] >= -1e-9 * 100).all()
        regret = data["regret"].sel(agent="mb-ucbvi").values
        assert [data.attrs[name] for name in ("scenario", "seed", "regret_method")] == ["random-walk", 7, "expected"]
        assert "numba" in json.loads(data.attrs["versions"])
        assert (len(data.attrs["model_digest"]), int(data.attrs["model_digest"], 16) > 0) == (16, True)
    with xr.open_dataset(finished / "timing.nc") as data:
        assert data["policy_seconds"].dims == ("agent", "simulation", "episode")
        assert (data["policy_seconds"] > 0).all()
        times = 1000 * data["policy_seconds"].sel(agent="mb-ucbvi").values
    record_runs([finished], tmp_path / "record.json")
    kept = recorded_run("random-walk", tmp_path / "record.json").agents["mb-ucbvi"]
    medians = [np.median(each, axis=1) for each in (times[:, :6], times[:, 34:])]
    assert np.allclose([kept.first_milliseconds, kept.last_milliseconds], medians, rtol=0, atol=1e-6)
    assert np.allclose(kept.regret, regret.cumsum(axis=1)[:, [9, 19, 29, 39]], rtol=0, atol=1e-3)


def test_result_file_of_two_processes_equals_that_of_one(finished, tmp_path):
    mbrl("run", "random-walk", "--out", tmp_path, *SMALL, "--jobs", 2)
    assert (tmp_path / "regret.nc").read_bytes() == (finished / "regret.nc").read_bytes()


def test_run_gives_up_after_three_losses_without_progress(monkeypatch):
    calls = []

    def lost_but_once(function, tasks, jobs, prepare):
        calls.append(tasks)
        yield from [("b", 1)] if len(calls) == 3 else []
        raise WorkerLostError("lost")

    monkeypatch.setattr("mbrl.experiments.parallel.in_parallel", lost_but_once)
    with pytest.raises(
        BanditError, match=r"^worker processes were killed 3 times; .* for 2 jobs\? what is finished is"
    ):
        list(in_processes(len, ["a", "b"], 2))
    assert calls == [["a", "b"]] * 3 + [["a"]] * 2


def test_finished_run_is_left_unchanged(finished):
    before = content(finished)
    (finished / ".regret.nc.part").write_bytes(b"of a process that was killed")
    assert mbrl("run", "random-walk", "--out", finished, *SMALL).stderr == ""
    with FileLock(finished / ".lock"):
        assert "another process is writing into" in refused("run", "random-walk", "--out", finished, *SMALL)
    assert content(finished) == before


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["run", "random-walk", "--agents", "random,random"], "an agent comes twice"),
        (["run", "random-walk", "--simulations", "-1"], "simulations: -1 is too few"),
        (["run", "random-walk", "--seed", "-5"], "seed: -5 is outside 0..9223372036854775807"),
        (["run", "random-walk", "--seed", str(2**63)], "seed: 9223372036854775808 is outside 0.."),
        (["run", "random-walk", "--regret", "guess"], "no way to compute the regret is called 'guess'"),
        (["run", "random-walk", "--discount", "1"], "discount: 1 is outside 0 <= discount < 1"),
        (["run", "random-walk", "--discount", "0." + "9" * 20], "discount: 0.99999999999999999999 is so near 1"),
        (["run", "random-walk", "--discount", "half"], "discount: 'half' is not a number"),
        (["run", "random-walk", "--episodes", "9" * 20], "of " + "9" * 20 + " episodes, 3 learners: their regrets are"),
        (["run", "random-walk", "--simulations", "9" * 20, "--agents", "random"], " of 3000 episodes: their regrets"),
        (["run", "random-walk", "--discount", "0.9999999999"], "an episode has 1e+10 steps on average, and the longest"),
        (["run", "random-walk", "--agents", "gittins-q/cooling=2"], "agent gittins-q/cooling=2: cooling is 2; give"),
        (["run", "random-walk", "--agents", "mb-ucbvi/unseen_reward=inf"], "unseen_reward is inf; give a number from 0"),
        (["run", "random-walk", "--rewards", "gaussian:1", "--agents", "mb-psrl"], "mb-ucbvi and mb-psrl/rewards=gaussian admit it"),
        (["run", "random-walk", "--agents", "mb-psrl/alpha=1"], "no option is called 'alpha'"),
        (["run", "tests.mbrl.own_scenario:NOTHING"], "cannot be imported"),
        (["run", "tests.mbrl.own_scenario:LIST"], "is a list, not a Scenario, an Environment or a Bandit"),
        (["run", "tests.mbrl.own_scenario:OF_BANDITS"], "OF_BANDITS: build returned Bandit, not an Environment; from_"),
        (["run", "tests.mbrl.own_scenario:OF_NOTHING"], "OF_NOTHING: build is called with (seed, model, episodes)"),
        (["run", "tests.mbrl.own_scenario:OF_NO_SIZE"], "simulations: -2 is too few"),
        (["run", "tests.mbrl.own_scenario:FAILS"], "FAILS raised ZeroDivisionError: integer division or modulo by"),
        (["run", "tests.mbrl.own_scenario:broken"], "raised ZeroDivisionError: division by zero ("),
        (["run", "task-scheduling", "--agents", "mb-ucrl2"], "2357947691 global states"),
    ],
)  # fmt: skip
def test_wrong_options_print_one_line_and_create_nothing(words, expected, tmp_path):
    assert expected in refused(*words, "--out", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_run_prints_the_initial_state_by_name_or_number(tmp_path):
    size = ("--simulations", 1, "--episodes", 2, "--agents", "oracle", "--jobs", 1)
    arm = {"states": ["new", "worn"], "rewards": [1, 0], "transitions": [[0, 1], [1, 0]]}
    model = {"discount": "1/2", "arms": [arm]}
    for number, initial in enumerate((["worn"], [1])):
        (tmp_path / "model.json").write_text(json.dumps(model | {"initial": initial}))
        done = mbrl("run", tmp_path / "model.json", "--out", tmp_path / str(number), *size)
        assert "play starts in (worn); an episode has 1/(1 - discount) = 2 steps on average\n" in done.stdout
    assert random_model(np.random.default_rng(1)).start_text == "play starts in (state 1, state 1, state 1)"
    assert random_model(np.random.default_rng(1), arms=13).start_text == f"play starts in ({'state 1, ' * 12}...)"
    assert lower_bound(np.random.default_rng(1), 10).start_text == "play starts in one of 4 global states"


def test_table_names_learners_that_seem_to_learn_nothing(tmp_path):
    size = ("--simulations", 6, "--episodes", 3, "--agents", "tests.mbrl.own_agent:Stubborn,random,oracle", "--jobs", 1)
    done = mbrl("run", "counterexample", "--out", tmp_path, *size)
    printed = " ".join(done.stdout.split())
    assert (
        " tests.mbrl.own_agent:Stubborn: the same regret in every episode, so what was seen changed nothing" in printed
    )


@contextmanager
def put_aside(path):
    path.rename(path.with_name(".kept"))
    yield
    path.with_name(".kept").rename(path)


def test_run_resumes_without_its_settings_file(tmp_path):
    words = ("run", "random-walk", "--out", tmp_path, "--agents", "oracle", "--episodes", 3, "--jobs", 1, "--json")
    mbrl(*words, "--simulations", 1)
    (tmp_path / "settings.json").unlink()
    assert json.loads(mbrl(*words, "--simulations", 2).stdout)["resumed"] == 1
    (tmp_path / "settings.json").unlink()
    (tmp_path / "regret.nc").write_text("no results")
    assert "regret.nc is damaged, or not one of this program's; give a new or" in refused(*words[:-1])


def test_run_extends_while_its_results_are_open(tmp_path):
    size = {"episodes": 3, "out": tmp_path}
    notebook.run("random-walk", "oracle", simulations=1, **size)
    with xr.open_dataset(tmp_path / "regret.nc") as opened:
        notebook.run("random-walk", "oracle", simulations=2, **size)
        assert (opened.sizes["simulation"], opened["regret"].sum()) == (1, 0)


def test_run_recovers_from_damaged_settings(tmp_path):
    words = ("run", "random-walk", "--out", tmp_path, "--agents", "oracle", "--simulations", 1, "--jobs", 1)
    mbrl(*words, "--episodes", 3)
    settings = json.loads((tmp_path / "settings.json").read_text())
    for wrong in ({"episodes": 0}, {"episodes": 2.5}, {"seed": True}, {"model": 5}, {"agents": ["random", 5]}, None):
        (tmp_path / "settings.json").write_text(json.dumps(wrong and settings | wrong))
        with put_aside(tmp_path / "regret.nc"):
            assert "settings.json is damaged, or not one of this program's" in refused(*words)
        mbrl(*words)  # regret.nc says the same
        assert json.loads((tmp_path / "settings.json").read_text()) == settings
    (tmp_path / "settings.json").write_text(json.dumps(settings | {"episodes": 10**20}))
    before = content(tmp_path)
    assert "more than the" in refused(*words)
    assert content(tmp_path) == before
    mbrl(*words, "--episodes", 4)


@pytest.mark.parametrize(
    ("agents", "discount", "memory"),
    # two numbers of 8 bytes for each of 3 simulations of 7 episodes; for the longest of 7, log(8) * 1024 steps, 4 each
    [("random,oracle", "1/2", 672), ("random", "1/2", 336), ("random", "1023/1024", 68140)],
)
def test_run_is_refused_iff_it_exceeds_the_machine_memory(agents, discount, memory, monkeypatch):
    pages = {"SC_PAGE_SIZE": 1, "SC_PHYS_PAGES": memory}
    monkeypatch.setattr(settings_module.os, "sysconf", pages.get)
    walk, asked = find_scenario("random-walk"), {"discount": discount, "simulations": 3, "episodes": 7}
    make_settings(walk, agents=tuple(agents.split(",")), **asked)
    pages["SC_PHYS_PAGES"] -= 1
    with pytest.raises(BanditError, match="of this machine hold"):
        make_settings(walk, agents=tuple(agents.split(",")), **asked)


def test_run_with_other_settings_is_refused_and_changes_nothing(finished):
    before = content(finished)
    for option, value, words in (
        ("--seed", 8, "seed: 7, now 8"),
        ("--discount", "0.9", "discount: the scenario's own, now 0.9"),
        ("--rewards", "constant", "rewards: the scenario's own, now constant"),
        ("--regret", "monte-carlo", "regret: expected, now monte-carlo"),
    ):
        assert f"a run of other settings ({words})" in refused("run", "random-walk", "--out", finished, option, value)
    assert "scenario: random-walk, now random-models" in refused("run", "random-models", "--out", finished)
    assert content(finished) == before


def test_foreign_damaged_and_unwritable_folders_are_refused(tmp_path, finished, monkeypatch):
    (tmp_path / "thesis.tex").write_text("mine")
    assert "no results of this program" in refused("run", "random-walk", "--out", tmp_path, *SMALL)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    assert "is a file" in refused("run", "random-walk", "--out", tmp_path / "thesis.tex", *SMALL)
    assert "cannot be written" in refused("run", "random-walk", "--out", tmp_path / "thesis.tex" / "deeper", *SMALL)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "settings.json").write_text('{"mine": 1}')
    assert "not one of this program's" in refused("run", "random-walk", "--out", tmp_path / "other", *SMALL)
    (tmp_path / "empty").mkdir()
    assert "holds no results" in refused("plot", tmp_path / "empty")
    words = ("run", "random-walk", "--out", tmp_path / "empty", *SMALL, "--agents", "oracle", "--jobs", 1)
    mbrl(*words)
    (tmp_path / "empty" / "timing.nc").write_bytes((finished / "timing.nc").read_bytes())
    assert "regret.nc and timing.nc are of different runs" in refused("table", tmp_path / "empty")
    with Dataset(tmp_path / "empty" / "timing.nc", "a") as data:
        data.title = "another"
    assert "timing.nc is damaged" in refused("table", tmp_path / "empty")
    monkeypatch.setattr("mbrl.commands.app.perf_counter", count().__next__)
    done = json.loads(mbrl(*words, "--json").stdout)
    assert (done["computed"], done["seconds"]) == (3, 1)
    (tmp_path / "empty" / "regret.nc").write_bytes((tmp_path / "empty" / "timing.nc").read_bytes())
    assert "regret.nc is damaged" in refused("table", tmp_path / "empty")


def test_a_learner_has_one_spelling_and_one_row(tmp_path):
    words = ("run", "random-walk", "--out", tmp_path, "--simulations", 1, "--episodes", 2, "--jobs", 1, "--agents")
    assert "mb-psrl/dirichlet=1.0 and mb-psrl are the same learner, mb-psrl" in refused(
        *words, "mb-psrl/dirichlet=1.0,mb-psrl"
    )
    one, other = (
        mbrl(*words, f"mb-psrl/{given},random")
        for given in ("successes=2/dirichlet=0.50", "dirichlet=.5/successes=2.0")
    )
    assert (
        "agent mb-psrl/successes=2/dirichlet=0.50: its results are called mb-psrl/dirichlet=0.5/successes=2"
        in one.stderr
    )
    assert "2 of them saved by an earlier run" in other.stdout
    told = " ".join(mbrl("table", tmp_path, "--versus", "random").stdout.split())
    assert "Learners share each simulation's model, and the lengths and initial states of its episodes; plans" in told


def test_list_prints_scenarios_learners_and_options():
    listed = json.loads(mbrl("list", "--json").stdout)
    assert {"random-walk", "task-scheduling", "random-models"} <= {entry["name"] for entry in listed["scenarios"]}
    names = "mb-psrl mb-ucrl2 mb-ucbvi psrl ucrl2 ucbvi gittins-q oracle random"
    assert set(names.split()) <= set(listed["agents"])
    heads, *rows = (line.split() for line in mbrl("list").stdout.splitlines() if line.strip())
    assert heads == ["scenario", "what", "simulations", "episodes", "agents"]
    assert {"random-walk", "task-scheduling", "random-models", "agent", *names.split()} <= {row[0] for row in rows}
    heads, *rows = (line.split() for line in mbrl("list", "--options").stdout.splitlines())
    assert (heads[:2], ["random"] in rows) == (["agent", "options"], True)
    known = json.loads(mbrl("list", "--options", "--json").stdout)["options"]
    assert (known["mb-psrl"]["dirichlet"], known["mb-psrl-gaussian"]["rewards"]) == (1.0, "gaussian")
    assert "N: visits to the arm state before the episode" in " ".join(word for row in rows for word in row)
    content = json.loads(mbrl("list", "--options", "--json").stdout)
    assert all(len(content["meanings"][agent][key]) > 20 for agent, keys in content["options"].items() for key in keys)
    assert "in the learner's unit" in content["meanings"]["psrl"]["mean"]

"""Learning times by hand; the `learning` command; the commands that READINGS.md quotes."""

import json
import re

import numpy as np
import pytest

from mbrl.commands import app
from mbrl.experiments.dataset import Saved, read_results
from mbrl.experiments.learning import learning_times
from tests.mbrl.command_line import PROJECT, mbrl, refused
from theory import BanditError

READINGS_FILE = (PROJECT / "mbrl" / "paper" / "READINGS.md").read_text(encoding="utf-8")


def run_of(**rows):
    """Return a run with these regrets, (simulations, episodes) each."""
    regret = np.array(list(rows.values()), dtype=float)
    return Saved(list(rows), regret, np.zeros(regret.shape[1]), {})


def test_learning_time_counts_from_the_last_bad_block():
    soon, late, never = [4, 4, 0, 0, 0, 0, 0], [0, 0, 2, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 4]
    run = run_of(random=[[2] * 7] * 4, one=[soon, late, never, [0.8, 0, 0.2, 0, 0, 0, 0]])
    _, (times,) = learning_times(run, "random", block=2)
    # blocks are episodes 1-2, 3-4 and 5-7; means as shares of 2: (2, 0, 0), (0, 1/2, 0), (0, 0, 2/3), (1/5, 1/20, 0)
    np.testing.assert_array_equal(times.after, [[2, 4, np.nan, 0], [2, 4, np.nan, 2], [2, 4, np.nan, 4]])
    assert times.last == pytest.approx((0, 0, 2 / 3, 0))
    assert times.regret == pytest.approx(15 / 4)
    assert learning_times(run, 0.5, block=7)[1][1].last[2] == pytest.approx(8 / 7)  # of what a number says


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"versus": "b"}, "versus: the run has no learner called 'b'; it has random, oracle"),
        ({"versus": "oracle"}, "versus: oracle gives no positive regret"),
        ({"block": 3}, r"block: 3 is outside 1\.\.2"),
        ({"block": 0}, r"block: 0 is outside 1\.\.2"),
    ],
)
def test_learning_times_refuses_wrong_options(options, words):
    with pytest.raises(BanditError, match=words):
        learning_times(run_of(random=[[1, 1]], oracle=[[0, 0]]), **({"versus": "random", "block": 1} | options))


COMMANDS = re.findall(r"^python -m mbrl (.+)$", READINGS_FILE.replace("\\\n", ""), re.M)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_quoted_in_readings_parse(command):
    name, *words = command.replace(", ", ",").split()
    app.mbrl.commands[name].make_context(name, words)


def test_learning_command_prints_times_and_refuses_large_blocks(tmp_path):
    words = ("--out", tmp_path, "--agents", "random,oracle", "--simulations", 2, "--episodes", 6, "--jobs", 1)
    mbrl("run", "random-walk", *words)
    content = json.loads(mbrl("learning", tmp_path, "--block", 3, "--json").stdout)
    assert content["agents"][0]["after"] == [[0, 0]] * 3
    shown = mbrl("learning", tmp_path, "--block", 3).stdout
    assert "oracle  0, 0" in shown
    assert "an episode has 1/(1 - discount) = 100 steps on average" in " ".join(shown.split())
    assert "block: 7 is outside 1..6" in refused("learning", tmp_path, "--block", 7)


@pytest.mark.parametrize("episodes", [1, 6])
def test_learning_without_versus_uses_the_mean_first_regret(tmp_path, episodes):
    words = ("--out", tmp_path, "--agents", "mb-psrl,oracle", "--simulations", 2, "--episodes", episodes, "--jobs", 1)
    mbrl("run", "random-walk", *words)
    content = json.loads(mbrl("learning", tmp_path, "--json").stdout)
    first = read_results(tmp_path).rows[:, :, 0]
    assert (content["versus"], content["block"], content["loses"]) == (None, 1, float(first.mean()))
    assert "Shares are of that, over 1 episodes; an episode has" in " ".join(mbrl("learning", tmp_path).stdout.split())
    assert content["loses"] > 0

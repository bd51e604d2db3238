"""First steps of a new user in the README's environment succeed."""

from __future__ import annotations

import json

import pytest

pytestmark = pytest.mark.system

PROGRAM = """
import numpy as np
from decimal import Decimal
from fractions import Fraction
from mbrl.policies import IndexPolicy
from theory import Arm, Bandit, fraction, gittins_indices, gittins_priority, gittins_value, model_text, priority_value

counts = np.array([[3, 1, 0], [0, 2, 4], [5, 0, 5]])
rng = np.random.default_rng(0)
arms = [
    Arm.from_floats(rewards=[0.2, 1 / 3, 1.0], transitions=counts / counts.sum(axis=1, keepdims=True)),
    Arm.from_floats(rewards=rng.random(2), transitions=rng.dirichlet([1, 1], size=2)),
    Arm(rewards=[Decimal("0.35")], transitions=np.eye(1, dtype=int)),
]
bandit = Bandit(arms, discount=Decimal("0.9"), initial=np.array([0, 1, 0]))
assert [fraction(arms[0].rewards[1]), fraction(arms[0].transitions[1][2])] == [Fraction(1, 3), Fraction(2, 3)]
indices = [[float(index) for index in gittins_indices(arm, "0.9")] for arm in arms]
order = gittins_priority(bandit)
floats = IndexPolicy.from_indices(indices, bandit.sizes)
exactly = IndexPolicy.from_priority(order, bandit.sizes)
assert floats.order.tolist() == exactly.order.tolist()
assert priority_value(bandit, [list(state) for state in order]).value == gittins_value(bandit).value
print(model_text(bandit), end="")
"""


def test_models_accept_arrays_decimals_and_arms_of_different_sizes(newcomer):
    done = newcomer.run("python", "-W", "error", "-c", PROGRAM)
    assert (done.returncode, done.stderr) == (0, "")
    newcomer.write("mine.json", done.stdout)
    value = newcomer.module("theory", "value", "mine.json", "--json")
    assert sorted(json.loads(value.stdout)["visits"]) == ["a1s1", "a1s2", "a1s3", "a2s1", "a2s2", "a3s1"]


def test_model_file_with_bom_and_crlf_is_read(newcomer):
    text = newcomer.module("theory", "example", "counterexample-m1").stdout
    (newcomer.folder / "model.json").write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    assert json.loads(newcomer.module("theory", "value", "model.json", "--json").stdout)["value"] == "5163/800"

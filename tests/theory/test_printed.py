"""What the commands print of models whose numbers follow by hand, in text and in JSON, as pinned in `printed.txt`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.pinned import hold
from tests.theory.test_commands import machines, output, printed, two_arm_model
from theory import Arm, Bandit, RewardLaw, model_text

PINNED = Path(__file__).with_name("printed.txt")
ROWS = [[0, 0, 1], ["1/3"] * 3, [0, 1, 0]]
MOVES = Arm(rewards=[1, 0, 2], transitions=ROWS, states=["A1", "A2", "A3"], transition_radius=[2, 0, 0])
WAITS = Arm(rewards=[0, 1], transitions=[[0, 1], [1, 0]], states=["B1", "B2"])
MACHINE = Arm(rewards=[1, "3/5"], transitions=[["4/5", "1/5"], [0, 1]], states=["new", "worn"], name="1")
MODELS = {
    # One step later 1 is worth 4/7 per time now: 0 + 4/7 + (4/7)^2 + ... over 1 + 4/7 + (4/7)^2 + ... So the first arm is
    # played for ever: once in its first state, 4/7 + (4/7)^2 + ... = 4/3 times in the other. The second arm for ever is
    # worth 1/3 for 1 + 4/7 + (4/7)^2 + ... = 7/3 times. For discounts b the first state has the index b, which passes 1/3.
    "two arms": two_arm_model(),
    "pays 1/4": two_arm_model(rewards=[0, "1/4"]),  # one step later that is worth 1/7
    # From the first state half of what stays may go to the second, which pays up to 5/4. Played for ever, that is worth
    # P = 5/4 * 7/3 there, and V = 4/7 (V/2 + P/2) = 2/5 P = 7/6 here: more than 1/3 * 7/3.
    "radii": two_arm_model(transitions=[[1, 0], [0, 1]], reward_radius=[0, "1/4"], transition_radius=[1, 0]),
    # The square root of 2 is 1.4142135623730950488016887..., its half 0.70710678118654752440084..., twice it
    # 2.8284271247461900976033774...; two digits more than asked for are shown.
    "sqrt(2)": two_arm_model(rewards=[0, "sqrt(2)"]).replace("4/7", "1/2"),
    # sqrt(2) b, of the first state, passes 1/2 at 1/(2 sqrt(2)) = 0.35355339059327376220042218105242...
    "real rewards": two_arm_model(rewards=[0, "sqrt(2)"]).replace("1/3", "1/2"),
    # The first state is visited 1/(1 - .9 .8) times, the other one for the rest of 10.
    "a machine": model_text(Bandit([MACHINE], "9/10", ["new"])),
    # In A1, the first arm should go to A3 while the second is about to pay (B2), and stay where it is otherwise.
    "two rows for A1": model_text(Bandit([MOVES, WAITS], "4/5", ["A1", "B2"])),
    # B certainly comes before A, of which there are two, and may come after C.
    "four machines": machines(A="2 +/- 0.5", B="3 +/- 0.25", A2="2 +/- 0.5", C="3 +/- 0.5"),
    "three machines": machines(A="2 +/- 0.5", B="3 +/- 0.25", A2="2 +/- 0.5"),
    "two machines": machines(A="2 +/- 0.5", A2="2 +/- 0.5"),
    "overlapping kinds": machines(L1="0.8 +/- 0.1", L2="0.8 +/- 0.1", P1="0.9 +/- 0.1", P2="0.9 +/- 0.1"),
    "one machine apart": machines(L1="0.8 +/- 0.1", L2="0.8 +/- 0.1", P1="0.8 +/- 0.1", P2="1"),
}
WORDS = {
    "two arms": ["indices", "value", "value --priority known,waits,pays --initial waits,0 --digits 3",
        "value --digits 3 --json", "parametric", "parametric --json", "export --priority pays,known,waits", "export --json"],
    "pays 1/4": ["indices --now", "indices --now --csv"],
    "radii": ["optimism", "optimism --priority known,waits,pays --digits 3", "optimism --priority known,waits,pays --json"],
    "sqrt(2)": ["indices --digits 20", "value", "value --priority known,waits,pays", "optimism",
        "optimism --priority known,waits,pays", "indices --json", "value --json", "optimism --json"],
    "real rewards": ["parametric", "parametric --json"],
    "a machine": ["indices --csv", "value --csv --digits 4"],
    "two rows for A1": ["optimism", "optimism --json"],
    "four machines": ["indices --now", "indices --csv --now"],
    "three machines": ["indices --now"],
    "two machines": ["indices --now"],
    "overlapping kinds": ["indices", "value", "indices --json"],
    "one machine apart": ["indices", "value", "indices --json"],
}  # fmt: skip
NAMES = [f"{words}, {model}" for model in MODELS for words in WORDS[model]]
ORDER = [*NAMES, "a model file"]


@pytest.mark.parametrize("name", NAMES)
def test_commands_print_as_pinned(name):
    words, _, model = name.rpartition(", ")
    if words.endswith(" --json"):
        content = output(*words.removesuffix(" --json").split(), "-", stdin=MODELS[model])
        lines = [f"{key}: {json.dumps(value)}" for key, value in content.items()]
    else:
        lines = printed(*words.split(), stdin=MODELS[model])
    hold(PINNED, name, (line or "." for line in lines), ORDER)


def test_model_file_is_written_as_pinned():
    laws = [RewardLaw.gaussian(1, "1/2"), RewardLaw([0, 1], ["1/2", "1/2"], 3)]
    numbers = {"rewards": [1, "1/2"], "transitions": [["1/2", "1/2"], [0, 1]], "reward_radius": [0, 1]}
    arms = Arm(**numbers, states=["ŷ", "z"], reward_laws=laws), Arm(rewards=[2], transitions=[[1]])
    hold(PINNED, "a model file", model_text(Bandit(arms, "9/10", ["ŷ", 0])).splitlines(), ORDER)

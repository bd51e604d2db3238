"""A user's scenarios, for the tests."""

from dataclasses import replace

from mbrl.environments import from_bandit, random_walk
from mbrl.experiments.scenarios import Scenario
from theory import Arm, Bandit, RewardLaw

LAWS = [RewardLaw.gaussian(mean, "1/10") for mean in ("1/5", "4/5", "1/2")]
COINS = Bandit([Arm(rewards=[law.mean], transitions=[[1]], reward_laws=[law]) for law in LAWS], "9/10", [0, 0, 0])
LIST = [1, 2, 3]
TWO_MODELS = Scenario(
    "two-models",
    "a walk, and coins",
    ("random", "oracle"),
    simulations=4,
    episodes=30,
    build=lambda seed, model, episodes: [random_walk(), from_bandit(COINS, "coins"), None][model],
    simulations_per_model=2,
)

OF_BANDITS = replace(TWO_MODELS, build=lambda seed, model, episodes: COINS)
OF_NOTHING = replace(TWO_MODELS, build=random_walk)
OF_NO_SIZE = replace(TWO_MODELS, simulations=-2)
FAILS = replace(TWO_MODELS, build=lambda seed, model, episodes: 1 // 0)


def coins():
    return COINS


def walk():
    return random_walk()


def broken():
    return 1 / 0

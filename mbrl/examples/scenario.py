"""A scenario of one's own: several models, drawn with generators that the run's seed determines."""

from __future__ import annotations

from mbrl.environments import Environment, from_bandit
from mbrl.experiments.scenarios import Scenario
from mbrl.experiments.seeds import generator
from theory import Arm, Bandit


def machine(seed: int, model: int, episodes: int) -> Environment:
    """Return three machines that wear out, each with its own probability, and are repaired while they are played."""
    chances = generator(seed, "machines", model).integers(1, 9, size=3)
    arms = [
        Arm(
            rewards=[1, 0],
            transitions=[[f"{10 - chance}/10", f"{chance}/10"], ["1/4", "3/4"]],
            states=[f"m{number}-new", f"m{number}-worn"],
        )
        for number, chance in enumerate(chances, start=1)
    ]
    return from_bandit(Bandit(arms, "9/10", [0, 0, 0]), "machines")


random_machines = Scenario(
    name="random-machines",
    title="three machines that wear out; five simulations of each of four models",
    agents=("mb-psrl", "mbrl.examples.learner:Myopic"),
    simulations=20,
    episodes=200,
    build=machine,
    simulations_per_model=5,
)

"""The experiments by name: which environment each simulation plays in, and the sizes the paper used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from mbrl.environments import Environment, models
from mbrl.experiments.seeds import generator
from theory import BanditError

SIMULATIONS_PER_MODEL: Final = 5

Build = Callable[[int, int, int], Environment]
"""From (seed, model number, episodes) to an environment."""


@dataclass(frozen=True)
class Scenario:
    """An experiment.

    Attributes
    ----------
    name, title : str
    agents : names
        Played where none are asked for.
    simulations, episodes : int
        Sizes where none are given.
    build : function of (seed, model number, episodes)
    simulations_per_model : int
        0 where all simulations share one model; else simulation i plays in model ``i // simulations_per_model``.
    """

    name: str
    title: str
    agents: tuple[str, ...]
    simulations: int
    episodes: int
    build: Build
    simulations_per_model: int = 0

    def model_of(self, simulation: int) -> int:
        """Return the number of the model that a simulation plays in, from 0."""
        return simulation // self.simulations_per_model if self.simulations_per_model else 0


def _random_model(seed: int, model: int, episodes: int) -> Environment:
    return models.random_model(generator(seed, "random-models", model, "model"))


def _lower_bound(seed: int, model: int, episodes: int) -> Environment:
    return models.lower_bound(generator(seed, "lower-bound", model, "model"), episodes)


_INDEX_AGENTS: Final = ("mb-psrl", "mb-ucbvi")
_ALL_MB: Final = ("mb-psrl", "mb-ucrl2", "mb-ucbvi")

SCENARIOS: Final[MappingProxyType[str, Scenario]] = MappingProxyType(
    {
        scenario.name: scenario
        for scenario in (
            Scenario(
                "random-walk",
                "scenario 1: three random walks on four states",
                _ALL_MB,
                simulations=80,
                episodes=3000,
                build=lambda seed, model, episodes: models.random_walk(),
            ),
            Scenario(
                "task-scheduling",
                "scenario 2: nine tasks of eleven states",
                _INDEX_AGENTS,
                simulations=240,
                episodes=3000,
                build=lambda seed, model, episodes: models.task_scheduling(),
            ),
            Scenario(
                "random-models",
                "scenario 3: 16 random models, five simulations each, correct and incorrect prior",
                ("mb-psrl", "mb-psrl-gaussian", "psrl", "psrl-gaussian"),
                simulations=80,
                episodes=3000,
                build=_random_model,
                simulations_per_model=SIMULATIONS_PER_MODEL,
            ),
            Scenario(
                "counterexample",
                "the bandit M1 of Theorem 3",
                _ALL_MB,
                simulations=80,
                episodes=3000,
                build=lambda seed, model, episodes: models.counterexample(),
            ),
            Scenario(
                "lower-bound",
                "models drawn from the prior of the lower bound, one per simulation",
                _ALL_MB,
                simulations=80,
                episodes=3000,
                build=_lower_bound,
                simulations_per_model=1,
            ),
        )
    }
)


def find_scenario(name: str) -> Scenario:
    """Return the scenario called `name`, or the one of the model file of that name.

    Raises
    ------
    BanditError
        If there is neither.

    Examples
    --------
    >>> find_scenario("task-scheduling").simulations
    240
    """
    if name in SCENARIOS:
        return SCENARIOS[name]
    if name.endswith(".json") or Path(name).is_file():
        environment = models.model_file(name)
        return Scenario(
            Path(name).stem,
            f"the model file {Path(name).name}",
            _ALL_MB,
            simulations=80,
            episodes=3000,
            build=lambda seed, model, episodes: environment,
        )
    raise BanditError(
        f"no scenario is called {name!r}; the scenarios are {', '.join(SCENARIOS)}, or the path of a model file"
    )

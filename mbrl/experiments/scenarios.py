"""The experiments by name: the environment of each simulation, and the sizes that the paper used."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

from mbrl.agents.registry import make_agent
from mbrl.environments import Environment, from_bandit, models, with_rewards
from mbrl.experiments.seeds import generator
from mbrl.importing import blaming, check_takes, import_attribute
from theory import Bandit, BanditError

SIMULATIONS_PER_MODEL: Final = 5

Build = Callable[[int, int, int], Environment]
"""Maps (seed, model number, episodes) to an environment."""


@dataclass(frozen=True)
class Scenario:
    """An experiment.

    Attributes
    ----------
    name, title : str
    agents : names
        Learners to play by default; if there are none here, `able_agents` are.
    simulations, episodes : int
        Default sizes.
    build : function of (seed, model number, episodes)
    simulations_per_model : int
        0 if all simulations share one model; otherwise simulation i plays in model ``i // simulations_per_model``.
    """

    name: str
    title: str
    agents: tuple[str, ...]
    build: Build
    simulations: int = 80
    episodes: int = 3000
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
                build=lambda seed, model, episodes: models.random_walk(),
            ),
            Scenario(
                "task-scheduling",
                "scenario 2: nine tasks of eleven states",
                _INDEX_AGENTS,
                simulations=240,
                build=lambda seed, model, episodes: models.task_scheduling(),
            ),
            Scenario(
                "random-models",
                "scenario 3: random models, five simulations each, correct and incorrect prior",
                ("mb-psrl", "mb-psrl-gaussian", "psrl", "psrl-gaussian"),
                build=_random_model,
                simulations_per_model=SIMULATIONS_PER_MODEL,
            ),
            Scenario(
                "counterexample",
                "the bandit M1 of Theorem 3",
                _ALL_MB,
                build=lambda seed, model, episodes: models.counterexample(),
            ),
            Scenario(
                "lower-bound",
                "models drawn from the prior of the lower bound, one per simulation",
                _ALL_MB,
                build=_lower_bound,
                simulations_per_model=1,
            ),
        )
    }
)


def find_scenario(name: str) -> Scenario:
    """Return the scenario called `name`: one of this package, a model file's, or a user's as ``module:attribute``.

    The attribute is a `Scenario`, an `Environment`, a `theory.Bandit`, or a function without arguments that returns
    one of these.

    Raises
    ------
    BanditError
        If there is none.

    Examples
    --------
    >>> find_scenario("task-scheduling").simulations
    240
    >>> sorted({(each.simulations, each.episodes) for each in SCENARIOS.values()})
    [(80, 3000), (240, 3000)]
    >>> [(each.model_of(4), each.model_of(5)) for each in SCENARIOS.values()]
    [(0, 0), (0, 0), (0, 1), (0, 0), (4, 5)]
    """
    if name in SCENARIOS:
        return SCENARIOS[name]
    if name.endswith(".json") or Path(name).is_file():
        return of_one_model(Path(name).stem, f"the model file {Path(name).name}", models.model_file(name))
    if ":" in name:
        return _users_scenario(name)
    if name and Path(name).is_dir():
        raise BanditError(f"{name} is a folder, and no scenario; a run is extended by its scenario and --out {name}")
    raise BanditError(
        f"no scenario is called {name!r}; the scenarios are {', '.join(SCENARIOS)} (scenarios 1 to 3 first), "
        "or the path of a model file, or your own as module:attribute"
    )


def varied(scenario: Scenario, discount: float | None = None, rewards: str | None = None) -> Scenario:
    """Return the scenario with another discount, or another law of rewards (`mbrl.environments.with_rewards`)."""
    if discount is None and rewards is None:
        return scenario

    def build(seed: int, model: int, episodes: int) -> Environment:
        environment = scenario.build(seed, model, episodes)
        if discount is not None:
            environment = replace(environment, discount=discount)
        return environment if rewards is None else with_rewards(environment, rewards)

    title = scenario.title
    if discount is not None:
        title += f"; discount {discount:.12g}"
    if rewards is not None:
        title += f"; {rewards} rewards"
    return replace(scenario, title=title, build=build)


def _users_scenario(name: str) -> Scenario:
    found = import_attribute(name, "scenario")
    if callable(found):
        check_takes(found, [], f"scenario {name}")
        with blaming(f"scenario {name}"):
            found = found()
    return scenario_of(found, name)


def scenario_of(found: object, name: str) -> Scenario:
    """Return a `Scenario`, an `Environment` or a `theory.Bandit` as the scenario called `name`.

    Raises
    ------
    BanditError
        If `found` is anything else.
    """
    if isinstance(found, Scenario):
        return replace(found, name=name, build=_checked(found.build, name))
    if isinstance(found, Bandit):
        found = from_bandit(found, name)
    if not isinstance(found, Environment):
        raise BanditError(f"scenario {name!r} is a {type(found).__name__}, not a Scenario, an Environment or a Bandit")
    return of_one_model(name, name, found)


def _checked(build: Build, name: str) -> Build:
    check_takes(build, ["seed", "model", "episodes"], f"scenario {name}: build")

    def checked(seed: int, model: int, episodes: int) -> Environment:
        with blaming(f"scenario {name}"):
            made: object = build(seed, model, episodes)
        if not isinstance(made, Environment):
            kind = type(made).__name__
            raise BanditError(f"scenario {name}: build returned {kind}, not an Environment; from_bandit makes one")
        return made

    return checked


def of_one_model(name: str, title: str, environment: Environment) -> Scenario:
    """Return the scenario of a single bandit."""
    return Scenario(name, title, (), build=lambda seed, model, episodes: environment)


def able_agents(environment: Environment, agents: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the learners that can play, with a Gaussian prior in place of a Beta prior that does not fit.

    If none of the given ones can, learners that treat each arm separately are tried.

    Examples
    --------
    >>> able_agents(models.task_scheduling())  # a product of 11^9 states
    ('mb-psrl', 'mb-ucbvi')
    """

    def able(agent: str) -> str | None:
        for name in (agent, agent + "-gaussian"):
            with suppress(BanditError):
                make_agent(name, environment, 1)  # equivalent: whatever the number of episodes
                return name
        return None

    found = ({able(agent): None for agent in some} for some in (agents, _ALL_MB))
    return next((names for each in found if (names := tuple(filter(None, each)))), ())

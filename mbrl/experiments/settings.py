"""The settings of a run, which determine its results to the last bit.

Scenario, discount, rewards, seed, method, model and versions *identify* a run; its *extent* is the learners, the number
of simulations and the number of episodes. A run can be extended by another of the same identity.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from math import log
from operator import index
from typing import Any, Final, SupportsIndex

import numpy as np

from mbrl.agents.registry import canonical_name
from mbrl.environments import Environment
from mbrl.environments.rewards import deviation_of
from mbrl.experiments.scenarios import Scenario, able_agents, varied
from mbrl.importing import code_digest
from theory import BanditError, exact_discount, nearest_float

REGRET_METHODS: Final = ("expected", "monte-carlo")
DEFAULT_SEED: Final = 20230
LARGEST_SEED: Final = 2**63 - 1
"""The largest number in an attribute of a NetCDF file."""
_RESULTS_DEPEND_ON: Final = ("numpy", "numba")
_BYTES_PER_NUMBER: Final = 8
_NUMBERS_PER_STEP: Final = 4
"""Bytes of a number; numbers that a trajectory has per step."""
_EXTENT: Final = ("agents", "simulations", "episodes", "code")


@dataclass(frozen=True)
class Settings:
    """The settings of a run.

    Attributes
    ----------
    scenario : str
    agents : names
    simulations, episodes, seed : int
    discount : str
        The discount as given; empty for the scenario's own.
    rewards : str
        The law of the rewards; empty for the scenario's own.
    regret : str
        ``expected``: value of the optimal policy minus that of the played one. ``monte-carlo``: mean rewards that an
        oracle collects in one episode minus those that the learner collects; unbiased, but noisy.
    model : str
        Digest of the first model's numbers.
    versions : tuple of (package, version)
    code : tuple of (agent, digest)
        Digests of the files of the user's learners (`code_digest`).

    Raises
    ------
    BanditError
        For numbers that `whole` refuses, a repeated agent, an unknown method for the regret or law of rewards, or an
        impossible discount.
    """

    scenario: str
    agents: tuple[str, ...]
    simulations: int
    episodes: int
    seed: int = DEFAULT_SEED
    discount: str = ""
    rewards: str = ""
    regret: str = REGRET_METHODS[0]
    model: str = ""
    versions: tuple[tuple[str, str], ...] = ()
    code: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.agents)) < len(self.agents):
            raise BanditError(f"an agent comes twice in {', '.join(self.agents)}")
        for what in ("simulations", "episodes", "seed"):
            object.__setattr__(self, what, whole(what, getattr(self, what)))  # JSON takes no NumPy integers
        if self.regret not in REGRET_METHODS:
            raise BanditError(
                f"no way to compute the regret is called {self.regret!r}; there are {', '.join(REGRET_METHODS)}"
            )
        if self.discount and nearest_float(exact_discount(self.discount)) == 1:
            raise BanditError(f"discount: {self.discount} is so near 1 that it is 1 in floating point")
        if self.rewards:
            deviation_of(self.rewards)

    def content(self) -> dict[str, Any]:
        """Return the settings as JSON content."""
        content = asdict(self)
        content["agents"] = list(self.agents)
        content["versions"], content["code"] = dict(self.versions), dict(self.code)
        return content

    @classmethod
    def from_content(cls, content: Any) -> Settings:
        """Return the settings in JSON content.

        Raises
        ------
        ValueError
            If it is not what `content` returns.
        """
        kinds: dict[str, type] = dict.fromkeys(("scenario", "discount", "rewards", "regret", "model"), str)
        kinds |= {"agents": list, "simulations": int, "episodes": int, "seed": int, "versions": dict, "code": dict}
        if not isinstance(content, dict) or {name: type(value) for name, value in content.items()} != kinds:
            raise ValueError("these are not the settings of a run")
        if not all(isinstance(agent, str) for agent in content["agents"]):
            raise ValueError("these are not the settings of a run")
        pairs = {name: tuple(sorted(content[name].items())) for name in ("versions", "code")}
        return cls(**content | pairs | {"agents": tuple(content["agents"])})

    def identity(self) -> dict[str, Any]:
        """Return the settings that must not change when a run is extended, as JSON content."""
        return {name: value for name, value in self.content().items() if name not in _EXTENT}

    def model_of(self, scenario: Scenario, simulation: int) -> Environment:
        """Return the model that a simulation plays in."""
        return scenario.build(self.seed, scenario.model_of(simulation), self.episodes)

    def joined(self, other: Settings) -> Settings:
        """Return these settings with the extent of both: all learners, these first, and the larger numbers."""
        return replace(
            self,
            agents=tuple(dict.fromkeys((*self.agents, *other.agents))),
            simulations=max(self.simulations, other.simulations),
            episodes=max(self.episodes, other.episodes),
            code=tuple(sorted((dict(self.code) | dict(other.code)).items())),
        )


def whole(what: str, given: object) -> int:
    """Return a number of simulations, episodes or processes, or a seed, as an integer.

    Raises
    ------
    BanditError
        If it is not whole, a number below 1, or a seed that is negative or too large.

    Examples
    --------
    >>> whole("seed", 0), whole("seed", np.uint64(2**63 - 1))
    (0, 9223372036854775807)
    >>> whole("seed", 2**63)
    Traceback (most recent call last):
    theory.errors.BanditError: seed: 9223372036854775808 is outside 0..9223372036854775807
    """
    if isinstance(given, bool) or not isinstance(given, SupportsIndex):
        advice = f"; write {int(given)}" if isinstance(given, float) and given.is_integer() else ""
        raise BanditError(f"{what}: {given!r} is no whole number{advice}")
    number = index(given)
    if what == "seed" and not 0 <= number <= LARGEST_SEED:
        raise BanditError(f"seed: {number} is outside 0..{LARGEST_SEED}")
    if what != "seed" and number < 1:
        raise BanditError(f"{what}: {number} is too few; give at least 1")
    return number


def make_settings(scenario: Scenario, found: Settings | None = None, **asked: Any) -> tuple[Scenario, Settings]:
    """Return the scenario as it is asked for, and checked settings.

    Parameters
    ----------
    scenario
        The scenario by its name.
    found
        Settings of the run that is extended.
    asked
        Fields of the settings; None leaves one to the extended run, or to the scenario.

    Raises
    ------
    BanditError
        For settings that are refused, rewards that do not fit the model, or a run that is too large for this machine.

    Examples
    --------
    >>> from mbrl.experiments.scenarios import find_scenario
    >>> _, settings = make_settings(find_scenario("random-walk"), episodes=7)
    >>> settings.simulations, settings.episodes, settings.seed, settings.regret
    (80, 7, 20230, 'expected')

    If none of a scenario's own learners can play it as requested, others that can are taken:

    >>> own = replace(find_scenario("random-walk"), agents=("mb-psrl/dirichlet=0.5",))
    >>> make_settings(own, rewards="gaussian:1/10")[1].agents
    ('mb-psrl-gaussian', 'mb-ucrl2', 'mb-ucbvi')
    """
    before = found or Settings(scenario.name, (), scenario.simulations, scenario.episodes)
    settings = replace(before, **{name: value for name, value in asked.items() if value is not None})
    if asked.get("agents"):
        settings = replace(settings, agents=_canonical(settings.agents))
    discount = nearest_float(exact_discount(settings.discount)) if settings.discount else None
    chosen = varied(scenario, discount, settings.rewards or None)
    count, sizes = len(settings.agents or chosen.agents or "1"), (settings.simulations, settings.episodes)
    asked_for = f"{sizes[0]} simulations of {sizes[1]} episodes" + f", {count} learners" * (count > 1)
    _check_memory(2 * count * sizes[0] * sizes[1], f"{asked_for}: their regrets are")
    environment = settings.model_of(chosen, 0)
    mean = 1 / (1 - environment.discount)  # the longest of K episodes has about log(K) times as many steps
    longest = f"discount: at {environment.discount!r} an episode has {mean:.2g} steps on average, and the longest is"
    _check_memory(_NUMBERS_PER_STEP * log(1 + settings.episodes) * mean, longest)
    own = _canonical(scenario.agents) if chosen is scenario else ()
    agents = settings.agents or own or able_agents(environment, scenario.agents)
    code = tuple(sorted((agent, code_digest(agent)) for agent in agents if ":" in agent))
    settings = replace(settings, scenario=scenario.name, agents=agents, code=code)
    return chosen, replace(settings, model=_digest(environment), versions=present_versions())


def _canonical(agents: Iterable[str]) -> tuple[str, ...]:
    """Return the learners' names in their one spelling, by which their draws are keyed, and say which ones change."""
    spelled: dict[str, str] = {}
    for agent in agents:
        name = canonical_name(agent)
        if name in spelled:
            raise BanditError(f"agents: {spelled[name]} and {agent} are the same learner, {name}; give one of them")
        spelled[name] = agent
    for name, agent in spelled.items():
        if name != agent:
            print(f"agent {agent}: its results are called {name}", file=sys.stderr)
    return tuple(spelled)


def _check_memory(numbers: float, what: str) -> None:
    """Raise `BanditError` if this machine's memory cannot hold so many numbers."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if _BYTES_PER_NUMBER * numbers > memory:
        raise BanditError(f"{what} more than the {memory >> 30} GiB of this machine hold")


def present_versions() -> tuple[tuple[str, str], ...]:
    """Return the versions of the packages on which the bits of results depend, by name."""
    return (("mbrl", own_version()), *((package, version(package)) for package in sorted(_RESULTS_DEPEND_ON)))


def own_version() -> str:
    """Return the version of this project, or ``unknown`` if it is not installed."""
    try:
        return version("markovian-bandits-companion")
    except PackageNotFoundError:
        return "unknown"


def _digest(environment: Environment) -> str:
    digest = sha256(repr((environment.discount, environment.unit, environment.offset)).encode())
    arrays = [environment.transitions, environment.transition_rewards, environment.starts, environment.start_law]
    if (environment.unit, environment.offset) != (1.0, 0.0):
        arrays.append(environment.rewards)
    if environment.laws is not None:
        arrays += [environment.laws.values, environment.laws.cumulative, environment.laws.deviations]
    for numbers in arrays:
        digest.update(repr(numbers.shape).encode())
        digest.update(np.ascontiguousarray(numbers).data)  # no copy: there may be a million arms
    return digest.hexdigest()[:16]

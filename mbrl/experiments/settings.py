"""The settings of a run, which determine its results to the last bit.

Scenario, discount, rewards, seed, method, model and versions *identify* a run; its *extent* is the learners, the number
of simulations and the number of episodes. A run can be extended by another of the same identity.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, fields, replace
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from math import log
from operator import index
from typing import Any, Final, SupportsIndex

import numpy as np

from mbrl.environments import Environment
from mbrl.environments.rewards import law_from_text
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
    """

    scenario: str
    agents: tuple[str, ...]
    simulations: int
    episodes: int
    seed: int
    discount: str
    rewards: str
    regret: str
    model: str
    versions: tuple[tuple[str, str], ...]
    code: tuple[tuple[str, str], ...] = ()

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
        if isinstance(content, dict):
            content = {"code": {}} | content  # earlier versions noted none
        if not isinstance(content, dict) or {name: type(value) for name, value in content.items()} != kinds:
            raise ValueError("these are no settings of a run")
        agents, versions = content["agents"], content["versions"]
        if not all(isinstance(agent, str) for agent in agents):
            raise ValueError("these are no settings of a run")
        Request(**{field.name: content[field.name] for field in fields(Request)})  # checks the values
        code = tuple(content["code"].items())
        return cls(**content | {"agents": tuple(agents), "versions": tuple(sorted(versions.items())), "code": code})

    def identity(self) -> dict[str, Any]:
        """Return the settings that must not change when a run is extended, as JSON content."""
        return {name: value for name, value in self.content().items() if name not in _EXTENT}

    def model_of(self, scenario: Scenario, simulation: int) -> Environment:
        """Return the model that a simulation plays in.

        Examples
        --------
        >>> told = Scenario("told", "", (), build=lambda *given: given, simulations_per_model=5)
        >>> settings = Settings("told", (), 20, 30, 7, "", "", "expected", "", ())
        >>> settings.model_of(told, 9), settings.first_model(told)
        ((7, 1, 30), (7, 0, 30))
        """
        return scenario.build(self.seed, scenario.model_of(simulation), self.episodes)

    def first_model(self, scenario: Scenario) -> Environment:
        """Return the first model, which stands for all, and is the only one of most scenarios."""
        return self.model_of(scenario, 0)

    def joined(self, other: Settings) -> Settings:
        """Return these settings with the extent of both: all learners, these first, and the larger numbers."""
        return replace(
            self,
            agents=tuple(dict.fromkeys((*self.agents, *other.agents))),
            simulations=max(self.simulations, other.simulations),
            episodes=max(self.episodes, other.episodes),
            code=tuple(sorted((dict(self.code) | dict(other.code)).items())),
        )


@dataclass(frozen=True)
class Request:
    """The settings that a user asks for; None (or empty) leaves one to the extended run, or to the scenario.

    Raises
    ------
    BanditError
        For sizes below 1 or not whole, a negative or too large seed, a repeated agent, an unknown method for the regret
        or law of rewards, or an impossible discount. The check comes before any scenario is built.

    Examples
    --------
    >>> [Request(seed=seed).seed for seed in (0, 2**63 - 1)]
    [0, 9223372036854775807]
    >>> Request(seed=2**63)
    Traceback (most recent call last):
    theory.errors.BanditError: seed: 9223372036854775808 is outside 0..9223372036854775807
    """

    agents: tuple[str, ...] = ()
    simulations: int | None = None
    episodes: int | None = None
    seed: int | None = None
    discount: str | None = None
    rewards: str | None = None
    regret: str | None = None

    def __post_init__(self) -> None:
        if len(set(self.agents)) < len(self.agents):
            raise BanditError(f"an agent comes twice in {', '.join(self.agents)}")
        for what in ("simulations", "episodes", "seed"):
            given = getattr(self, what)
            if given is not None and (isinstance(given, bool) or not isinstance(given, SupportsIndex)):
                advice = f"; write {int(given)}" if isinstance(given, float) and given.is_integer() else ""
                raise BanditError(f"{what}: {given!r} is no whole number{advice}")
            object.__setattr__(self, what, None if given is None else index(given))  # JSON takes no NumPy integers
        for what, size in (("simulations", self.simulations), ("episodes", self.episodes)):
            if size is not None and size < 1:
                raise BanditError(f"{what}: {size} is too few; give at least 1")
        if self.seed is not None and not 0 <= self.seed <= LARGEST_SEED:
            raise BanditError(f"seed: {self.seed} is outside 0..{LARGEST_SEED}")
        if self.regret is not None and self.regret not in REGRET_METHODS:
            raise BanditError(
                f"no way to compute the regret is called {self.regret!r}; there are {', '.join(REGRET_METHODS)}"
            )
        if self.discount and nearest_float(exact_discount(self.discount)) == 1:
            raise BanditError(f"discount: {self.discount} is so near 1 that it is 1 in floating point")
        if self.rewards:
            law_from_text(self.rewards, "1/2")  # equivalent: a mean of 0 or of 1 is refused by none


def make_settings(
    scenario: Scenario, request: Request | None = None, found: Settings | None = None
) -> tuple[Scenario, Settings]:
    """Return the scenario as the request asks for it, and checked settings.

    Parameters
    ----------
    scenario
        The scenario by its name.
    request
        The settings that the user asks for.
    found
        Settings of the run that is extended.

    Raises
    ------
    BanditError
        For rewards that do not fit the model, or a run that is too large for this machine.

    Examples
    --------
    >>> from mbrl.experiments.scenarios import find_scenario
    >>> _, settings = make_settings(find_scenario("random-walk"), Request(episodes=7))
    >>> settings.simulations, settings.episodes, settings.seed, settings.regret
    (80, 7, 20230, 'expected')

    If none of a scenario's own learners can play it as requested, others that can are taken:

    >>> own = replace(find_scenario("random-walk"), agents=("mb-psrl/dirichlet=0.5",))
    >>> make_settings(own, Request(rewards="gaussian:1/10"))[1].agents
    ('mb-psrl-gaussian', 'mb-ucrl2', 'mb-ucbvi')
    """
    before = found or _defaults(scenario)
    given = {name: value for name, value in asdict(request or Request()).items() if value not in (None, ())}
    asked = replace(before, **given)
    discount = nearest_float(exact_discount(asked.discount)) if asked.discount else None
    chosen = varied(scenario, discount, asked.rewards or None)
    _check_rows(asked.simulations, asked.episodes, len(asked.agents or chosen.agents))
    environment = asked.first_model(chosen)
    own = scenario.agents if chosen is scenario else ()
    agents = asked.agents or own or able_agents(environment, scenario.agents)
    _check_rows(asked.simulations, asked.episodes, len(agents))
    _check_steps(asked.episodes, environment.discount)
    code = tuple(sorted((agent, code_digest(agent)) for agent in agents if ":" in agent))
    return chosen, replace(
        asked, scenario=scenario.name, agents=agents, model=_digest(environment), versions=present_versions(), code=code
    )


def beyond_request(request: Request, simulations: int, episodes: int) -> tuple[str, ...]:
    """Return a sentence if the run holds more simulations or episodes than the request asks for.

    Examples
    --------
    >>> beyond_request(Request(simulations=2, episodes=3), 8, 300)
    ('the folder holds 8 simulations of 300 episodes, more than you ask for: the result is of all of them',)
    >>> beyond_request(Request(episodes=300), 8, 300)
    ()
    """
    if simulations <= (request.simulations or simulations) and episodes <= (request.episodes or episodes):
        return ()
    held = f"the folder holds {simulations} simulations of {episodes} episodes"
    return (f"{held}, more than you ask for: the result is of all of them",)


def _check_rows(simulations: int, episodes: int, agents: int) -> None:
    """Raise `BanditError` if this machine's memory cannot hold the regrets and times of all simulations."""
    memory = _memory()
    if 2 * _BYTES_PER_NUMBER * max(agents, 1) * simulations * episodes > memory:
        asked = f"{simulations} simulations of {episodes} episodes" + f", {agents} learners" * (agents > 1)
        raise BanditError(f"{asked}: their regrets are more than the {memory >> 30} GiB of this machine hold")


def _check_steps(episodes: int, discount: float) -> None:
    """Raise `BanditError` if this machine's memory cannot hold the steps of an episode.

    Lengths are geometric; the longest of K episodes has about log(K)/(1 - discount) steps.
    """
    memory = _memory()
    if _NUMBERS_PER_STEP * _BYTES_PER_NUMBER * log(1 + episodes) / (1 - discount) > memory:
        raise BanditError(
            f"discount: at {discount!r} an episode has {1 / (1 - discount):.2g} steps on average, and the longest is "
            f"more than the {memory >> 30} GiB of this machine hold"
        )


def _memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _defaults(scenario: Scenario) -> Settings:
    sizes = (scenario.simulations, scenario.episodes)
    Request((), *sizes)  # checks the sizes of a user's scenario
    return Settings(scenario.name, (), *sizes, DEFAULT_SEED, "", "", REGRET_METHODS[0], "", ())


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

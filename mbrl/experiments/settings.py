"""What determines the results of a run, to the last bit."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from typing import Any, Final

from mbrl.environments import Environment
from mbrl.experiments.scenarios import Scenario
from theory import BanditError

REGRET_METHODS: Final = ("expected", "monte-carlo")
DEFAULT_SEED: Final = 20230
_RESULTS_DEPEND_ON: Final = ("numpy", "numba")


@dataclass(frozen=True)
class Settings:
    """The settings of a run.

    Attributes
    ----------
    scenario : str
    agents : names
    simulations, episodes, seed : int
    regret : str
        ``expected``: value of the optimal policy minus that of the played one. ``monte-carlo``: the mean rewards that
        an oracle and the learner collect in one episode, subtracted; unbiased, and noisy.
    model : str
        Digest of the first model's numbers.
    versions : tuple of (package, version)
    """

    scenario: str
    agents: tuple[str, ...]
    simulations: int
    episodes: int
    seed: int
    regret: str
    model: str
    versions: tuple[tuple[str, str], ...]

    def content(self) -> dict[str, Any]:
        """Return the settings as JSON content."""
        content = asdict(self)
        content["agents"] = list(self.agents)
        content["versions"] = dict(self.versions)
        return content


def make_settings(
    scenario: Scenario,
    *,
    agents: tuple[str, ...] = (),
    simulations: int | None = None,
    episodes: int | None = None,
    seed: int = DEFAULT_SEED,
    regret: str = "expected",
) -> Settings:
    """Return checked settings, the scenario's own where none are given.

    Raises
    ------
    BanditError
        For sizes below 1, a negative seed, a repeated agent, or an unknown way to compute the regret.
    """
    chosen = agents or scenario.agents
    if len(set(chosen)) < len(chosen):
        raise BanditError(f"an agent comes twice in {', '.join(chosen)}")
    sizes = {
        "simulations": scenario.simulations if simulations is None else simulations,
        "episodes": scenario.episodes if episodes is None else episodes,
    }
    for what, size in sizes.items():
        if size < 1:
            raise BanditError(f"{what}: {size} is too few; give at least 1")
    if seed < 0:
        raise BanditError(f"seed: {seed} is negative; seeds are integers from 0")
    if regret not in REGRET_METHODS:
        raise BanditError(f"no way to compute the regret is called {regret!r}; there are {', '.join(REGRET_METHODS)}")
    environment = scenario.build(seed, 0, sizes["episodes"])
    return Settings(
        scenario=scenario.name,
        agents=tuple(chosen),
        simulations=sizes["simulations"],
        episodes=sizes["episodes"],
        seed=seed,
        regret=regret,
        model=_digest(environment),
        versions=(*((package, version(package)) for package in _RESULTS_DEPEND_ON), ("mbrl", own_version())),
    )


def own_version() -> str:
    """Return the version of this project, or ``unknown`` where it is run without being installed."""
    try:
        return version("markovian-bandits-companion")
    except PackageNotFoundError:
        return "unknown"


def _digest(environment: Environment) -> str:
    digest = sha256(repr((environment.discount, environment.unit)).encode())
    for numbers in (environment.transitions, environment.transition_rewards, environment.starts, environment.start_law):
        digest.update(repr(numbers.shape).encode() + numbers.tobytes())
    return digest.hexdigest()[:16]

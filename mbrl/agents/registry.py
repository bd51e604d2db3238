"""The learners by name, and those of a user as ``module:attribute``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import Final

from mbrl.agents.interface import Agent, Problem
from mbrl.environments.environment import Environment
from theory import BanditError

AgentFactory = Callable[[Problem], Agent]


@dataclass(frozen=True)
class AgentEntry:
    """A learner of this package.

    Attributes
    ----------
    where : str
        Module and class, imported when first used.
    summary : str
        One line for people.
    options : tuple of (name, value)
        Keyword arguments of the class.
    knows_the_model : bool
        Whether it is made from the true environment instead of the problem.
    """

    where: str
    summary: str
    options: tuple[tuple[str, bool], ...] = ()
    knows_the_model: bool = False


_GAUSSIAN: Final = (("gaussian_rewards", True),)

AGENTS: Final[MappingProxyType[str, AgentEntry]] = MappingProxyType(
    {
        "mb-psrl": AgentEntry("mbrl.agents.mb_psrl:MBPSRL", "posterior sampling by arm, Beta prior of rewards"),
        "mb-psrl-gaussian": AgentEntry(
            "mbrl.agents.mb_psrl:MBPSRL", "posterior sampling by arm, Gaussian-Gamma prior of rewards", _GAUSSIAN
        ),
        "mb-ucrl2": AgentEntry("mbrl.agents.mb_ucrl2:MBUCRL2", "optimism over rewards and rows of arms"),
        "mb-ucbvi": AgentEntry("mbrl.agents.mb_ucbvi:MBUCBVI", "optimism by a bonus on the arms' rewards"),
        "psrl": AgentEntry("mbrl.agents.vanilla:PSRL", "posterior sampling on the global process, Beta prior"),
        "psrl-gaussian": AgentEntry(
            "mbrl.agents.vanilla:PSRL", "posterior sampling on the global process, Gaussian-Gamma prior", _GAUSSIAN
        ),
        "ucrl2": AgentEntry("mbrl.agents.vanilla:UCRL2", "optimism over rewards and rows of the global process"),
        "ucbvi": AgentEntry("mbrl.agents.vanilla:UCBVI", "optimism by a bonus on the global process"),
        "gittins-q": AgentEntry("mbrl.agents.gittins_q:GittinsQ", "Q-learning of the indices, softmax exploration"),
        "oracle": AgentEntry(
            "mbrl.agents.baselines:Oracle", "the Gittins policy of the true model", knows_the_model=True
        ),
        "random": AgentEntry("mbrl.agents.baselines:Uniform", "a uniformly random priority order in each episode"),
    }
)


def check_agent_name(name: str) -> None:
    """Raise `BanditError` unless `name` is a known learner or an importable ``module:attribute``."""
    if name not in AGENTS:
        if ":" not in name:
            raise BanditError(
                f"no agent is called {name!r}; the agents are {', '.join(AGENTS)}, or your own as module:attribute"
            )
        _import(name)


def make_agent(name: str, environment: Environment, episodes: int) -> Agent:
    """Return a new learner, told what a learner may know of `environment`.

    Raises
    ------
    BanditError
        For an unknown name, or a problem that the learner cannot handle.
    """
    problem = Problem(environment.sizes, environment.discount, episodes)
    check_agent_name(name)
    entry = AGENTS.get(name)
    if entry is None:
        own: AgentFactory = _import(name)
        return own(problem)
    if entry.knows_the_model:
        from_truth: Callable[[Environment], Agent] = _import(entry.where)
        return from_truth(environment)
    factory: Callable[..., Agent] = _import(entry.where)
    return partial(factory, **dict(entry.options))(problem)


def _import(where: str) -> Callable[..., Agent]:
    module_name, _, attribute = where.partition(":")
    try:
        found = getattr(import_module(module_name), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise BanditError(f"agent {where!r} cannot be imported: {error}") from None
    if not callable(found):
        raise BanditError(f"agent {where!r} is not a class or function that makes a learner from a Problem")
    made: Callable[..., Agent] = found
    return made

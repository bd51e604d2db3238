"""The learners by name, and those of a user as ``module:attribute``; either with options (`mbrl.agents.options`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

from mbrl.agents.interface import Agent, Problem
from mbrl.agents.options import options_of, read_options, split_name
from mbrl.environments.environment import Environment
from mbrl.importing import check_takes, import_attribute, undisturbed
from theory import BanditError

AgentFactory = Callable[..., Agent]
"""Makes a learner from a `Problem`, or from the true environment; its keyword arguments are the options."""


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
        Keyword arguments of the class, in place of its defaults.
    knows_the_model : bool
        Whether it is made from the true environment instead of the problem.
    """

    where: str
    summary: str
    options: tuple[tuple[str, str], ...] = ()
    knows_the_model: bool = False

    def load(self) -> AgentFactory:
        """Return the class."""
        module, _, name = self.where.partition(":")
        made: AgentFactory = getattr(import_module(module), name)
        return made


_GAUSSIAN: Final = (("rewards", "gaussian"),)

AGENTS: Final[MappingProxyType[str, AgentEntry]] = MappingProxyType(
    {
        "mb-psrl": AgentEntry("mbrl.agents.mb_psrl:MBPSRL", "posterior sampling by arm, Beta prior of rewards"),
        "mb-psrl-gaussian": AgentEntry(
            "mbrl.agents.mb_psrl:MBPSRL", "posterior sampling by arm, Gaussian-Gamma prior of rewards", _GAUSSIAN
        ),
        "mb-ucrl2": AgentEntry("mbrl.agents.mb_ucrl2:MBUCRL2", "optimism over rewards and rows of arms"),
        "mb-ucbvi": AgentEntry("mbrl.agents.mb_ucbvi:MBUCBVI", "optimism by a bonus on the arms' rewards"),
        "mb-minimax": AgentEntry(
            "mbrl.agents.mb_minimax:MBMinimax", "optimistic indices from bonuses of Bernstein type, minimax up to logs"
        ),
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
        "mb-ucbvi-bernstein": AgentEntry(
            "mbrl.agents.mb_ucbvi:MBUCBVIBernstein",
            "mb-ucbvi with a bonus from variances, not proved optimistic",
        ),
    }
)


def check_agent_name(name: str) -> None:
    """Raise `BanditError` unless `name` is a known learner or a user's own, and its options fit."""
    _factory(name)


def make_agent(name: str, environment: Environment, episodes: int) -> Agent:
    """Return a new learner, told what a learner may know of `environment`.

    Raises
    ------
    BanditError
        For an unknown name or option, a problem that the learner cannot handle, or what is no learner.

    Examples
    --------
    >>> from mbrl.environments import random_walk
    >>> learner = make_agent("mb-psrl/dirichlet=0.5", random_walk(), episodes=100)
    """
    problem = Problem(environment.sizes, environment.discount, episodes, environment.has_bounded_rewards)
    entry = AGENTS.get(split_name(name)[0])
    factory = _factory(name)
    check_takes(factory, ["problem"], f"agent {name}")
    with undisturbed():
        agent = factory(environment if entry is not None and entry.knows_the_model else problem)
    for method, argument in (("plan", "rng"), ("observe", "trajectory")):
        found = getattr(agent, method, None)
        if not callable(found):
            raise BanditError(f"agent {name} has no method {method}({argument}); see python -m mbrl example learner")
        check_takes(found, [argument], f"agent {name}: {method}")
    return agent


def agent_options(name: str) -> dict[str, Any]:
    """Return the options of a learner of this package, with their defaults."""
    entry = AGENTS[name]
    defaults = {key: default for key, (_, default) in options_of(entry.load()).items()}
    return defaults | dict(entry.options)


def _factory(name: str) -> AgentFactory:
    base, _ = split_name(name)
    entry = AGENTS.get(base)
    if entry is None and ":" not in base:
        meant = "".join(f"; did you mean {each}?" for each in get_close_matches(base, AGENTS, n=1))
        names = f"the agents are {', '.join(AGENTS)}, or your own as module:attribute"
        raise BanditError(f"no agent is called {base!r}{meant or ';'} {names}")
    made = entry.load() if entry is not None else import_attribute(base, "agent")
    if not callable(made):
        raise BanditError(f"agent {base!r} is not a class or function that makes a learner from a Problem")
    return partial(made, **(dict(entry.options if entry is not None else ()) | read_options(name, made)))

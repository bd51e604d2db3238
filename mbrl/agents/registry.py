"""The learners by name, and a user's own as ``module:attribute``; both with options (`mbrl.agents.options`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from typing import Any, Final, NamedTuple

from mbrl.agents.interface import Agent, Problem
from mbrl.agents.options import meant_by, option_text, options_of, read_options, split_name
from mbrl.environments.environment import Environment
from mbrl.importing import blaming, check_takes, import_attribute
from theory import BanditError

AgentFactory = Callable[..., Agent]
"""Makes a learner from a `Problem`, or from the true environment; its keyword arguments are the options."""


class AgentEntry(NamedTuple):
    """A learner of this package; its name and this entry are all that other code knows of it.

    Its options are the keyword arguments of its class, with their types and defaults (`agent_options`).
    """

    where: str  # module of `mbrl.agents` and class, imported when first used
    summary: str  # one line for people
    colour: str
    dashes: int  # position in the list of `mbrl.figures.style`; learners of one scenario differ in dashes, for grey
    marker: str
    anytime: bool = False  # whether it never looks at K: a run is then extended without playing anew
    options: tuple[tuple[str, str], ...] = ()  # keyword arguments that replace the defaults of the class
    knows_the_model: bool = False  # whether the class takes the true environment instead of the problem

    def load(self) -> AgentFactory:
        """Return the class."""
        module, _, name = self.where.partition(":")
        made: AgentFactory = getattr(import_module(f"mbrl.agents.{module}"), name)
        return made


_GAUSSIAN = (("rewards", "gaussian"),)
_LEARNERS: Final[tuple[tuple[Any, ...], ...]] = (
    ("mb-psrl", "mb_psrl:MBPSRL", "posterior sampling by arm, Beta prior of rewards", "#0072B2", 0, "o", True),
    ("mb-psrl-gaussian", "mb_psrl:MBPSRL", "mb-psrl, Gaussian-Gamma prior", "#882255", 1, "s", True, _GAUSSIAN),
    ("mb-ucrl2", "mb_ucrl2:MBUCRL2", "optimism over rewards and rows of arms", "#D55E00", 1, "^"),
    ("mb-ucbvi", "mb_ucbvi:MBUCBVI", "optimism by a bonus on the arms' rewards", "#009E73", 2, "D"),
    ("mb-minimax", "mb_minimax:MBMinimax", "optimistic indices, minimax regret up to logarithms", "#DDAA33", 4, "."),
    ("psrl", "vanilla:PSRL", "posterior sampling on the global process, Beta prior", "#CC79A7", 3, "v", True),
    ("psrl-gaussian", "vanilla:PSRL", "psrl, Gaussian-Gamma prior", "#999933", 4, "<", True, _GAUSSIAN),
    ("ucrl2", "vanilla:UCRL2", "optimism over rewards and rows of the global process", "#E69F00", 4, ">"),
    ("ucbvi", "vanilla:UCBVI", "optimism by a bonus on the global process", "#56B4E9", 0, "*"),
    ("gittins-q", "gittins_q:GittinsQ", "Q-learning of the indices, softmax exploration", "#7A5C00", 3, "X", True),
    ("oracle", "baselines:Oracle", "the Gittins policy of the true model", "#000000", 2, "P", True, (), True),
    ("random", "baselines:Uniform", "a uniformly random priority order in each episode", "#7F7F7F", 4, "p", True),
    ("mb-ucbvi-bernstein", "mb_ucbvi:MBUCBVIBernstein", "bonus from variances, not proved", "#332288", 1, "h"),
)
AGENTS: Final[Mapping[str, AgentEntry]] = {name: AgentEntry(*entry) for name, *entry in _LEARNERS}


def canonical_name(name: str) -> str:
    """Return the one spelling of a learner's name: options in the class's order, none at its default, numbers as read.

    Raises
    ------
    BanditError
        Unless it is a known learner or a user's own, and its options fit.

    Examples
    --------
    >>> canonical_name("mb-psrl/dirichlet=1.0"), canonical_name("mb-psrl/weight=5e-1/rewards=gaussian")
    ('mb-psrl', 'mb-psrl/rewards=gaussian/weight=0.5')
    """
    factory, (base, written) = _factory(name), split_name(name)
    defaults = agent_options(base) if base in AGENTS else _defaults(factory.func)
    texts = {
        key: (option_text(factory.keywords[key]), option_text(each)) for key, each in defaults.items() if key in written
    }
    return "/".join([base, *(f"{key}={text}" for key, (text, default) in texts.items() if text != default)])


def make_agent(name: str, environment: Environment, episodes: int) -> Agent:
    """Return a new learner, which receives only what a learner may know of `environment`.

    Raises
    ------
    BanditError
        For an unknown name or option, a problem that the learner cannot handle, or an object that is no learner.

    Examples
    --------
    >>> from mbrl.environments import random_walk
    >>> learner = make_agent("mb-psrl/dirichlet=0.5", random_walk(), episodes=100)
    """
    problem = Problem(environment.sizes, environment.discount, episodes, environment.has_bounded_rewards)
    return agent_of(name, problem, environment)


def agent_of(name: str, problem: Problem, environment: Environment | None = None) -> Agent:
    """Return a new learner as `make_agent` does; only a learner that knows the model receives `environment`."""
    entry = AGENTS.get(split_name(name)[0])
    known = environment if entry is not None and entry.knows_the_model else problem
    if known is None:
        raise BanditError(f"agent {name}: it needs the true model, which is not known here")
    factory = _factory(name)
    check_takes(factory, ["problem"], f"agent {name}")
    with blaming(f"agent {name}", theirs=entry is None):
        agent = factory(known)
        check_methods(agent, f"agent {name}")
    if entry is not None:
        agent.anytime = entry.anytime  # type: ignore[attr-defined]  # of ours, which all have it
    return agent


def check_methods(agent: object, name: str) -> None:
    """Raise `BanditError` unless `agent` has the methods of a learner."""
    for method, argument in (("plan", "rng"), ("observe", "trajectory")):
        found = getattr(agent, method, None)
        if not callable(found):
            raise BanditError(f"{name} has no method {method}({argument}); see python -m mbrl example learner")
        check_takes(found, [argument], f"{name}: {method}")


def agent_options(name: str) -> dict[str, Any]:
    """Return the options of a learner of this package, with their defaults."""
    return _defaults(AGENTS[name].load()) | dict(AGENTS[name].options)


def _defaults(factory: AgentFactory) -> dict[str, Any]:
    return {key: option.default for key, option in options_of(factory).items()}


def _factory(name: str) -> partial[Agent]:
    base, _ = split_name(name)
    entry = AGENTS.get(base)
    if entry is None and ":" not in base:
        meant = meant_by(base, AGENTS)
        names = f"the agents are {', '.join(AGENTS)}, or your own as module:attribute"
        raise BanditError(f"no agent is called {base!r}{meant}; {names}")
    made = entry.load() if entry is not None else import_attribute(base, "agent")
    if not callable(made):
        raise BanditError(f"agent {base!r} is not a class or function that makes a learner from a Problem")
    return partial(made, **(dict(entry.options if entry is not None else ()) | read_options(name, made)))

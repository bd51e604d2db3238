"""One simulation of one learner: K episodes, the regret and the time of each."""

from __future__ import annotations

from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from mbrl.agents import Agent, Trajectory
from mbrl.environments import Environment
from mbrl.experiments.regret import RegretMeter, collected
from mbrl.experiments.seeds import generator
from mbrl.kernels.episodes import play_priority, play_table
from mbrl.policies import IndexPolicy, Policy, TablePolicy
from theory import BanditError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


def play(
    environment: Environment, policy: Policy, start: Integers, length: int, rng: np.random.Generator
) -> Trajectory:
    """Play `policy` from `start` for `length` steps; `rng` gives two uniforms per step, and rewards that have laws."""
    uniforms = rng.random((length, 2))
    if isinstance(policy, IndexPolicy):
        played = play_priority(environment.cumulative, environment.transition_rewards, start, policy.ranks, uniforms)
    else:
        played = play_table(
            environment.cumulative, environment.transition_rewards, environment.sizes, start, policy.table, uniforms
        )
    arms, states, next_states, rewards = played
    if environment.laws is not None:
        rewards = environment.laws.draw(rng, arms, states)
    return Trajectory(start, arms, states, next_states, rewards)


def horizons(environment: Environment, scenario: str, simulation: int, episodes: int, seed: int) -> Integers:
    """Return the lengths H_k of all episodes of a simulation: geometric on 1, 2, ..., the same for all learners."""
    rng = generator(seed, scenario, simulation, "horizons")
    return rng.geometric(1 - environment.discount, size=episodes)


def initial_states(environment: Environment, scenario: str, simulation: int, episodes: int, seed: int) -> Integers:
    """Return the number of the initial state of every episode, the same for all learners."""
    rng = generator(seed, scenario, simulation, "initial states")
    return rng.choice(environment.start_law.size, size=episodes, p=environment.start_law)


def simulate(
    environment: Environment,
    agent: Agent,
    *,
    scenario: str,
    name: str,
    simulation: int,
    episodes: int,
    seed: int,
    monte_carlo: bool = False,
) -> tuple[Floats, Floats]:
    """Let `agent` play one simulation.

    Parameters
    ----------
    environment
        The true model.
    agent
        New: it has seen nothing.
    scenario, name, simulation, seed
        The key of all random draws; `name` is the learner's.
    episodes
        K.
    monte_carlo
        Whether to sample the regret instead of computing its expectation.

    Returns
    -------
    regret : (K,)
        Of each episode, in the model's unit.
    seconds : (K,)
        Spent by the learner, on planning and on learning from what it saw.
    """
    lengths = horizons(environment, scenario, simulation, episodes, seed)
    first = initial_states(environment, scenario, simulation, episodes, seed)
    planning = generator(seed, scenario, simulation, name, "plan")
    playing = generator(seed, scenario, simulation, name, "play")
    oracle = generator(seed, scenario, simulation, name, "oracle")
    meter = RegretMeter(environment)
    regret, seconds = np.empty(episodes), np.empty(episodes)
    for k in range(episodes):
        began = perf_counter()
        policy = agent.plan(planning)
        planned = perf_counter() - began
        _check_policy(environment, name, policy)
        start, length = environment.starts[first[k]], int(lengths[k])
        trajectory = play(environment, policy, start, length, playing)
        if monte_carlo:
            ideal = play(environment, environment.optimal_policy, start, length, oracle)
            regret[k] = collected(environment, ideal) - collected(environment, trajectory)
        else:
            regret[k] = meter.regret(policy, int(first[k]))
        began = perf_counter()
        agent.observe(trajectory)
        seconds[k] = planned + perf_counter() - began
    return regret * environment.unit, seconds


def _check_policy(environment: Environment, name: str, policy: object) -> None:
    """Refuse what compiled code would index beyond its arrays with."""
    if not isinstance(policy, (IndexPolicy, TablePolicy)):
        raise BanditError(f"agent {name}: plan returned {type(policy).__name__}, not an IndexPolicy or a TablePolicy")
    if not environment.fits(policy):
        raise BanditError(f"agent {name}: plan returned a policy of a bandit with other arms")

"""One simulation of one learner, as a task for some process."""

from __future__ import annotations

from dataclasses import dataclass

from mbrl.agents import Agent
from mbrl.agents.registry import make_agent
from mbrl.environments import Environment
from mbrl.experiments.rows import Rows
from mbrl.experiments.scenarios import Scenario
from mbrl.experiments.settings import Settings, present_versions
from mbrl.experiments.simulation import Simulation
from mbrl.importing import blaming
from theory import BanditError

_WARM: set[tuple[str, str]] = set()
"""Scenarios and learners whose kernels this process has already used."""


@dataclass(frozen=True)
class Task:
    """A task: play one simulation of one learner until it has K episodes.

    Attributes
    ----------
    agent, simulation
        The learner's name and the number of the simulation.
    learner : bytes
        Saved state from which to go on; empty for a start at the first episode.
    """

    agent: str
    simulation: int
    learner: bytes = b""

    def __str__(self) -> str:
        return f"agent {self.agent}, simulation {self.simulation}"


def run_task(scenario: Scenario, settings: Settings, task: Task) -> Rows:
    """Play one simulation of one learner to its end, and return its new rows.

    Raises
    ------
    BanditError
        If this process has other package versions than the run, whose results would differ in some bits.
    """
    if present_versions() != settings.versions:
        here = ", ".join(f"{name} {number}" for name, number in present_versions())
        there = ", ".join(f"{name} {number}" for name, number in settings.versions)
        raise BanditError(f"a worker has {here}, and the run {there}: results would not be the same to the bit")
    warm_up(scenario, settings, task.agent)
    simulation = simulation_of(scenario, settings, task.agent, task.simulation)
    if task.learner:
        simulation.resume(task.learner)
    return simulation.play(settings.episodes)


def warm_up(scenario: Scenario, settings: Settings, agent: str) -> None:
    """Play one episode, once per process, so that kernels are compiled or loaded outside the measured times."""
    if (scenario.name, agent) not in _WARM:
        _WARM.add((scenario.name, agent))
        simulation_of(scenario, settings, agent, 0).play(1)


def simulation_of(scenario: Scenario, settings: Settings, agent: str, simulation: int) -> Simulation:
    """Return a simulation of a learner, before its first episode."""
    environment = settings.model_of(scenario, simulation)
    return Simulation(
        environment,
        made(agent, environment, settings.episodes),
        scenario=scenario.name,
        name=agent,
        simulation=simulation,
        seed=settings.seed,
        monte_carlo=settings.regret == "monte-carlo",
    )


def made(agent: str, environment: Environment, episodes: int) -> Agent:
    """Return a learner; errors in making it name the learner."""
    with blaming(f"agent {agent}"):
        return make_agent(agent, environment, episodes)

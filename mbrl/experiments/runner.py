"""Run an experiment: all learners and simulations, in parallel; results of an earlier run are not computed again."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np

from mbrl.agents.interface import is_anytime
from mbrl.agents.registry import canonical_name, make_agent
from mbrl.environments import Environment
from mbrl.experiments.dataset import Results, held_store, write_results
from mbrl.experiments.parallel import in_processes, on_dask
from mbrl.experiments.rows import Rows
from mbrl.experiments.scenarios import Scenario
from mbrl.experiments.seeds import global_generators
from mbrl.experiments.settings import Settings, present_versions, whole
from mbrl.experiments.simulation import Simulation
from mbrl.experiments.store import Store
from theory import BanditError
from theory.terminal.workers import refuse_within_worker

_REPEATED = 20  # equivalent: more take longer
_WARM: set[tuple[str, str]] = set()
"""Scenarios and learners whose kernels this process has already used."""


@dataclass(frozen=True)
class Progress:
    """Progress of a run: simulations done (including those of an earlier run), and their total number.

    At the end, `unrepeatable` has a line on each learner whose first simulation could not be repeated.
    """

    done: int
    total: int
    resumed: int
    unrepeatable: tuple[str, ...] = ()


Watch = Callable[[Progress], None]


def run(
    scenario: Scenario,
    settings: Settings,
    folder: Path,
    *,
    jobs: int = 1,
    dask: str | None = None,
    watch: Watch = lambda progress: None,
) -> Progress:
    """Run an experiment into `folder`; the results do not depend on `jobs` if learners draw from their generator alone.

    Parameters
    ----------
    scenario, settings
        What to run (`mbrl.experiments.settings.make_settings`).
    folder
        A folder that is new or empty, or holds an earlier run of the same identity. That run is finished or extended:
        it gets the learners of both, and the larger numbers of simulations and episodes.
    jobs
        Number of processes.
    dask
        Address of a Dask scheduler whose workers compute instead.
    watch
        Called at the start and after every simulation.

    Raises
    ------
    BanditError
        If the folder cannot be used, or an agent cannot play the scenario; nothing is overwritten.
    """
    jobs = whole("jobs", jobs)
    if jobs > 1:
        refuse_within_worker()  # before the folder is held: it is the parent's
    for agent in settings.agents:
        canonical_name(agent)
    here_only = [agent for agent in settings.agents if agent.startswith("__main__:")]
    if here_only and (jobs > 1 or dask) and not Path(getattr(sys.modules["__main__"], "__file__", "")).is_file():
        raise BanditError(
            f"agent {here_only[0]}: is defined in a notebook or typed in, where no other process finds it: give "
            "jobs=1, or put it into a module and import it"
        )
    environment = settings.model_of(scenario, 0)
    for agent in settings.agents:
        make_agent(agent, environment, settings.episodes)  # a learner that cannot play fails before anything is written
    with held_store(folder, settings) as (store, results):
        return _run(_Run(scenario, store, results, environment), jobs, dask, watch)


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


class _Run:
    """A run: its scenario, the rows that it has, and those that are missing."""

    def __init__(self, scenario: Scenario, store: Store, results: Results, environment: Environment) -> None:
        self.scenario = scenario
        self.store = store
        self.settings = store.settings
        self.environment = environment
        self._results = results
        found = results.settings
        self._found = found if found is not None and found.identity() == store.settings.identity() else None
        self._anytime = {
            agent: is_anytime(make_agent(agent, environment, self.settings.episodes)) for agent in self.settings.agents
        }

    @property
    def finished(self) -> bool:
        """Whether the results in the folder are all that the settings ask for."""
        return self._found == self.settings

    def rows(self, agent: str, simulation: int) -> Rows | None:
        """Return the rows of a simulation of K episodes, or None if there are none."""
        episodes = self.settings.episodes
        saved = self._saved(agent, simulation) if self._anytime[agent] else [episodes]
        found = (self._load(agent, simulation, count) for count in saved if count >= episodes)
        return next((rows.first(episodes) for rows in found if rows is not None), None)

    def task(self, agent: str, simulation: int) -> Task:
        """Return the task that fills in missing rows of a simulation, from its latest saved learner on if possible."""
        if self._anytime[agent]:
            for count in reversed(self._saved(agent, simulation)):
                rows = self._load(agent, simulation, count)
                if rows is not None and rows.learner:
                    return Task(agent, simulation, rows.learner)
        return Task(agent, simulation)

    def save(self, task: Task, later: Rows) -> None:
        """Save the rows of a task, appended to the rows from which it went on."""
        before = self.settings.episodes - later.episodes
        if before:
            earlier = self._load(task.agent, task.simulation, before)
            if earlier is None:
                return  # damaged since it was read: the simulation stays missing, and is done again
            later = earlier.followed_by(later)
        self.store.save_rows(task.agent, task.simulation, later)

    def missing(self) -> list[tuple[str, int]]:
        """Return the learners and simulations that lack rows."""
        simulations = range(self.settings.simulations)
        everything = ((agent, simulation) for simulation in simulations for agent in self.settings.agents)
        return [one for one in everything if self.rows(*one) is None]

    def _saved(self, agent: str, simulation: int) -> list[int]:
        counts = set(self.store.saved_episodes(agent, simulation))
        if self._found is not None:
            counts.add(self._found.episodes)
        return sorted(counts)

    def _load(self, agent: str, simulation: int, episodes: int) -> Rows | None:
        found = self.store.load_rows(agent, simulation, episodes)
        if found is not None or self._found is None or self._found.episodes != episodes:
            return found
        rows = self._results.rows(agent, simulation)
        return None if rows is None else replace(rows, learner=self._results.learner(agent, simulation))


def _run(run: _Run, jobs: int, dask: str | None, watch: Watch) -> Progress:
    settings = run.settings
    total = len(settings.agents) * settings.simulations
    missing = run.missing()
    resumed = total - len(missing)
    computed, progress = missing, Progress(resumed, total, resumed)
    watch(progress)
    while missing or not run.finished:
        tasks = [run.task(*one) for one in missing]
        for task, rows in _outcomes(run, tasks, jobs, dask):
            run.save(task, rows)
            progress = Progress(progress.done + 1, total, resumed)
            watch(progress)
        if write_results(run.store, run.scenario, run.environment, run.rows):
            break
        missing = run.missing()  # a file of rows may have been damaged since it was written
    told = tuple(filter(None, (_repeated(run, agent) for agent in {agent: None for agent, _ in computed})))
    run.store.remove_rows()
    return replace(progress, unrepeatable=told)


def _repeated(run: _Run, agent: str) -> str | None:
    """Play the first episodes of a user's learner twice again; return a complaint if they differ from the run's.

    Once is not enough: state that the class or module keeps may happen to equal that at the start of the run. Nor are
    equal regrets: other draws may lead to the same ones. So a global generator must be in one state after both.
    """
    rows = run.rows(agent, 0) if ":" in agent else None
    if rows is None:
        return None
    first = rows.regret[:_REPEATED]
    differing, states = first.size, []
    for _ in range(2):
        again = simulation_of(run.scenario, run.settings, agent, 0).play(first.size).regret
        differing = min([differing, *np.flatnonzero(again != first)])
        states.append(global_generators())
    drawn = [name for name, state in states[0].items() if state != states[1][name]]
    if differing == first.size and not drawn:
        return None
    how = "has the same regrets by chance" if differing == first.size else f"differs from episode {differing + 1} on"
    cause = (
        f"draws from {' and '.join(drawn)} of the whole process, not from the generator that plan is given"
        if drawn
        else "keeps something between simulations, draws from another generator than the one that plan is given, or "
        "imports code that has changed since"
    )
    return (
        f"agent {agent}: simulation 0, played again, {how}: the learner {cause}; its results depend on the order of "
        "simulations and on --jobs"
    )


def _outcomes(run: _Run, tasks: list[Task], jobs: int, dask: str | None) -> Iterator[tuple[Task, Rows]]:
    function = partial(run_task, run.scenario, run.settings)
    if dask is not None:
        modules = re.findall(r"([\w.]+):", " ".join([run.settings.scenario, *run.settings.agents]))  # of the user
        return on_dask(function, tasks, dask, list(dict.fromkeys(modules)))
    # first play a short simulation of each learner here, which compiles it: workers then load its kernels from disk
    for agent in dict.fromkeys(task.agent for task in tasks):
        warm_up(run.scenario, run.settings, agent)
    return in_processes(function, tasks, jobs)


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
        make_agent(agent, environment, settings.episodes),
        scenario=scenario.name,
        name=agent,
        simulation=simulation,
        seed=settings.seed,
        monte_carlo=settings.regret == "monte-carlo",
    )

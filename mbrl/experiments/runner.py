"""Run an experiment: all learners, all simulations, in parallel, resumed where an earlier run stopped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.registry import check_agent_name, make_agent
from mbrl.environments import Environment
from mbrl.experiments.dataset import write_results
from mbrl.experiments.scenarios import Scenario
from mbrl.experiments.settings import Settings
from mbrl.experiments.simulation import simulate
from mbrl.experiments.store import Store
from theory import BanditError

Floats = NDArray[np.float64]
Task = tuple[str, int]
"""A learner and the number of a simulation."""

Outcome = tuple[str, int, Floats, Floats]
"""A learner, the number of a simulation, and its regret and seconds per episode."""


_WARM: set[tuple[str, str]] = set()
"""Scenarios and learners whose kernels this process has used."""


@dataclass(frozen=True)
class Progress:
    """What is told to the one who watches: tasks done, of all, those of an earlier run among them."""

    done: int
    total: int
    resumed: int


def run(
    scenario: Scenario,
    settings: Settings,
    folder: Path,
    *,
    jobs: int = 1,
    dask: str | None = None,
    watch: Callable[[Progress], None] = lambda progress: None,
) -> Progress:
    """Run an experiment into `folder`; the results do not depend on `jobs`.

    Parameters
    ----------
    scenario, settings
        What to run.
    folder
        New, empty, or of an earlier run of the same settings, which is then finished.
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
    if jobs < 1:
        raise BanditError(f"jobs: {jobs} is too few; give at least 1")
    for agent in settings.agents:
        check_agent_name(agent)
    environment = scenario.build(settings.seed, 0, settings.episodes)
    for agent in settings.agents:
        make_agent(agent, environment, settings.episodes)  # one that cannot play says so before anything is written
    backend = _dask_backend(dask) if dask is not None else None
    store = Store(folder, settings)
    tasks = [(agent, simulation) for simulation in range(settings.simulations) for agent in settings.agents]
    if store.finished:
        return Progress(len(tasks), len(tasks), len(tasks))
    waiting = [task for task in tasks if not store.has_rows(*task)]
    resumed = len(tasks) - len(waiting)
    progress = Progress(resumed, len(tasks), resumed)
    watch(progress)
    outcomes = backend(scenario, settings, waiting) if backend else _outcomes(scenario, settings, waiting, jobs)
    for agent, simulation, regret, seconds in outcomes:
        store.save_rows(agent, simulation, regret, seconds)
        progress = Progress(progress.done + 1, len(tasks), resumed)
        watch(progress)
    write_results(store, scenario, settings, environment)
    store.remove_rows()
    return progress


def run_task(scenario: Scenario, settings: Settings, task: Task) -> Outcome:
    """Compute one simulation of one learner."""
    agent, simulation = task
    if (scenario.name, agent) not in _WARM:
        _WARM.add((scenario.name, agent))  # kernels are compiled or loaded outside the measured times
        _play_one_episode(scenario, settings, agent)
    environment: Environment = scenario.build(settings.seed, scenario.model_of(simulation), settings.episodes)
    regret, seconds = simulate(
        environment,
        make_agent(agent, environment, settings.episodes),
        scenario=scenario.name,
        name=agent,
        simulation=simulation,
        episodes=settings.episodes,
        seed=settings.seed,
        monte_carlo=settings.regret == "monte-carlo",
    )
    return agent, simulation, regret, seconds


def _outcomes(scenario: Scenario, settings: Settings, tasks: list[Task], jobs: int) -> Iterator[Outcome]:
    if jobs == 1 or len(tasks) <= 1:
        yield from (run_task(scenario, settings, task) for task in tasks)
        return
    from joblib import Parallel, delayed  # noqa: PLC0415  (not needed by a single process)

    # one short simulation of each learner here first: the workers then load its kernels from disk
    for agent in dict.fromkeys(agent for agent, _ in tasks):
        _play_one_episode(scenario, settings, agent)
    parallel = Parallel(n_jobs=jobs, return_as="generator_unordered")
    yield from parallel(delayed(run_task)(scenario, settings, task) for task in tasks)


def _play_one_episode(scenario: Scenario, settings: Settings, agent: str) -> None:
    environment = scenario.build(settings.seed, 0, settings.episodes)
    simulate(
        environment,
        make_agent(agent, environment, settings.episodes),
        scenario=scenario.name,
        name=agent,
        simulation=0,
        episodes=1,
        seed=settings.seed,
    )


def _dask_backend(address: str) -> Callable[[Scenario, Settings, Iterable[Task]], Iterator[Outcome]]:
    try:
        from distributed import Client, as_completed  # noqa: PLC0415  (the extra "cluster")
    except ImportError:
        raise BanditError(
            "--dask needs the extra 'cluster': pip install 'markovian-bandits-companion[cluster]'"
        ) from None
    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError) as error:
        raise BanditError(f"no Dask scheduler answers at {address}: {error}") from None

    def outcomes(scenario: Scenario, settings: Settings, tasks: Iterable[Task]) -> Iterator[Outcome]:
        with client:
            futures = [client.submit(run_task, scenario, settings, task, pure=False) for task in tasks]
            for future in as_completed(futures):
                yield future.result()

    return outcomes

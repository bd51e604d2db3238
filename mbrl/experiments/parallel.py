"""Tasks done by this process, by several processes, or by a Dask cluster; results are yielded as they finish.

A task is the argument of a function, whose result does not depend on who computes it. The function is pickled by value,
since scenarios and learners of a user may not be importable by name.
"""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeVar

import cloudpickle

from mbrl.experiments.store import SAVED
from theory import BanditError
from theory.terminal.workers import WorkerLostError, in_parallel

Task = TypeVar("Task")
Outcome = TypeVar("Outcome")

_MOST_LOSSES = 3


def in_processes(
    function: Callable[[Task], Outcome], tasks: Sequence[Task], jobs: int
) -> Iterator[tuple[Task, Outcome]]:
    """Yield each task with the result of `function`, computed by `jobs` processes.

    Killed processes are replaced.

    Raises
    ------
    BanditError
        If processes are killed again and again without finishing a task.
    """
    if jobs == 1 or len(tasks) <= 1:  # avoids pickling, as the task may hold a bandit of a million arms
        yield from ((task, function(task)) for task in tasks)
        return
    waiting, losses = list(tasks), 0
    prepare = partial(_receive, cloudpickle.dumps(function))
    while waiting:
        try:
            for task, outcome in in_parallel(_do, list(waiting), jobs, prepare):
                waiting.remove(task)
                losses = 0
                yield task, outcome
        except WorkerLostError as error:
            losses += 1
            if losses == _MOST_LOSSES:
                raise BanditError(f"{_lost(error, jobs)} {SAVED}") from None


def _lost(error: WorkerLostError, jobs: int) -> str:
    """Return a description of workers that were lost again and again."""
    who = "; ".join(map(str, error.tasks[:2])) + ": " if error.tasks else ""
    if error.exit_code == -signal.SIGKILL:
        return f"{who}worker processes were killed {_MOST_LOSSES} times; is there enough memory for {jobs} jobs?"
    how = f"with exit code {error.exit_code}" if error.exit_code > 0 else f"by {signal.Signals(-error.exit_code).name}"
    return f"{who}its process ended itself {how}, {_MOST_LOSSES} times;"


_received: list[Callable[[Any], Any]] = []


def _receive(pickled: bytes) -> None:
    _received[:] = [cloudpickle.loads(pickled)]


def _do(task: Any) -> Any:
    return _received[0](task)


def on_dask(
    function: Callable[[Task], Outcome], tasks: Sequence[Task], address: str, modules: Sequence[str]
) -> Iterator[tuple[Task, Outcome]]:
    """Yield each task with the result of `function`, computed by the workers of a Dask scheduler at `address`.

    If a worker is lost, another one computes its task. The user's `modules` that are single files are sent to workers.

    Raises
    ------
    BanditError
        If no scheduler answers, or the scheduler is lost.
    """
    from distributed import CancelledError, Client, KilledWorker, as_completed  # noqa: PLC0415

    for name in ("distributed", "distributed.client"):  # our own line reports what is lost
        logging.getLogger(name).setLevel(sys.maxsize)
    try:
        client = Client(address, timeout="10 s")
    except (OSError, ValueError) as error:
        raise BanditError(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        for module in modules:
            path = getattr(sys.modules.get(module), "__file__", None)
            if path is not None and "." not in module:
                client.upload_file(path)
        try:
            futures = {client.submit(function, task, pure=False): task for task in tasks}
            for future in as_completed(list(futures)):
                yield futures.pop(future), future.result()
        except KilledWorker as error:
            raise BanditError(f"workers of {address} were killed again and again ({error}); {SAVED}") from None
        except (OSError, CancelledError):
            raise BanditError(f"the Dask scheduler at {address} is gone; {SAVED}") from None

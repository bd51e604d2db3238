"""Tasks done by this process or by several; results are yielded as they finish.

A task is the argument of a function, whose result does not depend on who computes it. The function is pickled by value,
since scenarios and learners of a user may not be importable by name.
"""

from __future__ import annotations

import signal
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
    """Return a description of workers that were lost again and again.

    Examples
    --------
    >>> _lost(WorkerLostError("", ["agent mine:Leaves, simulation 0"], 7), 2)
    'agent mine:Leaves, simulation 0: its process ended itself with exit code 7, 3 times;'
    >>> _lost(WorkerLostError("", ["agent mine:Big, simulation 1"]), 2)
    'agent mine:Big, simulation 1: worker processes were killed 3 times; is there enough memory for 2 jobs?'
    """
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

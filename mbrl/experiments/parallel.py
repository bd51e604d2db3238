"""Tasks done by this process, by several, or by the workers of a Dask cluster; results come as they are ready.

A task is a function's argument; what it returns does not depend on who computes it. The function may be one that cannot
be imported by name, as scenarios and learners of a user's own are: it travels by value.
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
    """Yield each task with what `function` returns for it, computed by `jobs` processes.

    Processes that were killed are replaced.

    Raises
    ------
    BanditError
        If they are killed again and again, without finishing a task.
    """
    if jobs == 1 or len(tasks) <= 1:  # nothing travels, which may be a bandit of a million arms
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
    """Return what is known of workers that were lost again and again.

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


def on_dask(
    function: Callable[[Task], Outcome], tasks: Sequence[Task], address: str, modules: Sequence[str]
) -> Iterator[tuple[Task, Outcome]]:
    """Yield each task with what `function` returns for it, computed by the workers of a Dask scheduler.

    What a worker was computing that is lost is computed by another.

    Parameters
    ----------
    function, tasks
        What is done.
    address
        Of the scheduler, such as ``tcp://127.0.0.1:8786``.
    modules
        Names of the user's modules; those that are a file of their own are sent to the workers.

    Raises
    ------
    BanditError
        If the extra is missing, no scheduler answers, or it is lost.

    Examples
    --------
    With a scheduler that does at once what it is given:

    >>> from types import SimpleNamespace
    >>> from unittest.mock import MagicMock, patch
    >>> client = MagicMock()
    >>> client.submit = lambda function, task, pure: MagicMock(result=lambda: (function(task), pure))
    >>> names = {"CancelledError": OSError, "KilledWorker": OSError, "Client": MagicMock(return_value=client)}
    >>> with patch.dict(sys.modules, distributed=SimpleNamespace(**names, as_completed=list)):
    ...     list(on_dask(abs, [-1, 2], "tcp://here", ["abc", "os.path", "nowhere"]))
    [(-1, (1, False)), (2, (2, False))]
    >>> [call.args[0].rpartition("/")[2] for call in client.upload_file.call_args_list]
    ['abc.py']
    """
    try:
        from distributed import CancelledError, Client, KilledWorker, as_completed  # noqa: PLC0415
    except ImportError:
        raise BanditError(
            "--dask needs the extra 'cluster': pip install 'markovian-bandits-companion[cluster]'"
        ) from None
    for name in ("distributed", "distributed.client"):  # what is lost is said in one line, by us
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

"""Tasks on several processes, which never outlive the process that started them.

Every worker holds one end of a pipe whose other end only its parent has. When that end closes, the worker leaves at
once: after Ctrl-C, after an error, and after a kill that no program can answer. Ctrl-C reaches the parent alone.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from typing import TypeVar

from theory.errors import BanditError

Task = TypeVar("Task")
Result = TypeVar("Result")


class WorkerLostError(BanditError):
    """A process ended before its task was done: killed, or short of memory."""


def in_parallel(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    jobs: int,
    prepare: Callable[[], None] | None = None,
) -> Iterator[tuple[Task, Result]]:
    """Yield each task with its result, as they are done.

    Parameters
    ----------
    function
        Importable by its name, as are the types of tasks and results; its own exceptions are raised here.
    tasks
        All are handed out at once.
    jobs
        Number of processes; with 1, or a single task, this one does the work.
    prepare
        Called once in each process before its first task.

    Raises
    ------
    WorkerLostError
        If a worker ends before its task is done.

    Examples
    --------
    >>> sorted(in_parallel(abs, [3, -2, 0], jobs=1))
    [(-2, 2), (0, 0), (3, 3)]
    """
    waiting = list(tasks)
    if jobs == 1 or len(waiting) <= 1:
        if prepare is not None and waiting:
            prepare()
        for task in waiting:
            yield task, function(task)
        return
    held_by_workers, held_here = get_context("spawn").Pipe(duplex=False)
    with _undisturbed_children():
        pool = ProcessPoolExecutor(
            min(jobs, len(waiting)), get_context("spawn"), initializer=_begin, initargs=(held_by_workers, prepare)
        )
    try:
        with _undisturbed_children():
            futures: dict[Future[Result], Task] = {pool.submit(function, task): task for task in waiting}
        for done in as_completed(futures):
            yield futures.pop(done), done.result()
        pool.shutdown()
    except BrokenProcessPool:
        raise WorkerLostError(
            "a worker process ended before its task was done; was it killed, or short of memory? Fewer --jobs need less"
        ) from None
    finally:
        held_here.close()
        held_by_workers.close()
        pool.shutdown(cancel_futures=True)


def _begin(parent: Connection, prepare: Callable[[], None] | None) -> None:
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    if prepare is not None:
        prepare()


def _leave_with(parent: Connection) -> None:
    try:
        parent.recv_bytes()  # nothing is ever sent
    except (EOFError, OSError):
        os._exit(1)


@contextmanager
def _undisturbed_children() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach: they inherit that it is blocked, and it reaches this process alone.

    Here it takes effect once they are started, as one half started complains when this process ends: blocking alone
    does not hold it back, since any other thread can take it. Nor does the process that puts away what a killed one
    leaves warn of it.
    """
    met: list[int] = []
    in_main = threading.current_thread() is threading.main_thread()  # no other may change what Ctrl-C does
    handler = signal.signal(signal.SIGINT, lambda number, _: met.append(number)) if in_main else None
    warnings = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, [warnings, "ignore:resource_tracker:UserWarning"]))
    resource_tracker.ensure_running()  # to start it lets interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
    try:
        yield
    finally:
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        os.environ.pop("PYTHONWARNINGS")
        if warnings is not None:
            os.environ["PYTHONWARNINGS"] = warnings
        if handler is not None:
            signal.signal(signal.SIGINT, handler)
        if met:
            signal.raise_signal(signal.SIGINT)

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
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeVar

from theory.errors import BanditError

Task = TypeVar("Task")
Result = TypeVar("Result")


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
    BanditError
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
    pool = ProcessPoolExecutor(
        min(jobs, len(waiting)), get_context("spawn"), initializer=_begin, initargs=(held_by_workers, prepare)
    )
    try:
        with _interrupts_kept_from_children():
            futures: dict[Future[Result], Task] = {pool.submit(function, task): task for task in waiting}
        for done in as_completed(futures):
            yield futures.pop(done), done.result()
        pool.shutdown()
    except BrokenProcessPool:
        raise BanditError(
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
def _interrupts_kept_from_children() -> Iterator[None]:
    """Block Ctrl-C while processes are started, which they inherit; it then reaches this process alone."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

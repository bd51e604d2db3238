"""Tasks on several worker processes, which never outlive the process that started them.

Every worker holds one end of a pipe; only its parent holds the other. When the parent's end closes, the worker leaves
at once: after Ctrl-C, after an error, and after a kill that no program can answer. Ctrl-C reaches the parent alone.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import current_process, get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.sharedctypes import Synchronized, SynchronizedArray
from pathlib import Path
from typing import Any, Final, TypeVar

from theory.errors import BanditError

Task = TypeVar("Task")
Result = TypeVar("Result")


_UNGUARDED: Final = 73
"""Exit code of a worker whose import of the main script starts workers itself."""

_slot: list[Any] = []
"""The number of this worker, and the array in which it records its current task."""


class WorkerLostError(BanditError):
    """A worker process ended before its task was done: killed, short of memory, or ended by the task itself.

    `tasks` were under way in the processes that ended. `exit_code` is that of the first process, or minus the number of
    the signal that ended it.
    """

    def __init__(self, message: str, tasks: Sequence[Any] = (), exit_code: int = -signal.SIGKILL) -> None:
        super().__init__(message)
        self.tasks, self.exit_code = tasks, exit_code


def in_parallel(
    function: Callable[[Task], Result],
    tasks: Iterable[Task],
    jobs: int,
    prepare: Callable[[], None] | None = None,
    *,
    forked: bool = False,
) -> Iterator[tuple[Task, Result]]:
    """Yield each task with its result, in the order in which they finish; with one job or task, this process works.

    The function, tasks and results can be imported by name; its exceptions are raised here. `prepare` is called
    once in each process before its first task. `forked` workers (on Linux, without other threads) have all our data.

    Raise `WorkerLostError` if a worker ends before its task is done. Raise `BanditError` if this process may not have
    workers: it is a worker, or its main script starts workers when it is imported.
    """
    waiting = list(tasks)
    if jobs == 1 or len(waiting) <= 1:
        if prepare is not None and waiting:
            prepare()
        for task in waiting:
            yield task, function(task)
        return
    refuse_within_worker()
    forked = forked and sys.platform == "linux" and threading.active_count() == 1
    context: Any = get_context("fork" if forked else "spawn")
    number = min(jobs, len(waiting))
    held_by_workers, held_here = context.Pipe(duplex=False)
    with _undisturbed_children():
        taken, doing = context.Value("q", 0), context.Array("q", [-1] * (2 * number))  # per worker: process id, task
        pool = ProcessPoolExecutor(
            number, context, initializer=_begin, initargs=(held_by_workers, held_here, prepare, taken, doing)
        )
    processes: list[Any] = []
    try:
        with _undisturbed_children(), warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # warns of forks while a library has threads
            futures: dict[Future[Result], Task] = {
                pool.submit(_do, function, k, task): task for k, task in enumerate(waiting)
            }
            processes += (pool._processes or {}).values()
        for done in as_completed(futures):
            yield futures.pop(done), done.result()
        pool.shutdown()
    except BrokenProcessPool:  # a process may end before all tasks are handed out
        processes = processes or list((pool._processes or {}).values())
        raise _loss(processes, dict(zip(doing[::2], doing[1::2], strict=True)), waiting) from None
    finally:
        held_here.close()
        held_by_workers.close()
        pool.shutdown(cancel_futures=True)


def refuse_within_worker() -> None:
    """Refuse to start workers in a worker; one that imports an unguarded main script ends, which tells its parent."""
    if getattr(current_process(), "_inheriting", False):  # a worker that imports the main script came here
        os._exit(_UNGUARDED)
    if current_process().daemon:
        raise BanditError("jobs: this process is itself a worker, and cannot start others: give jobs=1")


def _loss(processes: Sequence[Any], doing: Mapping[int, int], tasks: Sequence[Any]) -> BanditError:
    """Return the error for a broken pool: which process ended first, and its task."""
    for process in processes:
        process.join(1)
    for _ in range(10_000):  # a code that the pool's own thread is about to collect is None for a moment
        codes = {process.pid: process.exitcode for process in processes}
        if None not in codes.values():
            break
        time.sleep(0)  # lets that thread run
    if _UNGUARDED in codes.values():
        return BanditError(
            "jobs: each worker imports the main script, which must not start workers then: put the run under "
            "if __name__ == '__main__': or give jobs=1"
        )
    # the pool stopped the others
    ended = {pid: code for pid, code in codes.items() if code not in (0, None, -signal.SIGTERM)}
    lost = [tasks[doing[pid]] for pid in ended if doing.get(pid, -1) >= 0]
    return WorkerLostError(
        "a worker process ended before its task was done; was it killed, or short of memory? Fewer --jobs need less",
        lost,
        next(iter(ended.values()), -signal.SIGKILL),
    )


def _begin(
    parent: Connection,
    held_by_parent: Connection,
    prepare: Callable[[], None] | None,
    taken: Synchronized[int],
    doing: SynchronizedArray[int],
) -> None:
    held_by_parent.close()  # a copy, which would keep the pipe open
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    sys.stdout = sys.stderr  # the output of a task is not part of the results
    with taken.get_lock():
        _slot[:] = [2 * taken.value, doing]
        taken.value += 1
    doing[_slot[0]] = os.getpid()
    if prepare is not None:
        prepare()


def _do(function: Callable[[Task], Result], number: int, task: Task) -> Result:
    place, doing = _slot
    doing[place + 1] = number
    result = function(task)
    doing[place + 1] = -1
    return result


def _leave_with(parent: Connection) -> None:
    try:
        parent.recv_bytes()  # returns only when the parent's end closes
    except (EOFError, OSError):
        os._exit(1)


@contextmanager
def _undisturbed_children() -> Iterator[None]:
    """Start processes that Ctrl-C does not reach: they inherit a blocked signal, so it reaches this process alone.

    Here Ctrl-C takes effect only after they have started, since a half-started process complains when this one ends.
    Blocking alone does not delay it, because another thread can receive the signal. The resource tracker, which cleans
    up after a killed process, must not warn either.
    """
    met: list[int] = []
    in_main = threading.current_thread() is threading.main_thread()  # only the main thread may set signal handlers
    handler = signal.signal(signal.SIGINT, lambda number, _: met.append(number)) if in_main else None
    main = sys.modules["__main__"]
    script = vars(main).get("__file__")
    if script is not None and not Path(script).exists():  # <stdin>, which a worker could not open
        del main.__file__
    ignored = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = ",".join(filter(None, [ignored, "ignore:resource_tracker:UserWarning"]))
    resource_tracker.ensure_running()  # starting it unblocks signals
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
    try:
        yield
    finally:
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        if script is not None:
            main.__file__ = script
        os.environ.pop("PYTHONWARNINGS")
        if ignored is not None:
            os.environ["PYTHONWARNINGS"] = ignored
        if handler is not None:
            signal.signal(signal.SIGINT, handler)
        if met:
            signal.raise_signal(signal.SIGINT)

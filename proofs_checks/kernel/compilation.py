"""Compile the sources with ``coqc``, and ask the kernel for each theorem's statement and assumptions."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any, NamedTuple

from proofs_checks.kernel.coqc import find_coqc, rocq_version, run_coqc
from proofs_checks.kernel.questions import ask_all
from proofs_checks.kernel.sources import digest, imported_files, source, source_files


class CompiledFile(NamedTuple):
    """A source that the kernel accepted: its name, its number of lines, and the seconds that ``coqc`` took."""

    file: str
    lines: int
    seconds: float


def compile_sources(
    workspace: Path | None,
    jobs: int,
    expected: Mapping[str, Sequence[str]],
    progress: Callable[[CompiledFile], None],
) -> tuple[dict[str, Any], list[CompiledFile]]:
    """Compile all sources in `workspace`, by default a temporary folder; return the record of it, and the files.

    `expected` has the axioms that theorems are expected to assume (`ask_all`).
    """
    with tempfile.TemporaryDirectory() as temporary:
        workspace = workspace or Path(temporary)
        files = compile_into(workspace, source_files(), jobs, progress)
        theorems = ask_all(workspace, jobs, expected)
    return {"rocq": rocq_version(), "digest": digest(), "theorems": theorems}, files


def compile_into(
    workspace: Path,
    files: Sequence[str],
    jobs: int,
    progress: Callable[[CompiledFile], None] = lambda _: None,
) -> list[CompiledFile]:
    """Compile sources in `workspace`, `jobs` at once, each after those that it imports; call `progress` with each.

    Raises
    ------
    KernelError
        If there is no ``coqc``, or it refuses a source; the message has the file, the line, and the reason.
    """
    find_coqc()
    workspace.mkdir(parents=True, exist_ok=True)
    order = TopologicalSorter({file: imported_files(source(file)) for file in files})
    order.prepare()
    done: dict[str, CompiledFile] = {}

    def compiled(file: str) -> CompiledFile:
        start = time.perf_counter()
        (workspace / file).write_text(source(file), encoding="utf-8")
        run_coqc(workspace, file)
        return CompiledFile(file, source(file).count("\n"), time.perf_counter() - start)

    with ThreadPoolExecutor(jobs) as pool:
        running: set[Future[CompiledFile]] = set()
        try:
            while order.is_active():
                running |= {pool.submit(compiled, file) for file in order.get_ready()}
                finished, running = wait(running, return_when=FIRST_COMPLETED)
                for result in (future.result() for future in finished):
                    done[result.file] = result
                    progress(result)
                    order.done(result.file)
        finally:
            pool.shutdown(cancel_futures=True)
    return [done[file] for file in files]

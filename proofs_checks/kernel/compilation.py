"""Compile the sources with ``coqc``, and ask the kernel for each theorem's statement and assumptions."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

from proofs_checks.kernel.coqc import find_coqc, rocq_version, run_coqc
from proofs_checks.kernel.questions import CheckedTheorem, allowed_axioms, ask_all
from proofs_checks.kernel.sources import FOLDER, imported_files, needed_files, source_files, written_theorems


@dataclass(frozen=True)
class CompiledFile:
    """A source that the kernel accepted: its name, its number of lines, and the seconds that ``coqc`` took."""

    name: str
    lines: int
    seconds: float


@dataclass(frozen=True)
class KernelReport:
    """The result of compiling all sources: the version of Rocq, the files and the theorems, in their order."""

    version: str
    files: tuple[CompiledFile, ...]
    theorems: tuple[CheckedTheorem, ...]

    @property
    def forbidden(self) -> dict[str, tuple[str, ...]]:
        """The theorems that rest on axioms not allowed to them, each with these axioms."""
        return {
            theorem.written.name: beyond
            for theorem in self.theorems
            if (beyond := tuple(sorted(set(theorem.assumptions) - allowed_axioms(theorem.written.name))))
        }


def compile_sources(
    folder: Path = FOLDER,
    *,
    jobs: int,
    workspace: Path | None = None,
    expected: Mapping[tuple[str, str], Sequence[str]] | None = None,
    progress: Callable[[CompiledFile], None] = lambda _: None,
) -> KernelReport:
    """Compile the sources, and return a report with each theorem's statement and assumptions.

    Parameters
    ----------
    folder : Path
        Folder of the sources; nothing is written into it.
    jobs : int
        Number of files compiled at once.
    workspace : Path, optional
        The folder that keeps the compiled files; by default a temporary one.
    expected : mapping, optional
        Axioms that each theorem is expected to assume, by file and name (`ask_all`).
    progress : callable
        Called with each file when it is compiled.

    Raises
    ------
    KernelError
        If there is no ``coqc``, or it refuses a source; the message has the file, the line, and the reason.
    """
    coqc = find_coqc()
    with tempfile.TemporaryDirectory() if workspace is None else nullcontext(workspace) as name:
        workspace = Path(name)
        files = compile_into(workspace, folder, jobs=jobs, progress=progress)
        theorems = ask_all(coqc, workspace, source_files(folder), written_theorems(folder), jobs, expected or {})
    return KernelReport(rocq_version(coqc), files, theorems)


def compile_into(
    workspace: Path,
    folder: Path = FOLDER,
    *,
    jobs: int,
    needed_for: str | None = None,
    progress: Callable[[CompiledFile], None] = lambda _: None,
) -> tuple[CompiledFile, ...]:
    """Compile all sources, or only `needed_for` and the sources that it imports, in `workspace`.

    Raises
    ------
    KernelError
        If there is no ``coqc``, or it refuses a source.
    """
    workspace.mkdir(parents=True, exist_ok=True)
    files = source_files(folder) if needed_for is None else needed_files(needed_for, folder)
    for file in files:
        shutil.copy(folder / file, workspace / file)
    return _compile_all(find_coqc(), workspace, files, jobs, progress)


def _compile_all(
    coqc: str, workspace: Path, files: tuple[str, ...], jobs: int, progress: Callable[[CompiledFile], None]
) -> tuple[CompiledFile, ...]:
    texts = {file: (workspace / file).read_text(encoding="utf-8") for file in files}
    order = TopologicalSorter({file: imported_files(text) for file, text in texts.items()})
    order.prepare()
    done: dict[str, CompiledFile] = {}

    def compiled(file: str) -> CompiledFile:
        start = time.perf_counter()
        run_coqc(coqc, workspace, file)
        return CompiledFile(file, texts[file].count("\n"), time.perf_counter() - start)

    with ThreadPoolExecutor(jobs) as pool:
        running: dict[Future[CompiledFile], str] = {}
        try:
            while order.is_active():
                running |= {pool.submit(compiled, file): file for file in order.get_ready()}
                finished, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in finished:
                    result = future.result()
                    done[result.name] = result
                    progress(result)
                    order.done(running.pop(future))
        finally:
            pool.shutdown(cancel_futures=True)
    return tuple(done[file] for file in files)

"""Compiling the sources with ``coqc``, and asking the kernel what each theorem says and what it assumes."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from graphlib import TopologicalSorter
from pathlib import Path

from proofs_checks.kernel.sources import FOLDER, Theorem, imported_files, source_files, written_theorems
from theory import BanditError

ALLOWED_AXIOMS = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)
"""What Rocq's standard real numbers rest on; no theorem may rest on anything else."""

INSTALL = (
    "apt-get install coq libcoq-interval libcoq-coquelicot libcoq-mathcomp-ssreflect libcoq-mathcomp-algebra (Debian)"
)
_OPTIONS = ("-q", "-w", "-notation-overridden,-ambiguous-paths", "-Q", ".", "kernel")
_WIDTH = 110
_ERROR = re.compile(
    r'File "\./(?P<file>[^"]+)", line (?P<line>\d+), characters [^\n]*\nError:\s*(?P<what>.*)', re.DOTALL
)


class KernelError(BanditError):
    """Rocq is not installed, or does not accept a source."""


@dataclass(frozen=True)
class CompiledFile:
    """One source that the kernel accepted: its name, lines, and the seconds that ``coqc`` took."""

    name: str
    lines: int
    seconds: float


@dataclass(frozen=True)
class CheckedTheorem:
    """A theorem that the kernel accepted.

    Attributes
    ----------
    written : Theorem
    statement : str
        As the kernel prints it, hypotheses of enclosing sections included.
    assumptions : tuple of str
        The axioms that its proof rests on, sorted.
    """

    written: Theorem
    statement: str
    assumptions: tuple[str, ...]


@dataclass(frozen=True)
class KernelReport:
    """A whole compilation: the version of Rocq, the files and the theorems, in their order."""

    version: str
    files: tuple[CompiledFile, ...]
    theorems: tuple[CheckedTheorem, ...]

    @property
    def forbidden(self) -> dict[str, tuple[str, ...]]:
        """The theorems that rest on more than the allowed axioms, with what they rest on."""
        return {
            theorem.written.name: beyond
            for theorem in self.theorems
            if (beyond := tuple(axiom for axiom in theorem.assumptions if axiom not in ALLOWED_AXIOMS))
        }


def find_coqc() -> str:
    """Return the path of ``coqc``.

    Raises
    ------
    KernelError
        If there is none; the message says what to install.
    """
    path = shutil.which("coqc")
    if path is None:
        raise KernelError(f"coqc is not on the path, so nothing was compiled; to install Rocq: {INSTALL}")
    return path


def compile_sources(
    folder: Path = FOLDER, *, jobs: int = 1, progress: Callable[[CompiledFile], None] = lambda _: None
) -> KernelReport:
    """Compile the sources in a temporary directory, and have each theorem's statement and assumptions printed.

    Parameters
    ----------
    folder : Path
        Where the sources are; nothing is written there.
    jobs : int
        How many files are compiled at once.
    progress : callable
        Called with each file when it is compiled.

    Raises
    ------
    KernelError
        If there is no ``coqc``, or it refuses a source: which, the line, and why.
    """
    coqc = find_coqc()
    with tempfile.TemporaryDirectory() as name:
        workspace = Path(name)
        for file in source_files(folder):
            shutil.copy(folder / file, workspace / file)
        files = _compile_all(coqc, workspace, source_files(folder), jobs, progress)
        theorems = _ask(coqc, workspace, source_files(folder), written_theorems(folder))
    return KernelReport(_version(coqc), files, theorems)


def run_coqc(coqc: str, workspace: Path, file: str) -> str:
    """Compile one file in `workspace` and return what it printed.

    Raises
    ------
    KernelError
        If it is refused.
    """
    done = subprocess.run([coqc, *_OPTIONS, file], cwd=workspace, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise KernelError(_refusal(file, done.stderr or done.stdout))
    return done.stdout


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
            pool.shutdown(wait=True, cancel_futures=True)
    return tuple(done[file] for file in files)


def _ask(
    coqc: str, workspace: Path, files: tuple[str, ...], theorems: tuple[Theorem, ...]
) -> tuple[CheckedTheorem, ...]:
    modules = " ".join(file.removesuffix(".v") for file in files)
    questions = [
        "From Coq Require Import Reals.",
        "From mathcomp Require Import all_ssreflect.",
        f"From kernel Require Import {modules}.",
        f"Set Printing Width {_WIDTH}.",
        "Unset Printing Implicit Defensive.",
    ]
    for number, theorem in enumerate(theorems):
        qualified = f"{theorem.file.removesuffix('.v')}.{theorem.name}"
        questions.append(f'Redirect "statement{number}" Check @{qualified}.')
        questions.append(f'Redirect "assumptions{number}" Print Assumptions {qualified}.')
    (workspace / "Questions.v").write_text("\n".join(questions) + "\n", encoding="utf-8")
    run_coqc(coqc, workspace, "Questions.v")
    return tuple(
        CheckedTheorem(
            theorem,
            _statement((workspace / f"statement{number}.out").read_text(encoding="utf-8")),
            assumptions_in((workspace / f"assumptions{number}.out").read_text(encoding="utf-8")),
        )
        for number, theorem in enumerate(theorems)
    )


def _statement(printed: str) -> str:
    _, _, statement = printed.partition("\n     : ")
    return "\n".join(line.removeprefix("       ") for line in statement.rstrip().splitlines())


def assumptions_in(printed: str) -> tuple[str, ...]:
    r"""Return the axioms that ``Print Assumptions`` printed, sorted.

    Examples
    --------
    >>> assumptions_in("Closed under the global context")
    ()
    >>> assumptions_in("Axioms:\nlong.name\n  : forall n, n = n\nclassic : forall P : Prop, P \\/ ~ P")
    ('classic', 'long.name')
    """
    lines = [line for line in printed.splitlines()[1:] if line and not line.startswith(" ")]
    return tuple(sorted(line.partition(" :")[0].strip() for line in lines))


def _refusal(file: str, message: str) -> str:
    found = _ERROR.search(message)
    if not found:
        return f"{file}: coqc failed: {' '.join(message.split())}"
    return f"{found['file']}, line {found['line']}: the kernel refuses: {' '.join(found['what'].split())}"


def _version(coqc: str) -> str:
    printed = subprocess.run([coqc, "--print-version"], capture_output=True, text=True, check=True).stdout
    return printed.split()[0]

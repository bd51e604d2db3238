"""Run ``coqc``: find it, compile one file, and say what to install if it is missing."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from theory import BanditError

INSTALL = (
    "apt-get install coq libcoq-interval libcoq-coquelicot libcoq-mathcomp-ssreflect libcoq-mathcomp-algebra "
    "libcoq-mathcomp-analysis (Debian)"
)
_OPTIONS = ("-q", "-w", "-notation-overridden,-ambiguous-paths", "-Q", ".", "kernel")
_ERROR = re.compile(
    r'File "\./(?P<file>[^"]+)", line (?P<line>\d+), characters [^\n]*\nError:\s*(?P<what>.*)', re.DOTALL
)


class KernelError(BanditError):
    """Rocq is not installed, or refuses a source or a certificate."""


def find_coqc() -> str:
    """Return the path of ``coqc``.

    Raises
    ------
    KernelError
        If ``coqc`` is not on the path; the message says what to install.
    """
    path = shutil.which("coqc")
    if path is None:
        raise KernelError(f"coqc is not on the path, so nothing was compiled; to install Rocq: {INSTALL}")
    return path


def run_coqc(coqc: str, workspace: Path, file: str) -> str:
    """Compile one file in `workspace` and return what it printed.

    Raises
    ------
    KernelError
        If ``coqc`` refuses the file.
    """
    done = subprocess.run([coqc, *_OPTIONS, file], cwd=workspace, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise KernelError(_refusal(file, done.stderr or done.stdout))
    return done.stdout


def _refusal(file: str, message: str) -> str:
    found = _ERROR.search(message)
    if not found:
        return f"{file}: coqc failed: {' '.join(message.split())}"
    return f"{found['file']}, line {found['line']}: the kernel refuses: {' '.join(found['what'].split())}"


def rocq_version(coqc: str) -> str:
    """Return the version of Rocq."""
    printed = subprocess.run([coqc, "--print-version"], capture_output=True, text=True, check=True).stdout
    return printed.split()[0]

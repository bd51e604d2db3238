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
    """Return the path of ``coqc``, or raise a `KernelError` that says what to install."""
    path = shutil.which("coqc")
    if path is None:
        raise KernelError(f"coqc is not on the path, so nothing was compiled; to install Rocq: {INSTALL}")
    return path


def run_coqc(workspace: Path, file: str) -> str:
    """Compile one file in `workspace` and return what is printed; a `KernelError` says why ``coqc`` refuses it."""
    command = [find_coqc(), *_OPTIONS, file]
    done = subprocess.run(command, cwd=workspace, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return done.stdout
    message = done.stderr or done.stdout
    if found := _ERROR.search(message):
        raise KernelError(
            f"{found['file']}, line {found['line']}: the kernel refuses: {' '.join(found['what'].split())}"
        )
    raise KernelError(f"{file}: coqc failed: {' '.join(message.split())}")


def rocq_version() -> str:
    """Return the version of Rocq."""
    command = [find_coqc(), "--print-version"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()[0]

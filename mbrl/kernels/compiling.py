"""Compiled functions: without the interpreter's lock, cached on disk, and the first compilation announced."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import event

INTERPRETED = bool(getattr(numba.config, "DISABLE_JIT", False))
"""Whether nothing is to be compiled (NUMBA_DISABLE_JIT=1)."""

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile `function` at its first call; later processes load it from the disk cache.

    The cache lies beside the module, or in numba's own cache folder where that is read-only. Floating-point operations
    keep their written order (no ``fastmath``), so that results do not depend on the process that computes them.

    A kernel holds the code of the kernels that it calls. Numba looks only at the file of the kernel itself to tell
    whether what it saved is out of date; here it is so as soon as any file changes that may hold kernels.

    With NUMBA_DISABLE_JIT=1 it stays the Python function that it is, for debuggers and for mutation testing.
    """
    if INTERPRETED:
        return function
    compiled: Any = numba.njit(nogil=True, cache=True, error_model="numpy")(function)
    saved = getattr(compiled._cache, "_cache_file", None)  # there is none where no folder can be written
    if saved is not None:
        saved._source_stamp = (saved._source_stamp, _digest_of_sources())
    return cast(Function, compiled)


@cache
def _digest_of_sources() -> str:
    package = Path(__file__).parents[1]
    digest = sha256()
    for path in sorted((*package.glob("*.py"), *package.glob("kernels/*.py"), *package.glob("agents/*.py"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class _Announcer(event.Listener):
    """Says once per process that kernels are being compiled."""

    def __init__(self) -> None:
        self._said = False

    def on_start(self, event: Any) -> None:
        dispatcher = event.data["dispatcher"]
        if not self._said and dispatcher.py_func.__module__.startswith("mbrl."):
            self._said = True
            print(
                "compiling the numerical kernels: about half a minute, once; later runs load them from disk",
                file=sys.stderr,
                flush=True,
            )

    def on_end(self, event: Any) -> None:
        """Do nothing: the end of one kernel is not the end of all."""


event.register("numba:compile", _Announcer())  # type: ignore[no-untyped-call]

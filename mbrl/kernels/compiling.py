"""Compiled functions, which release the interpreter's lock and are cached on disk; compilations are announced."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any, Final, TypeVar, cast

import numba
from numba.core import event
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.extending import register_jitable

INTERPRETED = bool(getattr(numba.config, "DISABLE_JIT", False))  # equivalent: there is always one
"""Whether compilation is switched off (NUMBA_DISABLE_JIT=1)."""

OPTIONS: Final[Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
"""Numba's options for everything compiled here; C code never calls it."""


class _Linked(JITCodeLibrary):
    """The code of a part, for kernels to link in: it is neither optimised nor turned into machine code by itself."""

    def _optimize_final_module(self) -> None:
        """Leave that to the kernel, which is optimised as a whole."""

    def _finalize_final_module(self) -> None:
        self._finalized = True


class _PartCompiler(Compiler):
    """Compiles a part for the kernels that call it, without the wrapper functions that numba would write for it."""

    def compile_extra(self, func: Any) -> Any:
        state = self.state
        library: Any = _Linked
        state.library, state.flags.no_compile = library(state.targetctx.codegen(), func.__qualname__), True
        made = super().compile_extra(func)  # type: ignore[no-untyped-call]
        key = list[Any]().append  # numba identifies a part by a built-in function of its own, which is never called
        state.targetctx.insert_user_function(key, made.fndesc, [made.library])
        return made._replace(entry_point=key)


PART_OPTIONS: Final[Any] = {**OPTIONS, "pipeline_class": _PartCompiler}
"""Compilation options of parts."""

Function = TypeVar("Function", bound=Callable[..., Any])


def kernel(function: Function) -> Function:
    """Compile `function` at its first call; later processes load it from the disk cache.

    The cache lies beside the module, or in numba's own cache folder if that place is read-only. Floating-point
    operations keep their written order (no ``fastmath``), so that results do not depend on the computing process.

    A kernel contains the code of the kernels that it calls. Numba checks only the kernel's own file to see whether
    cached code is out of date; here the cache is out of date as soon as any file that may hold kernels changes.

    With NUMBA_DISABLE_JIT=1 it stays a Python function, for debuggers and for mutation testing.
    """
    if INTERPRETED:
        return function
    compiled: Any = numba.njit(cache=True, **OPTIONS)(function)
    saved = getattr(compiled._cache, "_cache_file", None)  # None if no folder is writeable
    if saved is not None:
        saved._source_stamp = (saved._source_stamp, _digest_of_sources())
        compiled._cache.save_overload = partial(_save_ours, compiled._cache.save_overload)
        compiled._cache.load_overload = partial(_load_whole, compiled._cache.load_overload, saved)
    return cast(Function, compiled)


def _save_ours(save: Callable[[Any, Any], None], signature: Any, compiled: Any) -> None:
    """Save compiled code only if its argument types belong to this package or to numba.

    The index of the cache names these types. If it named a user's type, a process that cannot import the user's module
    could not read the index, and so could not play any learner.
    """
    if all(map(_is_ours, getattr(signature, "args", signature))):
        try:
            save(signature, compiled)
        except OSError as error:
            say_once(f"compiled functions cannot be kept on disk ({error.strerror or error}): later runs compile anew")


def _load_whole(load: Callable[[Any, Any], Any], saved: Any, signature: Any, context: Any) -> Any:
    """Return cached code; if its files are damaged, remove them and return None."""
    try:
        return load(signature, context)
    except Exception:  # unpickling may raise anything
        say_once(f"files of compiled functions in {saved._cache_path} are damaged: these are compiled anew")
        with suppress(OSError):  # saving will report it
            saved.flush()
        return None


@cache
def say_once(text: str) -> None:
    """Print a line on stderr, if it is new."""
    print(text, file=sys.stderr, flush=True)


def _is_ours(kind: Any) -> bool:
    named = getattr(kind, "instance_class", None)
    within = getattr(kind, "types", ())  # the types in a tuple
    return (named is None or named.__module__.startswith("mbrl.")) and all(map(_is_ours, within))


def part(function: Function) -> Function:
    """Let kernels call `function`, which is compiled within each of them; in Python it stays a Python function.

    Numba then writes no wrappers for other callers, which for a few arrays take longer to compile than a short function
    itself. If Python also calls a part often, use ``kernel(function)`` there.
    """
    return register_jitable(**PART_OPTIONS)(function)


def inlined(function: Function) -> Function:
    """Inline a short `function` in kernels: a call, which passes arrays, takes longer than its loops."""
    return register_jitable(forceinline=True, **PART_OPTIONS)(function)


@cache
def _digest_of_sources() -> str:
    package = Path(__file__).parent.parent
    digest = sha256()
    for path in sorted((*package.glob("*.py"), *package.glob("kernels/*.py"), *package.glob("agents/*.py"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class _Announcer(event.Listener):
    """Announces each compilation of a kernel when it begins, and its duration, which includes the kernel's parts.

    Garbage collection pauses meanwhile: numba makes and keeps millions of objects, so that looking for garbage takes a
    tenth of the time and finds none.
    """

    def __init__(self) -> None:
        self._began: list[float] = []
        self._collecting = True

    def on_start(self, event: Any) -> None:
        function = event.data["dispatcher"].py_func
        if function.__module__.startswith("mbrl."):
            if not self._began:
                self._collecting = gc.isenabled()
                gc.disable()
                args = event.data["args"]
                kinds = [each.instance_class.__name__ for each in args[:1] if hasattr(each, "instance_class")]
                once = " (once: later runs load it from disk)" if all(map(_is_ours, args)) else ""
                self._say(".".join([function.__module__, function.__name__, *kinds]) + once)
            self._began.append(perf_counter())

    def on_end(self, event: Any) -> None:
        if event.data["dispatcher"].py_func.__module__.startswith("mbrl."):
            began = self._began.pop()
            if not self._began:
                if self._collecting:
                    gc.enable()
                self._say(f"took {perf_counter() - began:.1f} s")

    def _say(self, text: str) -> None:
        print(f"compiling {text}", file=sys.stderr, flush=True)


event.register("numba:compile", _Announcer())  # type: ignore[no-untyped-call]

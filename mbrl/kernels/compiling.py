"""Compiled functions: without the interpreter's lock, cached on disk; compilations are announced."""

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
"""Whether nothing is to be compiled (NUMBA_DISABLE_JIT=1)."""

OPTIONS: Final[Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}
"""How numba compiles whatever it compiles here; callers in C are none."""


class _Linked(JITCodeLibrary):
    """The code of a part, for kernels to link in: it is neither optimised nor made machine code by itself."""

    def _optimize_final_module(self) -> None:
        """Leave that to the kernel, which is optimised as a whole."""

    def _finalize_final_module(self) -> None:
        self._finalized = True


class _PartCompiler(Compiler):
    """Compiles a part for the kernels that call it; numba would write a function of its own for each, too."""

    def compile_extra(self, func: Any) -> Any:
        state = self.state
        library: Any = _Linked
        state.library, state.flags.no_compile = library(state.targetctx.codegen(), func.__qualname__), True
        made = super().compile_extra(func)  # type: ignore[no-untyped-call]
        key = list[Any]().append  # numba knows a part by a built-in function that is its alone; nobody calls it
        state.targetctx.insert_user_function(key, made.fndesc, [made.library])
        return made._replace(entry_point=key)


PART_OPTIONS: Final[Any] = {**OPTIONS, "pipeline_class": _PartCompiler}
"""How parts are compiled."""

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
    compiled: Any = numba.njit(cache=True, **OPTIONS)(function)
    saved = getattr(compiled._cache, "_cache_file", None)  # there is none where no folder can be written
    if saved is not None:
        saved._source_stamp = (saved._source_stamp, _digest_of_sources())
        compiled._cache.save_overload = partial(_save_ours, compiled._cache.save_overload)
        compiled._cache.load_overload = partial(_load_whole, compiled._cache.load_overload, saved)
    return cast(Function, compiled)


def _save_ours(save: Callable[[Any, Any], None], signature: Any, compiled: Any) -> None:
    """Save what was compiled for types of this package alone.

    The list of what is saved names these types. With somebody's own among them, whoever cannot import that module could
    no longer read the list, and so play no learner at all.
    """
    if all(map(_is_ours, getattr(signature, "args", signature))):
        try:
            save(signature, compiled)
        except OSError as error:
            _say_once(f"compiled functions cannot be kept on disk ({error.strerror or error}): later runs compile anew")


def _load_whole(load: Callable[[Any, Any], Any], saved: Any, signature: Any, context: Any) -> Any:
    """Return what was compiled before; where its files are damaged, put them away, and return nothing."""
    try:
        return load(signature, context)
    except Exception:  # whatever unpickling raises
        _say_once(f"files of compiled functions in {saved._cache_path} are damaged: these are compiled anew")
        with suppress(OSError):  # said when it is saved
            saved.flush()
        return None


@cache
def _say_once(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def _is_ours(kind: Any) -> bool:
    named = getattr(kind, "instance_class", None)
    within = getattr(kind, "types", ())  # of a tuple
    return (named is None or named.__module__.startswith("mbrl.")) and all(map(_is_ours, within))


def part(function: Function) -> Function:
    """Let kernels call `function`, which is compiled within each of them; from Python it is the function that it is.

    Numba then writes nothing around it for other callers, which for a few arrays takes longer to compile than a short
    function itself. Where a part is to be called from Python as well, and often, let it be ``kernel(function)`` there.
    """
    return register_jitable(**PART_OPTIONS)(function)


def inlined(function: Function) -> Function:
    """Let kernels hold a short `function`: a call, which passes arrays, takes longer than its loops."""
    return register_jitable(forceinline=True, **PART_OPTIONS)(function)


@cache
def _digest_of_sources() -> str:
    package = Path(__file__).parent.parent
    digest = sha256()
    for path in sorted((*package.glob("*.py"), *package.glob("kernels/*.py"), *package.glob("agents/*.py"))):
        digest.update(path.read_bytes())
    return digest.hexdigest()


class _Announcer(event.Listener):
    """Says what of ours is compiled, when it begins, and how long it took; each kernel with all that it holds.

    Meanwhile garbage is not collected: numba makes objects by the million and keeps them, so that looking for garbage
    takes a tenth of the time and finds none.
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

"""What a failure report needs: the versions, and how many examples were tried; and what all tests have in common."""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path

import flint
from hypothesis import settings

import tests.examples  # noqa: F401  (loads the Hypothesis profile)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # as in what a shell starts in the background, and what that starts would ignore it too: nothing could be interrupted
    signal.signal(signal.SIGINT, signal.default_int_handler)

# most of LLVM's optimisations take a quarter of the time of compiling, and change no result; what is compiled without
# them may be slower, and lies in a cache of its own
COMPILING = {"NUMBA_OPT": "1", "NUMBA_LOOP_VECTORIZE": "0", "NUMBA_SLP_VECTORIZE": "0"}
COMPILING["NUMBA_CACHE_DIR"] = str(Path(__file__).parents[1] / ".pytest_cache" / "numba")
for name, value in COMPILING.items():
    os.environ.setdefault(name, value)

gc.disable()  # until all tests are collected: half a million objects that stay would be looked through again and again


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_sessionstart() -> None:
    """Let what is printed be as wide as in a pipe: processes that share the tests are told the width of a terminal."""
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)


def pytest_report_header() -> str:
    profile = settings.get_current_profile_name()
    return f"python-flint {flint.__version__}, FLINT {flint.__FLINT_VERSION__}, Hypothesis profile {profile}"

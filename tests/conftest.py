"""Configuration of all tests: versions in the report header, Hypothesis profile, numba options, garbage collection."""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path

import flint
import pytest
from hypothesis import settings

import tests.examples  # noqa: F401  (loads the Hypothesis profile)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # a shell ignores SIGINT in background jobs, and their children inherit that: no test could interrupt them
    signal.signal(signal.SIGINT, signal.default_int_handler)

# without most of LLVM's optimisations compiling takes a quarter less time and results are the same; the slower
# functions are kept in a cache of their own
COMPILING = {"NUMBA_OPT": "1", "NUMBA_LOOP_VECTORIZE": "0", "NUMBA_SLP_VECTORIZE": "0"}
COMPILING["NUMBA_CACHE_DIR"] = str(Path(__file__).parents[1] / ".pytest_cache" / "numba")
for name, value in COMPILING.items():
    os.environ.setdefault(name, value)

gc.disable()  # until all tests are collected: the collector would scan half a million permanent objects repeatedly


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the entries of the ledger, then what reads the whole of it; put what compiles kernels into the middle.

    Two processes share the tests: one of them begins at the first, the other one in the middle. So one judges all
    entries, whose facts it computes once, and the whole ledger then is what it has kept; the other one compiles.
    """

    def place(item: pytest.Item) -> tuple[bool, bool, bool]:
        entries, whole = "tests/proofs_checks/test_entries.py", "ledger" in getattr(item, "fixturenames", ())
        of_entries = hasattr(getattr(item, "module", None), "registry")
        return not item.nodeid.startswith(entries), not whole, not of_entries

    compiling, others = [], []
    for item in sorted(items, key=place):
        (compiling if item.nodeid.startswith(("tests/mbrl/", "tests/peers/", "mbrl/")) else others).append(item)
    middle = len(items) // 2
    items[:] = others[:middle] + compiling + others[middle:]


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.set_threshold(10_000, 10, 100)  # compiled functions and facts stay: looking through them often finds no garbage
    gc.enable()


def pytest_sessionstart() -> None:
    """Unset the terminal's width, which pytest-xdist passes to its workers: output is as wide as in a pipe."""
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)


def pytest_report_header() -> str:
    profile = settings.get_current_profile_name()
    return f"python-flint {flint.__version__}, FLINT {flint.__FLINT_VERSION__}, Hypothesis profile {profile}"

"""Benchmarks: two implementations run in turns on the same input; the result is the ratio of their times.

Nothing here asserts a time: the machine may be busy. The README quotes the table at the end.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from statistics import median
from typing import Any

import pytest

from tests.conftest import COMPILING

for name in COMPILING:  # benchmarks compile as for users; numba reads these variables when it is imported
    os.environ.pop(name, None)

_ROWS = pytest.StashKey[list[tuple[str, str, str]]]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_ROWS] = []


@pytest.fixture
def compare(request: pytest.FixtureRequest) -> Callable[..., float]:
    """Return a function that times `slow` against `fast` in turns and notes how many times faster `fast` is."""

    def measure(
        name: str,
        slow: Callable[[], Any],
        fast: Callable[[], Any],
        target: str,
        rounds: int = 5,
        clock: Callable[[], float] = time.perf_counter,
    ) -> float:
        slow_times, fast_times = [], []
        for _ in range(rounds):
            slow_times.append(_seconds(slow, clock))
            fast_times.append(_seconds(fast, clock))
        ratio = median(slow_times) / median(fast_times)
        text = f"{ratio:.3g} times  ({median(slow_times):.3g} s against {median(fast_times):.3g} s)"
        request.config.stash[_ROWS].append((name, text, target))
        return ratio

    return measure


def _seconds(what: Callable[[], Any], clock: Callable[[], float]) -> float:
    begin = clock()
    what()
    return clock() - begin


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    rows = config.stash[_ROWS]
    if rows:
        terminalreporter.section("ratios, measured in this run")
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        for row in rows:
            terminalreporter.write_line("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)))

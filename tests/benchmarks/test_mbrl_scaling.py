"""From ten to a hundred thousand arms of 11 states, a million with ``BENCHMARK_LARGE=1``: times, exponents, memory.

Every number of arms has its turn in each of some rounds, and the least time counts. The exponent is the decadic logarithm
of the ratio of two times ten numbers apart: 1 where time is proportional to the number of arms. A pass over memory and a
sort have exponents above 1 themselves, the one because caches end, the other because it compares n log n times; they
stand below, for no other row can be held to less than they show.

The value costs a short pass over all arms and an elimination for each of those that play reaches within its precision:
273 of a thousand, 1899 of ten thousand, 3914 of a hundred thousand, 4098 of a million.
"""

import json
import math
import os
import subprocess
import sys

import pytest

ARMS = (10, 100, 1000, 10_000, 100_000) + ((1_000_000,) if os.environ.get("BENCHMARK_LARGE") else ())
ROUNDS = 3


@pytest.mark.timeout(3600)  # the machine may be busy
def test_times_and_memory_grow_as_the_number_of_arms(note_row):
    least: dict[str, dict[int, float]] = {}
    memory = dict.fromkeys(ARMS, 0.0)
    for _ in range(ROUNDS):
        for arms in ARMS:
            command = [sys.executable, "-m", "tests.benchmarks.many_arms", str(arms)]
            found = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
            assert found["error"] < 1e-10 * found["value"]
            memory[arms] = max(memory[arms], found["gibibytes"])
            for what, seconds in (found["times"] | found["references"]).items():
                by_arms = least.setdefault(what, {})
                by_arms[arms] = min(seconds, by_arms.get(arms, math.inf))
    references = set(found["references"])
    for what, by_arms in least.items():
        for fewer, arms in zip((None, *ARMS), ARMS, strict=False):
            shown = f"{by_arms[arms]:.3g} s, {1e6 * by_arms[arms] / arms:.3g} microseconds an arm"
            if fewer:
                shown += f", exponent {math.log10(by_arms[arms] / by_arms[fewer]):.2f}"
            held = "beside it: the machine's" if what in references else "at most 1 from 1000 on" if arms > 1000 else ""
            note_row(f"{what}, {arms} arms", shown, held)
    for arms, gibibytes in memory.items():
        note_row(f"memory, {arms} arms", f"{gibibytes:.2f} GiB", "below 4")

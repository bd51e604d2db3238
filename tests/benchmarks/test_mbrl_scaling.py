"""From ten to a hundred thousand arms of 11 states, a million with ``BENCHMARK_LARGE=1``: times, exponents, memory."""

import json
import math
import os
import subprocess
import sys

ARMS = (10, 100, 1000, 10_000, 100_000) + ((1_000_000,) if os.environ.get("BENCHMARK_LARGE") else ())


def test_times_and_memory_grow_as_the_number_of_arms(note_row):
    before = None
    for arms in ARMS:
        done = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.many_arms", str(arms)], capture_output=True, text=True, check=True
        )
        found = json.loads(done.stdout)
        assert found["error"] < 1e-10 * found["value"]
        for what, seconds in found["times"].items():
            exponent = math.log10(seconds / before["times"][what]) if before else math.nan
            note_row(f"{arms} arms, {what}", f"{seconds:.3g} s, exponent {exponent:.2f}", "at most 1 from 1000 on")
        note_row(f"{arms} arms, memory", f"{found['gibibytes']:.2f} GiB", "below 4")
        before = found

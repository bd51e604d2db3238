"""Mutants against tests: a process that has the libraries loaded, and forks once for each mutant.

The project's own modules are imported after the fork, so each mutant lives from the first import on, in new processes too.
A mutant is *caught* by a test that fails, by an error on the way to it, or by a test that takes ten times its usual
processor time. One that only waits, or a machine too busy to tell, leaves it undecided.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from importlib import import_module
from pathlib import Path

import pytest

OPTIONS = (
    *("-x", "-q", "--tb=line", "--hypothesis-seed=0"),
    *("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:benchmark"),
    *("-W", "ignore::pytest.PytestAssertRewriteWarning"),  # plugins are among the libraries loaded before the fork
)
COLLECTING = "collecting the tests"
"""What catches a mutant that no test can be loaded with."""
SLOWER = 10
TOO_LATE = {"SIGALRM", "SIGKILL"}
"""Ends of a process by the clock on the wall, which says nothing about the mutant."""
MEMORY = 6 * 2**30


class Chosen:
    """Runs the chosen tests in the order given, each within its limit, all within their budget."""

    def __init__(self, request, said):
        self.limits = request["tests"]
        self.seconds = request["seconds"]
        self.patience = request["patience"]
        self.said = said
        self.started = self.used()
        self.out_of_time = False
        self.ran = 0

    @staticmethod
    def used():
        return sum(os.times()[:4])

    def pytest_collection_modifyitems(self, items):
        place = {name: i for i, name in enumerate(self.limits)}
        items[:] = sorted((item for item in items if item.nodeid in place), key=lambda item: place[item.nodeid])

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        del nextitem
        if self.used() - self.started + self.limits[item.nodeid] > self.seconds:
            self.out_of_time = True
            return True
        return None

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid):
        limit = self.patience + SLOWER * self.limits[nodeid]
        self.ran += 1
        self.said.write(f"{nodeid}\n")
        self.said.flush()
        signal.setitimer(signal.ITIMER_PROF, limit)
        signal.setitimer(signal.ITIMER_REAL, 20 * limit)


def run_tests(request, folder):
    """Run in the fork: write the outcome beside the names of the tests that were begun, and leave."""
    os.setsid()
    with open(folder / "output", "wb") as output:
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    os.environ["HYPOTHESIS_STORAGE_DIRECTORY"] = str(folder / "hypothesis")
    os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
    with open(folder / "begun", "w", encoding="utf-8") as said:
        chosen = Chosen(request, said)
        code = pytest.main([*OPTIONS, *request["files"]], plugins=[chosen])
    if code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        outcome = "undecided" if chosen.out_of_time else "survived" if chosen.ran else "not run"
    else:
        outcome = "caught"
    (folder / "outcome").write_text(outcome, encoding="utf-8")


def tried(request):
    """Return the outcome of one mutant, the test that caught it, how many were run, and their processor time."""
    begun, used = time.monotonic(), seconds_of_children()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        child = os.fork()
        if child == 0:
            try:
                run_tests(request, folder)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(0)
        status = waited(child, begun + 20 * request["seconds"] + 100)
        killed = signal.Signals(os.WTERMSIG(status)).name if os.WIFSIGNALED(status) else ""
        tests = read(folder / "begun").splitlines()
        outcome = "undecided" if killed in TOO_LATE else read(folder / "outcome") or "caught"
        return {
            "outcome": outcome,
            "by": (tests[-1] if tests else COLLECTING) if outcome == "caught" else "",
            "killed": killed,
            "ran": len(tests),
            "seconds": round(seconds_of_children() - used, 1),
            "output": read(folder / "output")[-1500:] if request.get("verbose") else "",
        }


def seconds_of_children():
    """Return the processor time of all processes that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def waited(child, deadline):
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        late = time.monotonic() > deadline
        if ended or late:
            with suppress(ProcessLookupError):
                os.killpg(child, signal.SIGKILL)
            return status if ended else os.waitpid(child, 0)[1]
        time.sleep(0.01)


def read(path):
    return path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""


def main():
    for library in sys.argv[1:]:
        with suppress(ImportError):
            import_module(library)
    for line in sys.stdin:
        print(json.dumps(tried(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()

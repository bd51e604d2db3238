"""Which lines each test executes, and in how many seconds: a run of pytest under coverage.py, in a process of its own.

Lines that are executed while tests are collected belong to no test; those of a fixture that tests share belong to each of
them; those of a process that a test starts belong to that test.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import pytest

COLLECTING = ""


class TooLong(BaseException):
    """The test took longer than it may."""


def seconds_used():
    """Return the processor time of this process and of those it waited for."""
    return sum(os.times()[:4])


class Recorder:
    def __init__(self, measured, settings, longest):
        self.measured = measured
        self.settings = settings
        self.longest = longest
        self.tests = []
        self.shared = {}
        self.failed = set()
        self.context = COLLECTING

    def within(self, context):
        self.context = context
        self.measured.switch_context(context)
        self.settings.say(context)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item, nextitem):
        del nextitem
        shared = [name for name in item.fixturenames if self.is_shared(item, name)]
        self.within(f"test {len(self.tests)}")
        test = {"id": item.nodeid, "seconds": 0.0, "shared": shared}
        self.tests.append(test)
        before, before_shared = seconds_used(), sum(self.shared.values())
        signal.setitimer(signal.ITIMER_PROF, self.longest)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self.within(COLLECTING)
            test["seconds"] = seconds_used() - before - (sum(self.shared.values()) - before_shared)

    @staticmethod
    def is_shared(item, name):
        defined = item._fixtureinfo.name2fixturedefs.get(name, ()) if hasattr(item, "_fixtureinfo") else ()
        return any(each.scope != "function" and each.baseid != "" for each in defined)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef, request):
        del request
        if fixturedef.scope == "function" or fixturedef.baseid == "":
            return (yield)
        outside = self.context
        self.within(f"shared {fixturedef.argname}")
        before = seconds_used()
        try:
            return (yield)
        finally:
            self.shared[fixturedef.argname] = seconds_used() - before
            self.within(outside)

    def pytest_runtest_logreport(self, report):
        if report.outcome != "passed":
            self.failed.add(report.nodeid)


class Settings:
    """The file that tells coverage.py in other processes for which test they work."""

    def __init__(self, folder, measured_files):
        self.file = folder / "coveragerc"
        self.data = folder / "other"
        self.include = "\n    ".join(measured_files)
        os.environ["COVERAGE_PROCESS_START"] = str(self.file)
        self.say(COLLECTING)

    def say(self, context):
        self.file.write_text(
            f"[run]\nparallel = true\ndata_file = {self.data}\ncontext = {context}\ninclude =\n    {self.include}\n",
            encoding="utf-8",
        )


def record(arguments, measured_files, longest):
    """Run pytest; return the tests that passed, and for each line the tests that execute it."""
    import coverage

    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(Path(folder), measured_files)
        measured = coverage.Coverage(
            data_file=str(Path(folder, "own")), include=measured_files, config_file=False, messages=False
        )
        measured.start()
        measured.switch_context(COLLECTING)
        recorder = Recorder(measured, settings, longest)
        pytest.main(arguments, plugins=[recorder])
        measured.stop()
        del os.environ["COVERAGE_PROCESS_START"]
        lines = defaultdict(lambda: defaultdict(set))
        add_lines(lines, measured.get_data())
        for path in Path(folder).glob("other*"):
            other = coverage.CoverageData(basename=str(path))
            try:
                other.read()
            except coverage.CoverageException:
                continue  # the process was killed while it wrote
            add_lines(lines, other)
    root = Path.cwd()
    return {
        "tests": [{**test, "passed": test["id"] not in recorder.failed} for test in recorder.tests],
        "shared": recorder.shared,
        "lines": {
            str(Path(file).relative_to(root)): {line: sorted(contexts) for line, contexts in of_file.items()}
            for file, of_file in lines.items()
        },
    }


def add_lines(lines, data):
    for file in data.measured_files():
        for line, contexts in data.contexts_by_lineno(file).items():
            lines[file][line] |= set(contexts)


def too_long(number, frame):
    del number, frame
    raise TooLong


if __name__ == "__main__":
    request = json.loads(sys.stdin.read())
    signal.signal(signal.SIGPROF, too_long)
    found = record(request["arguments"], request["measured"], request["longest"])
    Path(request["out"]).write_text(json.dumps(found), encoding="utf-8")

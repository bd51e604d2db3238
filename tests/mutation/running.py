"""A run: draw the sample, record the tests where that is needed, try each mutant, keep every outcome at once."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from itertools import count
from queue import SimpleQueue

from filelock import FileLock, Timeout
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tests.mutation.equivalents import explained, identity, reason, stale
from tests.mutation.mutants import Mutant, mutants
from tests.mutation.project import LONGEST
from tests.mutation.selection import Records, file_of
from tests.mutation.trial import COLLECTING
from tests.mutation.workspace import Workspace

AT_LEAST_EACH = 40
"""Mutants of each folder in a sample, however small the folder."""


@dataclass(frozen=True)
class Outcome:
    """What became of a mutant: caught, survived, equivalent, undecided (for time), or not equivalent after all."""

    mutant: Mutant
    outcome: str
    by: str = ""
    killed: str = ""
    seconds: float = 0.0
    why: str = ""


class Run:
    """One project and what is known about it."""

    def __init__(self, project, cache, equivalents, folders=(), *, seconds=120.0):
        self.project = project
        self.folders = folders or project.folders
        self.seconds = seconds
        key = sha256(str(project.root.resolve()).encode()).hexdigest()[:12]
        self.cache = cache / key
        self.reasons = explained(equivalents)
        self.all = {folder: self.mutants_of(folder) for folder in self.folders}
        self.folder_of = {mutant.file: folder for folder, found in self.all.items() for mutant in found}
        self.kept = self.cache / "outcomes.jsonl"
        self.records = {}
        self.confirmed = {}
        self.digests = {}

    def mutants_of(self, folder):
        root = self.project.root
        return [mutant for file in self.project.sources(folder) for mutant in mutants((root / file).read_bytes(), file)]

    def stale(self):
        inside = tuple(f"{folder}/" for folder in self.folders)
        reasons = {key: why for key, why in self.reasons.items() if key[0].startswith(inside)}
        return stale(reasons, [mutant for found in self.all.values() for mutant in found])

    def sample(self, size, seed, *, again=False, match=""):
        """Return the sample of a seed: from each folder in proportion, and some of each."""
        chosen = []
        shares = allotted({folder: len(found) for folder, found in self.all.items()}, size)
        for folder, found in self.all.items():
            ranked = iter(sorted(found, key=lambda mutant: mutant.rank(seed)))
            taken = 0
            while taken < shares[folder] and (mutant := next(ranked, None)):
                if mutant.compiles((self.project.root / mutant.file).read_bytes()):
                    taken += 1
                    chosen.append(mutant)
        if again:
            last = {}
            for line in self.kept.read_text(encoding="utf-8").splitlines() if self.kept.exists() else ():
                entry = json.loads(line)
                last[tuple(entry["identity"])] = entry["outcome"]
            chosen = [mutant for mutant in chosen if last.get((*identity(mutant), mutant.occurrence)) != "caught"]
        return [mutant for mutant in chosen if match in " ".join(identity(mutant))]

    def tried(self, chosen, jobs=1):
        """Return what became of each mutant, in the order given."""
        with ExitStack() as stack:
            spaces = SimpleQueue()
            for _ in range(jobs):
                space = Workspace(self.project.root, self.free_folder(stack), self.project.libraries)
                space.synchronise()
                stack.callback(space.close)
                spaces.put(space)

            def in_a_space(work):
                def worked(each):
                    space = spaces.get()
                    try:
                        return work(space, each)
                    finally:
                        spaces.put(space)

                return worked

            pool = stack.enter_context(ThreadPoolExecutor(jobs))
            bar = stack.enter_context(progress())
            modes = sorted({self.project.mode(mutant.file) for mutant in chosen})
            wanted = [(mode, group) for mode in modes for group in self.project.groups(mode)]
            self.records = {mode: Records() for mode in modes}
            self.digests = self.project.digests(wanted)
            recording = pool.map(in_a_space(self.record), wanted)
            for (mode, group), text in zip(
                wanted, bar.track(recording, len(wanted), description="recording tests"), strict=True
            ):
                if text:
                    self.records[mode].add(group, text)
            trying = pool.map(in_a_space(self.outcome), chosen)
            return list(bar.track(trying, len(chosen), description="trying mutants"))

    def free_folder(self, stack):
        """Return a folder for a copy that no other run uses, until this one ends."""
        self.cache.mkdir(parents=True, exist_ok=True)
        for number in count():
            try:
                stack.enter_context(FileLock(self.cache / f"copy-{number}.lock", timeout=0))
            except Timeout:
                continue
            return self.cache / f"copy-{number}"

    def record(self, space, wanted):
        """Return the record of a group of tests, made anew where something changed that decides it."""
        mode, group = wanted
        name = f"{group.replace('/', '-').removesuffix('.py')}-{self.digests[wanted]}.json"
        out = self.cache / "records" / mode / name
        if not out.exists():
            out.parent.mkdir(parents=True, exist_ok=True)
            request = {
                "arguments": [
                    group,
                    "-q",
                    "-p",
                    "no:cacheprovider",
                    "-p",
                    "no:xdist",
                    "-p",
                    "no:benchmark",
                    "--tb=line",
                ],
                "measured": [str(space.folder / folder / "*") for folder in self.project.folders],
                "longest": LONGEST[mode],
                "out": str(out),
            }
            ended, said = space.record(request, mode)
            if not ended:
                raise RuntimeError(f"{group}: its tests could not be recorded:\n{said[-2000:]}")
        return out.read_text(encoding="utf-8")

    def outcome(self, space, mutant):
        """Try a mutant in rounds of tests, and keep what became of it."""
        mode = self.project.mode(mutant.file)
        left = self.seconds
        found = {"outcome": "survived", "by": "no test executes it", "seconds": 0.0}
        seconds = 0.0
        undecided = None
        for chosen in self.records[mode].rounds(mutant):
            tests = dict(chosen)
            while True:
                found = self.given(space, mutant, tests, mode, left)
                seconds += found["seconds"]
                if found["outcome"] != "caught" or self.stands(space, found["by"], mode):
                    break
                del tests[found["by"]]
            left = max(self.seconds - seconds, 1)
            if found["outcome"] == "caught":
                break
            if found["outcome"] == "undecided":  # tests were too long for the time left; shorter ones may come yet
                undecided = found
        if undecided and found["outcome"] != "caught":
            found = undecided
        why = reason(self.reasons, mutant)
        result = found["outcome"]
        if why:
            result = "not equivalent" if result == "caught" else "equivalent"
        kept = {"identity": [*identity(mutant), mutant.occurrence], **found, "line": mutant.line, "seconds": seconds}
        with self.kept.open("a", encoding="utf-8") as file:
            file.write(json.dumps(kept, ensure_ascii=False) + "\n")
        return Outcome(mutant, result, found.get("by", ""), found.get("killed", ""), seconds, why)

    def given(self, space, mutant, tests, mode, seconds):
        files = list(dict.fromkeys(file_of(test) for test in tests))
        request = {"tests": tests, "files": files, "seconds": seconds, "patience": self.project.patience}
        return space.tried(mutant, request, mode)

    def stands(self, space, test, mode):
        """Say whether a test that failed on a mutant passes on the project as it is."""
        if test == COLLECTING:
            return True
        if (test, mode) not in self.confirmed:
            tests = {test: self.records[mode].cost[test]}
            self.confirmed[test, mode] = self.given(space, None, tests, mode, 10 * self.seconds)["outcome"] != "caught"
        return self.confirmed[test, mode]


def allotted(counts, size):
    """Share a sample among folders: in proportion, and at least some each."""
    total = sum(counts.values())
    shares = {folder: min(count, max(AT_LEAST_EACH, size * count // total)) for folder, count in counts.items()}
    largest = max(shares, key=lambda folder: shares[folder])
    shares[largest] = max(min(counts[largest], shares[largest] + size - sum(shares.values())), 0)
    return shares


def progress():
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    return Progress(*columns, console=Console(stderr=True))

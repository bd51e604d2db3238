"""Which tests a mutant is given: those that execute its lines, first from files with few of them, the fastest first.

A file of which many tests execute a line is about something larger; and what its tests cost by themselves is not known,
as each leaves to the next what it has computed.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict

FEW_TESTS, FEW_FILES = 5, 6
"""Of the first round: tests of each file, and files."""


class Records:
    """What was recorded of all groups of tests in one mode."""

    def __init__(self):
        self.cost = {}
        self.executing = defaultdict(lambda: defaultdict(set))
        self.collecting = defaultdict(lambda: defaultdict(set))
        self.of_group = defaultdict(list)
        self.touching = defaultdict(set)

    def add(self, group, text):
        record = json.loads(text)
        tests, shared = record["tests"], record["shared"]
        sharing = defaultdict(list)
        for test in tests:
            for name in test["shared"]:
                sharing[f"shared {name}"].append(test["id"])
            if test["passed"]:
                self.cost[test["id"]] = test["seconds"] + sum(shared.get(name, 0) for name in test["shared"])
                self.of_group[group].append(test["id"])
        for file, lines in record["lines"].items():
            for line, contexts in lines.items():
                for context in contexts:
                    if context == "":
                        self.collecting[file][int(line)].add(group)
                        continue
                    kind, _, name = context.partition(" ")
                    names = [tests[int(name)]["id"]] if kind == "test" else sharing[context]
                    passed = {name for name in names if name in self.cost}
                    self.executing[file][int(line)] |= passed
                    self.touching[file] |= passed

    def rounds(self, mutant):
        """Return the rounds of tests of a mutant: some fast ones, all that execute its lines, those that load or meet them."""
        lines = {*range(mutant.line, mutant.end_line + 1)}
        executing, collecting = self.executing[mutant.file], self.collecting[mutant.file]
        if not lines & (executing.keys() | collecting.keys()):
            lines = {mutant.statement}
        chosen = set().union(*(executing[line] for line in lines if line in executing))
        of_file = Counter(map(file_of, chosen))
        direct = sorted(chosen, key=lambda test: (of_file[file_of(test)], *self.by_cost(test)))
        loading = set().union(*(collecting[line] for line in lines if line in collecting))
        touching = self.touching[mutant.file]
        meeting = {test for group in loading for test in self.of_group[group]}
        if mutant.on_loading:  # the first test of a process that loads the file executes it, the others meet it
            meeting |= {test for tests in self.of_group.values() if chosen & set(tests) for test in tests} & touching
        near = Counter(map(file_of, touching))
        loaded = sorted(
            meeting - set(direct),
            key=lambda test: (test not in touching, near[file_of(test)], self.by_cost(test)),
        )
        first = []
        given = Counter()
        for test in direct:
            file = file_of(test)
            if given[file] < FEW_TESTS and (file in given or len(given) < FEW_FILES):
                given[file] += 1
                first.append(test)
        taken = set(first)
        rounds = [first, [test for test in direct if test not in taken], loaded]
        return [{test: self.cost[test] for test in tests} for tests in rounds if tests]

    def by_cost(self, test):
        return self.cost[test], test


def file_of(test):
    return test.partition("::")[0]

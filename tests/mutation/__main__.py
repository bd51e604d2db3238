"""The command: `python -m tests.mutation --help`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections import Counter, defaultdict
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import click
from platformdirs import user_cache_path

from tests.mutation.mutants import Mutant, mutants

ROOT = Path(__file__).parents[2]
FOLDERS = ("theory", "mbrl/kernels", "proofs_checks/claimcheck")
INTERPRETED = "mbrl/kernels/"
"""Compiled code: its mutants run interpreted (NUMBA_DISABLE_JIT=1), against the tests of its package."""
LEFT_OUT = ("tests/benchmarks", "tests/first_contact", "tests/mutation", "tests/peers")
PATIENCE = 30
"""Seconds that tests may take, beside ten times their usual time, before the mutant counts as one that hangs."""


@dataclass(frozen=True)
class Copy:
    """A copy of the project, in which files are changed and tests run."""

    folder: Path
    interpreted: bool = False

    @classmethod
    def of(cls, root: Path, folder: Path, interpreted: bool) -> Copy:
        """Copy what git knows or would add; all files where there is no repository."""
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, text=True, check=False
        )
        every = (str(path.relative_to(root)) for path in root.rglob("*"))
        names = listed.stdout.split("\n") if listed.returncode == 0 else every
        for name in names:
            if (root / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, folder / name)
        return cls(folder, interpreted)

    def pytest(self, *arguments: str, under: tuple[str, ...] = (), timeout: float | None = None) -> bool:
        """Run tests, and return whether they passed, in time."""
        environment = os.environ | {"PYTHONDONTWRITEBYTECODE": "1", "MPLBACKEND": "agg", "PYTHONPATH": str(self.folder)}
        environment |= {"NUMBA_DISABLE_JIT": "1"} if self.interpreted else {}
        command = [sys.executable, *under, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", *arguments]
        try:
            ended = subprocess.run(
                command, cwd=self.folder, env=environment, capture_output=True, timeout=timeout, check=False
            )
        except subprocess.TimeoutExpired:
            return False
        return ended.returncode == 0


def recorded(copy: Copy, cache: Path) -> dict[str, dict[str, dict[str, float]]]:
    """Return, for each line of each file ("0" for any line), the tests that execute it, each with its seconds.

    All tests are run once under coverage.py for the sources as they are; a test is a function with all its parameters.
    """
    summed = sha256()
    for path in sorted(copy.folder.rglob("*.py")):
        summed.update(path.read_bytes())
    kept = cache / f"{summed.hexdigest()[:16]}{'-interpreted' if copy.interpreted else ''}.json"
    if not kept.exists():
        import coverage

        settings, data, times = (copy.folder / name for name in ("coverage.ini", ".coverage", "times.xml"))
        settings.write_text(f"[run]\ndynamic_context = test_function\ndata_file = {data}\n", encoding="utf-8")
        ignored = [f"--ignore={each}" for each in LEFT_OUT]
        under = ("-m", "coverage", "run", f"--rcfile={settings}")
        copy.pytest(*(["tests/mbrl"] if copy.interpreted else []), *ignored, f"--junit-xml={times}", under=under)
        lines: dict[str, dict[str, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
        seconds: Counter[str] = Counter()
        for case in ET.parse(times).iter("testcase"):
            if not len(case):  # it passed
                name = case.get("name", "").partition("[")[0]
                seconds[f"{case.get('classname')}.{name}"] += float(case.get("time", 0))
        found = coverage.CoverageData(basename=str(data))
        found.read()
        for file in found.measured_files():
            if Path(file).is_relative_to(copy.folder):
                of_file = lines[str(Path(file).relative_to(copy.folder))]
                for line, contexts in found.contexts_by_lineno(file).items():
                    for name in set(contexts) & set(seconds):
                        of_file[str(line)][name] = of_file["0"][name] = seconds[name]
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(lines), encoding="utf-8")
    return dict(json.loads(kept.read_text(encoding="utf-8")))


def chosen_tests(mutant: Mutant, record: dict[str, dict[str, dict[str, float]]], seconds: float) -> dict[str, float]:
    """Return the tests that execute a mutant's lines (those that meet its file, if none does), the fastest first."""
    lines = record.get(mutant.file, {})
    found: dict[str, float] = {}
    for line in range(mutant.line, mutant.end_line + 1):
        found |= lines.get(str(line), {})
    chosen, left = {}, seconds
    for name, cost in sorted((found or lines.get("0", {})).items(), key=lambda each: (each[1], each[0])):
        left -= cost
        if left < 0 and chosen:
            break
        chosen[name] = cost
    return chosen


def node(test: str, root: Path) -> str:
    """Return the pytest id of a test that coverage.py names by module and function."""
    module, _, function = test.rpartition(".")
    path = Path(*module.split(".")).with_suffix(".py")
    return f"{path}::{function}" if (root / path).exists() else f"{path.parent}.py::{path.stem}::{function}"


def fate(mutant: Mutant, copy: Copy, record: dict[str, dict[str, dict[str, float]]], seconds: float) -> str:
    """Return the result of a mutant: "caught", "survived" or "not executed"."""
    chosen = chosen_tests(mutant, record, seconds)
    if not chosen:
        return "not executed"
    path = copy.folder / mutant.file
    source = path.read_bytes()
    try:
        path.write_text(mutant.source, encoding="utf-8")
        patience = PATIENCE + 10 * sum(chosen.values())
        passed = copy.pytest("-x", *(node(each, copy.folder) for each in chosen), timeout=patience)
        return "survived" if passed else "caught"
    finally:
        path.write_bytes(source)


def sample(root: Path, folders: tuple[str, ...], size: int, seed: int) -> list[Mutant]:
    """Return the sample of a seed."""
    files = [path for folder in folders for path in sorted((root / folder).rglob("*.py"))]
    found = [each for path in files for each in mutants(path.read_text(encoding="utf-8"), str(path.relative_to(root)))]
    return sorted(found, key=lambda mutant: mutant.rank(seed))[:size]


@click.command()
@click.argument("folders", nargs=-1, metavar="[FOLDER]...")
@click.option("--sample", "size", default=100, show_default=True, help="Number of mutants.")
@click.option("--seed", default=1, show_default=True, help="The seed of the sample; it and the source decide it.")
@click.option("--seconds", default=60.0, show_default=True, help="Seconds of tests for one mutant.")
@click.option("--list", "only_list", is_flag=True, help="Print the sample, and try nothing.")
def main(folders: tuple[str, ...], size: int, seed: int, seconds: float, only_list: bool) -> None:
    """How many small changes of the sources does a test notice?

    Exit code 1 if a mutant survived: write a test, or excuse it by a comment on its line, "# equivalent: ..." and why.
    """
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        copies: dict[bool, tuple[Copy, dict[str, dict[str, dict[str, float]]]]] = {}
        for mutant in sample(ROOT, folders or FOLDERS, size, seed):
            found, begin = "", time.perf_counter()
            if not only_list:
                interpreted = mutant.file.startswith(INTERPRETED)
                if interpreted not in copies:
                    copy = Copy.of(ROOT, Path(folder, str(interpreted)), interpreted)
                    cache = user_cache_path("markovian-bandits-companion") / "mutation"
                    copies[interpreted] = (copy, recorded(copy, cache))
                found = fate(mutant, *copies[interpreted], seconds)
                counts[found] += 1
            took = f"{time.perf_counter() - begin:.0f} s"
            click.echo(
                f"{found or 'mutant'} {mutant.file}:{mutant.line} {took}\n  - {mutant.before}\n  + {mutant.after}"
            )
    if counts:
        click.echo(", ".join(f"{number} {name}" for name, number in counts.items()))
    sys.exit(1 if counts["survived"] + counts["not executed"] else 0)


if __name__ == "__main__":
    main()

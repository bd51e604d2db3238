"""What of this project is mutated, by which tests it is held, and what is shown of it to the tools."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from tests.mutation.workspace import project_files

FOLDERS = (
    "theory",
    "mbrl/kernels",
    "proofs_checks/ledger",
    "proofs_checks/evidence",
    "proofs_checks/statements",
    "proofs_checks/conformance",
)
INTERPRETED = {
    "mbrl/kernels": (
        "mbrl",  # the examples in its docstrings
        *(
            f"tests/mbrl/test_{name}"
            for name in (
                "accuracy",
                "agent",
                "arguments",
                "confidence",
                "environments",
                "episodes",
                "examples",
                "judging",
                "kernel",
                "loops",
                "own_bandits",
                "regret",
                "rewards",
                "sampling",
            )
        ),
    )
}
"""Folders of compiled code: their mutants run interpreted (NUMBA_DISABLE_JIT=1), against the tests whose names begin so."""
NOT_MUTATED = ("mbrl/kernels/clock.py", "mbrl/kernels/compiling.py")
"""Files that do something only while code is compiled."""
LEFT_OUT = (
    "tests/benchmarks",
    "tests/first_contact",
    "tests/mutation",
    "tests/peers",
    "tests/mbrl/test_cluster.py",
    "tests/mbrl/test_survival.py",
)
"""Tests that install environments, need other programs, or kill processes: they judge the surroundings."""
LONGEST = {"compiled": 400, "interpreted": 10}
"""Seconds after which a test is given up while tests are recorded, and not used."""

LIBRARIES = (
    "click.testing",
    "flint",
    "gymnasium",
    "hypothesis.extra.numpy",
    "matplotlib.pyplot",
    "mpmath",
    "numba",
    "numpy",
    "rich.table",
    "scipy.optimize",
    "scipy.stats",
    "sympy",
    "xarray",
    "z3",
)
"""What is loaded once for all mutants."""
PATIENCE = 10
"""Seconds that any test may take, beside ten times its usual time, before the mutant counts as one that hangs."""


@dataclass(frozen=True)
class Project:
    """A tree of sources and tests, and the folders that are mutated."""

    root: Path
    folders: tuple[str, ...] = FOLDERS
    libraries: tuple[str, ...] = LIBRARIES
    patience: float = PATIENCE
    only: tuple[str, ...] = ()

    def sources(self, folder):
        files = [str(path.relative_to(self.root)) for path in sorted((self.root / folder).rglob("*.py"))]
        return [file for file in files if file not in NOT_MUTATED]

    def mode(self, file):
        return "interpreted" if file.startswith(tuple(f"{folder}/" for folder in INTERPRETED)) else "compiled"

    def groups(self, mode):
        """Return what pytest is given at a time: each file of tests, and the doctests of each other folder."""
        settings = tomllib.loads((self.root / "pyproject.toml").read_text(encoding="utf-8"))
        paths = settings["tool"]["pytest"]["ini_options"]["testpaths"]
        found = []
        for path in paths:
            files = [str(each.relative_to(self.root)) for each in sorted((self.root / path).rglob("test_*.py"))]
            found += files or [path]
        if mode == "interpreted":
            found = [each for each in found if each.startswith(tuple(t for ts in INTERPRETED.values() for t in ts))]
        return [each for each in found if not each.startswith(LEFT_OUT) and each.startswith(self.only or "")]

    def digests(self, wanted):
        """Return, for each mode and group of tests, a digest of what decides which lines they execute."""
        packages = {folder.partition("/")[0] for folder in INTERPRETED}
        shared = {"compiled": sha256(), "interpreted": sha256()}
        for path in sorted(project_files(self.root)):
            is_test = path.parts[0] == "tests" and path.name.startswith("test_")
            is_tool = path.parts[:2] == ("tests", "mutation")
            if path.suffix not in {".py", ".json", ".toml"} or is_test or is_tool:
                continue
            content = str(path).encode() + (self.root / path).read_bytes()
            shared["compiled"].update(content)
            if path.parts[0] in {*packages, "tests"}:  # what other packages change, they change in few lines
                shared["interpreted"].update(content)
        return {(mode, group): self._with_own(shared[mode], group) for mode, group in wanted}

    def _with_own(self, shared, group):
        own = self.root / group
        summed = shared.copy()
        summed.update(own.read_bytes() if own.is_file() else group.encode())
        return summed.hexdigest()[:16]

"""What the packages import is what their installation brings, no more and no less."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

pytestmark = pytest.mark.system

ROOT = Path(__file__).parents[2]
OURS = {"theory", "mbrl", "proofs_checks"}
OF_AN_EXTRA = {
    "distributed": "cluster",
    "stable_baselines3": "rl",
    "stormpy": "peers",
    "torch": "rl",
}  # imported where it is asked for, with advice if it is missing


def canonical(name):
    return re.split(r"[<>=!~\[; ]", name.strip())[0].lower().replace("_", "-")


def imported_modules():
    for package in OURS:
        for path in (ROOT / package).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Import):
                    yield from (alias.name.partition(".")[0] for alias in node.names)
                elif isinstance(node, ast.ImportFrom):
                    yield node.module.partition(".")[0]


def test_the_dependencies_are_what_is_imported():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    dependencies = {canonical(name) for name in declared["dependencies"]}
    of_distribution = packages_distributions()
    modules = set(imported_modules()) - OURS - set(sys.stdlib_module_names) - OF_AN_EXTRA.keys()
    imported = {canonical(of_distribution[module][0]) for module in modules}
    assert imported == dependencies
    for module, extra in OF_AN_EXTRA.items():
        assert canonical(module).replace("_", "-") in {
            canonical(name) for name in declared["optional-dependencies"][extra]
        }


def test_the_first_command_installs_no_tools_of_developers(newcomer):
    listed = newcomer.run("python", "-m", "pip", "list", "--format=freeze").stdout
    assert "python-flint" in listed
    assert not {"pytest", "ruff", "mypy", "stormpy"} & {canonical(line) for line in listed.splitlines()}


def test_every_module_is_imported_there(newcomer):
    program = """
import importlib, pkgutil
for package in ("theory", "mbrl", "proofs_checks"):
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, package + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
"""
    done = newcomer.run("python", "-W", "error", "-c", program)
    assert (done.returncode, done.stderr) == (0, "")

"""Missing extras are named, and a newcomer's environment has what is declared alone."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.test_layers import canonical
from theory.terminal.console import EXTRAS, PROJECT, version_text

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("module", EXTRAS)
def test_each_named_extra_installs_its_optional_module(module):
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    distribution = "numba" if module == "llvmlite" else module
    assert canonical(distribution) in {canonical(name) for name in extras[EXTRAS[module]]}


WITHOUT = [
    ("numba", "mbrl", ["run", "random-walk", "--out", "new"]), ("numba", "mbrl", ["list", "--options"]),
    ("matplotlib", "mbrl", ["plot", "old"]), ("jinja2", "proofs_checks", ["report", "new"]),
    ("hypothesis", "proofs_checks", ["properties"]),
    ("matplotlib", "proofs_checks", ["picture", "moment", "new.svg"]),
]  # fmt: skip


def printed_by(program, folder, *words):
    """Run a program, in which `run` runs a command of ours, in a new process, and return what it prints as JSON."""
    path = f"import json, sys; sys.path.insert(0, {str(ROOT)!r})"
    command = [sys.executable, "-c", f"{path}\nfrom tests.command_line import run\n{program}", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return json.loads(done.stdout)


def test_missing_optional_module_is_one_line_naming_its_extra(tmp_path):
    program = """
found = []
for module, program, words in json.loads(sys.argv[1]):
    sys.modules[module] = None
    found.append(run(program, *words))
    del sys.modules[module]
print(json.dumps(found))
"""
    printed = printed_by(program, tmp_path, json.dumps(WITHOUT))
    for (module, package, _), done in zip(WITHOUT, printed, strict=True):
        extra = "learn" if package == "mbrl" else EXTRAS[module]
        expected = f"error: this needs {module}, which is not installed: pip install '{PROJECT}[{extra}]'\n"
        assert done == [2, "", expected]


def test_mbrl_attribute_without_its_libraries_names_the_extra(tmp_path):
    program = """
import traceback
sys.modules.update(xarray=None, netCDF4=None, numba=None)
import mbrl
found = {}
for name in ("run", "load", "bandit"):
    try:
        getattr(mbrl, name)
    except ModuleNotFoundError:
        found[name] = traceback.format_exc()
print(json.dumps(found))
"""
    found = printed_by(program, tmp_path)
    assert list(found) == ["run", "load", "bandit"]
    for name, text in found.items():
        error, expected = text.splitlines()[-1], f"which is not installed: pip install '{PROJECT}[learn]'"
        assert error.startswith(f"ModuleNotFoundError: mbrl.{name} needs ")
        assert error.endswith(expected)
        assert "During handling" not in text


def test_check_and_version_work_without_any_extra(tmp_path):
    claims = ["thm:no_OFU/value-M1", "lem:sum/integral", "eq:tau"]
    program = f"""
sys.modules.update(dict.fromkeys({[*EXTRAS]!r}))
print(json.dumps([run("proofs_checks", "check", *{claims!r}, "--fresh", "--jobs", "1", "--json"), run("mbrl", "--version")]))
"""
    checked, version = printed_by(program, tmp_path)
    assert (checked[0], checked[2]) == (0, "")
    assert len(json.loads(checked[1])["claims"]) == 3
    assert version == [0, f"{PROJECT} {version_text()}\n", ""]


@pytest.mark.system
def test_readme_installation_brings_no_developer_tools(newcomer):
    listed = newcomer.run("python", "-m", "pip", "list", "--format=freeze").stdout
    assert "python-flint" in listed
    assert not {"pytest", "ruff", "mypy", "stormpy", "igraph"} & {canonical(line) for line in listed.splitlines()}


@pytest.mark.system
def test_every_module_imports_in_the_readme_environment(newcomer):
    program = """
import importlib, pkgutil
for package in ("theory", "mbrl", "proofs_checks"):
    for module in pkgutil.walk_packages(importlib.import_module(package).__path__, package + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
"""
    done = newcomer.run("python", "-W", "error", "-c", program)
    assert (done.returncode, done.stderr) == (0, "")

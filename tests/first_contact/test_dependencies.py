"""Missing extras are named, and a newcomer's environment has what is declared alone."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.command_line import MAINS
from tests.test_layers import canonical
from theory.terminal.console import EXTRAS, PROJECT, version_text

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("module", EXTRAS)
def test_each_named_extra_installs_its_optional_module(module):
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    distribution = "numba" if module == "llvmlite" else module
    assert canonical(distribution) in {canonical(name) for name in extras[EXTRAS[module]]}


def without(*modules, program, words, folder):
    """Run a command in a Python in which these modules cannot be imported."""
    code = f"""
import sys
sys.modules.update(dict.fromkeys({modules!r}))
sys.path.insert(0, {str(ROOT)!r})
sys.argv = ["__main__.py", *{words!r}]
from {MAINS[program]} import main
main()
"""
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("module", "program", "words"),
    [
        ("numba", "mbrl", ["run", "random-walk", "--out", "new"]), ("numba", "mbrl", ["list", "--options"]),
        ("matplotlib", "mbrl", ["plot", "old"]), ("jinja2", "proofs_checks", ["report", "new"]),
        ("hypothesis", "proofs_checks", ["properties"]),
        ("matplotlib", "proofs_checks", ["picture", "moment", "new.svg"]),
    ],
)  # fmt: skip
def test_missing_optional_module_is_one_line_naming_its_extra(tmp_path, module, program, words):
    done = without(module, program=program, words=words, folder=tmp_path)
    extra = "learn" if program == "mbrl" else EXTRAS[module]
    expected = f"error: this needs {module}, which is not installed: pip install '{PROJECT}[{extra}]'\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", expected)


@pytest.mark.parametrize("name", ["run", "load", "bandit"])
def test_mbrl_attribute_without_its_libraries_names_the_extra(name):
    code = f"import sys; sys.modules.update(xarray=None, netCDF4=None, numba=None); sys.path.insert(0, {str(ROOT)!r}); import mbrl"
    done = subprocess.run([sys.executable, "-c", f"{code}; mbrl.{name}"], capture_output=True, text=True, check=False)
    error, expected = done.stderr.splitlines()[-1], f"which is not installed: pip install '{PROJECT}[learn]'"
    assert error.startswith(f"ModuleNotFoundError: mbrl.{name} needs ")
    assert error.endswith(expected)
    assert "During handling" not in done.stderr


def test_check_and_version_work_without_any_extra(tmp_path):
    words = ["check", "thm:no_OFU/value-M1", "lem:sum/integral", "eq:tau", "--fresh", "--jobs", "1", "--json"]
    done = without(*EXTRAS, program="proofs_checks", words=words, folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(json.loads(done.stdout)["claims"]) == 3
    printed = without(*EXTRAS, program="mbrl", words=["--version"], folder=tmp_path)
    assert (printed.returncode, printed.stdout) == (0, f"{PROJECT} {version_text()}\n")


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

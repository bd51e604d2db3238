"""The packages import in one direction and what they declare, and `import theory` stays light."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from functools import cache
from graphlib import TopologicalSorter
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import theory
from proofs_checks.claimcheck.kept import LIBRARIES
from tests.command_line import run

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {"theory": {"theory"}, "mbrl": {"mbrl", "theory"}, "proofs_checks": {"proofs_checks", "mbrl", "theory"}}


@cache
def nodes_of(path):
    """Return the imports, constants and calls of a file."""
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom | ast.Constant | ast.Call)]


def imported_modules(path, known=()):
    """Yield the modules that a file imports anywhere, inside functions and for type hints included.

    `from package import name` imports the module of that name if it is a known one, and otherwise the package.
    """
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            named = (f"{node.module}.{alias.name}" for alias in node.names)
            yield from (name if name in known else node.module for name in named)


def imported_packages(path):
    return {module.partition(".")[0] for module in imported_modules(path)}


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_follow_the_layers(package):
    ours = set(MAY_IMPORT)
    files = list((ROOT / package).rglob("*.py"))
    assert files
    for path in files:
        against = (imported_packages(path) & ours) - MAY_IMPORT[package]
        assert not against, f"{path.relative_to(ROOT)} imports {', '.join(sorted(against))}, against the layers"


@pytest.mark.parametrize("package", ["mbrl", "proofs_checks"])
def test_packages_import_theory_only_through_public_modules(package):
    """Public: packages of `theory` (what their `__init__` names), errors, random models, and files of `theory.terminal`."""
    public = {".".join(path.parent.relative_to(ROOT).parts) for path in (ROOT / "theory").rglob("__init__.py")}
    allowed = (
        public
        | {"theory.errors", "theory.random_models"}
        | {f"theory.terminal.{name}" for name in ("console", "outputs", "workers")}
    )
    for path in (ROOT / package).rglob("*.py"):
        inner = {module for module in imported_modules(path) if module.startswith("theory")} - allowed
        assert not inner, f"{path.relative_to(ROOT)} imports {', '.join(sorted(inner))}, which is not public"


@pytest.mark.parametrize(
    ("location", "folders"),
    [("", 6), ("claimcheck", 3), ("trials", 4), ("report", 3)],
)
def test_folders_of_the_ledger_have_no_import_cycle(location, folders):
    """Imports within functions count too."""
    package = ROOT / "proofs_checks" / location
    prefix = package.relative_to(ROOT).parts
    below = {path.parent.name: set() for path in package.glob("*/__init__.py")}
    for folder_name, others in below.items():
        for path in (package / folder_name).rglob("*.py"):
            modules = [tuple(module.split(".")) for module in imported_modules(path)]
            others.update(module[len(prefix)] for module in modules if module[: len(prefix)] == prefix != module)
        others.intersection_update(set(below) - {folder_name})
    assert len(list(TopologicalSorter(below).static_order())) == len(below) == folders  # it raises on a cycle


def test_theory_imports_paper_only_in_listed_files():
    """General code does not depend on `theory.paper`; `theory/__init__.py` and the commands do."""
    paper = ROOT / "theory" / "paper"
    commands = ROOT / "theory" / "commands"
    naming_it = {ROOT / "theory" / "__init__.py", commands / "app.py", commands / "bounds.py"}
    for path in set((ROOT / "theory").rglob("*.py")) - naming_it:
        if paper not in path.parents:
            modules = set(imported_modules(path))
            assert not any(module.startswith("theory.paper") for module in modules), path.relative_to(ROOT)


HEAVY = {"numpy", "numba", "matplotlib", "sympy", "mpmath", "scipy", "z3", "hypothesis", "pandas", "xarray"}


def loaded_by(program):
    """Run a program in a process of its own and return the `HEAVY` libraries that it loads."""
    prints_modules = (
        f"import atexit, sys\natexit.register(lambda: print(sorted(set(sys.modules) & {HEAVY}), file=sys.stderr))\n"
    )
    command = [sys.executable, "-c", prints_modules + program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stderr.splitlines()[-1]


def running(package, *arguments):
    return f"import runpy\nsys.argv = {['', *arguments]}\nrunpy.run_module({package!r}, run_name='__main__')"


LIGHT = ["import theory", "import mbrl", running("theory", "indices", "counterexample")]


@pytest.mark.parametrize(("program", "loaded"), [*((each, "[]") for each in LIGHT), ("import numpy", "['numpy']")])
def test_light_programs_load_no_heavy_library(program, loaded):
    assert loaded_by(program) == loaded


def test_cached_entry_is_shown_without_heavy_libraries():
    program = running("proofs_checks", "show", "eq:tau")
    assert run("proofs_checks", "show", "eq:tau").returncode == 0  # the first run caches the entry
    assert loaded_by(program) == "[]"


def test_theory_resolves_every_name_in_all_and_no_other():
    assert all(getattr(theory, name) is not None for name in theory.__all__)
    assert set(theory.__all__) <= set(dir(theory))
    with pytest.raises(AttributeError, match="'theory' has no attribute 'gittins_index_of'"):
        theory.gittins_index_of  # noqa: B018


def test_theory_uses_floats_only_in_listed_files():
    """Elsewhere in `theory` there is no float literal and no call of `float`."""
    names = ("gittins/proposal.py", "policy_proposal.py", "elimination/modular.py")
    allowed = {ROOT / "theory" / name for name in names}
    for path in (ROOT / "theory").rglob("*.py"):
        floats = [
            node.lineno
            for node in nodes_of(path)
            if (isinstance(node, ast.Constant) and isinstance(node.value, float))
            or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "float")
        ]
        assert path in allowed or not floats, f"{path.relative_to(ROOT)} has a float in line {floats}"


def test_modules_have_no_import_cycle():
    paths = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for package in MAY_IMPORT
        for path in (ROOT / package).rglob("*.py")
    }
    imports = {module: set(imported_modules(path, paths)) & set(paths) - {module} for module, path in paths.items()}
    assert len(imports) > 100
    TopologicalSorter(imports).prepare()  # it raises on a cycle, and names it


OF_AN_EXTRA = {
    "distributed": "cluster",
    "pdoc": "docs",
    "stable_baselines3": "rl",
    "stormpy": "peers",
    "torch": "rl",
}  # imported on use; the error names the extra if it is missing
OF_A_PART = ("figures", "learn", "page", "suites")
WITH_OTHERS = {"llvmlite", "markupsafe"}  # they come with numba and Jinja


def canonical(name):
    return re.split(r"[<>=!~\[; ]", name.strip())[0].lower().replace("_", "-")


def test_declared_dependencies_equal_imported_distributions():
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = declared["optional-dependencies"]
    listed = [*declared["dependencies"], *(name for part in OF_A_PART for name in optional[part])]
    dependencies = {canonical(name) for name in listed} - {declared["name"]}
    of_distribution = packages_distributions()
    files = (path for package in MAY_IMPORT for path in (ROOT / package).rglob("*.py"))
    modules = (
        set().union(*map(imported_packages, files))
        - MAY_IMPORT.keys()
        - set(sys.stdlib_module_names)
        - OF_AN_EXTRA.keys()
    )
    imported = {canonical(of_distribution[module][0]) for module in modules}
    assert imported - WITH_OTHERS == dependencies
    what_prints = {"click", "platformdirs", "pylatexenc", "rich", "threadpoolctl"}
    assert {canonical(name) for name in declared["dependencies"]} - set(LIBRARIES) == what_prints
    for module, extra in OF_AN_EXTRA.items():
        names = declared["optional-dependencies"][extra]
        assert canonical(module).replace("_", "-") in {canonical(name) for name in names}

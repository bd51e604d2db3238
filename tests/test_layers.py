"""The packages import in one direction, and `import theory` stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import theory

ROOT = Path(__file__).parent.parent
MAY_IMPORT = {"theory": {"theory"}, "mbrl": {"mbrl", "theory"}, "proofs_checks": {"proofs_checks", "mbrl", "theory"}}


@cache
def nodes_of(path):
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def imported_modules(path):
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            yield node.module


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
def test_theory_is_used_through_its_public_faces(package):
    """Of `theory`, others import packages (what their `__init__` names), errors, and the files of `theory.terminal`."""
    faces = {".".join(path.parent.relative_to(ROOT).parts) for path in (ROOT / "theory").rglob("__init__.py")}
    allowed = faces | {"theory.errors"} | {f"theory.terminal.{name}" for name in ("console", "outputs", "workers")}
    for path in (ROOT / package).rglob("*.py"):
        inner = {module for module in imported_modules(path) if module.startswith("theory")} - allowed
        assert not inner, f"{path.relative_to(ROOT)} imports {', '.join(sorted(inner))}, which is not a public face"


@pytest.mark.parametrize(
    ("house", "rooms"),
    [("", 6), ("claimcheck", 3), ("trials", 4), ("report", 3)],
)
def test_rooms_of_the_ledger_import_in_one_direction(house, rooms):
    """A folder of `proofs_checks` imports nothing, at its head or within a function, that imports it in turn."""
    package = ROOT / "proofs_checks" / house
    prefix = package.relative_to(ROOT).parts
    below = {path.parent.name: set() for path in package.glob("*/__init__.py")}
    for room, others in below.items():
        for path in (package / room).rglob("*.py"):
            modules = [tuple(module.split(".")) for module in imported_modules(path)]
            others.update(module[len(prefix)] for module in modules if module[: len(prefix)] == prefix != module)
        others.intersection_update(set(below) - {room})
    assert len(list(TopologicalSorter(below).static_order())) == len(below) == rooms  # a circle is an error


def test_only_the_paper_knows_the_paper():
    """What serves any bandit does not import what serves the paper; `theory` itself and its commands name its models."""
    paper = ROOT / "theory" / "paper"
    naming_models = {ROOT / "theory" / "__init__.py", ROOT / "theory" / "commands" / "app.py"}
    for path in set((ROOT / "theory").rglob("*.py")) - naming_models:
        if paper not in path.parents:
            modules = set(imported_modules(path))
            assert not any(module.startswith("theory.paper") for module in modules), path.relative_to(ROOT)


HEAVY = {"numpy", "numba", "matplotlib", "sympy", "mpmath", "scipy", "z3", "hypothesis", "pandas", "xarray"}


def loaded_by(program):
    """Return the modules of other projects that take long to import and that a program loads, in a process of its own."""
    told = f"import atexit, sys\natexit.register(lambda: print(sorted(set(sys.modules) & {HEAVY}), file=sys.stderr))\n"
    command = [sys.executable, "-c", told + program]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stderr.splitlines()[-1]


def running(package, *arguments):
    return f"import runpy\nsys.argv = {['', *arguments]}\nrunpy.run_module({package!r}, run_name='__main__')"


@pytest.mark.parametrize("program", ["import theory", "import mbrl", running("theory", "indices", "counterexample")])
def test_what_is_small_loads_nothing_heavy(program):
    assert loaded_by(program) == "[]"


def test_what_is_heavy_is_seen():
    assert loaded_by("import numpy") == "['numpy']"


def test_an_entry_that_is_kept_is_shown_without_what_computed_it():
    program = running("proofs_checks", "show", "eq:tau")
    loaded_by(program)  # from here on it is kept
    assert loaded_by(program) == "[]"


def test_every_name_of_theory_is_where_it_is_said_to_be():
    assert all(getattr(theory, name) is not None for name in theory.__all__)
    assert set(theory.__all__) <= set(dir(theory))
    with pytest.raises(AttributeError, match="'theory' has no attribute 'gittins_index_of'"):
        theory.gittins_index_of  # noqa: B018


def test_no_float_enters_theory():
    """Float literals and calls of `float` stand nowhere in `theory` but where something is proposed, and in residues."""
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


def modules_imported_by(path, modules):
    """Yield the modules of the project that a file imports anywhere, inside functions and for type hints included."""
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            # `from package import name`: the file of that name, where there is one, and otherwise the package's face
            names = [each if (each := f"{node.module}.{a.name}") in modules else node.module for a in node.names]
        else:
            continue
        yield from (name for name in names if name in modules)


def circle_of(imports):
    """Return modules that import one another in a circle, as a list of names; [] where there are none."""
    done, path = set(), []

    def visit(module):
        if module in path:
            return [*path[path.index(module) :], module]
        if module in done:
            return []
        path.append(module)
        found = next((circle for other in sorted(imports[module]) if (circle := visit(other))), [])
        path.pop()
        done.add(module)
        return found

    return next((circle for module in sorted(imports) if (circle := visit(module))), [])


def test_no_file_imports_in_a_circle():
    paths = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for package in MAY_IMPORT
        for path in (ROOT / package).rglob("*.py")
    }
    imports = {module: set(modules_imported_by(path, paths)) - {module} for module, path in paths.items()}
    assert len(imports) > 100
    assert circle_of(imports) == []


def test_a_circle_of_imports_is_found():
    assert circle_of({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert circle_of({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []

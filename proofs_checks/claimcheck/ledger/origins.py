"""What a result came from: the definitions and modules that an entry's check reaches, read from the sources.

Of the module that enters it, an entry reaches its own statement, the definitions that this names, and those that they
name; of what is imported, the modules where the imported names are made, whole, with all that these import, and data
beside them. Each is told with a digest of it, so that a later run sees, without importing anything, whether all is as
it was.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TypeAlias

from proofs_checks.claimcheck.evidence import Evidence, Uses
from proofs_checks.claimcheck.ledger.entry import Entry

ROOT = Path(__file__).parents[3]
PACKAGES = ("theory", "mbrl", "proofs_checks")
LIBRARIES = ("python-flint", "sympy", "z3-solver", "numpy", "mpmath", "scipy")
JUDGES = tuple(f"proofs_checks.claimcheck.ledger.{name}" for name in ("book", "content", "variants"))
MAKERS = ("proofs_checks/claimcheck/ledger/chapter.py", "proofs_checks/claimcheck/ledger/registry.py")
"""What makes entries of what is claimed (names of variants, severities): every result comes from these, too."""
DATA = {".json", ".v", ".nc", ".csv"}
CLAIMS = re.compile(r"proofs_checks\.paper\.(\w+\.entries|shared\.prelude|shared\.events)")
"""Modules of which an entry reaches only what it names."""
ENTERING = {"chapter", "at"}
"""Names by which a module enters its entries: each of them mentions them, and none depends on the others for it."""

Origins: TypeAlias = "Mapping[str, str]"
"""``path``, ``path#name`` (what binds a name at the top of a module), ``path@digest`` (a statement at the top of it, or
none) or ``library:name``, each with its digest or version."""


def origins(entry: Entry, used: Iterable[Entry]) -> dict[str, str]:
    """Return what an entry's result comes from, `used` being the entries whose statements its evidence asks for."""
    found = [f"library:{name}" for name in LIBRARIES]
    modules: set[tuple[str, str | None]] = {(name, None) for name in JUDGES}
    for each in (entry, *used):
        modules.add((type(each.statement).__module__, None))
        modules |= {(type(part).__module__, None) for part in _parts(each.evidence)}
        if each.refutation is not None:
            modules.add((type(each.refutation).__module__, None))
        if each.entered_at is not None:
            items, imported = _slice(*each.entered_at)
            found += items
            modules |= imported
    found += [str(path.relative_to(ROOT)) for path in _reached(frozenset(modules))]
    return {item: _now(item) for item in sorted({*found, *MAKERS})}


def used_ids(entry: Entry) -> list[str]:
    """Return the entries that an entry's evidence names."""
    return [part.claim_id for part in _parts(entry.evidence) if isinstance(part, Uses)]


def whole_ledger() -> dict[str, str]:
    """Return what says that entries repair one another: all modules of claims."""
    return {item: _now(item) for item in map(str, _relative((ROOT / "proofs_checks" / "paper").rglob("entries.py")))}


def unchanged(came_from: Origins) -> bool:
    """Return whether all that a result came from is as it was."""
    return bool(came_from) and all(_now(item) == digest for item, digest in came_from.items())


def changed_since(came_from: Origins, moment: float) -> bool:
    """Return whether a file among the origins was written after a moment: then the code that ran may be another."""
    paths = {item.partition("#")[0].partition("@")[0] for item in came_from if not item.startswith("library:")}
    return any(not (ROOT / path).exists() or (ROOT / path).stat().st_mtime > moment for path in paths)


def _parts(evidence: Evidence | None) -> Iterator[Evidence]:
    if evidence is not None:
        yield evidence
        for part in evidence.parts():
            yield from _parts(part)


@cache
def _now(item: str) -> str:
    """Return the digest of what an item stands for, as it is; "" where that is not there."""
    if item.startswith("library:"):
        try:
            return version(item.removeprefix("library:"))
        except PackageNotFoundError:
            return ""
    path, _, name = item.partition("#")
    path, _, statement = path.partition("@")
    try:
        if name:
            return _digest("".join(each.digest for each in _statements(ROOT / path) if name in each.binds).encode())
        if statement:
            return statement if any(each.digest == statement for each in _statements(ROOT / path)) else ""
        return _digest((ROOT / path).read_bytes())
    except (OSError, SyntaxError):
        return ""


def _digest(content: bytes) -> str:
    return sha256(content).hexdigest()


def _relative(paths: Iterable[Path]) -> Iterator[Path]:
    yield from (path.relative_to(ROOT) for path in sorted(paths))


# -- within a module


@dataclass(frozen=True)
class _Statement:
    """A statement at the top of a module: where it stands, what it binds or changes, what it names, what it imports."""

    first: int
    last: int
    digest: str
    binds: frozenset[str]
    names: frozenset[str]
    imports: tuple[tuple[str, str, str | None], ...]
    """Local name (``*`` for all), module, name there."""


@cache
def _statements(path: Path) -> tuple[_Statement, ...]:
    text = path.read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    found = []
    for node in ast.parse(text).body:
        imports = tuple(_imported(node))
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        assert node.end_lineno is not None
        source = "".join(lines[node.lineno - 1 : node.end_lineno]).encode()
        binds = frozenset(_bound(node)) | {local for local, _, _ in imports}
        found.append(_Statement(node.lineno, node.end_lineno, _digest(source), binds, frozenset(names), imports))
    return tuple(found)


def _bound(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement at the top of a module binds, or whose values it may change."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        yield node.name
        return
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id
        if isinstance(each, (ast.Attribute, ast.Subscript)) and isinstance(each.ctx, ast.Store):
            yield from (inner.id for inner in ast.walk(each.value) if isinstance(inner, ast.Name))
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute):
        yield from (inner.id for inner in ast.walk(node.value.func) if isinstance(inner, ast.Name))


def _slice(path: Path, line: int) -> tuple[list[str], set[tuple[str, str | None]]]:
    """Return what the statement at a line reaches: of modules of claims items, of others names in modules."""
    own = next(each for each in _statements(path) if each.first <= line <= each.last)
    items, imported = [f"{path.relative_to(ROOT)}@{own.digest}"], set[tuple[str, str | None]]()
    waiting = {(path, name) for name in own.names - ENTERING}
    seen: set[tuple[Path, str]] = set()
    while waiting:
        at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        file, name = at
        binding = [each for each in _statements(file) if name in each.binds]
        sources = [(module, there) for each in binding for local, module, there in each.imports if local == name]
        if binding:
            items.append(f"{file.relative_to(ROOT)}#{name}")
            waiting |= {(file, other) for each in binding for other in each.names - ENTERING}
        else:
            sources = [
                (module, name) for each in _statements(file) for local, module, _ in each.imports if local == "*"
            ]
        for module, there in sources:
            other = ROOT.joinpath(*module.split(".")).with_suffix(".py")
            if CLAIMS.fullmatch(module) and there is not None and other.exists():
                waiting.add((other, there))
            else:
                imported.add((module, there))
    return items, imported


# -- from module to module


def _imported(top: ast.AST) -> Iterator[tuple[str, str, str | None]]:
    """Yield what a node imports when it runs: local name, module, name there."""
    for node in ast.iter_child_nodes(top) if not isinstance(top, (ast.Import, ast.ImportFrom)) else (top,):
        if isinstance(node, ast.Import):
            yield from ((alias.asname or alias.name.partition(".")[0], alias.name, None) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from ((alias.asname or alias.name, node.module, alias.name) for alias in node.names)
        elif not (isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"):
            yield from _imported(node)


@cache
def _imports(path: Path) -> tuple[tuple[str, str, str | None], ...]:
    return tuple(_imported(ast.parse(path.read_text(encoding="utf-8"))))


@cache
def _reached(starts: frozenset[tuple[str, str | None]]) -> tuple[Path, ...]:
    """Return the files of all modules that are reached from names in modules, and the data beside those that read any.

    A module hands on a name that it imports: then its own file counts, and the module where the name is made, but
    nothing else that it imports.
    """
    files: set[Path] = set()
    seen: set[tuple[str, str | None]] = set()
    waiting = list(starts)
    while waiting:
        each = waiting.pop()
        if each not in seen:
            seen.add(each)
            path, then = _followed(*each)
            waiting += then
            if path:
                files.add(path)
                files.update(_data_beside(path))
    return tuple(sorted(files))


@cache
def _followed(module: str, name: str | None) -> tuple[Path | None, tuple[tuple[str, str | None], ...]]:
    """Return the file of a module from which a name is asked, or all of it, and what is to be followed from there."""
    place = ROOT.joinpath(*module.split("."))
    package = place.is_dir()
    if package and name and ((place / f"{name}.py").exists() or (place / name / "__init__.py").exists()):
        return None, ((f"{module}.{name}", None),)
    path = place / "__init__.py" if package else place.with_suffix(".py")
    if module.partition(".")[0] not in PACKAGES or not path.exists():
        return None, ()
    made = {each for one in _statements(path) for each in one.binds - {local for local, _, _ in one.imports}}
    if name and name not in made:
        found = (
            (other, name if there == "*" else there) for local, other, there in _imports(path) if local in (name, "*")
        )
        return path, tuple(found)
    return path, tuple((other, None if there == "*" else there) for _, other, there in _imports(path))


@cache
def _data_beside(path: Path) -> tuple[Path, ...]:
    if "__file__" not in path.read_text(encoding="utf-8"):
        return ()
    return tuple(each for each in path.parent.rglob("*") if each.suffix in DATA)

"""The API reference, which pdoc makes from the docstrings."""

from __future__ import annotations

import warnings
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Final

from theory.errors import BanditError
from theory.terminal.outputs import writing

PACKAGES: Final = ("theory", "mbrl", "proofs_checks")
_INNER: Final = frozenset(
    {
        "theory.commands", "theory.terminal", "mbrl.commands", "mbrl.examples", "mbrl.registration",
        "proofs_checks.commands", "proofs_checks.kernel", "proofs_checks.paper", "proofs_checks.report",
    }
)  # fmt: skip
"""Packages that serve only the commands, the page or the paper, and are not in the reference."""


def write_reference(folder: Path) -> Path:
    """Write the reference into `folder`, made if missing, and return its first page.

    Raises
    ------
    BanditError
        If the folder holds an ``index.html`` that pdoc did not write.
    OutputError
        If the reference cannot be written.
    """
    first = folder / "index.html"
    if first.exists() and "pdoc" not in first.read_text(encoding="utf-8", errors="replace"):
        raise BanditError(f"{first}: exists and is not a reference; choose another folder")
    import pdoc  # noqa: PLC0415  (the extra "docs")

    for name in PACKAGES:
        _reveal(import_module(name))
    pdoc.render.configure(docformat="numpy", math=True, show_source=False)
    with warnings.catch_warnings(), writing(f"reference {folder}"):
        warnings.filterwarnings("ignore", "Error parsing type annotation")  # such an annotation is shown as written
        pdoc.pdoc(*PACKAGES, output_directory=folder)
    return first


def _reveal(package: ModuleType) -> None:
    """Let pdoc see a package's modules, and the names that the package loads only on use."""
    own = [module.name for module in iter_modules(package.__path__) if not module.name.startswith("_")]
    modules = [name for name in own if f"{package.__name__}.{name}" not in _INNER]
    named = list(getattr(package, "__all__", ()))
    for name in named:
        setattr(package, name, getattr(package, name))
    package.__all__ = [*named, *(name for name in modules if name not in named)]  # type: ignore[attr-defined]
    for name in modules:
        module = import_module(f"{package.__name__}.{name}")
        if hasattr(module, "__path__"):
            _reveal(module)

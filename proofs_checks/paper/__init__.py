"""The entries of the ledger, a package for each part of the paper; a module is imported only when it is needed."""

from __future__ import annotations

import traceback
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

from proofs_checks.claimcheck.ledger import Registry
from proofs_checks.paper.shared.source import OUTLINE
from theory import BanditError

CHAPTERS = (
    "literature",
    "section_2",
    "section_3",
    "section_4",
    "section_5_1",
    "section_5_1_constants",
    "section_5_2",
    "section_6",
    "section_7",
    "appendix_a1",
    "appendix_a2_events",
    "appendix_a2_gap",
    "appendix_a2_sum",
    "appendix_a2_moments",
    "appendix_a3",
    "appendix_a4",
    "appendix_a5",
    "appendix_b",
    "appendix_c",
    "appendix_d",
    "appendix_e",
    "beyond",
    "withdrawn",
)
"""Packages here whose ``entries`` module enters claims, in the order of the paper."""

SOURCE = "proofs_checks.paper:registry"
"""The function from which worker processes get the entries."""


@cache
def registry() -> Registry:
    """Return all entries and the causes they name, in the order of the paper.

    Raises
    ------
    BanditError
        If a module cannot be imported; the message has the line of the entry at fault.
    """
    modules = [_module(name) for name in CHAPTERS]
    entries = [entry for module in modules for entry in module.chapter]
    causes = [cause for module in modules for cause in getattr(module, "CAUSES", ())]
    return Registry(entries, causes, outline=OUTLINE)


def _module(name: str) -> ModuleType:
    try:
        return import_module(f"proofs_checks.paper.{name}.entries")
    except Exception as error:
        here = str(Path(__file__).parent)
        lines = [step for step in traceback.extract_tb(error.__traceback__) if step.filename.startswith(here)]
        place = f"{Path(lines[-1].filename).relative_to(here)}, line {lines[-1].lineno}"
        raise BanditError(f"paper/{place}: {type(error).__name__}: {error}") from error

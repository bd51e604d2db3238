"""The mutants that no test can catch, each with the reason; the list is held to the source that it speaks of."""

from __future__ import annotations

import tomllib
from pathlib import Path

LIST = Path(__file__).with_name("equivalent.toml")


def identity(mutant):
    return mutant.file, mutant.function, mutant.before, mutant.after


def explained(path=LIST):
    """Return the reason of each explained mutant, by its identity and its occurrence; by None where it is for all.

    Raises
    ------
    ValueError
        If a mutant is explained twice.
    """
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("equivalent", []) if path.exists() else []
    reasons = {}
    for each in entries:
        key = (each["file"], each["function"], each["before"], each["after"], each.get("occurrence"))
        if key in reasons:
            raise ValueError(f"explained twice: {key}")
        reasons[key] = each["why"]
    return reasons


def reason(reasons, mutant):
    """Return why a mutant is equivalent, or nothing."""
    of_all, of_this = ((*identity(mutant), occurrence) for occurrence in (None, mutant.occurrence))
    return reasons.get(of_this) or reasons.get(of_all, "")


def stale(reasons, all_mutants):
    """Return the entries that are no mutants of the source any more: identity and occurrence, None where it is for all."""
    known = {(*identity(mutant), occurrence) for mutant in all_mutants for occurrence in (None, mutant.occurrence)}
    return sorted(reasons.keys() - known, key=lambda key: (*key[:4], key[4] or 0))

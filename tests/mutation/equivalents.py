"""The mutants that no test can catch, each with the reason; the list is held to the source that it speaks of."""

from __future__ import annotations

import tomllib
from pathlib import Path

LIST = Path(__file__).with_name("equivalent.toml")


def identity(mutant):
    return mutant.file, mutant.function, mutant.before, mutant.after


def explained(path=LIST):
    """Return the reason of each explained mutant."""
    entries = tomllib.loads(path.read_text(encoding="utf-8")).get("equivalent", []) if path.exists() else []
    return {(each["file"], each["function"], each["before"], each["after"]): each["why"] for each in entries}


def stale(reasons, all_mutants):
    """Return the entries that are no mutants of the source any more."""
    return sorted(reasons.keys() - {identity(mutant) for mutant in all_mutants})

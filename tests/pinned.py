"""Reviewed outputs, pinned as named blocks of a text file: a change is a diff to review."""

import os
import re
import textwrap
from difflib import unified_diff
from functools import lru_cache
from itertools import chain

from flint import fmpq


def hold(path, name, lines, order=()):
    """Assert that lines equal the block pinned under a name; ``PIN=1 pytest`` rewrites it, blocks in the given order."""
    found, pinned = "\n".join(indented(lines)), blocks(path)
    if os.environ.get("PIN"):
        assert "PYTEST_XDIST_WORKER" not in os.environ, "processes would overwrite each other's pins: give -n 0"
        pinned[name] = found
        kept = {each: pinned[each] for each in order or pinned if pinned.get(each)}
        path.parent.mkdir(exist_ok=True)
        path.write_text("\n".join(f"{each}\n{text}\n" for each, text in kept.items()), encoding="utf-8")
    before = pinned.get(name, "")
    changed = "\n".join(unified_diff(before.splitlines(), found.splitlines(), "pinned", "found", n=0, lineterm=""))
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]
    assert found == before, f"{name}\n{changed}\nif that is right: PIN=1 pytest -n 0 '{test}'"


def blocks(path):
    """Return the blocks of a file by their names."""
    return dict(_blocks(path.read_text(encoding="utf-8") if path.exists() else ""))


@lru_cache(maxsize=8)  # a file has many blocks, and they are asked for in turn
def _blocks(text):
    parts = (part.partition("\n") for part in re.split(r"^(?=\S)", text, flags=re.MULTILINE) if part.strip())
    return {name: block.rstrip("\n") for name, _, block in parts}


def indented(lines):
    """Yield lines folded at 120 columns, continuations indented."""
    for line in lines:
        depth = len(line) - len(line.lstrip()) + 2
        yield from textwrap.wrap(line.strip(), 120, initial_indent=" " * depth, subsequent_indent=" " * (depth + 4),
            break_long_words=False, break_on_hyphens=False)  # fmt: skip


def in_short(bandit):
    """Return sizes, discount and start of a bandit, and for each arm the sum of all its numbers, each times its place."""
    sums = []
    for arm in bandit.arms:
        numbers = (*arm.rewards, *chain(*arm.transitions), *arm.reward_radius, *arm.transition_radius)
        sums.append(sum((place * number for place, number in enumerate(numbers, 1)), fmpq(0)))
    written = (text if len(text := str(each)) < 25 else f"{text[:12]}...{text[-12:]}" for each in sums)
    start = "-" if bandit.initial is None else " ".join(map(str, bandit.initial))
    return f"sizes {' '.join(map(str, bandit.sizes))}, beta {bandit.discount}, from {start}, sums {', '.join(written)}"

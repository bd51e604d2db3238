"""The search for the simplest instance that fails, by Hypothesis; all trials shrink their findings with it.

Instances are made from random integers (`theory.random_models.Integers`), which Hypothesis draws and shrinks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from hypothesis.strategies import DrawFn

from theory.random_models import Integers

Made = TypeVar("Made")

_MOSTLY: Final = 100
"""Of every 100 integers of a known failure, all but three stay as they are before anything is made simpler."""


class Drawn:
    """Integers drawn by Hypothesis, for `theory.random_models`."""

    def __init__(self, draw: DrawFn) -> None:
        self._draw = draw

    def integers(self, low: int, high: int, /) -> int:
        """Return an integer from `low` to `high` - 1."""
        return self._draw(st.integers(low, high - 1))


class Recorded:
    """The integers of another source, kept in the order in which they are drawn."""

    def __init__(self, source: Integers) -> None:
        self._source = source
        self.drawn: list[int] = []

    def integers(self, low: int, high: int, /) -> int:
        """Return an integer from `low` to `high` - 1."""
        self.drawn.append(int(self._source.integers(low, high)))
        return self.drawn[-1]


class _Towards:
    """The integers of a known failure, some of them replaced by simpler ones as Hypothesis draws."""

    def __init__(self, draw: DrawFn, found: Sequence[int]) -> None:
        self._draw, self._found = draw, iter(found)

    def integers(self, low: int, high: int, /) -> int:
        """Return an integer from `low` to `high` - 1."""
        least = max(low, min(0, high - 1))
        found = low + (next(self._found, least) - low) % (high - low)
        simpler = (least, least + (found > least) - (found < least), (least + found) // 2)
        which = self._draw(st.integers(0, _MOSTLY))
        return simpler[which] if which < len(simpler) else found


def simplest(
    make: Callable[[Integers], Made],
    fails: Callable[[Made], bool],
    *,
    examples: int,
    found: Sequence[int] | None = None,
) -> Made | None:
    """Return the simplest instance found that fails (the same in every run), or None if none fails.

    Parameters
    ----------
    make, fails
        Make an instance from the integers of a source, and return whether an instance fails.
    examples
        Number of instances generated; once one fails, simpler ones are tried too.
    found
        The integers of a known failure; the instances generated then lie between it and simpler ones.

    Raises
    ------
    hypothesis.errors.Flaky
        If an instance fails at one time and not at another.

    Examples
    --------
    >>> simplest(lambda source: source.integers(0, 100), lambda number: number > 20, examples=20)
    21
    >>> simplest(lambda source: source.integers(0, 10**9), lambda number: number > 10**6, examples=20, found=[10**8])
    50000000
    >>> simplest(lambda source: source.integers(0, 100), lambda number: number > 100, examples=20) is None
    True
    """

    @st.composite
    def instances(draw: DrawFn) -> Made:
        return make(Drawn(draw) if found is None else _Towards(draw, found))

    once = settings(
        max_examples=examples,
        database=None,
        derandomize=True,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    try:
        return find(instances(), fails, settings=once)
    except NoSuchExample:
        return None

"""Episodes one after another, without leaving compiled code: the one loop of all learners of this package.

A learner is a *memory*, a named tuple of arrays and numbers, and two compiled functions for its kind of memory: one
plans, one learns (`planned_by`, `learnt_by`). A plan is left in the memory: as ``indices`` and ``last_first``, or as a
``table``; other code does not know how a learner works. Numba compiles the loop once for each kind.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from mbrl.kernels.clock import now
from mbrl.kernels.compiling import INTERPRETED, kernel
from mbrl.kernels.conservation import value_by_indices
from mbrl.kernels.play import Track, World, collected, new_track, play_indices, play_table
from mbrl.kernels.product import value_of_table

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


class Schedule(NamedTuple):
    """The episodes to play.

    Attributes
    ----------
    starts : (m, n) int64
        The possible initial global states.
    first, lengths : (K,) int64
        Of each episode, which of them it starts in, and its number of steps H_k.
    """

    starts: Integers
    first: Integers
    lengths: Integers


class Outcome(NamedTuple):
    """Room for what comes out of the episodes.

    Attributes
    ----------
    values : (K,)
        The expected discounted reward of the policy that was played, from where the episode started; left as it is
        where `valued` is false.
    collected : (K,)
        The sum of the mean rewards of the arm states that were played.
    seconds : (K,)
        Spent by the learner, on planning and on learning from what it saw.
    valued : bool
    """

    values: Floats
    collected: Floats
    seconds: Floats
    valued: bool


def new_outcome(episodes: int, valued: bool) -> Outcome:
    """Return room for the outcome of `episodes` episodes."""
    return Outcome(np.empty(episodes), np.empty(episodes), np.empty(episodes), valued)


class LastTable(NamedTuple):
    """The table that was valued last, and its values from the possible starts as far as they are known.

    Attributes
    ----------
    table : (G,) int64
    values : (m,)
        Not a number where unknown.
    """

    table: Integers
    values: Floats


@kernel
def no_table_yet(count: int, starts: int) -> LastTable:
    """Return room for a table of `count` global states, and for values from `starts` of them."""
    return LastTable(np.full(count, -1), np.full(starts, np.nan))


Compiled = TypeVar("Compiled", bound=Callable[..., None])
_PLANNED_BY: dict[type, Any] = {}
_LEARNT_BY: dict[type, Any] = {}


def planned_by(memory: type) -> Callable[[Compiled], Compiled]:
    """Return a decorator that makes a compiled ``plan(memory, sizes, discount, rng)`` that of a kind of memory."""
    return _registered(_PLANNED_BY, memory)


def learnt_by(memory: type) -> Callable[[Compiled], Compiled]:
    """Return a decorator, likewise, for ``learn(memory, sizes, discount, start, length, track)``."""
    return _registered(_LEARNT_BY, memory)


def _registered(known: dict[type, Any], memory: type) -> Callable[[Compiled], Compiled]:
    def register(function: Compiled) -> Compiled:
        known[memory] = function
        return function

    return register


def plan(memory: Any, sizes: Integers, discount: float, rng: np.random.Generator) -> None:
    """Leave the plan of the coming episode in `memory`; from compiled code or from Python."""
    _PLANNED_BY[type(memory)](memory, sizes, discount, rng)


def learn(memory: Any, sizes: Integers, discount: float, start: Integers, length: int, track: Track) -> None:
    """Learn from an episode; from compiled code or from Python."""
    _LEARNT_BY[type(memory)](memory, sizes, discount, start, length, track)


def last_plan(memory: Any, starts: int) -> Any:
    """Return what is known of the last plan: room for its values where it is a table."""
    return no_table_yet(memory.table.size, starts) if hasattr(memory, "table") else None


def play_plan(
    memory: Any,
    world: World,
    schedule: Schedule,
    k: int,
    playing: np.random.Generator,
    last: Any,
    track: Track,
    outcome: Outcome,
) -> None:
    """Play the episode k by the plan in `memory`, and write its value."""
    play = _play_table if hasattr(memory, "table") else _play_indices
    play(memory, world, schedule, k, playing, last, track, outcome)


def _play_indices(
    memory: Any,
    world: World,
    schedule: Schedule,
    k: int,
    playing: np.random.Generator,
    last: None,
    track: Track,
    outcome: Outcome,
) -> None:
    start, length = schedule.starts[schedule.first[k]], schedule.lengths[k]
    play_indices(world, playing, start, length, memory.indices, memory.last_first, track)
    outcome.collected[k] = collected(world, length, track)
    if outcome.valued:
        outcome.values[k], _ = value_by_indices(
            world.transitions, world.rewards, world.sizes, start, memory.indices, memory.last_first, world.discount
        )


def _play_table(
    memory: Any,
    world: World,
    schedule: Schedule,
    k: int,
    playing: np.random.Generator,
    last: LastTable,
    track: Track,
    outcome: Outcome,
) -> None:
    which = schedule.first[k]
    start, length = schedule.starts[which], schedule.lengths[k]
    play_table(world, playing, start, length, memory.table, track)
    outcome.collected[k] = collected(world, length, track)
    if outcome.valued:
        if not np.array_equal(last.table, memory.table):
            last.table[:] = memory.table
            last.values[:] = np.nan
        if np.isnan(last.values[which]):
            last.values[which], _ = value_of_table(
                world.transitions, world.rewards, world.sizes, start, memory.table, world.discount
            )
        outcome.values[k] = last.values[which]


def _overload() -> None:
    """Tell numba which of these functions a kind of memory has."""

    @overload(plan, inline="always", strict=False)
    def _(memory: Any, sizes: Any, discount: Any, rng: Any) -> Any:
        chosen = _PLANNED_BY[memory.instance_class]
        return lambda memory, sizes, discount, rng: chosen(memory, sizes, discount, rng)  # noqa: PLW0108

    @overload(learn, inline="always", strict=False)
    def _(memory: Any, sizes: Any, discount: Any, start: Any, length: Any, track: Any) -> Any:
        chosen = _LEARNT_BY[memory.instance_class]
        return lambda memory, sizes, discount, start, length, track: chosen(  # noqa: PLW0108
            memory, sizes, discount, start, length, track
        )

    @overload(last_plan, inline="always", strict=False)
    def _(memory: Any, starts: Any) -> Any:
        if "table" in memory.fields:
            return lambda memory, starts: no_table_yet(memory.table.size, starts)
        return lambda memory, starts: None

    @overload(play_plan, strict=False)
    def _(memory: Any, world: Any, schedule: Any, k: Any, playing: Any, last: Any, track: Any, outcome: Any) -> Any:
        return _play_table if "table" in memory.fields else _play_indices


if not INTERPRETED:
    _overload()


@kernel
def play_all(
    memory: Any,
    world: World,
    schedule: Schedule,
    planning: np.random.Generator,
    playing: np.random.Generator,
    outcome: Outcome,
) -> None:
    """Plan, play and learn for all episodes of `schedule`.

    Parameters
    ----------
    memory
        The learner's, changed.
    world, schedule
        What is played in, and how long.
    planning, playing
        Advanced.
    outcome
        Written; the learner's seconds are those of planning and learning.
    """
    last, track = last_plan(memory, schedule.starts.shape[0]), new_track(schedule.lengths.max())
    for k in range(schedule.lengths.size):
        began = now()
        plan(memory, world.sizes, world.discount, planning)
        planned = now()
        play_plan(memory, world, schedule, k, playing, last, track, outcome)
        played = now()
        learn(memory, world.sizes, world.discount, schedule.starts[schedule.first[k]], schedule.lengths[k], track)
        outcome.seconds[k] = (planned - began) + (now() - played)

"""The one loop of all learners of this package, which plays episode after episode in compiled code.

A learner is a *memory*, a named tuple of arrays and numbers, with two compiled functions for its type: one plans, one
learns (`planned_by`, `learnt_by`). The plan is in the memory, as ``indices`` and ``last_first`` or as a ``table``;
other code knows nothing else of the learner. Numba compiles the loop once for each type of memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba.extending import overload

from mbrl.arrays import Floats, Integers
from mbrl.kernels.compiling import INTERPRETED, PART_OPTIONS, kernel, part
from mbrl.kernels.conservation import evaluate_indices
from mbrl.kernels.native import now
from mbrl.kernels.play import Track, World, collected, play_indices, play_table
from mbrl.kernels.product import evaluate_table


class Schedule(NamedTuple):
    """The episodes to play.

    Attributes
    ----------
    starts : (m, n) int64
        The possible initial global states.
    first, lengths : (K,) int64
        The initial state of each episode, as a position in `starts`, and its number of steps H_k.
    """

    starts: Integers
    first: Integers
    lengths: Integers


class Outcome(NamedTuple):
    """Arrays that receive the results of episodes.

    Attributes
    ----------
    values : (K,)
        Expected discounted reward of the played policy, from the start of the episode; not written unless `valued`.
    collected : (K,)
        Sum of the mean rewards of the arm states that were played.
    seconds : (K,)
        Time that the learner takes to plan and to learn.
    valued : bool
    """

    values: Floats
    collected: Floats
    seconds: Floats
    valued: bool


def new_outcome(episodes: int, valued: bool) -> Outcome:
    """Return room for the outcome of `episodes` episodes."""
    values, collected, seconds = np.full((3, episodes), np.nan)  # NaN shows what a loop has not written
    return Outcome(values, collected, seconds, valued)


class ByIndices(NamedTuple):
    """A plan by (n, S) indices: the memory's indices, and whether the last arm is played if they are equal."""

    indices: Floats
    last_first: bool


class ByTable(NamedTuple):
    """A plan by table: the memory's table, and the table that was evaluated last."""

    table: Integers  # (G,)
    last: Integers  # (G,)
    values: Floats  # (m,), values of the last table from the possible starts; NaN if unknown


def plan_of(memory: Any, starts: int) -> tuple[ByIndices | None, ByTable | None]:
    """Return the plan in a memory, as one of the two forms; the other is None."""
    if hasattr(memory, "table"):
        return None, ByTable(memory.table, np.full(memory.table.size, -1), np.full(starts, np.nan))
    return ByIndices(memory.indices, memory.last_first), None


Compiled = TypeVar("Compiled", bound=Callable[..., None])
_PLANNED_BY: dict[type, Any] = {}
_LEARNT_BY: dict[type, Any] = {}


def planned_by(memory: type) -> Callable[[Compiled], Compiled]:
    """Return a decorator that registers a compiled ``plan(memory, sizes, discount, rng)`` for a type of memory."""
    return _registered(_PLANNED_BY, memory)


def learnt_by(memory: type) -> Callable[[Compiled], Compiled]:
    """Return a decorator that registers ``learn(memory, sizes, discount, start, length, track)``, likewise."""
    return _registered(_LEARNT_BY, memory)


def _registered(known: dict[type, Any], memory: type) -> Callable[[Compiled], Compiled]:
    def register(function: Compiled) -> Compiled:
        known[memory] = function
        return function

    return register


def plan(memory: Any, sizes: Integers, discount: float, rng: np.random.Generator) -> None:
    """Write the plan of the next episode into `memory`; callable from compiled code and from Python."""
    _PLANNED_BY[type(memory)](memory, sizes, discount, rng)


def learn(memory: Any, sizes: Integers, discount: float, start: Integers, length: int, track: Track) -> None:
    """Learn from an episode; callable from compiled code and from Python."""
    _LEARNT_BY[type(memory)](memory, sizes, discount, start, length, track)


if not INTERPRETED:

    @overload(plan, strict=False, jit_options=PART_OPTIONS)
    def _(memory: Any, sizes: Any, discount: Any, rng: Any) -> Any:
        return _PLANNED_BY[memory.instance_class].py_func

    @overload(learn, strict=False, jit_options=PART_OPTIONS)
    def _(memory: Any, sizes: Any, discount: Any, start: Any, length: Any, track: Any) -> Any:
        return _LEARNT_BY[memory.instance_class].py_func


@part
def _replaced(last: Integers, table: Integers) -> bool:
    """Copy `table` into `last`, and return whether they differed."""
    differs = False
    for g in range(table.size):
        differs |= last[g] != table[g]
        last[g] = table[g]
    return differs


@kernel
def play_all(
    memory: Any,
    by_indices: ByIndices | None,
    by_table: ByTable | None,
    world: World,
    schedule: Schedule,
    planning: np.random.Generator,
    playing: np.random.Generator,
    track: Track,
    outcome: Outcome,
) -> None:
    """Plan, play and learn for all episodes of `schedule`, and fill `outcome`.

    The `memory` changes. Of the two forms of the plan (see `plan_of`), code for the one that is None is not compiled.
    The `track` has room for the longest episode.
    """
    for k in range(schedule.lengths.size):
        which, length = schedule.first[k], schedule.lengths[k]
        start = schedule.starts[which]
        began = now()
        plan(memory, world.sizes, world.discount, planning)
        planned = now()
        if by_indices is not None:
            indices, last_first = by_indices
            play_indices(world, playing, start, length, indices, last_first, track)
            if outcome.valued:
                outcome.values[k], _ = evaluate_indices(
                    world.transitions, world.rewards, world.sizes, start, indices, last_first, world.discount
                )
        if by_table is not None:
            table, last, values = by_table
            play_table(world, playing, start, length, table, track)
            if outcome.valued:
                if _replaced(last, table):
                    for number in range(values.size):
                        values[number] = np.nan
                if np.isnan(values[which]):
                    values[which], _ = evaluate_table(
                        world.transitions, world.rewards, world.sizes, start, table, world.discount
                    )
                outcome.values[k] = values[which]
        outcome.collected[k] = collected(world, length, track)
        played = now()
        learn(memory, world.sizes, world.discount, start, length, track)
        outcome.seconds[k] = (planned - began) + (now() - played)

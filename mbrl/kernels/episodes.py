"""Episodes one after another, without leaving compiled code: what is to be played, and what comes out of it.

A learner's loop plans, plays with `play_indices_and_value` or its twin for tables, counts, and times itself; see
`mbrl.agents`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbrl.kernels.compiling import kernel
from mbrl.kernels.conservation import value_by_indices
from mbrl.kernels.play import Track, World, collected, play_indices, play_table
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


@kernel
def play_indices_and_value(
    world: World,
    schedule: Schedule,
    k: int,
    playing: np.random.Generator,
    indices: Floats,
    last_first: bool,
    track: Track,
    outcome: Outcome,
) -> None:
    """Play the episode k by the largest of `indices`, and write its value."""
    start, length = schedule.starts[schedule.first[k]], schedule.lengths[k]
    play_indices(world, playing, start, length, indices, last_first, track)
    outcome.collected[k] = collected(world, length, track)
    if outcome.valued:
        outcome.values[k], _ = value_by_indices(
            world.transitions, world.rewards, world.sizes, start, indices, last_first, world.discount
        )


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


@kernel
def play_table_and_value(
    world: World,
    schedule: Schedule,
    k: int,
    playing: np.random.Generator,
    table: Integers,
    last: LastTable,
    track: Track,
    outcome: Outcome,
) -> None:
    """Play the episode k by `table`, and write its value, which is computed where the table is not that of `last`."""
    which = schedule.first[k]
    start, length = schedule.starts[which], schedule.lengths[k]
    play_table(world, playing, start, length, table, track)
    outcome.collected[k] = collected(world, length, track)
    if outcome.valued:
        if not np.array_equal(last.table, table):
            last.table[:] = table
            last.values[:] = np.nan
        if np.isnan(last.values[which]):
            last.values[which], _ = value_of_table(
                world.transitions, world.rewards, world.sizes, start, table, world.discount
            )
        outcome.values[k] = last.values[which]

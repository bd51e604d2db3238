"""The counts of learners: moves, and sums of rewards and of their squares, by arm state or by global state."""

from __future__ import annotations

from typing import Any, NamedTuple

from mbrl.arrays import Floats, Integers
from mbrl.kernels.chains import strides_of
from mbrl.kernels.compiling import kernel
from mbrl.kernels.play import Track


class Counts(NamedTuple):
    """Statistics of rows; rows are (n, S) arm states, or (n, G) pairs of an arm and a global state."""

    moves: Floats  # (..., Y), how often each next state was seen
    sums: Floats  # (...), sum of the rewards of each row
    squares: Floats  # (...), sum of their squares
    coming: Integers  # (2,): t_k and k, the numbers of the next step and of the next episode, from 1
    restarted: bool  # whether an episode's last step leads to the restart, instead of the state that the arm moved to


@kernel
def count_arm_states(memory: Any, sizes: Integers, discount: float, start: Integers, length: int, track: Track) -> None:
    """Add an episode, its start and the record of its steps, to the counts of arm states in `memory`."""
    counts = memory.counts
    for t in range(length):
        a, x, reward = track.arms[t], track.states[t], track.rewards[t]
        y = start[a] if counts.restarted and t == length - 1 else track.following[t]
        counts.moves[a, x, y] += 1.0
        counts.sums[a, x] += reward
        counts.squares[a, x] += reward * reward
    counts.coming[0] += length
    counts.coming[1] += 1


@kernel
def count_global_states(
    memory: Any, sizes: Integers, discount: float, start: Integers, length: int, track: Track
) -> None:
    """Add an episode to the counts of global states in `memory`, likewise."""
    counts = memory.counts
    strides = strides_of(sizes)
    first = 0
    for a in range(start.size):
        first += start[a] * strides[a]
    g = first
    for t in range(length):
        a, reward = track.arms[t], track.rewards[t]
        h = g + (track.following[t] - track.states[t]) * strides[a]
        counts.moves[a, g, first if counts.restarted and t == length - 1 else h] += 1.0
        counts.sums[a, g] += reward
        counts.squares[a, g] += reward * reward
        g = h
    counts.coming[0] += length
    counts.coming[1] += 1

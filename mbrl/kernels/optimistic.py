r"""Indices of an arm's optimistic retirement functions, with a Bernstein, monotone (MVP) bonus.

The functions :math:`\tilde\varphi(x, m)` on G cells of retirement rewards from 0 to B are those of
`theory.minimax.optimistic_table`: the convex minorant of
:math:`\max\{m, \min\{B, g + \beta[\hat Q\tilde\varphi + b(\tilde\varphi)]\}\}`. The branch is a convex, monotone
function of convex ones, so it is convex in m itself, and the minorant changes only the cut at B: from some level on, a
function that is cut is the *chord* to (B, B). Hence

* once the chords are known, each level is a separate problem with S unknowns, convex except for a cap: Newton's method
  (policy iteration) solves it, and sweeps from above if Newton's method does not settle;
* the index of a state is B exactly if its branch is at least B at m = B, where all values are equal; only such states
  have chords. Bisection finds where a chord begins, and bracketed secants find the other indices.

So an arm takes :math:`O(S \log G)` problems of :math:`O(S^3)`.
"""

from __future__ import annotations

from math import ceil, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbrl.arrays import Floats, Integers
from mbrl.kernels.compiling import part

_NEWTON, _SWEEPS = 40, 1_000_000  # equivalent: more of either


class OptimisticArm(NamedTuple):
    """One arm's statistics, and work space."""

    rows: Floats  # (s, s)
    gains: Floats  # (s,), mean rewards plus their radii
    spreads: Floats  # (s,), c1 times the root of l/N, with the logarithm l and N visits (at least one)
    fews: Floats  # (s,), c2 B l/N
    discount: float
    cells: int  # G
    values: Floats  # (s,)
    caps: Floats  # (s,)
    system: Floats  # (s, s + 1)
    begins: Integers  # (s,), level at which a state's chord begins; G if it has none yet
    kinds: Integers  # (s,), how a state's value was last determined: retired, cut, or by either part of the bonus
    heights: Floats  # (s,), the value at which the chord begins


@part
def optimistic_indices_of_arm(arm: OptimisticArm, indices: Floats) -> None:
    """Write the (s,) indices as fractions of B, multiples of 1/G; `indices` and `begins` hold guesses before."""
    size, cells, B = arm.gains.size, arm.cells, 1.0 / (1.0 - arm.discount)
    tops, left, guesses = np.empty(size, np.bool_), 0, arm.begins.copy()
    for x in range(size):
        tops[x] = arm.gains[x] + arm.discount * arm.fews[x] >= 1.0
        left += tops[x]
        arm.begins[x], arm.heights[x], arm.values[x] = cells, B, B
    low = 0
    while left > 0:
        high, place, step, nearest = cells - 1, low, 1, cells
        for x in range(size):
            if low <= guesses[x] < nearest:
                place = nearest = guesses[x]
        while low < high:  # from where a chord began last, in doubling steps
            if not low <= place < high:
                place = (low + high) // 2
            if _a_chord_begins(arm, tops, place):
                high = place
                place -= step
            else:
                low = place + 1
                place += step
            step *= 2
        left -= _begin_chords(arm, tops, low)
    below, above = np.empty(size, np.int64), np.empty(size, np.int64)
    for x in range(size):
        below[x], above[x] = (cells if tops[x] else 0), cells
    for x in range(size):
        place, tried, last_place, last_excess = int(max(0.0, indices[x]) * cells + 0.5), 0, -1, 0.0
        while below[x] < above[x]:
            place = min(max(place, below[x]), above[x] - 1)
            if tried % 3 == 2:  # every third step halves the bracket, in case secants converge slowly
                place = (below[x] + above[x]) // 2
            tried += 1
            solve_level(arm, place)
            m = B * place / cells
            for y in range(size):
                if not tops[y]:
                    if arm.values[y] <= m:
                        above[y] = min(above[y], place)
                    else:
                        below[y] = max(below[y], place + 1)
            excess = _branch(arm, x)[0] - m
            slope = -1.0 if last_place < 0 else (excess - last_excess) * cells / (B * (place - last_place))
            last_place, last_excess = place, excess
            ahead = ceil(excess * cells / (B * max(1e-6, -slope)))
            place += int(max(-1.0 * cells, min(1.0 * cells, ahead)))
        indices[x] = below[x] / cells


@part
def _a_chord_begins(arm: OptimisticArm, tops: NDArray[np.bool_], place: int) -> bool:
    """Return whether some function rises, after this level, at least as fast as its chord from here to (B, B)."""
    B = 1.0 / (1.0 - arm.discount)
    solve_level(arm, place)
    before = arm.values.copy()
    solve_level(arm, place + 1)
    for x in range(before.size):
        if (
            tops[x]
            and arm.begins[x] == arm.cells
            and arm.values[x] >= before[x] + (B - before[x]) / (arm.cells - place)
        ):
            return True
    return False


@part
def _begin_chords(arm: OptimisticArm, tops: NDArray[np.bool_], place: int) -> int:
    """Begin the chords of this level, and return their number."""
    B, begun = 1.0 / (1.0 - arm.discount), 0
    solve_level(arm, place)
    for x in range(tops.size):
        if tops[x] and arm.begins[x] == arm.cells:
            arm.begins[x], arm.heights[x] = place, arm.values[x]
    solve_level(arm, place + 1)
    for x in range(tops.size):
        if tops[x] and arm.begins[x] == place:
            if arm.values[x] < arm.caps[x]:
                arm.begins[x], arm.heights[x] = arm.cells, B
            else:
                begun += 1
    if begun == 0:  # all are within rounding of their chords, and begin here
        for x in range(tops.size):
            if tops[x] and arm.begins[x] == arm.cells:
                begun += 1
                arm.begins[x], arm.heights[x] = place, arm.values[x]
    return begun


@part
def solve_level(arm: OptimisticArm, place: int) -> None:
    """Write into `arm.values` the fixed point at a level, by Newton's method from the present values."""
    size, B = arm.gains.size, 1.0 / (1.0 - arm.discount)
    m, system = B * place / arm.cells, arm.system
    for x in range(size):
        part_left = (arm.cells - place) / max(1, arm.cells - arm.begins[x])
        arm.caps[x] = B if place <= arm.begins[x] else B - (B - arm.heights[x]) * part_left
    for _ in range(_NEWTON):
        same = True
        for x in range(size):
            value, mean, deviation = _branch(arm, x)
            kind = 0 if value <= m else 1 if value >= arm.caps[x] else 2 if deviation == 0.0 else 3
            same &= kind == arm.kinds[x]
            arm.kinds[x] = kind
            row = system[x]
            if kind < 2:
                row[:size] = 0.0
                row[size] = m if kind == 0 else arm.caps[x]
            else:
                slope = arm.spreads[x] / deviation if kind == 3 else 0.0
                for y in range(size):
                    row[y] = -arm.discount * arm.rows[x, y] * (1.0 + slope * (arm.values[y] - mean))
                row[size] = arm.gains[x] + (arm.discount * arm.fews[x] if kind == 2 else 0.0)
            row[x] += 1.0
        change = _solve(system, arm.values)
        if change <= 1e-13 * B or (same and change <= 1e-8 * B):  # of the same kinds, Newton is quadratic
            break
    else:
        _sweep_down(arm, m)
    for x in range(size):  # values that are retired or cut are exact
        arm.values[x] = max(m, min(arm.caps[x], _branch(arm, x)[0]))


@part
def _branch(arm: OptimisticArm, x: int) -> tuple[float, float, float]:
    """Return the value of playing on in x, the mean of the next value, and its deviation if that decides the bonus."""
    mean, square, row, few = 0.0, 0.0, arm.rows[x], arm.fews[x]
    for y in range(row.size):
        mean += row[y] * arm.values[y]
    for y in range(row.size):
        away = arm.values[y] - mean
        square += row[y] * (away * away)
    deviation = sqrt(square)
    by_deviation = arm.spreads[x] * deviation
    if by_deviation <= few:
        return arm.gains[x] + arm.discount * (mean + few), mean, 0.0
    return arm.gains[x] + arm.discount * (mean + by_deviation), mean, deviation


@part
def _solve(system: Floats, values: Floats) -> float:
    """Solve by elimination without pivoting (row sums are at least 1 - beta); return the largest change of `values`."""
    size, change = values.size, 0.0
    for x in range(size):
        for z in range(x + 1, size):
            factor = system[z, x] / system[x, x]
            if factor != 0.0:
                for y in range(x + 1, size + 1):
                    system[z, y] -= factor * system[x, y]
    for x in range(size - 1, -1, -1):
        value = system[x, size]
        for y in range(x + 1, size):
            value -= system[x, y] * values[y]
        value /= system[x, x]
        change = max(change, abs(value - values[x]))
        values[x] = value
    return change


@part
def _sweep_down(arm: OptimisticArm, m: float) -> None:
    """Write the fixed point into `arm.values`, by sweeps downwards from the caps."""
    B = 1.0 / (1.0 - arm.discount)
    for x in range(arm.values.size):  # a loop: assigning a slice compiles the words of an error about shapes
        arm.values[x] = arm.caps[x]
    for _ in range(_SWEEPS):
        change = 0.0
        for x in range(arm.values.size):
            value = max(m, min(arm.caps[x], _branch(arm, x)[0]))
            change = max(change, abs(arm.values[x] - value))
            arm.values[x] = value
        if change <= 1e-14 * B:
            break

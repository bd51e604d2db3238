r"""Indices of an arm's optimistic retirement functions, with a bonus of Bernstein, monotone (MVP) type.

The functions :math:`\tilde\varphi(x, m)` on G cells of retirement rewards from 0 to B are those of
`theory.minimax.optimistic_table`: the convex minorant of
:math:`\max\{m, \min\{B, g + \beta[\hat Q\tilde\varphi + b(\tilde\varphi)]\}\}`. The branch is a convex, monotone
function of convex ones, so it is convex in m itself, and the cut at B is all that the minorant changes: from some level
on, a function that is cut is the *chord* to (B, B). Hence

* each level is a problem of its own, of S unknowns, once the chords are known: convex but for a cap, and solved by
  Newton's method (policy iteration), from above by sweeps where that does not settle;
* the index of a state is B exactly if its branch is at least B at m = B, where all values are equal; only such states
  have chords. Where one begins is found by bisection, the other indices by secants that are bracketed.

So an arm takes :math:`O(S \log G)` problems of :math:`O(S^3)`.
"""

from __future__ import annotations

from math import ceil, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbrl.kernels.compiling import part

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_NEWTON, _SWEEPS = 40, 1_000_000  # equivalent: more of either


class OptimisticArm(NamedTuple):
    """One arm as it was seen, and room.

    Attributes
    ----------
    rows : (s, s)
    gains : (s,)
        Mean rewards, and their radii.
    spreads, fews : (s,)
        c1 times the root of the logarithm l over the visits, at least one; c2 B times that quotient.
    discount : float
    cells : int
        G.
    values, caps : (s,)
    system : (s, s + 1)
    begins : (s,) int64
        At which level a state's chord begins; G where it has none yet.
    kinds : (s,) int64
        How a state's value was found last: retired, cut, or by either part of the bonus.
    heights : (s,)
        The value where the chord begins.
    """

    rows: Floats
    gains: Floats
    spreads: Floats
    fews: Floats
    discount: float
    cells: int
    values: Floats
    caps: Floats
    system: Floats
    begins: Integers
    kinds: Integers
    heights: Floats


@part
def optimistic_indices_of_arm(arm: OptimisticArm, indices: Floats) -> None:
    """Write the (s,) indices, as parts of B from 0 to 1: multiples of 1/G. They and `begins` hold guesses before."""
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
        while low < high:  # from where one began, in steps that double
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
            if tried % 3 == 2:  # so that a bracket is halved, whatever the secants do
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
    """Return whether some function rises, after this level, at least as fast as its chord to (B, B) from here."""
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
    """Let the chords that begin at this level begin, and return how many do."""
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
    if begun == 0:  # within rounding of the chord: all begin
        for x in range(tops.size):
            if tops[x] and arm.begins[x] == arm.cells:
                begun += 1
                arm.begins[x], arm.heights[x] = place, arm.values[x]
    return begun


@part
def solve_level(arm: OptimisticArm, place: int) -> None:
    """Leave in `arm.values` the fixed point at a level, by Newton's method from what is there."""
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
        if change <= 1e-13 * B or (same and change <= 1e-8 * B):  # of the same kinds it is smooth, and next to exact
            break
    else:
        _sweep_down(arm, m)
    for x in range(size):  # retired or cut exactly
        arm.values[x] = max(m, min(arm.caps[x], _branch(arm, x)[0]))


@part
def _branch(arm: OptimisticArm, x: int) -> tuple[float, float, float]:
    """Return the value of playing on in x; of the next value the mean, and the deviation, if that decides the bonus."""
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
    """Solve by elimination without pivots, as rows sum to at least 1 - beta; return the largest change of `values`."""
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
    """Leave the fixed point, by sweeps from the caps downwards."""
    B = 1.0 / (1.0 - arm.discount)
    arm.values[:] = arm.caps
    for _ in range(_SWEEPS):
        change = 0.0
        for x in range(arm.values.size):
            value = max(m, min(arm.caps[x], _branch(arm, x)[0]))
            change = max(change, abs(arm.values[x] - value))
            arm.values[x] = value
        if change <= 1e-14 * B:
            break

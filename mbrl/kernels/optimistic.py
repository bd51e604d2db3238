r"""Indices of an arm's optimistic retirement functions, with a bonus of Bernstein, monotone (MVP) type.

The functions :math:`\tilde\varphi(x, m)` on G cells of retirement rewards from 0 to B are those of
`theory.minimax.optimistic_table`: the convex minorant of
:math:`\max\{m, \min\{B, g + \beta[\hat Q\tilde\varphi + b(\tilde\varphi)]\}\}`. The branch is a convex, monotone
function of convex ones, so it is convex in m itself, and the cut at B is all that the minorant changes: from some level
on, a function that is cut is the *chord* to (B, B). Hence

* each level is a problem of its own, of S unknowns, once the chords are known: convex but for a cap, and solved by
  Newton's method (policy iteration), from above by sweeps where that does not settle;
* the index of a state is B exactly if its branch is at least B at m = B, where all values are equal; only such states
  have chords, and where one begins is found by bisection, as are the other indices.

So an arm takes :math:`O(S \log G)` problems of :math:`O(S^3)`.
"""

from __future__ import annotations

from math import sqrt
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
    rates : (s,)
        The logarithm l over the visits, at least one.
    c1, c2, discount : float
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
    rates: Floats
    c1: float
    c2: float
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
    """Write the (s,) indices, as parts of B from 0 to 1: multiples of 1/G; what is there is a guess."""
    size, cells, B = arm.gains.size, arm.cells, 1.0 / (1.0 - arm.discount)
    tops, left = np.empty(size, np.bool_), 0
    for x in range(size):
        tops[x] = arm.gains[x] + arm.discount * arm.c2 * B * arm.rates[x] >= 1.0
        left += tops[x]
        arm.begins[x], arm.heights[x], arm.values[x] = cells, B, B
    low = 0
    while left > 0:
        high = cells - 1
        while low < high:
            middle = low if low == 0 and high == cells - 1 else (low + high) // 2
            if _a_chord_begins(arm, tops, middle):
                high = middle
            else:
                low = middle + 1
        left -= _begin_chords(arm, tops, low)
    below, above = np.zeros(size, np.int64), np.full(size, cells)
    for x in range(size):
        if tops[x]:
            below[x] = cells
    for x in range(size):
        place, step = int(max(0.0, indices[x]) * cells), 1  # from where it was, in steps that double
        while below[x] < above[x]:
            if not below[x] <= place < above[x]:
                place = (below[x] + above[x]) // 2
            solve_level(arm, place)
            m = B * place / cells
            for y in range(size):
                if not tops[y]:
                    if arm.values[y] <= m:
                        above[y] = min(above[y], place)
                    else:
                        below[y] = max(below[y], place + 1)
            place += -step if above[x] <= place else step
            step *= 2
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
            for y in range(size):
                system[x, y] = 0.0
            system[x, size] = m if kind == 0 else arm.caps[x]
            if kind >= 2:
                few = arm.discount * arm.c2 * B * arm.rates[x]
                system[x, size] = arm.gains[x] + (few if kind == 2 else 0.0)
                slope = arm.c1 * sqrt(arm.rates[x]) / deviation if kind == 3 else 0.0
                for y in range(size):
                    system[x, y] = -arm.discount * arm.rows[x, y] * (1.0 + slope * (arm.values[y] - mean))
            system[x, x] += 1.0
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
    mean, square = 0.0, 0.0
    for y in range(arm.values.size):
        mean += arm.rows[x, y] * arm.values[y]
    for y in range(arm.values.size):
        square += arm.rows[x, y] * (arm.values[y] - mean) ** 2
    deviation, few = sqrt(square), arm.c2 * arm.rates[x] / (1.0 - arm.discount)
    by_deviation = arm.c1 * deviation * sqrt(arm.rates[x])
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

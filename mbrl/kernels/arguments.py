"""Checks of arguments, done once at the entry to compiled code; an error is one line that names the place.

Compiled code indexes without bounds checks. So the public functions of this package, `mbrl.environments` and
`mbrl.experiments` call these functions, which raise `ModelError`, before they call compiled code.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from mbrl.arrays import Array, Floats, Integers, floats, integers
from mbrl.kernels.compiling import part
from theory import ModelError

ROW_TOLERANCE = 1e-9
"""Largest difference of a row's sum from 1, for rounding only. No row is renormalised."""

_NOT_FINITE, _NEGATIVE, _SUM, _PADDING = 1, 2, 3, 4
_ARMS_AT_ONCE = 4096


def read_only(array: Array) -> Array:
    """Return a view of `array` that nobody writes to, as are the arrays of an environment: one type, compiled once."""
    if array.flags.writeable:
        array = array.view()
        array.flags.writeable = False
    return array


@part
def row_fault(row: Floats) -> int:
    """Return 0 if `row` is a law of all next states, and otherwise a code for the fault."""
    total, lowest = 0.0, 0.0
    for y in range(row.size):
        total += row[y]
        lowest = min(lowest, row[y])
    if not np.isfinite(total):  # finite numbers with such a sum are far too large for probabilities
        return _NOT_FINITE
    if lowest < 0.0:
        return _NEGATIVE
    return _SUM if abs(total - 1.0) > ROW_TOLERANCE else 0


def first_fault(transitions: Floats, sizes: Integers) -> tuple[int, int, int]:
    """Return the fault of the first bad row of (n, S, S) `transitions`, its arm and its state; zeros if all are good.

    NumPy checks blocks of arms, without compiling.
    """
    width = transitions.shape[1]
    for first in range(0, sizes.size, _ARMS_AT_ONCE):
        rows, used = transitions[first : first + _ARMS_AT_ONCE], np.arange(width) < sizes[first:, None][:_ARMS_AT_ONCE]
        laws = rows if used.all() else np.where(used[:, None, :], rows, 0.0)
        with np.errstate(invalid="ignore"):
            totals, lowest, beyond = laws @ np.ones(width), laws.min(axis=2), (laws != rows).any(axis=2)
            kinds = [~np.isfinite(totals), lowest < 0.0, np.abs(totals - 1.0) > ROW_TOLERANCE, beyond]
        faults = np.where(used, np.select(kinds, [_NOT_FINITE, _NEGATIVE, _SUM, _PADDING], 0), 0)
        if faults.any():
            a, x = np.argwhere(faults)[0]
            return int(faults[a, x]), first + int(a), int(x)
    return 0, 0, 0


def check_discount(discount: float) -> float:
    """Return `discount` as a float, from 0 and below 1.

    Examples
    --------
    >>> check_discount(1)
    Traceback (most recent call last):
    theory.errors.ModelError: discount: 1 is outside 0 <= discount < 1
    """
    if not isinstance(discount, (int, float, np.number)):
        raise ModelError(f"discount: {_shown(discount)} is no floating-point number, such as 0.9")
    if not 0 <= discount < 1:
        raise ModelError(f"discount: {_shown(discount)} is outside 0 <= discount < 1")
    return float(discount)


def check_sizes(sizes: ArrayLike, width: int | None = None) -> Integers:
    """Return (n,) `sizes` of arms as contiguous integers, at least one and each in 1..width."""
    counts = integers(sizes, "sizes of arms")
    if counts.ndim != 1 or counts.size == 0:
        raise ModelError(f"sizes of arms: shape {counts.shape} is not (n,), n at least 1")
    a = int(counts.argmin())
    if counts[a] < 1:
        raise ModelError(f"arm {a + 1}: {counts[a]} states are too few; an arm has at least one")
    a = int(counts.argmax())
    if width is not None and counts[a] > width:
        raise ModelError(f"arm {a + 1}: {counts[a]} states do not fit arrays for {width} states")
    return read_only(counts)


def check_rows(transitions: ArrayLike, sizes: ArrayLike) -> tuple[Floats, Integers]:
    """Return padded (n, S, S) transition rows and (n,) sizes as contiguous arrays.

    Arm a uses its first ``sizes[a]`` states; the rest of its rows is zero. The error for a negative or non-finite
    probability, or a row that does not sum to 1, names arm, state and value.

    Examples
    --------
    >>> check_rows([[[0.5, 0.0], [0.0, 1.0]]], [2])
    Traceback (most recent call last):
    theory.errors.ModelError: arm 1, state 1: row sums to 0.5, not 1
    """
    rows = floats(transitions, "transitions")
    if rows.ndim != 3 or rows.shape[1] != rows.shape[2]:
        raise ModelError(f"transitions: shape {rows.shape} is not (n, S, S)")
    counts = check_sizes(sizes, rows.shape[2])
    if counts.size != rows.shape[0]:
        raise ModelError(f"transitions of {rows.shape[0]} arms, but sizes of {counts.size}")
    fault, a, x = first_fault(rows, counts)
    if fault:
        raise ModelError(f"arm {a + 1}, state {x + 1}: {row_complaint(fault, rows[a, x], int(counts[a]))}")
    return read_only(rows), counts


def row_complaint(fault: int, row: Floats, size: int) -> str:
    """Return as text what is wrong with `row`."""
    law = row[:size]
    if fault == _NOT_FINITE:
        return f"transition probability {_shown(law[~(np.abs(law) <= 1)][0])} is not a probability"
    if fault == _NEGATIVE:
        return f"transition probability {_shown(law[law < 0][0])} is negative"
    if fault == _SUM:
        advice = "; if it was rounded, divide it by its sum" if abs(law.sum() - 1) <= 0.01 else ""
        return f"row sums to {_shown(law.sum())}, not 1{advice}"
    return f"a probability beyond its {size} states; rows of smaller arms are padded with 0"


def check_rewards(
    rewards: ArrayLike, sizes: Integers, width: int, what: str = "reward", many: str = "rewards"
) -> Floats:
    """Return padded (n, S) `rewards` (or other numbers by arm state), which are finite, as a contiguous array."""
    values = floats(rewards, many)
    if values.shape != (sizes.size, width):
        raise ModelError(f"{many}: shape {values.shape} is not ({sizes.size}, {width}), that of the arms' states")
    if not np.isfinite(values.sum()):
        for a, x in np.argwhere(~np.isfinite(values)):
            if x < sizes[a]:
                raise ModelError(f"arm {a + 1}, state {x + 1}: {what} {_shown(values[a, x])} is not a finite number")
    return read_only(values)


def check_start(start: ArrayLike, sizes: Integers, what: str = "initial state") -> Integers:
    """Return a global state, one state that each arm has, as contiguous integers."""
    states = integers(start, what)
    if states.shape != sizes.shape:
        raise ModelError(f"{what}: shape {states.shape} is not one state for each of {sizes.size} arms")
    if states.min() < 0 or (states >= sizes).any():
        a = int(np.flatnonzero((states < 0) | (states >= sizes))[0])
        raise ModelError(f"{what}, arm {a + 1}: {states[a]} is outside 0..{sizes[a] - 1}")
    return read_only(states)


def check_order(order: ArrayLike, sizes: Integers, width: int) -> Integers:
    """Return a strict order over all arm states, each once as ``arm * width + state``, as contiguous integers."""
    places = integers(order, "priority")
    total = int(sizes.sum())
    if places.shape != (total,):
        raise ModelError(f"priority: {places.size} entries for {total} arm states; every arm state comes once")
    seen = np.zeros(sizes.size * width, dtype=np.int64)
    outside = (places < 0) | (places >= seen.size)
    if not outside.any():
        outside = places % width >= sizes[places // width]
    if outside.any():
        raise ModelError(f"priority: {places[outside][0]} is no arm state; arm a's state x is a * {width} + x")
    np.add.at(seen, places, 1)
    if seen.max() > 1:
        a, x = divmod(int(seen.argmax()), width)
        raise ModelError(f"priority: arm {a + 1}, state {x + 1} comes twice; every arm state comes once")
    return places


def _shown(number: object) -> str:
    return f"{number:.12g}" if isinstance(number, (int, float, np.number)) else repr(number)

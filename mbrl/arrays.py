"""Read-only arrays, and arrays of floats or integers from whatever numbers are given.

An array is *kept* (in a model, in a policy) read-only, as a copy if others could change the original. An array is
*handed* to others (in a learner's problem, in an episode) always as a read-only copy, since ``np.add.at`` writes into
read-only arrays all the same (NumPy 2.4), and the owner of an array can make it writeable.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import fields
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from theory import ModelError

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]
Array = TypeVar("Array", bound=NDArray[Any])
Parts = TypeVar("Parts", bound=NamedTuple)


def kept(array: Array) -> Array:
    """Return `array` if nobody can change it, and otherwise a read-only copy.

    Examples
    --------
    >>> given = np.array([0.5, 0.5])
    >>> mine = kept(given)
    >>> given[0] = 1.0
    >>> mine, kept(mine) is mine
    (array([0.5, 0.5]), True)
    """
    if array.flags.writeable or not array.flags.owndata:
        return handed(array)
    return array


def floats_of(values: ArrayLike | Sequence[ArrayLike]) -> NDArray[np.float64]:
    """Return `values` as a contiguous array of floats; masked entries become NaN, which no model accepts.

    Raises
    ------
    TypeError, ValueError
        If `values` is no array of numbers, or has complex numbers, dates or durations, which NumPy would convert.
    """
    masked = _has_mask(values)
    given = np.ma.array(values) if masked else np.asarray(values)
    kind = given.dtype.kind
    if kind in "cmM" or (kind == "O" and any(isinstance(each, (np.datetime64, np.timedelta64)) for each in given.flat)):
        raise TypeError("complex numbers, dates or durations")
    if masked:
        given = np.ma.filled(given.astype(np.float64), np.nan)
    return np.ascontiguousarray(given, dtype=np.float64)


def floats(values: ArrayLike, what: str) -> NDArray[np.float64]:
    """Return `values`, named in the error if it is no array of numbers, as a contiguous array of floats."""
    try:
        return floats_of(values)
    except (TypeError, ValueError):
        raise ModelError(f"{what}: not a rectangular array of numbers") from None


def stacked(parts: Any, sizes: Integers, dimensions: int, what: str, fill: float = 0.0) -> Floats:
    """Return arrays of floats, one for each arm, as one array that is filled up; each has as many states a dimension.

    Examples
    --------
    >>> stacked([[1], [2, 3]], np.array([1, 2]), 1, "rewards")
    array([[1., 0.],
           [2., 3.]])
    """
    if len(parts) != sizes.size:
        raise ModelError(f"{what} of {len(parts)} arms for {sizes.size} arms")
    made = np.full((sizes.size, *[int(sizes.max())] * dimensions), fill)
    for a, (part, size) in enumerate(zip(parts, sizes.tolist(), strict=True)):
        try:
            given = floats_of(part)
        except (TypeError, ValueError) as error:
            raise ModelError(f"arm {a + 1}: {what} are no array of numbers: {error}") from None
        if given.shape != (size,) * dimensions:
            raise ModelError(f"arm {a + 1}: {what} of shape {given.shape} for {size} states")
        made[a][(slice(size),) * dimensions] = given
    return made


def integers(values: ArrayLike, what: str) -> NDArray[np.int64]:
    """Return `values`, named in the error if it is no array of whole numbers, as contiguous 64-bit integers.

    Examples
    --------
    >>> integers([2**53 - 1, 3.0], "sizes").tolist()
    [9007199254740991, 3]
    >>> integers([2**53], "sizes")
    Traceback (most recent call last):
    theory.errors.ModelError: sizes: no array of whole numbers
    """
    refusal = ModelError(f"{what}: no array of whole numbers")
    try:
        given = values if type(values) is np.ndarray else floats_of(values)  # `floats_of` respects the mask of an array
    except (TypeError, ValueError):
        raise refusal from None
    if given.dtype.kind not in "iuf" or not (np.abs(given) < 2**53).all() or not (given == np.rint(given)).all():
        raise refusal
    return np.ascontiguousarray(given, dtype=np.int64)


def product_size(sizes: NDArray[np.int64], largest: int) -> int | None:
    """Return the number of global states, or None if it is beyond `largest`, which avoids huge products.

    Examples
    --------
    >>> product_size(np.array([4, 4, 4]), 512), product_size(np.full(10**6, 11), 512)
    (64, None)
    """
    if np.log2(sizes).sum() > 62:
        return None
    size = int(np.prod(sizes))
    return size if size <= largest else None


def product_text(sizes: NDArray[np.int64]) -> str:
    """Return the number of global states as text of a few characters.

    Examples
    --------
    >>> product_text(np.full(9, 11)), product_text(np.full(8000, 11))
    ('2357947691', 'about 10^8331')
    """
    digits = float(np.log10(sizes).sum())
    return str(int(np.prod(sizes))) if digits < 15 else f"about 10^{int(digits)}"


def _has_mask(values: object) -> bool:
    return isinstance(values, np.ma.MaskedArray) or (isinstance(values, (list, tuple)) and any(map(_has_mask, values)))


def handed(array: Array) -> Array:
    """Return a read-only copy of `array`, without the methods of a subclass."""
    copy: Array = np.array(array, order="C")  # type: ignore[assignment]
    copy.flags.writeable = False
    return copy


def handed_parts(whole: Parts) -> Parts:
    """Return a named tuple with `handed` arrays, also in named tuples within it."""
    return type(whole)._make(
        handed(part) if isinstance(part, np.ndarray) else handed_parts(part) if hasattr(part, "_make") else part
        for part in whole
    )


class ReadOnly:
    """A frozen dataclass whose arrays stay read-only when it is pickled; cached values are not pickled."""

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    def __setstate__(self, state: dict[str, Any]) -> None:
        for value in state.values():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
        self.__dict__.update(state)


def is_of_writing(error: BaseException) -> bool:
    """Return whether an error of NumPy or numba says that somebody wrote into a read-only array.

    Examples
    --------
    >>> said = ("Cannot modify readonly array", "no implementation for readonly array(int64, 1d, C)")
    >>> [is_of_writing(TypeError(text)) for text in said]
    [True, False]
    """
    return re.search(r"read-only|WRITEABLE|modify readonly", text_of(error)) is not None


def text_of(error: BaseException) -> str:
    """Return the text of an error on one line; nothing if its class, which may be a user's, fails to make one.

    Characters that a terminal would obey or refuse are escaped.
    """
    with suppress(Exception):
        line = " ".join(str(error).split())
        return "".join(each if each.isprintable() else repr(each)[1:-1] for each in line)
    return ""

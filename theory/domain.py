"""Argument checks: discounts, counts, rows, and the data of arms and bandits as exact tuples.

Each argument is checked here and nowhere else. The error names the state and the value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from numbers import Integral
from typing import TypeVar

from flint import fmpq

from theory.errors import ModelError, NumberError, shown
from theory.rationals import ZERO, Exact, rational, rationals

Number = TypeVar("Number")

ReadNumber = Callable[[object], fmpq]
"""Converts a given number to an exact one."""

ReadRow = Callable[[Sequence[object]], Sequence[fmpq]]

Entries = tuple[tuple[int, fmpq], ...]
"""The positive entries of a row, as pairs (next state, probability) by increasing state."""


def exact_discount(value: Exact) -> fmpq:
    """Return a discount, ``0 <= discount < 1``, as an exact rational.

    Examples
    --------
    >>> exact_discount("0.99")
    99/100
    >>> exact_discount(1)
    Traceback (most recent call last):
    theory.errors.ModelError: discount: 1 is outside 0 <= discount < 1
    """
    discount = named_rational(value, "discount")
    if not 0 <= discount < 1:
        raise ModelError(f"discount: {discount} is outside 0 <= discount < 1")
    return discount


def named_rational(value: Exact, name: str) -> fmpq:
    """Return an argument as an exact rational."""
    try:
        return rational(value)
    except NumberError as error:
        raise NumberError(f"{name}: {error}") from None


def check_counts(least: int = 1, /, **counts: int) -> None:
    """Raise `ModelError` for a count that is not an integer of at least `least`; the error names the count.

    Examples
    --------
    >>> check_counts(S=4, n=1)
    >>> check_counts(2, K=1)
    Traceback (most recent call last):
    theory.errors.ModelError: K: 1 is not an integer of at least 2
    """
    for name, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < least:
            raise ModelError(f"{name}: {count!r} is not an integer of at least {least}")


def positive_power(value: Exact) -> fmpq:
    """Return an exponent alpha > 0 as an exact rational."""
    power = rational(value)
    if power <= 0:
        raise ModelError(f"alpha: {power} is not positive")
    return power


def non_negative(value: Exact, name: str) -> fmpq:
    """Return a radius, a tolerance or the like as an exact rational, at least 0."""
    exact = named_rational(value, name)
    if exact < 0:
        raise ModelError(f"{name}: {exact} is negative")
    return exact


def check_probability(row: Sequence[Exact], name: str = "row", *, may_be_less: bool = False) -> tuple[fmpq, ...]:
    """Return a row as exact rationals; refuse one with a negative entry, or whose sum is not 1 (or `may_be_less`).

    Examples
    --------
    >>> check_probability([fmpq(1, 2), fmpq(2, 3)])
    Traceback (most recent call last):
    theory.errors.ModelError: row sums to 7/6, not 1
    """
    exact = rationals(row)
    for entry in exact:
        if entry < 0:
            raise ModelError(f"{name} has the negative probability {entry}")
    total = sum(exact, ZERO)
    if total > 1 or (total < 1 and not may_be_less):
        raise ModelError(f"{name} sums to {total}, not {'at most ' if may_be_less else ''}1{divided(exact)}")
    return exact


def divided(row: Sequence[fmpq]) -> str:
    """Return the end of an error on a row whose sum misses 1 by rounding: how to write its largest entry instead."""
    total, largest = sum(row, ZERO), max(row, default=ZERO)
    if abs(total - 1) > fmpq(1, 100):
        return ""
    return f'; divide each entry by that: write {largest} as "{largest / total}"'


def listed(values: object, what: str, wanted: str) -> tuple[object, ...]:
    """Return the members of a list or an array; for another value, such as a text, the error ends with `wanted`."""
    if hasattr(values, "__array__") and not hasattr(values, "__array_interface__"):
        # a data frame or a labelled array as rows, since iterating over some of them gives columns
        values = values.__array__()
    if isinstance(values, Iterable) and not isinstance(values, (str, bytes, Mapping, Set)):
        try:
            return tuple(values)
        except TypeError:  # a NumPy array without dimensions
            pass
    raise ModelError(f"{what}: {shown(values)} is no list; {wanted}")


def rewards_and_labels(rewards: object, states: object) -> tuple[tuple[object, ...], tuple[str, ...], tuple[str, ...]]:
    """Return an arm's rewards, the names of its states, and a label of each state for errors."""
    given = listed(rewards, "rewards", "give one number per state, such as [1, '1/2']")
    if not given:
        raise ModelError("an arm needs at least one state")
    names = state_names(states, len(given))
    return given, names, names or tuple(str(x + 1) for x in range(len(given)))


def state_names(states: object, size: int) -> tuple[str, ...]:
    """Return the names of an arm's states, none or `size` of them, each once."""
    names = listed(states, "states", "give one name per state, such as ['idle', 'busy']")
    if names and len(names) != size:
        raise ModelError(f"{size} rewards but {len(names)} state names: give one name per state")
    checked: dict[str, None] = {}
    for name in names:
        if checked_name(name, "state") in checked:
            raise ModelError(f"state {name}: the name comes twice in the arm")
        checked[str(name)] = None
    return tuple(checked)


def checked_name(name: object, what: str) -> str:
    """Return `name` if it is fit to name an arm or a state."""
    if not isinstance(name, str) or not name.isprintable() or name != name.strip() or not name or "," in name:
        raise ModelError(f"{what} name {shown(name)}: a name is printable text without commas or blanks around it")
    return str(name)


def rows_of_states(transitions: object, labels: Sequence[str]) -> tuple[object, ...]:
    """Return the rows of a transition matrix; their entries are not checked."""
    rows = listed(transitions, "transitions", "give one row per state, such as [['1/2', '1/2'], [0, 1]]")
    if len(rows) != len(labels):
        raise ModelError(f"{len(labels)} rewards but {len(rows)} transition rows: give one row per state")
    return rows


def numbers_of_states(
    values: Sequence[object], labels: Sequence[str], what: str, read: Callable[[object], Number]
) -> tuple[Number, ...]:
    """Return one exact number per state."""
    if len(values) != len(labels):
        raise ModelError(f"{len(values)} values of {what} for {len(labels)} states")
    return tuple(_number(value, label, what, read) for value, label in zip(values, labels, strict=True))


def radii(values: object, labels: Sequence[str], what: str, read: ReadNumber = rational) -> tuple[fmpq, ...]:
    """Return one non-negative radius per state; 0 for all states if none is given."""
    given = listed(values, what, "give one number per state")
    if not given:
        return (ZERO,) * len(labels)
    numbers = numbers_of_states(given, labels, what, read)
    for radius, label in zip(numbers, labels, strict=True):
        if radius < 0:
            raise ModelError(f"state {label}: {what} {radius} is negative")
    return numbers


class RowReader:
    """Reader of the rows of an arm: returns positive entries only, and reads repeated integers and texts once."""

    def __init__(self, labels: Sequence[str], names: Sequence[str], read: ReadRow | None = None) -> None:
        self._labels = labels
        self._positions = {name: y for y, name in enumerate(names)}
        self._read = read or self._rationals
        self._known: dict[object, fmpq] = {}

    def entries(self, values: object, state: int) -> Entries:
        """Return the row of a state: one probability per state, or a mapping from states, by index or name, to them."""
        label, given = self._labels[state], self.given(values, state)
        try:
            row = self._read(list(given.values()))
        except NumberError as error:
            advice = "; Arm.from_floats reads floats" if "is a float" in str(error) else ""
            raise NumberError(f"state {label}: transition probability {error}{advice}") from None
        except ModelError as error:
            raise ModelError(f"state {label}: {error}") from None
        entries = tuple((y, p) for y, p in zip(given, row, strict=True) if p is not ZERO and p)
        check_probability([p for _, p in entries], f"state {label}: row")
        return entries

    def given(self, values: object, state: int) -> dict[int, object]:
        """Return a row's entries by next state; from a mapping, only those that it gives."""
        label, size = self._labels[state], len(self._labels)
        where = f"state {label}: row"
        if not isinstance(values, Mapping):
            row = listed(values, where, f"give {size} transition probabilities, one per state")
            if len(row) != size:
                raise ModelError(f"state {label}: {len(row)} transition probabilities for {size} states")
            return dict(enumerate(row))
        found: dict[int, object] = {}
        for key, value in values.items():
            if isinstance(key, str) and key not in self._positions:
                raise ModelError(f"{where}: no state of the arm is called {shown(key)}")
            y = self._positions[key] if isinstance(key, str) else state_index(key, size, where)
            if y in found:
                raise ModelError(f"{where}: state {self._labels[y]} comes twice, by name and by index")
            found[y] = value
        return dict(sorted(found.items()))

    def _rationals(self, given: Sequence[object]) -> Sequence[fmpq]:
        kinds = set(map(type, given))
        if kinds <= {fmpq}:
            return given  # type: ignore[return-value]  # as was looked at
        if not all(issubclass(kind, (str, int)) and kind is not bool for kind in kinds):  # 1 and True are one key
            return rationals(given)
        for value in {*given} - self._known.keys():
            self._known[value] = rational(value) or ZERO  # all zeros are one object
        return list(map(self._known.__getitem__, given))


def row_of(entries: Entries, size: int) -> tuple[fmpq, ...]:
    """Return the row with its zero entries."""
    row = [ZERO] * size
    for y, p in entries:
        row[y] = p
    return tuple(row)


def state_index(value: object, size: int, what: str) -> int:
    """Return the index, from 0, of one of `size` states (or other things); NumPy integers are accepted."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ModelError(f"{what}: {shown(value)} is neither a state's name nor an index from 0")
    index = int(value)
    if not 0 <= index < size:
        raise ModelError(f"{what}: index {index} is {f'outside 0..{size - 1}' if size else 'one of none'}")
    return index


def _number(value: object, label: str, what: str, read: Callable[[object], Number]) -> Number:
    try:
        return read(value)
    except NumberError as error:
        advice = "; Arm.from_floats reads floats" if read is rational and "is a float" in str(error) else ""
        raise NumberError(f"state {label}: {what} {error}{advice}") from None

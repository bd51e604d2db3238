"""The data of an arm or a bandit as exact tuples, or an error that names the state and the value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from numbers import Integral

from flint import fmpq

from theory.domain import check_probability
from theory.errors import ModelError, NumberError, shown
from theory.rationals import ZERO, rational, rationals

ReadNumber = Callable[[object], fmpq]
"""What makes an exact number of one that was given."""

ReadRow = Callable[[Sequence[object]], Sequence[fmpq]]

Entries = tuple[tuple[int, fmpq], ...]
"""The positive probabilities of a row with their next states, these increasing."""


def listed(values: object, what: str, wanted: str) -> tuple[object, ...]:
    """Return the members of a list or an array.

    Parameters
    ----------
    values
        Any iterable in which an order is meant; no text, mapping or set.
    what, wanted
        Begin and end the error's sentence.

    Raises
    ------
    ModelError
        For anything else.
    """
    if isinstance(values, Iterable) and not isinstance(values, (str, bytes, Mapping, Set)):
        try:
            return tuple(values)
        except TypeError:  # a NumPy array without dimensions
            pass
    raise ModelError(f"{what}: {shown(values)} is no list; {wanted}")


def rewards_and_labels(rewards: object, states: object) -> tuple[tuple[object, ...], tuple[str, ...], tuple[str, ...]]:
    """Return an arm's rewards as a tuple, the names of its states, and what to call each state in an error."""
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
        if not isinstance(name, str) or not name.isprintable() or name != name.strip() or not name or "," in name:
            raise ModelError(f"state name {shown(name)}: a name is printable text without commas or blanks around it")
        if name in checked:
            raise ModelError(f"state {name}: the name comes twice in the arm")
        checked[str(name)] = None
    return tuple(checked)


def rows_of_states(transitions: object, labels: Sequence[str]) -> tuple[object, ...]:
    """Return the rows of a transition matrix, not looked into yet."""
    rows = listed(transitions, "transitions", "give one row per state, such as [['1/2', '1/2'], [0, 1]]")
    if len(rows) != len(labels):
        raise ModelError(f"{len(labels)} rewards but {len(rows)} transition rows: give one row per state")
    return rows


def numbers_of_states(
    values: Sequence[object], labels: Sequence[str], what: str, read: ReadNumber = rational
) -> tuple[fmpq, ...]:
    """Return one exact number per state."""
    if len(values) != len(labels):
        raise ModelError(f"{len(values)} values of {what} for {len(labels)} states")
    return tuple(_number(value, label, what, read) for value, label in zip(values, labels, strict=True))


def radii(values: object, labels: Sequence[str], what: str, read: ReadNumber = rational) -> tuple[fmpq, ...]:
    """Return one radius per state, non-negative; 0 for all where none is given."""
    given = listed(values, what, "give one number per state")
    if not given:
        return (ZERO,) * len(labels)
    numbers = numbers_of_states(given, labels, what, read)
    for radius, label in zip(numbers, labels, strict=True):
        if radius < 0:
            raise ModelError(f"state {label}: {what} {radius} is negative")
    return numbers


class RowReader:
    """Reads the rows of an arm, each as its positive entries; integers and texts that come again are read once.

    Parameters
    ----------
    labels
        What the states are called in an error.
    names
        Of the states, by which a row may refer to them; none where they have none.
    read
        What makes exact numbers of the numbers of a row, if that is not `rational`.
    """

    def __init__(self, labels: Sequence[str], names: Sequence[str], read: ReadRow | None = None) -> None:
        self._labels = labels
        self._positions = {name: y for y, name in enumerate(names)}
        self._read = read or self._rationals
        self._known: dict[object, fmpq] = {}

    def entries(self, values: object, state: int) -> Entries:
        """Return the row of a state: one probability per state, non-negative, summing to exactly 1.

        Parameters
        ----------
        values
            One probability per state; or a mapping of states, by index from 0 or by name, to theirs, all others 0.
        state
            Whose row it is, by index from 0.
        """
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
        """Return what a row says of each next state, by index; of some only, where it is a mapping."""
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
    """Return a row whole."""
    row = [ZERO] * size
    for y, p in entries:
        row[y] = p
    return tuple(row)


def state_index(value: object, size: int, what: str) -> int:
    """Return the index of a state, from 0; NumPy's integers are taken."""
    if isinstance(value, bool) or not isinstance(value, Integral):
        raise ModelError(f"{what}: {shown(value)} is neither a state's name nor an index from 0")
    index = int(value)
    if not 0 <= index < size:
        raise ModelError(f"{what}: index {index} is outside 0..{size - 1}")
    return index


def _number(value: object, label: str, what: str, read: ReadNumber) -> fmpq:
    try:
        return read(value)
    except NumberError as error:
        advice = "; Arm.from_floats reads floats" if read is rational and "is a float" in str(error) else ""
        raise NumberError(f"state {label}: {what} {error}{advice}") from None

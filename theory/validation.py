"""The data of an arm or a bandit as exact tuples, or an error that names the state and the value."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from numbers import Integral

from flint import fmpq

from theory.domain import check_probability
from theory.errors import ModelError, NumberError, shown
from theory.rationals import ZERO, rational

ReadNumber = Callable[[object], fmpq]
"""What makes an exact number of one that was given."""

ReadRow = Callable[[Sequence[object]], tuple[fmpq, ...]]


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


def transition_row(values: object, state: int, labels: Sequence[str], read: ReadRow | None = None) -> tuple[fmpq, ...]:
    """Return the row of a state: one probability per state, non-negative, summing to exactly 1."""
    label, size = labels[state], len(labels)
    given = listed(values, f"state {label}: row", f"give {size} transition probabilities, one per state")
    if len(given) != size:
        raise ModelError(f"state {label}: {len(given)} transition probabilities for {size} states")
    if read is None:
        row = tuple(_number(value, label, "transition probability", rational) for value in given)
    else:
        try:
            row = read(given)
        except NumberError as error:
            raise NumberError(f"state {label}: transition probability {error}") from None
        except ModelError as error:
            raise ModelError(f"state {label}: {error}") from None
    check_probability(row, f"state {label}: row")
    return row


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

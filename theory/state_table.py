"""Indices and priorities of a model's states, read from CSV files as ``python -m theory indices --csv`` prints them.

A row names a state by the columns ``arm``, its number from 1, and ``state``; by ``state`` alone if the model has one
state of that name; or by the arm's and the state's names in a log, which `bandit_from_table` joins: ``M07`` and
``worn`` for the state ``M07 worn``; these may stand in columns ``arm_name`` and ``state_name``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from flint import fmpq

from theory.errors import ModelError, NumberError
from theory.model import ArmState, Bandit, Priority
from theory.rationals import rational
from theory.table import csv_columns, listed


def read_indices(bandit: Bandit, path: Path) -> dict[ArmState, fmpq]:
    """Return the index of every arm state from a CSV file with the columns arm, state and index.

    Raise `ModelError` or `NumberError` for a missing file or column, a file that is no CSV with commas, or an index
    that is no number, missing or given twice (the error then names row and state).
    """
    return _numbers(bandit, path, _read(path), "index")


def read_priority(bandit: Bandit, path: Path) -> Priority:
    """Return a strict order of all arm states from a CSV file with the columns arm and state.

    The order of the rows counts. A column priority numbers the states instead, the most urgent first; without it, a
    column index orders them, the largest first (equal ones as in the rows). The rows of a file with such a column are
    in its order or the model's: in a third order, as after sorting by another column, either could be meant.

    Raise the errors of `read_indices`, and `ModelError` for rows in a third order.
    """
    columns = _read(path)
    what = next((name for name in ("priority", "index") if name in columns), None)
    if what is None and "index_low" in columns:
        raise ModelError(
            f"{path}: enclosures of indices are no order; delete index_low and index_high if the rows are one"
        )
    if what is None:
        return bandit.priority([state for _, state in _states(bandit, path, columns)])
    number = _numbers(bandit, path, columns, what)
    rows = tuple(number)
    order = tuple(sorted(rows, key=number.__getitem__ if what == "priority" else lambda state: -number[state]))
    for one, other in pairwise(order):
        if what == "priority" and number[one] == number[other]:
            names = f"{_called(bandit, one)} and {_called(bandit, other)}"
            raise ModelError(f"{path}: {names} have one priority, {number[one]}; give each its own")
    if rows not in (order, bandit.arm_states):
        raise ModelError(
            f"{path}: its rows are in another order than its column {what} says: delete the column if the rows are "
            "the order, or else sort them by it"
        )
    return order


def _numbers(bandit: Bandit, path: Path, columns: Mapping[str, Sequence[str]], what: str) -> dict[ArmState, fmpq]:
    if what not in columns:
        raise ModelError(f"{path}: the column {what!r} is missing; the columns are arm, state, {what}")
    found: dict[ArmState, fmpq] = {}
    for (number, state), text in zip(_states(bandit, path, columns), columns[what], strict=True):
        where = f"{path}, row {number}"
        called = _called(bandit, state)
        if state in found:
            raise ModelError(f"{where}: {called} comes twice")
        try:
            found[state] = rational(text.strip())
        except NumberError as error:
            raise NumberError(f"{where}: {called}: {what} {error}") from None
    missing = [_called(bandit, state) for state in bandit.arm_states if state not in found]
    if missing:
        raise ModelError(f"{path}: no {what} of {'; '.join(missing[:3])}{'; ...' if len(missing) > 3 else ''}")
    return found


def _called(bandit: Bandit, state: ArmState) -> str:
    return f"arm {state[0] + 1}, state {bandit.arms[state[0]].states[state[1]]}"


def _states(bandit: Bandit, path: Path, columns: Mapping[str, Sequence[str]]) -> Iterator[tuple[int, ArmState]]:
    """Yield the number of each row, from 2, and the state that it names."""
    if "state" not in columns:
        raise ModelError(
            f"{path}: the column 'state' is missing; it needs the columns arm and state, and has "
            f"{listed(list(columns)) or 'none'}"
        )
    numbered = {(str(a + 1), bandit.arms[a].states[x]): (a, x) for a, x in bandit.arm_states}
    arms = columns.get("arm", [""] * len(columns["state"]))
    for number, (arm, state) in enumerate(zip(map(str.strip, arms), map(str.strip, columns["state"]), strict=True), 2):
        if (arm, state) in numbered:
            yield number, numbered[arm, state]
            continue
        try:
            yield number, bandit.arm_state(f"{arm} {state}".strip())
        except ModelError as error:
            names = ", ".join(bandit.state_names[:4]) + (", ..." if len(bandit.arm_states) > 4 else "")
            told = f"no state {state!r} of arm {arm!r} in the model; its states are {names}" if arm else str(error)
            known = {*(a for a, _ in numbered), *(each.name for each in bandit.arms)}
            if arm not in known if "arm" in columns else columns.keys() - {"state", "priority", "index"}:
                told += "; give a row for each arm (not kind) and state, in columns arm and state"
            raise ModelError(f"{path}, row {number}: {told}") from None


def _read(path: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for header, column in csv_columns(path, str(path)).items():
        name = header.lower()
        if name in found:
            raise ModelError(f"{path}: two columns are called {name}, but for capital letters; delete one")
        found[name] = column
    if "state" not in found:
        found |= {name: found[f"{name}_name"] for name in ("arm", "state") if f"{name}_name" in found}
    return found

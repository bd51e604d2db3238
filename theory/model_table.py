"""A bandit from tables: a list of transitions, or one matrix an arm; from CSV files or data frames.

A *list of transitions* has the columns ``arm``, ``from``, ``to``, and at most one of ``probability`` and ``count``;
with neither it is a log, each of whose rows is one transition that was seen. ``reward``, if it is a column, is the
reward of playing the arm in ``from``: the same in all rows of a state; a log's are averaged. A *matrix* has a row and a
column for each state, its rows named by the first column, and maybe a column ``reward``. Names of columns, not of
states, are compared without regard to case.

Numbers are exact: text is read as it is written, floats of a data frame as `theory.rounding` says. Rows of
probabilities that do not sum to 1 are refused, unless they are asked to be divided by their sum.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeAlias

from flint import fmpq

from theory.domain import non_negative
from theory.errors import BanditError, ModelError, shortened, shown
from theory.model import Arm, Bandit
from theory.rationals import ONE, ZERO, Exact, decimal_text
from theory.rounding import from_float, row_from_floats

Table: TypeAlias = Any
"""The path of a CSV file; a data frame of pandas, polars or PyArrow; or a mapping from columns to lists."""

_ROUNDING: Final = fmpq(1, 100)  # what a row may miss 1 by and still be told of --normalise
_LARGEST_ERROR: Final = 12  # rows of a table that are told at once, each in full
_WEIGHTS: Final = ("probability", "count")
_COLUMNS: Final = ("arm", "from", "to", *_WEIGHTS, "reward", "state")
_ENDS: Final = {"arm", "from", "to"}


@dataclass(frozen=True)
class TableModel:
    """A bandit made of tables.

    Attributes
    ----------
    bandit
        Arms in the order of their names, where these are integers, else as they first come. Where they are not 1, 2,
        ..., n, each state is named with its arm: ``M07 worn``.
    divided
        By how much each row that was divided by its sum had missed 1, by the state's name.
    observations
        How often each state was left, by its name, if the table counts transitions.
    notes
        What looks odd in a list that counts transitions, a line each: rows that come twice; in a log, rows that do not
        begin where the arm's row before ended.
    """

    bandit: Bandit
    divided: Mapping[str, fmpq]
    observations: Mapping[str, fmpq]
    notes: tuple[str, ...] = ()


def bandit_from_table(
    transitions: Table | Sequence[Table],
    discount: Exact,
    *,
    rewards: Table | None = None,
    initial: Sequence[int | str] | str | None = None,
    normalise: Exact = 0,
    ignore: Sequence[str] = (),
    columns: Mapping[str, str] | None = None,
) -> TableModel:
    """Return the bandit that one list of transitions describes, or a list of matrices, one an arm.

    Parameters
    ----------
    transitions
        One table, or a list of tables, each the matrix of an arm; a table with two of the columns ``arm``, ``from``,
        ``to`` is a list of transitions.
    discount
        The exact discount, ``0 <= discount < 1``.
    rewards
        A table with the columns ``arm``, ``state`` and ``reward``, if the other has none.
    initial
        One state per arm, by index from 0 or by name; or "last", where each arm is after its last row.
    normalise
        Rows of probabilities that miss 1 by at most so much are divided by their sum; all rows of counts are.
    ignore
        Columns that are not read, of one table at least.
    columns
        What the tables call the columns ``arm``, ``from``, ``to``, ``probability``, ``count``, ``reward`` or ``state``:
        ``{"arm": "machine"}``.

    Raises
    ------
    ModelError, NumberError
        Naming the table, and all states whose rows cannot be used, not only the first.

    Examples
    --------
    >>> log = {"arm": [1, 1, 1], "from": ["new", "new", "worn"], "to": ["new", "worn", "worn"], "reward": [1, 1, 0]}
    >>> made = bandit_from_table(log, "9/10")
    >>> made.bandit.arms[0].transitions, made.bandit.arms[0].rewards
    (((1/2, 1/2), (0, 1)), (1, 0))
    """
    tolerance = non_negative(normalise, "normalise")
    many = list(transitions) if isinstance(transitions, (list, tuple)) else [transitions]
    called = columns or {}
    for name in called:
        if name not in _COLUMNS:
            raise ModelError(f"columns: {name!r} is none of {', '.join(_COLUMNS)}; write as in arm=machine")
    tables = [_Table(table, number, ignore, called) for number, table in enumerate(many, start=1)]
    if not tables:
        raise ModelError("there is no table: give a list of transitions, or one matrix an arm")
    of_rewards = [] if rewards is None else [_Table(rewards, 0, ignore, called)]
    _check_named((*tables, *of_rewards), ignore, tuple(called.values()))
    chains = _Chains(tolerance)
    lists = [table for table in tables if len(_ENDS & table.columns.keys()) > 1]
    if lists and len(tables) > 1:
        raise ModelError(f"{lists[0].name}: a list of transitions has all arms; here are {len(tables)} tables")
    for number, table in enumerate(tables, start=1):
        if lists:
            _read_list(table, chains)
        else:
            _read_matrix(table, number, chains)
    for table in of_rewards:
        _read_rewards(table, chains)
    return chains.model(discount, initial, tables[0].name)


def _check_named(tables: Sequence[_Table], ignored: Sequence[str], called: Sequence[str]) -> None:
    headers = {header for table in tables for header in table.names}
    without_case = {header.lower() for header in headers}
    unknown = [name for name in ignored if name not in headers]
    unknown += [name for name in called if name.lower() not in without_case]
    if unknown:
        there = ", ".join(tables[0].names)
        raise ModelError(f"{tables[0].name}: no column is called {unknown[0]!r}; its columns are {there}")


def csv_columns(path: Path, name: str) -> dict[str, list[str]]:
    """Return the columns of a CSV file, as text; an error calls the file by `name`.

    Raises
    ------
    ModelError
        For a file that is no CSV of commas and UTF-8 text, a column that comes twice, or a row of another length.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            given, *rows = [row for row in csv.reader(file) if row] or [[]]
    except OSError as error:
        raise ModelError(f"{name}: cannot be read ({error.strerror})") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise ModelError(f"{name}: is no CSV file of UTF-8 text ({error}); save it as UTF-8") from None
    header = [cell.strip() for cell in given]
    separator = next((sign for sign in ";\t|" if len(given) == 1 and sign in given[0]), None)
    if separator is not None:
        raise ModelError(f"{name}: its columns are separated by {separator!r}; write commas")
    for number, row in enumerate(rows, start=2):
        if any("\0" in cell for cell in row):
            raise ModelError(f"{name}, row {number}: is no text, it has a null character")
    twice = next((column for column in header if header.count(column) > 1), None)
    if twice is not None:
        told = f"the column {twice!r} comes twice" if twice else "two columns have no name; name them, or delete them"
        raise ModelError(f"{name}: {told}")
    for number, row in enumerate(rows, start=2):
        if len(row) != len(header):
            raise ModelError(f"{name}, row {number}: {len(row)} cells, and the header has {len(header)}")
    return {column: [row[k] for row in rows] for k, column in enumerate(header)}


class _Table:
    """The columns of a table, as lists, and what to call it."""

    def __init__(self, source: Table, number: int, ignore: Sequence[str], called: Mapping[str, str]) -> None:
        self.name = f"table {number}" if number else "the table of rewards"
        if isinstance(source, (str, Path)):
            self.name = shortened(str(source), 80)
            source = csv_columns(Path(source), self.name)
        names = getattr(source, "column_names", None) or getattr(source, "columns", source)  # PyArrow; frames
        if isinstance(source, (bytes, int, float)) or not isinstance(names, Iterable):
            raise ModelError(f"{self.name}: {shown(source)} is no table; give a CSV file's path or a data frame")
        self.names = {str(name).strip(): name for name in names}
        self._every = {name: _plain(source[given]) for name, given in self.names.items()}
        self._headers = self._as_called([name for name in self.names if name not in ignore], called, number == 0)
        self.columns = {name: self._every[header] for name, header in self._headers.items()}
        lengths = {len(column) for column in self.columns.values()}
        if len(lengths) > 1:
            raise ModelError(f"{self.name}: its columns are of different lengths")
        if lengths != {0} and lengths:
            return
        what = "has a header and no rows" if lengths else "all its columns are left out" if self.names else "is empty"
        raise ModelError(f"{self.name}: {what}")

    def _as_called(self, headers: Sequence[str], called: Mapping[str, str], is_rewards: bool) -> dict[str, str]:
        """Return the table's headers by the names that columns have here; a state's column keeps its own."""
        ours = {theirs.lower(): name for name, theirs in called.items()}
        names = {header: ours.get(header.lower(), header.lower()) for header in headers}
        known = _COLUMNS if is_rewards or len(_ENDS & {*names.values()}) > 1 else ("reward",)
        found: dict[str, str] = {}
        for header, name in names.items():
            key = name if name in known else header
            if key in found:
                raise ModelError(
                    f"{self.name}: the columns {found[key]!r} and {header!r} are both {key}; leave one out with "
                    "--ignore (in Python: ignore=)"
                )
            found[key] = header
        return found

    def again(self, names: Sequence[str]) -> list[int]:
        """Return the rows, from 2, that equal an earlier one in these columns; for none of them, in all columns.

        Then some is not read, such as a date: otherwise rows that are equal are no surprise, and none is returned.
        """
        if not names and len(self._every) == len(self.columns):
            return []
        seen: set[tuple[str, ...]] = set()
        found = []
        columns = [self.columns[name] for name in names] or self._every.values()
        for number, row in enumerate(zip(*columns, strict=True), start=2):
            cells = tuple(map(str, row))
            if cells in seen:
                found.append(number)
            seen.add(cells)
        return found

    def rows(self, needed: Sequence[str], optional: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
        """Give the rows, all of whose columns are among these; a cell that is empty is refused."""
        known = (*needed, *optional)
        for name in needed:
            if name not in self.columns:
                raise ModelError(
                    f"{self.name}: the column {name!r} is missing; the columns are {', '.join(known)}; say what it is "
                    f"called with --columns {name}=... (in Python: columns=)"
                )
        unknown = [repr(header) for name, header in self._headers.items() if name not in known]
        if unknown:
            many, what = ("s", "them") if len(unknown) > 1 else ("", "it")
            raise ModelError(
                f"{self.name}: unknown column{many} {', '.join(unknown)}; the columns are {', '.join(known)}; leave "
                f"{what} out with --ignore (in Python: ignore=)"
            )
        for number, cells in enumerate(zip(*self.columns.values(), strict=True), start=2):
            row = dict(zip(self.columns, cells, strict=True))
            for name, cell in row.items():
                if cell is None or cell != cell or str(cell).strip() in ("", "<NA>", "NaT"):  # noqa: PLR0124  (NaN)
                    raise ModelError(f"{self.name}, row {number}: {self._headers[name]} is missing")
            yield row

    def number(self, value: object, where: str) -> fmpq:
        """Return a cell as an exact number."""
        try:
            return from_float(value.strip() if isinstance(value, str) else value)
        except BanditError as error:
            raise type(error)(f"{self.name}, {where}: {error}") from None


def _plain(column: Any) -> list[Any]:
    for method in ("to_pylist", "to_list", "tolist"):  # PyArrow; pandas, polars; NumPy
        if hasattr(column, method):
            return list(getattr(column, method)())
    return list(column)


class _Chains:
    """Transitions and rewards as they are read, by arm and state; the bandit is made when all are."""

    def __init__(self, tolerance: fmpq) -> None:
        self._tolerance = tolerance
        self.counted = False
        self.weights: dict[str, dict[str, dict[str, list[Any]]]] = defaultdict(dict)  # arm, from, to: all that is said
        self.rewards: dict[tuple[str, str], list[fmpq]] = defaultdict(list)
        self.last: dict[str, str] = {}  # where an arm is after the last row of it
        self.notes: list[str] = []
        self._bad: list[str] = []
        self._missed: list[fmpq] = []  # how far rows that --normalise would mend are from 1

    def states(self, arm: str) -> list[str]:
        """Return the states of an arm: those with moves from them in order of appearance, then those only moved to."""
        rows = self.weights[arm]
        return list(dict.fromkeys(chain(rows, chain.from_iterable(rows.values()))))

    def model(self, discount: Exact, initial: Sequence[int | str] | str | None, source: str) -> TableModel:
        """Return the bandit, or raise one error that lists all bad rows."""
        numbered = all(name.isdecimal() and name.isascii() for name in self.weights)
        order = sorted(self.weights, key=int) if numbered else list(self.weights)
        is_plain = order == [str(k) for k in range(1, len(order) + 1)]
        arms, missed, sums = [], {}, {}
        for a, name in enumerate(order):
            states = self.states(name)
            rewards, rows = [], []
            for x, state in enumerate(states):
                where = f"arm {name}, state {state}"
                row, missed[a, x], sums[a, x] = self._row(self.weights[name].get(state, {}), where)
                rows.append({states.index(y): p for y, p in row.items()})
                rewards.append(self._reward(name, state, where))
            if not self._bad:
                labels = states if is_plain else [f"{name} {state}" for state in states]
                arms.append(Arm(rewards=rewards, transitions=rows, states=labels))
        if self._bad:
            said = "; ".join(self._bad[:_LARGEST_ERROR]) + ("; ..." if len(self._bad) > _LARGEST_ERROR else "")
            if self._missed:
                said += f"; --normalise {decimal_text(max(self._missed), 6)} would divide rows by their sums"
            raise ModelError(f"{source}: {said if len(self._bad) == 1 else f'{len(self._bad)} faults: {said}'}")
        if initial == "last":
            if not self.last:
                raise ModelError(f"{source}: only a log has a last row of each arm; give one initial state per arm")
            initial = [self.states(name).index(self.last[name]) for name in order]
        bandit = Bandit(arms, discount, initial)
        return TableModel(
            bandit,
            {bandit.name(state): difference for state, difference in missed.items() if difference},
            {bandit.name(state): total for state, total in sums.items()} if self.counted else {},
            tuple(self.notes),
        )

    def _row(self, entries: dict[str, list[Any]], where: str) -> tuple[dict[str, fmpq], fmpq, fmpq]:
        """Return the row divided by its sum, the distance of that sum from 1, and the sum."""
        if not entries:
            self._bad.append(f"{where}: no row leaves it; add one, or leave out what leads there")
            return {}, ZERO, ZERO
        if not self.counted and any(len(given) > 1 for given in entries.values()):
            to = next(y for y, given in entries.items() if len(given) > 1)
            self._bad.append(f"{where}: the probability of {to} is given twice")
            return {}, ZERO, ZERO
        exact = {y: sum(map(from_float, given), ZERO) for y, given in entries.items()}
        total = sum(exact.values(), ZERO)
        missed = total - ONE
        if min(exact.values()) < 0:
            self._bad.append(f"{where}: {'count' if self.counted else 'probability'} {min(exact.values())} is negative")
        elif total and (self.counted or (missed and abs(missed) <= self._tolerance)):
            return {y: p / total for y, p in exact.items()}, ZERO if self.counted else missed, total
        elif missed:
            try:  # floats may miss 1 by rounding
                row = row_from_floats([given[0] for given in entries.values()])
                return dict(zip(entries, row, strict=True)), ZERO, total
            except ModelError:
                advice = "" if self.counted else f", off by {decimal_text(missed, 6)}"
                self._missed += [abs(missed)] * (abs(missed) <= _ROUNDING)
                self._bad.append(f"{where}: row sums to {decimal_text(total, 10)}, not 1{advice}")
        return exact, ZERO, total

    def _reward(self, arm: str, state: str, where: str) -> fmpq:
        given = self.rewards.get((arm, state), [])
        if not given:
            self._bad.append(f"{where}: no reward is given (a column reward, or --rewards)")
            return ZERO
        return sum(given, ZERO) / len(given)


def _read_list(table: _Table, chains: _Chains) -> None:
    weights = [name for name in _WEIGHTS if name in table.columns]
    if len(weights) > 1:
        raise ModelError(f"{table.name}: the columns probability and count are both there; leave one out")
    chains.counted = weights != ["probability"]
    is_log = not weights
    broken: list[str] = []
    for number, row in enumerate(table.rows(("arm", "from", "to"), (*_WEIGHTS, "reward")), start=2):
        arm, state, to = (str(row[name]).strip() for name in ("arm", "from", "to"))
        weight = row[weights[0]] if weights else 1
        table.number(weight, f"row {number}")
        if chains.last.get(arm, state) != state:
            broken.append(f"row {number}: arm {arm} from {state}, after {chains.last[arm]}")
        entries = chains.weights[arm].setdefault(state, {})
        if is_log:
            chains.last[arm] = to
        entries.setdefault(to, []).append(weight.strip() if isinstance(weight, str) else weight)
        if "reward" in row:
            known, reward = chains.rewards[arm, state], table.number(row["reward"], f"row {number}")
            if is_log or not known:
                known.append(reward)
            elif known[0] != reward:
                where = f"{table.name}, row {number}: arm {arm}, state {state}"
                raise ModelError(f"{where}: its reward is {reward} here and {known[0]} before")
    chains.notes += [f"{table.name}: {note}" for note in _notes(table, chains.counted, is_log, broken)]
    chains.notes += [
        f"{table.name}: {note}" for arm in chains.weights for note in _nearly_alike(arm, chains.states(arm))
    ]


def _notes(table: _Table, counted: bool, is_log: bool, broken: Sequence[str]) -> Iterator[str]:
    """Say what looks odd in a list of transitions: rows that come twice, and a log's rows that do not follow on."""
    if is_log and (again := table.again(())):
        yield f"{_rows(again)} equal to an earlier one, what is left out too; each counts"
    elif counted and not is_log and (again := table.again(("arm", "from", "to"))):
        yield f"{_rows(again)} of a transition that was counted before; counts are added"
    if is_log and broken:
        places = "1 place" if len(broken) == 1 else f"{len(broken)} places"
        yield (
            f"in {places} an arm does not go on from where its row before ended, first in {broken[0]}; rows are "
            "missing or out of order there"
        )


def _nearly_alike(arm: str, states: Sequence[str]) -> Iterator[str]:
    """Name the states of an arm that differ in case or blanks alone: they may be one, mistyped."""
    known: dict[str, str] = {}
    for state in states:
        first = known.setdefault("".join(state.lower().split()), state)
        if first != state:
            yield f"arm {arm} has the states {first} and {state}, which differ in case or blanks alone"


def _rows(numbers: Sequence[int]) -> str:
    return f"row {numbers[0]} is" if len(numbers) == 1 else f"{len(numbers)} rows, the first of them {numbers[0]}, are"


def _read_matrix(table: _Table, number: int, chains: _Chains) -> None:
    first, *others = table.columns
    names = [name for name in others if name != "reward"]
    if not {str(each).strip() for each in table.columns[first]} & {*names}:
        raise ModelError(
            f"{table.name}: neither a list of transitions, with columns arm, from and to, nor the matrix of an arm, "
            f"with a column for each state; its columns are {', '.join(table.names)}; say which is which with "
            "--columns arm=...,from=...,to=... (in Python: columns=)"
        )
    for at, row in enumerate(table.rows((first, *names), ("reward",)), start=2):
        state = str(row[first]).strip()
        if state in chains.weights[str(number)]:
            raise ModelError(f"{table.name}, row {at}: state {state} comes twice")
        if state not in names:
            raise ModelError(f"{table.name}, row {at}: state {state} has no column; the columns are {', '.join(names)}")
        for name in names:
            table.number(row[name], f"row {at}, column {name}")
        chains.weights[str(number)][state] = {name: [row[name]] for name in names}
        if "reward" in row:
            chains.rewards[str(number), state].append(table.number(row["reward"], f"row {at}"))


def _read_rewards(table: _Table, chains: _Chains) -> None:
    for number, row in enumerate(table.rows(("arm", "state", "reward")), start=2):
        arm, state = str(row["arm"]).strip(), str(row["state"]).strip()
        if arm not in chains.weights or state not in chains.states(arm):
            raise ModelError(f"{table.name}, row {number}: no transition has state {state} of arm {arm}")
        if chains.rewards[arm, state]:
            raise ModelError(f"{table.name}, row {number}: arm {arm}, state {state} has a reward already")
        chains.rewards[arm, state].append(table.number(row["reward"], f"row {number}"))

"""Tables as columns of cells: CSV files, data frames (pandas, polars, PyArrow), and mappings from names to lists.

Every error names the table and the row, counted from 2 as in a file with a header.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any, Final, TypeAlias

from flint import fmpq

from theory.errors import BanditError, ModelError, NumberError, shortened, shown
from theory.rounding import from_float

Table: TypeAlias = Any
"""The path of a CSV file; a data frame of pandas, polars or PyArrow; or a mapping from columns to lists."""

_TABLES: Final = "give a CSV file's path, a data frame, or a dict from columns to lists"
_MOST_LISTED: Final = 5  # faults or columns that an error lists in full
COLUMNS: Final = ("arm", "kind", "from", "to", "probability", "count", "reward", "state", "time")
_NAMES: Final = ("arm", "kind", "from", "to", "state")
WEIGHTS: Final = ("probability", "count")
_NUMBERS: Final = (*WEIGHTS, "reward", "time")  # other columns may have a state that is called NA
_MOVES: Final = {"arm", "from", "to"}
_TIMES: Final = {"arm", "time", "state"}
_PACKED: Final = {
    b"\x1f\x8b": "is packed by gzip; unpack it",
    b"BZh": "is packed by bzip2; unpack it",
    b"\xfd7zXZ": "is packed by xz; unpack it",
    b"\x28\xb5\x2f\xfd": "is packed by zstd; unpack it",
    b"PK": "is a spreadsheet or a zip archive; save the table as CSV, or unpack it",
    b"PAR1": "is a Parquet file; write it as CSV, or read it as a data frame for theory.bandit_from_table",
}


def several(faults: Sequence[str]) -> str:
    """Return the first few faults in one line, and the number of the others."""
    more = [f"and {len(faults) - _MOST_LISTED} more"] if len(faults) > _MOST_LISTED else []
    return "; ".join([*faults[:_MOST_LISTED], *more])


def listed(names: Sequence[str]) -> str:
    """Return the first few names of columns, and their number if there are more, as in a transposed table."""
    more = [f"... ({len(names)} columns)"] if len(names) > _MOST_LISTED else []
    return ", ".join([*names[:_MOST_LISTED], *more])


def csv_columns(path: Path, name: str) -> dict[str, list[str]]:
    """Return the columns of a CSV file as text; errors call the file `name`.

    Raise `ModelError` for a file that is no CSV of commas and UTF-8 text, a column that comes twice, or a row of
    another length.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            given, *rows = [row for row in csv.reader(file) if row] or [[]]
    except OSError as error:
        raise ModelError(f"{name}: cannot be read ({error.strerror})") from None
    except (UnicodeDecodeError, csv.Error) as error:
        start = path.read_bytes()[:8]
        packed = next((told for sign, told in _PACKED.items() if start.startswith(sign)), None)
        raise ModelError(f"{name}: {packed or f'is no CSV file of UTF-8 text ({error}); save it as UTF-8'}") from None
    header = [cell.strip() for cell in given]
    if header[:1] and header[0].startswith("{"):
        raise ModelError(f"{name}: is no table; if it is a model file, python -m theory indices reads it")
    separator = next((sign for sign in ";\t|" if len(given) == 1 and sign in given[0]), None)
    if separator is not None:
        remedy = "; pandas.read_csv(..., sep=';', decimal=',') reads it" if separator == ";" else ""
        raise ModelError(f"{name}: its columns are separated by {separator!r}; write commas{remedy}")
    for number, row in enumerate(rows, start=2):
        if any("\0" in cell for cell in row):
            raise ModelError(f"{name}, row {number}: is no text, it has a null character")
    _refuse_repeats(header, name)
    for number, row in enumerate(rows, start=2):
        if row == given:
            raise ModelError(f"{name}, row {number}: the header again, as where files were joined; delete the row")
        if len(row) != len(header):
            raise ModelError(f"{name}, row {number}: {len(row)} cells, and the header has {len(header)}")
    return {column: [row[k] for row in rows] for k, column in enumerate(header)}


def _refuse_repeats(header: Sequence[str], name: str) -> None:
    twice = next((column for column in header if header.count(column) > 1), None)
    if twice is not None:
        told = f"the column {twice!r} comes twice" if twice else "two columns have no name; name them, or delete them"
        raise ModelError(f"{name}: {told}")


def _columns(source: Table, name: str) -> dict[str, list[Any]]:
    """Return the columns of a data frame or a mapping; a groupby, a series or a list of rows is refused."""
    if hasattr(type(source), "column_names"):  # a PyArrow table
        names = list(source.column_names)
    elif isinstance(source, Mapping):
        names = list(source)
    elif hasattr(type(source), "columns") and not hasattr(source, "collect"):  # a lazy frame has no cells yet
        names = list(source.columns)
    else:
        raise ModelError(f"{name}: it is of type {type(source).__name__}, and no table; {_TABLES}")
    header = [str(each).strip() for each in names]
    _refuse_repeats(header, name)
    where = f"{name}: the column"
    return {column: _plain(source[each], f"{where} {column!r}") for column, each in zip(header, names, strict=True)}


def _plain(column: Any, where: str) -> list[Any]:
    for method in ("to_pylist", "to_list", "tolist"):  # of PyArrow; of pandas and polars; of NumPy
        if hasattr(column, method):
            column = getattr(column, method)()
            break
    if isinstance(column, (str, bytes, Mapping)) or not isinstance(column, Iterable):
        raise ModelError(f"{where} is {shown(column)}, and no list; {_TABLES}")
    return list(column)


def _is_missing(cell: object, column: str) -> bool:
    """Return whether a cell is empty, None, NaN, or NA or NaT of pandas; or text such as n/a in a column of numbers.

    NA is recognised by its text, since comparisons with it are neither true nor false.
    """
    text = str(cell).strip()
    if isinstance(cell, str) and column not in _NUMBERS:
        return text in ("", "<NA>", "NaT")
    return text.lower() in ("", "<na>", "nat", "na", "n/a", "none", "null", "nan", "snan")


def name_of(cell: object) -> str:
    """Return a cell as the name of an arm or a state; a whole float was an integer in a column with missing cells.

    Examples
    --------
    >>> name_of(2.0), name_of(2), name_of(" 2.0 "), name_of(2.5)
    ('2', '2', '2.0', '2.5')
    """
    return str(int(cell)) if isinstance(cell, float) and cell.is_integer() else str(cell).strip()


def time_of(cell: object) -> tuple[str, fmpq]:
    """Return the kind of time in a cell, and the time: a number, or an ISO date in days since 1970.

    Examples
    --------
    >>> time_of("7"), time_of("1970-01-08"), time_of("1970-01-08T12:00"), time_of(date(1970, 1, 8))
    (('a number', 7), ('a date', 7), ('a date', 15/2), ('a date', 7))
    """
    try:
        return "a number", from_float(cell.strip() if isinstance(cell, str) else cell)
    except NumberError:
        try:
            day = datetime.fromisoformat(cell.strip()) if isinstance(cell, str) else cell
        except ValueError:
            day = None
    if isinstance(day, date) and not isinstance(day, datetime):
        day = datetime.combine(day, time())
    if not isinstance(day, datetime):
        raise ModelError(f"{shown(cell)} is neither a number nor a date such as 2024-05-31")
    has_zone = day.tzinfo is not None
    since = day - datetime(1970, 1, 1, tzinfo=UTC if has_zone else None)
    days = fmpq(since // timedelta(microseconds=1), 86_400_000_000)
    return "a date with a time zone" if has_zone else "a date", days


class TableReader:
    """The columns of a table as lists, its name, and its kind.

    The kind is "rewards"; "moves", a list of transitions; "times", a row per arm and time; or "matrix". Messages
    number rows from 2 in a file, below its header, and from 0 in a data frame, as `iloc` counts.
    """

    def __init__(
        self,
        source: Table,
        number: int,
        ignore: Sequence[str],
        called: Mapping[str, str],
        *,
        skips_rewards: bool = False,
    ) -> None:
        self.skips_rewards = skips_rewards
        self.first_row = 2 if isinstance(source, (str, Path)) else 0
        self.name = f"table {number}" if number else "the table of rewards"
        if isinstance(source, (str, Path)):
            self.name = shortened(str(source), 80)
            source = csv_columns(Path(source), self.name)
        self._every = _columns(source, self.name)
        self.names = list(self._every)
        self.headers = self._as_called([name for name in self.names if name not in ignore], called, number == 0)
        self.columns = {name: self._every[header] for name, header in self.headers.items()}
        # each row was observed once, so that rewards are averaged
        self.is_log = self.kind == "times" or (self.kind == "moves" and self.columns.keys().isdisjoint(WEIGHTS))
        lengths = {len(column) for column in self.columns.values()}
        if len(lengths) > 1:
            raise ModelError(f"{self.name}: its columns are of different lengths")
        if lengths != {0} and lengths:
            return
        what = "has a header and no rows" if lengths else "all its columns are left out" if self._every else "is empty"
        raise ModelError(f"{self.name}: {what}")

    def _as_called(self, headers: Sequence[str], called: Mapping[str, str], is_rewards: bool) -> dict[str, str]:
        """Return the table's headers, each by its standard name or, without one (as for a state), by itself."""
        ours = {theirs.lower(): name for name, theirs in called.items()}
        names = {header: ours.get(header.lower(), header.lower()) for header in headers}
        self.kind = "rewards" if is_rewards else _kind({*names.values()})
        known = ("reward",) if self.kind == "matrix" else COLUMNS
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
        """Return the rows, from 2, that equal an earlier row in the columns `names` (in all columns if empty).

        Return none unless a column is a time, or is not read: otherwise equal rows are no surprise.
        """
        if not names and len(self._every) == len(self.columns) and "time" not in self.columns:
            return []
        seen: set[tuple[str, ...]] = set()
        found = []
        columns = [self.columns[name] for name in names] or self._every.values()
        for number, row in enumerate(zip(*columns, strict=True), start=self.first_row):
            cells = tuple(map(str, row))
            if cells in seen:
                found.append(number)
            seen.add(cells)
        return found

    def rows(self, needed: Sequence[str], optional: Sequence[str] = ()) -> Iterator[dict[str, Any]]:
        """Yield the rows, whose columns must be among these; one error lists all empty cells."""
        known = (*needed, *optional)
        wanted = f"the columns wanted are {', '.join(known)}"
        for name in needed:
            if name not in self.columns:
                advice = f"say what it is called with --columns {name}=... (in Python: columns=)"
                if name == "to":
                    advice += "; a log of one row for each arm and time has arm, time, state"
                if name == "kind" and "arm" in self.columns:
                    advice = (
                        "arms of one kind share their rewards: give a row for each kind and state, not for each arm"
                    )
                raise ModelError(f"{self.name}: the column {name!r} is missing; {wanted}; {advice}")
        unknown = [repr(header) for name, header in self.headers.items() if name not in known]
        if unknown:
            many, what = ("s", "them") if len(unknown) > 1 else ("", "it")
            raise ModelError(
                f"{self.name}: unknown column{many} {', '.join(unknown)}; {wanted}; leave {what} out with --ignore "
                "(in Python: ignore=)"
            )
        self._refuse_missing()
        names = [name for name in _NAMES if name in self.columns]
        for number, cells in enumerate(zip(*self.columns.values(), strict=True), start=self.first_row):
            row = dict(zip(self.columns, cells, strict=True))
            if self.skips_rewards and _is_missing(row.get("reward", 0), "reward"):
                del row["reward"]
            for name in names:
                if "," in str(row[name]):
                    raise ModelError(
                        f"{self.name}, row {number}: {self.headers[name]} {shown(row[name])} has a comma, which "
                        "separates names; write another character"
                    )
            yield row

    def _refuse_missing(self) -> None:
        places = sorted(  # rewards last: a log may do without some
            (name == "reward", number, self.headers[name])
            for name, cells in self.columns.items()
            for number, cell in enumerate(cells, start=self.first_row)
            if _is_missing(cell, name) and not (self.skips_rewards and name == "reward")
        )
        found = [(number, header) for _, number, header in places]
        of_rewards = self.is_log and any(is_reward for is_reward, *_ in places)
        advice = of_rewards * (
            "; or average the rewards that are there (--skip-missing-rewards; in Python: skip_missing_rewards=True)"
        )
        if len(found) == 1:
            number, header = found[0]
            raise ModelError(
                f"{self.name}, row {number}: {header} is missing; fill it in, or leave the row out{advice}"
            )
        if found:
            told = several([f"row {number}: {header}" for number, header in found])
            what = f"{len(found)} cells are missing: {told}"
            raise ModelError(f"{self.name}: {what}; fill them in, or leave these rows out{advice}")

    def number(self, value: object, where: str) -> fmpq:
        """Return a cell as an exact number."""
        try:
            return from_float(value.strip() if isinstance(value, str) else value)
        except BanditError as error:
            raise type(error)(f"{self.name}, {where}: {error}") from None


def _kind(names: set[str]) -> str:
    if "time" in names and "to" not in names and len(_TIMES & names) > 1:
        return "times"
    return "moves" if len(_MOVES & names) > 1 else "matrix"

"""A bandit from tables: a list of transitions, a log of states, or one matrix an arm; from CSV files or data frames.

A *list of transitions* has the columns ``arm``, ``from``, ``to``, and at most one of ``probability`` and ``count``;
with neither it is a log, with one row per observed transition, oldest first unless a column ``time`` gives their order.
An optional column ``reward`` is the reward of playing the arm in ``from``: the same in all rows of a state, or averaged
if the table is a log. A *log of states* has the
columns ``arm``, ``time``, ``state`` and optionally ``reward``, and one row per arm and time: each row of an arm leads
to the arm's next row in time. Logs and counts may have a column ``kind``: arms of one kind share the rows and rewards
that all their observations give, and have the same states. A *matrix* has a row and a column per state, row names in
the first column, and optionally a column ``reward``. Names of columns, but not of states, are compared without regard
to case.

Numbers are exact: text is read as written, and floats of a data frame as in `theory.rounding`. Rows of probabilities
that do not sum to 1 are refused, unless `normalise` allows to divide them by their sum.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, Final

from flint import fmpq

from theory.domain import non_negative
from theory.errors import ModelError, NumberError, shown
from theory.model import Arm, Bandit
from theory.rationals import ONE, ZERO, Exact, decimal_text, rational
from theory.rounding import from_float, row_from_floats
from theory.table import COLUMNS, WEIGHTS, Table, TableReader, listed, name_of, several, time_of

_ROUNDING: Final = fmpq(1, 100)  # largest distance of a row from 1 at which the error suggests --normalise
_ENOUGH: Final = 10  # rewards of a state of which one is noted that is _FAR times as far off as any other
_FAR: Final = 5
_UNLEFT: Final = "where no row leaves a state, add one, or leave out the rows that lead there"
_POOL: Final = "; or give each arm its kind in a column kind (--columns kind=...): arms of one kind share their rows"


@dataclass(frozen=True)
class TableModel:
    """A bandit made from tables, with a report on the tables.

    Attributes
    ----------
    bandit
        Arms in the order of their names if these are integers, otherwise in order of appearance. Unless the names are
        1, 2, ..., n, each arm has its name, and a state's name begins with it: ``M07 worn``.
    divided
        For each row that was divided by its sum, by the state's name: the distance of that sum from 1.
    observations
        How often each state was left, by its name, if the table counts transitions; with kinds, how often the arms of
        a kind left it together, by kind and state: ``lathe worn``.
    notes
        Oddities in a list that counts transitions, one line each: rows that come twice; in a log, rows that do not
        begin where the arm's row before ended, and gaps in time; arms, kinds or states that differ in spelling alone;
        arms with less than a tenth of the usual rows; a reward, of ten or more of a state in a log, that is five times
        as far from their median as any other; states that one arm of three or more has; without kinds, states that one
        arm lacks or never changes from, though others do.
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
    ignore: Sequence[str] | str = (),
    columns: Mapping[str, str] | None = None,
    gaps: str | None = None,
    skip_missing_rewards: bool = False,
) -> TableModel:
    """Return the bandit that one list of transitions or one log describes, or a list of matrices, one per arm.

    Parameters
    ----------
    transitions
        One table, or a list of matrices, one per arm. A table with two of the columns ``arm``, ``from``, ``to`` is a
        list of transitions; the rows of a log are taken in the order of its column ``time``, or else as they stand. A
        table with ``time`` and ``arm`` or ``state``, but not ``to``, is a log of states with one row per arm and time:
        times are numbers or ISO dates at equal distances, and each row of an arm leads to the arm's next row in time.
        The reward of the last row counts too.
    discount
        The exact discount, ``0 <= discount < 1``.
    rewards
        A table with the columns ``arm`` (``kind``, if `transitions` has kinds), ``state`` and ``reward``, if
        `transitions` has no rewards.
    initial
        One state per arm, by index from 0 or by name; or "last" for the state of each arm after its last row.
    normalise
        Rows of probabilities whose sum misses 1 by at most this are divided by the sum; rows of counts always are.
    ignore
        Columns to leave out, each in at least one table; or the name of one column. Columns that the table `rewards`
        must have are left out of `transitions` only.
    columns
        The tables' names for the columns ``arm``, ``kind``, ``from``, ``to``, ``probability``, ``count``, ``reward``,
        ``state`` or ``time``: ``{"arm": "machine", "time": "week"}``.
    gaps
        Meaning of a step of another length in a log of states: "break", no transition, or "join", one transition, as
        the arm stood still in between. By default such steps are refused.
    skip_missing_rewards
        In a log, take the mean reward of a state over its rows that have a reward; transitions are of all rows, and a
        note counts the others. By default missing rewards are refused, as other missing cells always are.

    Raises
    ------
    ModelError, NumberError
        The error names the table and all states with unusable rows.

    Examples
    --------
    >>> log = {"arm": [1, 1, 1], "from": ["new", "new", "worn"], "to": ["new", "worn", "worn"], "reward": [1, 1, 0]}
    >>> made = bandit_from_table(log, "9/10")
    >>> made.bandit.arms[0].transitions, made.bandit.arms[0].rewards
    (((1/2, 1/2), (0, 1)), (1, 0))
    >>> log = {"machine": [1] * 4, "week": range(4), "state": ["new", "new", "worn", "worn"], "profit": [1, 1, 0, 0]}
    >>> named = {"arm": "machine", "time": "week", "reward": "profit"}
    >>> bandit_from_table(log, "9/10", columns=named).bandit == made.bandit
    True
    >>> log = {"arm": ["A", "A", "B", "B"], "kind": ["lathe"] * 4, "time": [1, 2, 1, 2], "reward": [1, 0, 1, 1]}
    >>> made = bandit_from_table(log | {"state": ["new", "worn", "worn", "new"]}, "9/10", initial="last")
    >>> made.bandit.initial, made.bandit.arms[1].transitions, made.bandit.arms[1].states, made.observations
    ((1, 0), ((0, 1), (1, 0)), ('B new', 'B worn'), {'lathe new': 1, 'lathe worn': 1})
    """
    tolerance = non_negative(normalise, "normalise")
    many = list(transitions) if isinstance(transitions, (list, tuple)) else [transitions]
    if not isinstance(ignore, Iterable):
        raise ModelError(f"ignore: {shown(ignore)} is no list of columns, such as ['week']")
    if not isinstance(columns, Mapping | None):
        raise ModelError(f"columns: {shown(columns)} is no dict, such as {{'arm': 'machine'}}")
    ignored = [ignore] if isinstance(ignore, str) else [str(name) for name in ignore]
    called = {name: str(theirs) for name, theirs in (columns or {}).items()}
    for name in called:
        if name not in COLUMNS:
            advice = "negate costs, and name them reward" if "cost" in name.lower() else "write as in arm=machine"
            raise ModelError(f"columns: {name!r} is none of {', '.join(COLUMNS)}; {advice}")
    tables = [
        TableReader(table, number, ignored, called, skips_rewards=skip_missing_rewards)
        for number, table in enumerate(many, start=1)
    ]
    if not tables:
        raise ModelError("there is no table: give a list of transitions, or one matrix an arm")
    word = "kind" if "kind" in tables[0].columns else "arm"
    needed = {called.get(name, name).lower() for name in (word, "state", "reward")}
    left_out = [name for name in ignored if name.lower() not in needed]
    of_rewards = [] if rewards is None else [TableReader(rewards, 0, left_out, called)]
    _check_named((*tables, *of_rewards), ignored, tuple(called.values()))
    chains = _Chains(tolerance)
    of_all = next((table for table in tables if table.kind != "matrix"), None)
    if of_all is not None and len(tables) > 1:
        raise ModelError(
            f"{of_all.name}: a list of transitions has all arms in one table; {len(tables)} are given: "
            "append the rows of a new log to those of the old one"
        )
    if gaps not in (None, "break", "join"):
        raise ModelError(f"gaps: {gaps!r} is none of break, join")
    if gaps is not None and tables[0].kind != "times":
        raise ModelError("gaps: is for a log of states, with arm, time, state")
    if skip_missing_rewards and not tables[0].is_log:
        raise ModelError("skip_missing_rewards: is for a log, whose rewards are averaged")
    for number, table in enumerate(tables, start=1):
        if table.kind == "moves":
            _read_moves(table, chains)
        elif table.kind == "times":
            _read_times(table, chains, gaps)
        else:
            _read_matrix(table, number, chains)
    chains.notes += [f"{tables[0].name}: {note}" for note in chains.unpaid_rows()]
    for table in of_rewards:
        _read_rewards(table, chains)
    return chains.model(discount, initial, tables[0].name)


def _check_named(tables: Sequence[TableReader], ignored: Sequence[str], called: Sequence[str]) -> None:
    headers = {header for table in tables for header in table.names}
    without_case = {header.lower() for header in headers}
    unknown = [name for name in ignored if name not in headers]
    unknown += [name for name in called if name.lower() not in without_case]
    if unknown:
        told = f"no column is called {unknown[0]!r}; its columns are {listed(tables[0].names)}"
        told += "; give --ignore once for each column" * ("," in unknown[0])
        raise ModelError(f"{tables[0].name}: {told}")


class _Chains:
    """Transitions and rewards by kind and state, collected while tables are read; then the source of the bandit.

    Without a column kind each arm is a kind of its own, of the same name.
    """

    def __init__(self, tolerance: fmpq) -> None:
        self._tolerance = tolerance
        self.counted = False
        self.word = "arm"  # or "kind", what rows and rewards are of
        self.kinds: dict[str, str] = {}  # by arm, in order of appearance
        self.left: dict[str, Counter[str]] = defaultdict(Counter)  # number of rows, by arm and state
        self.weights: dict[str, dict[str, dict[str, list[Any]]]] = defaultdict(dict)  # by kind, from and to
        self.rewards: dict[tuple[str, str], list[fmpq]] = defaultdict(list)
        self.unpaid: Counter[tuple[str, str]] = Counter()  # rows without a reward, by kind and state
        self.last: dict[str, str] = {}  # the state of each arm after its last row
        self.notes: list[str] = []
        self._bad: list[str] = []
        self._missed: list[fmpq] = []  # distances from 1 of rows that --normalise would accept
        self._unleft = False  # whether no row leaves some state
        self.dropped = ""  # told of arms that no transition is known of

    def enter(self, row: Mapping[str, Any], where: str) -> tuple[str, str]:
        """Return the arm and the kind that a row names; an arm of two kinds is refused."""
        arm = name_of(row["arm"])
        if "kind" in row:
            self.word = "kind"
        kind = name_of(row[self.word])
        if self.kinds.setdefault(arm, kind) != kind:
            raise ModelError(f"{where}: arm {arm} is of kind {kind} here and of kind {self.kinds[arm]} before")
        self.left[arm][name_of(row["from" if "from" in row else "state"])] += 1
        return arm, kind

    def states(self, kind: str) -> list[str]:
        """Return the states of a kind in order of appearance: first those that rows leave, then those only reached."""
        rows = self.weights[kind]
        return list(dict.fromkeys(chain(rows, chain.from_iterable(rows.values()))))

    def model(self, discount: Exact, initial: Sequence[int | str] | str | None, source: str) -> TableModel:
        """Return the bandit, or raise one error that lists all bad rows."""
        numbered = all(name.isdecimal() and name.isascii() for name in self.kinds)
        order = sorted(self.kinds, key=int) if numbered else list(self.kinds)
        is_plain = order == [str(k) for k in range(1, len(order) + 1)]
        states = {kind: self.states(kind) for kind in dict.fromkeys(self.kinds[name] for name in order)}
        rows: dict[str, list[dict[int, fmpq]]] = defaultdict(list)
        rewards, missed, sums = defaultdict(list), {}, {}
        for kind, names in states.items():
            for state in names:
                where = f"{self.word} {kind}, state {state}"
                row, missed[kind, state], sums[kind, state] = self._row(self.weights[kind].get(state, {}), where)
                rows[kind].append({names.index(y): p for y, p in row.items()})
                rewards[kind].append(self._reward(kind, state, where) if row else ZERO)
        if self._bad:
            said = several(self._bad)
            if self._missed:
                said += f"; --normalise {decimal_text(max(self._missed), 6)} would divide rows by their sums"
            if self._unleft:
                alike = next((note for kind in states for note in self.nearly_alike(kind)), "")
                said += f"; {alike or self.dropped or _UNLEFT + _POOL * (self.counted and self.word == 'arm')}"
            raise ModelError(f"{source}: {said if len(self._bad) == 1 else f'{len(self._bad)} faults: {said}'}")
        if initial == "last":
            if not self.last:
                raise ModelError(f"{source}: only a log has a last row of each arm; give one initial state per arm")
            initial = [states[self.kinds[name]].index(self.last[name]) for name in order]
        arms = []
        for name in order:
            kind, arm_name = self.kinds[name], "" if is_plain else name
            labels = [f"{arm_name} {state}".strip() for state in states[kind]]
            arms.append(Arm(rewards=rewards[kind], transitions=rows[kind], states=labels, name=arm_name))
        bandit = Bandit(arms, discount, initial)
        if self.counted:
            found = (
                *self._unlike_arms(),
                *self._unlike_rewards(),
                *(self._comparisons(states) if self.word == "arm" else ()),
            )
            self.notes += [f"{source}: {note}" for note in found]
        called = {
            (self.kinds[name], state): bandit.name((a, x)) if self.word == "arm" else f"{self.kinds[name]} {state}"
            for a, name in enumerate(order)
            for x, state in enumerate(states[self.kinds[name]])
        }
        return TableModel(
            bandit,
            {called[state]: difference for state, difference in missed.items() if difference},
            {called[state]: total for state, total in sums.items()} if self.counted else {},
            tuple(self.notes),
        )

    def _unlike_arms(self) -> Iterator[str]:
        """Yield notes on arms that have less than a tenth of the usual rows, or leave a state alone."""
        rows = {arm: states.total() for arm, states in self.left.items()}
        usual = sorted(rows.values())[len(rows) // 2]
        if few := [f"arm {arm} has {n} row{'s' * (n > 1)}" for arm, n in rows.items() if 10 * n < usual]:
            yield f"few rows, where a usual arm has {usual}: {several(few)}; correct the names if they are mistyped"
        arms: dict[str, list[str]] = defaultdict(list)  # that should have the same states
        for arm, kind in self.kinds.items():
            arms[kind if self.word == "kind" else ""].append(arm)
        owners = {kind: Counter(x for arm in group for x in self.left[arm]) for kind, group in arms.items()}
        if odd := [
            f"only arm {arm} has state {x}"
            for kind, group in arms.items()
            for arm in group
            if len(group) > 2 and any(2 * owners[kind][x] > len(group) for x in self.left[arm])
            for x in self.left[arm]
            if owners[kind][x] == 1
        ]:
            yield f"{several(odd)}; correct the states if they are mistyped"

    def _unlike_rewards(self) -> Iterator[str]:
        """Yield a note on rewards, of ten or more of a state, five times as far from the median as any other."""
        odd = []
        for (kind, state), rewards in self.rewards.items():
            if len(rewards) < _ENOUGH:
                continue
            middle = sorted(rewards)[len(rewards) // 2]
            *_, other, far = sorted(rewards, key=lambda reward: abs(reward - middle))
            if abs(far - middle) > _FAR * abs(other - middle):
                told = f"{decimal_text(far, 6)}, where the median is {decimal_text(middle, 6)}"
                odd.append(f"{self.word} {kind}, state {state}: {told}")
        if odd:
            yield f"rewards far from all others of their state: {several(odd)}; correct them if they are mistyped"

    def _comparisons(self, states: Mapping[str, Sequence[str]]) -> Iterator[str]:
        """Yield notes on states that an arm never changes from, or lacks, though others do not."""
        places = [(arm, x) for arm, names in states.items() for x in names]
        stays = {(arm, x) for arm, x in places if set(self.weights[arm][x]) == {x}}
        changes = {x for arm, x in places if (arm, x) not in stays}
        if odd := [f"arm {arm}, state {x}" for arm, x in places if (arm, x) in stays and x in changes]:
            yield f"each row that leaves these states stays there, though other arms change: {several(odd)}"
        usual = [x for x, owners in Counter(x for _, x in places).items() if 2 * owners > len(states)]
        known = set(places)
        lacking = {arm: [x for x in usual if (arm, x) not in known] for arm in states}
        if odd := [f"arm {arm} lacks {', '.join(missing)}" for arm, missing in lacking.items() if missing]:
            yield f"some arms lack states that most have: {several(odd)}"

    def unpaid_rows(self) -> Iterator[str]:
        """Yield a note on rows of a log without a reward, if there are some."""
        if missing := self.unpaid.total():
            paid = {state: len(self.rewards[state]) for state in {**self.rewards, **self.unpaid}}
            kind, state = least = min(paid, key=paid.__getitem__)
            yield (
                f"rows without a reward: {missing} of {sum(paid.values()) + missing}; they count as transitions alone; "
                f"fewest rewards has {self.word} {kind}, state {state}: {paid[least]} in "
                f"{paid[least] + self.unpaid[least]} rows"
            )

    def nearly_alike(self, kind: str) -> Iterator[str]:
        """Yield notes on states of a kind that differ only in case or blanks, or are the same number."""
        return (f"{self.word} {kind} has the states {told}" for told in _nearly_alike(self.states(kind)))

    def _row(self, entries: dict[str, list[Any]], where: str) -> tuple[dict[str, fmpq], fmpq, fmpq]:
        """Return the row divided by its sum, the distance of that sum from 1, and the sum."""
        if not entries:
            self._bad.append(f"{where}: no row leaves it")
            self._unleft = True
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
            try:  # the sum of floats may miss 1 by rounding
                row = row_from_floats([given[0] for given in entries.values()])
                return dict(zip(entries, row, strict=True)), ZERO, total
            except ModelError:
                percent = "; divide percentages by 100" if total == 100 else f", off by {decimal_text(missed, 6)}"
                advice = "" if self.counted else percent
                self._missed += [abs(missed)] * (abs(missed) <= _ROUNDING)
                self._bad.append(f"{where}: row sums to {decimal_text(total, 10)}, not 1{advice}")
        return exact, ZERO, total

    def _reward(self, kind: str, state: str, where: str) -> fmpq:
        given = self.rewards.get((kind, state), [])
        if not given:
            self._bad.append(f"{where}: no reward is given (a column reward, or --rewards)")
            return ZERO
        return sum(given, ZERO) / len(given)


def _read_moves(table: TableReader, chains: _Chains) -> None:
    weights = [name for name in WEIGHTS if name in table.columns]
    if len(weights) > 1:
        raise ModelError(f"{table.name}: the columns probability and count are both there; leave one out")
    if "kind" in table.columns and weights == ["probability"]:
        raise ModelError(
            f"{table.name}: a column kind adds up what was counted, and here are probabilities: write the rows of each "
            "arm of a kind, without the column"
        )
    chains.counted = weights != ["probability"]
    is_log = table.is_log
    broken: list[str] = []
    rows = list(
        enumerate(
            table.rows(("arm", "from", "to"), ("kind", *WEIGHTS, "reward", *["time"] * is_log)), start=table.first_row
        )
    )
    if "time" in table.columns:  # oldest first; rows of one time stay as they are
        times, _, faults = _times(table)
        if faults:
            raise ModelError(f"{table.name}: {several(faults)}")
        rows.sort(key=lambda row: times[row[0]])
    for number, row in rows:
        arm, kind = chains.enter(row, f"{table.name}, row {number}")
        state, to = name_of(row["from"]), name_of(row["to"])
        weight = row[weights[0]] if weights else 1
        table.number(weight, f"row {number}")
        if chains.last.get(arm, state) != state:
            broken.append(f"row {number}: arm {arm} from {state}, after {chains.last[arm]}")
        entries = chains.weights[kind].setdefault(state, {})
        if is_log:
            chains.last[arm] = to
        entries.setdefault(to, []).append(weight.strip() if isinstance(weight, str) else weight)
        if "reward" in row:
            known, reward = chains.rewards[kind, state], table.number(row["reward"], f"row {number}")
            if is_log or not known:
                known.append(reward)
            elif known[0] != reward:
                where = f"{table.name}, row {number}: {chains.word} {kind}, state {state}"
                raise ModelError(f"{where}: its reward is {reward} here and {known[0]} before")
        elif "reward" in table.columns:
            chains.unpaid[kind, state] += 1
    _refuse_unlike_ends(table, chains)
    found = (*_notes(table, chains.counted, is_log, broken), *_name_notes(chains))
    chains.notes += [f"{table.name}: {note}" for note in found]


def _refuse_unlike_ends(table: TableReader, chains: _Chains) -> None:
    """Raise `ModelError` if no row leads to a state that some row leaves: a column is then not the one meant."""
    left = {state for rows in chains.weights.values() for state in rows}
    reached = {to for rows in chains.weights.values() for entries in rows.values() for to in entries}
    if left.isdisjoint(reached):
        raise ModelError(
            f"{table.name}: no state of the column {table.headers['from']!r}, such as {min(left)}, is one of the "
            f"column {table.headers['to']!r}, such as {min(reached)}"
        )


@dataclass(frozen=True)
class _Visit:
    """A row of a log of states."""

    row: int
    state: str
    told: str  # the time as the table has it


def _read_times(table: TableReader, chains: _Chains, gaps: str | None) -> None:
    """Read a log of states: each row of an arm leads to the arm's next in time, and its reward belongs to its state."""
    chains.counted = True
    visits, unit = _visits(table, chains)
    moves = [
        (arm, later - time, rows[time], rows[later])
        for arm, rows in visits.items()
        for time, later in pairwise(sorted(rows))
    ]
    steps = Counter(step for _, step, _, _ in moves)
    usual = min(steps, key=lambda step: (-steps[step], step), default=ONE)
    odd = [f"row {to.row}: arm {arm} from {start.told} to {to.told}" for arm, step, start, to in moves if step != usual]
    if odd:
        rows_have = "1 row has" if len(odd) == 1 else f"{len(odd)} rows have"
        told = f"times go on by {decimal_text(usual, 6)}{unit}; {rows_have} another step: {several(odd)}"
        if gaps is None:
            raise ModelError(
                f"{table.name}: {told}; add rows, number the times in steps of 1, or say that there is no transition "
                "(--gaps break) or that the arm stood still (--gaps join; in Python: gaps=)"
            )
        chains.notes.append(f"{table.name}: {told}; {'no' if gaps == 'break' else 'one'} transition each")
        stepping = {arm for arm, step, _, _ in moves if step == usual}
        if gaps == "break" and (gone := [arm for arm, rows in visits.items() if len(rows) > 1 and arm not in stepping]):
            length = f"{decimal_text(usual, 6)}{unit}"
            chains.dropped = f"--gaps break drops every step of {several(gone)}: none has the length {length}"
            chains.notes.append(f"{table.name}: {chains.dropped}")
    for arm, rows in visits.items():
        in_order = [rows[time].state for time in sorted(rows)]
        for state in in_order:
            chains.weights[chains.kinds[arm]].setdefault(state, {})
        chains.last[arm] = in_order[-1]
    for arm, step, start, to in moves:
        if step == usual or gaps == "join":
            chains.weights[chains.kinds[arm]][start.state].setdefault(to.state, []).append(1)
    chains.notes += [f"{table.name}: {note}" for note in _name_notes(chains)]


def _visits(table: TableReader, chains: _Chains) -> tuple[dict[str, dict[fmpq, _Visit]], str]:
    """Return the rows of a log of states by arm and time, and the unit of time; rewards go into `chains`."""
    visits: dict[str, dict[fmpq, _Visit]] = defaultdict(dict)
    rows = list(enumerate(table.rows(("arm", "time", "state"), ("kind", "reward")), start=table.first_row))
    times, unit, faults = _times(table)
    advice = ""
    for number, row in rows:
        arm, kind = chains.enter(row, f"{table.name}, row {number}")
        visit = _Visit(number, name_of(row["state"]), name_of(row["time"]))
        if "reward" in row:
            chains.rewards[kind, visit.state].append(table.number(row["reward"], f"row {number}"))
        elif "reward" in table.columns:
            chains.unpaid[kind, visit.state] += 1
        if number in times and (known := visits[arm].setdefault(times[number], visit)) is not visit:
            faults.append(f"row {number}: arm {arm} has the time {visit.told} in row {known.row} too")
            advice = "; if several machines have one arm's name, name each machine as arm, and the arms' kind as kind"
    if faults:
        raise ModelError(f"{table.name}: {several(faults)}{advice}")
    return visits, unit


def _times(table: TableReader) -> tuple[dict[int, fmpq], str, list[str]]:
    """Return the column ``time`` by row, the unit, and faults: cells of no time, or of another kind than the first."""
    times: dict[int, fmpq] = {}
    units: dict[str, int] = {}  # per kind of time, the first row with it
    faults = []
    for number, cell in enumerate(table.columns["time"], start=table.first_row):
        try:
            unit, time = time_of(cell)
        except ModelError as error:
            faults.append(f"row {number}: the time {error}")
            continue
        units.setdefault(unit, number)
        first_unit, first = next(iter(units.items()))
        if unit == first_unit:
            times[number] = time
        else:
            faults.append(f"row {number}: the time {name_of(cell)} is {unit}, and that of row {first} is {first_unit}")
    return times, "" if "a number" in units else " days", faults


def _notes(table: TableReader, counted: bool, is_log: bool, broken: Sequence[str]) -> Iterator[str]:
    """Yield notes on a list of transitions: repeated rows, and rows of a log that do not continue the arm's last."""
    if is_log and (again := table.again(())):
        yield f"{_rows(again)} equal to an earlier one, what is left out too; each counts"
    elif counted and not is_log and (again := table.again(("arm", "from", "to"))):
        yield f"{_rows(again)} of a transition that was counted before; counts are added"
    if is_log and broken:
        places = "1 place" if len(broken) == 1 else f"{len(broken)} places"
        yield (
            f"in {places} an arm does not go on from where its row before ended, first in {broken[0]}; rows are "
            "missing or out of order there (sort them oldest first, or name their time: --columns time=...; the last "
            "row tells where an arm is), or are of several machines (name each as arm, and their kind as kind)"
        )


def _name_notes(chains: _Chains) -> Iterator[str]:
    """Yield notes on names: arms that share a kind, and kinds, arms and states that are likely misspelt."""
    if chains.word == "kind":
        yield f"{len(chains.kinds)} arms share the rows and rewards of their kinds: {', '.join(chains.weights)}"
        yield from (f"kinds have the names {told}" for told in _nearly_alike(chains.weights))
    yield from (f"arms have the names {told}" for told in _nearly_alike(chains.kinds))
    for kind in chains.weights:
        yield from chains.nearly_alike(kind)


def _nearly_alike(names: Iterable[str]) -> Iterator[str]:
    """Yield pairs of names that differ only in case or blanks, or are the same number: likely misspelt."""
    known: dict[fmpq | str, str] = {}
    for name in names:
        try:
            key: fmpq | str = rational(name)
        except NumberError:
            key = "".join(name.lower().split())
        first = known.setdefault(key, name)
        if first != name:
            yield f"{first} and {name}, which differ in spelling alone"


def _rows(numbers: Sequence[int]) -> str:
    return f"row {numbers[0]} is" if len(numbers) == 1 else f"{len(numbers)} rows, the first of them {numbers[0]}, are"


def _read_matrix(table: TableReader, number: int, chains: _Chains) -> None:
    first, *others = table.columns
    names = [name for name in others if name != "reward"]
    if not {name_of(each) for each in table.columns[first]} & {*names}:
        raise ModelError(
            f"{table.name}: neither a list of transitions, with columns arm, from and to, nor the matrix of an arm, "
            f"with a column for each state; its columns are {listed(table.names)}; say which is which with "
            "--columns arm=...,from=...,to=... (in Python: columns=)"
        )
    for at, row in enumerate(table.rows((first, *names), ("reward",)), start=table.first_row):
        state = name_of(row[first])
        chains.kinds[str(number)] = str(number)
        if state in chains.weights[str(number)]:
            raise ModelError(f"{table.name}, row {at}: state {state} comes twice")
        if state not in names:
            raise ModelError(f"{table.name}, row {at}: state {state} has no column; the columns are {', '.join(names)}")
        for name in names:
            table.number(row[name], f"row {at}, column {name}")
        chains.weights[str(number)][state] = {name: [row[name]] for name in names}
        if "reward" in row:
            chains.rewards[str(number), state].append(table.number(row["reward"], f"row {at}"))


def _read_rewards(table: TableReader, chains: _Chains) -> None:
    for number, row in enumerate(table.rows((chains.word, "state", "reward")), start=table.first_row):
        kind, state = name_of(row[chains.word]), name_of(row["state"])
        if kind not in chains.weights or state not in chains.states(kind):
            raise ModelError(
                f"{table.name}, row {number}: no transition has state {state} of {chains.word} {kind}; delete this "
                "row, or add rows to the table of transitions that lead to this state and leave it"
            )
        if chains.rewards[kind, state]:
            raise ModelError(f"{table.name}, row {number}: {chains.word} {kind}, state {state} has a reward already")
        chains.rewards[kind, state].append(table.number(row["reward"], f"row {number}"))

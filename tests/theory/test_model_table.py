from __future__ import annotations

import bz2
import csv
import gzip
import io
import lzma
from datetime import UTC, date, datetime

import numpy as np
import pytest
from flint import fmpq

from tests.command_line import run
from tests.refusals import refusal
from theory import Arm, Bandit, bandit_from_table, model_text, parse_model

MACHINE = {"rewards": [1, "3/5"], "transitions": [["4/5", "1/5"], [0, 1]], "states": ["new", "worn"]}
LIST = """arm,from,to,probability,reward
1,new,new,0.8,1
1,new,worn,0.2,1
1,worn,worn,1,0.6
"""
MATRIX = ",new,worn,reward\nnew,0.8,0.2,1\nworn,0,1,3/5\n"


@pytest.fixture
def table(tmp_path):
    def written(text, name="table.csv"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return written


def columns(text):
    header, *rows = csv.reader(io.StringIO(text))
    return {name: [row[k] for row in rows] for k, name in enumerate(header)}


def test_transition_list_and_matrix_give_the_same_arm(table):
    expected = Bandit([Arm(**MACHINE)], "9/10", ["worn"])
    assert bandit_from_table(table(LIST), "9/10", initial=["worn"]).bandit == expected
    assert bandit_from_table([table(MATRIX)], "9/10", initial=["worn"]).bandit == expected
    assert bandit_from_table([table(MATRIX)] * 3, 0).bandit == Bandit([Arm(**MACHINE)] * 3, 0)


def test_rewards_may_come_in_a_separate_table(table):
    text = "\n".join(line.rpartition(",")[0] for line in LIST.splitlines())
    rewards = {"arm": [1, 1], "state": ["worn", "new"], "reward": ["0.6", 1]}
    assert bandit_from_table(table(text), "9/10", rewards=rewards).bandit == Bandit([Arm(**MACHINE)], "9/10")
    rewards = {"arm": [1, 1, 1], "state": ["worn", "new", "lost"], "reward": [1, 1, 0]}
    told = "row 2: no transition has state lost of arm 1; delete this row, or add rows to the table of transitions"
    assert told in refusal(bandit_from_table, table(text), "9/10", rewards=rewards)


def test_log_frequencies_and_means_match_pandas():
    pd = pytest.importorskip("pandas")
    rng = np.random.default_rng(7)
    log = pd.DataFrame({
        "arm": rng.choice(["press", "lathe"], 400),
        "from": rng.choice(["new", "worn", "broken"], 400),
        "to": rng.choice(["new", "worn", "broken"], 400),
        "reward": rng.integers(0, 5, 400),
    })  # fmt: skip
    made = bandit_from_table(log, "9/10")
    counts = log.groupby(["arm", "from", "to"]).size()
    rewards = log.groupby(["arm", "from"])["reward"]
    for name, arm in zip(log["arm"].unique(), made.bandit.arms, strict=True):
        for x, state in enumerate(arm.states):
            key = (name, state.removeprefix(f"{name} "))
            assert made.observations[state] == int(counts.loc[key].sum())
            assert arm.rewards[x] == fmpq(int(rewards.sum()[key]), int(rewards.size()[key]))
            for y, to in enumerate(arm.states):
                count = int(counts.get((*key, to.removeprefix(f"{name} ")), 0))
                assert arm.transitions[x][y] == fmpq(count, int(counts.loc[key].sum()))


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_data_frame_tables_read_floats_as_decimals(library):
    module = pytest.importorskip(library)
    make = module.table if library == "pyarrow" else module.DataFrame
    cells = columns(LIST) | {"probability": [0.8, 0.2, 1.0], "reward": [1.0, 1.0, 0.6]}
    assert bandit_from_table(make(cells), "9/10").bandit == Bandit([Arm(**MACHINE)], "9/10")


def test_rows_of_floats_may_miss_one_by_rounding():
    states = list("abcdefghij")
    cells = {"state": states, "reward": [0] * 10} | {name: [0.1] * 10 for name in states}
    assert bandit_from_table([cells], 0).bandit.arms[0].transitions == ((fmpq(1, 10),) * 10,) * 10


def test_arms_are_sorted_by_number_or_kept_by_name():
    def log(*arms):
        return {"arm": arms, "from": ["up"] * len(arms), "to": ["up"] * len(arms), "reward": range(len(arms))}

    assert [arm.rewards for arm in bandit_from_table(log(10, 2, 1), 0).bandit.arms] == [(2,), (1,), (0,)]
    assert bandit_from_table(log(3, 1, 2), 0).bandit.state_names == ("1:up", "2:up", "3:up")
    assert bandit_from_table(log("M07", "M03"), 0).bandit.state_names == ("M07 up", "M03 up")


def test_initial_last_uses_the_last_state_of_each_arm_in_the_log(table):
    log = {"arm": [1, 2, 1, 2], "from": ["a", "b", "b", "a"], "to": ["b", "a", "a", "a"], "reward": [0, 0, 0, 0]}
    assert bandit_from_table(log, 0, initial="last").bandit.initial == (0, 1)
    for no_log in ([table(MATRIX)], table(LIST)):
        told = "only a log has a last row of each arm; give one initial state per arm"
        assert told in refusal(bandit_from_table, no_log, 0, initial="last")


def test_normalise_divides_rows_near_one_by_their_sum(table):
    path = table(LIST.replace("0.2", "0.199999"))
    made = bandit_from_table(path, "9/10", normalise="0.000001")
    assert made.bandit.arms[0].transitions[0] == (fmpq(800000, 999999), fmpq(199999, 999999))
    assert made.divided == {"new": fmpq(-1, 10**6)}
    told = "sums to 0.999999, not 1, off by -1e-6; --normalise 1e-6 would"
    assert told in refusal(bandit_from_table, path, "9/10", normalise="0.0000009")
    done = run("theory", "import", path, "--discount", "0.9", "--normalise", "1e-6", "--initial", "worn")
    assert parse_model(done.stdout) == bandit_from_table(path, "9/10", initial=["worn"], normalise="1e-6").bandit
    assert done.stderr == "1 row was divided by their sum, which missed 1 by up to -1e-6 (new)\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("arm,from,to\n", "has a header and no rows"),
        ("arm,from,to,probability,reward\n1,a,a,0.9,1\n1,b,a,-1,1\n2,a,b,1,1\n", "3 faults: arm 1, state a: row sums to 0.9, not 1, off by -0.1; arm 1, state b: probability -1 is negative; arm 2, state b: no row leaves it; where no row leaves a state, add one, or leave out the rows that lead there"),
        ("arm,from,to,probabilty,reward\n1,a,a,1,1\n", "unknown column 'probabilty'; the columns wanted are arm, from, to, kind, probability, count, reward, time; leave it out with --ignore (in Python: ignore=)"),
        ("arm,from,to,probability,count,reward\n1,a,a,1,1,1\n", "the columns probability and count are both there; leave one out"),
        ("day,arm,from,to,reward,by\n1,1,a,a,1,me\n", "unknown columns 'day', 'by'; the columns wanted are arm, from, to, kind, probability, count, reward, time; leave them out with --ignore (in Python: ignore=)"),
        ("from,to,count,reward\na,a,1,1\n", "the column 'arm' is missing; the columns wanted are arm, from, to, kind, probability, count, reward; say what it is called with --columns arm=... (in Python: columns=)"),
        ("arm,Arm,from,to,reward\n1,1,a,a,1\n", "the columns 'arm' and 'Arm' are both arm; leave one out with --ignore (in Python: ignore=)"),
        ("arm,from,to,to,reward\n1,a,a,a,1\n", "the column 'to' comes twice"),
        ("arm,from,to,reward,,\n1,a,a,1,,\n", "two columns have no name; name them, or delete them"),
        ("arm,from,to,reward\n1,a,a\n", "row 2: 3 cells, and the header has 4"),
        ("arm,from,to,reward\n1,a,a,\n", "row 2: reward is missing; fill it in, or leave the row out; or average the rewards that are there (--skip-missing-rewards; in Python: skip_missing_rewards=True)"),
        ("arm,from,to,reward\nNA,a,a,n/a\nNA,a,a,NaN\n", "2 cells are missing: row 2: reward; row 3: reward; fill them in, or leave these rows out; or average the rewards that are there (--skip-missing-rewards; in Python: skip_missing_rewards=True)"),
        ("arm,from,to,count,reward\n1,a,a,1,NA\n", "row 2: reward is missing; fill it in, or leave the row out"),
        ("arm,from,to,reward\n1,a,,\n1,a,a,1\n" + "1,a,a,\n" * 6, "8 cells are missing: row 2: to; row 2: reward; row 4: reward; row 5: reward; row 6: reward; and 3 more; fill them in, or leave these rows out; or average the rewards that are there (--skip-missing-rewards; in Python: skip_missing_rewards=True)"),
        ("arm,from,to,reward\n1,1,1.0,1\n1,2,2.0,1\n", "no state of the column 'from', such as 1, is one of the column 'to', such as 1.0"),
        ("arm,from,to,reward\n1,1,2,1\n1,2,1.0,1\n", "arm 1, state 1.0: no row leaves it; arm 1 has the states 1 and 1.0, which differ in spelling alone"),
        ("arm,from,to,reward\n" + "".join(f"1,a,{to},1\n" for to in "abcdefgh"), "7 faults: arm 1, state b: no row leaves it; arm 1, state c: no row leaves it; arm 1, state d: no row leaves it; arm 1, state e: no row leaves it; arm 1, state f: no row leaves it; and 2 more; where no row leaves a state, add one, or leave out the rows that lead there; or give each arm its kind in a column kind (--columns kind=...): arms of one kind share their rows"),
        ("arm,from,to,reward\n1,a,a,much\n", "row 2: 'much' is not a number: write an integer, a fraction such as 321/100, or a decimal"),
        ("arm,from,to,probability,reward\n1,a,a,1/2,1\n1,a,a,1/2,1\n", "arm 1, state a: the probability of a is given twice"),
        ("arm,from,to,count,reward\n1,a,a,1,1\n1,a,b,1,2\n", "row 3: arm 1, state a: its reward is 2 here and 1 before"),
        ("arm,from,to,count,reward\n1,a,a,0,1\n", "arm 1, state a: row sums to 0, not 1"),
        (",a,b,reward\na,1,0,1\na,1,0,1\n", "row 3: state a comes twice"),
        (",a,b,reward\na,1,0,1\nc,1,0,1\n", "row 3: state c has no column; the columns are a, b"),
        ("arm,time,reward\n1,1,1\n", "the column 'state' is missing; the columns wanted are arm, time, state, kind, reward; say what it is called with --columns state=... (in Python: columns=)"),
        ("arm,from,week\n1,a,1\n", "the column 'to' is missing; the columns wanted are arm, from, to, kind, probability, count, reward, time; say what it is called with --columns to=... (in Python: columns=); a log of one row for each arm and time has arm, time, state"),
        ("arm,time,state\n1,monday,a\n1,1,b\n1,2024-05-31,b\n1,2,b\n1,2.0,b\n", "row 2: the time 'monday' is neither a number nor a date such as 2024-05-31; row 4: the time 2024-05-31 is a date, and that of row 3 is a number; row 6: arm 1 has the time 2.0 in row 5 too; if several machines have one arm's name, name each machine as arm, and the arms' kind as kind"),
        ("arm,time,state,reward\n1,2024-05-29,a,1\n1,2024-06-12,b,1\n1,2024-05-22,a,1\n1,2024-06-20,a,1\n1,2024-05-15,a,1\n", "times go on by 7 days; 2 rows have another step: row 3: arm 1 from 2024-05-29 to 2024-06-12; row 5: arm 1 from 2024-06-12 to 2024-06-20; add rows, number the times in steps of 1, or say that there is no transition (--gaps break) or that the arm stood still (--gaps join; in Python: gaps=)"),
        ("arm,time,state,reward\n1,1,a,1\n1,2,a,1\n2,1,a,1\n", "arm 2, state a: no row leaves it; where no row leaves a state, add one, or leave out the rows that lead there; or give each arm its kind in a column kind (--columns kind=...): arms of one kind share their rows"),
        ("machine,state,next\nM1,ok,bad\n", "neither a list of transitions, with columns arm, from and to, nor the matrix of an arm, with a column for each state; its columns are machine, state, next; say which is which with --columns arm=...,from=...,to=... (in Python: columns=)"),
    ],
)  # fmt: skip
def test_wrong_tables_are_refused_with_their_place(table, text, message):
    assert refusal(bandit_from_table, table(text), "9/10").partition("table.csv")[2].lstrip(":, ") == message


def test_columns_option_renames_columns_ignoring_case(table):
    own = table(LIST.replace("arm,from,to,probability,reward", "Machine,FROM,Next,Probability,Gain"))
    called = {"arm": "machine", "to": "Next", "reward": "GAIN"}
    assert bandit_from_table(own, "9/10", columns=called).bandit == Bandit([Arm(**MACHINE)], "9/10")
    done = run("theory", "import", own, "--discount", "0.9", "--columns", "arm=machine, to=next,reward=gain")
    assert parse_model(done.stdout) == Bandit([Arm(**MACHINE)], "9/10")
    matrix = table(MATRIX.replace("new", "From").replace("worn", "from").replace("reward", "Reward"))
    assert bandit_from_table([matrix], 0).bandit.state_names == ("From", "from")  # states, and no columns of a list


@pytest.mark.parametrize(
    ("option", "words", "expected"),
    [
        ("--columns", "arm", "--columns: 'arm' is not of the form arm=machine"),
        ("--columns", "arm=m,arm=n", "--columns: arm is given twice"),
        ("--columns", "arms=m", "columns: 'arms' is none of arm, kind, from, to, probability, count, reward, state, time; write as in arm=machine"),
        ("--columns", "cost=c", "columns: 'cost' is none of arm, kind, from, to, probability, count, reward, state, time; negate costs, and name them reward"),
        ("--columns", "arm=m", "no column is called 'm'; its columns are arm, from, to, probability, reward"),
        ("--ignore", "from,to", "its columns are arm, from, to, probability, reward; give --ignore once for each column"),
        ("--gaps", "stop", "gaps: 'stop' is none of break, join"),
        ("--gaps", "join", "gaps: is for a log of states, with arm, time, state"),
    ],
)  # fmt: skip
def test_options_of_import_refuse_wrong_words(table, option, words, expected):
    done = run("theory", "import", table(LIST), "--discount", "0.9", option, words)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"{expected}\n")


LOG, BY_DAY = "arm,from,to,reward\n", "day,arm,from,to,reward\n1,1,a,b,1\n1,2,a,a,1\n2,1,b,a,0\n"
FEW = "".join(f"{arm},pump,a,a,1\n" * rows for arm, rows in (("P-07", 19), ("P-08", 20), ("P-7", 1), ("P-09", 2)))
ALONE = "P-07,pump,a,a,1\nP-08,pump,a,a,1\nP-09,pump,a,a,1\nP-08,pump,a,A2,1\nP-08,pump,A2,a,1\n"
THIN = "".join(f"{arm},a,b,1\n{arm},b,a,1\n" * 5 for arm in ("M1", "M2", "m 1")) + "M4,a,a,1\n"
GAPS = "".join(f"A,{t},a,1,x\n" for t in range(6)) + "B,1,a,1,x\nB,3,a,1,x\nB,5,a,1,x\n"


@pytest.mark.parametrize(
    ("text", "options", "told"),
    [
        (BY_DAY, {"ignore": ["day"]}, ["each row that leaves these states stays there, though other arms change: arm 2, state a"]),
        (BY_DAY + "2,1,b,a,0\n3,2,a,a,1\n", {"ignore": ["day"]}, ["row 5 is equal to an earlier one, what is left out too; each counts", "in 1 place an arm does not go on from where its row before ended, first in row 5: arm 1 from b, after a; rows are missing or out of order there (sort them oldest first, or name their time: --columns time=...; the last row tells where an arm is)", "each row that leaves"]),
        (LOG + "1,a,a,1\n1,a,a,1\n", {}, []),  # two days alike
        (LOG + "1,OK,Ok,1\n1,Ok,OK,1\n", {}, ["arm 1 has the states OK and Ok, which differ in spelling alone"]),
        ("arm,kind,from,to,reward\n1,Pump,a,a,1\n2,pump,a,a,1\n", {}, ["2 arms share the rows", "kinds have the names Pump and pump, which differ in spelling alone"]),
        ("arm,from,to,count,reward\n1,a,a,2,1\n1,a,b,1,1\n1,b,a,1,1\n1,a,a,2,1\n1,a,a,3,1\n", {}, ["2 rows, the first of them 5, are of a transition that was counted before; counts are added"]),
        (f"arm,kind,from,to,reward\n{FEW}", {}, ["4 arms share the rows", "few rows, where a usual arm has 19: arm P-7 has 1 row; correct the names if they are mistyped"]),
        (f"arm,sort,from,to,reward\n{FEW}", {"ignore": ["sort"]}, ["38 rows, the first of them 3, are equal to an earlier one", "few rows, where a usual arm has 19: arm P-7 has 1 row; correct the names if they are mistyped"]),
        (f"arm,kind,from,to,reward\n{ALONE}F-1,fan,b,b,0\n", {}, ["4 arms share the rows", "only arm P-08 has state A2; correct the states if they are mistyped"]),
        (f"arm,sort,from,to,reward\n{ALONE}F-1,pump,b,b,0\n", {"ignore": ["sort"]}, ["only arm P-08 has state A2; correct the states if they are mistyped", "each row that leaves", "some arms lack states"]),
        (LOG + THIN, {}, ["arms have the names M1 and m 1, which differ in spelling alone", "each row that leaves these states stays there, though other arms change: arm M4, state a", "some arms lack states that most have: arm M4 lacks b"]),
        (f"arm,time,state,reward,kind\n{GAPS}", {"gaps": "break"}, ["times go on by 1; 2 rows have another step", "--gaps break drops every step of B: none has the length 1", "2 arms share the rows"]),
    ],
)  # fmt: skip
def test_import_notes_what_looks_wrong_in_a_table(table, text, options, told):
    notes = bandit_from_table(table(text), 0, **options).notes
    assert all(part in note for part, note in zip(told, notes, strict=True))


def test_import_command_prints_notes_and_how_thin_the_data_are(table):
    done = run("theory", "import", table(LOG + THIN), "--discount", "0")
    first, *notes = done.stderr.splitlines()
    assert first == (
        "rows are frequencies of 31 transitions; the state left least often is M4 a, 1 time; 1 of 7 states were left fewer "
        "than 5 times"
    )
    assert [note.startswith("note: ") for note in notes] == [True] * 3


def test_counts_of_one_transition_are_added(table):
    counts = table("arm,from,to,count,reward\n1,a,a,2,1\n1,a,b,1,1\n1,b,a,1,1\n1,a,a,2,1\n1,a,a,3,1\n")
    assert bandit_from_table(counts, 0).bandit.arms[0].transitions[0] == (fmpq(7, 8), fmpq(1, 8))


def test_log_of_transitions_is_read_in_order_of_its_time(table):
    text = "day,arm,from,to,reward\n2024-01-10,1,b,a,0\n2024-01-09,1,a,b,1\n2024-01-11,1,a,a,1\n2024-01-09,2,b,a,0\n"
    made = bandit_from_table(table(text + "2024-01-10,2,a,b,1\n"), 0, initial="last", columns={"time": "day"})
    assert made.bandit.arms[0].transitions == ((fmpq(1, 2), fmpq(1, 2)), (1, 0))
    assert [arm.states[x][-1] for arm, x in zip(made.bandit.arms, made.bandit.initial, strict=True)] == ["a", "b"]
    assert made.notes == ()
    again = bandit_from_table(table(text + "2024-01-10,2,a,b,1\n" * 2), 0, columns={"time": "day"}).notes
    assert "row 7 is equal to an earlier one" in again[0]


def test_log_of_states_gives_transitions_in_order_of_time(table):
    # M2 first in the file; times out of order, and of several forms; by hand: M1 goes new, new, worn, new, worn
    text = "machine,week,state,profit\nM2,2,worn,0\nM1,3,worn,4\nM1,1,new,1\nM1,5,worn,2\nM1,2,new,2\nM2,1,worn,1\nM1,4,new,6\n"
    called = {"arm": "machine", "time": "week", "reward": "profit"}
    expected = Bandit(
        [
            Arm(rewards=["1/2"], transitions=[[1]], states=["M2 worn"], name="M2"),
            Arm(rewards=[3, 3], transitions=[["1/3", "2/3"], [1, 0]], states=["M1 new", "M1 worn"], name="M1"),
        ],
        0,
        ["M2 worn", "M1 worn"],
    )
    made = bandit_from_table(table(text), 0, columns=called, initial="last")
    assert made.bandit == expected
    assert made.observations == {"M2 worn": 1, "M1 new": 3, "M1 worn": 1}
    cells = columns(text)
    for week in (
        [float(k) for k in cells["week"]],
        [f"2024-05-{6 * int(k):02}" for k in cells["week"]],
        [date(2024, 5, 6 * int(k)) for k in cells["week"]],
        [datetime(2024, 5, 1, int(k), tzinfo=UTC) for k in cells["week"]],
        np.array([f"2024-05-0{k}" for k in cells["week"]], "M8[ns]"),
    ):
        assert bandit_from_table(cells | {"week": week}, 0, columns=called, initial="last").bandit == expected
    done = run("theory", "import", table(text), "--discount", "0", "--initial", "last",
               "--columns", "arm=machine,time=week,reward=profit")  # fmt: skip
    assert parse_model(done.stdout) == expected


POOLED = Bandit(  # by hand: the lathes go b, a, a and a, b, and are paid 0, 4, 1 and 2, 1
    [
        Arm(rewards=["1/2", "7/3"], transitions=[[0, 1], ["1/2", "1/2"]], states=["M3 b", "M3 a"], name="M3"),
        Arm(rewards=[5], transitions=[[1]], states=["M2 a"], name="M2"),
        Arm(rewards=["1/2", "7/3"], transitions=[[0, 1], ["1/2", "1/2"]], states=["M1 b", "M1 a"], name="M1"),
    ],
    "1/2",
    ["M3 a", "M2 a", "M1 b"],
)
BY_WEEK = """machine,sort,week,state,profit
M3,lathe,1,a,4
M3,lathe,2,a,1
M2,press,1,a,5
M2,press,2,a,5
M1,lathe,1,a,2
M1,lathe,2,b,1
M3,lathe,0,b,0
"""


def test_arms_of_one_kind_share_pooled_rows_and_rewards(table):
    named = {"arm": "machine", "kind": "sort", "time": "week", "reward": "profit"}
    made = bandit_from_table(table(BY_WEEK), "1/2", columns=named, initial="last")
    assert made.bandit == POOLED
    assert made.observations == {"lathe a": 2, "lathe b": 1, "press a": 1}
    assert [note.partition(": ")[2] for note in made.notes] == [
        "3 arms share the rows and rewards of their kinds: lathe, press"
    ]
    options = ("--columns", ",".join(f"{ours}={theirs}" for ours, theirs in named.items()), "--initial", "last")
    done = run("theory", "import", table(BY_WEEK), "--discount", "0.5", *options)
    assert parse_model(done.stdout) == POOLED
    assert (
        "frequencies of 4 transitions; the state left least often is lathe b, 1 time; 3 of 3 states were left fewer than 5 times\n"
        in done.stderr
    )
    log = table("arm,kind,from,to\nM3,lathe,b,a\nM3,lathe,a,a\nM2,press,a,a\nM1,lathe,a,b\n", "moves.csv")
    of_kinds = table("kind,state,reward\nlathe,a,7/3\nlathe,b,1/2\npress,a,5\n", "rewards.csv")
    assert bandit_from_table(log, "1/2", rewards=of_kinds, initial="last").bandit == POOLED
    of_arms = table("arm,state,reward\nM1,a,1\n", "rewards.csv")
    told = "kind, state, reward; arms of one kind share their rewards: give a"
    assert told in refusal(bandit_from_table, log, "1/2", rewards=of_arms)


KINDS = {"arm": "machine", "kind": "sort", "reward": "profit"}
SKIPPED, DAY = {"skip_missing_rewards": True}, {"columns": {"time": "day"}}


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        (BY_WEEK.replace("M3,lathe,2", "M3,press,2"), {"columns": KINDS | {"time": "week"}}, "row 3: arm M3 is of kind press here and of kind lathe before"),
        (BY_WEEK.replace("M3,lathe,0,b,0\n", ""), {"columns": KINDS | {"time": "week"}}, "kind lathe, state b: no row leaves it; where no row leaves a state, add one, or leave out the rows that lead there"),
        ("machine,sort,from,to,count,profit\nA,x,a,a,1,1\nB,x,a,a,1,2\n", {"columns": KINDS}, "row 3: kind x, state a: its reward is 2 here and 1 before"),
        ("machine,sort,from,to,probability,profit\nA,x,a,a,1,1\n", {"columns": KINDS}, "a column kind adds up what was counted, and here are probabilities: write the rows of each arm of a kind, without the column"),
        ("arm,time,state,reward\n1,1,a,1\n1,2,a,NA\n1,3,b,\n1,4,a,4\n1,5,b,\n", SKIPPED, "arm 1, state b: no reward is given (a column reward, or --rewards)"),
        ("arm,time,state,reward\n1,1,a,1\n1,2,,NA\n", SKIPPED, "row 3: state is missing; fill it in, or leave the row out"),
        ("arm,from,to,count,reward\n1,a,a,2,\n", SKIPPED, "skip_missing_rewards: is for a log, whose rewards are averaged"),
        (f"arm,time,state,reward\n{GAPS.replace(',x', '')}", {"gaps": "break"}, "arm B, state a: no row leaves it; --gaps break drops every step of B: none has the length 1"),
        (BY_DAY + "2024-01-09,2,a,b,1\n", DAY, "row 5: the time 2024-01-09 is a date, and that of row 2 is a number"),
        ("day,arm,from,to,count\n1,1,a,b,1\n", DAY, "unknown column 'day'"),  # counts have no order
    ],
)  # fmt: skip
def test_tables_are_refused_that_do_not_fit_their_options(table, text, options, message):
    error = refusal(bandit_from_table, table(text), 0, **options)
    assert (error.partition("table.csv")[2].lstrip(":, ") or error).startswith(message)


@pytest.mark.parametrize(
    ("rewards", "noted"),
    [("9 9.5 " * 5 + "95", "95, where the median is 9.5"), ("1 " * 9 + "0", "0, where the median is 1"), ("9 " * 8 + "90", ""),
     ("1 " * 20 + "0 0", ""), ("1 2 3 4 5 6 7 8 9 29", ""), ("1 2 3 4 5 6 7 8 9 -35", "-35, where the median is 5")],
)  # fmt: skip
def test_import_notes_a_reward_far_from_all_others_of_its_state(table, rewards, noted):
    rows = "".join(f"A,a,a,{reward}\n" for reward in rewards.split())
    told = f": rewards far from all others of their state: arm A, state a: {noted}; correct them if they are mistyped"
    notes = bandit_from_table(table(f"arm,from,to,reward\n{rows}"), 0).notes
    assert [note.endswith(told) for note in notes] == [True] * (noted != "")


def test_gaps_option_breaks_or_joins_transitions_at_gaps_in_time(table):
    path = table("arm,time,state,reward\n" + "1,1,a,1\n1,2,b,1\n1,3,a,1\n1,5,a,1\n1,6,b,1\n")
    for gaps, row, note in (("break", (0, 1), "no"), ("join", ("1/3", "2/3"), "one")):
        made = bandit_from_table(path, 0, gaps=gaps)
        assert made.bandit == Bandit([Arm(rewards=[1, 1], transitions=[row, [1, 0]], states=["a", "b"])], 0)
        (found,) = made.notes  # a long path is abbreviated in it
        assert found.endswith(
            f"table.csv: times go on by 1; 1 row has another step: row 5: arm 1 from 3 to 5; {note} transition each"
        )


def test_missing_rewards_of_a_log_are_skipped_on_request(table):
    # by hand: a goes once to a and twice to b, b to a; what is known of a pays 1 and 4, of b 3
    expected = Bandit([Arm(rewards=["5/2", 3], transitions=[["1/3", "2/3"], [1, 0]], states=["a", "b"])], 0)
    by_time = "arm,time,state,reward\n1,1,a,1\n1,2,a,NA\n1,3,b,3\n1,4,a,4\n1,5,b,\n"
    moves = "arm,from,to,reward\n1,a,a,1\n1,a,b,n/a\n1,b,a,3\n1,a,b,4\n"
    for text, told in ((by_time, "2 of 5"), (moves, "1 of 4")):
        seen = "1 in 2" if text == by_time else "1 in 1"
        done = run("theory", "import", table(text), "--discount", "0", "--skip-missing-rewards")
        assert parse_model(done.stdout) == expected
        assert done.stderr.endswith(
            f"table.csv: rows without a reward: {told}; they count as transitions alone; fewest rewards has arm 1, state b: {seen} rows\n"
        )
    floats = columns(by_time) | {"reward": [1.0, float("nan"), 3.0, 4.0, None]}
    assert bandit_from_table(floats, 0, skip_missing_rewards=True).bandit == expected
    full = bandit_from_table(table(by_time.replace("NA", "2").replace("b,\n", "b,1\n")), 0, skip_missing_rewards=True)
    assert full.notes == ()


@pytest.mark.parametrize(("words", "rewards"), [
    (("--ignore", "output", "--columns", "time=week,reward=output"), "arm,state,output\n1,a,2\n1,b,0\n"),
    (("--ignore", "output", "--columns", "time=week"), "arm,state,Reward\n1,a,2\n1,b,0\n"),
    (("--ignore", "output", "--columns", "time=week,kind=output"), "arm,output,state,reward\n1,x,a,2\n1,x,b,0\n"),
])  # fmt: skip
def test_column_ignored_in_a_log_is_read_in_a_table_of_rewards_that_needs_it(table, words, rewards):
    log = table("arm,week,state,output\n1,1,a,9\n1,2,b,9\n1,3,a,9\n")
    done = run("theory", "import", log, "--discount", "0", "--rewards", table(rewards, "rewards.csv"), *words)
    expected = Arm(rewards=[2, 0], transitions=[[0, 1], [1, 0]], states=["a", "b"])
    assert parse_model(done.stdout) == Bandit([expected], 0)


@pytest.mark.parametrize("library", ["pandas", "polars", "pyarrow"])
def test_missing_cells_of_every_library_are_refused(library):
    module = pytest.importorskip(library)
    for values in (["a", None], [1, None], [0.5, None]):
        cells = {"arm": [1, 1], "from": ["a", "a"], "to": values, "reward": [1, 1]}
        frames = [(module.table if library == "pyarrow" else module.DataFrame)(cells)]
        if library == "pandas":
            frames.append(frames[0].convert_dtypes())
        for frame in frames:
            assert refusal(bandit_from_table, frame, 0).startswith("table 1, row 1: to is missing; fill")


def test_states_as_whole_floats_equal_states_as_integers():
    shifted = {"arm": [1] * 3, "from": [1, 2, 1], "to": [2.0, 1.0, 1.0], "reward": [0] * 3}  # as shift(-1) makes them
    assert bandit_from_table(shifted, 0).bandit.state_names == ("1", "2")


def test_priority_option_reads_csv_files(table):
    machine = MACHINE["transitions"]
    arms = [Arm(**MACHINE), Arm(rewards=["7/10", 0], transitions=machine, states=["M2 new", "M2 worn"])]
    model = table(model_text(Bandit(arms, "9/10", ["new", "M2 new"])), "model.json")
    order = ["new", "M2 new", "worn", "M2 worn"]  # indices 1, 7/10, 3/5, 0: rewards fall as a machine wears
    printed = table(run("theory", "indices", model, "--csv").stdout, "indices.csv")
    reversed_order = table("arm,state\nM2,worn\n1,worn\nM2,new\n1,new\n", "order.csv")
    numbered = table("Priority,State\n1,new\n3,worn\n2,M2 new\n4,M2 worn\n", "numbered.csv")
    named = table("arm_name,state_name\nM2,worn\n1,worn\nM2,new\n1,new\n", "named.csv")
    for file, expected in ((printed, order), (numbered, order), (reversed_order, order[::-1]), (named, order[::-1])):
        done = run("theory", "value", model, "--priority", file, "--csv")
        assert columns(done.stdout)["state"] == expected
    for text, error in (
        ("arm,state\n3,new\n", "row 2: no state 'new' of arm '3' in the model; its states are new, worn, M2 new, M2 worn"),
        ("state,index\nold,1\n", "row 2: no state is called 'old'; the states are new, worn, M2 new, M2 worn"),
        ("arm,from\n1,new\n", "the column 'state' is missing; it needs the columns arm and state, and has arm, from"),
        ("machine,state\nM2,worm\n", "worn, M2 new, M2 worn; give a row for each arm (not kind) and state, in columns arm and state"),
        ("priority,state\n1,M2 new\n2,new\n2,M2 worn\n3,worn\n", "arm 1, state new and arm 2, state M2 worn have one"),
        ("state,index,Index\nnew,1,2\n", "two columns are called index, but for capital letters; delete one"),
        ("state,index\nM2 worn,0\nnew,1\nM2 new,7/10\nworn,3/5\n", "its rows are in another order than its column index says: delete the column if the rows are the order, or else sort them by it"),
        ("priority,state\n4,M2 worn\n1,new\n2,M2 new\n3,worn\n", "its rows are in another order than its column priority says: delete"),
        ("state\nnew\n", "priority: incomplete, 3 of 4 states missing: worn, M2 new, M2 worn"),
    ):  # fmt: skip
        done = run("theory", "value", model, "--priority", table(text, "bad.csv"))
        assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
        assert error in done.stderr


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda frame: frame["to"], "table 1: it is of type Series, and no table; give a CSV file's path, a data frame, or a dict from columns to lists"),
        (lambda frame: frame.groupby("arm"), "table 1: it is of type DataFrameGroupBy, and no table"),
        (lambda frame: frame.to_records(), "table 1: it is of type recarray, and no table"),
        (lambda frame: frame.to_dict("records"), "table 1: the column 'arm' is 1, and no list; give a CSV file's path, a data frame, or a dict"),
        (lambda frame: frame[["arm", "to", "to"]], "table 1: the column 'to' comes twice"),
        (lambda _: pytest.importorskip("polars").LazyFrame({"arm": [1]}), "table 1: it is of type LazyFrame, and no table"),
    ],
)  # fmt: skip
def test_objects_that_are_no_tables_are_refused(make, expected):
    frame = pytest.importorskip("pandas").DataFrame({"arm": [1, 1], "from": [1, 1], "to": [1, 1], "reward": [0, 0]})
    assert refusal(bandit_from_table, make(frame), 0).startswith(expected)


def test_compressed_file_error_says_how_to_unpack_it(tmp_path):
    path = tmp_path / "log.csv.gz"
    for packed, told in (
        (gzip.compress(LIST.encode()), "is packed by gzip; unpack it"),
        (bz2.compress(LIST.encode()), "is packed by bzip2; unpack it"),
        (lzma.compress(LIST.encode()), "is packed by xz; unpack it"),
        (b"PK\x03\x04\x9c", "is a spreadsheet or a zip archive; save the table as CSV, or unpack it"),
    ):
        path.write_bytes(packed)
        assert refusal(bandit_from_table, path, 0).endswith(f"log.csv.gz: {told}")  # a long path is abbreviated


def test_csv_option_prints_arm_and_state_names_of_the_log(table):
    log = {"arm": ["M 7", "M 3", "M 3"], "from": ["very worn", "new", "worn"], "to": ["very worn", "worn", "worn"]}
    path = table(model_text(bandit_from_table(log | {"reward": [1, 2, 0]}, "1/2").bandit), "model.json")
    found = columns(run("theory", "indices", path, "--csv").stdout)
    named = zip(found["arm"], found["state"], found["arm_name"], found["state_name"], strict=True)
    assert sorted(named) == [
        ("1", "M 7 very worn", "M 7", "very worn"),
        ("2", "M 3 new", "M 3", "new"),
        ("2", "M 3 worn", "M 3", "worn"),
    ]

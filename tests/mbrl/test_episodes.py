"""Play and counting."""

from itertools import count, product
from pathlib import Path
from time import perf_counter
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pytest
from numba.core import event

from mbrl.agents.baselines import Order, learn_nothing
from mbrl.kernels.compiling import INTERPRETED, kernel
from mbrl.kernels.counting import Counts, count_arm_states, count_global_states
from mbrl.kernels.episodes import ByTable, Schedule, learnt_by, new_outcome, plan_of, planned_by, play_all
from mbrl.kernels.play import Laws, Track, World, collected, new_track, next_state, pay, play_indices, play_table
from tests.mbrl.arrays import arrays_of
from tests.mbrl.exactly import exact_priority_value, exact_table_value
from theory import nearest_float


@pytest.mark.parametrize(
    ("row", "uniform", "following"),
    [
        ([0.25, 0.5, 0.25], 0.0, 0), ([0.25, 0.5, 0.25], 0.25 - 2**-54, 0), ([0.25, 0.5, 0.25], 0.25, 1),
        ([0.25, 0.5, 0.25], 0.75, 2), ([0.0, 1.0, 0.0], 0.0, 1), ([0.0, 0.0, 1.0], 1 - 2**-53, 2),
        ([0.5, 0.5 - 2**-53, 0.0], 1 - 2**-53, 1),  # row sums below the uniform: last possible state
    ],
)  # fmt: skip
def test_next_state_inverts_the_cumulative_row(row, uniform, following):
    transitions = np.tile(np.eye(3), (2, 1, 1))
    transitions[1, 0] = row
    assert next_state(transitions, 1, 0, uniform) == following


def test_pay_compares_the_uniform_with_the_reward_probability():
    by_move = np.array([[[0.0, 0.0]] * 2, [[0.0, 0.0], [0.25, 0.75]]])
    assert [pay(by_move, 1, 1, y, 0.5) for y in (0, 1)] == [0.0, 1.0]
    assert [pay(by_move, 1, 1, 0, u) for u in (0.0, 0.25 - 2**-54, 0.25)] == [1.0, 1.0, 0.0]
    assert pay(by_move, 0, 1, 1, 0.0) == 0.0  # probability 0 never pays
    by_state = np.array([[[0.0]] * 2, [[0.25], [0.75]]])
    assert [pay(by_state, 1, x, y, 0.5) for x in (0, 1) for y in (0, 1)] == [0.0, 0.0, 1.0, 1.0]


def random_world(rng, sizes, kind):
    """Return a model of arms of these sizes, whose rewards come by state, by move, or from laws of 1 or 3 values."""
    sizes = np.array(sizes)
    arms, width = sizes.size, int(sizes.max())
    transitions = np.zeros((arms, width, width))
    for a, size in enumerate(sizes):
        transitions[a, :size, :size] = rng.dirichlet(np.ones(size), size)
    paid = rng.random((arms, width, width if kind == "by move" else 1))
    drawn = {"constant": 1, "laws": 3, "noise": 3}.get(kind, 0)
    values, cumulative = rng.random((arms, width, drawn)), np.sort(rng.random((arms, width, drawn)))
    cumulative[:, :, -1:] = 1.0
    laws = Laws(values, cumulative, rng.random((arms, width if kind == "noise" else 0)))
    return read_only(World(transitions, paid, rng.random((arms, width)), sizes, 0.5, laws))


def read_only(arrays):
    """Make arrays of a tuple read-only, as those of an environment are: so the loop is compiled once for both."""
    for _, array in arrays_of({"": arrays}):
        array.flags.writeable = False
    return arrays


def played_by_hand(world, rng, start, length, arm_of):
    """Play step by step, by independent code."""
    steps, state = [], [int(x) for x in start]
    for _ in range(length):
        a = arm_of(state)
        x = state[a]
        y = int(np.flatnonzero(np.cumsum(world.transitions[a, x]) > rng.random())[0])
        steps.append([a, x, y, float(rng.random() < np.broadcast_to(world.paid[a, x], len(world.transitions[a]))[y])])
        state[a] = y
    laws = world.laws
    if laws.values.size:
        for step in steps:
            a, x = step[:2]
            step[3] = laws.values[a, x, np.flatnonzero(laws.cumulative[a, x] > rng.random())[0]]
    if laws.deviations.size:
        for step in steps:
            step[3] += laws.deviations[step[0], step[1]] * rng.standard_normal()
    return steps


def played(world, seed, start, length, play, plan):
    """Return the steps that a compiled loop records; assert that it changes nothing else."""
    track, given = new_track(length + 5), [np.copy(each) for each in (start, *plan)]
    for entries in track:
        entries[:] = -7
    play(world, np.random.default_rng(seed), start, length, *plan, track)
    assert all(np.array_equal(*pair) for pair in zip(given, (start, *plan), strict=True))
    assert all((entries[length:] == -7).all() for entries in track)
    return track, [list(step) for step in zip(*(entries[:length].tolist() for entries in track), strict=True)]


KINDS = ["by state", "by move", "constant", "laws", "noise"]
FEW = [(1,), (3,), (2, 2), (3, 1, 2)]
MANY = [(2, 4) * 23 + (3,), (2, 4) * 24, (4, 1, 3) * 19]


@pytest.mark.parametrize(("played_by", "sizes"), [*product(["first", "last"], FEW + MANY), *product(["table"], FEW)])
@pytest.mark.parametrize("kind", KINDS)
def test_play_equals_play_step_by_step(kind, sizes, played_by):
    rng, arms = np.random.default_rng(7), range(len(sizes))
    for seed in range(3):
        world = random_world(rng, sizes, kind)
        start, length = rng.integers(world.sizes), 60
        if played_by == "table":
            table = rng.integers(0, len(sizes), np.prod(sizes))
            track, steps = played(world, seed, start, length, play_table, (table,))

            def arm_of(state, table=table):
                return table[np.ravel_multi_index(state, sizes)]

        else:
            indices = rng.integers(0, [3, 8, 50][seed], (len(sizes), max(sizes))) / 8  # many ties, or few
            track, steps = played(world, seed, start, length, play_indices, (indices, played_by == "last"))

            def arm_of(state, indices=indices):
                best = indices[arms, state] == indices[arms, state].max()
                return np.flatnonzero(best)[-1 if played_by == "last" else 0]

        assert steps == played_by_hand(world, np.random.default_rng(seed), start, length, arm_of)
        expected = sum(world.rewards[a, x] for a, x, _, _ in steps)
        assert collected(world, length, track) == pytest.approx(expected, rel=1e-13)


class CountingMemory(NamedTuple):
    """The memory of a learner that only counts."""

    counts: Counts


@pytest.mark.parametrize("length", [1, 4])
@pytest.mark.parametrize("restarted", [False, True])
def test_counts_add_moves_and_rewards_of_the_episode(restarted, length):
    # two arms of 2 and 3 states; each global state is 3 x + y. The rewards differ from their squares
    start, sizes = np.array([1, 2]), np.array([2, 3])
    track = Track(np.array([1, 0, 1, 1, 0]), np.array([2, 1, 0, 1, 0]), np.array([0, 0, 1, 1, 1]), np.arange(3.0, 8.0))
    states = [(1, 2), (1, 0), (0, 0), (0, 1), (0, 1)]
    by_arm, by_global = (
        Counts(np.ones((*shape, after)), np.ones(shape), np.ones(shape), np.array([5, 3]), restarted)
        for shape, after in (((2, 3), 3), ((2, 6), 6))
    )
    count_arm_states(CountingMemory(by_arm), sizes, 0.5, start, length, track)
    count_global_states(CountingMemory(by_global), sizes, 0.5, start, length, track)
    for counts, row_of, after_of in (
        (by_arm, lambda t: (track.arms[t], track.states[t]), lambda state, t: state[track.arms[t]]),
        (by_global, lambda t: (track.arms[t], 3 * states[t][0] + states[t][1]), lambda s, _: 3 * s[0] + s[1]),
    ):
        for t in range(length):
            after = start if restarted and t == length - 1 else states[t + 1]
            counts.moves[(*row_of(t), after_of(after, t))] -= 1
            counts.sums[row_of(t)] -= 3 + t
            counts.squares[row_of(t)] -= (3 + t) ** 2
        assert counts.coming.tolist() == [5 + length, 4]
        for array in counts[:3]:  # the initial ones remain
            assert (array == 1).all()


class Table(NamedTuple):
    """The memory of a learner that plays one table after another."""

    table: np.ndarray
    tables: np.ndarray
    k: np.ndarray


@planned_by(Table)
@kernel
def next_table(memory, sizes, discount, rng):
    memory.table[:] = memory.tables[memory.k[0]]
    memory.k[0] += 1


learnt_by(Table)(learn_nothing)


def play_episodes(memory, world, schedule, outcome, by_table=None):
    """Play all episodes, and return the plan at the end."""
    plans = plan_of(memory, len(schedule.starts))
    assert (plans[0] is None) == hasattr(memory, "table")
    plans = plans if by_table is None else (None, by_table(memory.table))
    rng = np.random.default_rng
    play_all(memory, *plans, world, schedule, rng(0), rng(1), new_track(5), outcome)
    return plans


def two_starts(valued):
    """Return a model of two arms, five episodes that start in either of two states, and arrays for the outcome."""
    world = random_world(np.random.default_rng(9), (2, 3), "by state")
    schedule = read_only(Schedule(np.array([[0, 0], [1, 2]]), np.array([0, 1, 0, 1, 1]), np.array([3, 1, 4, 1, 5])))
    outcome = new_outcome(5, valued)
    assert [np.isnan(room).tolist() for room in outcome[:3]] == [[True] * 5] * 3  # a forgotten entry would stay NaN
    for room in outcome[:3]:
        room[:] = -7.0
    return world, schedule, outcome


@pytest.mark.parametrize("valued", [False, True])
@pytest.mark.parametrize("played_by", ["indices", "indices, last first", "tables"])
def test_play_all_records_values_rewards_and_times(valued, played_by):
    world, schedule, outcome = two_starts(valued)
    model, beta, last_first = (world.transitions, world.rewards, world.sizes), world.discount, "last" in played_by
    indices = np.array([[0.5, 0.25, -1.0], [0.25, 0.5, 0.75]])  # two ties between the arms
    order = [5, 4, 0, 3, 1] if last_first else [5, 0, 4, 1, 3]
    tables = np.array([[0, 1, 0, 1, 1, 0], [1, 0, 1, 1, 0, 1]])
    played = tables[[0, 0, 1, 1, 0]]  # same table from another start, then another table, then the first again
    by_tables = Table(tables[0].copy(), played, np.zeros(1, int))
    began = perf_counter()
    play_episodes(by_tables if played_by == "tables" else Order(indices, False, last_first), world, schedule, outcome)
    elapsed, playing = perf_counter() - began, np.random.default_rng(1)
    for k, (which, length, table) in enumerate(zip(schedule.first, schedule.lengths, played, strict=True)):
        start, seen = schedule.starts[which], new_track(5)
        if played_by == "tables":
            play_table(world, playing, start, length, table, seen)
            value = exact_table_value(*model, start, table, beta)
        else:
            play_indices(world, playing, start, length, indices, last_first, seen)
            value = exact_priority_value(*model, start, order, beta)
        assert outcome.collected[k] == collected(world, length, seen)
        assert outcome.values[k] == (pytest.approx(nearest_float(value), rel=1e-13) if valued else -7.0)
    assert 0 < outcome.seconds.min() < outcome.seconds.sum() < elapsed


def test_play_all_reuses_the_value_of_an_unchanged_table():
    world, schedule, outcome = two_starts(valued=True)
    table = np.array([0, 1, 0, 1, 1, 0])
    memory = Table(table.copy(), np.tile(table, (5, 1)), np.zeros(1, int))
    _, nothing = plan_of(memory, 2)
    assert np.isnan(nothing.values).all()
    assert (nothing.last < 0).all()  # no arm, so that any first table counts as new
    last = table.copy(), np.array([7.0, np.nan])
    _, known = play_episodes(memory, world, schedule, outcome, lambda own: ByTable(own, *last))
    assert outcome.values[[0, 2]].tolist() == [7.0, 7.0]
    assert known.values.tolist() == [7.0, outcome.values[1]]


@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
def test_compile_cache_names_no_foreign_type():
    world, schedule, outcome = two_starts(False)
    tables = np.zeros((5, 6), int)
    play_episodes(Table(tables[0].copy(), tables, np.zeros(1, int)), world, schedule, outcome)
    saved = Path(play_all._cache._cache_file._index_path)
    assert not saved.exists() or b"test_episodes" not in saved.read_bytes()


def test_compiling_prints_own_functions_with_their_time(capsys, monkeypatch):
    monkeypatch.setattr("mbrl.kernels.compiling.perf_counter", count().__next__)
    ours, mine, number = *(SimpleNamespace(instance_class=kind) for kind in (Counts, Table)), SimpleNamespace()
    pair = SimpleNamespace(types=(number, mine))

    def compiling(module, *args):
        function = SimpleNamespace(py_func=SimpleNamespace(__name__="play", __module__=module))
        return event.trigger_event("numba:compile", data={"dispatcher": function, "args": args})

    with compiling("own", ours), compiling("mbrl.a", ours, ours), compiling("mbrl.b"), compiling("own"):
        pass
    for args in ((number, ours), (mine,), (ours, pair)):
        with compiling("mbrl.c", *args):
            pass
    expected = ("mbrl.a.play.Counts (once: later runs load it from disk)", "took 2.0 s")
    expected += ("mbrl.c.play (once: later runs load it from disk)", "took 1.0 s")
    expected += ("mbrl.c.play.Table", "took 1.0 s", "mbrl.c.play.Counts", "took 1.0 s")
    assert capsys.readouterr().err == "".join(f"compiling {line}\n" for line in expected)

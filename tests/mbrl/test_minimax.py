"""MB-Minimax: its indices equal the exact tables for any first guess; the effect of its options."""

from math import log

import numpy as np
import pytest
from flint import fmpq

from mbrl.agents import Problem
from mbrl.agents.mb_minimax import MBMinimax
from theory import nearest_float
from theory.minimax import MinimaxSettings, SeenArm, equal_levels, optimistic_table
from theory.rationals import value_of_float

SIZES = np.array([3, 2, 1])
EPISODES = 50


def learner_with_counts(generator, discount, cells, largest, scale):
    """Return a learner with random counts of moves and rewards."""
    agent = MBMinimax(Problem(SIZES, nearest_float(discount), EPISODES), scale=scale, cells=cells)
    counts = agent._memory.counts
    for a, size in enumerate(SIZES):
        for x in range(size):
            counts.moves[a, x, :size] = generator.integers(0, largest, size=size) * (generator.random(size) < 0.7)
            counts.sums[a, x] = generator.integers(0, counts.moves[a, x].sum() + 1)
    counts.coming[0] = 1 + counts.moves.sum()
    return agent


def table_of(agent, arm, discount, cells, scale):
    """Return the exact table of an arm from the learner's counts, with the logarithm of the float computation."""
    counts, size = agent._memory.counts, SIZES[arm]
    visits = [int(counts.moves[arm, x].sum()) for x in range(size)]
    rewards = [fmpq(int(counts.sums[arm, x]), max(1, visits[x])) for x in range(size)]
    rows = [
        [fmpq(int(m), N) if (N := visits[x]) else fmpq(1, int(size)) for m in counts.moves[arm, x, :size]]
        for x in range(size)
    ]
    logarithm = scale * log(5 * SIZES.sum() * (cells + 1) * EPISODES * counts.coming[0])
    settings = MinimaxSettings(value_of_float(logarithm), bits=30)
    return optimistic_table(SeenArm(rewards, rows, visits), discount, equal_levels(discount, cells), settings)


@pytest.mark.parametrize("discount", [fmpq(0), fmpq(1, 2), fmpq(3, 4)])
@pytest.mark.parametrize(("largest", "scale"), [(4, 1.0), (300, 0.1), (3000, 0.01)])
def test_indices_equal_exact_tables_for_any_first_guess(discount, largest, scale):
    generator, cells, cut = np.random.default_rng(7), 9, 0
    for _ in range(4):
        agent = learner_with_counts(generator, discount, cells, largest, scale)
        agent.plan(generator)
        found = agent._memory.indices.copy()
        tables = [table_of(agent, a, discount, cells, scale) for a in range(SIZES.size)]
        for a, size in enumerate(SIZES):
            assert (np.rint(cells * found[a, :size]).astype(int) == tables[a].indices).all()
            cut += sum(
                index == cells and row[0] < row[-1]
                for index, row in zip(tables[a].indices, tables[a].values, strict=True)
            )
        agent._memory.indices[:] = np.where(np.isinf(found), found, generator.random(found.shape))
        agent.plan(generator)
        assert (agent._memory.indices == found).all()
    assert cut > 0 or discount == 0 or largest == 4  # some indices come from chords to B


def test_default_number_of_cells_matches_hand_computation():
    of = {K: MBMinimax(Problem(SIZES, 0.75, K))._memory for K in (10, 60_000)}
    assert {K: memory.cells for K, memory in of.items()} == {10: 240, 60_000: 400}  # 4 * 60, 4 sqrt(10,000)
    assert of[10].constant == 5 * 6 * 241 * 10

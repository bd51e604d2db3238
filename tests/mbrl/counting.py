"""Counts of moves and rewards without a learner, for the tests."""

from typing import NamedTuple

import numpy as np

from mbrl.agents.statistics import UNSEEN_ROWS, counts_of_arms, estimate_row, no_counts
from mbrl.kernels.counting import Counts, count_arm_states, count_global_states
from mbrl.kernels.play import Track


class CountingMemory(NamedTuple):
    """The memory of a learner that only counts."""

    counts: Counts


def estimates(counts, targets, unseen_reward=0.0, unseen_rows="uniform"):
    """Return visits, mean rewards and rows."""
    visits, rewards, rows = np.empty(counts.sums.shape), np.empty(counts.sums.shape), np.zeros(counts.moves.shape)
    for i, x in np.ndindex(counts.sums.shape):
        unseen = unseen_reward, UNSEEN_ROWS.index(unseen_rows)
        visits[i, x], rewards[i, x] = estimate_row(counts, i, x, targets[i], *unseen, rows[i, x])
    return visits, rewards, rows


class ArmStatistics:
    make, count = staticmethod(counts_of_arms), staticmethod(count_arm_states)

    def __init__(self, problem, next_state="observed"):
        self.sizes = problem.sizes
        self.counts = self.make(problem, next_state)
        self.moves, self.sums, self.squares = self.counts[:3]

    def observe(self, seen):
        track = Track(seen.arms, seen.states, seen.next_states, seen.rewards)
        self.count(CountingMemory(self.counts), self.sizes, 0.5, seen.start, seen.length, track)

    @property
    def step(self):
        return self.counts.coming[0]

    @property
    def episode(self):
        return self.counts.coming[1]

    def estimates(self, *unseen):
        return estimates(self.counts, self.sizes, *unseen)


class GlobalStatistics(ArmStatistics):
    make = staticmethod(
        lambda problem, next_state: no_counts((problem.global_states, problem.arms), problem.global_states, next_state)
    )
    count = staticmethod(count_global_states)


def estimates_of(agent):
    """Return the `estimates` of a learner that counts arm states."""
    return estimates(agent._memory.counts, np.asarray(agent._problem.sizes))


def arrays_of(names, depth=2):
    """Yield the arrays among some objects and their attributes, with the expressions that name them."""
    for name, value in names.items():
        if isinstance(value, np.ndarray):
            yield name, value
        elif depth and not isinstance(value, type):
            own = value._asdict() if hasattr(value, "_asdict") else getattr(value, "__dict__", {})
            yield from arrays_of({f"{name}.{key}": part for key, part in own.items()}, depth - 1)

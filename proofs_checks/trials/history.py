"""Histories: integer counts of the episodes that a learner has seen, with the estimates of the paper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from flint import fmpq

from mbrl.agents.interface import Trajectory
from theory import Arm

Table: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class History:
    """The counts before an episode: of each arm's moves from state to state, and of the rewards of 1 in each state.

    `lengths` are those of the episodes, H_1, ..., H_(k-1).
    """

    moves: tuple[Table, ...]
    paid: Table
    lengths: tuple[int, ...] = ()

    @classmethod
    def empty(cls, sizes: Sequence[int]) -> History:
        """Return the counts before the first episode, of arms with so many states."""
        return cls(tuple(((0,) * size,) * size for size in sizes), tuple((0,) * size for size in sizes))

    @property
    def episode(self) -> int:
        """The number k of the coming episode, from 1."""
        return len(self.lengths) + 1

    @property
    def step(self) -> int:
        """The number t_k of the coming episode's first step, from 1."""
        return 1 + sum(self.lengths)

    @property
    def visits(self) -> Table:
        """How often each arm state was played."""
        return tuple(tuple(map(sum, rows)) for rows in self.moves)

    def after(self, episode: Trajectory) -> History:
        """Return the counts after one more episode."""
        moves = [[list(row) for row in rows] for rows in self.moves]
        paid = [list(sums) for sums in self.paid]
        for a, x, y, reward in zip(episode.arms, episode.states, episode.next_states, episode.rewards, strict=True):
            moves[a][x][y] += 1
            paid[a][x] += int(reward)
        return replace(
            self,
            moves=tuple(tuple(map(tuple, rows)) for rows in moves),
            paid=tuple(map(tuple, paid)),
            lengths=(*self.lengths, episode.length),
        )

    def estimate(self, a: int, x: int) -> tuple[fmpq, tuple[fmpq, ...]]:
        """Return the estimated mean reward and row of an arm state: 0 and the uniform row if it was never played."""
        moves = self.moves[a][x]
        count = sum(moves)
        if not count:
            return fmpq(0), (fmpq(1, len(moves)),) * len(moves)
        return fmpq(self.paid[a][x], count), tuple(fmpq(move, count) for move in moves)

    def arm(self, a: int) -> Arm:
        """Return the estimated arm."""
        means, rows = zip(*(self.estimate(a, x) for x in range(len(self.paid[a]))), strict=True)
        return Arm(rewards=means, transitions=rows)

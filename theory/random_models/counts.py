"""Random counts of an arm, as a learner collects them, and their empirical means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from theory.random_models.rows import Integers, Row, drawn
from theory.rationals import ZERO


@dataclass(frozen=True)
class Counts:
    """The counts of one arm.

    Attributes
    ----------
    activations : (S,)
        How often the arm was played in each state; 0 for states never visited.
    moves : (S, S)
        How often the arm moved from one state to another; row sums are the activations.
    successes : (S,)
        How often the reward was 1 (rewards are 0 or 1).
    """

    activations: tuple[int, ...]
    moves: tuple[tuple[int, ...], ...]
    successes: tuple[int, ...]

    def empirical(self, unvisited_row: Sequence[fmpq]) -> tuple[Row, tuple[Row, ...]]:
        """Return the empirical rewards and rows, with 0 and the given row for states never visited.

        Examples
        --------
        >>> counts = Counts(activations=(4, 0), moves=((1, 3), (0, 0)), successes=(3, 0))
        >>> counts.empirical(unvisited_row=(fmpq(0), fmpq(1)))
        ((3/4, 0), ((1/4, 3/4), (0, 1)))
        """
        rewards = tuple(
            fmpq(wins, plays) if plays else ZERO for wins, plays in zip(self.successes, self.activations, strict=True)
        )
        rows = tuple(
            tuple(fmpq(count, plays) for count in counts) if plays else tuple(unvisited_row)
            for counts, plays in zip(self.moves, self.activations, strict=True)
        )
        return rewards, rows


def random_counts(source: Integers, size: int, largest: int = 3) -> Counts:
    """Return counts of an arm of `size` states; states never visited are common."""
    moves = tuple(
        tuple(drawn(source, 0, largest + 1) for _ in range(size)) if drawn(source, 0, 3) else (0,) * size
        for _ in range(size)
    )
    activations = tuple(map(sum, moves))
    successes = tuple(drawn(source, 0, plays + 1) for plays in activations)
    return Counts(activations, moves, successes)

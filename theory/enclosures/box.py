"""Sets of rows, arms and bandits with every number enclosed; the best and the worst row of a set for given values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from flint import fmpq

from theory.domain import divided
from theory.enclosures.enclosure import Enclosure
from theory.errors import ModelError
from theory.model import Bandit
from theory.rationals import ONE, ZERO, decimal_text

Row = tuple[fmpq, ...]


@dataclass(frozen=True)
class RowBox:
    """The rows q with ``0 <= low <= q <= high <= 1`` entrywise and sum 1; at least one.

    For a given order of the values, one row is best for all values in that order: it has the most mass on the best
    state, on the best two, and so on. Whatever increases with these masses is largest at `best`, smallest at `worst`.
    """

    low: Row
    high: Row

    @classmethod
    def of(cls, entries: Sequence[Enclosure], label: str = "row") -> RowBox:
        """Return the rows whose entries lie in these enclosures."""
        for entry in entries:
            if entry.high < 0:
                raise ModelError(f"{label} has a negative probability, {_shown(entry)}")
        low = tuple(max(entry.low, ZERO) for entry in entries)
        high = tuple(min(entry.high, ONE) for entry in entries)
        least, most = sum((entry.low for entry in entries), ZERO), sum((entry.high for entry in entries), ZERO)
        total = Enclosure(max(least, sum(low, ZERO)), most)
        if total.low > 1 or total.high < 1:
            advice = divided(low) if total.is_exact else ""
            raise ModelError(f"{label} sums to {'' if total.is_exact else 'a number '}{_shown(total)}, not 1{advice}")
        return cls(low, high)

    @property
    def is_exact(self) -> bool:
        """Whether there is only one row."""
        return self.low == self.high

    def best(self, values: Sequence[fmpq]) -> Row:
        """Return a row of largest expectation of `values`: as much mass as possible on the best states."""
        return self._filled(sorted(range(len(values)), key=values.__getitem__, reverse=True))

    def worst(self, values: Sequence[fmpq]) -> Row:
        """Return a row of smallest expectation of `values`."""
        return self._filled(sorted(range(len(values)), key=values.__getitem__))

    def member(self) -> Row:
        """Return a row of the box, away from its ends if possible."""
        states = range(len(self.low))
        one, other = self._filled(states), self._filled(states[::-1])
        return tuple((p + q) / 2 for p, q in zip(one, other, strict=True))

    def halves(self) -> tuple[RowBox, RowBox]:
        """Return two boxes that hold the rows between them, cut in the middle of the entry that varies most.

        Examples
        --------
        >>> half = Enclosure(fmpq(0), fmpq(1, 2))
        >>> RowBox.of([half, Enclosure(fmpq(0), fmpq(1))]).halves()[1]
        RowBox(low=(1/4, 1/2), high=(1/2, 1))
        """
        least, most = sum(self.low, ZERO), sum(self.high, ZERO)
        ends = [
            Enclosure(max(p, 1 - most + q), min(q, 1 - least + p)) for p, q in zip(self.low, self.high, strict=True)
        ]
        y = max(range(len(ends)), key=lambda y: ends[y].width)
        low, high = (RowBox.of([*ends[:y], half, *ends[y + 1 :]]) for half in ends[y].halves())
        return low, high

    def _filled(self, states: Sequence[int]) -> Row:
        row = list(self.low)
        missing = 1 - sum(row, ZERO)
        for y in states:
            added = min(self.high[y] - row[y], missing)
            row[y] += added
            missing -= added
        return tuple(row)


@dataclass(frozen=True)
class ArmBox:
    """An arm at some number of bits: one reward, row and radii per state."""

    rewards: tuple[Enclosure, ...]
    rows: tuple[RowBox, ...]
    reward_radius: tuple[Enclosure, ...]
    transition_radius: tuple[Enclosure, ...]


@dataclass(frozen=True)
class BanditBox:
    """A bandit at some number of bits; `names` is an exact bandit of its shape, whose numbers mean nothing."""

    arms: tuple[ArmBox, ...]
    discount: Enclosure
    names: Bandit

    @property
    def has_exact_rows(self) -> bool:
        """Whether every transition row is known exactly."""
        return all(row.is_exact for arm in self.arms for row in arm.rows)

    def member(self, reward: Callable[[Enclosure], fmpq], discount: fmpq) -> Bandit:
        """Return an exact bandit with rows and least radii of the box; `reward` maps an enclosure to a number."""
        arms = [
            replace(
                named,
                rewards=tuple(reward(each) for each in arm.rewards),
                transitions=tuple(row.member() for row in arm.rows),
                reward_radius=tuple(radius.low for radius in arm.reward_radius),
                transition_radius=tuple(radius.low for radius in arm.transition_radius),
            )
            for arm, named in zip(self.arms, self.names.arms, strict=True)
        ]
        return Bandit(arms, discount, self.names.initial)


def _shown(number: Enclosure) -> str:
    if number.is_exact:
        return str(number.low) if len(str(number.low)) < 30 else decimal_text(number.low)
    low, high = number.decimals(10)
    return f"between {low} and {high}"

"""A bandit with every number enclosed at some number of bits: the set of all exact bandits in the enclosures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from flint import fmpq

from theory.enclosures.enclosure import Enclosure
from theory.enclosures.row_box import RowBox
from theory.model import Bandit


@dataclass(frozen=True)
class ArmBox:
    """An arm at some number of bits.

    Attributes
    ----------
    rewards, reward_radius, transition_radius : (S,) Enclosure
    rows : (S,) RowBox
    """

    rewards: tuple[Enclosure, ...]
    rows: tuple[RowBox, ...]
    reward_radius: tuple[Enclosure, ...]
    transition_radius: tuple[Enclosure, ...]


@dataclass(frozen=True)
class BanditBox:
    """A bandit at some number of bits.

    Attributes
    ----------
    arms : (n,) ArmBox
    discount : Enclosure
        Within [0, 1).
    names : Bandit
        An exact bandit of the same shape, with the bandit's state names and initial state; its numbers mean nothing.
    """

    arms: tuple[ArmBox, ...]
    discount: Enclosure
    names: Bandit

    @property
    def has_exact_rows(self) -> bool:
        """Whether every transition row is known exactly."""
        return all(row.is_exact for arm in self.arms for row in arm.rows)

    def member(self, reward: Callable[[Enclosure], fmpq], discount: fmpq) -> Bandit:
        """Return an exact bandit with rows of the box; `reward` maps each reward's enclosure to an exact number."""
        arms = [
            replace(
                named,
                rewards=tuple(reward(each) for each in arm.rewards),
                transitions=tuple(row.member() for row in arm.rows),
            )
            for arm, named in zip(self.arms, self.names.arms, strict=True)
        ]
        return Bandit(arms, discount, self.names.initial)

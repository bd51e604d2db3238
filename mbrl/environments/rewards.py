"""Laws of rewards in play, and the unit in which learners see rewards.

A law is finitely many values, plus Gaussian noise (`theory.RewardLaw`). Learners see rewards relative to an offset and
in a unit, such that mean rewards lie in 0..1 and every law is sub-Gaussian with variance proxy 1/4, as is any law on
0..1. So the radii and bonuses of optimistic learners that rest on Hoeffding's inequality alone are as valid as for
Bernoulli rewards. Regret does not depend on the offset, and is given in the model's own unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import hypot, inf
from typing import Final

import numpy as np
from flint import fmpq
from numpy.typing import NDArray

from mbrl.arrays import ReadOnly, kept
from theory import ModelError, NumberError, RewardLaw, nearest_float, rational

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


ROUNDING = 1e-9
"""Rounding error allowed in probabilities and means of laws."""

UNDERFLOWING: Final = np.errstate(under="ignore")
"""Ignores underflow: a reward that vanishes in the unit of a far larger one is no error."""


@dataclass(frozen=True, eq=False)
class RewardLaws(ReadOnly):
    """The laws of the rewards of all arm states, in the learners' unit. Its arrays are read-only copies.

    Attributes
    ----------
    values : (n, S, M)
        The values of each state's law, padded.
    cumulative : (n, S, M)
        Their cumulative probabilities; exactly 1 from the last one on.
    deviations : (n, S)
        Standard deviation of the Gaussian noise.
    """

    values: Floats
    cumulative: Floats
    deviations: Floats

    def __post_init__(self) -> None:
        for field in fields(self):
            object.__setattr__(self, field.name, kept(getattr(self, field.name)))

    @property
    def bounded(self) -> bool:
        """Whether every reward lies in 0..1."""
        return not self.deviations.any()

    def check(self, means: Floats, sizes: Integers) -> None:
        """Check that these are laws for arms of `sizes` with the (n, S, 1) `means`.

        Raises
        ------
        ModelError
            If they are not; the error names arm and state.
        """
        shape = (*means.shape[:2], self.values.shape[-1])
        if means.shape[2] != 1:
            raise ModelError("laws of rewards: they need mean rewards that do not depend on the next state")
        if self.values.shape != shape or self.cumulative.shape != shape or self.deviations.shape != shape[:2]:
            raise ModelError(f"laws of rewards: shape {self.values.shape} does not fit means of {shape[:2]} arm states")
        used = np.arange(shape[1]) < sizes[:, None]
        probabilities = np.diff(self.cumulative, axis=2, prepend=0.0)
        is_law = (probabilities >= -ROUNDING).all(axis=2) & (self.cumulative[:, :, -1] == 1.0)
        is_law &= ((self.values >= 0) & (self.values <= 1)).all(axis=2)
        is_law &= (self.deviations >= 0) & (self.deviations < np.inf)
        for a, x in np.argwhere(used & ~is_law):
            raise ModelError(f"arm {a + 1}, state {x + 1}: this is no law of a reward with values in 0..1")
        own = (probabilities * self.values).sum(axis=2)
        for a, x in np.argwhere(used & (np.abs(own - means[:, :, 0]) > ROUNDING)):
            law, given = f"{own[a, x]:.12g}", f"{means[a, x, 0]:.12g}"
            raise ModelError(f"arm {a + 1}, state {x + 1}: the law's mean {law} is not the mean reward {given}")

    def draw(self, rng: np.random.Generator, arms: Integers, states: Integers) -> Floats:
        """Draw the (H,) rewards of H steps, in units; each step is an arm in a state.

        Examples
        --------
        >>> from mbrl.environments import random_walk, with_rewards
        >>> walk, first = with_rewards(random_walk(), "gaussian:0.1"), np.zeros(10**5, dtype=np.int64)
        >>> drawn = walk.offset + walk.unit * walk.laws.draw(np.random.default_rng(1), first, first)
        >>> f"{drawn.mean():.2f}, deviating by {drawn.std():.2f}"
        '0.20, deviating by 0.10'
        """
        which = (rng.random(arms.size)[:, None] >= self.cumulative[arms, states]).sum(axis=1)
        rewards: Floats = self.values[arms, states, which]
        if not self.bounded:
            rewards = rewards + self.deviations[arms, states] * rng.standard_normal(arms.size)
        return rewards


def unit_of(lowest: float, highest: float, spread: float = 0.0) -> tuple[float, float]:  # equivalent: up to 1
    """Return offset and unit for rewards whose values lie between two numbers.

    The offset is 0 unless a value is negative, and the unit is at least 1, so that rewards in 0..1 stay as they are.

    Parameters
    ----------
    lowest, highest
        Smallest and largest value, without noise.
    spread
        Twice the square root of the largest variance proxy: the width of an interval, or two standard deviations.

    Raises
    ------
    NumberError
        If the unit is beyond the range of floats.

    Examples
    --------
    >>> unit_of(0.2, 0.7), unit_of(0.0, 4.0), unit_of(-1.0, 0.5), unit_of(0.0, 1.0, spread=6.0)
    ((0.0, 1.0), (0.0, 4.0), (-1.0, 1.5), (0.0, 6.0))
    """
    offset = min(0.0, lowest)
    unit = max(1.0, highest - offset, spread)
    if not unit < inf:
        raise NumberError(f"rewards: their range, {lowest:.12g} to {highest:.12g}, is beyond that of floats")
    return offset, unit


@UNDERFLOWING
def constant_laws(means: Floats, sizes: Integers) -> tuple[RewardLaws, float, float]:
    """Return the laws of constant rewards, equal to their (n, S) means, in the learners' unit, and offset and unit.

    Examples
    --------
    >>> laws, offset, unit = constant_laws(np.array([[-1.0, 3.0], [1.0, 0.0]]), np.array([2, 1]))
    >>> laws.values[:, :, 0].tolist(), offset, unit
    ([[0.0, 1.0], [0.5, 0.0]], -1.0, 4.0)
    """
    used = np.arange(means.shape[1]) < sizes[:, None]
    offset, unit = unit_of(float(means[used].min()), float(means[used].max()))
    seen = np.where(used, (means - offset) / unit, 0.0)[:, :, None]
    return RewardLaws(seen, np.ones(seen.shape), np.zeros(means.shape)), offset, unit


@UNDERFLOWING
def combined_laws(laws: Sequence[Sequence[RewardLaw]]) -> tuple[RewardLaws, float, float]:
    """Return the laws of all arms in the learners' unit, and offset and unit.

    Parameters
    ----------
    laws
        The law of every state of every arm.

    Raises
    ------
    NumberError
        For a number beyond the range of floats.

    Examples
    --------
    Two deviations of 4 on either side make the unit.

    >>> laws, offset, unit = combined_laws([[RewardLaw.gaussian(2, 4)]])
    >>> laws.values.tolist(), laws.deviations.tolist(), offset, unit
    ([[[0.25]]], [[0.5]], 0.0, 8.0)
    """
    values = [[_in_floats(law.values, a, x) for x, law in enumerate(arm)] for a, arm in enumerate(laws)]
    lowest = min(value for arm in values for state in arm for value in state)
    highest = max(value for arm in values for state in arm for value in state)
    deviations = [[_in_floats([law.deviation], a, x)[0] for x, law in enumerate(arm)] for a, arm in enumerate(laws)]
    spread = max(
        hypot(max(state) - min(state), 2 * deviation)
        for arm, noise in zip(values, deviations, strict=True)
        for state, deviation in zip(arm, noise, strict=True)
    )
    offset, unit = unit_of(lowest, highest, spread)
    shape = (len(laws), max(map(len, laws)))
    longest = max(len(law.values) for arm in laws for law in arm)
    all_values, cumulative, noise = np.zeros((*shape, longest)), np.ones((*shape, longest)), np.zeros(shape)
    for a, arm in enumerate(laws):
        for x, law in enumerate(arm):
            count = len(law.values)
            all_values[a, x, :count] = (np.array(values[a][x]) - offset) / unit
            cumulative[a, x, : count - 1] = np.cumsum([nearest_float(p) for p in law.probabilities])[:-1]
            noise[a, x] = deviations[a][x] / unit
    return RewardLaws(all_values, cumulative, noise), offset, unit


def _in_floats(numbers: Sequence[fmpq], arm: int, state: int) -> list[float]:
    try:
        return [nearest_float(number) for number in numbers]
    except NumberError as error:
        raise NumberError(f"arm {arm + 1}, state {state + 1}: law of the reward: {error}") from None


def law_from_text(text: str, mean: str) -> RewardLaw:
    """Return the law called ``bernoulli``, ``constant`` or ``gaussian:DEVIATION`` with the mean `mean`.

    Raises
    ------
    ModelError, NumberError
        For any other text, a deviation that is no number or negative, or a Bernoulli mean outside 0..1.

    Examples
    --------
    >>> law_from_text("gaussian:0.1", "1/2").deviation
    1/10
    """
    kind, colon, deviation = text.partition(":")
    if kind == "gaussian" and colon:
        try:
            return RewardLaw.gaussian(mean, rational(deviation))
        except NumberError as error:
            raise NumberError(f"rewards {text!r}: {error}") from None
    if text == "bernoulli":
        return RewardLaw.bernoulli(mean)
    if text == "constant":
        return RewardLaw.constant(mean)
    raise ModelError(f"rewards: {text!r} is none of bernoulli, constant and gaussian:DEVIATION")

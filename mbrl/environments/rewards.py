"""Laws of rewards in play, and the unit in which learners see rewards.

A law is finitely many values, plus Gaussian noise (`theory.RewardLaw`). Learners see rewards relative to an offset and
in a unit, such that mean rewards lie in 0..1 and every law is sub-Gaussian with variance proxy 1/4, as is any law on
0..1. So the radii and bonuses of optimistic learners that rest on Hoeffding's inequality alone are as valid as for
Bernoulli rewards. Regret does not depend on the offset, and is given in the model's own unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import hypot
from typing import Any

import numpy as np

from mbrl.arrays import Floats, Integers, ReadOnly, kept
from theory import ModelError, NumberError, RewardLaw, nearest_float, rational

ROUNDING = 1e-9
"""Rounding error allowed in probabilities and means of laws."""


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
        shape, used = self.values.shape, np.arange(means.shape[1]) < sizes[:, None]
        if means.shape[2] != 1:
            raise ModelError("laws of rewards: they need mean rewards that do not depend on the next state")
        if shape[:2] != means.shape[:2] or self.cumulative.shape != shape or self.deviations.shape != shape[:2]:
            raise ModelError(f"laws of rewards: shape {shape} does not fit means of {means.shape[:2]} arm states")
        probabilities = np.diff(self.cumulative, axis=2, prepend=0.0)
        is_law = ((probabilities >= -ROUNDING) & (self.values >= 0) & (self.values <= 1)).all(axis=2)
        is_law &= (self.cumulative[:, :, -1] == 1) & (self.deviations >= 0) & (self.deviations < np.inf)
        is_law &= np.abs((probabilities * self.values).sum(axis=2) - means[:, :, 0]) <= ROUNDING
        for a, x in np.argwhere(used & ~is_law):
            wanted = f"values in 0..1 and the mean {means[a, x, 0]:.12g}"
            raise ModelError(f"arm {a + 1}, state {x + 1}: this is no law of a reward with {wanted}")


@np.errstate(under="ignore")  # a reward that vanishes in the unit of a far larger one is no error
def paid(
    means: Floats, sizes: Integers, deviation: float = 0.0, laws: Sequence[Sequence[RewardLaw]] = ()
) -> dict[str, Any]:
    """Return the fields of an `Environment` that say what it pays, with `offset` and `unit` for these laws of rewards.

    The offset is 0 unless a value is negative, and the unit is at least 1, so that rewards in 0..1 stay as they are. A
    unit is at least twice the square root of each law's variance proxy: for a law with noise, the square of the width
    of its values plus that of two standard deviations.

    Parameters
    ----------
    means : (n, S)
    sizes : (n,)
    deviation
        Standard deviation of the Gaussian noise around the means.
    laws
        The law of every state of every arm, in place of the means and their noise.

    Raises
    ------
    NumberError
        For a number or a range beyond that of floats.

    Examples
    --------
    >>> two = paid(np.array([[-1.0, 3.0], [1.0, 0.0]]), np.array([2, 1]))
    >>> two["laws"].values[:, :, 0].tolist(), two["offset"], two["unit"]
    ([[0.0, 1.0], [0.5, 0.0]], -1.0, 4.0)
    >>> [paid(np.array([[low, high]]), np.array([2]))["unit"] for low, high in ((0.2, 0.7), (0.0, 4.0), (-1.0, 0.5))]
    [1.0, 4.0, 1.5]

    Two deviations of 4 on either side make the unit.

    >>> noisy = paid(np.array([[2.0]]), np.array([1]), laws=[[RewardLaw.gaussian(2, 4)]])
    >>> noisy["laws"].values.tolist(), noisy["laws"].deviations.tolist(), noisy["unit"]
    ([[[0.25]]], [[0.5]], 8.0)
    """
    used = np.arange(means.shape[1]) < sizes[:, None]
    values, real, cumulative = means[:, :, None], used[:, :, None], np.ones((*means.shape, 1))
    deviations = np.where(used, deviation, 0.0)
    if laws:
        shape = (*means.shape, max(len(law.values) for arm in laws for law in arm))
        values, real, cumulative = np.zeros(shape), np.zeros(shape, dtype=bool), np.ones(shape)
        for a, arm in enumerate(laws):
            for x, law in enumerate(arm):
                count = len(law.values)
                real[a, x, :count] = True
                try:
                    values[a, x, :count] = [nearest_float(value) for value in law.values]
                    deviations[a, x] = nearest_float(law.deviation)
                except NumberError as error:
                    raise NumberError(f"arm {a + 1}, state {x + 1}: law of the reward: {error}") from None
                cumulative[a, x, : count - 1] = np.cumsum([nearest_float(p) for p in law.probabilities])[:-1]
    least, most = (values.min(axis=2, where=real, initial=np.inf), values.max(axis=2, where=real, initial=-np.inf))
    noisy, lowest, highest = deviations > 0, float(least.min()), float(most.max())
    offset = min(0.0, lowest)
    unit = max(1.0, highest - offset, *map(hypot, (most - least)[noisy], 2 * deviations[noisy]))
    if not unit < np.inf:
        raise NumberError(f"rewards: their range, {lowest:.12g} to {highest:.12g}, is beyond that of floats")
    in_units = RewardLaws(np.where(real, (values - offset) / unit, 0.0), cumulative, deviations / unit)
    seen = np.where(used, (means - offset) / unit, 0.0)[:, :, None]
    return {"transition_rewards": seen, "laws": in_units, "unit": unit, "offset": offset, "means": means}


def deviation_of(law: str) -> float | None:
    """Return the standard deviation of ``gaussian:DEVIATION``; 0 for ``constant``, and None for ``bernoulli``.

    Raises
    ------
    ModelError, NumberError
        For any other text, or a deviation that is no number or negative.

    Examples
    --------
    >>> deviation_of("gaussian:1/10"), deviation_of("constant"), deviation_of("bernoulli")
    (0.1, 0.0, None)
    """
    kind, colon, deviation = law.partition(":")
    if kind == "gaussian" and colon:
        try:
            return nearest_float(RewardLaw.gaussian(0, rational(deviation)).deviation)
        except NumberError as error:
            raise NumberError(f"rewards {law!r}: {error}") from None
    if law not in ("bernoulli", "constant"):
        raise ModelError(f"rewards: {law!r} is none of bernoulli, constant and gaussian:DEVIATION")
    return 0.0 if law == "constant" else None

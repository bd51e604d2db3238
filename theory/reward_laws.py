"""Exact laws of rewards, which a model may state beyond their means.

Indices and values depend on mean rewards alone; play draws rewards from their laws. A law is finitely many values with
probabilities, plus Gaussian noise. So it may be Bernoulli (0 or 1), constant, Gaussian, or any finite law.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flint import fmpq

from theory.domain import check_probability
from theory.errors import ModelError
from theory.rationals import ONE, ZERO, Exact, rational, rationals


@dataclass(frozen=True, init=False)
class RewardLaw:
    """The law of one arm state's reward: values and their probabilities, exact numbers.

    Gaussian noise of standard deviation `deviation` is added to the value; 0 means no noise.

    Raise `ModelError` if the numbers of values and probabilities differ, a probability or the deviation is negative, or
    the probabilities do not sum to exactly 1. Raise `NumberError` for a float, or something that is not a number.

    Examples
    --------
    >>> RewardLaw([0, 5], ["4/5", "1/5"]).mean
    1
    """

    values: tuple[fmpq, ...]
    probabilities: tuple[fmpq, ...]
    deviation: fmpq

    def __init__(self, values: Iterable[Exact], probabilities: Iterable[Exact], deviation: Exact = 0) -> None:
        given = rationals(values), rationals(probabilities), rational(deviation)
        if not given[0] or len(given[0]) != len(given[1]):
            raise ModelError(f"{len(given[0])} values of a reward but {len(given[1])} probabilities")
        check_probability(given[1], "the law of a reward")
        if given[2] < 0:
            raise ModelError(f"the standard deviation {given[2]} of a reward is negative")
        for name, value in zip(("values", "probabilities", "deviation"), given, strict=True):
            object.__setattr__(self, name, value)  # the dataclass is frozen; this is its construction

    @property
    def mean(self) -> fmpq:
        """The expected reward."""
        return sum((p * value for p, value in zip(self.probabilities, self.values, strict=True)), ZERO)

    @classmethod
    def bernoulli(cls, mean: Exact) -> RewardLaw:
        """Return the law of a reward of 0 or 1.

        Examples
        --------
        >>> law = RewardLaw.bernoulli("1/4")
        >>> law.values, law.probabilities
        ((0, 1), (3/4, 1/4))
        """
        success = rational(mean)
        if not 0 <= success <= 1:
            raise ModelError(f"a Bernoulli reward has a mean from 0 to 1, not {success}")
        return cls([ZERO, ONE], [1 - success, success])

    @classmethod
    def constant(cls, reward: Exact) -> RewardLaw:
        """Return the law of a reward that is always the same."""
        return cls([reward], [1])

    @classmethod
    def gaussian(cls, mean: Exact, deviation: Exact) -> RewardLaw:
        """Return the Gaussian law of a mean and a standard deviation."""
        return cls([mean], [1], deviation)

r"""Bounds on regret as displays of the proof of Theorem 1 give them, with every constant.

With D = Sn, :math:`z = \log K/(1-\beta)` and L standing for :math:`L_K` (or the smaller :math:`L_{K-1}`), each is

.. math:: \frac{1}{(1-\beta)^{o-1}} \Big[ \frac{c_0(K)}{(1-\beta)^{2-o}}
          + \sum_{i,j} L^j S^{i/2} (p_{ij} D z^2 + r_{ij} \sqrt{DK} z^{3/2}) \Big]

with order o = 1, or 2 for MB-UCBVI. The coefficients depend on K and 1 - beta through the moments of the longest
episode, 1/z, 1 - beta and 1/log K only, and none is negative. So the quotient by the theorem's side is computable over
boxes of models (`theory.paper.regret.constants`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from flint import arb, fmpq

from theory.domain import check_counts, exact_discount
from theory.errors import ModelError
from theory.paper.bonuses import last_log_factor, log_factor
from theory.paper.regret.moments import Moments
from theory.paper.regret.sloped import Sloped
from theory.paper.regret.span import Interval, Span, over
from theory.rationals import Exact

Number: TypeAlias = Any
"""A ball, or a `Sloped`."""
Coefficients: TypeAlias = "Mapping[tuple[int, int], tuple[Number, Number]]"
"""By (i, j), the powers of sqrt S and of L: what multiplies D z^2, and what multiplies (DK)^(1/2) z^(3/2)."""


@dataclass(frozen=True)
class Scale:
    """What the coefficients depend on: balls over a span of episodes and an interval of w = 1 - beta.

    With `slopes`, for one number of episodes, functions of w with their derivatives.
    """

    span: Span
    interval: Interval
    moments: Moments
    slopes: bool = False

    def moment(self, alpha: fmpq) -> Number:
        """Return the moment of the longest episode over z^alpha."""
        if self.slopes and self.moments.sloped is not None:
            return self.moments.sloped(self.span.first, self.interval, alpha)
        return self.moments.over(self.span, self.interval, alpha)

    @property
    def w(self) -> Number:
        """1 - beta."""
        ball = over(self.interval)
        return Sloped(ball, arb(1)) if self.slopes else ball

    @property
    def unit(self) -> Number:
        """1/z."""
        return self.w * self.span.inverse_log


@dataclass(frozen=True)
class Additive:
    r"""What the episodes cost in which an event fails: c_0(K)/(1-beta).

    Attributes
    ----------
    constant, per_state
        The failure probabilities are at most (constant + per_state S)/K each.
    tails
        They are at most tails/(K log(K(k-1))) for episode k >= 2, as the repaired events give, and 0 for episode 1:
        together at most tails (K-1)/(K log K).
    tails_per_state
        The same, multiplied by S.
    """

    constant: fmpq = fmpq(0)
    per_state: fmpq = fmpq(0)
    tails: int = 0
    tails_per_state: int = 0

    def free(self, span: Span) -> arb:
        """Return a ball of the part that does not depend on S, over a span."""
        return arb(self.constant) + self.tails * _tails(span)

    def of_states(self, span: Span) -> arb:
        """Return a ball of the multiple of S, over a span."""
        return arb(self.per_state) + self.tails_per_state * _tails(span)


def _tails(span: Span) -> arb:
    """Return (K-1)/(K log K), at least the sum over 2 <= k <= K of 1/(K log(K(k-1)))."""
    return (1 - 1 / arb(span.first)) / span.log if span.alone else span.inverse_log


@dataclass(frozen=True)
class RegretBound:
    """A bound on the regret of K episodes.

    Attributes
    ----------
    algorithm
    display
        Which display of the proof, or which change of it.
    order
        1, or 2 for MB-UCBVI.
    additive
    moments
    coefficients
        From a `Scale`.
    last
        Whether L is the L_{K-1} of the last episode, and not the larger L_K.
    """

    algorithm: str
    display: str
    order: int
    additive: Additive
    moments: Moments
    coefficients: Callable[[Scale], Coefficients]
    last: bool = False

    def __post_init__(self) -> None:
        """Refuse an order that no bound of the theorem has."""
        if self.order not in (1, 2):
            raise ModelError(f"order: 1 for MB-PSRL and MB-UCRL2 or 2 for MB-UCBVI, not {self.order}")

    def at(self, S: int, n: int, K: int, beta: Exact) -> arb:
        """Return its value for one model.

        Raises
        ------
        ModelError
            For K = 1, where L_K has no value, and outside the domain.
        """
        check_counts(S=S, n=n)
        check_counts(2, K=K)
        w, span = 1 - exact_discount(beta), Span(K)
        z, D = span.log / w, S * n
        L = log_factor(S, n, K, K, beta) if self.last else last_log_factor(S, n, K, beta)
        linear, root = D * z**2, arb(D * K).sqrt() * z * z.sqrt()
        total = (self.additive.free(span) + S * self.additive.of_states(span)) / arb(w) ** (2 - self.order)
        for (i, j), (p, r) in self.coefficients(Scale(span, (w, w), self.moments)).items():
            total += arb(S) ** (i // 2) * (arb(S).sqrt() if i % 2 else 1) * L**j * (p * linear + r * root)
        return total / arb(w) ** (self.order - 1)

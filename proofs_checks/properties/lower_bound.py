"""Theorem 2: what its bound must not exceed, and that the prior of its proof supports it in small cases."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from flint import fmpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from proofs_checks.properties.formulas import Formulas
from proofs_checks.properties.property import Counterexample, Property
from theory import Bandit, decimal_text
from theory.paper import BestArmPrior, known_horizon_regrets

_MEANS = ((fmpq(1, 4), fmpq(5, 8)), (fmpq(3, 8), fmpq(5, 8)))
"""Of the other arms and of the better one: no multiples of 1/8 force a larger regret for n = 2 and K = 16, 18, 20."""


@dataclass(frozen=True)
class Size:
    """S, n, K and the discount."""

    S: int
    n: int
    K: int
    beta: fmpq


@st.composite
def sizes(draw: DrawFn) -> Size:
    """Draw a size in the theorem's domain K >= 16 S, with at least two arms, no more than visits of each state."""
    S, n = draw(st.integers(1, 4)), draw(st.integers(2, 50))
    beta = draw(st.sampled_from([fmpq(0), fmpq(1, 2), fmpq(9, 10), fmpq(99, 100)]))
    fewest = int((S * n * (1 - beta)).ceil())
    return Size(S, n, max(16 * S, fewest) + draw(st.integers(0, 200)), beta)


def _refute_random_play(formulas: Formulas, at: Size) -> Counterexample | None:
    bound = formulas.enclosure("lower_bound", S=at.S, n=at.n, K=at.K, beta=at.beta).low
    regret = at.K * (1 - fmpq(1, at.n)) / (1 - at.beta)
    if bound <= regret:
        return None
    return Counterexample(
        f"It is {decimal_text(bound, 6)}, and an arm drawn uniformly at the start has regret at most "
        f"{decimal_text(regret, 6)}.",
        {key: str(value) for key, value in vars(at).items()},
    )


@cache
def _supported(n: int, K: int) -> tuple[fmpq, Bandit]:
    """Return the largest Bayesian regret that a prior with one better arm forces at S = 1, beta = 0, and a model."""
    best: tuple[fmpq, Bandit] | None = None
    for low, high in _MEANS:
        prior = BestArmPrior(1, n, 0, low, high)
        regret = known_horizon_regrets(prior, K)[-1]
        if best is None or regret > best[0]:
            _, bandit = next(iter(prior.models()))
            best = regret, Bandit(bandit.arms, bandit.discount, [0] * n)
    assert best is not None
    return best


def _refute_support(formulas: Formulas, at: tuple[int, int]) -> Counterexample | None:
    n, K = at
    bound = formulas.enclosure("lower_bound", S=1, n=n, K=K, beta=fmpq(0)).low
    regret, bandit = _supported(n, K)
    if bound <= regret:
        return None
    return Counterexample(
        f"It is {decimal_text(bound, 6)}, and these priors force {decimal_text(regret, 6)} at most, the means being "
        f"{bandit.arms[0].rewards[0]} for one arm and {bandit.arms[1].rewards[0]} for the others.",
        {"S": "1", "n": str(n), "K": str(K), "beta": "0"},
        bandit,
    )


PROPERTIES = (
    Property(
        "below-random-play",
        "lower_bound",
        "The lower bound is at most the regret of random play, for K >= 16 S and 2 <= n <= K/(S (1 - beta)).",
        ("lower_bound",),
        sizes(),
        _refute_random_play,
    ),
    Property(
        "supported-by-one-better-arm",
        "lower_bound",
        "Some prior with one better arm, of mean 5/8 beside 1/4 or 3/8, forces the lower bound on every learner.",
        ("lower_bound",),
        st.sampled_from([(2, 16), (2, 18), (2, 20)]),
        _refute_support,
    ),
)

"""Bounds on the regret: Theorem 2's is at most that of random play, and of priors in small cases; and ours, sharper."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from flint import arb, fmpq

from proofs_checks.trials.counterexample import Counterexample
from proofs_checks.trials.properties.formulas import Formulas
from proofs_checks.trials.properties.property import Property
from theory import ZERO, Bandit, decimal_text
from theory.paper import BestArmPrior, adaptive_regret, known_horizon_regrets, lower_bound_squared
from theory.random_models import Integers, drawn, picked

DISCOUNTS = (fmpq(0), fmpq(1, 2), fmpq(9, 10), fmpq(99, 100), fmpq(999, 1000))


@dataclass(frozen=True)
class Size:
    """S, n, K and the discount."""

    S: int
    n: int
    K: int
    beta: fmpq


def size(source: Integers) -> Size:
    """Return a size with K >= 16 S and few arms."""
    S, n, more = drawn(source, 1, 5), drawn(source, 2, 51), drawn(source, 0, 201)
    return Size(S, n, 16 * S + more, picked(source, (fmpq(0), fmpq(1, 2), fmpq(9, 10), fmpq(99, 100))))


def _told(at: Size) -> dict[str, str]:
    return {key: str(value) for key, value in vars(at).items()}


def _refute_random_play(formulas: Formulas, at: Size) -> Counterexample | None:
    bound = formulas.enclosure("lower_bound", S=at.S, n=at.n, K=at.K, beta=at.beta).low
    regret = at.K * (1 - fmpq(1, at.n)) / (1 - at.beta)
    if bound <= regret:
        return None
    return Counterexample(
        f"It is {decimal_text(bound, 6)}, and an arm drawn uniformly at the start has regret at most "
        f"{decimal_text(regret, 6)}.",
        _told(at),
    )


def _supported(n: int, K: int) -> tuple[fmpq, Bandit]:
    """Return the regret that a prior with one better arm forces at S = 1, beta = 0, and a model of this prior."""
    prior = BestArmPrior(1, n, 0, "3/8", "5/8")
    _, bandit = next(iter(prior.models()))
    return known_horizon_regrets(prior, K)[-1], Bandit(bandit.arms, bandit.discount, [0] * n)


def _refute_support(formulas: Formulas, at: tuple[int, int]) -> Counterexample | None:
    n, K = at
    bound = formulas.enclosure("lower_bound", S=1, n=n, K=K, beta=fmpq(0)).low
    regret, bandit = _supported(n, K)
    if bound <= regret:
        return None
    return Counterexample(
        f"It is {decimal_text(bound, 6)}, and a prior forces no more than {decimal_text(regret, 6)}, the means being "
        f"{bandit.arms[0].rewards[0]} for one arm and {bandit.arms[1].rewards[0]} for the others.",
        {"S": "1", "n": str(n), "K": str(K), "beta": "0"},
        bandit,
    )


LOWER_BOUND = (
    Property(
        name="below-random-play",
        suite="lower_bound",
        says="The lower bound is at most the regret of random play, for K >= 16 S and 2 <= n <= 3598 K/(S (1 - beta)).",
        formulas=("lower_bound",),
        instances=size,
        refute=_refute_random_play,
        first=(Size(1, 57568, 16, fmpq(0)),),
    ),
    Property(
        name="supported-by-one-better-arm",
        suite="lower_bound",
        says="A prior with one better arm, of mean 5/8 beside 3/8, forces the lower bound on every learner, for S = 1, "
        "n = 2, beta = 0, K = 16, 18, 20.",
        formulas=("lower_bound",),
        instances=partial(picked, choices=((2, 16), (2, 18), (2, 20))),
        refute=_refute_support,
    ),
)


# --- bounds sharper than the paper's, and the cost of frozen counts


def sharper_size(source: Integers) -> Size:
    """Return a size on which every learner has a positive regret, with few or with very many episodes."""
    S, n = drawn(source, 2, 21), drawn(source, 2, 51)
    return Size(S, n, 3 * S * n * 10 ** drawn(source, 0, 41), picked(source, DISCOUNTS))


def _refute_upper(formulas: Formulas, at: Size) -> Counterexample | None:
    bound = formulas.ball("upper_bound", S=at.S, n=at.n, K=at.K, beta=at.beta)
    forced = arb(lower_bound_squared(at.S, at.n, at.K, at.beta)).sqrt()
    if not bound < forced:
        return None
    return Counterexample(
        f"It is {bound.str(6, radius=False)}; on some model every learner loses {forced.str(6, radius=False)} or more.",
        _told(at),
    )


def _best(S: int, n: int, K: int) -> tuple[fmpq, Bandit]:
    """Return an upper bound on the Bayes-optimal regret for a prior with one better arm at beta = 1/2, and a model."""
    prior = BestArmPrior(S, n, "1/2", "1/2", "5/8")
    return adaptive_regret(prior, K, depth=8).high, next(iter(prior.models()))[1]


def _refute_lower(formulas: Formulas, at: tuple[int, int, int]) -> Counterexample | None:
    S, n, K = at
    size = Size(S, n, K, fmpq(1, 2))
    bound = formulas.enclosure("sharper_lower", **vars(size)).low
    regret, bandit = _best(*at)
    if bound <= regret:
        return None
    return Counterexample(
        f"It is {decimal_text(bound, 6)}; a learner loses {decimal_text(regret, 6)} or less on this prior.",
        _told(size),
        bandit,
    )


@dataclass(frozen=True)
class Geometric:
    """One episode of geometric length that always plays one cell, and f = 1 for the first `first` counts, else 0."""

    first: int
    beta: fmpq


def _sums(at: Geometric) -> tuple[fmpq, fmpq]:
    """Return the mean of H f(0), which is E H, and of the sum of f over the counts, the sum of P(H > j), j < first."""
    return 1 / (1 - at.beta), sum((at.beta**j if j else fmpq(1) for j in range(at.first)), ZERO)


def _refute_frozen(formulas: Formulas, at: Geometric) -> Counterexample | None:
    left, counted = _sums(at)
    right = formulas.number("frozen") / (1 - at.beta) + counted
    if left <= right:
        return None
    return Counterexample(
        f"With f = 1 for the first {at.first} counts the left side is {decimal_text(left, 6)}, the right one "
        f"{decimal_text(right, 6)}, in one episode with one cell.",
        {"beta": str(at.beta)},
    )


SHARPER = (
    Property(
        name="above-what-is-forced",
        suite="sharper",
        says="`upper_bound` is at least what some prior forces on every learner.",
        formulas=("upper_bound",),
        instances=sharper_size,
        refute=_refute_upper,
    ),
    Property(
        name="below-the-best-learner",
        suite="sharper",
        says="`sharper_lower` is at most the Bayes-optimal regret on a prior with one better arm, in small cases.",
        formulas=("sharper_lower",),
        instances=partial(picked, choices=((2, 2, 8), (3, 2, 16))),
        refute=_refute_lower,
    ),
    Property(
        name="frozen-counts",
        suite="sharper",
        says="Steps counted at their episode's beginning cost at most "
        "`frozen` f(0)/(1-beta) more than counted at once.",
        formulas=("frozen",),
        instances=lambda source: Geometric(drawn(source, 1, 5), picked(source, DISCOUNTS)),
        refute=_refute_frozen,
    ),
)

"""Theorem 2: its bound is at most the regret of random play, and of the proof's prior in small cases, exactly."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from flint import fmpq

from proofs_checks.trials.counterexample import Counterexample
from proofs_checks.trials.properties.formulas import Formulas
from proofs_checks.trials.properties.property import Property
from theory import Bandit, decimal_text
from theory.paper import BestArmPrior, known_horizon_regrets
from theory.random_models import Integers, drawn, picked


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


PROPERTIES = (
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

"""Bounds on the regret: Theorem 2's is at most that of random play, and of priors in small cases; and ours, sharper."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from flint import arb, fmpq

from proofs_checks.trials.counterexample import Counterexample
from proofs_checks.trials.properties.formulas import Formulas, Point, in_digits
from proofs_checks.trials.properties.property import Property
from theory import ZERO, Bandit, decimal_text
from theory.paper import BestArmPrior, adaptive_regret, known_horizon_regrets, lower_bound_squared
from theory.random_models import Integers, drawn, picked

DISCOUNTS = (fmpq(0), fmpq(1, 2), fmpq(9, 10), fmpq(99, 100), fmpq(999, 1000))


def size(source: Integers) -> Point:
    """Return S, n, K and the discount with K >= 16 S and few arms."""
    S, n, more = drawn(source, 1, 5), drawn(source, 2, 51), drawn(source, 0, 201)
    return {"S": S, "n": n, "K": 16 * S + more, "beta": picked(source, DISCOUNTS[:4])}


def _refute_below(
    name: str, regret: Callable[[Point], tuple[fmpq, str, Bandit | None]], formulas: Formulas, at: Point
) -> Counterexample | None:
    """Return a counterexample if a lower bound exceeds a regret, which is given with its description and a model."""
    bound = formulas.enclosure(name, **at).low
    most, what, bandit = regret(at)
    if bound <= most:
        return None
    return Counterexample(f"It is {decimal_text(bound, 6)}, and {what} is at most {decimal_text(most, 6)}.", at, bandit)


def _of_random_play(at: Point) -> tuple[fmpq, str, None]:
    most = at["K"] * (1 - fmpq(1, at["n"])) / (1 - at["beta"])
    return most, "the regret of an arm drawn uniformly at the start", None


def _forced(at: Point) -> tuple[fmpq, str, Bandit]:
    """Return the regret that a prior with one better arm forces at S = 1, beta = 0, and a model of this prior."""
    prior = BestArmPrior(at["S"], at["n"], at["beta"], "3/8", "5/8")
    _, bandit = next(iter(prior.models()))
    start = Bandit(bandit.arms, bandit.discount, [0] * at["n"])
    return known_horizon_regrets(prior, at["K"])[-1], "what a prior with means 5/8 and 3/8 forces", start


LOWER_BOUND = (
    Property(
        name="below-random-play",
        says="`lower_bound` is at most the regret of random play, for K >= 16 S and 2 <= n <= 3598 K/(S (1 - beta)).",
        instances=size,
        refute=partial(_refute_below, "lower_bound", _of_random_play),
        first=({"S": 1, "n": 57568, "K": 16, "beta": ZERO},),
    ),
    Property(
        name="supported-by-one-better-arm",
        says="A prior with one better arm, of mean 5/8 beside 3/8, forces `lower_bound` on every learner, for S = 1, "
        "n = 2, beta = 0, K = 16, 18, 20.",
        instances=partial(picked, choices=[{"S": 1, "n": 2, "K": K, "beta": ZERO} for K in (16, 18, 20)]),
        refute=partial(_refute_below, "lower_bound", _forced),
    ),
)


# --- bounds sharper than the paper's, and the cost of frozen counts


def sharper_size(source: Integers) -> Point:
    """Return S, n, K and a discount at which every learner has a positive regret, with few or very many episodes."""
    S, n = drawn(source, 2, 21), drawn(source, 2, 51)
    return {"S": S, "n": n, "K": 3 * S * n * 10 ** drawn(source, 0, 41), "beta": picked(source, DISCOUNTS)}


def _refute_upper(formulas: Formulas, at: Point) -> Counterexample | None:
    bound, forced = formulas.ball("upper_bound", **at), arb(lower_bound_squared(**at)).sqrt()
    if not bound < forced:
        return None
    return Counterexample(
        f"It is {in_digits(bound)}; on some model every learner loses {in_digits(forced)} or more.", at
    )


def _of_the_best(at: Point) -> tuple[fmpq, str, Bandit]:
    """Return an upper bound on the Bayes-optimal regret for a prior with one better arm, and a model of this prior."""
    prior = BestArmPrior(at["S"], at["n"], at["beta"], "1/2", "5/8")
    _, bandit = next(iter(prior.models()))
    return adaptive_regret(prior, at["K"], depth=8).high, "the Bayes-optimal regret for this prior", bandit


def _refute_frozen(formulas: Formulas, at: Point) -> Counterexample | None:
    """Refute the bound in one episode of one cell, of geometric length H, for f = 1 at the `first` counts, then 0.

    The left side is the mean of H f(0), and the sum of f over the counts has the mean of P(H > j) over j < `first`.
    """
    first, beta = at["first"], at["beta"]
    left = 1 / (1 - beta)
    right = formulas.number("frozen") * left + sum((beta**j for j in range(first)), ZERO)
    if left <= right:
        return None
    return Counterexample(
        f"With f = 1 for the first {first} counts the left side is {decimal_text(left, 6)}, the right one "
        f"{decimal_text(right, 6)}, in one episode with one cell.",
        at,
    )


_SMALL = tuple({"S": S, "n": 2, "K": K, "beta": fmpq(1, 2)} for S, K in ((2, 8), (3, 16)))
SHARPER = (
    Property(
        name="above-what-is-forced",
        says="`upper_bound` is at least what some prior forces on every learner.",
        instances=sharper_size,
        refute=_refute_upper,
    ),
    Property(
        name="below-the-best-learner",
        says="`sharper_lower` is at most the Bayes-optimal regret on a prior with one better arm, in small cases.",
        instances=partial(picked, choices=_SMALL),
        refute=partial(_refute_below, "sharper_lower", _of_the_best),
    ),
    Property(
        name="frozen-counts",
        says="Steps counted at their episode's beginning cost at most "
        "`frozen` f(0)/(1-beta) more than counted at once.",
        instances=lambda source: {"first": drawn(source, 1, 5), "beta": picked(source, DISCOUNTS)},
        refute=_refute_frozen,
    ),
)

"""Results the paper takes from the literature: named, cited, tried on exact instances, not proved here.

Their evidence is `cited` whatever the instances say; an instance that contradicts the statement would still refute it.
"""

from __future__ import annotations

from itertools import product

from flint import arb, fmpq

from proofs_checks.ledger import Book, Evidence, Finding, claim, fails, holds
from theory import gittins_priority, paper_model, priority_value
from theory.certified import Truth, at_most, binomial_deviation
from theory.values import optimal_value

SECTION = "Results from the literature"


@claim(
    "cited:hoeffding",
    section=SECTION,
    statement="""Hoeffding's inequality: the mean of l independent variables in an interval of length w deviates
    from its expectation by at least e with probability at most 2 exp(-2 l e^2 / w^2).""",
    domain="l >= 1, e > 0 (Hoeffding 1963, Theorem 2)",
    evidence=Evidence.CITED,
    mutants={"exponent 4 in place of 2": {"factor": 4}},
)
def hoeffding(book: Book, factor: int = 2) -> Finding:
    """Try it on Bernoulli variables with exact binomial tails."""
    tried = 0
    for trials, mean, deviation in product((1, 2, 3, 5, 10, 20), (fmpq(1, 2), fmpq(1, 5)), (fmpq(1, 10), fmpq(3, 10))):
        tail = binomial_deviation(trials, mean, deviation)
        tried += 1
        if not _at_most_exponential(tail, 2, factor * trials * deviation**2):
            return fails({"l": trials, "mean": mean, "e": deviation, "exact probability": tail})
    return holds(Evidence.CITED, instances=tried)


@claim(
    "cited:weissman",
    section=SECTION,
    statement="""Weissman's inequality: the L1 distance of the empirical law of l draws from S outcomes to their law
    is at least e with probability at most 2^S exp(-l e^2 / 2).""",
    domain="l >= 1, e > 0 (Weissman et al. 2003, Theorem 2.1; the bound there has 2^S - 2)",
    evidence=Evidence.CITED,
    mutants={"exponent 2 in place of 1/2": {"factor": 2}},
)
def weissman(book: Book, factor: fmpq = fmpq(1, 2)) -> Finding:
    """Try it on two outcomes, where the L1 distance is twice the deviation of a binomial mean."""
    tried = 0
    for trials, mean, distance in product(
        (1, 2, 5, 10, 20), (fmpq(1, 2), fmpq(1, 5)), (fmpq(2, 5), fmpq(1), fmpq(3, 2))
    ):
        tail = binomial_deviation(trials, mean, distance / 2)
        tried += 1
        if not _at_most_exponential(tail, 4, factor * trials * distance**2):
            return fails({"l": trials, "mean": mean, "e": distance, "exact probability": tail})
    return holds(Evidence.CITED, instances=tried)


@claim(
    "cited:gittins",
    section=SECTION,
    statement="""Playing an arm of largest Gittins index maximises the expected discounted reward from every global
    state.""",
    domain="finite arms, 0 <= beta < 1 (Gittins 1979; Whittle 1980; Weber 1992)",
    evidence=Evidence.CITED,
    mutants={"lowest index first": {"largest_first": False}},
)
def gittins_theorem(book: Book, largest_first: bool = True) -> Finding:
    """Try it on the paper's small models, against policy iteration on the product."""
    tried = 0
    for name in ("counterexample-m1", "counterexample-m2"):
        bandit = paper_model(name)
        order = gittins_priority(bandit) if largest_first else tuple(reversed(gittins_priority(bandit)))
        for state, value in optimal_value(bandit).values.items():
            tried += 1
            found = priority_value(bandit, order, state).value
            if found != value:
                return fails({"model": bandit, "state": state, "optimum": value, "of the order": found})
    return holds(Evidence.CITED, instances=tried)


def _at_most_exponential(probability: fmpq, front: int, exponent: fmpq) -> bool:
    return at_most(lambda: arb(probability), lambda: front * arb(-exponent).exp()) is Truth.YES

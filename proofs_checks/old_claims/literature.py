"""Results the paper takes from the literature: named, cited, tried on exact instances, not proved here.

Their evidence is `cited` whatever the instances say; an instance that contradicts the statement would still refute it.
"""

from __future__ import annotations

from flint import arb, fmpq

from proofs_checks.ledger import Book, Evidence, Finding, claim, fails, holds
from theory import gittins_priority, paper_model, priority_value
from theory.certified import Truth, at_most
from theory.values import optimal_value

SECTION = "Results from the literature"


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

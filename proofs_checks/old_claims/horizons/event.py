"""Event `conc:H`, that no earlier episode was long: where its probability bound fails, and its repairs.

With c = log(K(k-1)) and lambda = log(1/beta): P(H > x) = beta^floor(x) >= beta^x, so the bound 1/K survives the
rounding only if the step from lambda to 1-beta gains what the floor loses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.horizons.steps import SECTION, largest_length, outside_probability
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import Exact, rational
from theory.certified import Truth, at_most, less

DOMAIN = "2 <= k <= K, 0 <= beta < 1 (for k = 1 the event is vacuous and log 0 is printed)"

WITNESSES = {2: fmpq(0), 3: fmpq(2, 5), 4: fmpq(4, 5), 5: fmpq(7, 8), 6: fmpq(4, 5), 7: fmpq(33, 37)}
"""For k = 2 and each K: the discount of smallest denominator at which the printed event fails."""


def rounding_is_paid_for(additive: Exact, least_log: Exact, smallest_product: int) -> bool:
    """Prove that beta^floor(a + c/(1-beta)) <= exp(-c) for every discount and every c from the smallest on.

    With d = 1-beta and lambda = -log(1-d): the floor is above a + c/d - 1, so c (lambda/d - 1) >= (1-a) lambda is
    enough, which is c >= (1-a) lambda d/(lambda-d). That is below 2(1-a), because lambda (2-d) > 2d: the difference
    lambda - 2d/(2-d) vanishes at d = 0 and has the derivative d^2/((1-d)(2-d)^2). At beta = 0 the floor is at least 1.
    """
    d = sympy.symbols("d", positive=True)
    derivative = sympy.diff(-sympy.log(1 - d) - 2 * d / (2 - d), d)
    if sympy.simplify(derivative - d**2 / ((1 - d) * (2 - d) ** 2)) != 0:
        return False
    added, least = rational(additive), rational(least_log)
    return 0 <= added <= 1 and (
        least >= 2 * (1 - added)
        or at_most(lambda: arb(2 * (1 - added)), lambda: arb(smallest_product).log()) is Truth.YES
    )


def three_three_holds() -> bool:
    """Prove P <= 1/3 for K = k = 3 and the printed threshold, for every discount.

    Where the floor is m, beta < 1 - c/(m+1) with c = log 6, and P <= 1/3 means beta^m <= p = 1 - sqrt(2/3). For m >= 1,
    m log(1 - c/(m+1)) <= -c + (c + m c (1 - c/2))/(m+1)^2, by log(1-x) <= -x - x^2/2; from m = 5 on that is at most
    log p, since the fraction decreases; m = 1..4 are compared one by one. The floor is never 0, since c > 1.
    """

    def allowed() -> arb:
        return (1 - (arb(2) / 3).sqrt()).log()

    def largest(m: int) -> Callable[[], arb]:
        return lambda: m * (1 - arb(6).log() / (m + 1)).log()

    def from_five() -> arb:
        c = arb(6).log()
        return -c + (c + 5 * c * (1 - c / 2)) / 36

    m, c = sympy.symbols("m c", positive=True)
    x, fraction = c / (m + 1), (c + m * c * (1 - c / 2)) / (m + 1) ** 2
    expands = sympy.simplify(m * (-x - x**2 / 2) - (-c + fraction)) == 0
    # the derivative of the fraction, times (m+1)^3, has three negative terms, as c < 2
    slope = sympy.expand(sympy.simplify(sympy.diff(fraction, m) * (m + 1) ** 3))
    decreases = sympy.expand(slope - (-c - m * c * (1 - c / 2) - c**2 / 2)) == 0
    if not (expands and decreases and less(lambda: arb(6).log(), lambda: arb(2)) is Truth.YES):
        return False
    steps = [at_most(bound, allowed) for bound in (*map(largest, range(1, 5)), from_five)]
    return all(each is Truth.YES for each in (*steps, less(lambda: arb(1), lambda: arb(6).log())))


def _tried(smallest_product: int) -> Iterator[tuple[int, int, fmpq]]:
    discounts = sorted({fmpq(p, q) for q in (1, 2, 3, 4, 5, 8, 10, 13, 20) for p in range(q)}, key=lambda b: b.q)
    near_one = [
        *(1 - fmpq(1, q) for q in (37, 50, 99, 100, 1000)),
        fmpq(9993071, 10**7),
    ]  # the last: floor 1000 at K = 2
    for K in range(2, 13):
        for k in range(2, K + 1):
            if K * (k - 1) >= smallest_product:
                stored = [WITNESSES[K]] if k == 2 and K in WITNESSES else []
                yield from ((K, k, beta) for beta in (*stored, *discounts, *near_one))


def _violations(factor: fmpq, smallest_product: int, **threshold: Exact) -> dict[tuple[int, int], dict[str, object]]:
    found: dict[tuple[int, int], dict[str, object]] = {}
    for K, k, beta in _tried(smallest_product):
        if (K, k) not in found and (exact := outside_probability(K, k, beta, **threshold)) > factor / K:
            longest = largest_length(K, k, beta, **threshold)
            found[K, k] = {
                "K": K,
                "k": k,
                "beta": beta,
                "floor of the threshold": longest,
                "P(one of k-1 lengths is longer) = 1 - (1 - beta^floor)^(k-1)": exact,
                "stated": factor / K,
            }
    return found


@claim(
    "conc:H",
    section=SECTION,
    statement="P(some of the first k-1 lengths exceeds log(K(k-1))/(1-beta)) <= 1/K.",
    domain=DOMAIN,
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.CERTIFIED,
    mutants={"1/(2K)": {"factor": fmpq(1, 2)}, "half the threshold": {"scale": fmpq(1, 2)}},
    controls={"K(k-1) >= 8": {"smallest_product": 8}},
)
def event_of_short_episodes(book: Book, factor: Exact = 1, scale: Exact = 1, smallest_product: int = 2) -> Finding:
    if not book.stands("conc:H/tail", "conc:H/union"):
        return undecided("conc:H/tail, conc:H/union does not stand")
    found = _violations(rational(factor), smallest_product, scale=scale)
    proved = rational(factor) >= 1 and rational(scale) >= 1
    if proved and not found and rounding_is_paid_for(0, 0, smallest_product):
        return holds(Evidence.CERTIFIED, reason="See the entry's main finding: log(K(k-1)) >= 2 is enough.")
    expected = {(K, 2) for K in WITNESSES}
    if proved and set(found) == expected and three_three_holds() and rounding_is_paid_for(0, 0, 8):
        return holds_only(
            """every beta, if k >= 3 or K >= 8; for k = 2 and K = 2, ..., 7 exactly the beta with
            K beta^floor(log(K)/(1-beta)) <= 1""",
            Evidence.CERTIFIED,
            {f"K = {K}, k = {k}": data for (K, k), data in found.items()},
            reason="""The floor loses a factor below 1/beta, and the step from log(1/beta) to 1-beta gains it back for
            all beta when log(K(k-1)) >= 2, that is K(k-1) >= 8. Left are k = 2 with K <= 7, and K = k = 3.""",
        )
    return fails(next(iter(found.values()))) if found else undecided("the argument does not apply")


@claim(
    "conc:H/repair",
    section=SECTION,
    statement="P(some of the first k-1 lengths exceeds max{2, log(K(k-1))}/(1-beta)) <= 1/K.",
    domain="2 <= k <= K, 0 <= beta < 1; vacuous for k = 1",
    evidence=Evidence.PROOF,
    mutants={"max{19/10, ...}": {"least_log": fmpq(19, 10)}, "1/(2K)": {"factor": fmpq(1, 2)}},
    repairs=("conc:H",),
)
def event_with_at_least_two(book: Book, least_log: Exact = 2, factor: Exact = 1) -> Finding:
    return _repaired(book, rational(factor), least_log=least_log)


@claim(
    "conc:H/repair-additive",
    section=SECTION,
    statement="P(some of the first k-1 lengths exceeds 2/3 + log(K(k-1))/(1-beta)) <= 1/K.",
    domain="2 <= k <= K, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"1/2 in place of 2/3": {"additive": fmpq(1, 2)}, "0.64 in place of 2/3": {"additive": fmpq(16, 25)}},
    repairs=("conc:H",),
)
def event_with_two_thirds_more(book: Book, additive: Exact = fmpq(2, 3)) -> Finding:
    return _repaired(book, fmpq(1), additive=additive)


def _repaired(book: Book, factor: fmpq, additive: Exact = 0, least_log: Exact = 0) -> Finding:
    if not book.stands("conc:H/tail", "conc:H/union"):
        return undecided("conc:H/tail, conc:H/union does not stand")
    found = _violations(factor, 2, additive=additive, least_log=least_log)
    if found:
        return fails(next(iter(found.values())))
    if factor < 1 or not rounding_is_paid_for(additive, least_log, 2):
        return undecided("the argument does not apply")
    return holds(
        Evidence.PROOF,
        reason="""beta^floor(a + c/(1-beta)) <= exp(-c) for every beta once c >= 2(1-a), since
        log(1/beta) > 2(1-beta)/(1+beta) (derivative verified symbolically); then the union bound.""",
        least_additive_that_this_allows=1 - arb(2).log() / 2,
    )


@claim(
    "conc:H/repair-factor",
    section=SECTION,
    statement="P(some of the first k-1 lengths exceeds log(K(k-1))/(1-beta)) <= 2/K, the event as printed.",
    domain="2 <= k <= K, 0 <= beta < 1; 2 is attained at K = k = 2, beta < 1 - log 2",
    evidence=Evidence.CERTIFIED,
    mutants={"19/10 in place of 2": {"factor": fmpq(19, 10)}},
    repairs=("conc:H",),
)
def event_with_twice_the_probability(book: Book, factor: Exact = 2) -> Finding:
    """For the six pairs with k = 2: beta >= 1/2 by the factor 1/beta that the floor loses, beta <= 1/2 by intervals."""
    bound = rational(factor)
    printed = book.finding("conc:H")
    found = _violations(bound, 2)
    if found:
        return fails(next(iter(found.values())))
    cells = 0
    waiting = [(K, fmpq(0), fmpq(1, 2)) for K in WITNESSES]
    while waiting:
        K, low, high = waiting.pop()
        cells += 1
        if high ** largest_length(K, 2, low) <= bound / K:  # the floor grows with beta
            continue
        if cells > 5000:
            return undecided(f"K = {K}: boxes became too narrow")
        middle = (low + high) / 2
        waiting += [(K, low, middle), (K, middle, high)]
    # beta >= 1/2: (k-1) beta^floor(x) <= (1/beta) (k-1) beta^x <= (1/beta)/K <= 2/K, by the two steps
    if not printed.stands or not book.stands("conc:H/union", "conc:H/strict") or bound < 2:
        return undecided("conc:H, conc:H/union or conc:H/strict does not stand")
    return holds(Evidence.CERTIFIED, boxes=cells, attained={"K": 2, "k": 2, "beta": fmpq(0), "probability": fmpq(1)})

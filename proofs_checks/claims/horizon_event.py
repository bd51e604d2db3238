"""Event `conc:H`, that no earlier episode was long: each step of its probability, where it fails, and its repairs.

With c = log(K(k-1)) and lambda = log(1/beta): P(H > x) = beta^floor(x) >= beta^x, so the bound 1/K survives the
rounding only if the step from lambda to 1-beta gains what the floor loses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import flint
import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only
from theory.certified import Truth, at_most, horizon_tail, less
from theory.rationals import Exact, rational

SECTION = "Lemma concentration"
DOMAIN = "2 <= k <= K, 0 <= beta < 1 (for k = 1 the event is vacuous and log 0 is printed)"

WITNESSES = {2: fmpq(0), 3: fmpq(2, 5), 4: fmpq(4, 5), 5: fmpq(7, 8), 6: fmpq(4, 5), 7: fmpq(33, 37)}
"""For k = 2 and each K: the discount of smallest denominator at which the printed event fails."""


def constant(value: Exact) -> Callable[[], arb]:
    """Return the expression of an exact number."""
    return lambda: arb(rational(value))


def expression_of_product(K: int, k: int, beta: fmpq, factor: Exact = 1, added: Exact = 0) -> Callable[[], arb]:
    """Return the expression factor * log(K(k-1)) / (1-beta) + added."""
    return lambda: rational(factor) * arb(K * (k - 1)).log() / (1 - arb(beta)) + rational(added)


def largest_length(K: int, k: int, beta: fmpq, *, scale: Exact = 1, additive: Exact = 0, least_log: Exact = 0) -> int:
    """Return the largest integer at most additive + scale * max(least_log, log(K(k-1))) / (1-beta).

    Raises
    ------
    ArithmeticError
        If 4096 bits do not decide the integer.
    """
    factor, added, least = rational(scale), rational(additive), rational(least_log)
    if less(lambda: arb(K * (k - 1)).log(), lambda: arb(least)) is Truth.YES or K * (k - 1) == 1:
        return int((added + factor * least / (1 - beta)).floor())
    for precision in (64, 256, 1024, 4096):
        with flint.ctx.workprec(precision):
            whole = (added + factor * arb(K * (k - 1)).log() / (1 - arb(beta))).floor().unique_fmpz()
        if whole is not None:
            return int(whole)
    raise ArithmeticError(f"log({K * (k - 1)})/(1-{beta}) is not told from an integer")


def outside_probability(K: int, k: int, beta: fmpq, **threshold: Exact) -> fmpq:
    """Return the exact probability that one of the first k-1 episodes is longer than the threshold."""
    return horizon_tail(largest_length(K, k, beta, **threshold) + 1, beta, k - 1)


@claim(
    "conc:H/tail",
    section=SECTION,
    statement="P(H > e) = beta^floor(e).",
    domain="real e >= 0, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"beta^e, no floor": {"rounding": False}, "beta^(floor(e)-1)": {"shift": -1}},
)
def tail_with_floor(book: Book, rounding: bool = True, shift: int = 0) -> Finding:
    beta, m = sympy.symbols("beta m", positive=True)
    induction = sympy.simplify(beta**m - (1 - beta) * beta**m - beta ** (m + 1)) == 0  # P(H > m) - P(H = m+1)
    for e in (fmpq(0), fmpq(1, 2), fmpq(1), fmpq(5, 2)):
        floor = int(e.floor())
        exact = horizon_tail(floor + 1, "1/4")
        stated = fmpq(1, 4) ** (floor + shift) if rounding else None
        if stated is None and floor != e:
            return fails({"beta": fmpq(1, 4), "e": e, "P(H > e)": exact, "beta^e": arb(fmpq(1, 4)) ** arb(e)})
        if stated not in (None, exact):
            return fails({"beta": fmpq(1, 4), "e": e, "P(H > e)": exact, "stated": stated})
    if not induction:
        return fails({"P(H > m) - P(H = m+1)": "not beta^(m+1)"})
    return holds(Evidence.PROOF, reason="Induction on m = floor(e); H is an integer, so H > e means H > floor(e).")


@claim(
    "conc:H/union",
    section=SECTION,
    statement="P(some of j independent lengths exceeds e) <= j beta^floor(e).",
    domain="j >= 1, e >= 0, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"(j-1) beta^floor(e)": {"fewer": 1}},
)
def union_bound(book: Book, fewer: int = 0) -> Finding:
    p, q = sympy.symbols("p q", nonnegative=True)  # q = (1-p)^j, at most 1
    # 1 - (1-p)^(j+1) = 1 - q + p q, so from j to j+1 the right side grows by p and the left by p q <= p
    induction = sympy.expand((1 - q * (1 - p)) - (1 - q) - p * q) == 0
    tail = book.finding("conc:H/tail").stands
    for count in (1, 2, 3, 5):
        for probability in (fmpq(1, 100), fmpq(1, 3)):
            exact = 1 - (1 - probability) ** count
            if exact > (count - fewer) * probability:
                return fails(
                    {"j": count, "P(H > e)": probability, "exact": exact, "stated": (count - fewer) * probability}
                )
    if not (induction and tail):
        return fails({"step": "1-(1-p)^(j+1)"})
    return holds(Evidence.PROOF, reason="Bernoulli's inequality 1 - (1-p)^j <= jp by induction on j.")


@claim(
    "conc:H/epsilon",
    section=SECTION,
    statement="""With e = log(1/(K(k-1)))/log(beta): (k-1) beta^floor(e) <= 1/K, so that some of the first k-1 lengths
    exceeds e with probability at most 1/K.""",
    domain="2 <= k <= K, 0 < beta < 1",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"1/(2K), even at integers e": {"factor": fmpq(1, 2)}},
    controls={"1/(K beta)": {"lost": 1}, "no floor": {"rounding": False}},
)
def epsilon_step(book: Book, factor: Exact = 1, lost: int = 0, rounding: bool = True) -> Finding:
    """At e the real power is 1/(K(k-1)) exactly; the floor multiplies it by beta^-(e - floor(e)), in [1, 1/beta)."""
    if not book.stands("conc:H/tail", "conc:H/union"):
        return fails({"rests on": "conc:H/tail, conc:H/union"})
    bound = rational(factor)
    at_integer = outside_at_epsilon(2, 2, fmpq(1, 2))  # e = 1
    if at_integer > bound / 2:
        return fails({"K": 2, "k": 2, "beta": fmpq(1, 2), "e": 1, "probability": at_integer, "stated": bound / 2})
    beta = fmpq(1, 3)  # e = log 2/log 3 lies between 0 and 1
    at_fraction = outside_at_epsilon(2, 2, beta)
    if not rounding or at_fraction <= bound / 2 / beta**lost:
        return holds(
            Evidence.PROOF,
            reason="beta^e = 1/(K(k-1)) by the definition of e, and the floor loses a factor below 1/beta.",
        )
    return holds_only(
        """e is an integer, that is K(k-1) = (1/beta)^m for an integer m; otherwise the union bound exceeds 1/K, and for
        k = 2 the probability itself does""",
        Evidence.PROOF,
        {
            "K": 2,
            "k": 2,
            "beta": beta,
            "e": "log 2 / log 3 = 0.63...",
            "floor(e)": 0,
            "P(H_1 > e)": at_fraction,
            "1/K": fmpq(1, 2),
        },
    )


def outside_at_epsilon(K: int, k: int, beta: fmpq) -> fmpq:
    """Return the exact probability that one of k-1 lengths exceeds log(K(k-1))/log(1/beta)."""
    whole = 0  # the largest m with beta^m >= 1/(K(k-1))
    while beta ** (whole + 1) * K * (k - 1) >= 1:
        whole += 1
    return horizon_tail(whole + 1, beta, k - 1)


@claim(
    "conc:H/epsilon/repair",
    section=SECTION,
    statement="With e as in the paper: P(some of the first k-1 lengths exceeds ceil(e)) <= 1/K.",
    domain="2 <= k <= K, 0 < beta < 1",
    evidence=Evidence.PROOF,
    mutants={"ceil(e) - 1": {"added": 0}},
    repairs=("conc:H/epsilon",),
)
def epsilon_rounded_up(book: Book, added: int = 1) -> Finding:
    """Take ceil(e) as the smallest m with beta^m <= 1/(K(k-1)); the union bound gives the rest."""
    for K, k in ((2, 2), (3, 2), (3, 3), (7, 5)):
        for beta in (fmpq(1, 3), fmpq(2, 5), fmpq(9, 10)):
            m = 0
            while beta**m * K * (k - 1) > 1:
                m += 1
            m += added - 1
            if horizon_tail(m + 1, beta, k - 1) > fmpq(1, K):
                return fails({"K": K, "k": k, "beta": beta, "m": m, "probability": horizon_tail(m + 1, beta, k - 1)})
    if added < 1 or not book.stands("conc:H/tail", "conc:H/union"):
        return fails({"rests on": "conc:H/tail, conc:H/union"})
    return holds(Evidence.PROOF, reason="beta^ceil(e) <= beta^e = 1/(K(k-1)), then the union bound.")


@claim(
    "conc:H/strict",
    section=SECTION,
    statement="log(K(k-1))/log(1/beta) < log(K(k-1))/(1-beta).",
    domain="1 <= k <= K, 0 <= beta < 1",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"log(1/beta) > 1.1 (1-beta)": {"slack": fmpq(1, 10)}},
    controls={"k >= 2 and beta > 0": {"interior": True}},
)
def strict_inequality(book: Book, slack: Exact = 0, interior: bool = False) -> Finding:
    """Reduce it to log(1/beta) > 1-beta."""
    d = sympy.symbols("d", positive=True)
    grows = sympy.simplify(sympy.diff(-sympy.log(1 - d) - d, d) - d / (1 - d)) == 0  # and 0 at d = 0
    for beta in (fmpq(1, 2), fmpq(9, 10), fmpq(1, 10)):
        stated = (1 - beta) * (1 + rational(slack))
        if less(constant(stated), _minus_log(beta)) is not Truth.YES:
            return fails({"beta": beta, "log(1/beta)": _minus_log(beta)(), "compared with": stated})
    if not grows:
        return fails({"derivative": "not d/(1-d)"})
    why = "-log(1-d) - d vanishes at d = 0 and has the derivative d/(1-d) > 0."
    if interior:
        return holds(Evidence.PROOF, reason=why)
    return holds_only(
        "2 <= k <= K (so that K(k-1) >= 2) and 0 < beta < 1",
        Evidence.PROOF,
        {"k = 1": "log(0) on both sides", "beta = 0": "log(1/0) on the left"},
        reason=why,
    )


def _minus_log(beta: fmpq) -> Callable[[], arb]:
    return lambda: -arb(beta).log()


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

    steps = [at_most(bound, allowed) for bound in (*map(largest, range(1, 5)), from_five)]
    return all(each is Truth.YES for each in (*steps, less(lambda: arb(1), lambda: arb(6).log())))


def _tried(smallest_product: int) -> Iterator[tuple[int, int, fmpq]]:
    discounts = sorted({fmpq(p, q) for q in (1, 2, 3, 4, 5, 8, 10, 13, 20) for p in range(q)}, key=lambda b: b.q)
    near_one = [1 - fmpq(1, q) for q in (37, 50, 99, 100, 1000)]
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
            found[K, k] = {"K": K, "k": k, "beta": beta, "floor": longest, "probability": exact, "stated": factor / K}
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
        return fails({"rests on": "conc:H/tail, conc:H/union"})
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
    return fails(next(iter(found.values()), {"argument": "does not apply", "factor": rational(factor)}))


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
        return fails({"rests on": "conc:H/tail, conc:H/union"})
    found = _violations(factor, 2, additive=additive, least_log=least_log)
    if found:
        return fails(next(iter(found.values())))
    if factor < 1 or not rounding_is_paid_for(additive, least_log, 2):
        return fails({"argument": "does not apply", "additive": rational(additive), "least_log": rational(least_log)})
    return holds(
        Evidence.PROOF,
        reason="""beta^floor(a + c/(1-beta)) <= exp(-c) for every beta once c >= 2(1-a), since
        log(1/beta) > 2(1-beta)/(1+beta) (derivative verified symbolically); then the union bound.""",
        least_log_of_the_domain=arb(2).log(),
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
            return fails({"undecided box": {"K": K, "low": low, "high": high}})
        middle = (low + high) / 2
        waiting += [(K, low, middle), (K, middle, high)]
    if not printed.stands or bound < 2:
        return fails({"rests on": "conc:H"})
    return holds(Evidence.CERTIFIED, boxes=cells, attained={"K": 2, "k": 2, "beta": fmpq(0), "probability": fmpq(1)})

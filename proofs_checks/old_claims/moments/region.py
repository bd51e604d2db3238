"""Lemma `moment` itself: the exact set of (K, alpha) where it holds for every discount, and brackets elsewhere."""

from __future__ import annotations

from flint import arb, fmpq, fmpq_poly

from proofs_checks.claims.moments.moment_boxes import (
    DOMAIN,
    LARGEST_ALPHA,
    ONE,
    SECTION,
    holds_for_all_discounts,
    holds_from,
    lemma_on_box,
    settled_as,
)
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, decide, fails, holds, holds_only, undecided
from theory import Exact, rational
from theory.certified import Truth, exponential_power, horizon_moment, horizon_power

ALL_DISCOUNTS_UP_TO = {2: fmpq(17197, 10000), 3: fmpq(22383, 10000)}
"""K: largest alpha, to four digits, up to which the lemma holds for every discount; 1/10000 more and it does not."""

WITNESSES = (
    (1, fmpq(1), fmpq(5, 6)),
    (1, fmpq(2), fmpq(1, 2)),
    (2, fmpq(2), fmpq(3, 4)),
    (3, LARGEST_ALPHA, fmpq(4, 5)),
)


def _refuted_at(K: int, alpha: fmpq, beta: fmpq, factor: fmpq) -> Finding:
    """Return the failure of the lemma at a point, or that this is not decided."""
    if lemma_on_box(K, (alpha, alpha), (beta, beta), factor=factor) is Truth.NO:
        return fails(_sides(K, alpha, beta, factor))
    return undecided(f"no proof for K = {K} up to alpha = {alpha}, and no failure at beta = {beta}")


def _sides(K: int, alpha: fmpq, beta: fmpq, factor: fmpq) -> dict[str, object]:
    left = horizon_moment(int(alpha.p), beta, K) if alpha.q == 1 else horizon_power(alpha, beta, K)
    right = 5 + factor * (arb(K).log() / (1 - arb(beta))) ** arb(alpha)
    return {"K": K, "alpha": alpha, "beta": beta, "E[max H^alpha]": left, "stated": right}


@claim(
    "lem:moment",
    section=SECTION,
    statement="E[max over k <= K of H_k^alpha] <= 5 + 5 (log K/(1-beta))^alpha.",
    domain=DOMAIN,
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.CERTIFIED,
    mutants={
        "4.6 in place of the second 5": {"factor": fmpq(46, 10)},
        "alpha up to 3": {"largest_alpha": 3},
        "K = 3 and all alpha": {"all_up_to": {2: fmpq(17197, 10000), 3: LARGEST_ALPHA}},
    },
    controls={"K >= 4": {"smallest_K": 4}},
)
def moment_lemma(
    book: Book,
    factor: Exact = 5,
    largest_alpha: Exact = LARGEST_ALPHA,
    smallest_K: int = 1,
    all_up_to: dict[int, fmpq] | None = None,
) -> Finding:
    front, largest = rational(factor), rational(largest_alpha)
    if not book.stands("lem:moment/repair-exponential", "lem:moment/largest-exponential"):
        return undecided("lem:moment/repair-exponential does not stand")
    near_one = 1 - fmpq(1, 10**5)
    for K in (4, 5, 6, 7):
        if not holds_for_all_discounts(K, ONE, largest, front):
            return _refuted_at(K, largest, near_one, front)
    if not holds_from(8, largest, front):
        return _refuted_at(8, largest, near_one, front)
    why = """The left side is at most E[M^alpha]/(1-beta)^alpha. E[(M/log K)^alpha] is convex in alpha, so for K <= 7
        it is enough that it is at most 5 at both ends of the range of alpha, and beyond a crossing it stays above. For
        K >= 8, log K + Gamma(1+alpha)^(1/alpha) <= 5^(1/alpha) log K, which stays true as K grows. The first 5 is not
        needed where it holds for every beta."""
    if smallest_K >= 4:
        return holds(Evidence.CERTIFIED, reason=why)
    claimed = all_up_to or ALL_DISCOUNTS_UP_TO
    for K, alpha in claimed.items():
        if not holds_for_all_discounts(K, ONE, alpha, front):
            return _refuted_at(K, alpha, near_one, front)
    beyond = {K: lemma_on_box(K, (alpha + fmpq(1, 10**4),) * 2, (near_one, ONE)) for K, alpha in claimed.items()}
    failing = {
        f"K = {K}, alpha = {alpha}, beta = {beta}": _sides(K, alpha, beta, front) for K, alpha, beta in WITNESSES
    }
    refuted = all(lemma_on_box(K, (alpha, alpha), (beta, beta)) is Truth.NO for K, alpha, beta in WITNESSES)
    if not refuted or any(truth is not Truth.NO for truth in beyond.values()):
        return undecided("the recorded domain is not the largest that can be certified")
    return holds_only(
        """K >= 4; K = 3 with alpha <= 2.2383; K = 2 with alpha <= 1.7197: for every beta. For K = 1, for K = 2 from
        alpha = 1.7198 and for K = 3 from alpha = 2.2384 it fails for every beta close enough to 1; below it holds as in
        lem:moment/region""",
        Evidence.CERTIFIED,
        failing,
        reason=why,
    )


BRACKETS: dict[tuple[int, str, str], tuple[str, str]] = {
    (1, "1", "1"): ("0.7999", "0.8001"),
    (1, "3/2", "3/2"): ("0.6134", "0.6135"),
    (1, "2", "2"): ("0.4596", "0.4598"),
    (1, "5/2", "5/2"): ("0.3418", "0.3420"),
    (2, "2", "2"): ("0.6936", "0.6939"),
    (2, "5/2", "5/2"): ("0.4187", "0.4189"),
    (3, "5/2", "5/2"): ("0.7250", "0.7253"),
    (1, "1", "5/4"): ("0.6992", "0.8008"),
    (1, "5/4", "3/2"): ("0.6054", "0.7051"),
    (1, "3/2", "7/4"): ("0.5234", "0.6153"),
    (1, "7/4", "2"): ("0.4492", "0.5352"),
    (1, "2", "9/4"): ("0.3906", "0.4610"),
    (1, "9/4", "5/2"): ("0.3359", "0.3985"),
    (2, "15/8", "2"): ("0.6523", "0.9375"),
    (2, "2", "17/8"): ("0.5781", "0.7872"),
    (2, "17/8", "9/4"): ("0.5156", "0.6465"),
    (2, "9/4", "19/8"): ("0.4609", "0.5586"),
    (2, "19/8", "5/2"): ("0.4101", "0.4883"),
    (3, "19/8", "5/2"): ("0.6289", "0.9688"),
}
"""(K, smallest and largest alpha): a discount below which the lemma holds, and one from which it fails."""


@claim(
    "lem:moment/region",
    section=SECTION,
    statement="""For K = 1, 2, 3, where `lem:moment` fails near beta = 1: it holds below the first and fails from the
    second of two discounts tabulated for alpha = 1, 3/2, 2, 5/2 and for ranges of alpha. For K = 1 the bound is 5, and
    the exact border 4/5 at alpha = 1 and (11 - sqrt 41)/10 at alpha = 2.""",
    domain="the tabulated (K, alpha), 0 <= beta < 1",
    evidence=Evidence.CERTIFIED,
    mutants={"0.62 for K = 1, alpha = 3/2": {"moved": {(1, "3/2", "3/2"): ("0.62", "0.63")}}, "4 for 5": {"factor": 4}},
)
def region(book: Book, moved: dict[tuple[int, str, str], tuple[str, str]] | None = None, factor: Exact = 5) -> Finding:
    table = {**BRACKETS, **(moved or {})}
    for (K, smallest, largest), pair in table.items():
        alphas = rational(smallest), rational(largest)
        low, high = map(rational, pair)
        below = settled_as(Truth.YES, K, alphas, (fmpq(0), low), rational(factor))
        settled = below.both(settled_as(Truth.NO, K, alphas, (high, ONE), rational(factor)))
        if settled is Truth.NO:
            return fails({"K": K, "alpha": [smallest, largest], "holds below": pair[0], "fails from": pair[1]})
        if settled is Truth.UNDECIDED:
            return undecided(f"K = {K}, alpha in [{smallest}, {largest}]: boxes became too narrow")
    at_one = horizon_moment(1, "4/5") == 5
    b = fmpq_poly([0, 1])
    # 5 (1-beta)^2 - (1+beta), whose roots are (11 -+ sqrt 41)/10
    quadratic = 5 * (1 - b) ** 2 - (1 + b) == 5 * (b - fmpq(11, 10)) ** 2 - fmpq(41, 20)
    return decide(
        at_one and quadratic,
        Evidence.CERTIFIED,
        holds_below_and_fails_from={f"K = {K}, alpha in [{a}, {b}]": pair for (K, a, b), pair in table.items()},
        reason="For K = 1 the moment grows with beta, from 1 without bound, and the stated bound is 5.",
    )


@claim(
    "lem:moment/order",
    section="Overview of the proof of Theorem 1",
    statement="E[max H_k^alpha] <= C (log K/(1-beta))^alpha with one constant C for all K.",
    domain=DOMAIN,
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.CERTIFIED,
    mutants={"C = 15": {"constant": 15}},
    controls={"K >= 2, C = 16": {"smallest_K": 2}},
)
def order_of_the_moment(book: Book, smallest_K: int = 1, constant: int = 16) -> Finding:
    """For K = 2 from E[M^alpha]; for K >= 3 from the norm of M, whose quotient by log K falls with K."""
    if not book.stands("lem:moment/repair-exponential", "lem:moment/largest-exponential"):
        return undecided("lem:moment/repair-exponential does not stand")
    bound = fmpq(constant)
    if not (holds_for_all_discounts(2, ONE, LARGEST_ALPHA, bound) and holds_from(3, LARGEST_ALPHA, bound)):
        beta = 1 - fmpq(1, 10**5)
        right = constant * (arb(2).log() / (1 - arb(beta))) ** arb(LARGEST_ALPHA)
        left = horizon_power(LARGEST_ALPHA, beta, 2)
        if not left > right:
            return undecided(f"not proved with C = {constant}, and no failure at this point")
        return fails({"K": 2, "alpha": LARGEST_ALPHA, "beta": beta, "E[max H^alpha]": left, "stated": right})
    if smallest_K >= 2:
        return holds(Evidence.CERTIFIED, C=constant, least_C_at_five_halves=_ratio(LARGEST_ALPHA))
    return holds_only(
        "K >= 2, with C = 16 for alpha <= 5/2",
        Evidence.CERTIFIED,
        {"K": 1, "alpha": 1, "beta": fmpq(0), "E[max H]": 1, "log K": 0},
        least_C={f"alpha = {alpha}": _ratio(alpha) for alpha in (ONE, fmpq(3, 2), fmpq(2), LARGEST_ALPHA)},
    )


def _ratio(alpha: fmpq) -> arb:
    """Return E[M^alpha]/(log 2)^alpha for K = 2: no smaller C will do for all beta."""
    return exponential_power(alpha, 2) / arb(2).log() ** arb(alpha)

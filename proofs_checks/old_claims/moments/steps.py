"""The proof of Lemma `moment`, first steps: the sum of tails, the union bound, the tail of a power of H.

H is geometric, P(H >= m) = beta^(m-1) for m = 1, 2, ...; the maximum is over K independent copies.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.moments.moment_boxes import DOMAIN, LARGEST_ALPHA, SECTION
from proofs_checks.computations.symbolic import nonnegative_above
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import Exact, rational
from theory.certified import horizon_moment, horizon_tail, least_at_power


@claim(
    "lem:moment/floor",
    section=SECTION,
    statement="E[max H_k^alpha] is the sum over i >= 1 of P(max H_k^alpha >= i).",
    domain=DOMAIN,
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"i >= 2": {"first": 2}},
    controls={"alpha = 1 and 2": {"alphas": (1, 2)}},
)
def sum_of_tails(book: Book, alphas: Sequence[Exact] = (1, fmpq(3, 2), 2, LARGEST_ALPHA), first: int = 1) -> Finding:
    """Take the sum as E[floor(max H^alpha)], and find what it loses at H = 2."""
    i, whole = sympy.symbols("i whole", integer=True, positive=True)
    counted = sympy.Sum(1, (i, first, whole)).doit()  # the i with i <= Y, in each outcome; whole = floor(Y)
    if sympy.simplify(counted - whole) != 0:
        return fails({"beta": fmpq(0), "E[max H^alpha]": 1, "sum": int(counted.subs(whole, 1))})
    beta = fmpq(1, 2)
    for alpha in map(rational, alphas):
        if alpha.q != 1:
            lost = (1 - beta) * beta * (arb(2) ** arb(alpha) - (arb(2) ** arb(alpha)).floor())
            return holds_only(
                "alpha = 1 or alpha = 2, or beta = 0; elsewhere the sum is smaller than the moment",
                Evidence.PROOF,
                {"K": 1, "alpha": alpha, "beta": beta, "moment - sum, from H = 2 alone": lost},
                reason="""The sum is the expectation of the integer part. It is smaller unless every m^alpha is an
                integer: for alpha in (1, 5/2) other than 2, 2^alpha would be 3 or 5, and then 3^alpha is none.""",
                three_to_log_three=_three_to_log(3),
                three_to_log_five=_three_to_log(5),
            )
    return holds(Evidence.PROOF, reason="H^alpha is a positive integer; E[Y] is the sum of P(Y >= i) for such Y.")


def _three_to_log(number: int) -> arb:
    """Return 3^(log2 number): not an integer for 3 and 5."""
    value = arb(3) ** (arb(number).log() / arb(2).log())
    if value.contains_integer():
        raise ArithmeticError(f"3^(log2 {number}) is not told from an integer")
    return value


@claim(
    "lem:moment/floor/repair",
    section=SECTION,
    statement="E[max H_k^alpha] is at most the sum over i >= 0 of P(max H_k^alpha > i).",
    domain=DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"i >= 1": {"first": 1}},
    repairs=("lem:moment/floor",),
)
def sum_of_strict_tails(book: Book, first: int = 0) -> Finding:
    """Count the i with i < Y in each outcome: as many as Y rounded up."""
    i, up = sympy.symbols("i up", integer=True, positive=True)  # up = ceil(Y), Y = up - lost with 0 <= lost < 1
    lost = sympy.symbols("lost")
    counted = sympy.Sum(1, (i, first, up - 1)).doit()
    if nonnegative_above(sympy.expand(counted - (up - lost)), {up: 1, lost: 0}):
        return holds(Evidence.PROOF, reason="The sum is the expectation of max H^alpha rounded up to an integer.")
    return fails({"beta": fmpq(0), "E[max H^alpha]": 1, "sum": int(counted.subs(up, 1))})


@claim(
    "lem:moment/union",
    section=SECTION,
    statement="P(max H_k^alpha >= i) <= min(1, K P(H^alpha >= i)).",
    domain=DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"K-1 in place of K": {"fewer": 1}},
)
def union_bound(book: Book, fewer: int = 0) -> Finding:
    stands = book.finding("conc:H/union").stands
    for K in (2, 3, 10):
        for beta in (fmpq(1, 10), fmpq(1, 2)):
            for m in (2, 3, 5):
                exact, stated = horizon_tail(m, beta, K), (K - fewer) * horizon_tail(m, beta)
                if exact > min(fmpq(1), stated):
                    return fails({"K": K, "beta": beta, "m": m, "P(max H >= m)": exact, "stated": stated})
    return (
        holds(Evidence.PROOF, reason="Bernoulli's inequality.") if stands else undecided("conc:H/union does not stand")
    )


@claim(
    "lem:moment/tail",
    section=SECTION,
    statement="P(H^alpha >= i) = beta^(i^(1/alpha)), with H counted from 1.",
    domain=f"i >= 1; {DOMAIN}",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"rounded up": {"rounded": True}, "one less": {"shift": 1}},
    controls={"beta^(ceil(i^(1/alpha)) - 1)": {"rounded": True, "shift": 1}},
)
def power_tail(book: Book, rounded: bool = False, shift: int = 0) -> Finding:
    """Compare with the true tail beta^(ceil(i^(1/alpha)) - 1), always above the printed one when 0 < beta < 1."""
    beta = fmpq(1, 2)
    for alpha in (fmpq(1), fmpq(3, 2), fmpq(2), LARGEST_ALPHA):
        for i in (1, 2, 3, 8, 10):
            m = least_at_power(i, alpha)
            exact = horizon_tail(m, beta)
            witness = {"alpha": alpha, "beta": beta, "i": i, "P(H^alpha >= i)": exact}
            if rounded or m**alpha.p == i**alpha.q:  # i^(1/alpha) is the integer m
                if exact != beta ** max(m - shift, 0):
                    return fails({**witness, "stated": beta ** (m - shift)})
            else:  # between m-1 and m: the real power is not the tail
                return fails({**witness, "stated": arb(beta) ** (arb(i) ** (1 / arb(alpha)) - shift)})
    return holds(Evidence.PROOF, reason="H^alpha >= i means H >= ceil(i^(1/alpha)).")


@claim(
    "lem:moment/tail/repair",
    section=SECTION,
    statement="beta^(i^(1/alpha)) <= P(H^alpha >= i) = beta^(ceil(i^(1/alpha)) - 1) <= beta^(i^(1/alpha) - 1).",
    domain=f"i >= 1; {DOMAIN}, beta > 0 in the last power",
    evidence=Evidence.PROOF,
    mutants={"beta^(ceil(i^(1/alpha)))": {"shift": 0}},
    repairs=("lem:moment/tail",),
)
def power_tail_rounded(book: Book, shift: int = 1) -> Finding:
    """H > m-1 with m = ceil(i^(1/alpha)), by `conc:H/tail`; the power falls as its exponent grows, 0 < beta < 1."""
    m, part, other = sympy.symbols("m part other")  # i^(1/alpha) = m - part, 0 <= part < 1, other = 1 - part > 0
    stated = m - shift
    is_tail = sympy.expand(stated - (m - 1)) == 0
    below = nonnegative_above(sympy.expand(stated - (m - part - 1)), {part: 0})
    above = nonnegative_above(sympy.expand((m - part - stated).subs(part, 1 - other)), {other: 0})
    tried = power_tail(book, rounded=True, shift=shift)
    if tried.verdict is not Verdict.HOLDS:
        return tried
    if not (is_tail and below and above and book.stands("conc:H/tail")):
        return undecided("the exponents are not in this order")
    return holds(
        Evidence.PROOF,
        reason="""H^alpha >= i means H > m-1, m = ceil(i^(1/alpha)), of probability beta^(m-1) by `conc:H/tail`; and
        i^(1/alpha) - 1 <= m - 1 < i^(1/alpha).""",
    )


@claim(
    "lem:moment/sum",
    section=SECTION,
    statement="E[max H_k^alpha] is at most the sum over i >= 1 of min(1, K beta^(i^(1/alpha))).",
    domain=DOMAIN,
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"one more in the exponent": {"shift": -1}},
    controls={"beta^(i-1) at alpha = 1": {"shift": 1}},
)
def union_sum(book: Book, shift: int = 0) -> Finding:
    """At alpha = 1 the sum is a rational number: exact on both sides."""
    failing: dict[str, object] = {}
    for K in (1, 2, 5):
        beta = fmpq(1, 2)
        total, i = fmpq(0), 1
        while K * beta ** max(i - shift, 0) > 1:
            total, i = total + 1, i + 1
        total += K * beta ** (i - shift) / (1 - beta)
        moment = horizon_moment(1, beta, K)
        if moment > total:
            failing[f"K = {K}"] = {"alpha": 1, "beta": beta, "E[max H]": moment, "sum": total}
    if failing:
        return fails(failing, reason="The sum is short by the step i^(1/alpha) - 1 that the tail formula leaves out.")
    if not book.stands("lem:moment/union", "lem:moment/tail/repair"):
        return undecided("lem:moment/union, lem:moment/tail/repair does not stand")
    return holds(Evidence.PROOF, reason="The true tail at alpha = 1 is beta^(i-1); then the union bound.")


@claim(
    "lem:moment/sum/repair",
    section=SECTION,
    statement="E[max H_k^alpha] is at most the sum over i >= 0 of min(1, K beta^floor(i^(1/alpha))).",
    domain=DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"i >= 1": {"first": 1}},
    repairs=("lem:moment/sum",),
)
def union_sum_rounded(book: Book, first: int = 0) -> Finding:
    """Try it at integer powers: the sum is K E[H^alpha] less what the minimum with 1 cuts off, all exact."""
    for K in (1, 2, 5):
        for power in (1, 2):
            for beta in (fmpq(0), fmpq(1, 2), fmpq(9, 10)):
                total, m = K * horizon_moment(power, beta), 0
                while K * beta**m > 1:
                    total -= ((m + 1) ** power - m**power) * (K * beta**m - 1)
                    m += 1
                total -= first  # the term of i = 0 is 1
                moment = horizon_moment(power, beta, K)
                if moment > total:
                    return fails({"K": K, "alpha": power, "beta": beta, "E[max H^alpha]": moment, "sum": total})
    if not book.stands("lem:moment/floor/repair", "lem:moment/union", "conc:H/tail"):
        return undecided("one of the steps does not stand")
    return holds(Evidence.PROOF, reason="P(max H^alpha > i) <= K P(H > i^(1/alpha)) = K beta^floor(i^(1/alpha)).")

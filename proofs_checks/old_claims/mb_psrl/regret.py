"""MB-PSRL: from the event to the bound on the Bayesian regret, each display.

s stands for sqrt(S), L for L_K, H for the longest horizon, x for log K / (1 - beta). An inequality between polynomials
is proved by writing the variables as their lower bounds plus non-negative increments: if then no coefficient of the
difference is negative, it holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import product

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.mb_psrl.posterior_sampling import SECTION
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import ONE, sympy_rational
from theory.certified import Truth, at_most, enclosure, horizon_moment, horizon_power, less
from theory.paper import last_log_factor

PARAMETERS = "S, n >= 1, 1 <= k <= K, 0 <= beta < 1"


def nonnegative(difference: sympy.Expr, least: Mapping[sympy.Symbol, int]) -> bool:
    """Return whether the polynomial has no negative coefficient in the increments over the least values."""
    moved = sympy.expand(difference.subs({symbol: symbol + low for symbol, low in least.items()}, simultaneous=True))
    return all(coefficient >= 0 for coefficient in sympy.Poly(moved, *least).coeffs())


def negative_point(difference: sympy.Expr, least: Mapping[sympy.Symbol, int]) -> dict[str, object] | None:
    """Return a point at or above the least values where `difference` is negative, from a small grid."""
    for increments in product((0, sympy.Rational(1, 2), 1, 10, 1000), repeat=len(least)):
        point = {symbol: low + more for (symbol, low), more in zip(least.items(), increments, strict=True)}
        gap = difference.subs(point)
        if gap.is_negative:
            return {**{str(symbol): str(value) for symbol, value in point.items()}, "right - left": str(gap)}
    return None


def polynomial_inequality(difference: sympy.Expr, least: Mapping[sympy.Symbol, int], reason: str) -> Finding:
    """Return the finding on ``difference >= 0``.

    Raises
    ------
    ArithmeticError
        If neither a proof nor a counterexample comes out.
    """
    if nonnegative(difference, least):
        return holds(Evidence.PROOF, reason=reason)
    if point := negative_point(difference, least):
        return fails(point)
    raise ArithmeticError(f"{difference} >= 0: neither proved nor refuted")


@claim(
    "eq:proof_PSRL_regret",
    section=SECTION,
    statement="sum over k <= K of E[H_k] P(not E_{k-1}) <= 9/(1 - beta), each P(not E_{k-1}) being at most 9/K.",
    domain="K >= 1, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"8/(1-beta)": {"constant": 8}},
)
def discarded(book: Book, constant: int = 9) -> Finding:
    K, beta = sympy.symbols("K beta", positive=True)
    total = K * (1 / (1 - beta)) * (9 / K)
    excess = sympy.simplify((constant / (1 - beta) - total) * (1 - beta))
    if excess < 0:
        return fails({"E[H]": "1/(1-beta)", "bound, times 1-beta": constant, "sum, times 1-beta": 9})
    if constant < 9 or not book.stands("lem:concentration_psrl/repair", "eq:V-vs_R/steps"):
        return undecided("the bound on P(not E) or E[H_k] = 1/(1-beta) does not stand")
    return holds(
        Evidence.PROOF,
        reason="""E[H_k] = 1/(1-beta), and K terms of it times 9/K. The event is that of the repair, E_0 the sure one;
        lem:concentration_psrl/sharper gives 5/(1-beta).""",
    )


@claim(
    "eq:PSRL_R_k",
    section=SECTION,
    statement="""1_E R_k <= 1_E sum over t of (L_{k-1} + (2 L_{k-1} + 3 sqrt S) H_k) / sqrt(max{1, N_{k-1}(X_t)}), and
    this is at most the same sum without 1_E.""",
    domain=PARAMETERS,
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"(2 L + 3 sqrt S) H_k alone": {"alone": True}},
    controls={"k >= 2": {"smallest_k": 2}},
)
def step_bound(book: Book, smallest_k: int = 1, alone: bool = False) -> Finding:
    """Put the bounds of the event, u = L v and w = (2 L + 3 s) v with v = 1/sqrt(max{1, N}), into u + H w."""
    L, s, H, v = sympy.symbols("L s H v", nonnegative=True)
    bound = ((0 if alone else L) + (2 * L + 3 * s) * H) * v
    difference = sympy.expand(bound - (L * v + H * (2 * L + 3 * s) * v))
    if difference != 0:
        return fails({"right - left at L = s = H = v = 1": int(difference.subs({L: 1, s: 1, H: 1, v: 1}))})
    reason = "the case k' = k-1 of the event, term by term; the terms are non-negative, so 1_E may be dropped"
    if smallest_k >= 2:
        return holds(Evidence.PROOF, reason=reason)
    return holds_only("k >= 2", Evidence.PROOF, {"k": 1, "L_0": "sqrt(2 log(0 * log 0))"}, reason=reason)


@claim(
    "eq:PSRL_R_k/repair",
    section=SECTION,
    statement="For k = 1, with L_K in place of L_0 and no event: R_1 <= sum over t of L_K + (2 L_K + 3 sqrt S) H_1.",
    domain="S, n >= 1, K >= 2, 0 <= beta < 1",
    evidence=Evidence.CERTIFIED,
    mutants={"L_K/3 in place of L_K": {"share": fmpq(1, 3)}, "K >= 1": {"smallest_K": 1}},
    repairs=("eq:PSRL_R_k",),
)
def first_episode(book: Book, smallest_K: int = 2, share: fmpq = ONE) -> Finding:
    """|r_1 - r| <= 1 <= L_K and ||Q_1 - Q||_1 <= 2 <= 2 L_K; L_K increases in S, n, K and beta."""
    if smallest_K < 2:
        return fails({"K": 1, "4 S n K^2 log K / (1 - beta)": 0, "L_1": "sqrt(2 log 0)"})
    if at_most(lambda: arb(1), lambda: share * last_log_factor(1, 1, smallest_K, 0)) is not Truth.YES:
        return fails(
            {"S": 1, "n": 1, "K": smallest_K, "beta": 0, "bound": share * last_log_factor(1, 1, smallest_K, 0)}
        )
    return holds(
        Evidence.CERTIFIED,
        least_L_K=enclosure(lambda: last_log_factor(1, 1, smallest_K, 0)),
        reason="distances at most 1 and 2; L_K is increasing in each parameter, so its least value is at K = 2",
    )


@claim(
    "eq:sum_not_E_k",
    section=SECTION,
    statement="L + (2 L + 3 sqrt S) H <= 3 (L + sqrt S) H.",
    domain="L >= 0, S >= 1, H >= 1",
    evidence=Evidence.PROOF,
    mutants={"H >= 0": {"least_H": 0}, "5/2 in place of 3": {"factor": fmpq(5, 2)}},
)
def simplified(book: Book, least_H: int = 1, factor: fmpq = fmpq(3)) -> Finding:
    L, s, H = sympy.symbols("L s H")
    difference = sympy_rational(factor) * (L + s) * H - (L + (2 * L + 3 * s) * H)
    return polynomial_inequality(difference, {L: 0, s: 1, H: least_H}, "the difference is L (H - 1)")


@claim(
    "psrl:double-sum",
    section=SECTION,
    statement="""sum over k of 1_E R_k <= 3 (L_K + sqrt S) (Sn max H^2 + 2 sqrt(SnK) max H^(3/2)): the lemma on the
    double sum, times 3 (L_K + sqrt S) max H.""",
    domain="S, n >= 1, K >= 2, 0 <= beta < 1, all horizons",
    evidence=Evidence.PROOF,
    mutants={"max H^2 in both terms of the product": {"power": 2}},
)
def multiplied(book: Book, power: int = 3) -> Finding:
    """Verify with h = sqrt(max H)."""
    c, h, N, root = sympy.symbols("c h N root", positive=True)  # c = 3 (L_K + s), N = Sn, root = sqrt(SnK)
    left = c * h**2 * (N * h**2 + 2 * root * h)
    right = c * (N * h**4 + 2 * root * h**power)
    if sympy.expand(left - right) != 0:
        return fails({"h = sqrt(max H)": 2, "left - right": str((left - right).subs({h: 2}))})
    if not book.stands("lem:sum", "eq:sum_not_E_k", "eq:PSRL_R_k", "eq:PSRL_R_k/repair", "conc:L"):
        return undecided("one of the steps does not stand")
    return holds(Evidence.PROOF, reason="max H * sqrt(max H) = max H^(3/2); L_{k-1} <= L_K by conc:L, H_k <= max H.")


@claim(
    "eq:proof_bound",
    section=SECTION,
    statement="""The second line follows from the first: E[max H^2] <= (5 + 5 x)^2 and
    2 E[max H^(3/2)] <= (5 + 5 x)^(3/2), with x = log K/(1 - beta).""",
    domain="K >= 1, 0 <= beta < 1",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"factor 3 in place of 2": {"factor": fmpq(3)}},
    controls={"K >= 2": {"smallest_K": 2}},
)
def second_line(book: Book, factor: fmpq = fmpq(2), smallest_K: int = 1) -> Finding:
    """For K >= 2 even the powers of 5 x are enough: by lem:moment/repair it is log K + g <= 5 log K / factor^(1/alpha).

    That holds for every K >= 2 if it does for K = 2, log K being multiplied by more than 1 on the right.
    """
    beta = 1 - fmpq(1, 10**6)
    for alpha, multiple in ((fmpq(2), ONE), (fmpq(3, 2), factor)):
        moment = partial(_multiple_of_moment, multiple, alpha, beta)
        if less(partial(_stated_at_2, alpha, beta), moment) is Truth.YES:
            return fails({"K": 2, "beta": beta, f"{multiple} E[max H^{alpha}]": moment(), "x": _x_at_2(beta)})
        if at_most(partial(_norm, alpha), partial(_to_spare_at_2, alpha, multiple)) is not Truth.YES:
            return undecided("lem:moment/repair does not give it")
    if not book.stands("lem:moment/repair"):
        return undecided("lem:moment/repair does not stand")
    reason = """By lem:moment/repair: (log K + Gamma(1+alpha)^(1/alpha)) factor^(1/alpha) <= 5 log K, with the factor 1
        at alpha = 2 and 2 at 3/2; K = 2 has least to spare. At K = 2, alpha = 2, beta near 1 lem:moment fails."""
    if smallest_K >= 2:
        return holds(Evidence.PROOF, reason=reason)
    three_quarters = fmpq(3, 4)
    witness = {"K": 1, "beta": three_quarters, "x": 0, "E[H^2]": horizon_moment(2, three_quarters), "(5 + 5 x)^2": 25}
    return holds_only("K >= 2", Evidence.PROOF, witness, reason=reason)


def _norm(alpha: fmpq) -> arb:
    """Return Gamma(1+alpha)^(1/alpha), the constant g of lem:moment/repair."""
    return (1 + arb(alpha)).gamma() ** (1 / arb(alpha))


def _to_spare_at_2(alpha: fmpq, multiple: fmpq) -> arb:
    """Return (5/multiple^(1/alpha) - 1) log 2; where it is positive it grows with K in place of 2."""
    return (5 / arb(multiple) ** (1 / arb(alpha)) - 1) * arb(2).log()


def _multiple_of_moment(multiple: fmpq, alpha: fmpq, beta: fmpq) -> arb:
    return multiple * horizon_power(alpha, beta, 2)


def _x_at_2(beta: fmpq) -> arb:
    return arb(2).log() / (1 - arb(beta))


def _stated_at_2(alpha: fmpq, beta: fmpq) -> arb:
    return (5 + 5 * _x_at_2(beta)) ** arb(alpha)


@claim(
    "eq:proof_bound/from-moment",
    section=SECTION,
    statement="""5 + 5 x^2 <= (5 + 5 x)^2 and 2 (5 + 5 x^(3/2)) <= (5 + 5 x)^(3/2), so that the second line, with its
    exponents outside and without the factor 2, follows from the first where lem:moment holds for 3/2 and 2.""",
    domain="x = log K / (1 - beta) >= 0; lem:moment holds for 3/2 and 2, and every beta, if K >= 3",
    evidence=Evidence.PROOF,
    mutants={
        "factor 9/4 in place of 2": {"factor": fmpq(9, 4)},
        "exponents inside, as in lem:moment": {"outside": False},
    },
)
def powers_outside(book: Book, factor: fmpq = fmpq(2), outside: bool = True) -> Finding:
    """With u = sqrt(x): the square of the second inequality is 25 (5 (1+u^2)^3 - factor^2 (1+u^3)^2) >= 0."""
    u = sympy.Symbol("u")
    multiple = sympy_rational(factor)
    first = (5 + 5 * u**2) ** 2 - (5 + 5 * u**4)
    squared = (5 + 5 * u**2) ** 3 if outside else (5 + 5 * u**3) ** 2
    second = sympy.expand(squared - (multiple * (5 + 5 * u**3)) ** 2)
    if point := negative_point(second, {u: 0}):
        return fails({"u = sqrt(x)": point["u"], "right^2 - left^2": point["right - left"]})
    # the one negative coefficient is that of u^3; a u^2 + b u^3 + c u^4 >= 0 where b^2 <= 4 a c
    a, b, c = (second.coeff(u, power) for power in (2, 3, 4))
    others = sympy.expand(second - a * u**2 - b * u**3 - c * u**4)
    if nonnegative(first, {u: 0}) and nonnegative(others, {u: 0}) and b**2 <= 4 * a * c and a > 0:
        if not book.stands("lem:moment"):
            return undecided("lem:moment does not stand")
        return holds(Evidence.PROOF, reason="after squaring: 25 (1 + 15 u^2 - 8 u^3 + 15 u^4 + u^6), and 8^2 < 4*15*15")
    raise ArithmeticError(f"{second} >= 0: neither proved nor refuted")

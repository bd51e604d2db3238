"""MB-PSRL: from the event to the bound on the Bayesian regret, each display.

s stands for sqrt(S), L for L_K, H for the longest horizon, x for log K / (1 - beta). An inequality between polynomials
is proved by writing the variables as their lower bounds plus non-negative increments: if then no coefficient of the
difference is negative, it holds.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.posterior_sampling import SECTION
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import Arm, Bandit
from theory.bayes import FinitePrior, expectation_over, scenarios
from theory.certified import Truth, at_most, enclosure, last_log_factor, less
from theory.rationals import ONE
from theory.values.product import policy_value

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
    assert book.stands("lem:concentration_psrl/repair")
    return holds(
        Evidence.PROOF,
        reason=(
            "E[H_k] = 1/(1-beta). For the event of the repair; at k = 1 no event is needed, the bounds of "
            "eq:concentration holding always for K >= 2. With lem:concentration_psrl/sharper, 5/(1-beta)"
        ),
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
    assert book.stands("lem:concentration_psrl/complement/repair")
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
    difference = sympy.Rational(int(factor.p), int(factor.q)) * (L + s) * H - (L + (2 * L + 3 * s) * H)
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
    assert book.stands("lem:sum", "eq:sum_not_E_k", "eq:PSRL_R_k", "eq:PSRL_R_k/repair", "eq:concentration")
    return holds(Evidence.PROOF, reason="max H * sqrt(max H) = max H^(3/2); L_{k-1} <= L_K by eq:concentration")


@claim(
    "eq:proof_bound",
    section=SECTION,
    statement="""5 + 5 x^2 <= (5 + 5 x)^2 and 2 (5 + 5 x^(3/2)) <= (5 + 5 x)^(3/2), so that the second line, with its
    exponents outside and without the factor 2, follows from the first and lem:moment.""",
    domain="x = log K / (1 - beta) >= 0",
    evidence=Evidence.PROOF,
    mutants={
        "factor 9/4 in place of 2": {"factor": fmpq(9, 4)},
        "exponents inside, as in lem:moment": {"outside": False},
    },
)
def second_line(book: Book, factor: fmpq = fmpq(2), outside: bool = True) -> Finding:
    """With u = sqrt(x): the square of the second inequality is 25 (5 (1+u^2)^3 - factor^2 (1+u^3)^2) >= 0."""
    u = sympy.Symbol("u")
    multiple = sympy.Rational(int(factor.p), int(factor.q))
    first = (5 + 5 * u**2) ** 2 - (5 + 5 * u**4)
    squared = (5 + 5 * u**2) ** 3 if outside else (5 + 5 * u**3) ** 2
    second = sympy.expand(squared - (multiple * (5 + 5 * u**3)) ** 2)
    if point := negative_point(second, {u: 0}):
        return fails({"u = sqrt(x)": point["u"], "right^2 - left^2": point["right - left"]})
    # the one negative coefficient is that of u^3; a u^2 + b u^3 + c u^4 >= 0 where b^2 <= 4 a c
    a, b, c = (second.coeff(u, power) for power in (2, 3, 4))
    others = sympy.expand(second - a * u**2 - b * u**3 - c * u**4)
    if nonnegative(first, {u: 0}) and nonnegative(others, {u: 0}) and b**2 <= 4 * a * c and a > 0:
        return holds(Evidence.PROOF, reason="after squaring: 25 (1 + 15 u^2 - 8 u^3 + 15 u^4 + u^6), and 8^2 < 4*15*15")
    raise ArithmeticError(f"{second} >= 0: neither proved nor refuted")


# --- the last display


def first_regret() -> fmpq:
    """Return the exact Bayesian regret of one episode at beta = 0: two arms, one of reward 1, the other of 0."""
    one, zero = Arm([1], [[1]]), Arm([0], [[1]])
    prior = FinitePrior([Bandit([one, zero], 0), Bandit([zero, one], 0)], [fmpq(1, 2), fmpq(1, 2)])
    values = [[policy_value(model, policy)[0, 0] for policy in prior.policies] for model in prior.models]
    outcomes = scenarios(prior, [], {(0, 0): ONE})
    return expectation_over(outcomes, lambda each: values[each.model][each.model] - values[each.model][each.samples[0]])


@claim(
    "psrl:last-display",
    section=SECTION,
    statement="""There is a constant C with BayReg(K) <= C (sqrt S + log(SnK log K/(1-beta))) (Sn x^2 +
    sqrt(SnK) x^(3/2)), x = log K/(1-beta), given eq:proof_bound and lem:moment.""",
    domain="S, n, K >= 1, 0 <= beta < 1",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"C = 3, K >= 2": {"smallest_K": 2, "C": 3}},
    controls={"K >= 2": {"smallest_K": 2}},
)
def last_display(book: Book, smallest_K: int = 1, C: int = 198) -> Finding:
    """At K = 1 the right side is log 0 times 0, in the limit 0, and the regret of one episode may be 1/2."""
    book.stands("eq:proof_bound")
    finding = explicit_constant(book, C)
    if not finding.stands or smallest_K >= 2:
        return finding
    witness = {
        "prior": "arm 1 gives 1 and arm 2 gives 0, or the other way round, equally likely; S = 1, n = 2, beta = 0",
        "K": 1,
        "BayReg(1)": first_regret(),
        "x": 0,
        "right side": "(1 + log 0) * 0, in the limit K -> 1 equal to 0",
    }
    return holds_only("K >= 2", Evidence.PROOF, witness, C=C, reason=finding.reason)


@claim(
    "psrl:last-display/repair",
    section=SECTION,
    statement="""For K >= 2 the right side is positive, and C = 198 will do: 9/(1-beta) + 3 (L_K + sqrt S) (Sn (5 +
    5 x^2) + 2 sqrt(SnK) (5 + 5 x^(3/2))) is at most C times it.""",
    domain="S, n >= 1, K >= 2, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"C = 160": {"C": 160}},
    repairs=("psrl:last-display",),
)
def explicit_constant(book: Book, C: int = 198) -> Finding:
    """Reduce to K = 2, S = n = 1, beta = 0, and evaluate there.

    With l = log(SnK log K/(1-beta)) and v = log(K log K) <= l:  L_K^2 = 2 (l + log 4K), and (L_K + s)/(s + l) is
    decreasing in l as L_K^2 > l and L_K >= 1, and at most its value at s = 1 (or 1). For K >= 2,
    log 4K <= v + log 4 - log log 2, with equality at K = 2, so the ratio is at most
    (sqrt(4 v + 2 log 4 - 2 log log 2) + 1)/(1 + v), which decreases in v >= log(2 log 2). Further x >= log 2, so
    5 + 5 x^p <= 5 (1 + (log 2)^-p) x^p, and 9/(1-beta) <= 9 Sn x^2/(log 2)^2.
    """

    def v() -> arb:
        return (2 * arb(2).log()).log()

    def ratio() -> arb:
        return (last_log_factor(1, 1, 2, 0) + 1) / (1 + v())

    def quadratic() -> arb:
        return 15 * ratio() * (1 + 1 / arb(2).log() ** 2) + 9 / (arb(2).log() ** 2 * (1 + v()))

    def three_halves() -> arb:
        return 30 * ratio() * (1 + 1 / arb(2).log() ** fmpq(3, 2))

    def slope_certificate() -> arb:
        # d/dv of (sqrt(w) + 1)/(1 + v), w = 4 v + c, has the sign of 2 (1 + v) - w - sqrt(w), which decreases in v
        w = 2 * (arb(8).log() + v())
        return 2 * (1 + v()) - w - w.sqrt()

    certain = (
        less(lambda: arb(0), lambda: 1 + v()),
        less(slope_certificate, lambda: arb(0)),
        at_most(lambda: arb(1), lambda: last_log_factor(1, 1, 2, 0)),
        less(lambda: arb(1), ratio),
    )
    if any(answer is not Truth.YES for answer in certain):
        raise ArithmeticError("a side condition of the reduction is not certified")
    values: dict[str, Any] = {"ratio_at_2": enclosure(ratio)}
    values |= {"coefficient_of_Sn_x2": enclosure(quadratic), "coefficient_of_root": enclosure(three_halves)}
    if less(lambda: C * _display_at_2(), _bound_at_2) is Truth.YES:
        return fails(
            {"S": 1, "n": 1, "K": 2, "beta": 0, "bound": _bound_at_2(), "C times display": C * _display_at_2()}
        )
    if at_most(quadratic, lambda: arb(C)).both(at_most(three_halves, lambda: arb(C))) is not Truth.YES:
        return undecided("the reduction needs a larger C", **values)
    assert book.stands("eq:proof_PSRL_regret", "psrl:double-sum", "psrl:model-gap/repair")
    return holds(Evidence.PROOF, reason="worst at K = 2, S = n = 1, beta = 0, coefficient by coefficient", **values)


def _bound_at_2() -> arb:
    """Return the proof's bound at S = n = 1, K = 2, beta = 0, lem:moment put in."""
    x = arb(2).log()
    moments = (5 + 5 * x**2) + 2 * arb(2).sqrt() * (5 + 5 * x ** fmpq(3, 2))
    return 9 + 3 * (last_log_factor(1, 1, 2, 0) + 1) * moments


def _display_at_2() -> arb:
    """Return the last display there, without C."""
    x = arb(2).log()
    return (1 + (2 * x).log()) * (x**2 + arb(2).sqrt() * x ** fmpq(3, 2))

"""A moment lemma that is valid for every K >= 1: geometric lengths below exponential ones in the convex order."""

from __future__ import annotations

from functools import partial
from itertools import product

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.computations.symbolic import nonnegative_above
from proofs_checks.ledger import Book, Evidence, Finding, claim, fails, holds, undecided
from theory import Exact, rational
from theory.certified import (
    Expression,
    Truth,
    at_most,
    exponential_power,
    horizon_moment,
    horizon_power,
    less,
    max_moment_bound,
)

SECTION = "Lemma moment"
ALL = "K >= 1, alpha >= 1, 0 <= beta < 1"
POWERS = (fmpq(1), fmpq(3, 2), fmpq(2), fmpq(5, 2))
DISCOUNTS = (fmpq(0), fmpq(1, 10), fmpq(1, 2), fmpq(9, 10), fmpq(999, 1000), 1 - fmpq(1, 10**6))
EPISODES = (1, 2, 3, 4, 10, 40)


@claim(
    "cited:minkowski",
    section="Results from the literature",
    statement="Minkowski's inequality: with |X|_a = E[|X|^a]^(1/a), |X+Y|_a <= |X|_a + |Y|_a.",
    domain="a >= 1 (Minkowski 1910)",
    evidence=Evidence.CITED,
    mutants={"alpha = 1/2": {"alpha": fmpq(1, 2)}},
)
def minkowski(book: Book, alpha: Exact = fmpq(3, 2)) -> Finding:
    """Try it on pairs of points of equal weight."""
    tried = 0
    for x, y in (((1, 0), (0, 1)), ((1, 2), (3, 1)), ((5, 0), (1, 7))):
        sums = tuple(a + b for a, b in zip(x, y, strict=True))
        left, one, other = (partial(_norm, points, rational(alpha)) for points in (sums, x, y))
        tried += 1
        if at_most(left, lambda one=one, other=other: one() + other()) is not Truth.YES:  # type: ignore[misc]
            return fails({"X": x, "Y": y, "alpha": rational(alpha), "left": left(), "right": one() + other()})
    return holds(Evidence.CITED, instances=tried)


def _norm(points: tuple[int, ...], alpha: fmpq) -> arb:
    total = sum((arb(abs(point)) ** arb(alpha) for point in points), arb(0))
    return (total / len(points)) ** (1 / arb(alpha))


@claim(
    "lem:moment/convex-order",
    section=SECTION,
    statement="""E[f((1-beta) H)] <= E[f(X)] for every increasing convex f on [0, oo), X of law Exp(1); and so, for K
    independent copies, E[f(max (1-beta) H_k)] <= E[f(max X_k)].""",
    domain="0 <= beta < 1, K >= 1",
    evidence=Evidence.PROOF,
    mutants={"X of rate 11/10": {"rate": fmpq(11, 10)}, "log(1/beta) H in place of (1-beta) H": {"by_log": True}},
)
def below_exponential(book: Book, rate: Exact = 1, by_log: bool = False) -> Finding:
    """Compare E[(. - t)^+] at t = (1-beta)m + s: beta^m (1-s) against exp(-(1-beta)m - s), 0 <= s <= 1-beta."""
    beta, m, x = sympy.symbols("beta m x", positive=True)
    s = sympy.symbols("s", nonnegative=True)
    excess = beta**m / (1 - beta)  # E[(H-m)^+]: its decrease from m to m+1 is P(H > m) = beta^m
    decreases = sympy.simplify(excess - excess.subs(m, m + 1) - beta**m) == 0
    linear = beta**m * (1 - s)  # (1-beta) E[(H - m - s/(1-beta))^+], of slope -P(H > m) in s
    meets = (
        sympy.simplify(linear.subs(s, 0) - (1 - beta) * excess) == 0
        and sympy.simplify(linear.subs(s, 1 - beta) - (1 - beta) * excess.subs(m, m + 1)) == 0
    )
    bernoulli = sympy.exp(-x) - 1 + x  # 0 at x = 0, with a positive derivative
    below = bernoulli.subs(x, 0) == 0 and sympy.diff(bernoulli, x) == 1 - sympy.exp(-x)
    for discount, steps in product((fmpq(1, 2), fmpq(9, 10), fmpq(1, 10)), (0, 1, 2, 7)):
        left = partial(_excess_of_length, discount, steps, by_log)
        right = partial(_excess_of_exponential, rational(rate), discount, steps, by_log)
        if less(right, left) is Truth.YES:
            return fails({"beta": discount, "m": steps, "E of the length": left(), "E of the exponential": right()})
    if not (decreases and meets and below) or rational(rate) > 1 or by_log:
        return undecided("the argument does not apply")
    return holds(
        Evidence.PROOF,
        reason="""1 - x <= exp(-x), at x = 1-beta (m times) and at x = s, orders E[(. - t)^+] for every t; increasing
        convex functions are mixtures of these and constants. In max(x_1, ..., x_K) one copy may be replaced after
        the other: x -> f(max(x, c)) is increasing and convex for each c.""",
    )


def _excess_of_length(beta: fmpq, steps: int, by_log: bool) -> arb:
    """Return scale * E[(H - m)^+], scale = 1-beta or log(1/beta)."""
    scale = -arb(beta).log() if by_log else 1 - arb(beta)
    return scale * arb(beta) ** steps / (1 - arb(beta))


def _excess_of_exponential(rate: fmpq, beta: fmpq, steps: int, by_log: bool) -> arb:
    """Return E[(X - scale m)^+] for X exponential with this rate."""
    scale = -arb(beta).log() if by_log else 1 - arb(beta)
    return (-rate * scale * steps).exp() / rate


@claim(
    "lem:moment/largest-exponential",
    section=SECTION,
    statement="""For M the largest of K independent variables of law Exp(1):
    E[M^alpha]^(1/alpha) <= log K + Gamma(1+alpha)^(1/alpha).""",
    domain="K >= 1, alpha >= 1",
    evidence=Evidence.PROOF,
    mutants={"log K + 1": {"one": True}, "1/2 less": {"less_by": fmpq(1, 2)}},
)
def largest_exponential(book: Book, one: bool = False, less_by: Exact = 0) -> Finding:
    """Try it, then: P(M > t) <= min(1, K exp(-t)) = P(log K + X > t) by the union bound, and Minkowski."""
    for K, alpha in product((1, 2, 5, 40), POWERS[1:]):
        left = partial(_exponential_norm, K, alpha)
        right = partial(_stated_norm, K, alpha, one, rational(less_by))
        if less(right, left) is Truth.YES:
            return fails({"K": K, "alpha": alpha, "norm of M": left(), "stated": right()})
    t, log_k = sympy.symbols("t log_K", positive=True)
    shifted = sympy.simplify(sympy.exp(log_k) * sympy.exp(-t) - sympy.exp(-(t - log_k))) == 0  # K P(X > t)
    if not shifted or not book.stands("cited:minkowski", "conc:H/union") or one or rational(less_by) > 0:
        return undecided("the argument does not apply")
    return holds(
        Evidence.PROOF, reason="M is stochastically below log K + X (union bound); then Minkowski's inequality."
    )


def _exponential_norm(K: int, alpha: fmpq) -> arb:
    return exponential_power(alpha, K) ** (1 / arb(alpha))


def _stated_norm(K: int, alpha: fmpq, one: bool, less_by: fmpq) -> arb:
    constant = arb(1) if one else (1 + arb(alpha)).gamma() ** (1 / arb(alpha))
    return arb(K).log() + constant - less_by


def _refuted_by(left_of: str, factor: fmpq, bound: str) -> dict[str, object] | None:
    """Return an instance of the grid where E[max H^alpha] exceeds the bound, if there is one."""
    for alpha, K, beta in product(POWERS, EPISODES, DISCOUNTS):
        left: Expression = partial(horizon_power, alpha, beta, K)
        if alpha.q == 1:
            left = partial(_exact, horizon_moment(int(alpha.p), beta, K))
        right = partial(_right, bound, factor, K, alpha, beta)
        if less(right, left) is Truth.YES:
            return {"K": K, "alpha": alpha, "beta": beta, left_of: left(), "stated": right()}
    return None


def _exact(value: fmpq) -> arb:
    return arb(value)


def _right(bound: str, factor: fmpq, K: int, alpha: fmpq, beta: fmpq) -> arb:
    exponent, remaining = arb(alpha), 1 - arb(beta)
    if bound == "exponential":
        return factor * exponential_power(alpha, K) / remaining**exponent
    if bound == "norm":
        return factor * max_moment_bound(K, alpha, beta)
    if bound == "log K + 1":
        return factor * ((arb(K).log() + 1) / remaining) ** exponent
    return factor * (1 + exponent).gamma() * ((arb(K).log() + 1) / remaining) ** exponent


@claim(
    "lem:moment/repair-exponential",
    section=SECTION,
    statement="""E[max H_k^alpha] <= E[M^alpha]/(1-beta)^alpha with
    E[M^alpha] = Gamma(1+alpha) sum over j of (-1)^(j+1) binom(K,j) j^(-alpha); no smaller one will do for all beta.""",
    domain=ALL,
    evidence=Evidence.PROOF,
    mutants={"99/100 of it": {"factor": fmpq(99, 100)}},
    repairs=("lem:moment", "lem:moment/small-K/moment"),
)
def exponential_bound(book: Book, factor: Exact = 1) -> Finding:
    refuted = _refuted_by("E[max H^alpha]", rational(factor), "exponential")
    if refuted:
        return fails(refuted)
    d, x, alpha, j = sympy.symbols("d x alpha j", positive=True)
    # the shortest of j has rate j; 1 - (1-y)^K expands into such terms by the binomial theorem
    moment = sympy.integrate(x**alpha * j * sympy.exp(-j * x), (x, 0, sympy.oo))
    moments = sympy.simplify(moment - sympy.gamma(1 + alpha) * j**-alpha) == 0
    # sharpness: log(1/beta) <= (1-beta)/beta, equal at d = 1-beta = 0
    slope = sympy.simplify(sympy.diff(d / (1 - d) + sympy.log(1 - d), d) - d / (1 - d) ** 2) == 0
    convex = sympy.diff(x ** (1 + alpha), x, 2).is_positive is True
    if not (moments and slope and convex and book.stands("lem:moment/convex-order")) or rational(factor) < 1:
        return undecided("the argument does not apply")
    near_one = 1 - fmpq(1, 10**6)
    return holds(
        Evidence.PROOF,
        reason="""`lem:moment/convex-order` with f(x) = x^alpha. Sharp: max H >= M/log(1/beta), so that
        (1-beta)^alpha E[max H^alpha] >= beta^alpha E[M^alpha].""",
        share_of_the_bound_at_one_millionth={
            f"K = {K}, alpha = {alpha}": horizon_power(alpha, near_one, K)
            / _right("exponential", fmpq(1), K, alpha, near_one)
            for K, alpha in ((1, fmpq(2)), (5, fmpq(3, 2)))
        },
    )


@claim(
    "lem:moment/repair",
    section=SECTION,
    statement="E[max H_k^alpha] <= ((log K + Gamma(1+alpha)^(1/alpha))/(1-beta))^alpha.",
    domain=ALL,
    evidence=Evidence.PROOF,
    mutants={"log K + 1": {"bound": "log K + 1"}, "99/100 of it": {"factor": fmpq(99, 100)}},
    repairs=("lem:moment",),
)
def norm_bound(book: Book, bound: str = "norm", factor: Exact = 1) -> Finding:
    refuted = _refuted_by("E[max H^alpha]", rational(factor), bound)
    if refuted:
        return fails(refuted)
    if not book.stands("lem:moment/repair-exponential", "lem:moment/largest-exponential") or rational(factor) < 1:
        return undecided("the argument does not apply")
    return holds(
        Evidence.PROOF,
        reason="""`lem:moment/repair-exponential`, then the norm of the largest of K of law Exp(1). For K = 1 the
        additive constant is the smallest possible.""",
        constant_for_three_halves=(arb(5) / 2).gamma() ** (arb(2) / 3),
        constant_for_two=arb(2).sqrt(),
    )


@claim(
    "lem:moment/repair-one-plus-log",
    section=SECTION,
    statement="""E[max H_k^alpha] <= Gamma(1+alpha) ((1 + log K)/(1-beta))^alpha, where Gamma(1+alpha) is
    3 sqrt(pi)/4 = 1.33 at alpha = 3/2 and 2 at alpha = 2.""",
    domain=ALL,
    evidence=Evidence.PROOF,
    mutants={"without Gamma(1+alpha)": {"bound": "log K + 1"}, "99/100 of it": {"factor": fmpq(99, 100)}},
    repairs=("lem:moment",),
)
def one_plus_log_bound(book: Book, bound: str = "one plus log", factor: Exact = 1) -> Finding:
    refuted = _refuted_by("E[max H^alpha]", rational(factor), bound)
    if refuted:
        return fails(refuted)
    g, log_k, above, x = sympy.symbols("g log_K above x", positive=True)  # g = Gamma(1+alpha)^(1/alpha)
    enough = nonnegative_above(sympy.expand(g * (1 + log_k) - (log_k + g)), {g: 1, log_k: 0})
    # g >= 1: x^alpha >= 1 + alpha (x-1), equal and with equal slope at x = 1 and convex; X of law Exp(1) has mean 1
    tangent = x ** (1 + above) - 1 - (1 + above) * (x - 1)
    touches = tangent.subs(x, 1) == 0 and sympy.simplify(sympy.diff(tangent, x).subs(x, 1)) == 0
    convex = sympy.diff(x ** (1 + above), x, 2).is_positive is True
    stands = enough and touches and convex and book.stands("lem:moment/repair")
    if not stands or rational(factor) < 1:
        return undecided("the argument does not apply")
    return holds(
        Evidence.PROOF,
        reason="""Gamma(1+alpha) = E[X^alpha] >= 1 + alpha E[X-1] = 1, so g = Gamma(1+alpha)^(1/alpha) >= 1 and
        log K + g <= g (1 + log K) in `lem:moment/repair`.""",
        at_three_halves=(arb(5) / 2).gamma(),
    )

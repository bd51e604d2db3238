"""What the numbers of Theorem 1 stand on: moments, MB-UCBVI's front factor, and a reduction to finitely many balls."""

from __future__ import annotations

from math import comb

import sympy as sp  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.ledger import Book, Evidence, Finding, claim, fails, holds, undecided
from theory import sympy_rational
from theory.certified import Truth, less
from theory.paper import last_log_factor, theorem_side, ucbvi_front

SECTION = "Theorem 1"


@claim(
    "thm:regret_upper_bound/moments",
    section=SECTION,
    statement="""For K geometric horizons on 1, 2, ... with mean x = 1/(1-beta): E max H <= 1 + c h1 and E (max H)^2
    <= 1 + 2 c h1 + c^2 (h1^2 + h2), with c = x - 1/2, h1 = sum 1/j and h2 = sum 1/j^2 over j <= K.""",
    domain="K >= 1, beta in [0, 1)",
    evidence=Evidence.PROOF,
    mutants={"c = x - 1": {"shift": fmpq(1)}, "c = x - 3/4": {"shift": fmpq(3, 4)}},
)
def moments(book: Book, shift: fmpq = fmpq(1, 2)) -> Finding:
    """H - 1 <= E / log(1/beta) for an exponential E; the largest of K has the moments h1 and h1^2 + h2."""
    beta = sp.symbols("beta", positive=True)
    m, K, h, g = sp.symbols("m K h g", positive=True)
    # log(1/beta) >= 1/(x - shift): both vanish at beta = 1; the derivative of the difference must not be positive
    share = sympy_rational(shift)
    lower = 1 / (1 / (1 - beta) - share)
    derivative = sp.factor(sp.together(sp.diff(-sp.log(beta) - lower, beta)))
    negative = sp.simplify(derivative * beta * (1 + beta) ** 2 + (1 - beta) ** 2) == 0
    # F = 1 - exp(-m): F^(K-1) (1 - F) dm = d(F^K)/K, hence E M_K^j - E M_(K-1)^j = (j/K) E M_K^(j-1)
    F = 1 - sp.exp(-m)
    step = sp.simplify(sp.diff(F**K, m) / K - F ** (K - 1) * (1 - F)) == 0
    gained = (h + 1 / K) ** 2 + (g + 1 / K**2) - (h**2 + g)
    recurrence = sp.expand(gained - 2 * (h + 1 / K) / K) == 0
    if negative and step and recurrence:
        reason = (
            "The derivative of log(1/beta) - 2(1-beta)/(1+beta) is -(1-beta)^2/(beta(1+beta)^2); E M_K^2 and h1^2 + "
            "h2 satisfy the same recurrence in K, and so do E M_K and h1, from 0 at K = 0."
        )
        return holds(Evidence.PROOF, reason=reason, derivative=str(derivative))
    x = fmpq(100)
    for episodes in range(1, 9):
        exact, bound = (
            mean_of_largest(episodes, 1 - 1 / x),
            1 + (x - shift) * sum(fmpq(1, j) for j in range(1, episodes + 1)),
        )
        if exact > bound:
            return fails({"K": episodes, "1/(1-beta)": x, "E max H": exact, "claimed bound": bound})
    return undecided("the derivative has another form")


def mean_of_largest(K: int, beta: fmpq) -> fmpq:
    """Return E max H over K geometric horizons, by inclusion and exclusion."""
    return sum(((-1) ** (j + 1) * comb(K, j) / (1 - beta**j) for j in range(1, K + 1)), fmpq(0))


@claim(
    "thm:regret_upper_bound/ucbvi-front",
    section=SECTION,
    statement="""With the corrected B_k = H_k (1 + L/(2(1-beta))) (the rewards of M_k reach 1 + L/(2(1-beta))), an
    episode of MB-UCBVI still costs at most 2 L (L + sqrt S) max H/(1-beta) times 1/sqrt(max{1, N}), L = L_K.""",
    domain="S >= 1, n >= 1, K >= 2, beta in [0, 1), max H >= 1",
    evidence=Evidence.PROOF,
    mutants={"7/5 in place of 2": {"front": fmpq(7, 5)}, "from L >= 1 on": {"least": fmpq(1)}},
)
def front_of_ucbvi(book: Book, front: fmpq = fmpq(2), least: fmpq = fmpq(219, 100)) -> Finding:
    """Expand the difference around the corner (least L, s = 1, x = 1, H = 1): no coefficient is negative."""
    l, s, x, H = sp.symbols("l s x H", nonnegative=True)  # noqa: E741  (increments over the corner)
    L = sympy_rational(least) + l
    root, inverse, largest = 1 + s, 1 + x, 1 + H
    factor = sympy_rational(front)
    cost = L * (1 + inverse) / 2 + largest * (1 + L * inverse / 2) * (L + sp.Rational(3, 2) * root)
    difference = sp.Poly(sp.expand(factor * L * (L + root) * inverse * largest - cost), l, s, x, H)
    smallest_l = less(lambda: arb(least), lambda: last_log_factor(1, 1, 2, 0))
    if smallest_l is Truth.YES and all(coefficient >= 0 for coefficient in difference.coeffs()):
        reason = "L_K grows with S, n, K, beta and exceeds 2.19 at (1, 1, 2, 0); no coefficient around it is negative."
        return holds(Evidence.PROOF, reason=reason, coefficients=len(difference.coeffs()))
    corner = arb(least)
    cost_there, claimed = ucbvi_front(corner, arb(1), arb(1), arb(1)), arb(front) * corner * (corner + 1)
    if cost_there > claimed:
        return fails({"L": least, "S": 1, "beta": 0, "max H": 1, "cost": cost_there, "claimed": claimed})
    raise ArithmeticError("neither the coefficients nor the corner decide")


@claim(
    "thm:regret_upper_bound/additive-states",
    section=SECTION,
    statement="""An additive term S/(1-beta), as the repaired union bound of event E^V needs in place of 1/(1-beta),
    costs no more in C'' than 1/(1-beta) does at S = 1: its ratio to the theorem's side decreases in S, n and beta.""",
    domain="S >= 1, n >= 1, K >= 2, beta in [0, 1); the theorem's side for MB-UCBVI",
    evidence=Evidence.PROOF,
    mutants={"S^2/(1-beta)": {"power": 2}},
)
def additive_states(book: Book, power: int = 1) -> Finding:
    """Write 1/ratio as y times a sum of products of powers of S, n, x: no exponent may be negative."""
    S, n, x, K, l = sp.symbols("S n x K l", positive=True)  # noqa: E741
    half = sp.Rational(1, 2)
    f = S * n * (l * x) ** 2 + sp.sqrt(S * n * K) * (l * x) ** (3 * half)
    terms = sp.Add.make_args(sp.expand(sp.powsimp(sp.sqrt(S) * x * f / (S**power * x), force=True)))
    exponents = [[sp.simplify(each * sp.diff(term, each) / term) for each in (S, n, x)] for term in terms]
    if all(exponent >= 0 for of_term in exponents for exponent in of_term):
        return holds(Evidence.PROOF, reason="y grows in S, n and x as well.", exponents=str(exponents))
    ratios = [arb(states) ** power / theorem_side(states, 1, 10**6, 0, 2) for states in (1, 4)]
    if not ratios[0] < ratios[1]:
        raise ArithmeticError("the witness does not show it")
    return fails({"n": 1, "K": 10**6, "beta": 0, "ratio at S = 1": ratios[0], "ratio at S = 4": ratios[1]})


@claim(
    "thm:regret_upper_bound/reduction",
    section=SECTION,
    statement="""The proof's side over the theorem's depends on S, n, beta through t = Sn/(1-beta), w = 1-beta and s
    = sqrt S; it is at most the larger of its values at s = 1 and s -> infinity; its factors L^j/(1 + y) and L^j/y,
    with y = log(K t log K) and L^2 = 2(y + log 4K), decrease in y, and the first at t = 1 in K; the rest is monotone
    in t^{-1/2} and, divided by powers of log K, decreasing in K.""",
    domain="t >= 1, K >= 2, w in [0, 1], s >= 1; h1 <= 1 + log K, h2 <= pi^2/6 where K varies",
    evidence=Evidence.PROOF,
    mutants={"log(K/8) in place of log(4K)": {"four": fmpq(1, 8)}},
)
def reduction(book: Book, four: fmpq = fmpq(4)) -> Finding:
    checks = {**_scaling(), **_in_s_and_t(), **_in_y(four), **_in_K()}
    failed = [name for name, true in checks.items() if not true]
    if failed:
        K, y = 2, fmpq(1, 3)
        square = 2 * (arb(y) + (arb(four) * K).log())
        return fails({"steps that fail": failed, "K": K, "y": y, "L^2": square, "needed above": 1 + y})
    return holds(
        Evidence.PROOF,
        reason="Each step is a polynomial identity or has non-negative coefficients.",
        steps=list(checks),
    )


def _scaling() -> dict[str, bool]:
    t, x, K, l, a, b = sp.symbols("t x K l a b", positive=True)  # noqa: E741
    D, half = t / x, sp.Rational(1, 2)
    f = D * (l * x) ** 2 + sp.sqrt(D * K) * (l * x) ** (3 * half)
    proof = D * a * x**2 + 2 * sp.sqrt(D * K) * b * x ** (3 * half)
    sum_of_horizons = 2 * sp.sqrt(D * K * x)
    return {
        "f = x (l^2 t + (tK)^(1/2) l^(3/2))": sp.simplify(f - x * (l**2 * t + sp.sqrt(t * K) * l ** (3 * half))) == 0,
        "the proof's side is x times a function of t, w, s": sp.simplify(proof - x * (t * a + 2 * sp.sqrt(t * K) * b))
        == 0,
        "so is the root of all horizons": sp.simplify(sum_of_horizons - 2 * sp.sqrt(t * K)) == 0,
        "log(SnK l x) = log(K l t)": sp.simplify(D * K * l * x - K * l * t) == 0,
    }


def _in_s_and_t() -> dict[str, bool]:
    s, y, A, B, p, r, z, P, R = sp.symbols("s y A B p r z P R", positive=True)
    in_s = sp.simplify(sp.diff((A + B * s) / (s + y), s) * (s + y) ** 2)
    in_s_ucbvi = sp.simplify(sp.diff((A + B * s) / (s * y), s) * s**2 * y)
    in_z = sp.simplify(sp.diff((p + r * z) / (P + R * z), z) * (P + R * z) ** 2)
    return {
        "the derivative in s keeps its sign": s not in in_s.free_symbols,
        "for MB-UCBVI it is negative": sp.simplify(in_s_ucbvi + A) == 0,
        "the derivative in z = (K/t)^(1/2) keeps its sign": z not in in_z.free_symbols,
    }


def _in_y(four: fmpq) -> dict[str, bool]:
    """Let L^2 = 2(y + a), a = log(four K): L/(1+y) decreases iff 1 + y < L^2, L/y iff y < L^2; a >= 1 is enough."""
    y, above = sp.symbols("y above", positive=True)
    square = 2 * (y + 1 + above)  # a = 1 + above
    enough = less(lambda: arb(1).exp(), lambda: 2 * arb(four)) is Truth.YES
    return {
        "log 4K > 1 for K >= 2": enough,
        "L/(1+y) decreases in y": _no_negative(square - (1 + y), y, above),
        "L/y decreases in y": _no_negative(square - y, y, above),
        "L^2/y = 2 + 2 log(4K)/y": sp.simplify(square / y - 2 - 2 * (1 + above) / y) == 0,
    }


def _in_K() -> dict[str, bool]:
    l, log_l, four, k, w, c = sp.symbols("l log_l four k w c", positive=True)  # noqa: E741  (k = 1/log K, c = 1 - w/2)
    zeta = sp.symbols("zeta", positive=True)
    # at t = 1: y = l + log l, L^2 = 2(log 4 + 2 l + log l); L/(1+y) decreases iff L^2 (1 + 1/l) > (2 + 1/l)(1 + y)
    square = 2 * (four + 2 * l + log_l)
    gap = sp.expand(square * (1 + 1 / l) - (2 + 1 / l) * (1 + l + log_l))
    rest = sp.expand(gap - (2 * four + 1 + 2 * l + (2 * four - 1 + log_l) / l))
    positive = less(lambda: arb(0), lambda: 2 * arb(4).log() - 1 + arb(2).log().log())
    first, q = 1 + k, (1 + k) ** 2 + zeta * k**2  # h1/l and (h1^2 + h2)/l^2
    merged = w**2 * k**2 + 2 * w * k * first + q
    gap_moment = c**2 * q + c * w * k * first
    single = w * k * (w * k + c * first)
    polynomials = (merged, gap_moment, single, q, merged * (w * k + first))
    ratio = (four + l) / (l + log_l)
    return {
        "L/(1+y) at t = 1 decreases in K": rest == 0 and positive is Truth.YES,
        "coefficients over powers of log K grow with 1/log K": all(
            _no_negative(each, k, w, c, zeta) for each in polynomials
        ),
        "log(4K)/y - 1 = (log 4 - log l)/(l + log l) at t = 1": sp.simplify(ratio - 1 - (four - log_l) / (l + log_l))
        == 0,
    }


def _no_negative(expression: sp.Expr, *variables: sp.Symbol) -> bool:
    return all(coefficient >= 0 for coefficient in sp.Poly(sp.expand(expression), *variables).coeffs())

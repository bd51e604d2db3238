"""The remarks after Theorem 1: the simplified bound (`eq:regret_tilde`), arms, and the gap to Theorem 2.

Symbols: x = 1/(1-beta), D = Sn, l = log K, y = log(SnK log K/(1-beta)).
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only
from theory import Exact, rational, sympy_rational
from theory.paper import leading_function, log_term, theorem_side

SECTION = "Theorem 1"
DOMAIN = "S >= 1, n >= 1, K >= 2, beta in [0, 1)"

S, n, K, x, y, s = sp.symbols("S n K x y s", positive=True)
l = sp.symbols("l", positive=True)  # noqa: E741  (log K)
HALF = sp.Rational(1, 2)


@claim(
    "eq:regret_tilde/regime",
    section=SECTION,
    statement="""Without its logarithms the first term of f is at most the second, Sn/(1-beta)^2 <=
    sqrt(SnK)/(1-beta)^{3/2}, exactly when K >= Sn/(1-beta).""",
    domain=DOMAIN,
    evidence=Evidence.PROOF,
    mutants={
        "K >= Sn/(2(1-beta))": {"factor": fmpq(1, 2)},
        "exactly when K >= 2Sn/(1-beta)": {"factor": fmpq(2)},
    },
)
def regime(book: Book, factor: Exact = 1) -> Finding:
    first, second = S * n * x**2, sp.sqrt(S * n * K) * x ** (3 * HALF)
    squares = sp.expand(second**2 - first**2)  # both terms are positive: compare their squares
    quotient = sp.simplify(squares / (K - sympy_rational(factor) * S * n * x))
    if quotient.is_positive:
        return holds(
            Evidence.PROOF, reason="The difference of the squares is a positive multiple.", multiple=str(quotient)
        )
    K_there = fmpq(3, 2) * 4 if rational(factor) > 1 else fmpq(3)  # S = n = 1, x = 4
    return fails(
        {
            "S = n": 1,
            "1/(1-beta)": 4,
            "K": K_there,
            "square of the first term": 4**4,
            "square of the second": K_there * 4**3,
            "claimed threshold": rational(factor) * 4,
        }
    )


@claim(
    "eq:regret_tilde/first-term",
    section=SECTION,
    statement="""With its logarithms too, the first term of f is at most the second when K >= Sn/(1-beta).""",
    domain=DOMAIN,
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    printed=False,
    mutants={"when K >= Sn log K/(2(1-beta))": {"factor": fmpq(1, 2), "with_log": True}},
    controls={"when K >= Sn log K/(1-beta)": {"with_log": True}},
)
def first_term(book: Book, factor: Exact = 1, with_log: bool = False) -> Finding:
    first, second = S * n * (l * x) ** 2, sp.sqrt(S * n * K) * (l * x) ** (3 * HALF)
    multiple = sp.simplify(sp.expand(second**2 - first**2) / (K - S * n * l * x))
    exactly = bool(multiple.is_positive)  # first <= second exactly when K >= Sn log K x
    if with_log and exactly and rational(factor) >= 1:
        return holds(Evidence.PROOF, reason="The difference of the squares is a positive multiple of K - Sn x log K.")
    episodes, inverse = (3, fmpq(3)) if not with_log else (8, fmpq(4))
    threshold = arb(rational(factor) * inverse) * (arb(episodes).log() if with_log else 1)
    z = arb(inverse) * arb(episodes).log()
    witness = {
        "S = n": 1,
        "1/(1-beta)": inverse,
        "K": episodes,
        "claimed threshold": threshold,
        "first term": z**2,
        "second term": arb(episodes).sqrt() * z * z.sqrt(),
    }
    outside = threshold <= episodes and arb(episodes).sqrt() * z * z.sqrt() < z**2
    if not (outside and exactly):
        raise ArithmeticError("the witness does not show it")
    if with_log:
        return fails(witness)
    return holds_only("K >= Sn log K/(1-beta), and exactly there", Evidence.PROOF, witness)


@claim(
    "eq:regret_tilde",
    section=SECTION,
    statement="""For K >= Sn/(1-beta), (sqrt S + y) f <= (1 + y)(1 + sqrt(log K)) (log K)^{3/2} S
    sqrt(nK)/(1-beta)^{3/2}, so that the theorem's bound is S sqrt(nK)/(1-beta)^{3/2} up to logarithms.""",
    domain="S >= 1, n >= 1, K >= max(2, Sn/(1-beta)), beta in [0, 1)",
    evidence=Evidence.PROOF,
    mutants={"without K >= Sn/(1-beta)": {"regime": False}, "sqrt S in place of S": {"power_of_S": fmpq(1, 2)}},
)
def simplified(book: Book, regime: bool = True, power_of_S: Exact = 1) -> Finding:
    """Bound both terms of f: the second takes (log K)^{3/2}, the first at most sqrt(log K) times that."""
    root = sp.sqrt(S * n * K) * x ** (3 * HALF)
    claimed = (
        (1 + y)
        * (1 + sp.sqrt(l))
        * l ** (3 * HALF)
        * S ** sympy_rational(power_of_S)
        * sp.sqrt(n * K)
        * x ** (3 * HALF)
    )
    above_f = (1 + sp.sqrt(l)) * l ** (3 * HALF) * root
    slack_of_f = sp.simplify(above_f - root * l ** (3 * HALF) - l**2 * root) == 0
    slack_of_sum = sp.expand((sp.sqrt(S) * (1 + y) - sp.sqrt(S) - y) / y)  # = sqrt S - 1 >= 0
    whole = sp.simplify(claimed / (sp.sqrt(S) * (1 + y) * above_f))
    if regime and whole == 1 and slack_of_f and sp.simplify(slack_of_sum - sp.sqrt(S) + 1) == 0:
        if not book.stands("eq:regret_tilde/regime"):
            raise ArithmeticError("the regime does not stand")
        return holds(Evidence.PROOF, reason="sqrt S >= 1; Sn x^2 <= sqrt(SnK) x^{3/2} in the regime.")
    states, arms, episodes = (10**8, 1, 10**8) if regime else (1, 10**6, 2)
    side = theorem_side(states, arms, episodes, 0)
    log_k = arb(episodes).log()
    right = (1 + log_term(states, arms, episodes, 0)) * (1 + log_k.sqrt()) * log_k * log_k.sqrt()
    right *= arb(states) ** arb(rational(power_of_S)) * arb(arms * episodes).sqrt()
    if not right < side:
        raise ArithmeticError("the witness does not show it")
    return fails({"S": states, "n": arms, "K": episodes, "beta": 0, "left": side, "right": right})


@claim(
    "eq:regret_tilde/sub-linear",
    section=SECTION,
    statement="""The bound of the theorem is sub-linear in the number of arms: for fixed S, K, beta it grows by less
    than a factor 2 from n to 2n.""",
    domain=DOMAIN,
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={
        "for K >= 2Sn/(1-beta) alone": {"regime": 2},
        "for K >= 2Sn/(1-beta) and sqrt S + y >= 1 + sqrt(log K)": {"regime": 2, "logarithm": 1},
    },
    controls={"for K >= 2Sn/(1-beta) and sqrt S + y >= 2 + 2 sqrt(log K)": {"regime": 2, "logarithm": 2}},
)
def sub_linear(book: Book, regime: int = 0, logarithm: int = 0) -> Finding:
    """Use the elasticity of (s + y)(A n + B n^{1/2}) in n, 1 + 1/(s+y) - B/(2(A n^{1/2} + B))."""
    A, B = sp.symbols("A B", positive=True)
    y_of_n = sp.log(K * l * x * S * n)
    side = (s + y_of_n) * (A * n + B * sp.sqrt(n))
    elasticity = sp.simplify(n * sp.diff(side, n) / side)
    expected = 1 + 1 / (s + y_of_n) - B / (2 * (A * sp.sqrt(n) + B))
    identity = sp.simplify(elasticity - expected) == 0
    # A n = D (l x)^2 and B n^{1/2} = (DK)^{1/2} (l x)^{3/2}: in the regime A n^{1/2}/B = (D l x/K)^{1/2} <= sqrt l
    share = (
        sp.simplify(S * n * (l * x) ** 2 / (sp.sqrt(S * n * K) * (l * x) ** (3 * HALF)) / sp.sqrt(S * n * l * x / K))
        == 1
    )
    limit = sp.limit(((1 + sp.log(n)) * (A * n + B * sp.sqrt(n))) / n, n, sp.oo)
    if not (identity and share and limit == sp.oo):
        raise ArithmeticError("the elasticity has another form")
    reason = (
        "For K >= Sn/(1-beta) the elasticity in n is at most 1 + 1/(s+y) - 1/(2(1 + sqrt(log K))), which is at "
        "most 1 when s + y >= 2(1 + sqrt(log K)); both hold along the way from n to 2n. For fixed K the bound "
        "over n tends to infinity, while K/(1-beta) does not depend on n."
    )
    if regime >= 2 and logarithm >= 2:
        return holds(Evidence.PROOF, reason=reason)
    witness = _super_linear(regime, logarithm)
    if regime or logarithm:
        return fails(witness)
    return holds_only("K >= 2Sn/(1-beta) and sqrt S + y >= 2 + 2 sqrt(log K)", Evidence.PROOF, witness, reason=reason)


def _super_linear(regime: int, logarithm: int) -> dict[str, object]:
    """Return a case, with S = 1 and beta = 0, that meets the hypotheses and more than doubles from n to 2n."""
    for arms, episodes in ((100, 2), (1, 2), (1, 4), (1, 5)):
        enough = 1 + log_term(1, arms, episodes, 0) >= logarithm * (1 + arb(episodes).log().sqrt())
        at_n, at_2n = (theorem_side(1, count, episodes, 0) for count in (arms, 2 * arms))
        if episodes >= regime * arms and enough and at_2n > 2 * at_n:
            return {
                "S": 1,
                "n": arms,
                "K": episodes,
                "beta": 0,
                "bound over C at n": at_n,
                "bound over C at 2n": at_2n,
                "first term of f at n, linear in n": arms * arb(episodes).log() ** 2,
                "f at n": leading_function(1, arms, episodes, 0),
            }
    raise ArithmeticError("no case shows it")


@claim(
    "eq:regret_tilde/ucbvi",
    section=SECTION,
    statement="""The right-hand side for MB-UCBVI is that for MB-PSRL (with the same constant) times 1/(1-beta) and a
    factor between y/(1+y) and y: an extra 1/(1-beta) up to logarithms.""",
    domain=DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"no extra factor": {"power": 0}, "an extra 1/(1-beta)^2": {"power": 2}},
)
def extra_factor(book: Book, power: int = 1) -> Finding:
    f = sp.symbols("f", positive=True)
    remaining = sp.simplify((s * x * y * f) / ((s + y) * f) / x**power)
    above = sp.symbols("above", nonnegative=True)  # s = 1 + above
    lower = sp.factor(sp.together((remaining - y / (1 + y)).subs(s, 1 + above)))
    upper = sp.factor(sp.together((y - remaining).subs(s, 1 + above)))
    if x not in remaining.free_symbols and lower.is_nonnegative and upper.is_positive:
        return holds(Evidence.PROOF, factor=str(remaining), over_lower_end=str(lower), below_upper_end=str(upper))
    log = log_term(1, 1, 3, fmpq(99, 100))
    there = arb(100) ** (1 - power) * log / (1 + log)
    return fails({"S": 1, "n": 1, "K": 3, "1/(1-beta)": 100, "factor": there, "y": log, "y/(1+y)": log / (1 + log)})


@claim(
    "thm:lower_bound/gap",
    section=SECTION,
    statement="""Without logarithms, S sqrt(nK)/(1-beta)^{3/2} (times 1/(1-beta) for MB-UCBVI) is sqrt(S)/(1-beta)
    times the lower bound's sqrt(SnK/(1-beta)), for each of the three algorithms.""",
    domain="the three right-hand sides, K >= Sn/(1-beta)",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"a gap of sqrt S": {"gap": (fmpq(1, 2), 0)}, "a gap of S/(1-beta)": {"gap": (1, 1)}},
    controls={
        "MB-PSRL and MB-UCRL2": {"extra": (0,)},
        "MB-UCBVI: sqrt(S)/(1-beta)^2": {"extra": (1,), "gap": (fmpq(1, 2), 2)},
    },
)
def gap_to_lower_bound(
    book: Book, gap: tuple[Exact, Exact] = (fmpq(1, 2), 1), extra: Sequence[int] = (0, 1)
) -> Finding:
    lower = sp.sqrt(S * n * K * x)
    claimed = S ** sympy_rational(gap[0]) * x ** sympy_rational(gap[1])
    found = {power: sp.simplify(S * sp.sqrt(n * K) * x ** (3 * HALF + power) / lower) for power in extra}
    right = [power for power, ratio in found.items() if sp.simplify(ratio / claimed) == 1]
    wrong = [power for power in extra if power not in right]
    if not wrong:
        return holds(Evidence.PROOF, gap=str(claimed))
    witness = {
        "claimed": str(claimed),
        **{("MB-UCBVI" if power else "MB-PSRL and MB-UCRL2"): str(found[power]) for power in wrong},
    }
    if right:
        return holds_only("MB-PSRL and MB-UCRL2; for MB-UCBVI the gap is sqrt(S)/(1-beta)^2", Evidence.PROOF, witness)
    return fails(witness)


@claim(
    "eq:regret_tilde/vanilla",
    section=SECTION,
    statement="""With S^n states and n actions, the general bounds are states * sqrt(actions K) = S^n sqrt(nK) and
    sqrt(states * actions K) = sqrt(n S^n K); S sqrt(nK) is below both for n >= 2 arms of S >= 2 states.""",
    domain="S >= 2, n >= 2, K >= 1; exponents of S only, factors of 1/(1-beta) and logarithms left out",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    printed=False,
    mutants={"from one arm on": {"fewest": 1}},
    controls={"n >= 3": {"fewest": 3}},
)
def vanilla(book: Book, fewest: int = 2) -> Finding:
    states = S**n
    mine = S * sp.sqrt(n * K)
    exponents = {
        "S^n sqrt(nK)": sp.simplify(sp.log(sp.powsimp(states * sp.sqrt(n * K) / mine)).expand(force=True) / sp.log(S)),
        "sqrt(n S^n K)": sp.simplify(sp.expand_log(sp.log(sp.sqrt(states * n * K) / mine), force=True) / sp.log(S)),
    }
    expected = {"S^n sqrt(nK)": n - 1, "sqrt(n S^n K)": n / 2 - 1}
    if any(sp.simplify(exponents[name] - each) != 0 for name, each in expected.items()):
        raise ArithmeticError("the quotients are not powers of S")
    smallest = min(each.subs(n, fewest) for each in expected.values())  # both grow with n
    values = {name: f"S^({each})" for name, each in expected.items()}
    if smallest > 0:
        return holds(
            Evidence.PROOF, reason="Both exponents grow with n and are positive from there on.", quotients=values
        )
    own, general = 2 * sp.sqrt(fewest), sp.sqrt(2**fewest * fewest)
    witness = {"S": 2, "n": fewest, "K": 1, "S sqrt(nK)": str(own), "sqrt(n S^n K)": str(general)}
    if smallest == 0:
        return holds_only("n >= 3; equal to sqrt(n S^n K) at n = 2", Evidence.PROOF, witness, quotients=values)
    return fails(witness)

"""The proof of Lemma `moment`, last steps: the blocks of size A, the series 3.92, and the case K <= 4."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import flint
import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.moments.moment_boxes import DOMAIN, LARGEST_ALPHA, SECTION
from proofs_checks.computations.symbolic import nonnegative_above
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, decide, fails, holds, holds_only, undecided
from theory import Exact, rational
from theory.certified import Truth, at_most, horizon_moment, horizon_power, horizon_tail, least_at_power, less

ALPHA, RATE, POINT = sympy.symbols("alpha rate x", positive=True)
"""alpha, log(1/beta) and a real i; so that beta^(i^(1/alpha)) is the next expression."""
POWER = sympy.exp(-RATE * POINT ** (1 / ALPHA))


def power_falls() -> bool:
    """Return whether beta^(x^(1/alpha)) is seen to decrease in x > 0, by the sign of its derivative."""
    return bool(sympy.diff(POWER, POINT).is_negative)


def block_size(K: int, alpha: fmpq, beta: fmpq) -> int:
    """Return A = min{i >= 1 : K beta^(i^(1/alpha)) <= 1}, for 0 < beta < 1.

    Raises
    ------
    ArithmeticError
        If it is not decided.
    """
    if K == 1:
        return 1
    m = 1
    while K * beta**m > 1:
        m += 1
    if K * beta**m == 1:  # i^(1/alpha) >= m exactly: i >= m^alpha = (m^p)^(1/q)
        return least_at_power(m ** int(alpha.p), fmpq(alpha.q))
    for precision in (64, 256, 1024):
        with flint.ctx.workprec(precision):
            whole = ((arb(K).log() / -arb(beta).log()) ** arb(alpha)).ceil().unique_fmpz()
        if whole is not None:
            return int(whole)
    raise ArithmeticError(f"(log {K}/log(1/{beta}))^{alpha} is not told from an integer")


@claim(
    "lem:moment/A",
    section=SECTION,
    statement="min{i : K beta^(i^(1/alpha)) <= 1} = ceil((log K / log(1/beta))^alpha).",
    domain=f"{DOMAIN}; i from 1, so that blocks of that size cover all i",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"rounded down": {"rounded_up": False}},
    controls={"K >= 2, beta > 0": {"smallest_K": 2}},
)
def block_size_formula(book: Book, smallest_K: int = 1, rounded_up: bool = True) -> Finding:
    """By definition K beta^(i^(1/alpha)) <= 1 means i >= (log K/log(1/beta))^alpha; try it without that formula."""
    for K in (2, 3, 5, 10):
        for alpha in (fmpq(1), fmpq(3, 2), LARGEST_ALPHA):
            beta = fmpq(2, 3)
            found = block_size(K, alpha, beta) - (0 if rounded_up else 1)
            reaches = _at_most_one(K, beta, found, alpha)
            if (
                found < 1
                or reaches is not Truth.YES
                or (found > 1 and _at_most_one(K, beta, found - 1, alpha) is not Truth.NO)
            ):
                return fails(
                    {"K": K, "alpha": alpha, "beta": beta, "i": found, "K beta^(i^(1/alpha)) <= 1": reaches.value}
                )
    log_k = sympy.symbols("log_K", positive=True)
    meets_one = sympy.simplify(sympy.exp(log_k) * POWER.subs(POINT, (log_k / RATE) ** ALPHA)) == 1
    if not (meets_one and power_falls()):
        return undecided("K beta^(x^(1/alpha)) is not seen to fall through 1 at (log K/log(1/beta))^alpha")
    why = "K beta^(x^(1/alpha)) decreases in x and is 1 at x = (log K / log(1/beta))^alpha."
    if smallest_K >= 2:
        return holds(Evidence.PROOF, reason=why)
    return holds_only(
        "K >= 2, 0 < beta < 1",
        Evidence.PROOF,
        {"K": 1, "least i >= 1": 1, "formula": 0, "beta = 0": "log(1/0)"},
        reason=why,
    )


def _at_most_one(K: int, beta: fmpq, i: int, alpha: fmpq) -> Truth:
    return at_most(lambda: K * arb(beta) ** (arb(i) ** (1 / arb(alpha))), lambda: arb(1))


@claim(
    "lem:moment/A-bound",
    section=SECTION,
    statement="ceil((log K / log(1/beta))^alpha) <= 1 + (log K / (1-beta))^alpha.",
    domain=f"{DOMAIN}, beta > 0",
    evidence=Evidence.PROOF,
    mutants={"without the 1": {"added": 0}},
)
def block_size_bound(book: Book, added: int = 1) -> Finding:
    if not book.stands("conc:H/strict"):
        return undecided("conc:H/strict does not stand")
    for K, beta in ((2, fmpq(1, 10)), (5, fmpq(1, 2)), (7, fmpq(9, 10))):
        for alpha in (fmpq(1), fmpq(3, 2), LARGEST_ALPHA):
            size = block_size(K, alpha, beta)
            bound = partial(_scaled_log, K, alpha, beta, fmpq(1), fmpq(added))
            if less(bound, partial(arb, size)) is Truth.YES:
                return fails({"K": K, "alpha": alpha, "beta": beta, "A": size, "bound": bound()})
    return holds(Evidence.PROOF, reason="ceil(x) <= 1 + x, and log(1/beta) >= 1-beta by `conc:H/strict`.")


def _scaled_log(K: int, alpha: fmpq, beta: fmpq, factor: fmpq, added: fmpq) -> arb:
    """Return added + factor (log K/(1-beta))^alpha."""
    return added + factor * (arb(K).log() / (1 - arb(beta))) ** arb(alpha)


@claim(
    "lem:moment/blocks",
    section=SECTION,
    statement="""With A as defined, the sum over i >= 1 of min(1, K beta^(i^(1/alpha))) is at most
    A + A times the sum over j >= 1 of K (beta^(A^(1/alpha)))^(j^(1/alpha)).""",
    domain=f"{DOMAIN}, beta > 0",
    evidence=Evidence.PROOF,
    mutants={"each block by its last term": {"at_end": 1}},
)
def block_sum(book: Book, at_end: int = 0) -> Finding:
    """Within block j, A j < i <= A(j+1), every term is at most that at A j, which is at most 1 for j >= 1."""
    for K, beta, alpha in ((2, fmpq(1, 2), fmpq(2)), (5, fmpq(2, 3), fmpq(3, 2)), (6, fmpq(3, 4), LARGEST_ALPHA)):
        A = block_size(K, alpha, beta)
        for j in (1, 2, 3):
            block = partial(_block, K, alpha, beta, A * j, A * (j + 1))
            term = partial(_block, K, alpha, beta, A * (j + at_end) - 1, A * (j + at_end))
            if at_most(block, lambda term=term, A=A: A * term()) is not Truth.YES:  # type: ignore[misc]
                return fails(
                    {"K": K, "alpha": alpha, "beta": beta, "A": A, "j": j, "block": block(), "stated": A * term()}
                )
    size, number = sympy.symbols("A j", positive=True)
    terms = sympy.expand(size * (number + 1) - size * number) == size
    first_of_block = nonnegative_above(sympy.expand(size * number - size * (number + at_end)), {size: 1, number: 1})
    one, other = POWER.subs(POINT, size * number), sympy.exp(-RATE * size ** (1 / ALPHA) * number ** (1 / ALPHA))
    same_power = sympy.simplify(sympy.expand_power_base(one) / other) == 1
    if not (terms and first_of_block and same_power and power_falls()):
        return undecided("the argument does not apply")
    return holds(
        Evidence.PROOF,
        reason="""beta^(x^(1/alpha)) decreases in x; a block has A terms; (A j)^(1/alpha) = A^(1/alpha) j^(1/alpha); the
        first A terms are at most 1, and by the definition of A the minimum is its second argument from j = 1 on.""",
    )


def _block(K: int, alpha: fmpq, beta: fmpq, start: int, end: int) -> arb:
    """Return the sum of K beta^(i^(1/alpha)) over start < i <= end."""
    return sum((K * arb(beta) ** (arb(i) ** (1 / arb(alpha))) for i in range(start + 1, end + 1)), arb(0))


def power_series(base: int, alpha: Exact, terms: int = 2000) -> arb:
    """Return an enclosure of the sum over j >= 1 of base^(1 - j^(1/alpha)), base >= 2.

    The terms after J add at most the integral from J of base^(1 - x^(1/alpha)), which is
    base alpha c^(-alpha) Gamma(alpha, c J^(1/alpha)) with c = log base.
    """
    exponent = 1 / arb(rational(alpha))
    c = arb(base).log()
    head = sum((base * (-c * arb(j) ** exponent).exp() for j in range(1, terms + 1)), arb(0))
    tail = base * (c * arb(terms) ** exponent).gamma_upper(1 / exponent) / exponent * c ** (-1 / exponent)
    return head + arb(0).union(tail.upper())


@claim(
    "lem:moment/series",
    section=SECTION,
    statement="""For K >= 5 the sum over j >= 1 of K^(1 - j^(1/alpha)) is at most that of 5^(1 - j^(2/5)), which is 3.92
    rounded and below 4.""",
    domain="K >= 5, 1 <= alpha <= 5/2",
    evidence=Evidence.CERTIFIED,
    mutants={"K >= 4": {"base": 4}, "below 3.92": {"bound": fmpq(392, 100)}, "alpha up to 2.6": {"alpha": fmpq(13, 5)}},
)
def series_of_blocks(book: Book, base: int = 5, bound: Exact = 4, alpha: Exact = LARGEST_ALPHA) -> Finding:
    """Each term decreases in K and grows with alpha, as j >= 1; so the largest K and smallest alpha are enough."""
    log_k, more = sympy.symbols("log_K more", positive=True)  # j = 1 + more
    exponent = (1 + more) ** (1 / ALPHA) - 1
    falls_with_alpha = sympy.diff((1 + more) ** (1 / ALPHA), ALPHA)  # -log(1+more)/alpha^2 times a positive power
    grows_with_alpha = sympy.simplify(
        falls_with_alpha + sympy.log(1 + more) * (1 + more) ** (1 / ALPHA) / ALPHA**2
    ) == 0 and bool(sympy.log(1 + more).is_positive)
    falls_with_k = sympy.simplify(sympy.diff(sympy.exp(-log_k * exponent), log_k) / sympy.exp(-log_k * exponent))
    if not grows_with_alpha or sympy.simplify(falls_with_k + exponent) != 0:
        return undecided("the terms are not seen to be monotone")
    total = power_series(base, alpha)
    if total > rational(bound):
        return fails({"K": base, "alpha": rational(alpha), "sum": total, "bound": rational(bound)})
    rounds = total > fmpq(3915, 1000) and total < fmpq(3925, 1000)
    return decide(
        bool(rounds and total < rational(bound)),
        Evidence.CERTIFIED,
        sum=total,
        bound=rational(bound),
        reason="The term K^(1 - j^(1/alpha)) falls with K and rises with alpha: K = 5, alpha = 5/2 is the worst.",
    )


@claim(
    "lem:moment/five-blocks",
    section=SECTION,
    statement="For K >= 5, E[max H_k^alpha] <= 5A with A = ceil((log K / log(1/beta))^alpha).",
    domain="K >= 5, 1 <= alpha <= 5/2, 0 < beta < 1",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.CERTIFIED,
    mutants={"A in place of 5A": {"factor": 1}},
    controls={"alpha <= 3/2": {"largest_alpha": fmpq(3, 2)}},
)
def five_blocks(book: Book, factor: int = 5, largest_alpha: Exact = LARGEST_ALPHA) -> Finding:
    """Where 2 + g/log 5 <= 5^(1/alpha), g = Gamma(1+alpha)^(1/alpha): max H <= 1 + M/log(1/beta), then Minkowski."""
    K, beta = 5, fmpq(1, 5)  # A = 1
    largest = rational(largest_alpha)
    shortest = horizon_moment(1, beta, K)
    if shortest > factor * block_size(K, fmpq(1), beta):
        return fails({"K": K, "beta": beta, "alpha": 1, "A": 1, "E[max H]": shortest, "factor": factor})
    if factor < 5:
        return undecided("the argument needs 5A")
    needed = book.stands("lem:moment/largest-exponential") and _covers(fmpq(1), fmpq(3, 2), _two_and_a_bit)
    if needed and largest <= fmpq(3, 2):
        return holds(
            Evidence.CERTIFIED,
            reason="""max H <= 1 + M/log(1/beta) with M the largest of K of law Exp(1), whose alpha-norm is at most
            log K + g. With y = log K/log(1/beta): 1 + y(1 + g/log K) <= 5^(1/alpha) max(1, y), the worst y being 1.""",
        )
    moment = horizon_power(LARGEST_ALPHA, beta, K)
    if needed and moment > 5:
        return holds_only(
            "alpha <= 3/2 (proved)",
            Evidence.CERTIFIED,
            {
                "K": K,
                "alpha": LARGEST_ALPHA,
                "beta": beta,
                "A": 1,
                "E[max H^alpha]": moment,
                "its part sum over m <= 3 of (m^alpha - (m-1)^alpha) P(max H >= m)": _first_three(K, beta),
                "5A": 5,
            },
        )
    return undecided("the argument does not apply")


def _first_three(K: int, beta: fmpq) -> arb:
    powers = [arb(m) ** arb(LARGEST_ALPHA) for m in range(4)]
    return sum(((powers[m] - powers[m - 1]) * horizon_tail(m, beta, K) for m in (1, 2, 3)), arb(0))


def _two_and_a_bit(alpha: arb) -> bool:
    norm = (1 + alpha).gamma() ** (1 / alpha)
    return bool(2 + norm / arb(5).log() <= arb(5) ** (1 / alpha))


def _covers(low: fmpq, high: fmpq, true_on: Callable[[arb], bool], pieces: int = 64) -> bool:
    """Return whether `true_on` holds on each of the balls that cover [low, high]."""
    step = (high - low) / pieces
    return all(true_on(arb(low + i * step).union(arb(low + (i + 1) * step))) for i in range(pieces))


@claim(
    "lem:moment/small-K/sum",
    section=SECTION,
    statement="E[max H_k^alpha] <= K E[H^alpha].",
    domain=DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"(K+1)/2 in place of K": {"halved": True}},
)
def maximum_below_sum(book: Book, halved: bool = False) -> Finding:
    # with one number more: the sum and the largest of the others, x below it or above it
    largest, rest, x, gap = sympy.symbols("largest rest x gap")
    below = nonnegative_above(largest + rest + x - largest, {rest: 0, x: 0})
    above = nonnegative_above(largest + rest + (largest + gap) - (largest + gap), {largest: 0, rest: 0})
    for K in (1, 2, 3, 4):
        for power in (1, 2):
            for beta in (fmpq(0), fmpq(1, 100), fmpq(1, 2)):
                front = fmpq(K + 1, 2) if halved else fmpq(K)
                exact, single = horizon_moment(power, beta, K), horizon_moment(power, beta)
                if exact > front * single:
                    return fails({"K": K, "alpha": power, "beta": beta, "E[max]": exact, "stated": front * single})
    if not (below and above) or halved:
        return undecided("the argument does not apply")
    return holds(Evidence.PROOF, reason="The largest of K positive numbers is at most their sum, by induction on K.")


@claim(
    "lem:moment/small-K/moment",
    section=SECTION,
    statement="E[H^alpha] <= 1/(1-beta)^alpha.",
    domain="1 <= alpha <= 5/2, 0 <= beta < 1",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"half of it": {"factor": fmpq(1, 2)}},
    controls={"alpha = 1": {"powers": (1,)}},
)
def single_moment(book: Book, factor: Exact = 1, powers: Sequence[int] = (1, 2)) -> Finding:
    """E[H] = 1/(1-beta), and Jensen's inequality is strict above alpha = 1 unless H is constant."""
    above = sympy.symbols("above", positive=True)  # alpha - 1
    convex = sympy.diff(POINT ** (1 + above), POINT, 2).is_positive is True
    if not (convex and book.stands("eq:V-vs_R/steps")):
        return undecided("convexity or E[H] = 1/(1-beta) is not established")
    for power in powers:
        beta = fmpq(1, 2)
        exact, stated = horizon_moment(power, beta), rational(factor) / (1 - beta) ** power
        if exact > stated:
            witness = {"alpha": power, "beta": beta, "E[H^alpha]": exact, "stated": stated}
            if power == 1:
                return fails(witness)
            return holds_only(
                "alpha = 1 or beta = 0, with equality",
                Evidence.PROOF,
                witness,
                reason="E[H^alpha] >= E[H]^alpha = 1/(1-beta)^alpha by Jensen, strictly if alpha > 1 and beta > 0.",
            )
    return holds(Evidence.PROOF, reason="E[H] = 1/(1-beta), `eq:V-vs_R/steps`.")


@claim(
    "lem:moment/small-K/compare",
    section=SECTION,
    statement="For K <= 4, K/(1-beta)^alpha <= 5 + 5 (log K/(1-beta))^alpha.",
    domain="1 <= K <= 4, 1 <= alpha <= 5/2, 0 <= beta < 1",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.CERTIFIED,
    mutants={
        "4.99 in place of the second 5": {"factor": fmpq(499, 100)},
        "alpha up to 2.51": {"largest": fmpq(251, 100)},
    },
    controls={"K = 2, 3, 4": {"smallest_K": 2}},
)
def small_cases(book: Book, factor: Exact = 5, smallest_K: int = 1, largest: Exact = LARGEST_ALPHA) -> Finding:
    """For K >= 2 it is enough that factor (log K)^alpha >= K at both ends of alpha, since the power is monotone."""
    front, top = rational(factor), rational(largest)
    values: dict[str, object] = {}
    for K in range(max(smallest_K, 2), 5):
        for alpha in (fmpq(1), top):
            value = partial(_scaled_log, K, alpha, fmpq(0), front, fmpq(0))
            values[f"K = {K}, alpha = {alpha}"] = value()
            if at_most(partial(arb, K), value) is not Truth.YES:
                beta = 1 - fmpq(1, 10**5)
                right = _scaled_log(K, alpha, beta, front, fmpq(5))
                left = arb(K) / (1 - arb(beta)) ** arb(alpha)
                if not left > right:
                    return undecided(f"not proved at K = {K}, alpha = {alpha}, and no failure at beta = {beta}")
                return fails({"K": K, "alpha": alpha, "beta": beta, "left": left, "right": right})
    if smallest_K >= 2:
        return holds(Evidence.CERTIFIED, factor_times_log_K_to_alpha=values)
    return holds_only(
        "K = 2, 3, 4; and K = 1 where (1-beta)^alpha >= 1/5",
        Evidence.CERTIFIED,
        {"K": 1, "alpha": 1, "beta": fmpq(5, 6), "left": 6, "right": 5},
        reason="""(log K)^alpha is monotone in alpha, so its two ends decide: 5 (log K)^alpha >= K for K = 2, 3, 4, and
        the inequality holds without its first 5.""",
        factor_times_log_K_to_alpha=values,
    )

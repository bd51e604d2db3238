"""What Lemma `concentration` draws from event `conc:H`: the step t_k at most tau_k, and L_{k-1} at most L_K."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.horizons.steps import SECTION, constant, expression_of_product, largest_length
from proofs_checks.computations.symbolic import nonnegative_above
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import Exact, rational, sympy_rational
from theory.certified import Truth, at_most, less

SMALL_TRIPLES = [
    (K, k, beta)
    for K in range(2, 9)
    for k in range(2, K + 1)
    for beta in (fmpq(1, 2), fmpq(1, 3), fmpq(2, 3), fmpq(4, 5), fmpq(9, 10), fmpq(99, 100))
]


@claim(
    "conc:tau",
    section=SECTION,
    statement="""On event E^H of episode k, the first step t_k = 1 + H_1 + ... + H_{k-1} of the episode is at most
    tau_k = (k-1) log(K(k-1))/(1-beta).""",
    domain="2 <= k <= K, 0 <= beta < 1",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"tau_k + 1/2": {"offset": fmpq(1, 2)}},
    controls={"tau_k + 1": {"offset": 1}},
)
def first_step_at_most_tau(book: Book, offset: Exact = 0) -> Finding:
    """Compare the largest t_k that the event allows, all H_i = floor(log(K(k-1))/(1-beta)), with tau_k + offset."""
    shift = rational(offset)
    for K, k, beta in SMALL_TRIPLES:
        longest = largest_length(K, k, beta)
        first_step = 1 + (k - 1) * longest
        bound = expression_of_product(K, k, beta, factor=k - 1, added=shift)
        if longest >= 1 and less(bound, constant(first_step)) is Truth.YES:
            return fails(
                {"K": K, "k": k, "beta": beta, "H_i of the event": longest, "t_k": first_step, "bound": bound()},
                reason="""In general t_k can reach 1 + (k-1) floor(x), x = log(K(k-1))/(1-beta), so the bound holds
                exactly where (k-1)(x - floor(x)) >= 1 or floor(x) = 0; never for k = 2 with floor(x) >= 1.""",
            )
    number, each, less_long = sympy.symbols("number each less_long")  # k-1 lengths, each the bound less something
    first_step_ = 1 + number * (each - less_long)
    added = sympy_rational(shift)
    if not nonnegative_above(number * each + added - first_step_, {number: 1, each: 0, less_long: 0}):
        return undecided("the argument needs tau_k + 1")
    return holds(Evidence.PROOF, reason="t_k - 1 is a sum of k-1 lengths, each at most log(K(k-1))/(1-beta).")


@claim(
    "conc:tau/repair",
    section=SECTION,
    statement="""On event E^H of episode k, t_k <= tau_k + 1; so fewer than tau_k + 1 activations, and at most tau_k,
    precede the episode.""",
    domain="2 <= k <= K, 0 <= beta < 1; and with any other bound on the lengths in E^H and tau_k alike",
    evidence=Evidence.PROOF,
    mutants={"tau_k + 1/2": {"offset": fmpq(1, 2)}},
    repairs=("conc:tau",),
)
def first_step_at_most_tau_plus_one(book: Book, offset: Exact = 1) -> Finding:
    return first_step_at_most_tau(book, offset)


@claim(
    "cited:lindemann",
    section="Results from the literature",
    statement="The natural logarithm of an integer from 2 on is irrational.",
    domain="integers m >= 2 (Lindemann 1882; for logarithms Lambert 1761)",
    evidence=Evidence.CITED,
    mutants={"m = 1 too": {"least": 1}},
)
def logarithms_are_irrational(book: Book, least: int = 2) -> Finding:
    """Try it: no fraction with a denominator of at most 200 is the logarithm of an integer up to 40."""
    for m, q in product(range(least, 41), range(1, 201)):
        if (arb(m).log() * q).contains_integer():
            return fails({"m": m, "log m times": q, "is an integer": (arb(m).log() * q)})
    return holds(Evidence.CITED, instances=(41 - least) * 200)


@claim(
    "conc:tau/counts",
    section=SECTION,
    statement="On event E^H of episode k, every state has been activated fewer than tau_k times: N_{k-1} < tau_k.",
    domain="2 <= k <= K, 0 <= beta < 1 real",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"N_{k-1} < tau_k - 1": {"offset": -1}},
    controls={"N_{k-1} <= tau_k": {"strict": False}},
)
def counts_below_tau(book: Book, offset: int = 0, strict: bool = True) -> Finding:
    """N_{k-1} is at most (k-1) floor(x), x = log(K(k-1))/(1-beta); equal to tau_k exactly where x is an integer."""
    for K, k, beta in SMALL_TRIPLES:
        count = (k - 1) * largest_length(K, k, beta)
        bound = expression_of_product(K, k, beta, factor=k - 1, added=offset)
        if count and less(bound, constant(count)) is Truth.YES:
            return fails({"K": K, "k": k, "beta": beta, "N": count, "bound": bound(), "offset": offset})
    number, whole, part = sympy.symbols("number whole part")  # x = whole + part, whole its integer part
    slack = sympy.expand(number * (whole + part) - number * whole)  # tau_k less the largest count
    if slack != number * part or not book.stands("conc:tau/repair"):
        return undecided("tau_k - (k-1) floor(x) is not k-1 times the fractional part of x")
    if not strict:
        return holds(Evidence.PROOF, reason="N_{k-1} <= t_k - 1, a sum of k-1 lengths of the event.")
    if not book.stands("cited:lindemann"):
        return undecided("the irrationality of logarithms is not at hand")
    return holds_only(
        "log(K(k-1))/(1-beta) is not an integer; in particular every rational beta",
        Evidence.PROOF,
        {"n": 1, "S": 1, "K": 2, "k": 2, "beta": "1 - log 2", "H_1 = N_1": 1, "tau_2 = log(2)/(1-beta)": 1},
        reason="""tau_k exceeds the largest count by k-1 times the fractional part of log(K(k-1))/(1-beta). The
        logarithm of an integer from 2 on is irrational (Lindemann), and stays so divided by a rational.""",
    )


def _larger_logarithm(K: int, k: int, least: fmpq) -> Callable[[], arb]:
    product = K * (k - 1)
    if least > 0 and less(lambda: arb(product).log(), constant(least)) is Truth.YES:
        return constant((k - 1) * least)
    return partial(_multiple_of_log, fmpq(k - 1), product)


def _multiple_of_log(factor: fmpq, product: int) -> arb:
    return factor * arb(product).log()


def _log_factors(factor: Exact, least_log: Exact, argument: bool) -> Finding | None:
    """Return the failure of (k-1) max(least_log, log(K(k-1))) <= factor K log K, or None if it is proved."""
    bound, least = rational(factor), rational(least_log)
    for K in (*range(2, 13), 100, 10**6):
        for k in {2, K // 2 + 1, K, K + 1} if K > 2 else {2, 3}:
            if k == K + 1 and least > 0:
                continue

            if k == K + 1:  # K log(K^2) against factor * K log K
                if bound < 2:
                    return fails({"K": K, "k": k, "left / (K log K)": 2, "factor": bound})
                continue
            left = _larger_logarithm(K, k, least)
            right = partial(_multiple_of_log, bound * K, K)
            if at_most(left, right) is not Truth.YES:
                return fails({"K": K, "k": k, "left": left(), "factor * K log K": right()})
    return None if argument else undecided("the argument needs the factor 2")


@claim(
    "conc:L",
    section=SECTION,
    statement="""L_{k-1} <= L_K, with L_{k-1}^2 = 2 log(2SnK(k-1) log(K(k-1))/(1-beta)) and
    L_K^2 = 2 log(4SnK^2 log K/(1-beta)).""",
    domain="1 <= k <= K (k = K+1 as well, where L_k <= L_K is used), S, n >= 1, 0 <= beta < 1",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"3 in place of 4 in L_K": {"factor": fmpq(3, 2)}},
    controls={"k >= 2": {"from_k": 2}},
)
def log_factor_grows(book: Book, factor: Exact = 2, from_k: int = 1) -> Finding:
    """S, n and the discount cancel: what is left is (k-1) log(K(k-1)) <= 2 K log K."""
    K, ratio = sympy.symbols("K ratio", positive=True)
    # K log K^2 = 2 K log K is attained at k-1 = K; x log(Kx) increases for x >= 1: its derivative is log(Kx) + 1
    at_the_end = sympy.simplify(sympy.expand_log(K * sympy.log(K**2) - 2 * K * sympy.log(K))) == 0
    slope = sympy.simplify(sympy.diff(ratio * sympy.log(K * ratio), ratio) - sympy.log(K * ratio) - 1) == 0
    failure = _log_factors(factor, 0, at_the_end and slope and rational(factor) >= 2)
    if failure:
        return failure
    why = "(k-1) log(K(k-1)) increases in k and equals 2 K log K at k = K+1; S, n and beta cancel."
    if from_k >= 2:
        return holds(Evidence.PROOF, reason=why)
    return holds_only(
        "K >= 2, 2 <= k <= K+1, with equality at k = K+1; both logarithms are then those of numbers above 1",
        Evidence.PROOF,
        {"k": 1, "L_0^2": "2 log(2SnK * 0 * log 0 / (1-beta))", "K": 1, "L_1^2": "2 log(4Sn * log 1 / (1-beta)), of 0"},
        reason=why,
    )


@claim(
    "conc:L/repair",
    section=SECTION,
    statement="""L_{k-1} <= L_K still, when log(K(k-1)) is replaced by max{2, log(K(k-1))} in E^H, in tau_k and so in
    L_{k-1}, and L_K stays as printed.""",
    domain="K >= 2, 2 <= k <= K, S, n >= 1, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"max{3, log(K(k-1))}": {"least_log": 3}, "3 in place of 4 in L_K": {"factor": fmpq(3, 2)}},
    repairs=("conc:L",),
)
def log_factor_of_the_repaired_event(book: Book, least_log: Exact = 2, factor: Exact = 2) -> Finding:
    plain = book.finding("conc:L")
    failure = _log_factors(factor, least_log, plain.stands)
    small = at_most(lambda: arb(rational(least_log)), lambda: rational(factor) * 2 * arb(2).log())
    # K >= 3: (k-1) least <= K least <= factor K log K, once least <= factor log 3
    larger = at_most(lambda: arb(rational(least_log)), lambda: rational(factor) * arb(3).log())
    if failure or small.both(larger) is not Truth.YES:
        return failure or fails({"K": 2, "k": 2, "least_log": rational(least_log)})
    return holds(
        Evidence.PROOF,
        reason="""By `conc:L` where the logarithm is at least 2; otherwise 2(k-1) <= 2K log K, since k-1 < K and, for
        K >= 3, log K >= log 3 > 1; for K = 2, k = 2 it is 2 <= 4 log 2.""",
        four_log_two=4 * arb(2).log(),
    )

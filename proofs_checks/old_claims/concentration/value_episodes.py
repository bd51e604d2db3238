"""Event E^V (Lemma `concentration`) with its radius as printed: two more bounds on P(not E^V).

For long episodes the union over l becomes one over blocks of l; for few steps, one over the arm states that are met.
"""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.concentration.value_event import SECTION
from proofs_checks.claims.concentration.value_probability import EVERYWHERE, FUNCTIONS, STEPS, refuted_by_values
from proofs_checks.computations import union_sums
from proofs_checks.computations.comparisons import certain
from proofs_checks.ledger import Book, Evidence, Finding, claim, fails, holds, undecided
from theory import ONE, sympy_rational
from theory.certified import at_most, enclosure, maximal_deviation
from theory.paper import log_factor, tau

HALF = fmpq(1, 2)


@claim(
    "cited:hoeffding-maximal",
    section="Results from the literature",
    statement="""Hoeffding's maximal inequality: the centred sum of independent variables in an interval of length w
    reaches t at some l <= m with probability at most exp(-2 t^2/(m w^2)).""",
    domain="m >= 1, t > 0 (Hoeffding 1963, equation 2.17)",
    evidence=Evidence.CITED,
    mutants={"exponent 4 in place of 2": {"factor": 4}},
)
def hoeffding_maximal(book: Book, factor: int = 2) -> Finding:
    """Try it on Bernoulli variables, exactly."""
    tried = 0
    for trials, mean, height in product((1, 2, 5, 20), (HALF, fmpq(1, 5)), (HALF, ONE, fmpq(3), fmpq(5))):
        tried += 1
        reached = maximal_deviation(trials, mean, height)
        if not certain(at_most(partial(arb, reached), arb(-factor * height**2 / trials).exp)):
            return fails({"m": trials, "mean": mean, "t": height, "exact probability": reached})
    return holds(Evidence.CITED, instances=tried)


@claim(
    "conc:V/long-episodes",
    section=SECTION,
    statement="""With the radius of E^V as printed, Lambda = log(2SnK tau_k) and mu = (k-1)/(1-beta), P(not
    E^V_{k-1}) <= F e (1 + Lambda log(1 + 2 mu/Lambda))/(K tau_k). So for any S, n, K, k the printed 2/K
    holds from some beta < 1 on: for S = 3, n = 2, K = 3, k = 2, at beta = 199/200.""",
    domain=EVERYWHERE,
    evidence=Evidence.PROOF,
    mutants={"radius a sixteenth": {"scale": fmpq(1, 16)}, "at beta = 9/10": {"beta": fmpq(9, 10)}},
    repairs=("conc:V", "conc:V/union"),
)
def values_long_episodes(book: Book, scale: fmpq = ONE, beta: fmpq = fmpq(199, 200)) -> Finding:
    if refuted := refuted_by_values(scale, 1, 2):
        return fails(refuted)

    def bound() -> arb:
        logarithm = log_factor(3, 2, 3, 2, beta) ** 2 / 2
        return 3 * arb(1).exp() * (1 + logarithm * (1 + 2 / (1 - arb(beta)) / logarithm).log()) / (3 * tau(3, 2, beta))

    if not certain(at_most(bound, lambda: arb(fmpq(2, 3)))):
        return fails({"S, n, K, k, beta": (3, 2, 3, 2, beta), "the bound": enclosure(bound), "2/K": fmpq(2, 3)})
    if not (_blocks(scale) and book.stands("cited:hoeffding-maximal", *STEPS)):
        return undecided("a symbolic step does not come out, or an entry that it rests on does not stand")
    return holds(
        Evidence.PROOF,
        reason=(
            "up to l = Lambda/2 the radius is at least the range; cover (Lambda/2, m] by blocks (a, ra] "
            "with r = Lambda/(Lambda-1) (Lambda > 1 by conc:domain, as 4 log 2 > e): a violation in one "
            "makes the centred sum reach w sqrt(a Lambda/2) by ra, with probability at most 2 "
            "exp(-(Lambda - 1)) = 2e/(2SnK tau_k); log r >= 1/Lambda, so there are at most 1 + Lambda "
            "log(2m/Lambda) of them; m = t_k - 1, which no reward or move influences, has mean mu, and the logarithm "
            "is concave. As 1/(1-beta) grows, (Lambda mu)^(1/2)/tau_k, which bounds it up to a factor, tends to 0"
        ),
        bound=enclosure(bound),
    )


def _blocks(scale: fmpq) -> bool:
    """Check each quantity of the argument by blocks, for a radius multiplied by `scale`."""
    L, more, a, m, w, x = sympy.symbols("Lambda more a m w x", positive=True)
    factor = sympy_rational(scale)
    ratio = L / (L - 1)

    def square(draws: Any) -> Any:  # of what the centred sum must exceed at l = draws
        return (factor * w) ** 2 * draws * L / 2

    within_range = sympy.simplify(square(L / 2 - x).subs(w, 1) - (L / 2 - x) ** 2)  # >= 0 for 0 < x < L/2
    impossible = sympy.simplify(within_range - x * (L / 2 - x)) == 0
    exponent = sympy.simplify(2 * square(a) / (ratio * a * w**2)) - (L - 1)
    tail = sympy.simplify(2 * sympy.exp(1 - L) - 2 * sympy.E / sympy.exp(L)) == 0
    # log r - 1/Lambda, at Lambda = 1 + more: falls to its limit 0
    slope = sympy.diff(sympy.log(ratio) - 1 / L, L).subs(L, 1 + more)
    at_least = sympy.simplify(slope).is_negative is True and sympy.limit(sympy.log(ratio) - 1 / L, L, sympy.oo) == 0
    concave = sympy.simplify(sympy.diff(sympy.log(1 + 2 * m / L), m, 2)).is_negative is True
    # log(1 + y) <= sqrt y at y = z^2, from 0 on: so Lambda log(1 + 2 mu/Lambda) <= sqrt(2 mu Lambda)
    z, c, q = sympy.symbols("z c q", positive=True)
    gap = sympy.simplify(sympy.diff(z - sympy.log(1 + z**2), z) - (z - 1) ** 2 / (1 + z**2)) == 0
    vanishing = sympy.limit(sympy.sqrt(c * x * sympy.log(q * x)) / x, x, sympy.oo) == 0
    return impossible and sympy.simplify(exponent) == 0 and tail and at_least and concave and gap and vanishing


@claim(
    "conc:V/few-steps",
    section=SECTION,
    statement="""With the radius of E^V as printed, P(not E^V_{k-1}) <= F (k-1+beta)/((1-beta) nSK log(K(k-1))). So
    the printed 2/K holds, for any S, where (k-1+beta)/(1-beta) <= 2n log(K(k-1)): for n = 2, K = 3, k =
    2, at every beta <= 5/8.""",
    domain=EVERYWHERE,
    evidence=Evidence.PROOF,
    mutants={"radius a sixteenth": {"scale": fmpq(1, 16)}, "up to beta = 2/3": {"beta": fmpq(2, 3)}},
    repairs=("conc:V", "conc:V/union"),
)
def values_few_steps(book: Book, scale: fmpq = ONE, beta: fmpq = fmpq(5, 8)) -> Finding:
    if refuted := refuted_by_values(scale, 1, 2):
        return fails(refuted)
    steps = (1 + beta) / (1 - beta)  # increasing in beta
    if not certain(at_most(partial(arb, steps), lambda: 4 * arb(3).log())):
        return fails({"n, K, k, beta": (2, 3, 2, beta), "(1+beta)/(1-beta)": steps, "2n log K": "4 log 3 = 4.39..."})
    b, k = sympy.symbols("beta k", positive=True)
    S, n, K, log = union_sums.S, union_sums.n, union_sums.K, union_sums.log
    mean = 1 / (1 - b)
    second = sympy.simplify((1 - b) * sympy.diff(b * sympy.diff(1 / (1 - b), b), b))  # sum of h^2 beta^(h-1) (1-beta)
    square = (k - 1) * second + (k - 1) * (k - 2) * mean**2  # E[(t_k - 1)^2]
    total = S * square / (S * n * K * (k - 1) * log / (1 - b))  # F = S
    printed = S * (k - 1 + b) / ((1 - b) * n * S * K * log)
    # given T = t_k - 1, T new arm states with T values of l each, and F functions
    term = union_sums.union_ratio(1, FUNCTIONS * union_sums.mean_bound(scale=scale), FUNCTIONS / (S * n * K), states=1)
    counted = sympy.simplify(term * union_sums.tau - 1) == 0 and sympy.simplify(total - printed) == 0
    if not (counted and book.stands(*STEPS)):
        return undecided("the sum is not what is claimed, or an entry that it rests on does not stand")
    return holds(
        Evidence.PROOF,
        reason=(
            "given H_1, ..., H_{k-1}, play lasts T = t_k - 1 steps and meets at most T arm states; which "
            "one is the i-th new one is a function of what the others yield and of the algorithm's own choices, "
            "independent of the sequence of rewards and moves that this one holds; so it has a violation at "
            "some l <= T with probability at most F T/(SnK tau_k); the union over i <= T gives F T^2/(SnK "
            "tau_k), and E[T^2] = (k-1)(k-1+beta)/(1-beta)^2"
        ),
    )

"""The probability of event E^V (Lemma `concentration`): where the printed bound holds, and three that hold throughout.

As in `concentration`, nothing here goes through E^H.
"""

from __future__ import annotations

from functools import partial
from itertools import product

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.comparisons import certain, is_less
from proofs_checks.claims.value_event import SECTION, constant_states
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, decide, fails, holds, holds_only
from theory import Arm, Bandit
from theory.certified import at_most, enclosure, log_factor, tau
from theory.certified.tails import geometric_probability, maximal_deviation, transition_count_law
from theory.rationals import ONE, ZERO
from theory.stopping import expectation
from theory.values import optimal_value

HALF = fmpq(1, 2)
EVERYWHERE = """2 <= k <= K, 0 <= k' <= k-1; all S, n, beta in [0, 1); r-hat := 1/2 and Q-hat a probability row
where N = 0"""

EXAMPLE = Bandit([Arm([1, 0], [[HALF, HALF], [fmpq(1, 5), fmpq(4, 5)]]), constant_states([0, HALF])], HALF)


def failure_of_values(K: int, scale: fmpq, factor: int, main_text: bool = False, longest: int = 7) -> fmpq:
    """Return a lower bound of P(not E^V_1): arm 1 of `EXAMPLE` is played throughout episode 1, k = 2.

    The radius is `scale` times sqrt(log(2SnK z * factor)/(2N))/(1-beta) with z = tau_2, or t_2 in the main text;
    rewards are deterministic.
    """
    rows, beta = EXAMPLE.arms[0].transitions, EXAMPLE.discount
    optimum = optimal_value(EXAMPLE).values
    probability = ZERO
    for horizon in range(1, longest + 1):
        for counts, p in transition_count_law(rows, [ONE, ZERO], [horizon]).items():
            worst = ZERO  # the largest N * deviation^2
            for (x, row), other in ((pair, b) for pair in enumerate(counts) for b in range(2)):
                if visits := sum(row):
                    values = [optimum[y, other] for y in range(2)]
                    mean = expectation([fmpq(count, visits) for count in row], values)
                    worst = max(worst, visits * (beta * (mean - expectation(rows[x], values))) ** 2)
            time = horizon + 1 if main_text else None
            if _beyond(K, factor, worst / (scale / (1 - beta)) ** 2, time):
                probability += geometric_probability([horizon], beta) * p
    return probability


def _beyond(K: int, factor: int, square: fmpq, time: int | None) -> bool:
    """Return whether log(2SnK z * factor)/2 < square, for the sizes of `EXAMPLE`; z is tau_2 where no time is given."""

    def logarithm() -> arb:
        return arb(8 * K * time * factor).log() if time else log_factor(2 * factor, 2, K, 2, HALF) ** 2 / 2

    return square > 0 and is_less(logarithm, lambda: 2 * arb(square))


def _refuted(scale: fmpq, factor: int, numerator: int, main_text: bool = False) -> dict[str, object] | None:
    for K in (3, 5):
        probability = failure_of_values(K, scale, factor, main_text)
        bound = partial(arb, fmpq(numerator, K)) if main_text else partial(_sharp, numerator, K)
        if not certain(at_most(partial(arb, probability), bound)):
            return {"model": EXAMPLE, "K, k": (K, 2), "P(not E^V) at least": probability, "claimed": enclosure(bound)}
    return None


def _sharp(numerator: int, K: int) -> arb:
    return numerator / (K * arb(K).log())


STEPS = ("conc:mean-steps", "conc:V/range", "conc:V/functions", "def:estimators/no-visit/repair", "conc:domain")


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
    if refuted := _refuted(scale, 1, 2):
        return fails(refuted)

    def bound() -> arb:
        logarithm = log_factor(3, 2, 3, 2, beta) ** 2 / 2
        return 3 * arb(1).exp() * (1 + logarithm * (1 + 2 / (1 - arb(beta)) / logarithm).log()) / (3 * tau(3, 2, beta))

    if not certain(at_most(bound, lambda: arb(fmpq(2, 3)))):
        return fails({"S, n, K, k, beta": (3, 2, 3, 2, beta), "the bound": enclosure(bound), "2/K": fmpq(2, 3)})
    L, at = sympy.symbols("Lambda a", positive=True)
    ratio = L / (L - 1)
    exponent = sympy.simplify(2 * (at * L / 2) / (at * ratio))  # 2 t^2/(m w^2) with t^2 = w^2 a Lambda/2, m <= ratio a
    steps = exponent == L - 1 and book.stands("cited:hoeffding-maximal", "conc:domain", *STEPS)
    return decide(
        steps,
        Evidence.PROOF,
        reason=(
            "up to l = Lambda/2 the radius is at least the range; cover (Lambda/2, m] by blocks (a, ra] "
            "with r = Lambda/(Lambda-1) (Lambda > 1 by conc:domain, as 4 log 2 > e): a violation in one "
            "makes the centred sum reach w sqrt(a Lambda/2) by ra, with probability at most 2 "
            "exp(-(Lambda - 1)) = 2e/(2SnK tau_k); log r >= 1/Lambda, so there are at most 1 + Lambda "
            "log(2m/Lambda) of them; m = t_k - 1 has mean mu, and the logarithm is concave"
        ),
        bound=enclosure(bound),
    )


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
    if refuted := _refuted(scale, 1, 2):
        return fails(refuted)
    steps = (1 + beta) / (1 - beta)  # increasing in beta
    if not certain(at_most(partial(arb, steps), lambda: 4 * arb(3).log())):
        return fails({"n, K, k, beta": (2, 3, 2, beta), "(1+beta)/(1-beta)": steps, "2n log K": "4 log 3 = 4.39..."})
    b, k, S, n, K, log = sympy.symbols("beta k S n K log", positive=True)
    mean = 1 / (1 - b)
    second = sympy.simplify((1 - b) * sympy.diff(b * sympy.diff(1 / (1 - b), b), b))  # sum of h^2 beta^(h-1) (1-beta)
    square = (k - 1) * second + (k - 1) * (k - 2) * mean**2  # E[(t_k - 1)^2]
    total = S * square / (S * n * K * (k - 1) * log / (1 - b))  # F = S
    printed = S * (k - 1 + b) / ((1 - b) * n * S * K * log)
    return decide(
        sympy.simplify(total - printed) == 0 and book.stands(*STEPS),
        Evidence.PROOF,
        reason=(
            "given H_1, ..., H_{k-1}, play lasts T = t_k - 1 steps and meets at most T arm states; which "
            "one is the i-th new one is settled before anything that it yields, so it has a violation at "
            "some l <= T with probability at most F T/(SnK tau_k); the union over i <= T gives F T^2/(SnK "
            "tau_k), and E[T^2] = (k-1)(k-1+beta)/(1-beta)^2"
        ),
    )


@claim(
    "conc:V",
    section=SECTION,
    statement="P(not E^V_{k-1}) <= 2/K.",
    domain="1 <= k <= K, 0 <= k' <= k-1; all S, n, beta in [0, 1); estimates 0 where N = 0",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"radius a sixteenth": {"scale": fmpq(1, 16)}},
    controls={"k >= 2, k' >= 1, S <= 2": {"edges": False}},
)
def values(book: Book, edges: bool = True, scale: fmpq = ONE) -> Finding:
    if refuted := _refuted(scale, 1, 2):
        return fails(refuted)
    # K = 2 claims nothing; from K = 3 on, F/log(K(k-1)) <= 2 for F <= 2; N = 0 at k' >= 1 needs Sn >= 2, where L >= 2
    two_functions = certain(at_most(lambda: arb(1), lambda: arb(3).log()))
    unvisited = certain(at_most(lambda: arb(2), lambda: log_factor(2, 1, 3, 2, 0)))
    if not (
        two_functions
        and unvisited
        and book.stands("conc:V/repair-probability", "conc:V/few-steps", "conc:V/long-episodes")
    ):
        return fails({"steps": "one of those it rests on does not stand"})
    remark = (
        "from conc:V/repair-probability, with F = 1 function where n = 1 or S = 1 and F = S otherwise, from "
        "conc:V/few-steps and from conc:V/long-episodes; elsewhere the statement is neither proved nor refuted: its "
        "printed proof counts nS functions, and that is a gap for n, S >= 2"
    )
    if not edges:
        return holds(Evidence.PROOF, reason=remark)
    return holds_only(
        "2 <= k <= K, 1 <= k' <= k-1, and: n = 1, or S <= 2, or K = 2, or K(k-1) >= e^(S/2), or (k-1+beta)/(1-beta) "
        "<= 2n log(K(k-1)), or tau_k so large that S e (1 + Lambda log(1 + 2(k-1)/((1-beta) Lambda))) <= 2 tau_k, with "
        "Lambda = log(2SnK tau_k)",
        Evidence.PROOF,
        {
            "k = 1": "L_0 = sqrt(2 log(2SnK * 0 * log 0)) is not defined",
            "k' = 0": "S = n = 1, K = 3, k = 2, beta = 0, r = 1, N_0 = 0, r-hat_0 = 0: E^V never happens, and 1 > 2/3",
        },
        reason=remark,
    )


@claim(
    "conc:V/repair-logarithm",
    section=SECTION,
    statement="""With log(2S^2 nK tau_k) in place of log(2SnK tau_k) in the radius of E^V, P(not E^V_{k-1}) <= 1/(K
    log(K(k-1))), so at most 2/K, for every number of arms and states.""",
    domain=EVERYWHERE,
    evidence=Evidence.PROOF,
    mutants={"radius a sixteenth": {"scale": fmpq(1, 16)}},
    repairs=("conc:V", "conc:V/union"),
)
def values_larger_logarithm(book: Book, scale: fmpq = ONE) -> Finding:
    if refuted := _refuted(scale, 2, 1):
        return fails(refuted)
    q, S = sympy.symbols("q S", positive=True)  # q = 2SnK tau_k
    one_term = sympy.simplify(S * 2 * sympy.exp(-sympy.log(q * S)) - 2 / q)
    return decide(
        one_term == 0 and book.stands(*STEPS),
        Evidence.PROOF,
        reason="S functions, each with the bound 1/(S * SnK tau_k); then the mean over t_k of conc:mean-steps",
    )


@claim(
    "conc:V/repair-probability",
    section=SECTION,
    statement="""With the radius of E^V as printed, P(not E^V_{k-1}) <= F/(K log(K(k-1))) with F = 1 where n = 1 or S
    = 1, and F = S otherwise; so at most S/K for K >= 3.""",
    domain=EVERYWHERE,
    evidence=Evidence.PROOF,
    mutants={"radius a sixteenth": {"scale": fmpq(1, 16)}},
    repairs=("conc:V", "conc:V/union"),
)
def values_larger_probability(book: Book, scale: fmpq = ONE) -> Finding:
    if refuted := _refuted(scale, 1, 2):
        return fails(refuted)
    return decide(
        book.stands(*STEPS),
        Evidence.PROOF,
        reason=(
            "the deviation is affine in V*(., x_{-a}), and 0 on constants up to r-hat - r: a mixture of S "
            "functions is within the radius where each is; n = 1 leaves one function (playing for ever), "
            "S = 1 a constant"
        ),
        exact_failure={f"K = {K}, k = 2": failure_of_values(K, ONE, 1) for K in (3, 5)},
    )


@claim(
    "conc:V/repair-main-text",
    section=SECTION,
    statement="""With the main text's bonus sqrt(log(2SnK t_k)/(2N))/(1-beta) as the radius of E^V, the event fails
    with probability less than F/K (F = 1 where n = 1 or S = 1, and F = S otherwise); with log(2S^2 nK
    t_k), less than 1/K. k = 1 is no exception.""",
    domain="1 <= k <= K, N >= 1; all S, n, beta in [0, 1)",
    evidence=Evidence.PROOF,
    mutants={"radius a sixteenth": {"scale": fmpq(1, 16)}},
    repairs=("conc:V", "conc:V/union"),
)
def values_main_text(book: Book, scale: fmpq = ONE) -> Finding:
    for factor, numerator in ((1, 2), (2, 1)):
        if refuted := _refuted(scale, factor, numerator, main_text=True):
            return fails(refuted)
    S, n, K, t = sympy.symbols("S n K t", positive=True)
    terms = S * n * (t - 1) * S * 2  # arm states, values of l, functions, two sides
    printed = sympy.simplify(terms * sympy.exp(-sympy.log(2 * S * n * K * t)) - S * (t - 1) / (t * K))
    larger = sympy.simplify(terms * sympy.exp(-sympy.log(2 * S**2 * n * K * t)) - (t - 1) / (t * K))
    return decide(
        printed == 0 and larger == 0 and book.stands("conc:V/range", "conc:V/functions"),
        Evidence.PROOF,
        reason="given H_1, ..., H_{k-1}, t_k is a number and N <= t_k - 1; (t_k - 1)/t_k < 1",
    )

"""The probability of event E^V (Lemma `concentration`): where the printed bound holds, and three that hold throughout.

Two more bounds for the radius as printed, for few steps and for long episodes, are in `value_episodes`.

As in `concentration`, nothing here goes through E^H.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.concentration.value_event import SECTION, constant_states
from proofs_checks.computations import union_sums
from proofs_checks.computations.comparisons import certain, is_less
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import ONE, ZERO, Arm, Bandit, expectation
from theory.certified import at_most, enclosure, geometric_probability, transition_count_law
from theory.paper import log_factor
from theory.values import optimal_value

HALF = fmpq(1, 2)
EVERYWHERE = """2 <= k <= K, 0 <= k' <= k-1; all S, n, beta in [0, 1); r-hat := 1/2 and Q-hat a probability row
where N = 0"""

EXAMPLE = Bandit(
    [Arm(rewards=[1, 0], transitions=[[HALF, HALF], [fmpq(1, 5), fmpq(4, 5)]]), constant_states([0, HALF])], HALF
)


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


def refuted_by_values(scale: fmpq, factor: int, numerator: int, main_text: bool = False) -> dict[str, object] | None:
    """Return a case where P(not E^V) is certainly above the bound: numerator/K, over log K but for the main text."""
    for K in (3, 5):
        probability = failure_of_values(K, scale, factor, main_text)
        bound = partial(arb, fmpq(numerator, K)) if main_text else partial(_sharp, numerator, K)
        if not certain(at_most(partial(arb, probability), bound)):
            return {"model": EXAMPLE, "K, k": (K, 2), "P(not E^V) at least": probability, "claimed": enclosure(bound)}
    return None


def _sharp(numerator: int, K: int) -> arb:
    return numerator / (K * arb(K).log())


FUNCTIONS = sympy.symbols("F", positive=True)


def expected_union(scale: fmpq, functions: Any, factor: Any, claimed: Any) -> bool:
    """Return whether the union over arm states, l < t_k and functions has an expectation of at most `claimed`.

    The radius is `scale` times sqrt(log(2SnK tau_k * factor)/(2l))/(1-beta).
    """
    bound = functions * union_sums.mean_bound(scale=scale, factor=factor)
    return union_sums.at_most_one(union_sums.union_ratio(union_sums.MEAN_STEPS, bound, claimed))


STEPS = ("conc:mean-steps", "conc:V/range", "conc:V/functions", "def:estimators/no-visit/repair", "conc:domain")


@claim(
    "conc:V",
    section=SECTION,
    statement="P(not E^V_{k-1}) <= 2/K.",
    domain="1 <= k <= K, 0 <= k' <= k-1; all S, n, beta in [0, 1); estimates 0 where N = 0",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"radius a sixteenth": {"scale": fmpq(1, 16)}},
    controls={"k >= 2, k' >= 1, S <= 3": {"edges": False}},
)
def values(book: Book, edges: bool = True, scale: fmpq = ONE) -> Finding:
    if refuted := refuted_by_values(scale, 1, 2):
        return fails(refuted)
    # K = 2 claims nothing; from K = 3 on, F/log(K(k-1)) <= 2 for F <= 2; N = 0 at k' >= 1 needs Sn >= 2, where L >= 2
    two_functions = certain(at_most(lambda: arb(1), lambda: arb(3).log()))
    unvisited = certain(at_most(lambda: arb(2), lambda: log_factor(2, 1, 3, 2, 0)))
    if not (
        union_sums.log_argument_increases()
        and two_functions
        and unvisited
        and book.stands("conc:V/repair-probability", "conc:V/three-states", "conc:V/few-steps", "conc:V/long-episodes")
    ):
        return undecided("one of the entries that it rests on does not stand")
    remark = (
        "from conc:V/repair-probability, with F = 1 function where n = 1 or S = 1 and F = S otherwise, from "
        "conc:V/three-states, conc:V/few-steps and from conc:V/long-episodes; elsewhere the statement is neither "
        "proved nor refuted: its printed proof counts nS functions, and that is a gap in the proof for n, S >= 2"
    )
    if not edges:
        return holds(Evidence.PROOF, reason=remark)
    return holds_only(
        "2 <= k <= K, 1 <= k' <= k-1, and: n = 1, or S <= 3, or K = 2, or K(k-1) >= e^(S/2), or (k-1+beta)/(1-beta) "
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
    if refuted := refuted_by_values(scale, 2, 1):
        return fails(refuted)
    S, K, log = union_sums.S, union_sums.K, union_sums.log
    if not (expected_union(scale, S, S, 1 / (K * log)) and book.stands(*STEPS)):
        return undecided("the expected sum is not what is claimed, or an entry that it rests on does not stand")
    return holds(
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
    if refuted := refuted_by_values(scale, 1, 2):
        return fails(refuted)
    claimed = FUNCTIONS / (union_sums.K * union_sums.log)
    if not (expected_union(scale, FUNCTIONS, 1, claimed) and _affine() and book.stands(*STEPS)):
        return undecided("the expected sum is not what is claimed, or an entry that it rests on does not stand")
    return holds(
        Evidence.PROOF,
        reason=(
            "the deviation is affine in V*(., x_{-a}), and 0 on constants up to r-hat - r: a mixture of S "
            "functions is within the radius where each is; n = 1 leaves one function (playing for ever), "
            "S = 1 a constant"
        ),
        exact_failure={f"K = {K}, k = 2": failure_of_values(K, ONE, 1) for K in (3, 5)},
    )


def _affine() -> bool:
    """Check, on rows over two states, that a deviation with w f + (1-w) g + c is that mixture of two deviations."""
    reward, beta, w, c, p, q, f0, f1, g0, g1 = sympy.symbols("reward beta w c p q f0 f1 g0 g1")

    def deviation(values: tuple[Any, Any]) -> Any:  # estimated row (p, 1-p), true row (q, 1-q)
        return reward + beta * ((p - q) * values[0] + ((1 - p) - (1 - q)) * values[1])

    mixed = (w * f0 + (1 - w) * g0 + c, w * f1 + (1 - w) * g1 + c)
    return bool(sympy.expand(deviation(mixed) - w * deviation((f0, f1)) - (1 - w) * deviation((g0, g1))) == 0)


@claim(
    "conc:V/three-states",
    section=SECTION,
    statement="""For S <= 3 and any n, with the radius of E^V as printed, P(not E^V_{k-1}) <= 2/K. For the constant
    function among the S, the deviation is that of r-hat, whose range is 1-beta times the one allowed for.""",
    domain=EVERYWHERE.replace("all S, n", "S <= 3, all n"),
    evidence=Evidence.PROOF,
    mutants={"radius a sixteenth": {"scale": fmpq(1, 16)}},
    repairs=("conc:V", "conc:V/union"),
)
def values_three_states(book: Book, scale: fmpq = ONE) -> Finding:
    """Decide S = 3, n >= 2 in the cells where 3 functions are too many: K(k-1) = 3 and K(k-1) = 4."""
    if refuted := refuted_by_values(scale, 1, 2):
        return fails(refuted)
    d, q = sympy.symbols("d q", positive=True)  # 1 - beta; 2SnK tau_k
    of_constant = union_sums.constant_bound(q, d, scale) * q / 2  # as a multiple of the bound 2/q of the others
    exponent = sympy.simplify(sympy.expand_log(sympy.log(of_constant), force=True) / sympy.log(q))
    if sympy.simplify(exponent - (1 - 1 / d**2)) != 0 or sympy.diff(exponent, d).is_positive is not True:
        return undecided(f"the constant function has q^({exponent}) times the bound of the others")
    split = fmpq(1, 5)  # up to this discount by conc:V/few-steps, from it on by 2 + q^(1 - 1/(1-beta)^2) functions
    power = 1 - 1 / (1 - split) ** 2
    decided = [
        certain(at_most(left, right))
        for K, k in ((3, 2), (4, 2))
        for left, right in (
            (partial(arb, (k - 1 + split) / (1 - split)), partial(_multiple_of_log, 4, K * (k - 1))),
            (partial(_functions_from, split, power, K, k), partial(_multiple_of_log, 2, K * (k - 1))),
        )
    ]
    others = [(3, 5), (2, 3)]  # 3 functions from K(k-1) = 5 on; 2 functions from 3 on; K = 2 claims nothing
    decided += [certain(at_most(partial(arb, many), partial(_multiple_of_log, 2, least))) for many, least in others]
    steps = ("conc:V/repair-probability", "conc:V/few-steps", "cited:hoeffding")
    if not (all(decided) and union_sums.log_argument_increases() and book.stands(*steps, *STEPS)):
        return undecided("a comparison does not come out, or an entry that it rests on does not stand")
    return holds(
        Evidence.PROOF,
        reason=(
            "q = 2SnK tau_k: Hoeffding's bound for the constant function is 2 q^(-1/(1-beta)^2), so S functions count "
            "as S - 1 + q^(1 - 1/(1-beta)^2), which falls with beta and n; the least n is 2"
        ),
        functions_at_one_fifth={
            f"K = {K}, k = 2": enclosure(partial(_functions_from, split, power, K, 2)) for K in (3, 4)
        },
    )


def _functions_from(beta: fmpq, power: fmpq, K: int, k: int) -> arb:
    return 2 + (arb(power) * log_factor(3, 2, K, k, beta) ** 2 / 2).exp()


def _multiple_of_log(factor: int, argument: int) -> arb:
    return factor * arb(argument).log()


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
        if refuted := refuted_by_values(scale, factor, numerator, main_text=True):
            return fails(refuted)
    t, S = union_sums.t, union_sums.S
    for functions, inside, claimed in ((FUNCTIONS, 1, FUNCTIONS), (S, S, 1)):
        bound = functions * union_sums.mean_bound(t, scale, inside)
        ratio = union_sums.union_ratio(t - 1, bound, claimed / union_sums.K)
        if not union_sums.at_most_one(ratio):
            return undecided(f"the sum of the bounds, divided by what is claimed, is {ratio}")
    if not book.stands("conc:V/range", "conc:V/functions"):
        return undecided("conc:V/range or conc:V/functions does not stand")
    return holds(
        Evidence.PROOF,
        reason="given H_1, ..., H_{k-1}, t_k is a number and N <= t_k - 1; (t_k - 1)/t_k < 1",
    )

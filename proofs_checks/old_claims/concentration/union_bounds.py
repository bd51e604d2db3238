"""The steps of the proof for events E^r and E^Q (Lemma `concentration`): instances, counts, union bounds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count, product

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.computations import union_sums
from proofs_checks.computations.comparisons import certain, is_less, whole
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, decide, fails, holds, holds_only, undecided
from theory import ZERO
from theory.certified import at_most, binomial_deviation, enclosure, multinomial_deviation
from theory.paper import horizon_bound, log_factor, tau

SECTION = "Lemma concentration: rewards and transitions"
EVERYWHERE = "all S, n, 2 <= k <= K, beta in [0, 1)"
BETAS = (ZERO, fmpq(1, 2), fmpq(9, 10), fmpq(999, 1000))


def cells() -> Iterator[tuple[int, int, fmpq]]:
    """Yield (K, k, beta): the edges, and beyond."""
    for K, beta in product((2, 3, 4, 10, 1000), BETAS):
        for k in sorted({2, 3, K // 2, K}):
            if 2 <= k <= K:
                yield K, k, beta


@claim(
    "conc:domain",
    section=SECTION,
    statement="L_{k-1} = sqrt(2 log(2SnK tau_k)) is a real number.",
    domain="all S, n, 1 <= k <= K, beta in [0, 1)",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"2SnK tau_k divided by 3": {"divisor": 3}},
    controls={"k >= 2": {"first_k": 2}},
)
def domain_of_log(book: Book, first_k: int = 1, divisor: int = 1) -> Finding:
    """Decide it at S = n = 1, K = k = 2, beta = 0, where 2SnK tau_k is least."""

    def argument() -> arb:
        return 4 * arb(2).log() / divisor

    if not union_sums.log_argument_increases():
        return undecided("the smallest cell may not decide")
    if is_less(argument, lambda: arb(1)):
        return fails({"S, n, K, k, beta": (1, 1, 2, 2, 0), "argument of the logarithm": enclosure(argument)})
    remark = "all derivatives of 2SnK (k-1) log(K(k-1))/(1-beta) are >= 0 where K(k-1) >= 1, and 4 log 2 > 1"
    if first_k > 1:
        return holds(Evidence.PROOF, reason=remark)
    return holds_only(
        "2 <= k <= K (so K >= 2), all S, n, beta: there 2SnK tau_k >= 4 log 2 and L_{k-1} >= 1.428",
        Evidence.PROOF,
        {"k": 1, "K(k-1)": 0, "tau_1": "0 * log 0, not defined; if it is read as 0, L_0 is the root of 2 log 0"},
        reason=remark,
    )


# -- Hoeffding's and Weissman's inequalities, as used --------------------------------------------------------------


@claim(
    "conc:r/hoeffding",
    section=SECTION,
    statement="""With e = sqrt(log(2SnK tau_k)/(2l)) = L_{k-1}/(2 sqrt l), Hoeffding's bound for the mean of l
    rewards in [0, 1] is 1/(SnK tau_k).""",
    domain="all S, n, K, tau_k > 0, l >= 1",
    evidence=Evidence.PROOF,
    mutants={"e = L/(3 sqrt l)": {"divisor": 3}, "e = L/(2 sqrt(l+1))": {"shift": 1}},
)
def hoeffding_instance(book: Book, divisor: int = 2, shift: int = 0) -> Finding:
    q, trials = sympy.symbols("q l", positive=True)  # q = 2SnK tau_k
    square = 2 * sympy.log(q) / (divisor**2 * (trials + shift))
    bound = sympy.simplify(2 * sympy.exp(-2 * trials * square))
    if sympy.simplify(bound - 2 / q) != 0:
        return fails({"q": "2SnK tau_k", "bound with this e": str(bound), "wanted": str(2 / q)})
    tried = [(5, fmpq(1, 2), 3), (10, fmpq(1, 5), 8), (20, fmpq(1, 10), 50)]
    for draws, mean, argument in tried:
        tail = binomial_deviation(draws, mean, _radius_below(argument, draws))
        if tail > fmpq(2, argument):
            return fails({"l": draws, "mean": mean, "q": argument, "exact tail": tail})
    if not book.stands("cited:hoeffding"):
        return undecided("cited:hoeffding does not stand")
    return holds(Evidence.PROOF, reason="2 exp(-2 l e^2) = 2/q, symbolic in q and l", exact_tails_tried=len(tried))


@claim(
    "conc:Q/weissman",
    section=SECTION,
    statement="""With e = sqrt(2 log(SnK 2^S tau_k)/l), Weissman's bound for the empirical law of l moves is 1/(SnK
    tau_k).""",
    domain="all S, n, K, tau_k > 0, l >= 1",
    evidence=Evidence.PROOF,
    mutants={"e = sqrt(log(SnK 2^S tau_k)/l)": {"factor": 1}, "2S in place of 2^S": {"outcomes": "2S"}},
)
def weissman_instance(book: Book, factor: int = 2, outcomes: str = "2^S") -> Finding:
    S, q, trials = sympy.symbols("S q l", positive=True)  # q = SnK tau_k
    front = 2**S
    inside = q * (front if outcomes == "2^S" else 2 * S)
    bound = sympy.simplify(front * sympy.exp(-trials * factor * sympy.log(inside) / trials / 2))
    if sympy.simplify(bound - 1 / q) != 0:
        return fails({"q": "SnK tau_k", "bound with this e": str(bound), "wanted": str(1 / q)})
    if not book.stands("cited:weissman", "conc:Q/tails"):
        return undecided("cited:weissman or conc:Q/tails does not stand")
    return holds(Evidence.PROOF, reason="2^S exp(-l e^2/2) = 1/q, symbolic in S, q and l")


@claim(
    "conc:Q/tails",
    section=SECTION,
    statement="""The L1 distance of the empirical law of l draws from S outcomes to their law is at least e with
    probability at most (2^S - 2) exp(-l e^2/2), so at most 2^S exp(-l e^2/2) (for S = 1 the distance is
    0).""",
    domain="""l = 1, 2, 4, 8; e = 1/l, 2/l, ..., 2; the laws (1/S, ..., 1/S) for S = 2, 3, 4, (9/10, 1/10) and
    (8/10, 1/10, 1/10)""",
    evidence=Evidence.EXHAUSTIVE,
    mutants={"exponent 1 in place of 1/2": {"exponent": fmpq(1)}, "front 2": {"front": 2}},
)
def weissman_tails(book: Book, exponent: fmpq = fmpq(1, 2), front: int | None = None) -> Finding:
    laws = [[fmpq(1, S)] * S for S in (2, 3, 4)] + [[1 - fmpq(S - 1, 10), *[fmpq(1, 10)] * (S - 1)] for S in (2, 3)]
    cases = 0
    for law, trials in product(laws, (1, 2, 4, 8)):
        factor = 2 ** len(law) - 2 if front is None else front
        for step in range(1, 2 * trials + 1):
            distance = fmpq(step, trials)
            cases += 1
            tail = multinomial_deviation(trials, law, distance)
            bound = partial(_exponential, factor, exponent * trials * distance**2)
            if not certain(at_most(partial(arb, tail), bound)):
                return fails({"law": law, "l": trials, "e": distance, "exact tail": tail, "bound": enclosure(bound)})
    return holds(Evidence.EXHAUSTIVE, instances=cases, reason="exact multinomial tails against certified bounds")


def _root_of_logarithm(value: int) -> arb:
    return (2 * arb(value).log()).sqrt()


def _exponential(front: int, exponent: fmpq) -> arb:
    return front * arb(-exponent).exp()


def _radius_below(argument: int, trials: int) -> fmpq:
    """Return a rational just below sqrt(log q / (2l)): rounding it down only makes a deviation more likely."""
    scaled = enclosure(lambda: 10**8 * _root_of_logarithm(argument) / (2 * arb(trials).sqrt()))
    return fmpq(whole(scaled), 10**8)


# -- how many terms ------------------------------------------------------------------------------------------------


@claim(
    "conc:r/count",
    section=SECTION,
    statement="On E^H_{k-1}, N_{k'}(x_a) takes at most floor(tau_k) values l >= 1.",
    domain="2 <= k <= K, all S, n, beta in [0, 1)",
    evidence=Evidence.PROOF,
    mutants={"floor(tau_k) - 1 values": {"fewer": 1}},
)
def count_within_tau(book: Book, fewer: int = 0) -> Finding:
    """With x = log(K(k-1))/(1-beta) = m + f, each H_i <= m: compare (k-1) m with floor((k-1) x) - fewer."""
    for K, k, beta in cells():
        most = (k - 1) * whole(enclosure(partial(horizon_bound, K, k, beta), digits=30))
        claimed = whole(enclosure(partial(tau, K, k, beta), digits=30)) - fewer
        if most > max(claimed, 0):
            return fails({"K, k, beta": (K, k, beta), "N up to": most, "tau_k": enclosure(partial(tau, K, k, beta))})
    episodes, m = sympy.symbols("j m", integer=True, positive=True)
    rest = sympy.Symbol("jf", nonnegative=True)  # (k-1) f
    spare = sympy.expand(sympy.floor(episodes * m + rest)) - episodes * m - fewer - sympy.floor(rest)
    if sympy.simplify(spare) != 0 or sympy.floor(rest).is_nonnegative is not True:
        return undecided("floor((k-1) m + (k-1) f) is not seen to be at least (k-1) m")
    return holds(
        Evidence.PROOF,
        reason="N_{k'} <= t_k - 1 = H_1 + ... + H_{k-1} <= (k-1) m, and floor(tau_k) - (k-1) m = floor((k-1) f) >= 0",
    )


@claim(
    "conc:r/union-range",
    section=SECTION,
    statement="In the union over the values of N_{k'}(x_a), l ranges over 1, ..., tau_k - 1.",
    domain=EVERYWHERE,
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"1, ..., tau_k - 2": {"less": 2}},
    controls={"1, ..., floor(tau_k)": {"less": 0}},
)
def union_range(book: Book, less: int = 1) -> Finding:
    K, k, beta, r = 3, 2, ZERO, fmpq(1, 50)
    last = enclosure(lambda: tau(K, k, beta) - less)
    if is_less(lambda: arb(1), lambda: tau(K, k, beta) - less):
        return holds(Evidence.CERTIFIED, last=last)

    def radius() -> arb:
        return log_factor(1, 1, K, k, beta) / 2

    if not is_less(radius, lambda: arb(1 - r)):
        raise ArithmeticError("the reward 1 is within the radius")
    return fails(
        {
            "S, n, K, k, beta": (1, 1, K, k, beta),
            "last l": last,
            "terms in the sum": 0,
            "N_1": 1,
            "Bernoulli rewards with r": r,
            "radius at N = 1": enclosure(radius),
            "probability of the first line (reward 1)": r,
            "second line (an empty union)": 0,
        },
        reason="the third line, whose sum ends at tau_k, is right with floor(tau_k) terms",
    )


@claim(
    "conc:r/union",
    section=SECTION,
    statement="""The sum over all arm states and l = 1, ..., floor(tau_k) of the bound 1/(SnK tau_k) is at most 1/K
    (printed as an equality, which it is only where tau_k is an integer).""",
    domain=EVERYWHERE,
    evidence=Evidence.PROOF,
    mutants={"ceil(tau_k) terms": {"more": 1}},
    repairs=("conc:r/union-range",),
)
def union_sum(book: Book, more: int = 0) -> Finding:
    for K, k, beta in cells():
        value = enclosure(partial(tau, K, k, beta), digits=30)
        terms = whole(value) + more
        if not is_less(partial(arb, terms), partial(tau, K, k, beta)):
            return fails({"K, k, beta": (K, k, beta), "terms": terms, "tau_k": value, "sum": arb(terms) / (K * value)})
    # tau_k = floor + f; where floor = 0 there is no term
    below, fraction = sympy.symbols("floor", positive=True), sympy.symbols("f", nonnegative=True)
    ratios = [
        union_sums.union_ratio(below, bound, 1 / union_sums.K).subs(union_sums.tau, below + fraction)
        for bound in (union_sums.mean_bound(), union_sums.row_bound())
    ]
    summed = all(map(union_sums.at_most_one, ratios))
    if not (summed and book.stands("conc:r/hoeffding", "conc:Q/weissman", "conc:r/count")):
        return undecided("the sum is not seen to be at most 1/K, or a step that it rests on does not stand")
    return holds(Evidence.PROOF, reason="nS floor(tau_k)/(SnK tau_k) = floor(tau_k)/(tau_k K) <= 1/K")


# -- from Weissman's radius to the printed one -----------------------------------------------------------------------


@claim(
    "conc:Q/split",
    section=SECTION,
    statement="""sqrt(2 log(SnK tau_k 2^S)) <= L_{k-1} + sqrt(2(S-1) log 2) <= L_{k-1} + c sqrt S with c = 1.5, where
    L_{k-1}^2 = 2 log(2SnK tau_k).""",
    domain="all S >= 1, SnK tau_k >= 1/2",
    evidence=Evidence.PROOF,
    mutants={"c = 1.17": {"constant": fmpq(117, 100)}, "2S log 2 in place of 2(S-1) log 2": {"shift": 0}},
)
def split_radius(book: Book, constant: fmpq = fmpq(3, 2), shift: int = 1) -> Finding:
    S, q = sympy.symbols("S q", positive=True)  # q = SnK tau_k
    difference = 2 * sympy.log(q * 2**S) - 2 * sympy.log(2 * q) - 2 * (S - shift) * sympy.log(2)
    if sympy.simplify(sympy.expand_log(difference)) != 0:
        return fails({"difference of the squares": str(sympy.simplify(sympy.expand_log(difference)))})
    x, y, more, a, b = sympy.symbols("x y more a b", nonnegative=True)
    roots = (sympy.sqrt(x) + sympy.sqrt(y)) ** 2 - (x + y)  # of non-negative numbers, by squares
    if sympy.expand(roots).is_nonnegative is not True:
        return undecided("sqrt(x+y) <= sqrt x + sqrt y is not seen")
    # with a = 2 log 2 and c^2 = a + b, S = 1 + more: c^2 S - a (S-1) = a + b (1 + more)
    if sympy.expand((a + b) * (1 + more) - a * more).is_nonnegative is not True:
        return undecided("2(S-1) log 2 <= c^2 S is not seen")
    if certain(at_most(lambda: 2 * arb(2).log(), lambda: arb(constant**2))):
        return holds(
            Evidence.PROOF,
            reason=(
                "2 log(q 2^S) = 2 log(2q) + 2(S-1) log 2; sqrt(x+y) <= sqrt x + sqrt y; 2(S-1) log 2 <= 2S "
                "log 2 <= c^2 S exactly when c^2 >= 2 log 2 for all S"
            ),
        )

    def root(size: int) -> arb:
        return (2 * (size - 1) * arb(2).log()).sqrt()

    def printed(size: int) -> arb:
        return constant * arb(size).sqrt()

    size = next(S for S in count(1) if is_less(partial(printed, S), partial(root, S)))
    return fails(
        {
            "S": size,
            "sqrt(2(S-1) log 2)": enclosure(partial(root, size)),
            "c sqrt S": enclosure(partial(printed, size)),
        }
    )


@claim(
    "conc:Q/split/constant",
    section=SECTION,
    statement="""The least c with sqrt(2(S-1) log 2) <= c sqrt S for all S is sqrt(2 log 2) = 1.1774...; the printed
    1.5 is not tight: 1.18 will do, and 1.177 will not.""",
    domain="all S >= 1",
    evidence=Evidence.PROOF,
    mutants={"1.177 will do": {"enough": fmpq(1177, 1000)}, "1.18 will not": {"too_small": fmpq(118, 100)}},
)
def best_constant(book: Book, enough: fmpq = fmpq(118, 100), too_small: fmpq = fmpq(1177, 1000)) -> Finding:
    S = sympy.symbols("S", positive=True)
    limit = sympy.limit(sympy.sqrt(2 * (S - 1) * sympy.log(2) / S), S, sympy.oo)
    will_do = certain(at_most(lambda: 2 * arb(2).log(), lambda: arb(enough**2)))
    will_not = is_less(lambda: arb(too_small**2), lambda: 2 * arb(2).log())
    growing = sympy.simplify(sympy.diff((S - 1) / S, S)).is_positive is True
    return decide(
        will_do and will_not and growing and limit == sympy.sqrt(2 * sympy.log(2)),
        Evidence.PROOF,
        reason="(S-1)/S increases to 1",
        least=enclosure(partial(_root_of_logarithm, 2)),
        enough=enough,
        too_small=too_small,
    )

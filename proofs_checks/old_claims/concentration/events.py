"""Lemma `concentration`: the probabilities of events E^r and E^Q.

The printed proof passes through E^H, whose probability is a claim of its own. The entries here stand without it: the
number of steps t_k - 1 is independent of what a state yields at its l-th activation, and has mean (k-1)/(1-beta), which
is tau_k / log(K(k-1)); so summing over l = 1, ..., t_k - 1 and taking the mean gives 1/(K log(K(k-1))) in place of 2/K.
"""

from __future__ import annotations

from functools import partial
from itertools import product

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.concentration.union_bounds import EVERYWHERE, SECTION
from proofs_checks.computations import union_sums
from proofs_checks.computations.comparisons import certain, is_less
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import ONE, ZERO, sympy_rational
from theory.certified import (
    Truth,
    at_most,
    binomial_law,
    enclosure,
    episodic_exit,
    geometric_probability,
    l1_from_counts,
    transition_count_law,
)
from theory.paper import log_factor

HALF = fmpq(1, 2)
FROM_EPISODE_2 = "2 <= k <= K, 1 <= k' <= k-1; all S, n, beta in [0, 1)"


# -- event E^r -------------------------------------------------------------------------------------------------------


def failure_of_rewards(K: int, k: int, beta: fmpq, mean: fmpq, scale: fmpq, longest: int) -> tuple[fmpq, fmpq]:
    """Return a lower bound of P(not E^r) and what may be missing: S = n = 1, Bernoulli rewards, scaled radius."""

    def leaves(trials: int, successes: int) -> bool:
        square = 4 * trials * ((fmpq(successes, trials) - mean) / scale) ** 2
        return is_less(lambda: log_factor(1, 1, K, k, beta) ** 2, partial(arb, square))

    return episodic_exit(mean, beta, k - 1, leaves, longest)


REWARD_CASES = [
    *((K, K, ZERO, mean, K - 1) for K, mean in product((3, 5, 8), (HALF, fmpq(1, 10), fmpq(1, 50)))),
    *((K, k, HALF, mean, 9) for (K, k), mean in product(((2, 2), (3, 2), (3, 3)), (HALF, fmpq(1, 10)))),
    (3, 2, fmpq(9, 10), fmpq(1, 10), 12),
]


def refuted_by_rewards(
    numerator: fmpq, scale: fmpq, *, sharp: bool = False, within_h: bool = False
) -> dict[str, object] | None:
    """Return a case where P(not E^r) is certainly above the claimed bound: numerator/K, over log(K(k-1)) if `sharp`.

    With `within_h`, only cases of episodes of one step, where E^H is certain.
    """
    for K, k, beta, mean, longest in REWARD_CASES:
        if within_h and beta > 0:
            continue
        probability, _ = failure_of_rewards(K, k, beta, mean, scale, longest)
        bound = partial(_claimed, numerator, K, k, sharp)
        if certain(at_most(partial(arb, probability), bound)):
            continue
        return {
            "S, n, K, k, beta": (1, 1, K, k, beta),
            "Bernoulli rewards with r": mean,
            "P(not E^r) at least": probability,
            "claimed": enclosure(bound),
        }
    return None


def _claimed(numerator: fmpq, K: int, k: int, sharp: bool) -> arb:
    return arb(numerator / K) / (arb(K * (k - 1)).log() if sharp else 1)


@claim(
    "conc:mean-steps",
    section=SECTION,
    statement="""A union bound over the arm states and l = 1, ..., t_k - 1 whose terms are 1/(SnK tau_k) has
    expectation 1/(K log(K(k-1))): at most 1/K for K >= 3, at most 2/K for K = 2.""",
    domain=EVERYWHERE,
    evidence=Evidence.PROOF,
    mutants={"at most 1/K for K = 2 too": {"first_K": 2}, "terms 2/(SnK tau_k), at most 1/K": {"terms": 2}},
)
def mean_steps(book: Book, first_K: int = 3, terms: int = 1) -> Finding:
    S, n, K, k, beta, log = sympy.symbols("S n K k beta log", positive=True)
    mean_horizon = sympy.simplify((1 - beta) * sympy.diff(1 / (1 - beta), beta))  # sum of h beta^(h-1) (1-beta)
    tau = (k - 1) * log / (1 - beta)
    total = sympy.simplify(n * S * (k - 1) * mean_horizon * terms / (S * n * K * tau))
    if total != terms / (K * log):
        return fails({"expected sum": str(total)})
    # log(K(k-1)) is least at k = 2
    if not certain(at_most(lambda: arb(terms), lambda: arb(first_K).log())):
        return fails({"K, k": (first_K, 2), "expected sum times K": enclosure(lambda: terms / arb(first_K).log())})
    if not certain(at_most(lambda: arb(terms), lambda: 2 * arb(2).log())):
        return fails({"K, k": (2, 2), "expected sum times K": enclosure(lambda: terms / arb(2).log())})
    return holds(
        Evidence.PROOF,
        reason=(
            "E[H] is the derivative of the geometric series, so E[t_k - 1] = (k-1)/(1-beta) = tau_k/log(K(k-1)); "
            "log 3 > 1 and 2 log 2 > 1. The number of terms is t_k - 1, which no reward or move influences, not "
            "N_{k'}, which they do: N_{k'} <= t_k - 1 in every run"
        ),
    )


@claim(
    "conc:r",
    section=SECTION,
    statement="P(not E^r_{k-1}) <= 2/K.",
    domain="1 <= k <= K, 0 <= k' <= k-1; all S, n, beta in [0, 1); r-hat = 0 where N = 0",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"radius a fifth": {"scale": fmpq(1, 5)}, "radius a fifth, k >= 2": {"scale": fmpq(1, 5), "edges": False}},
    controls={"k >= 2 and k' >= 1": {"edges": False}},
)
def rewards(book: Book, edges: bool = True, scale: fmpq = ONE) -> Finding:
    if refuted := refuted_by_rewards(fmpq(2), scale):
        return fails(refuted)
    # K = 2 claims nothing; for K >= 3 a state not yet activated at k' >= 1 is one of Sn >= 2, where L/2 >= 1
    unvisited = certain(at_most(lambda: arb(2), lambda: log_factor(2, 1, 3, 2, 0)))
    increasing = union_sums.log_argument_increases()
    if not (unvisited and increasing and book.stands("conc:r/repair", "conc:domain")):
        return undecided("conc:r/repair, conc:domain or L/2 >= 1 does not stand")
    remark = "from conc:r/repair, without E^H; the printed proof adds P(not E^H) <= 1/K, a claim of its own"
    if not edges:
        return holds(Evidence.PROOF, reason=remark)
    witness = {
        "k = 1": "L_0 = sqrt(2 log(2SnK * 0 * log 0)) is not defined",
        "k' = 0": "S = n = 1, K = 3, k = 2, beta = 0, r = 1, N_0 = 0, r-hat_0 = 0: E^r never happens, and 1 > 2/3",
        "L_1/2 at k' = 0": enclosure(lambda: log_factor(1, 1, 3, 2, 0) / 2),
    }
    if not is_less(lambda: log_factor(1, 1, 3, 2, 0) / 2, lambda: arb(1)):
        raise ArithmeticError("the witness is none")
    return holds_only(FROM_EPISODE_2, Evidence.PROOF, witness, reason=remark)


@claim(
    "conc:r/repair",
    section=SECTION,
    statement="""P(not E^r_{k-1}) <= 1/(K log(K(k-1))), with r-hat := 1/2 where N = 0. This does not use E^H; it is
    at most 1/K for K >= 3.""",
    domain="2 <= k <= K, 0 <= k' <= k-1; all S, n, beta in [0, 1)",
    evidence=Evidence.PROOF,
    mutants={"radius a fifth": {"scale": fmpq(1, 5)}, "a hundredth of it": {"numerator": fmpq(1, 100)}},
    repairs=("conc:r",),
)
def rewards_repair(book: Book, scale: fmpq = ONE, numerator: fmpq = ONE) -> Finding:
    if refuted := refuted_by_rewards(numerator, scale, sharp=True):
        return fails(refuted)
    bound = union_sums.mean_bound(scale=scale)
    ratio = union_sums.union_ratio(
        union_sums.MEAN_STEPS, bound, sympy_rational(numerator) / (union_sums.K * union_sums.log)
    )
    steps = book.stands("conc:mean-steps", "conc:r/hoeffding", "def:estimators/no-visit/repair")
    if not (union_sums.at_most_one(ratio) and steps):
        return undecided(f"the expected sum over the claimed bound is {ratio}, or a step does not stand")
    exact = {}
    for K, k, beta, mean, longest in REWARD_CASES:
        probability, missing = failure_of_rewards(K, k, beta, mean, ONE, longest)
        exact[f"K, k, beta, r = {K}, {k}, {beta}, {mean}"] = (
            [probability, probability + missing] if missing else probability
        )
    return holds(
        Evidence.PROOF,
        reason=(
            "let each arm state hold a sequence of rewards and moves, drawn beforehand, of which the l-th "
            "activation shows the l-th: the law of play is the same. H_1, ..., H_{k-1} are independent of all "
            "of these; given them, t_k is a number and N <= t_k - 1 in every run, so that the failure lies in "
            "the union over l = 1, ..., t_k - 1, whose sum has the mean of conc:mean-steps. N itself, which "
            "depends on the rewards, is not conditioned on"
        ),
        exact_failure=exact,
    )


# -- event E^Q -------------------------------------------------------------------------------------------------------


@claim(
    "conc:Q",
    section=SECTION,
    statement="""P(not E^Q_{k-1}) <= 2/K, with Q-hat as its formula is written: X_{t+1} is the next state of step t,
    also at the last step of an episode, where it is the following episode's first state.""",
    domain="2 <= k <= K; all S, n, beta in [0, 1)",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"K = k = 12": {"K": 12}, "K = k = 100, beta = 1/2": {"K": 100, "beta": HALF}},
    controls={"the state the arm moved to": {"restart": False}, "K = k = 9": {"K": 9}},
)
def transitions_as_written(book: Book, K: int = 10, beta: fmpq = ZERO, restart: bool = True) -> Finding:
    """Every episode starts in state 1 and leaves it at once for state 2, for good: N_{k'}(1) = k'."""
    visits = K - 1
    probability = ZERO
    for of_length_1, p in enumerate(binomial_law(visits, 1 - beta)):  # these count as moves from 1 to 1
        distance = fmpq(2 * of_length_1, visits) if restart else ZERO
        square = partial(arb, visits * distance**2)
        if distance and is_less(lambda: (log_factor(2, 1, K, K, beta) + fmpq(3, 2) * arb(2).sqrt()) ** 2, square):
            probability += p
    if probability <= fmpq(2, K):
        return holds(Evidence.CERTIFIED)
    return fails(
        {
            "S, n, K, k, beta": (2, 1, K, K, beta),
            "Q": [[0, 1], [0, 1]],
            "rho": [1, 0],
            "N_{k-1}(1)": visits,
            "Q(1, .)": [0, 1],
            "Q-hat_{k-1}(1, 1)": "the fraction of the k-1 episodes that have length 1 (all of them, if beta = 0)",
            "radius": enclosure(lambda: _row_radius(K, K, beta, visits, ONE)),
            "P(||Q-hat_{k-1}(1, .) - Q(1, .)||_1 > radius)": probability,
            "claimed": fmpq(2, K),
        },
    )


def _row_radius(K: int, k: int, beta: fmpq, visits: int, scale: fmpq) -> arb:
    return scale * (log_factor(2, 1, K, k, beta) + fmpq(3, 2) * arb(2).sqrt()) / arb(visits).sqrt()


def failure_of_rows(K: int, beta: fmpq, scale: fmpq, restart: bool, longest: int) -> fmpq:
    """Return a lower bound of P(not E^Q_1): one arm of two states, k = 2, by all counts of one episode."""
    rows, start = [[HALF, HALF], [fmpq(1, 5), fmpq(4, 5)]], [ONE, ZERO]
    verdicts: dict[tuple[int, fmpq], bool] = {}
    probability = ZERO
    for horizon in range(1, longest + 1):
        of_horizon = geometric_probability([horizon], beta)
        for counts, p in transition_count_law(rows, start, [horizon], restart).items() if of_horizon else ():
            for row, law in zip(counts, rows, strict=True):
                visits = sum(row)
                key = visits, l1_from_counts(row, law) if visits else ZERO
                if key not in verdicts:
                    radius = partial(_row_radius, K, 2, beta, visits, scale)
                    verdicts[key] = visits > 0 and is_less(radius, partial(arb, key[1]))
            if any(
                verdicts[sum(row), l1_from_counts(row, law)] for row, law in zip(counts, rows, strict=True) if sum(row)
            ):
                probability += of_horizon * p
    return probability


@claim(
    "conc:Q/repair",
    section=SECTION,
    statement="""With the state that the arm moved to counted at the last step of an episode too, P(not E^Q_{k-1}) <=
    1/(K log(K(k-1))), so at most 2/K; it is at most 1/K for K >= 3, and does not use E^H. Where N = 0,
    Q-hat may be a zero row or any probability row.""",
    domain="2 <= k <= K, 0 <= k' <= k-1; all S, n, beta in [0, 1)",
    evidence=Evidence.PROOF,
    mutants={"X_{t+1} as written": {"restart": True}, "radius a tenth": {"scale": fmpq(1, 10)}},
    repairs=("conc:Q",),
)
def transitions_repair(book: Book, restart: bool = False, scale: fmpq = ONE) -> Finding:
    """Exact probabilities could refute it; the argument is in `reason`."""
    as_written = transitions_as_written(book, restart=restart)
    if as_written.verdict is Verdict.FAILS:
        return as_written
    exact = {}
    for K, beta in ((3, ZERO), (3, HALF), (5, fmpq(4, 5))):
        probability = failure_of_rows(K, beta, scale, restart, longest=8)
        exact[f"K = {K}, beta = {beta}"] = probability
        if at_most(partial(arb, probability), partial(_claimed, ONE, K, 2, True)) is not Truth.YES:
            return fails({"S, n, K, k, beta": (2, 1, K, 2, beta), "P(not E^Q) at least": probability})
    steps = ("conc:mean-steps", "conc:Q/weissman", "conc:Q/split", "def:estimators/no-visit-Q", "conc:domain")
    bound = union_sums.row_bound(scale=scale)
    ratio = union_sums.union_ratio(union_sums.MEAN_STEPS, bound, 1 / (union_sums.K * union_sums.log))
    if not (union_sums.at_most_one(ratio) and book.stands(*steps)):
        return undecided(f"the expected sum over the claimed bound is {ratio}, or a step does not stand")
    return holds(
        Evidence.PROOF,
        reason="as conc:r/repair, with the moves that an arm state holds, and Weissman's inequality",
        least_failure=exact,
    )

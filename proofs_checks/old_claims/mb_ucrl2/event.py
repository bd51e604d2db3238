"""MB-UCRL2 (appendix): its event, the plausible set, the bound B_k, and the distance of two plausible models.

Its optimism is in `ucrl2_optimism`, its regret in `ucrl2_regret`. L stands for L_{k-1}; it is free, with L > 0.
"""

from __future__ import annotations

from math import isqrt

from flint import arb, fmpq

from proofs_checks.computations.symbolic import algebra, nonnegative_above
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import Arm, Bandit, Exact, ModelError, rational, sympy_rational
from theory.certified import Truth, less
from theory.optimism import distance
from theory.paper import log_factor
from theory.random_models import random_bandit, random_policy
from theory.values import finite_horizon_value

SECTION = "MB-UCRL2"

FAILURES = {"r": fmpq(2), "Q": fmpq(2), "H": fmpq(1)}
"""K times the bounds of Lemma `concentration` on the probabilities of the complements."""

FAILURES_WITHIN_H = {"r": fmpq(1), "Q": fmpq(1), "H": fmpq(1)}
"""K times the bounds of its proof: those for r and Q within the event that all horizons are short."""


def union_bound(constant: Exact, parts: dict[str, fmpq], within: str) -> Finding:
    """Decide whether failures of probability at most parts/K have a union of probability at most constant/K."""
    worst = sum(parts.values(), fmpq(0))
    if rational(constant) >= worst:
        return holds(Evidence.PROOF, reason="union bound", sum_of_the_parts=worst, constant=rational(constant))
    return fails(
        {
            "claimed constant": rational(constant),
            f"disjoint failures{within}, each of probability constant/K": parts,
            "K times the probability of their union": worst,
        }
    )


@claim(
    "lem:concentration_ucrl",
    section=SECTION,
    statement="""The event of MB-UCRL2 has probability at least 1 - 5/K, given the bounds 2/K, 2/K and 1/K of Lemma
    concentration on the complements of its three parts.""",
    domain="K >= 1; the three bounds assumed",
    evidence=Evidence.PROOF,
    mutants={"1 - 4/K": {"constant": 4}},
)
def event_probability(book: Book, constant: Exact = 5) -> Finding:
    """Add the bounds as they are printed; which of them hold, and where, is said by their own entries."""
    for each in ("conc:r", "conc:Q", "conc:H"):
        book.finding(each)
    return union_bound(constant, FAILURES, "")


@claim(
    "lem:concentration_ucrl/sharper",
    section=SECTION,
    statement="""The event has probability at least 1 - 3/K, given what the proof of Lemma concentration bounds: 1/K
    for long horizons, and 1/K for each of r and Q among short horizons; the long ones need not be counted thrice.""",
    domain="K >= 1; the three bounds assumed",
    evidence=Evidence.PROOF,
    mutants={"1 - 2/K": {"constant": 2}},
)
def event_probability_sharper(book: Book, constant: Exact = 3) -> Finding:
    if not book.stands("conc:r/repair", "conc:Q/repair", "conc:H/repair"):
        return undecided("the repaired bounds do not stand")
    return union_bound(constant, FAILURES_WITHIN_H, " among short horizons, and long horizons,")


@claim(
    "eq:plausible/radii",
    section=SECTION,
    statement="The radii that define the plausible set of episode k, through L_{k-1}, are positive real numbers.",
    domain="1 <= k <= K, S >= 1, n >= 1, 0 <= beta < 1",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.CERTIFIED,
    mutants={"L at least 3/2": {"least": fmpq(3, 2)}},
    controls={"k >= 2": {"first": 2}},
)
def radii_defined(book: Book, first: int = 1, least: Exact = 0) -> Finding:
    """L_{k-1} grows in S, n, K, k and beta: it is enough to look at the corner K = k = 2, S = n = 1, beta = 0."""
    corner = less(lambda: arb(rational(least)), lambda: log_factor(1, 1, 2, 2, 0))
    if corner is not Truth.YES:
        return fails({"K, k, S, n, beta": (2, 2, 1, 1, 0), "L_{k-1}": log_factor(1, 1, 2, 2, 0), "claimed": least})
    reason = "2SnK tau_k grows in every parameter and exceeds 1 at K = k = 2, S = n = 1, beta = 0"
    if first >= 2:
        return holds(Evidence.CERTIFIED, reason=reason, smallest_L=log_factor(1, 1, 2, 2, 0))
    try:
        log_factor(1, 1, 2, 1, 0)
    except ModelError as error:
        return holds_only("2 <= k <= K", Evidence.CERTIFIED, {"K": 2, "k": 1, "why": str(error)}, reason=reason)
    return holds(Evidence.CERTIFIED, reason=reason)


@claim(
    "eq:plausible/radii/repair",
    section=SECTION,
    statement="""Bounding the regret of episode 1 by E[H_1], and the others on their events, of probability at least
    1 - 5/K, loses at most 6/(1 - beta) in all, where the paper's sum over all episodes loses 5/(1 - beta).""",
    domain="K >= 1, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"5 in place of 6": {"constant": 5}},
    repairs=("eq:plausible/radii",),
)
def first_episode_apart(book: Book, constant: int = 6) -> Finding:
    """Compare 1 + 5 (K - 1)/K, the exact sum times 1 - beta, with the constant: it tends to 6."""
    if not book.stands("lem:concentration_ucrl/sharper", "eq:V-vs_R/steps"):
        return undecided("what it rests on does not stand")
    K = algebra().Symbol("K", positive=True)
    lost = 1 + 5 * (K - 1) / K
    if nonnegative_above(algebra().expand((constant - lost) * K), {K: 1}):
        return holds(Evidence.PROOF, reason="E[Delta_1] <= E[H_1] = 1/(1 - beta); then K - 1 times 5/(K(1 - beta))")
    at_100 = rational(lost.subs(K, 100))
    if at_100 <= constant:
        return undecided("neither proved nor refuted")
    return fails({"K": 100, "lost, times 1 - beta": at_100, "claimed": constant})


def _one_state(L: fmpq, cut_off: bool) -> tuple[Bandit, Bandit]:
    """One arm of one state played once, with observed reward 1: the true model, and the optimistic one."""
    radius = L / 2
    best = min(fmpq(1), 1 + radius) if cut_off else 1 + radius
    return Bandit([Arm(rewards=[1], transitions=[[1]])], 0, [0]), Bandit(
        [Arm(rewards=[best], transitions=[[1]])], 0, [0]
    )


@claim(
    "ucrl2/B_k",
    section=SECTION,
    statement="""H_k bounds W_{1:H_k} of every model of the plausible set, as Lemma regret_decomposition needs with
    B_k = H_k.""",
    domain="the plausible set as printed, which bounds rewards by their radii only",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"L = 1/100": {"L": fmpq(1, 100)}},
    controls={"rewards cut off at 1": {"cut_off": True}},
)
def bound_on_w(book: Book, L: fmpq = fmpq(2), cut_off: bool = False) -> Finding:
    _, optimistic = _one_state(L, cut_off)
    value = finite_horizon_value(optimistic, lambda _: 0, 1)[0,]
    if value > 1:
        return fails(
            {"S = n = N = H": 1, "L": L, "empirical reward": 1, "optimistic reward": value, "W_{1:1}": value, "H_k": 1}
        )
    return holds(Evidence.PROOF, reason="a sum of H_k rewards of at most 1", W=value)


@claim(
    "ucrl2/B_k/repair",
    section=SECTION,
    statement="""With the rewards of the plausible set cut off at 1, the true model is still in the set under the
    event, and 0 <= W_{h:H} <= H - h + 1 for each of its models.""",
    domain="any plausible set cut to rewards in [0, 1]; any policy",
    evidence=Evidence.PROOF,
    mutants={"rewards up to 3/2": {"largest": fmpq(3, 2)}},
    repairs=("ucrl2/B_k",),
)
def bound_on_w_repaired(book: Book, largest: fmpq = fmpq(1), instances: int = 50) -> Finding:
    """Induction: W_h = r + P W_{h+1} lies in [0, 1 + (H - h)]; tried on random models with one reward at the top.

    An average of numbers in [0, m] lies in [0, m]; so with r = largest - a and P W = m - b, a and b >= 0, the step asks
    that m + 1 - (r + P W) be >= 0.
    """
    m, a, b = algebra().symbols("m a b")
    top = sympy_rational(largest)
    step = nonnegative_above(algebra().expand(m + 1 - ((top - a) + (m - b))), {a: 0, b: 0})
    generator = book.generator("ucrl2/B_k/repair")
    for _ in range(instances):
        drawn = random_bandit(generator, max_arms=2, max_global_states=9)
        top = Arm(rewards=[*drawn.arms[0].rewards[1:], largest], transitions=drawn.arms[0].transitions)
        bandit = Bandit([top, *drawn.arms[1:]], drawn.discount, drawn.initial)
        policy = random_policy(generator, bandit)
        for steps in range(1, 5):
            for state, value in finite_horizon_value(bandit, policy, steps).items():
                if not 0 <= value <= steps:
                    return fails({"bandit": bandit, "policy": policy, "state": state, "steps": steps, "W": value})
    if not step:
        return undecided("the induction step is not an inequality between non-negative terms")
    return holds(
        Evidence.PROOF,
        reason="induction on the steps left; the true rewards are in [0, 1], so cutting off loses no true model",
        random_models_tried=instances,
    )


def _apart(L: int, S: int, N: int) -> dict[str, fmpq]:
    """Two models at opposite ends of one plausible set: distances of rewards and rows, and the printed units."""
    root_n, root_s = isqrt(N), isqrt(S)
    reward_radius, row_radius = fmpq(L, 2 * root_n), (L + fmpq(3, 2) * root_s) / root_n
    moved = row_radius / 2
    row, row_k = ([fmpq(1, 2) + sign * moved, fmpq(1, 2) - sign * moved] for sign in (-1, 1))
    return {
        "reward radius": reward_radius,
        "row radius": row_radius,
        "|r_k - r|": abs((fmpq(1, 2) + reward_radius) - (fmpq(1, 2) - reward_radius)),
        "||Q_k - Q||": distance(row, row_k),
        "L / sqrt N": fmpq(L, root_n),
        "(2L + 3 sqrt S) / sqrt N": (2 * L + fmpq(3) * root_s) / root_n,
    }


def _distance_claim(factor: Exact) -> Finding:
    """Prove it by the triangle inequality through the centre, twice each radius; or refute it by two ends of a set."""
    share = rational(factor)
    data = _apart(L=2, S=4, N=400)
    apart = data["|r_k - r|"] > share * data["L / sqrt N"]
    rows_apart = data["||Q_k - Q||"] > share * data["(2L + 3 sqrt S) / sqrt N"]
    if apart and rows_apart:
        centre = {"empirical reward": fmpq(1, 2), "empirical row": (fmpq(1, 2), fmpq(1, 2), 0, 0)}
        return fails({"L": 2, "S": 4, "N": 400, **centre, **data, "factor": share})
    sympy = algebra()
    L, s = sympy.symbols("L s")  # s = sqrt(S); all times sqrt(max{1, N})
    times = sympy_rational(share)
    rewards = nonnegative_above(times * L - 2 * (L / 2), {L: 0})
    rows = nonnegative_above(sympy.expand(times * (2 * L + 3 * s) - 2 * (L + sympy.Rational(3, 2) * s)), {L: 0, s: 1})
    attained = data["|r_k - r|"] == data["L / sqrt N"] and data["||Q_k - Q||"] == data["(2L + 3 sqrt S) / sqrt N"]
    if not (rewards and rows and attained):
        return undecided("neither proved nor refuted")
    reason = "triangle inequality through the centre: twice each radius; attained"
    return holds(Evidence.PROOF, reason=reason, attained_at=data)


@claim(
    "ucrl2/half",
    section=SECTION,
    statement="""Two models of the plausible set (the true one and M_k) are within half of L/sqrt N in each reward and
    half of (2L + 3 sqrt S)/sqrt N in each row, so that MB-UCRL2 gains a factor 1/2 over MB-PSRL.""",
    domain="L > 0, S >= 1, N >= 1; any two models of the set",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"factor 99/100": {"factor": fmpq(99, 100)}},
    controls={"factor 1": {"factor": 1}},
)
def half_the_distance(book: Book, factor: Exact = fmpq(1, 2)) -> Finding:
    return _distance_claim(factor)


@claim(
    "ucrl2/half/repair",
    section=SECTION,
    statement="""Two models of the plausible set are within L/sqrt N in each reward and (2L + 3 sqrt S)/sqrt N in each
    row, as for MB-PSRL; both are attained.""",
    domain="L > 0, S >= 1, N >= 0 with max{1, N}",
    evidence=Evidence.PROOF,
    mutants={"factor 1/2": {"factor": fmpq(1, 2)}},
    repairs=("ucrl2/half",),
)
def distance_repaired(book: Book, factor: Exact = 1) -> Finding:
    return _distance_claim(factor)

"""No regret (`eq:regretTraj` and Theorem 1): what sub-linear growth in the episodes means for a single episode."""

from __future__ import annotations

import sympy as sp  # type: ignore[import-untyped]
from flint import fmpq

from proofs_checks.claims.theorem_1.statement import one_state_bandit
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, decide, fails, holds
from theory import Exact, priority_value, rational, sympy_rational

SECTION = "Theorem 1"

S, n, K, x = sp.symbols("S n K x", positive=True)
HALF = sp.Rational(1, 2)


@claim(
    "thm:regret_upper_bound/no-regret",
    section=SECTION,
    statement="""Divided by K, each right-hand side of the theorem tends to 0 as K grows: the three algorithms have
    no regret in the sense of the paper.""",
    domain="fixed S, n >= 1, beta in [0, 1)",
    evidence=Evidence.PROOF,
    mutants={"divided by sqrt K": {"power": fmpq(1, 2)}},
)
def no_regret(book: Book, power: Exact = 1) -> Finding:
    log_k = sp.log(K)
    term = sp.log(S * n * K * log_k * x)
    f = S * n * (log_k * x) ** 2 + sp.sqrt(S * n * K) * (log_k * x) ** (3 * HALF)
    sides = {"MB-PSRL and MB-UCRL2": (sp.sqrt(S) + term) * f, "MB-UCBVI": sp.sqrt(S) * x * term * f}
    # K = e^m: what remains is a sum of powers of m, log m times exponentials of m
    m = sp.symbols("m", positive=True)
    limits: dict[str, str] = {}
    for name, side in sides.items():
        scaled = sp.expand(side.subs(log_k, m).subs(K, sp.exp(m)) / sp.exp(m * sympy_rational(power)))
        scaled = sp.expand(sp.expand_log(scaled, force=True))
        limits[name] = str(sum(sp.limit(each, m, sp.oo) for each in sp.Add.make_args(scaled)))
    return decide(set(limits.values()) == {"0"}, Evidence.PROOF, limits=limits, divided_by=f"K^{power}")


def worst_episode(beta: fmpq) -> fmpq:
    """Return the regret of an episode that plays the worse of two one-state arms of rewards 1 and 0."""
    bandit = one_state_bandit((1, 0), beta)
    best, worst = (priority_value(bandit, order, (0, 0)).value for order in ([(0, 0), (1, 0)], [(1, 0), (0, 0)]))
    return best - worst


def lapses(last: int) -> int:
    """Return how many of the episodes 1, ..., `last` are powers of 2: there the learner of the witness plays worst."""
    return last.bit_length()


@claim(
    "eq:regretTraj/episode",
    section="Episodic regret",
    statement="""If the expected regret of K episodes grows sub-linearly in K, the expected regret of episode k tends
    to 0 as k grows.""",
    domain="any learner and model, beta in [0, 1)",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"it is 0 from some episode on": {"conclusion": "zero from some episode on"}},
    controls={
        "the average over the first K episodes tends to 0": {"conclusion": "average"},
        "the least regret of the first K episodes tends to 0": {"conclusion": "least"},
    },
)
def episode_regret(book: Book, conclusion: str = "limit", beta: Exact = fmpq(1, 2)) -> Finding:
    """Let a learner play two one-state arms optimally, but the worse one in episodes 1, 2, 4, 8, ..."""
    lapse = worst_episode(rational(beta))
    episodes = [2**power for power in range(11)]
    averages = [lapses(last) * lapse / last for last in episodes]
    growth = sp.symbols("growth", positive=True)  # K = 2^growth or less than twice that: at most growth + 1 lapses
    sub_linear = sp.limit((growth + 1) / 2**growth, growth, sp.oo) == 0
    if not sub_linear or lapse <= 0:
        raise ArithmeticError("the learner's regret is not sub-linear, or it never lapses")
    if conclusion in ("average", "least"):
        return holds(Evidence.CERTIFIED, reason="That is what sub-linear means; the least is at most the average.")
    return fails(
        {
            "model": one_state_bandit((1, 0), rational(beta)),
            "learner": "arm 1, and arm 2 in episodes 1, 2, 4, 8, ...",
            "regret of each of these episodes": lapse,
            "regret of K = 2^m episodes": "(m + 1) times that",
            "average regret at K = 1, 2, 4, ..., 1024": averages,
        }
    )


@claim(
    "eq:regretTraj/episode/repair",
    section="Episodic regret",
    statement="""The share of the first K episodes whose expected regret is at least e is at most Reg(K)/(K e): with
    sub-linear regret it tends to 0 for every e > 0.""",
    domain="any learner and model; e > 0, K >= 1",
    evidence=Evidence.PROOF,
    mutants={"at most half of that": {"factor": fmpq(1, 2)}},
    repairs=("eq:regretTraj/episode",),
)
def share_of_episodes(book: Book, factor: Exact = 1) -> Finding:
    """Episodes with a regret of at least e contribute at least e each, the others at least 0 (Markov)."""
    lapse, last = worst_episode(fmpq(1, 2)), 1024
    share, bound = fmpq(lapses(last), last), rational(factor) * lapses(last) * lapse / (last * lapse)
    if share > bound:  # e is the regret of a lapse
        return fails({"K": last, "e": lapse, "share of the lapses": share, "claimed": bound})
    count, e, rest = sp.symbols("count e rest", nonnegative=True)
    excess = sp.Poly(sp.expand((count * e + rest) * sympy_rational(factor) - count * e), count, e, rest)
    positive = all(coefficient >= 0 for coefficient in excess.coeffs())
    return decide(positive, Evidence.PROOF, reason="No regret is negative.", on_the_learner_above=[share, bound])

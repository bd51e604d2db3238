"""Theorem 2's prior as data: what the Bayes-optimal learner loses on it, exactly, against the bound."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import sympy  # type: ignore[import-untyped]
from flint import fmpq

from proofs_checks.computations.symbolic import is_identity, nonnegative_above
from proofs_checks.ledger import Book, Evidence, Finding, claim, fails, holds, undecided
from theory import Exact, rational
from theory.paper import (
    BestArmPrior,
    Enclosure,
    adaptive_regret,
    clairvoyant_regret,
    episodic_regret,
    known_horizon_regrets,
    mean_visits,
    squared_bound,
)

SECTION = "Theorem 2: lower bound"

HALF = fmpq(1, 2)

Case: TypeAlias = tuple[int, int, int, fmpq, int, tuple[fmpq, ...]]
"""S, n, K, beta, the depth of the tree, and the gaps e of the means (1-e)/2 and (1+e)/2."""

CASES: tuple[Case, ...] = (
    (1, 2, 16, fmpq(0), 16, tuple(fmpq(i, 16) for i in range(1, 17))),
    (2, 2, 32, fmpq(0), 32, tuple(fmpq(i, 8) for i in range(1, 9))),
    (1, 3, 16, fmpq(0), 16, (fmpq(3, 8),)),
    (1, 2, 16, HALF, 44, (fmpq(1, 5),)),
)
"""K = 16 S throughout, the smallest K of the theorem."""

SMALL: tuple[Case, ...] = (
    (1, 2, 3, HALF, 14, (fmpq(1, 2), fmpq(1))),
    (2, 2, 3, HALF, 12, (fmpq(1, 2),)),
    (1, 3, 2, HALF, 9, (fmpq(1, 2),)),
)
"""Where an episode has several steps, and the tree is small."""


def symmetric(S: int, n: int, beta: fmpq, gap: fmpq) -> BestArmPrior:
    return BestArmPrior(S, n, beta, (1 - gap) / 2, (1 + gap) / 2)


@claim(
    "thm:lower_bound/bayes-optimal",
    section=SECTION,
    statement="""On the prior of the proof, for the best of a few rational gaps, the Bayes-optimal learner (adaptive
    within an episode) has regret at least (1/60) sqrt(SnK/(1-beta)).""",
    domain="(S,n,K,beta) = (1,2,16,0), (2,2,32,0), (1,3,16,0), (1,2,16,1/2)",
    evidence=Evidence.CERTIFIED,
    mutants={"1/5 in place of 1/60": {"factor": 5}, "a gap of 1/1000 only": {"gaps": (fmpq(1, 1000),)}},
)
def bayes_optimal(book: Book, factor: Exact = 60, gaps: Sequence[fmpq] | None = None) -> Finding:
    values: dict[str, Any] = {}
    for S, n, K, beta, depth, own in CASES:
        found = {gap: adaptive_regret(symmetric(S, n, beta, gap), K, depth) for gap in (gaps or own)}
        gap = max(found, key=lambda each: found[each].low)
        bound = squared_bound(S, n, K, beta, factor)
        name = f"S={S} n={n} K={K} beta={beta}"
        shown = {"gap": gap, **_ends(found[gap]), "square of the bound": bound}
        if found[gap].high ** 2 < bound:
            return fails({"case": name, **shown})
        if found[gap].low ** 2 < bound:
            return undecided("the enclosure holds the bound", **{name: shown})
        values[name] = {**shown, "regret over bound, squared, at least": _rounded_down(found[gap].low ** 2 / bound)}
    return holds(Evidence.CERTIFIED, **values)


@claim(
    "thm:lower_bound/any-learner",
    section=SECTION,
    statement="""The learners of the proof are stronger than those of the paper: the smallest Bayesian regret of one
    told all horizons is at most that of one that adapts at each step, which is at most that of one whose policy is
    fixed during an episode.""",
    domain="every prior; tried on (S,n,K,beta) = (1,2,3,1/2), (2,2,3,1/2), (1,3,2,1/2)",
    evidence=Evidence.PROOF,
    mutants={"a fixed policy costs nothing": {"fixed_costs_nothing": True}, "the other way round": {"reverse": True}},
)
def any_learner(book: Book, reverse: bool = False, fixed_costs_nothing: bool = False) -> Finding:
    values: dict[str, Any] = {}
    for S, n, K, beta, depth, gaps in SMALL:
        for gap in gaps:
            prior = symmetric(S, n, beta, gap)
            told, adaptive, fixed = (
                learner(prior, K, depth) for learner in (clairvoyant_regret, adaptive_regret, episodic_regret)
            )
            shown = {"told": _ends(told), "adaptive": _ends(adaptive), "episodic": _ends(fixed)}
            case = f"S={S} n={n} K={K} beta={beta} gap={gap}"
            contradicted = told.low > adaptive.high or adaptive.low > fixed.high
            if contradicted or ((reverse or fixed_costs_nothing) and fixed.low > adaptive.high):
                return fails({"case": case, **shown})
            values[case] = shown
    # Told x (probability p) or y (q) before it chooses, a learner has p min_a f + q min_a g; else min_a (p f + q g).
    # With the two minima f, g and any choice's excess u, v >= 0 over them: the second is not smaller.
    p, q, f, g, u, v = sympy.symbols("p q f g u v")
    untold = sympy.expand(p * (f + u) + q * (g + v) - (p * f + q * g))
    if reverse or fixed_costs_nothing or not nonnegative_above(untold, {p: 0, q: 0, u: 0, v: 0}):
        return undecided("to be told is not seen to be of use")
    return holds(
        Evidence.PROOF,
        reason="""At each choice the adaptive learner knows what the episodic one knows at the start of the episode, and
        more; the one told all horizons knows more again. Backwards from the last choice: a mean of minima is at most
        the minimum of means.""",
        **values,
    )


@claim(
    "thm:lower_bound/regret-by-steps",
    section=SECTION,
    statement="""For an episodic learner the regret of the paper, the sum of V* - V^{pi_k}, is the gap times the
    expected number of steps that play a wrong arm: the first line of the display is an equality.""",
    domain="every model of the prior; a policy of one arm is worth r/(1-beta)",
    evidence=Evidence.PROOF,
    mutants={"one step per episode": {"steps": 1}},
)
def regret_by_steps(book: Book, steps: int | None = None) -> Finding:
    from theory import policy_value  # noqa: PLC0415  (only this check evaluates policies)

    if not book.stands("eq:V-vs_R/steps", "thm:lower_bound/independent-of-play"):
        return undecided("what it rests on does not stand")
    best_mean, mean, discount = sympy.symbols("best mean beta")
    worth = mean / (1 - discount)  # solves V = mean + beta V, as the state stays
    stays = is_identity(mean + discount * worth, worth)
    costs = is_identity(worth.subs(mean, best_mean) - worth, (best_mean - mean) / (1 - discount))
    for beta in (fmpq(0), HALF, fmpq(9, 10)):
        prior = symmetric(2, 2, beta, HALF)
        length = mean_visits(1, 1, beta) if steps is None else fmpq(steps)
        for best, bandit in prior.models():
            optimum = policy_value(bandit, {(i, j): best[i] for i in range(2) for j in range(2)})
            for arm in range(2):
                value = policy_value(bandit, lambda _state, arm=arm: arm)  # type: ignore[misc]
                for i in range(2):
                    regret = optimum[i, i] - value[i, i]
                    claimed = prior.gap * int(best[i] != arm) * length
                    if regret != claimed:
                        return fails(
                            {"model": bandit, "state": [i, i], "arm": arm, "regret": regret, "claimed": claimed}
                        )
    if not (stays and costs):
        return undecided("the value of an arm that stays is not its mean over 1-beta")
    return holds(
        Evidence.PROOF,
        reason="no arm moves: V of a policy is the mean reward of its arm over 1-beta, the expected number of steps",
    )


@claim(
    "eq:regret_sto/prior",
    section=SECTION,
    statement="""With the best arm drawn uniformly, means (1-e)/2 and (1+e)/2 and e = sqrt(n/tau)/4, the smallest
    Bayesian regret is at least (1/20) sqrt(n tau).""",
    domain="(n,tau) = (2,2), (3,3), (2,8), (3,12), (2,18), (4,4), (2,32), where the root is rational",
    evidence=Evidence.CERTIFIED,
    mutants={"1/5": {"factor": 5}, "e = sqrt(n/tau)/100": {"share": fmpq(1, 100)}},
)
def known_horizon(book: Book, factor: Exact = 20, share: Exact = fmpq(1, 4)) -> Finding:
    values: dict[str, Any] = {}
    for n, tau, root in ((2, 2, 1), (3, 3, 1), (2, 8, 2), (3, 12, 2), (2, 18, 3), (4, 4, 1), (2, 32, 4)):
        gap = rational(share) / root
        regret = known_horizon_regrets(symmetric(1, n, fmpq(0), gap), tau)[-1]
        bound = n * tau / rational(factor) ** 2
        if regret**2 < bound:
            return fails({"n": n, "tau": tau, "gap": gap, "regret": regret, "square of the bound": bound})
        values[f"n={n} tau={tau}"] = {"gap": gap, "regret": regret, "square of the bound": bound}
    return holds(Evidence.CERTIFIED, **values)


def _rounded_down(value: fmpq, places: int = 10) -> fmpq:
    return fmpq((value * 10**places).floor(), 10**places)


def _ends(regret: Enclosure) -> dict[str, fmpq]:
    """Return the enclosure with short ends, rounded outwards."""
    return {"at least": _rounded_down(regret.low), "at most": -_rounded_down(-regret.high)}

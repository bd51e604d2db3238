"""The two printed versions of the bonuses (`def:bonuses`): with t_k in the main text, with tau_k in the appendix."""

from __future__ import annotations

from functools import partial

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.estimates.estimators import SECTION
from proofs_checks.computations import union_sums
from proofs_checks.computations.comparisons import certain, is_less
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import ONE, ZERO
from theory.certified import at_most, enclosure, episodic_exit
from theory.paper import log_factor, reward_radius, tau, transition_radius

HALF = fmpq(1, 2)


@claim(
    "def:bonuses/no-visit",
    section=SECTION,
    statement="""Where N_{k-1}(x_a) = 0 and r-hat := 0, the main text's bonuses cover every model: b^r >= 1, b^Q is at
    least the distance from a zero row, and b >= r + beta P V* for every r and every row.""",
    domain="all S, n, K, t_k >= 1; beta in [0, 1)",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.CERTIFIED,
    mutants={
        "claimed from SnK t_k = 3 on": {"least": 3},
        "r-hat := 1/2, from SnK t_k = 3 on": {"guess": HALF, "least": 3},
    },
    controls={"SnK t_k >= 4": {"first": 4}, "r-hat := 1/2, b^r and b^Q alone": {"guess": HALF, "of_values": False}},
)
def no_visit_bonus(
    book: Book, guess: fmpq = ZERO, least: int = 4, first: int = 1, *, of_values: bool = True
) -> Finding:
    """All radii increase in SnK t_k.

    With c = max(guess, 1 - guess), b must be at least c + beta/(1-beta) = (c + (1-c) beta)/(1-beta) and (1-beta) b is
    b^r. As c <= 1 the numerator increases to 1 with beta, without reaching it where c < 1: at beta = 99/100 it is the
    `largest_of_values`; b^r >= 1 covers it for all beta.
    """
    largest = max(guess, 1 - guess)
    largest_of_values = largest + (1 - largest) * fmpq(99, 100)

    def bonus(size: int) -> arb:
        return reward_radius(1, 1, size, 1, 0)

    def covered(size: int) -> bool:
        return certain(at_most(partial(arb, ONE if of_values else largest), partial(bonus, size)))

    rows_covered = certain(at_most(lambda: arb(1), lambda: transition_radius(1, 1, 1, 1, 0)))
    if rows_covered and covered(first):
        return holds(Evidence.CERTIFIED, smallest_b_r=enclosure(partial(bonus, first)))
    K = least - 1 if covered(least) else least
    needed = largest_of_values if of_values else largest
    if not is_less(partial(bonus, K), partial(arb, needed)):
        return undecided("b^r is below 1, but above what beta = 99/100 needs")
    outside = {
        "S, n, K, t, N": (1, 1, K, 1, 0),
        "r": 1,
        "r-hat": guess,
        "b^r = (1-beta) b": enclosure(partial(bonus, K)),
    }
    if of_values and guess:
        outside["(1-beta)(|r-hat - r| + beta/(1-beta)) at beta = 99/100"] = needed
    if rows_covered and covered(least):
        return holds_only(f"SnK t_k >= {least}", Evidence.CERTIFIED, outside, reason="b^r depends on SnK t_k alone")
    return fails(outside)


@claim(
    "def:bonuses/same",
    section=SECTION,
    statement="""The radius b^r_{k-1} of the main text (with t_k) is the radius L_{k-1}/(2 sqrt N) of the appendix
    (with tau_k).""",
    domain="k >= 2, N >= 1",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"K = k = 3": {"K": 3, "k": 3}},
    controls={"with tau_k in place of t_k": {"time": "tau_k"}},
)
def same_radius(book: Book, K: int = 3, k: int = 2, time: str = "t_k") -> Finding:
    """Either is sqrt(log(2SnK z)/(2N)), strictly increasing in z: they agree exactly where the z do."""
    beta = ZERO  # every episode has one step
    of_appendix = (k - 1) * sympy.log(K * (k - 1))
    of_main_text = {"t_k": sympy.Integer(k), "tau_k": of_appendix}[time]
    if sympy.simplify(of_main_text - of_appendix) == 0:
        return holds(Evidence.CERTIFIED)
    is_less(partial(arb, k), partial(tau, K, k, beta))  # an error where the two cannot be told apart
    return fails(
        {
            "S, n, K, k, beta": (1, 1, K, k, beta),
            "t_k": k,
            "tau_k": enclosure(lambda: tau(K, k, beta)),
            "b^r, main text": enclosure(lambda: reward_radius(1, 1, K, k, k - 1)),
            "L/(2 sqrt N), appendix": enclosure(lambda: log_factor(1, 1, K, k, beta) / (2 * arb(k - 1).sqrt())),
        },
        reason=(
            "For beta > 0, t_k is random and tau_k is not. Here t_k exceeds tau_k; where episodes are "
            "shorter than their bound, tau_k exceeds t_k. At k = 1, t_1 = 1 and tau_1 is not defined."
        ),
    )


@claim(
    "def:bonuses/order",
    section=SECTION,
    statement="""On E^H, one of the two versions of the radius is always the larger: that of the main text (t_k >=
    tau_k), as a proof of optimism through E^r needs, or that of the appendix (t_k <= tau_k).""",
    domain="beta = 0, where t_k = k",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    printed=False,
    mutants={"K = 4": {"cells": ((4, 2), (4, 4))}},
    controls={"k = 3 alone": {"cells": ((3, 3),)}, "t_k - 1 in place of t_k": {"earlier": 1}},
)
def order_of_versions(book: Book, cells: tuple[tuple[int, int], ...] = ((3, 2), (3, 3)), earlier: int = 0) -> Finding:
    main_larger = {cell: is_less(partial(tau, *cell, ZERO), partial(arb, cell[1] - earlier)) for cell in cells}
    if len(set(main_larger.values())) == 1:
        return holds(Evidence.CERTIFIED)
    return fails(
        {
            f"K = {K}, k = {k}, beta = 0": {
                "t_k": k,
                "tau_k": enclosure(partial(tau, K, k, ZERO)),
                "larger": "main text" if larger else "appendix",
            }
            for (K, k), larger in main_larger.items()
        },
        reason="on E^H, t_k - 1 <= tau_k, and that is all",
    )


@claim(
    "def:bonuses/event",
    section=SECTION,
    statement="""On E^H and E^r, |r-hat_{k-1}(x_a) - r(x_a)| <= b^r_{k-1}(x_a) with the main text's b^r: the true
    model is then within the rewards' bounds of the confidence set.""",
    domain="S = n = 1, beta = 0, K = k = 3, rewards 1 and 1",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"r = 1/8": {"r": fmpq(1, 8)}},
    controls={"b^r with tau_k in place of t_k": {"time": "tau_k"}},
)
def event_and_bonus(book: Book, r: fmpq = fmpq(1, 7), time: str = "t_k") -> Finding:
    K = k = 3
    beta = ZERO
    for count in (1, 2):  # E^r: r-hat_1 and r-hat_2 are both 1
        radius = lambda N=count: log_factor(1, 1, K, k, beta) / (2 * arb(N).sqrt())  # noqa: E731
        if not certain(at_most(lambda: arb(1 - r), radius)):
            raise ArithmeticError(f"the instance is outside E^r at N = {count}")

    def bonus() -> arb:
        return reward_radius(1, 1, K, k, 2) if time == "t_k" else log_factor(1, 1, K, k, beta) / (2 * arb(2).sqrt())

    if certain(at_most(lambda: arb(1 - r), bonus)):
        return holds(Evidence.CERTIFIED)
    return fails(
        {
            "S, n, K, k, beta": (1, 1, K, k, beta),
            "H_1, H_2": (1, 1),
            "R_1, R_2": (1, 1),
            "r": r,
            "|r-hat_2 - r|": 1 - r,
            "L_2/(2 sqrt 2)": enclosure(lambda: log_factor(1, 1, K, k, beta) / (2 * arb(2).sqrt())),
            "b^r_2": enclosure(bonus),
        }
    )


@claim(
    "def:bonuses/repair",
    section=SECTION,
    statement="""With the main text's radii, which are computable: with probability at least 1 - 1/K, at all k' <=
    k-1 and all arm states with N >= 1, |r-hat_{k'} - r| <= sqrt(log(2SnK t_k)/(2N)); and likewise
    ||Q-hat_{k'} - Q||_1 <= sqrt(2 log(SnK 2^S t_k)/N). No event on the horizons is needed, and k = 1 is
    no exception.""",
    domain="all S, n, 1 <= k <= K, beta in [0, 1)",
    evidence=Evidence.PROOF,
    mutants={"radius a quarter": {"scale": fmpq(1, 4)}},
    repairs=("def:bonuses/same", "def:bonuses/order", "def:bonuses/event"),
)
def bonus_repair(book: Book, scale: fmpq = ONE) -> Finding:
    """Exact probabilities at S = n = 1, beta = 0, where t_k = k, could refute it; the argument is in `reason`."""
    values = {}
    for K in (2, 3, 5, 8):
        for mean in (HALF, fmpq(1, 10)):
            probability = _leaving_main_text_radius(K, mean, scale)
            values[f"K = k = {K}, r = {mean}"] = probability
            if probability > fmpq(1, K):
                return fails({"S, n, beta": (1, 1, 0), "K = k": K, "r": mean, "probability": probability})
    t = union_sums.t
    terms = (union_sums.mean_bound(t, scale), union_sums.row_bound(t, scale))
    ratios = [union_sums.union_ratio(t - 1, term, 1 / union_sums.K) for term in terms]
    if not (all(map(union_sums.at_most_one, ratios)) and book.stands("cited:hoeffding", "cited:weissman")):
        return undecided(f"the sum of the bounds, divided by 1/K, is {ratios[0]}")
    return holds(
        Evidence.PROOF,
        reason=(
            "the H_k are independent of the rewards and moves that a state would give at its l-th "
            "activation; given them t_k is a number, N <= t_k - 1, and the union over arm states and l "
            "gives (t_k - 1)/(t_k K) < 1/K"
        ),
        exact_probabilities=values,
    )


def _leaving_main_text_radius(K: int, mean: fmpq, scale: fmpq) -> fmpq:
    def leaves(trials: int, successes: int) -> bool:
        off = abs(fmpq(successes, trials) - mean) / scale
        return is_less(lambda: arb(2 * K * K).log(), lambda: arb(2 * trials * off**2))

    return episodic_exit(mean, ZERO, K - 1, leaves, longest=K - 1)[0]

"""Theorem 2, the lower bound: its whole printed domain, where exactly it holds, and its remarks."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.computations.symbolic import nonnegative_above
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import Arm, Bandit, Exact, policy_value, rational
from theory.certified import Truth, less
from theory.paper import BestArmPrior, mean_visits, needle_regret, squared_bound, visit_law

SECTION = "Theorem 2: lower bound"
VISITS_RATIO = 3598
"""The theorem is shown for n <= 3598 K/(S(1-beta)); beyond 3600 K/(S(1-beta)) it exceeds K/(1-beta)."""


def cubic_reaches(square: fmpq, constant: fmpq, low: fmpq, high: fmpq) -> bool:
    """Return whether square u^2 - constant >= u^3 wherever low <= u^2 <= high.

    The difference of the two sides rises up to u = 2 square/3 and falls from there, so the ends decide.
    """
    return all(square * v >= constant and (square * v - constant) ** 2 >= v**3 for v in (low, high))


def _theorem_witness(factor: fmpq, fewest: int, ratio: fmpq | None) -> dict[str, object] | None:
    """Return the smallest n at S = 1, K = 16, beta = 0 (16 pulls) where some learner has less than the bound."""
    where: dict[str, object] = {"S": 1, "K": 16, "beta": 0}
    if fewest <= 1:
        bound = squared_bound(1, 1, 16, 0, factor)
        return {**where, "n": 1, "regret (one arm: no choice)": 0, "square of the bound": bound}
    most = 16 * int(factor**2) + 1 if ratio is None else int((16 * ratio).floor())
    for n in range(fewest, most + 1):
        least = needle_regret(n, 16) if n >= 16 + 136 else 16 * (1 - fmpq(1, n))
        bound = squared_bound(1, n, 16, 0, factor)
        if bound > least**2:
            return {**where, "n": n, "regret of some learner": least, "square of the bound": bound}
    return None


@cache
def _needle_regret_of_episodes(S: int, n: int, K: int, beta: fmpq) -> fmpq:
    """Return a lower bound on S E[needle regret of T_i pulls], from the exact law up to three times its mean."""
    longest = 3 * int(mean_visits(S, K, beta).ceil())
    law = visit_law(S, K, beta, longest)
    known = sum((p * needle_regret(n, t) for t, p in enumerate(law)), fmpq(0))
    return S * (known + (1 - sum(law, fmpq(0))) * needle_regret(n, longest))


def ranges_follow() -> bool:
    """Verify the three steps from the regret of one state to a cubic in u = sqrt(rho), rho = n/m, for all values.

    With m = K/(S(1-beta)) >= 16 the mean number of visits: (1) sqrt(n m) = u m, the bound's unit per state. (2) Half
    of the needle's cost t - t(t+1)/(2n) of t = m/2 pulls is at least (m/4)(1 - 9/(32 rho)). (3) The mean of that cost,
    with E T = m and Var T = m^2 ((1+beta) S - 1)/K < m^2/8, is at least m (1 - 19/(32 rho)).
    """
    m, u, S, g, more, second = sympy.symbols("m u S g more second", positive=True)  # g = 1 - beta, K = 16 S + more
    unit = sympy.simplify(sympy.sqrt(u**2 * m * m) - u * m) == 0
    n, t = u**2 * m, m / 2
    half_cost, claimed = (t - t * (t + 1) / (2 * n)) / 2, m / 4 * (1 - sympy.Rational(9, 32) / u**2)
    half = nonnegative_above(sympy.expand(sympy.simplify((half_cost - claimed) * u**2)), {m: 16})
    # Var T < m^2/8: K - 8((2-g) S - 1) = 8 g S + more + 8 > 0
    spread = nonnegative_above(sympy.expand(16 * S + more - 8 * ((2 - g) * S - 1)), {S: 1, more: 0, g: 0})
    mean_cost = m - (second + m) / (2 * n)  # second = E T^2 = m^2 + Var T, at most 9 m^2/8
    slack = sympy.expand(sympy.simplify((mean_cost - m * (1 - sympy.Rational(19, 32) / u**2)) * 2 * n / m))
    at_most = sympy.expand(slack.subs(second, sympy.Rational(9, 8) * m**2))
    falls = sympy.diff(slack, second).is_negative is True
    return bool(unit and half and spread and falls and nonnegative_above(at_most, {m: 16}))


@claim(
    "thm:lower_bound",
    section=SECTION,
    statement="On some prior any learner has Bayesian regret at least (1/60) sqrt(SnK/(1-beta)).",
    domain="all S >= 1, n >= 1, 0 <= beta < 1, K >= 16 S",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={
        "1/50, n <= 3598 K/(S(1-beta))": {"factor": 50, "fewest_arms": 2, "ratio": VISITS_RATIO},
        "n <= 3599 K/(S(1-beta))": {"fewest_arms": 2, "ratio": VISITS_RATIO + 1},
    },
    controls={"2 <= n <= 3598 K/(S(1-beta))": {"fewest_arms": 2, "ratio": VISITS_RATIO}},
)
def lower_bound(book: Book, factor: Exact = 60, fewest_arms: int = 1, ratio: Exact | None = None) -> Finding:
    F, most = rational(factor), None if ratio is None else rational(ratio)
    witness = _theorem_witness(F, fewest_arms, most)
    rests_on = (
        "eq:regret_sto/constant",
        "eq:regret_sto/wide",
        "thm:lower_bound/half",
        "lem:concentration_T_i/variance",
        "thm:lower_bound/independent-of-play",
        "thm:lower_bound/separate-states",
        "thm:lower_bound/regret-by-steps",
        "thm:lower_bound/any-learner",
        "thm:lower_bound/tau-integer/repair",
        "eq:non-decreasing",
    )
    if not book.stands(*rests_on):
        return undecided("what it rests on does not stand")
    covered = fmpq(VISITS_RATIO) if most is None else most
    # m = K/(S(1-beta)) >= 16, rho = n/m = u^2; the bound is S m u / F.
    # Per state the printed bound is (1/F) sqrt(n m), as S n K/(1-beta) = S^2 n m.
    # rho <= 9/16: (1/2)(1/20) min(sqrt(n m/2), m/2), tau being rounded up: needs F^2 >= 3200 and u/F <= 1/80.
    low = F**2 >= 3200 and 6400 * fmpq(9, 16) <= F**2
    # 9/16 <= rho <= 100: the needle's cost at m/2 visits, half of the time: (m/4)(1 - 9/(32 rho)).
    # (There m/2 <= 8n/9 <= n - 1, where the cost t - t(t+1)/(2n) still grows in t, so rounding m/2 up is no loss.)
    middle = cubic_reaches(F / 4, 9 * F / 128, fmpq(9, 16), min(fmpq(100), covered))
    # 1 <= rho: the mean of T - T(T+1)/(2n), which is at most the cost for T > n too; Var T < m^2/8 and m >= 16 give
    # m (1 - 19/(32 rho)).
    high = cubic_reaches(F, 19 * F / 32, fmpq(1), covered)
    reason = (
        "three ranges of rho = n S(1-beta)/K: up to 9/16 the cited bound, up to 100 the needle prior at "
        "half the mean number of visits, beyond it the needle prior and the exact mean and variance of "
        "T_i"
    )
    if not ranges_follow():
        return undecided("a step of the argument is not an inequality for all parameters")
    if not (low and middle and high):
        return fails(witness) if witness else undecided("a range is not covered")
    for S, beta, rho in product((1, 2), (fmpq(0), fmpq(1, 2)), (fmpq(9, 16), fmpq(1), fmpq(100), covered)):
        n = int((rho * mean_visits(S, 16 * S, beta)).floor())
        if _needle_regret_of_episodes(S, n, 16 * S, beta) ** 2 < squared_bound(S, n, 16 * S, beta, F):
            return undecided("the exact law of T_i contradicts the argument", S=S, n=n, beta=beta)
    if witness is None:
        return holds(Evidence.PROOF, reason=reason)
    return holds_only(
        f"2 <= n <= {VISITS_RATIO} K/(S(1-beta)) (for n > 3600 K/(S(1-beta)) it exceeds the largest regret K/(1-beta))",
        Evidence.PROOF,
        {**witness, "smallest n >= 2 there": _theorem_witness(F, 2, None)},
        reason=reason,
    )


@claim(
    "thm:lower_bound/repair",
    section=SECTION,
    statement="""On some prior any learner has Bayesian regret at least
    (1/60) min(sqrt(SnK/(1-beta)), sqrt(3598) K/(1-beta)).""",
    domain="all S >= 1, n >= 2, 0 <= beta < 1, K >= 16 S",
    evidence=Evidence.PROOF,
    mutants={"sqrt(3601)": {"ratio": 3601}, "n = 1 too": {"fewest_arms": 1}},
    repairs=("thm:lower_bound",),
)
def lower_bound_repair(book: Book, ratio: int = VISITS_RATIO, fewest_arms: int = 2) -> Finding:
    bound = squared_bound(1, 16 * ratio, 16, 0)  # the least n at which the second term is the minimum
    if bound > 16**2:
        return fails({"S": 1, "K": 16, "beta": 0, "n": 16 * ratio, "square of the bound": bound, "regret at most": 16})
    inside = book.variant("thm:lower_bound", fewest_arms=fewest_arms, ratio=ratio)
    if inside.verdict is not Verdict.HOLDS:
        return fails(inside.witness) if inside.witness else inside
    if not book.stands("thm:lower_bound"):
        return undecided("the bound on the smaller domain does not stand")
    return holds(
        Evidence.PROOF, reason="inside as thm:lower_bound; beyond, the needle's cost m (1 - 19/(32 rho)) grows"
    )


@claim(
    "thm:lower_bound/sharper",
    section=SECTION,
    statement="On some prior any learner has Bayesian regret at least (1/49) sqrt(SnK/(1-beta)).",
    domain="all S >= 1, 0 <= beta < 1, K >= 16 S, 2 <= n <= K/(2S(1-beta))",
    evidence=Evidence.PROOF,
    mutants={"10/7 in place of 1/49": {"factor": fmpq(7, 10)}, "n <= 2402 K/(S(1-beta))": {"ratio": 2402}},
)
def sharper(book: Book, factor: Exact = 49, ratio: Exact = fmpq(1, 2)) -> Finding:
    witness = _theorem_witness(rational(factor), 2, rational(ratio))
    if witness:
        return fails(witness)
    rests_on = (
        "eq:regret_sto/constant",
        "thm:lower_bound/half",
        "thm:lower_bound/separate-states",
        "thm:lower_bound/independent-of-play",
        "thm:lower_bound/regret-by-steps",
        "thm:lower_bound/any-learner",
        "thm:lower_bound/tau-integer/repair",
        "eq:non-decreasing",
    )
    if not book.stands(*rests_on):
        return undecided("what it rests on does not stand")

    def constant_of_proof() -> arb:
        return (1 - arb(fmpq(4, 3)).log().sqrt()) / 8 / (2 * arb(2).sqrt())

    reached = less(lambda: 1 / arb(rational(factor)), constant_of_proof) is Truth.YES
    if reached and rational(ratio) <= fmpq(1, 2):  # n <= tau = m/2, so that the minimum is sqrt(n tau)
        return holds(
            Evidence.PROOF,
            constant=constant_of_proof(),
            reason="(1 - sqrt(log(4/3)))/8 as in eq:regret_sto/constant in place of 1/20; half of the time, tau = m/2",
        )
    return undecided("the argument does not give this constant, and no counterexample is at hand")


@claim(
    "thm:lower_bound/slice",
    section=SECTION,
    statement="At S = 1, K = 16, beta = 0 the theorem holds exactly for 2 <= n <= 57582.",
    domain="S = 1, K = 16, beta = 0, every n >= 1",
    evidence=Evidence.CERTIFIED,
    mutants={"up to 57583": {"last": 57583}, "up to 57581": {"last": 57581}, "from 1": {"first": 1}},
)
def slice_of_domain(book: Book, first: int = 2, last: int = 57582) -> Finding:
    if not book.stands("eq:regret_sto/wide"):
        return undecided("the minimax regret is not established")
    # 16 pulls. The needle prior gives the bound or not; where it does not, n >= 152 and its value is the minimax.
    good = [n for n in range(1, 57601) if squared_bound(1, n, 16, 0) <= needle_regret(n, 16) ** 2]
    settled = all(n == 1 or n >= 152 for n in set(range(1, 57601)) - set(good))
    # From n = 57600 on the bound is at least 16, and the regret below 16.
    beyond = squared_bound(1, 57600, 16, 0) >= 16**2
    if settled and beyond and good == list(range(first, last + 1)):
        return holds(Evidence.CERTIFIED, first=first, last=last)
    return fails(
        {"claimed": [first, last], "first": good[0], "last": good[-1], "regret there": needle_regret(good[-1], 16)}
    )


@claim(
    "thm:lower_bound/any-model",
    section=SECTION,
    statement="The bound is a lower bound on the expected regret of any learner for any model.",
    domain="2 <= n <= 3598 K/(S(1-beta)), K >= 16 S",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"any model of the prior's support": {"zero_rewards": False}},
    controls={"some model, for each learner": {"some_model": True}},
)
def any_model(book: Book, zero_rewards: bool = True, some_model: bool = False) -> Finding:
    S, n, K, beta = 1, 2, 16, 0
    if some_model:
        stands = book.stands("thm:lower_bound/some-model")
        return holds(Evidence.PROOF) if stands else undecided("the repair does not stand")
    if zero_rewards:
        bandit = Bandit([Arm(rewards=[0], transitions=[[1]]), Arm(rewards=[0], transitions=[[1]])], beta)
    else:
        bandit = next(iter(BestArmPrior(S, n, beta, "3/8", "5/8").models()))[1]
    regret = _regret_of_first_arm(bandit, K)
    bound = squared_bound(S, n, K, beta)
    if regret**2 >= bound:
        return undecided("this model does not refute it", regret=regret)
    return fails(
        {
            "S": S,
            "n": n,
            "K": K,
            "model": bandit,
            "learner": "always arm 1",
            "regret": regret,
            "square of the bound": bound,
        }
    )


def _regret_of_first_arm(bandit: Bandit, K: int) -> fmpq:
    start = (0,) * len(bandit.arms)
    optimum = max(policy_value(bandit, lambda _state, arm=arm: arm)[start] for arm in range(len(bandit.arms)))  # type: ignore[misc]
    return K * (optimum - policy_value(bandit, lambda _state: 0)[start])


@claim(
    "thm:lower_bound/some-model",
    section=SECTION,
    statement="""For any learner there is a model, in the support of the prior, on which its expected regret is at least
    the bound: a lower bound on the supremum over models.""",
    domain="2 <= n <= 3598 K/(S(1-beta)), K >= 16 S",
    evidence=Evidence.PROOF,
    mutants={"one model for all learners": {"one_for_all": True}},
    repairs=("thm:lower_bound/any-model",),
)
def some_model(book: Book, one_for_all: bool = False) -> Finding:
    if not book.stands("thm:lower_bound"):
        return undecided("the theorem does not stand")
    S, n, K, beta = 1, 2, 16, 0
    bound = squared_bound(S, n, K, beta)
    prior = BestArmPrior(S, n, beta, "3/8", "5/8")
    # Learners that always play one arm: rows are learners, columns models. Some model is bad for each, none for all.
    regrets = [
        [sum((prior.gap for a in best if a != arm), fmpq(0)) * K for best, _ in prior.models()] for arm in range(n)
    ]
    for row in regrets:
        if max(row) < sum(row, fmpq(0)) / len(row) or max(row) ** 2 < bound:
            return fails({"regrets": regrets})
    if one_for_all and all(min(column) ** 2 < bound for column in zip(*regrets, strict=True)):
        return fails({"S": S, "n": n, "K": K, "regrets of two constant learners on two models": regrets})
    return holds(
        Evidence.PROOF, reason="the prior's support is finite, and the largest of the regrets is at least their mean"
    )


@claim(
    "thm:lower_bound/general-mdp",
    section=SECTION,
    statement="""The lower bound of general MDPs with S^n states, (1/60) sqrt(S^n n K/(1-beta)), does not carry over to
    Markovian bandits: it exceeds the largest regret K/(1-beta).""",
    domain="S = 2, n = 14, K = 32, beta = 0",
    evidence=Evidence.CERTIFIED,
    mutants={"n = 13": {"n": 13}, "with S n states": {"exponential": False}},
)
def general_mdp(book: Book, n: int = 14, exponential: bool = True) -> Finding:
    S, K = 2, 32
    states = S**n if exponential else S * n
    bound, largest = squared_bound(states, n, K, 0), fmpq(K)
    values: dict[str, Any] = {"n": n, "states": states, "square of the bound": bound, "largest regret": largest}
    return holds(Evidence.CERTIFIED, **values) if bound > largest**2 else fails(values)


@claim(
    "thm:lower_bound/constant",
    section=SECTION,
    statement="40 sqrt(2) <= 60.",
    domain="the numbers themselves",
    evidence=Evidence.CERTIFIED,
    mutants={"40 sqrt(2) <= 56": {"claimed": 56}},
)
def constant(book: Book, claimed: int = 60) -> Finding:
    left = 40 * arb(2).sqrt()
    if less(lambda: arb(claimed), lambda: 40 * arb(2).sqrt()) is Truth.NO:
        return holds(Evidence.CERTIFIED, left=left, slack=fmpq(claimed**2, 3200))
    return fails({"left": left, "right": claimed})

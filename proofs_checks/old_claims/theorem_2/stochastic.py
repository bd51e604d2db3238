"""The stochastic bandits that Theorem 2 stands on: eq:regret_sto, its domain, and the exact minimax of many arms."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.theorem_2.statement import SECTION, cubic_reaches
from proofs_checks.computations.symbolic import nonnegative_above
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import Exact, rational
from theory.certified import Truth, at_most
from theory.paper import (
    BestArmPrior,
    known_horizon_regrets,
    needle_regret,
    stay_with_winner_on,
    stay_with_winner_regret,
)

LITERATURE = "Results from the literature"

STOCHASTIC_RATIO = 397
"""eq:regret_sto is shown for n <= 397 tau; for n >= 400 tau it exceeds tau."""


@claim(
    "cited:auer-lower-bound",
    section=LITERATURE,
    statement="""One of n arms, drawn uniformly, pays Bernoulli rewards of mean 1/2+e, the others of mean 1/2. Any
    learner's Bayesian regret over tau pulls is at least
    e tau (1 - 1/n - (1/2) sqrt(-(tau/n) log(1-4e^2))).""",
    domain="integers n >= 2, tau >= 1; 0 < e <= 1/4 (Auer, Cesa-Bianchi, Freund, Schapire 2002, Theorem A.2)",
    evidence=Evidence.CITED,
    mutants={"1/20 in place of 1/2": {"factor": fmpq(1, 20)}, "1 in place of 1 - 1/n": {"chance": 0}},
)
def auer_lower_bound(book: Book, factor: Exact = fmpq(1, 2), chance: int = 1) -> Finding:
    """Try it against the Bayes-optimal learner."""
    tried = 0
    for (n, most), e in product(((2, 12), (3, 6), (4, 4)), (fmpq(1, 4), fmpq(1, 8), fmpq(1, 50))):
        prior = BestArmPrior(1, n, 0, fmpq(1, 2), fmpq(1, 2) + e)
        for tau, regret in list(enumerate(known_horizon_regrets(prior, most)))[1:]:
            tried += 1

            def bound(n: int = n, tau: int = tau, e: fmpq = e) -> arb:
                root = (-arb(fmpq(tau, n)) * (1 - 4 * arb(e) ** 2).log()).sqrt()
                return arb(e * tau) * (1 - arb(fmpq(chance, n)) - arb(rational(factor)) * root)

            if at_most(bound, lambda regret=regret: arb(regret)) is not Truth.YES:  # type: ignore[misc]
                return fails({"n": n, "tau": tau, "e": e, "Bayes-optimal regret": regret})
    return holds(Evidence.CITED, instances=tried)


@claim(
    "eq:regret_sto/constant",
    section=SECTION,
    statement="""With e = (1/4) min(sqrt(n/tau), 1), any learner's Bayesian regret is at least
    (1/20) min(sqrt(n tau), tau).""",
    domain="integers n >= 2, tau >= 1",
    evidence=Evidence.PROOF,
    mutants={"1/9 in place of 1/20": {"claimed": fmpq(1, 9)}},
)
def stochastic_constant(book: Book, claimed: Exact = fmpq(1, 20)) -> Finding:
    if not book.stands("cited:auer-lower-bound"):
        return undecided("the cited bound does not stand")
    # x = 4 e^2 = min(n/tau, 1)/4 <= 1/4, and -log(1-x) is convex and 0 at 0, so at most 4 log(4/3) x there:
    # (tau/n)(-log(1-x)) <= log(4/3). With 1 - 1/n >= 1/2 the regret is at least (e tau / 2)(1 - sqrt(log(4/3))).
    x = sympy.Symbol("x")
    if sympy.simplify(sympy.diff(-sympy.log(1 - x), x, 2) - 1 / (1 - x) ** 2) != 0:
        return undecided("the second derivative is not 1/(1-x)^2")

    def attained() -> arb:
        return (1 - arb(fmpq(4, 3)).log().sqrt()) / 8

    proved = at_most(lambda: arb(rational(claimed)), attained)
    if proved is Truth.YES:
        return holds(
            Evidence.PROOF,
            constant=attained(),
            reason="convexity of -log(1-x) on [0, 1/4] bounds the root by sqrt(log(4/3)); 1 - 1/n >= 1/2",
        )
    for n, tau, root in ((2, 1, 1), (2, 2, 1), (2, 8, 2), (3, 3, 1), (4, 4, 1), (3, 12, 2), (2, 18, 3), (2, 32, 4)):
        gap = fmpq(1, 4 * root)  # root = sqrt(tau/n), or 1 for tau < n
        regret = known_horizon_regrets(BestArmPrior(1, n, 0, fmpq(1, 2), fmpq(1, 2) + gap), tau)[-1]
        bound = rational(claimed) * min(root * n, tau)
        if regret < bound:
            return fails({"n": n, "tau": tau, "e": gap, "Bayes-optimal regret": regret, "claimed": bound})
    return undecided("the argument does not give this constant, and no counterexample is at hand")


def _arms_enough(tau: int) -> int:
    return tau + tau * (tau + 1) // 2


@claim(
    "eq:regret_sto/wide",
    section=SECTION,
    statement="""The minimax regret of tau pulls of n arms with rewards in [0, 1] is exactly tau - tau(tau+1)/(2n); the
    prior with one arm of mean 1, drawn uniformly, and the others of mean 0 attains it.""",
    domain="integers tau >= 1, n >= tau + tau(tau+1)/2",
    evidence=Evidence.PROOF,
    mutants={"for n >= tau - 1": {"fewest": lambda tau: tau - 1}, "tau(tau+1)/n": {"share": 1}},
)
def wide(book: Book, fewest: Callable[[int], int] = _arms_enough, share: Exact = fmpq(1, 2)) -> Finding:
    # Within a claimed domain, known priors must not exceed the claimed value, nor the needle prior fall below it.
    for tau in range(1, 6):
        for n in range(max(2, fewest(tau)), 7):
            value = tau - rational(share) * fmpq(tau * (tau + 1), n)
            for base, best in ((0, 1), (fmpq(1, 8), fmpq(7, 8)), (fmpq(1, 4), fmpq(3, 4))):
                regret = known_horizon_regrets(BestArmPrior(1, n, 0, base, best), tau)[-1]
                if regret > value or (base == 0 and regret != value):
                    return fails({"n": n, "tau": tau, "means": [base, best], "regret": regret, "claimed": value})
    generator = book.generator("stay with the winner")
    for tau, n in ((1, 2), (2, 5), (3, 9)):  # n = tau + tau(tau+1)/2, on arms of any means
        for _ in range(5):
            means = [fmpq(int(numerator), 8) for numerator in generator.integers(0, 9, n)]
            if stay_with_winner_on(means, tau) > needle_regret(n, tau):
                return fails({"means": means, "tau": tau, "regret": stay_with_winner_on(means, tau)})
    # Upper bound: try a new arm until one pays, then stay. f_t = t mu + t(t-1)/2 mu^2. By induction its reward with A
    # untried arms, the best among them, is at least f_t/A as long as A - 1 >= f_{t-1}; equality below is that step.
    t, mu, A, n = sympy.symbols("t mu A n", positive=True)
    f = t * mu + t * (t - 1) / 2 * mu**2
    earlier = f.subs(t, t - 1)
    step = (mu * (1 + (t - 1) * mu) + (A - 1) * earlier / (A - 1)) / A - f / A
    regret = t * mu - f / n
    at_one = sympy.simplify(regret.subs(mu, 1) - (t - t * (t + 1) / (2 * n)))
    slope = sympy.simplify(sympy.diff(regret, mu) - (t - (t + t * (t - 1) * mu) / n))
    # Of a wrong arm of mean nu: nu + (t-1) nu^2 + (1-nu) f_{t-1}/(A-1) >= f_{t-1}/(A-1), with A - 1 = f_{t-1} + spare.
    nu, spare, F = sympy.symbols("nu spare F", positive=True)
    wrong_arm = (nu + (t - 1) * nu**2) * (F + spare) + (1 - nu) * F - F
    # The condition lasts: n - s - 1 arms are left for the t = tau - s pulls, and f is at most tau(tau+1)/2 (mu = 1).
    largest = sympy.expand(f.subs(mu, 1) - t * (t + 1) / 2) == 0 and sympy.diff(f, mu).subs(t, 1 + spare).is_positive
    # The needle: the t-th pull hits with probability at most t/n, t of n arms at most being tried by then.
    j = sympy.symbols("j", integer=True, positive=True)
    needle = sympy.simplify(sympy.summation(1 - j / n, (j, 1, t)) - (t - t * (t + 1) / (2 * n))) == 0
    lasts = nonnegative_above(sympy.expand(wrong_arm), {nu: 0, spare: 0, F: 0, t: 1}) and largest and needle
    if sympy.simplify(step) != 0 or at_one != 0 or slope != 0 or not lasts:
        return undecided("an identity of the argument does not hold")
    example = stay_with_winner_regret(152, 16, 1)
    return holds(
        Evidence.PROOF,
        regret_of_16_pulls_of_152_arms=example,
        reason=(
            "below: the t-th pull hits the needle with probability at most t/n; above: a new arm until "
            "one pays has reward at least f/n by induction, and its regret grows with mu for n >= tau "
            "(slope tau - (tau + ...)/n)"
        ),
    )


def _stochastic_witness(factor: fmpq, fewest: int, ratio: fmpq | None) -> dict[str, object] | None:
    """Return the smallest (tau, n) found where sqrt(n tau)/factor exceeds what some learner has."""
    if fewest <= 1:
        return {"n": 1, "tau": 1, "regret (one arm: no choice)": 0, "bound": 1 / factor}
    for tau in range(1, 4):
        most = int(factor**2) + 1 if ratio is None else int((ratio * tau).floor())
        for n in range(fewest, most + 1):
            # An arm drawn uniformly and kept costs at most tau (1 - 1/n).
            least = needle_regret(n, tau) if n >= tau + tau * (tau + 1) // 2 else tau * (1 - fmpq(1, n))
            if fmpq(n * tau) > (factor * least) ** 2:
                return {"n": n, "tau": tau, "regret of some learner": least, "square of the bound": n * tau / factor**2}
    return None


@claim(
    "eq:regret_sto",
    section=SECTION,
    statement="""For any n and tau there is a prior on bandits of n arms on which any learner has regret at least
    sqrt(n tau)/20.""",
    domain="all numbers of arms n >= 1 and steps tau >= 1",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={
        "1/2 in place of 1/20": {"factor": 2, "fewest_arms": 2, "ratio": STOCHASTIC_RATIO},
        "n <= 398 tau": {"fewest_arms": 2, "ratio": STOCHASTIC_RATIO + 1},
    },
    controls={"2 <= n <= 397 tau": {"fewest_arms": 2, "ratio": STOCHASTIC_RATIO}},
)
def regret_sto(book: Book, factor: Exact = 20, fewest_arms: int = 1, ratio: Exact | None = None) -> Finding:
    c, most = rational(factor), None if ratio is None else rational(ratio)
    witness = _stochastic_witness(c, fewest_arms, most)
    smaller = f"2 <= n <= {STOCHASTIC_RATIO} tau (it fails for every n >= 400 tau, where it exceeds tau (1 - 1/n))"
    if c < 20:
        return fails(witness) if witness else undecided("no witness found")
    if not (book.stands("eq:regret_sto/constant", "eq:regret_sto/wide")):
        return undecided("what it rests on does not stand")
    # For n <= tau: the constant. Beyond: with u^2 = n/tau, u/c <= 1 - (1+1/tau)/(2 u^2) is c u^2 - c(1+1/tau)/2 >= u^3.
    covered = fmpq(STOCHASTIC_RATIO) if most is None else most
    proved = cubic_reaches(c, c * fmpq(3, 4), fmpq(1), covered) and cubic_reaches(c, c, fmpq(2), covered)
    reason = "n <= tau: eq:regret_sto/constant; tau < n: the needle prior, and a cubic in sqrt(n/tau) at both ends"
    if not proved:
        return fails(witness) if witness else undecided("the cubic is negative at an end")
    if witness is None:
        return holds(Evidence.PROOF, reason=reason)
    values = {"smallest n >= 2 at tau = 1": _stochastic_witness(c, 2, None)}
    return holds_only(smaller, Evidence.PROOF, {**witness, **values}, reason=reason)


@claim(
    "eq:regret_sto/repair",
    section=SECTION,
    statement="On some prior any learner has regret at least (1/20) min(sqrt(n tau), sqrt(397) tau).",
    domain="integers n >= 2, tau >= 1",
    evidence=Evidence.PROOF,
    mutants={"sqrt(401) tau": {"ratio": 401}, "n = 1 too": {"fewest_arms": 1}},
    repairs=("eq:regret_sto",),
)
def regret_sto_repair(book: Book, ratio: int = STOCHASTIC_RATIO, fewest_arms: int = 2) -> Finding:
    if fmpq(ratio, 400) > 1:  # tau = 1, where the regret is at most 1
        return fails({"tau": 1, "n": ratio, "square of the bound": fmpq(ratio, 400), "regret at most": 1})
    inside = book.variant("eq:regret_sto", fewest_arms=fewest_arms, ratio=ratio)
    if inside.verdict is not Verdict.HOLDS:
        return fails(inside.witness) if inside.witness else inside
    if not book.stands("eq:regret_sto"):
        return undecided("the bound on the smaller domain does not stand")
    # n > 397 tau: the needle costs tau (1 - (1+1/tau) tau/(2n)), which grows with n, and is past the bound at 397 tau.
    return holds(Evidence.PROOF, reason="inside n <= 397 tau as eq:regret_sto; beyond, the needle's cost grows with n")


@claim(
    "eq:lower2",
    section=SECTION,
    statement="""The sum over i of E[Reg(tau) 1{T_i >= tau}] is at least (S/20) sqrt(n tau) P(T_i >= tau), tau rounded
    up where it stands for a number of steps.""",
    domain="all S >= 1, n >= 1, 0 <= beta < 1, K >= 16 S; tau = K/(2S(1-beta))",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"2 <= n <= 400 tau": {"fewest_arms": 2, "ratio": 400}},
    controls={"2 <= n <= 397 tau": {"fewest_arms": 2, "ratio": STOCHASTIC_RATIO}},
)
def lower2(book: Book, fewest_arms: int = 1, ratio: int | None = None) -> Finding:
    S, K, tau = 1, 16, 8  # beta = 0: T = 16 >= tau always
    where: dict[str, object] = {"S": S, "K": K, "beta": 0, "tau": tau, "P(T >= tau)": 1}
    if not book.stands("eq:regret_sto/wide"):
        return undecided("the minimax regret of many arms is not established")
    witness: dict[str, object] = {}
    if fewest_arms <= 1:
        witness = {**where, "n": 1, "left side": 0, "square of the right side": fmpq(tau, 400)}
    elif ratio is None or ratio > STOCHASTIC_RATIO:
        n = 400 * tau
        left, right = needle_regret(n, tau), fmpq(n * tau, 400)
        if (ratio is None or n <= ratio * tau) and left**2 < right:
            witness = {**where, "n": n, "left side": left, "square of the right side": right}
    if not book.stands("eq:regret_sto", "thm:lower_bound/independent-of-play", "thm:lower_bound/tau-integer/repair"):
        return undecided("what it rests on does not stand")
    if ratio is not None and ratio > STOCHASTIC_RATIO:
        return fails(witness) if witness else undecided("between the ranges of eq:regret_sto")
    reason = "eq:regret_sto for ceil(tau) >= tau, on its own domain; T_i is independent of the rewards and of the play"
    if not witness:
        return holds(Evidence.PROOF, reason=reason)
    return holds_only(f"2 <= n <= {STOCHASTIC_RATIO} tau", Evidence.PROOF, witness, reason=reason)

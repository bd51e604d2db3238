"""Theorem 2, the lower bound: the stochastic bandits it stands on, its whole printed domain, and its remarks."""

from __future__ import annotations

from itertools import product

import sympy
from flint import arb, fmpq

from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import policy_value
from theory.bayes_regret import known_horizon_regrets
from theory.certified import Truth, at_most, less
from theory.lower_bound import BestArmPrior, needle_regret, squared_bound, stay_with_winner_regret
from theory.model import Arm, Bandit
from theory.rationals import Exact, rational

SECTION = "Theorem 2: lower bound"
LITERATURE = "Results from the literature"

STOCHASTIC_RATIO = 397
"""eq:regret_sto is shown for n <= 397 tau; for n >= 400 tau it exceeds tau."""

VISITS_RATIO = 3598
"""The theorem is shown for n <= 3598 K/(S(1-beta)); beyond 3600 K/(S(1-beta)) it exceeds K/(1-beta)."""


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
    mutants={"1/17 in place of 1/20": {"claimed": fmpq(1, 17)}},
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
    return fails({"claimed": rational(claimed), "constant the argument gives": attained()})


@claim(
    "eq:regret_sto/wide",
    section=SECTION,
    statement="""The minimax regret of tau pulls of n arms with rewards in [0, 1] is exactly tau - tau(tau+1)/(2n); the
    prior with one arm of mean 1, drawn uniformly, and the others of mean 0 attains it.""",
    domain="integers tau >= 1, n >= tau + tau(tau+1)/2",
    evidence=Evidence.PROOF,
    mutants={"for n >= tau - 1": {"fewest": lambda tau: tau - 1}, "tau(tau+1)/n": {"share": 1}},
)
def wide(book: Book, fewest: object = None, share: Exact = fmpq(1, 2)) -> Finding:
    least = fewest if callable(fewest) else (lambda tau: tau + tau * (tau + 1) // 2)
    # Within a claimed domain, known priors must not exceed the claimed value, nor the needle prior fall below it.
    for tau in range(1, 6):
        for n in range(max(2, least(tau)), 7):
            value = tau - rational(share) * fmpq(tau * (tau + 1), n)
            for base, best in ((0, 1), (fmpq(1, 8), fmpq(7, 8)), (fmpq(1, 4), fmpq(3, 4))):
                regret = known_horizon_regrets(BestArmPrior(1, n, 0, base, best), tau)[-1]
                if regret > value or (base == 0 and regret != value):
                    return fails({"n": n, "tau": tau, "means": [base, best], "regret": regret, "claimed": value})
    # Upper bound: try a new arm until one pays, then stay. f_t = t mu + t(t-1)/2 mu^2. By induction its reward with A
    # untried arms, the best among them, is at least f_t/A as long as A - 1 >= f_{t-1}; equality below is that step.
    t, mu, A, n = sympy.symbols("t mu A n", positive=True)
    f = t * mu + t * (t - 1) / 2 * mu**2
    earlier = f.subs(t, t - 1)
    step = (mu * (1 + (t - 1) * mu) + (A - 1) * earlier / (A - 1)) / A - f / A
    regret = t * mu - f / n
    at_one = sympy.simplify(regret.subs(mu, 1) - (t - t * (t + 1) / (2 * n)))
    slope = sympy.simplify(sympy.diff(regret, mu) - (t - (t + t * (t - 1) * mu) / n))
    if sympy.simplify(step) != 0 or at_one != 0 or slope != 0:
        return undecided("an identity of the argument does not hold")
    example = stay_with_winner_regret(152, 16, 1)
    return holds(
        Evidence.PROOF,
        regret_of_16_pulls_of_152_arms=example,
        reason="""below: the t-th pull hits the needle with probability at most t/n; above: a new arm until one pays has
        reward at least f/n by induction, and its regret grows with mu for n >= tau (slope tau - (tau + ...)/n)""",
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
    statement="For any n and tau there is a prior on bandits of n arms on which any learner has regret at least sqrt(n tau)/20.",
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
    proved = _cubic(c, c * fmpq(3, 4), fmpq(1), covered) and _cubic(c, c, fmpq(2), covered)
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
    if ratio > 400:
        return fails({"tau": 1, "n": ratio, "square of the bound": fmpq(ratio, 400), "regret at most": 1})
    inside = book.variant("eq:regret_sto", fewest_arms=fewest_arms, ratio=ratio)
    if inside.verdict is not Verdict.HOLDS:
        return fails(inside.witness) if inside.witness else inside
    if not book.stands("eq:regret_sto"):
        return undecided("the bound on the smaller domain does not stand")
    # n > 397 tau: the needle costs tau (1 - (1+1/tau) tau/(2n)), which grows with n, and is past the bound at 397 tau.
    return holds(Evidence.PROOF, reason="inside n <= 397 tau as eq:regret_sto; beyond, the needle's cost grows with n")


def _cubic(square: fmpq, constant: fmpq, low: fmpq, high: fmpq) -> bool:
    """Return whether square u^2 - constant >= u^3 wherever low <= u^2 <= high: it rises, then falls, so at both ends."""
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
    )
    if not book.stands(*rests_on):
        return undecided("what it rests on does not stand")
    covered = fmpq(VISITS_RATIO) if most is None else most
    # m = K/(S(1-beta)) >= 16, rho = n/m = u^2; the bound is S m u / F.
    # rho <= 9/16: (1/2)(1/20) min(sqrt(n m/2), m/2), tau being rounded up: needs F^2 >= 3200 and u/F <= 1/80.
    low = F**2 >= 3200 and F**2 >= 6400 * fmpq(9, 16)
    # 9/16 <= rho <= 100: the needle's cost at m/2 visits, half of the time: (m/4)(1 - 9/(32 rho)).
    middle = _cubic(F / 4, 9 * F / 128, fmpq(9, 16), min(fmpq(100), covered))
    # 1 <= rho: the mean of T - T(T+1)/(2n) with Var T < m^2/8 and m >= 16: m (1 - 19/(32 rho)).
    high = _cubic(F, 19 * F / 32, fmpq(1), covered)
    reason = """three ranges of rho = n S(1-beta)/K: up to 9/16 the cited bound, up to 100 the needle prior at half the
    mean number of visits, beyond it the needle prior and the exact mean and variance of T_i"""
    if not (low and middle and high):
        return fails(witness) if witness else undecided("a range is not covered")
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
    if ratio > 3600:
        bound = squared_bound(1, 16 * ratio, 16, 0)
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
        bandit = Bandit([Arm([0], [[1]]), Arm([0], [[1]])], beta)
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
    values = {"n": n, "states": states, "square of the bound": bound, "largest regret": largest}
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

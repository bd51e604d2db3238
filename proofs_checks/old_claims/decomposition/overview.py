"""The overview of the proof of Theorem 1: how the regret of an episode is split, before any algorithm is named."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import product

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.decomposition.model_pairs import pairs
from proofs_checks.computations.row_arguments import triangle_inequality
from proofs_checks.computations.symbolic import is_identity, nonnegative_above
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import ONE, ZERO, Arm, Bandit, GlobalState, expectation, policy_value
from theory.bayes import FinitePrior, expectation_over, scenarios
from theory.certified import Truth, at_most, less
from theory.paper import last_log_factor, log_factor
from theory.values import Values, finite_horizon_value, geometric_mixture, optimal_value, values_after

SECTION = "Proof of Theorem 1: overview"
LONGEST = 4
HALF = fmpq(1, 2)


@claim(
    "eq:proofAB",
    section=SECTION,
    statement="""Delta_k, which the sketch defines as W_{M,1:H}^{pi_*}(x) - W_{M_k,1:H}^{pi_k}(x), equals (A) + (B),
    where (A) = W_M^{pi_*} - W_{M_k}^{pi_k} and (B) = W_{M_k}^{pi_k} - W_M^{pi_k}.""",
    domain="any two bandits of equal sizes, H >= 1, any start",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"(A) - (B)": {"sign": -1}},
    controls={"last value taken in M, as in the appendix": {"last_model": "M"}},
)
def proof_ab(book: Book, last_model: str = "M_k", sign: int = 1) -> Finding:
    """Evaluate both sides; the sketch's Delta_k is (A) alone, and (B) is seldom 0."""
    for pair in pairs(book, "overview"):
        best = optimal_value(pair.true).policy
        for steps in range(1, LONGEST + 1):
            optimum = finite_horizon_value(pair.true, best, steps)
            learned = finite_horizon_value(pair.learned, pair.policy, steps)
            played = finite_horizon_value(pair.true, pair.policy, steps)
            for x in optimum:
                delta = optimum[x] - (learned if last_model == "M_k" else played)[x]
                split = (optimum[x] - learned[x]) + sign * (learned[x] - played[x])
                if delta != split:
                    return fails(pair.described(H=steps, start=x, delta=delta, sum_of_both=split))
    best_true, learned_own, learned_true = sympy.symbols("a b c")  # W_M^{pi_*}, W_{M_k}^{pi_k}, W_M^{pi_k}
    if not is_identity(best_true - learned_true, (best_true - learned_own) + sign * (learned_own - learned_true)):
        return undecided("the identity does not hold in free symbols")
    return holds(Evidence.PROOF, reason="a - c = (a - b) + (b - c)")


@claim(
    "eq:proofAB/repair",
    section=SECTION,
    statement="Delta_k = W_{M,1:H}^{pi_*}(x) - W_{M,1:H}^{pi_k}(x), the appendix's definition, equals (A) + (B).",
    domain="any two bandits of equal sizes, H >= 1, any start",
    evidence=Evidence.PROOF,
    mutants={"the sketch's definition": {"last_model": "M_k"}},
    repairs=("eq:proofAB",),
)
def proof_ab_repair(book: Book, last_model: str = "M") -> Finding:
    return proof_ab(book, last_model)


@claim(
    "eq:gap_overview",
    section=SECTION,
    statement="E[Delta_k] <= E[H_k] P(not E) + E[Delta_k 1_E].",
    domain="rewards of M in [0, 1]; H_k geometric; E independent of H_k",
    evidence=Evidence.PROOF,
    mutants={"E depends on H_k": {"event": "H = 1"}, "rewards up to 2": {"scale": 2}},
)
def gap_overview(book: Book, event: str = "independent", scale: int = 1) -> Finding:
    """Two arms of one state, rewards `scale` and 0; the optimal policy plays the first, pi_k the second.

    So Delta_k = `scale` * H_k, the largest gap there is; not E is H_k >= 2, or independent of probability 1/2.
    """
    for beta in (ZERO, HALF, fmpq(9, 10)):
        bandit = Bandit([Arm(rewards=[scale], transitions=[[1]]), Arm(rewards=[0], transitions=[[1]])], beta)
        gap = policy_value(bandit, lambda _: 0)[0, 0] - policy_value(bandit, lambda _: 1)[0, 0]
        at_one = finite_horizon_value(bandit, lambda _: 0, 1)[0, 0]
        off = HALF if event == "independent" else beta
        lost = gap * off if event == "independent" else gap - (1 - beta) * at_one
        if lost > off / (1 - beta):
            return fails(
                {"model": bandit, "E": event, "E[Delta 1_notE]": lost, "E[H] P(not E)": off / (1 - beta), "gap": gap}
            )
    p, q, h, above, below = sympy.symbols("p q h above below")  # P(H_k = h), P(not E), and the slacks in 0 <= W <= h
    lost_at_h = p * q * ((h - above) - below)  # E[Delta_k 1_{H_k = h, not E}]
    slack = sympy.expand(p * q * h - lost_at_h)
    independent = event == "independent" and book.stands("lem:regret_decomposition/horizon-bound")
    if not independent or scale > 1 or not nonnegative_above(slack, dict.fromkeys((p, q, h, above, below), 0)):
        return undecided("the comparison for each horizon does not apply")
    return holds(
        Evidence.PROOF,
        reason="""Delta_k = Delta_k 1_E + Delta_k 1_{not E}. By independence P(H_k = h, not E) is a product, and
        Delta_k <= h there, since 0 <= W <= h; then the sum over h, which is E[H_k] P(not E) on the right.""",
    )


def _two_means() -> FinitePrior:
    return FinitePrior(
        [Bandit([Arm(rewards=[r], transitions=[[1]])], HALF) for r in (fmpq(1, 4), fmpq(3, 4))], [HALF, HALF]
    )


@claim(
    "eq:def_model",
    section=SECTION,
    statement="E[Delta_k^model] = V_M^{pi_*}(X_{t_k}) - V_{M_k}^{pi_k}(X_{t_k}), a number on the left.",
    domain="MB-PSRL, any finite prior",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"means 1/4, 3/4, right side doubled": {"multiple": 2}},
    controls={"given M, M_k and the start": {"given": "models"}},
)
def def_model(book: Book, given: str = "nothing", multiple: int = 1) -> Finding:
    """One arm, one state, means 1/4 or 3/4, episode 1, beta = 1/2: the right side takes three values."""
    prior = _two_means()
    optima = [optimal_value(model).values[0,] for model in prior.models]
    outcomes = scenarios(prior, [], {(0,): ONE})
    mean = expectation_over(outcomes, lambda each: optima[each.model] - optima[each.samples[-1]])
    for each in outcomes:
        right = multiple * (optima[each.model] - optima[each.samples[-1]])
        true, learned = prior.models[each.model], prior.models[each.samples[-1]]
        left = mean if given == "nothing" else _over_horizons(true) - _over_horizons(learned)
        if left != right:
            return fails({"M": true, "M_k": learned, "probability": each.probability, "left": left, "right": right})
    return holds(Evidence.CERTIFIED, cases=len(outcomes))


def _over_horizons(model: Bandit) -> fmpq:
    """Return E[W_{1:H}] exactly, for one state: up to LONGEST steps, and then W_L + E[W_{1:H'}] with H' geometric."""
    mixture, mass = geometric_mixture(model, lambda _: 0, LONGEST)
    total: fmpq = (mixture[0,] + mass * finite_horizon_value(model, lambda _: 0, LONGEST)[0,]) / (1 - mass)
    return total


@claim(
    "eq:def_model/repair",
    section=SECTION,
    statement="""E[Delta_k^model | O_{k-1}, M, M_k, X_{t_k}] = V_M^{pi_*}(X_{t_k}) - V_{M_k}^{pi_k}(X_{t_k}), because
    V = E[W_{1:H}] for each model with its policy.""",
    domain="""finite bandits with rewards in [0, 1], any stationary policies, H geometric of parameter 1 - beta and
    independent of models, policies and start""",
    evidence=Evidence.PROOF,
    mutants={"horizon one step longer": {"more": 1}},
    repairs=("eq:def_model",),
)
def def_model_repair(book: Book, more: int = 0) -> Finding:
    """Compare V with sum_{h<=L} (1-beta) beta^{h-1} W_h + beta^L (W_L + P^L V): beyond L the count restarts."""
    tried = 0
    for pair in pairs(book, "horizons"):
        for bandit in (pair.true, pair.learned):
            tried += 1
            values = policy_value(bandit, pair.policy)
            mixture, mass = geometric_mixture(bandit, pair.policy, LONGEST)
            finite = finite_horizon_value(bandit, pair.policy, LONGEST)
            longer = _after(bandit, pair.policy, LONGEST + more, values)
            for x in values:
                again = mixture[x] + mass * (finite[x] + longer[x])
                if values[x] != again:
                    return fails({"model": bandit, "state": x, "V": values[x], "E[W]": again})
    if more or not book.stands("eq:V-vs_R"):
        return undecided("eq:V-vs_R does not give it")
    return holds(
        Evidence.PROOF,
        reason="Given the models, policies and start, H keeps its law: eq:V-vs_R for either model, and the difference.",
        instances_compared=tried,
    )


def _after(bandit: Bandit, policy: Mapping[GlobalState, int], steps: int, values: Values) -> Values:
    """Return P^steps applied to `values`: W over `steps` steps with a final payment, less W without it."""
    for _ in range(steps):
        values = {
            x: expectation(bandit.arms[a].transitions[x[a]], values_after(bandit, values, x, a))
            for x, a in policy.items()
        }
    return values


@claim(
    "eq:concentration",
    section=SECTION,
    statement="""On the event, |r_k - r| <= L_K / sqrt(max{1, N_{k-1}}) and ||Q_k - Q||_1 <= (2 L_K + 3 sqrt S) /
    sqrt(max{1, N_{k-1}}): M and M_k are each within half of this of the estimates, and L_{k-1} <= L_K.""",
    domain="MB-PSRL and MB-UCRL2; S, n >= 1, 1 <= k <= K, 0 <= beta < 1",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"9/10 L_K": {"factor": fmpq(9, 10)}, "K >= 2, 9/10 L_K": {"factor": fmpq(9, 10), "smallest_K": 2}},
    controls={"K >= 2": {"smallest_K": 2}},
)
def concentration(book: Book, factor: fmpq = ONE, smallest_K: int = 1) -> Finding:
    """Take L_{k-1} <= L_K from conc:L; bound the first episode by L_K at its least; add the halves."""
    for K, S, n, beta in product((2, 3, 10, 1000), (1, 3), (1, 5), (ZERO, fmpq(99, 100))):
        for k in sorted({2, (K + 2) // 2, K}):
            earlier, last = partial(log_factor, S, n, K, k, beta), partial(last_log_factor, S, n, K, beta)
            if less(lambda last=last: factor * last(), earlier) is Truth.YES:  # type: ignore[misc]
                return fails({"S": S, "n": n, "K": K, "k": k, "beta": beta, "factor": factor})
    half, s = sympy.symbols("half s")  # half of L_{k-1}; s = sqrt(S)
    halves = is_identity(2 * (2 * half + sympy.Rational(3, 2) * s), 2 * (2 * half) + 3 * s) and triangle_inequality()
    first_episode = at_most(lambda: arb(1), lambda: last_log_factor(1, 1, 2, 0)) is Truth.YES and _l_grows()
    if factor < 1 or not (halves and first_episode and book.stands("conc:L")):
        return undecided("conc:L, or the case k = 1, does not give it")
    reason = """conc:L for k >= 2, and the triangle inequality. At k = 1 no event is needed: rewards in [0, 1] and rows
        of probabilities differ by at most 1 and 2, and L_K >= 1, since it grows in S, n, K and beta from 2.19."""
    if smallest_K >= 2:
        return holds(Evidence.PROOF, reason=reason)
    return holds_only("K >= 2", Evidence.PROOF, {"K": 1, "k": 1, "4 S n K^2 log K / (1 - beta)": 0}, reason=reason)


def _l_grows() -> bool:
    """Prove that K^2 log K grows for K >= 2; in S, n and 1/(1-beta), 4 S n K^2 log K / (1-beta) is linear."""
    K, log_K = sympy.symbols("K log_K", positive=True)
    slope = sympy.diff(K**2 * sympy.log(K), K).subs(sympy.log(K), log_K)
    return nonnegative_above(sympy.expand(slope), {K: 2, log_K: 0})


@claim(
    "eq:concentration/ucbvi",
    section=SECTION,
    statement="""On the event of MB-UCBVI, whose M_k has rewards rhat + b, |r_k - r| <= L_K / sqrt(max{1, N_{k-1}}).""",
    domain="MB-UCBVI; S, n >= 1, K >= 2, 2 <= k <= K, 0 <= beta < 1",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"11/10 L_K": {"factor": fmpq(11, 10)}},
    controls={"with the factor (2 - beta)/(2(1 - beta))": {"repaired": True}},
)
def concentration_ucbvi(book: Book, mean: fmpq = fmpq(1, 10), factor: fmpq = ONE, repaired: bool = False) -> Finding:
    """Take S = n = 1, K = k = 2, beta = 1/2, H_1 = 1, and the reward seen 1: rhat - r = 1 - r, b = L_1/(2(1-beta))."""
    beta, deviation = HALF, 1 - mean

    def radius() -> arb:
        return log_factor(1, 1, 2, 2, beta)

    inside = less(lambda: arb(deviation), lambda: radius() / 2)
    horizon_allowed = less(lambda: arb(1), lambda: arb(2).log() / (1 - beta))
    if inside is not Truth.YES or horizon_allowed is not Truth.YES:
        raise ArithmeticError("the case is not in the event")
    factor = (2 - beta) / (2 * (1 - beta)) if repaired else factor
    within = at_most(lambda: deviation + radius() / (2 * (1 - beta)), lambda: factor * last_log_factor(1, 1, 2, beta))
    if within is Truth.YES:
        return holds(Evidence.CERTIFIED, reason="This case; in general see eq:concentration/ucbvi/repair.")
    with_bonus = "1 + L_1 / (2 (1 - beta)) - r"
    return fails(
        {
            "S": 1,
            "n": 1,
            "K": 2,
            "k": 2,
            "beta": beta,
            "H_1": 1,
            "R_1": 1,
            "r": mean,
            "L_1": radius(),
            with_bonus: deviation + radius() / (2 * (1 - beta)),
            "L_K": last_log_factor(1, 1, 2, beta),
        }
    )


@claim(
    "eq:concentration/ucbvi/repair",
    section=SECTION,
    statement="""On the event of MB-UCBVI, |r_k - r| <= (2 - beta) L_{k-1} / (2 (1 - beta) sqrt(max{1, N_{k-1}})): the
    estimate is within L_{k-1}/2 of r, the bonus is L_{k-1}/(2 (1 - beta)).""",
    domain="MB-UCBVI; S, n >= 1, K >= 2, 2 <= k <= K, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"without the bonus": {"bonus": 0}},
    repairs=("eq:concentration/ucbvi",),
)
def concentration_ucbvi_repair(book: Book, bonus: int = 1) -> Finding:
    """Verify the sum of the two shares of L_{k-1}; the deviation and the bonus may have the same sign."""
    beta = sympy.Symbol("beta")
    shares = sympy.Rational(1, 2) + 1 / (2 * (1 - beta))
    claimed = (1 - beta + bonus) / (2 * (1 - beta))
    if sympy.simplify(shares - claimed) != 0:
        return fails({"shares of L_{k-1}": str(sympy.factor(shares)), "claimed": str(sympy.factor(claimed))})
    return holds(Evidence.PROOF, reason="1/2 + 1/(2(1-beta)) = (2-beta)/(2(1-beta)), the shares of L_{k-1}/sqrt(N)")

"""MB-PSRL: the bound on the Bayesian regret, the last display of its proof, with an explicit constant."""

from __future__ import annotations

from typing import Any

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.mb_psrl.posterior_sampling import SECTION
from proofs_checks.computations.symbolic import is_identity, nonnegative_above
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import ONE, Arm, Bandit, policy_value
from theory.bayes import FinitePrior, expectation_over, scenarios
from theory.certified import Truth, at_most, enclosure, less, max_moment_bound
from theory.paper import last_log_factor

PROOF = (
    "eq:gap_overview",
    "eq:proof_PSRL_regret",
    "psrl:model-gap/repair",
    "lem:regret_decomposition",
    "lem:regret_decomposition/horizon-bound",
    "psrl:double-sum",
    "lem:moment/repair",
)
"""From the definition of the regret to 9/(1-beta) + 3 (L_K + sqrt S) (Sn E[max H^2] + 2 sqrt(SnK) E[max H^(3/2)])."""
THREE_HALVES = fmpq(3, 2)


def first_regret() -> fmpq:
    """Return the exact Bayesian regret of one episode at beta = 0: two arms, one of reward 1, the other of 0."""
    one, zero = Arm(rewards=[1], transitions=[[1]]), Arm(rewards=[0], transitions=[[1]])
    prior = FinitePrior([Bandit([one, zero], 0), Bandit([zero, one], 0)], [fmpq(1, 2), fmpq(1, 2)])
    values = [[policy_value(model, policy)[0, 0] for policy in prior.policies] for model in prior.models]
    outcomes = scenarios(prior, [], {(0, 0): ONE})
    return expectation_over(outcomes, lambda each: values[each.model][each.model] - values[each.model][each.samples[0]])


TWO_CERTAIN_ARMS = "arm 1 gives 1 and arm 2 gives 0, or the other way round, equally likely; S = 1, n = 2, beta = 0"


@claim(
    "psrl:last-display",
    section=SECTION,
    statement="""There is a constant C with BayReg(K) <= C (sqrt S + log(SnK log K/(1-beta))) (Sn x^2 +
    sqrt(SnK) x^(3/2)), x = log K/(1-beta).""",
    domain="S, n, K >= 1, 0 <= beta < 1",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"C = 1/10, K >= 2": {"smallest_K": 2, "C": fmpq(1, 10)}},
    controls={"K >= 2": {"smallest_K": 2}},
)
def last_display(book: Book, smallest_K: int = 1, C: fmpq | int = 81) -> Finding:
    """At K = 1 the right side is log 0 times 0, in the limit 0, and the regret of one episode may be 1/2."""
    if less(lambda: C * _display_at_2(arms=2), lambda: arb(first_regret())) is Truth.YES:
        right = C * _display_at_2(arms=2)
        return fails({"prior": TWO_CERTAIN_ARMS, "K": 2, "BayReg(2) at least": first_regret(), "right side": right})
    finding = explicit_constant(book, C)
    if finding.verdict is not Verdict.HOLDS:
        return undecided(f"the proof's bound is not at most C = {C} times the right side")
    reason = f"C = {C}, by psrl:last-display/repair."
    if not book.stands("psrl:last-display/repair"):
        return undecided("psrl:last-display/repair does not stand")
    if smallest_K >= 2:
        return holds(Evidence.PROOF, reason=reason, C=C)
    witness = {
        "prior": TWO_CERTAIN_ARMS,
        "K": 1,
        "BayReg(1)": first_regret(),
        "x": 0,
        "right side": "(1 + log 0) * 0, in the limit K -> 1 equal to 0",
    }
    return holds_only("K >= 2", Evidence.PROOF, witness, C=C, reason=reason)


@claim(
    "psrl:last-display/repair",
    section=SECTION,
    statement="""BayReg(K) <= 9/(1-beta) + 3 (L_K + sqrt S) (Sn m_2 + 2 sqrt(SnK) m_{3/2}), with
    m_a = ((log K + Gamma(1+a)^(1/a))/(1-beta))^a, and this is at most 81 times the display, which is positive.""",
    domain="S, n >= 1, K >= 2, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"C = 71": {"C": 71}},
    repairs=("psrl:last-display",),
)
def explicit_constant(book: Book, C: fmpq | int = 81) -> Finding:
    """Reduce to K = 2, S = n = 1, beta = 0, and evaluate there.

    With l = log(SnK log K/(1-beta)) and v = log(K log K) <= l, L_K^2 = 2 (l + log 4K): (L_K + s)/(s + l) decreases in
    l, and for l = v it is at most its value at s = 1 (or 1). For K >= 2, log 4K <= v + log 4 - log log 2, with equality
    at K = 2, so the ratio is at most (sqrt(w) + 1)/(1 + v), w = 4 v + 2 log 4 - 2 log log 2, which decreases in
    v >= log(2 log 2). Further m_a <= (1 + g/log 2)^a x^a, g = Gamma(1+a)^(1/a), and 9/(1-beta) <= 9 Sn x^2/(log 2)^2.
    """

    def v() -> arb:
        return (2 * arb(2).log()).log()

    def ratio() -> arb:
        return (last_log_factor(1, 1, 2, 0) + 1) / (1 + v())

    def quadratic() -> arb:
        return 3 * ratio() * _moment_over_power(fmpq(2)) + 9 / (arb(2).log() ** 2 * (1 + v()))

    def three_halves() -> arb:
        return 6 * ratio() * _moment_over_power(THREE_HALVES)

    def slope_at_2() -> arb:
        w = 4 * v() + 2 * arb(4).log() - 2 * arb(2).log().log()
        return 2 * (1 + v()) - w - w.sqrt()

    certain = (
        less(lambda: arb(0), v),
        less(slope_at_2, lambda: arb(0)),
        at_most(lambda: arb(1), lambda: last_log_factor(1, 1, 2, 0)),
        less(lambda: arb(1), ratio),
    )
    if any(answer is not Truth.YES for answer in certain) or not _ratio_decreases():
        return undecided("a side condition of the reduction is not certified")
    values: dict[str, Any] = {"ratio_at_2": enclosure(ratio)}
    values |= {"coefficient_of_Sn_x2": enclosure(quadratic), "coefficient_of_root": enclosure(three_halves)}
    if less(lambda: C * _display_at_2(), _bound_at_2) is Truth.YES:
        return fails(
            {"S": 1, "n": 1, "K": 2, "beta": 0, "bound": _bound_at_2(), "C times display": C * _display_at_2()}
        )
    if at_most(quadratic, lambda: arb(C)).both(at_most(three_halves, lambda: arb(C))) is not Truth.YES:
        return undecided("the reduction needs a larger C", **values)
    if not book.stands(*PROOF):
        return undecided("one of the steps of the proof does not stand")
    return holds(
        Evidence.PROOF,
        reason="""The regret by the repaired steps of the proof; then each of the two coefficients is largest at K = 2,
        S = n = 1, beta = 0, by the signs of derivatives verified symbolically.""",
        **values,
    )


def _ratio_decreases() -> bool:
    """Verify the derivatives of the ratio in l, in s and, with w = 4 v + constant, in v: their signs are as stated."""
    s, t, v, L, a = sympy.symbols("s l v L a", positive=True)
    root = sympy.sqrt(2 * t + a)  # a = 2 log 4K
    in_l = is_identity(
        sympy.diff((root + s) / (s + t), t) * root * (s + t) ** 2, (s + t) - root * (root + s)
    )  # = s (1 - L) - (l + a), at most 0 as L >= 1
    more = sympy.Symbol("more")
    negative = nonnegative_above(sympy.expand(-(s * (1 - (1 + more)) - (t + a))), {s: 1, t: 0, a: 0, more: 0})
    in_s = is_identity(sympy.diff((L + s) / (s + v), s) * (s + v) ** 2, v - L)  # one sign, and the limit is 1
    w = 4 * v + a
    in_v = is_identity(
        sympy.diff((sympy.sqrt(w) + 1) / (1 + v), v) * sympy.sqrt(w) * (1 + v) ** 2, 2 * (1 + v) - w - sympy.sqrt(w)
    )  # decreases in v, as 2 - 4 < 0
    return in_l and negative and in_s and in_v


def _moment_over_power(alpha: fmpq) -> arb:
    """Return m_alpha / x^alpha at K = 2, where it is largest."""
    return max_moment_bound(2, alpha, 0) / arb(2).log() ** arb(alpha)


def _bound_at_2() -> arb:
    """Return the proof's bound at S = n = 1, K = 2, beta = 0."""
    moments = max_moment_bound(2, fmpq(2), 0) + 2 * arb(2).sqrt() * max_moment_bound(2, THREE_HALVES, 0)
    return 9 + 3 * (last_log_factor(1, 1, 2, 0) + 1) * moments


def _display_at_2(arms: int = 1) -> arb:
    """Return the last display at S = 1, K = 2, beta = 0, without C."""
    x = arb(2).log()
    return (1 + (2 * arms * x).log()) * (arms * x**2 + arb(2 * arms).sqrt() * x ** arb(THREE_HALVES))

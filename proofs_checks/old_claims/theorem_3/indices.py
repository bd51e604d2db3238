"""Theorem 3, the indices: what optimality in simpler bandits forces on them, and what it leaves open."""

from __future__ import annotations

import sympy  # type: ignore[import-untyped]  # it ships no types
from flint import fmpq

from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, decide, fails, holds
from theory import Arm, Bandit, Exact, gittins_indices, optimistic_value, rational, sympy_rational
from theory.optimism import largest_expectation
from theory.paper import COUNTEREXAMPLE_REWARD_B, counterexample, counterexample_m1

SECTION = "Theorem 3"
ESTIMATES = "the counterexample of the figure at beta = 1/2, L1 radius 1/5 around arm a's rows"


@claim(
    "thm:no_OFU/priority-bc",
    section=SECTION,
    statement="""In the bandit of the known arms b and c, from (B1, C1) and from (B3, C1) only play of arm b first is
    optimal if mu < r, and only play of arm c first if mu > r; from (B2, C1) the same with 0 in place of r.""",
    domain="r > 0 the reward of B1 and B3, mu any real, 0 < beta < 1",
    evidence=Evidence.PROOF,
    mutants={"threshold r/2": {"threshold": fmpq(1, 2)}, "threshold 2r": {"threshold": 2}},
)
def priority_bc(book: Book, threshold: Exact = 1) -> Finding:
    """Compare both first actions, each followed by the best continuation, on each side of the thresholds.

    `s` > 0 is a slack: it makes mu < 0, 0 <= mu < threshold * r and mu > threshold * r into polynomial cases.
    """
    r, s, u, beta = sympy.symbols("r s u beta", positive=True)
    forever = 1 / (1 - beta)
    edge = sympy_rational(threshold) * r
    cases = {  # name: (mu, is b to be first from B1 and B3, is b to be first from B2)
        "mu < 0": (-s, True, True),
        "mu = 0": (sympy.Integer(0), True, None),
        "0 < mu < r": (edge * u / (1 + u), True, False),
        "mu > r": (edge + s, False, False),
    }
    for name, (mu, first, first_from_b2) in cases.items():
        dead = sympy.Integer(0) if name == "mu < 0" else mu * forever  # the value of (B2, C1)
        # c once and then b's best; where c is best for ever, playing it once and then on is the same
        advantage = {
            "B1": (r + beta * dead) - (mu + beta * (r + beta * dead) if first else mu * forever),
            "B3": r * forever - (mu + beta * r * forever) if first else r + beta * mu * forever - mu * forever,
        }
        for state, gain in advantage.items():
            if _sign(gain * (1 - beta), beta) is not first:
                return fails(
                    {"case": name, "state": state, "advantage of b first": str(sympy.factor(gain)), "mu": str(mu)}
                )
        if first_from_b2 is not None and _sign(-mu, beta) is not first_from_b2:
            return fails({"case": name, "state": "B2", "mu": str(mu)})
    return holds(
        Evidence.PROOF,
        reason=(
            "A first action is strictly better exactly when its advantage is positive, the continuation being "
            "optimal; the four signs are those of polynomials with coefficients of one sign in r, s, u, 1 - beta > 0."
        ),
    )


def _sign(expression: sympy.Expr, beta: sympy.Symbol) -> bool | None:
    """Return whether the expression is positive (True) or negative (False) for all positive symbols, beta < 1."""
    odds = sympy.Symbol("odds", positive=True)  # beta = odds / (1 + odds)
    parts = sympy.fraction(sympy.cancel(expression.subs(beta, odds / (1 + odds))))
    positive = True
    for part in parts:
        signs = {bool(coefficient > 0) for coefficient in sympy.Poly(part, odds, *part.free_symbols - {odds}).coeffs()}
        if len(signs) != 1:
            return None
        positive = positive is signs.pop()
    return positive


@claim(
    "thm:no_OFU/equal-indices",
    section=SECTION,
    statement="""Optimality in every bandit of the known arms b and c, for every mu, forces I(B1) = I(B3) on indices
    that are computed arm by arm.""",
    domain="r = 3.21; I(C1) any function of mu, with a jump of any height at mu = r",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"a jump of height 1/100": {"jump": fmpq(1, 100)}},
    controls={"I(C1) continuous in mu": {"jump": 0}},
)
def equal_indices(book: Book, jump: Exact = 1) -> Finding:
    """Let I(C1) be mu below r and mu + jump above r: then I(B1), I(B3) may be anything from r to r + jump."""
    height, r = rational(jump), COUNTEREXAMPLE_REWARD_B
    index_b1, index_b3 = r + height * fmpq(3, 4), r + height * fmpq(1, 4)
    below = "for mu < r: I(C1) = mu < r <= I(B1), I(B3)"
    above = "for mu > r: I(C1) = mu + jump > r + jump >= I(B1), I(B3)"
    for index in (index_b1, index_b3):
        if not (r <= index <= r + height and book.stands("thm:no_OFU/priority-bc")):
            raise ArithmeticError("the rule constructed is not optimal for every mu")
    if index_b1 == index_b3:
        return holds(Evidence.CERTIFIED, reason="sup over mu < r of I(C1) <= I(B1), I(B3) <= inf over mu > r of I(C1)")
    return fails(
        {
            "I(B1)": index_b1,
            "I(B2)": 0,
            "I(B3)": index_b3,
            "I(C1)": f"mu where mu <= {r}, mu + {height} where mu > {r}",
            "optimal because": [below, above],
        },
        reason=(
            "Only the order against I(C1) is forced, and I(C1) may jump where mu passes 3.21. At mu = 3.21 both "
            "priorities are optimal."
        ),
    )


@claim(
    "thm:no_OFU/A2",
    section=SECTION,
    statement="In every bandit of the set, A2 has a larger Gittins index than B1 and B3.",
    domain="the set of arm a; every discount in [0, 1)",
    evidence=Evidence.PROOF,
    mutants={"reward 4 of arm b": {"reward": 4}},
)
def a2_index(book: Book, reward: Exact = COUNTEREXAMPLE_REWARD_B) -> Finding:
    model = counterexample(reward_b=reward)
    of_a2 = model.arms[0].rewards[1] - model.arms[0].reward_radius[1]
    largest_b = max(r + radius for r, radius in zip(model.arms[1].rewards, model.arms[1].reward_radius, strict=True))
    return decide(
        of_a2 > largest_b,
        Evidence.PROOF,
        reason="An index is at least the reward now (stop after one step), and at most the largest reward of the arm.",
        least_index_of_A2=of_a2,
        largest_index_of_b=largest_b,
    )


@claim(
    "thm:no_OFU/A3",
    section=SECTION,
    statement="""In every bandit of the set, A3 has a larger Gittins index than B2 (so that it should have priority) and
    a smaller one than B3.""",
    domain=ESTIMATES,
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"smaller than B2": {"below_b2": True}},
    controls={"at least that of B2": {"strictly": False}},
)
def a3_index(book: Book, strictly: bool = True, below_b2: bool = False) -> Finding:
    estimates, m1 = counterexample(), counterexample_m1()
    b3 = Arm(rewards=[COUNTEREXAMPLE_REWARD_B], transitions=[[1]], states=["B3"])
    against_b3 = Bandit([estimates.arms[0], b3], estimates.discount)
    optimistic = optimistic_value(against_b3, None, (2, 0)).values  # one arm moves: rows per state are shared rows
    row, width = estimates.arms[0].transitions[2], estimates.arms[0].transition_radius[2]
    playing = estimates.discount * largest_expectation(row, width, tuple(optimistic[x, 0] for x in range(3)))
    retiring = COUNTEREXAMPLE_REWARD_B / (1 - estimates.discount)
    if playing >= retiring:
        return fails({"playing A3 is worth up to": playing, "B3 for ever": retiring})
    of_m1 = gittins_indices(m1.arms[0], m1.discount)[2]
    of_b2 = gittins_indices(m1.arms[1], m1.discount)[1]
    nonnegative = min(estimates.arms[0].rewards) >= of_b2
    if not nonnegative or below_b2 or (strictly and of_m1 <= of_b2):
        return fails(
            {"bandit": m1, "index of A3": of_m1, "index of B2": of_b2},
            reason=(
                "A3 of M1 is worth 0 for ever: either priority is optimal there. Optimism does force A3 above B2, "
                "by members of the set in which A3 can be left (thm:no_OFU/A3-between)."
            ),
        )
    return holds(Evidence.CERTIFIED, playing_A3_is_worth_at_most=playing, B3_for_ever=retiring, least_index_of_A3=of_b2)

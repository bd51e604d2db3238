"""Theorem 3: optimism over transitions cannot be done with indices computed arm by arm (`thm:no_OFU`).

The four printed values come out twice: by extended value iteration and by brute force over the vertices of the
confidence set. Both must agree, and the value must be attained by a bandit of the set.
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy  # type: ignore[import-untyped]  # it ships no types
from flint import fmpq

from proofs_checks.claims.rounding import rounds_to
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, decide, fails, holds
from theory import (
    Arm,
    Bandit,
    gittins_indices,
    gittins_priority,
    gittins_value,
    optimistic_value,
    priority_value,
    supremum_over_vertices,
)
from theory.optimism import distance, largest_expectation, membership_refutation
from theory.paper_models import (
    COUNTEREXAMPLE_RADIUS,
    COUNTEREXAMPLE_REWARD_B,
    counterexample,
    counterexample_m1,
    counterexample_m2,
)
from theory.rationals import Exact, rational

SECTION = "Theorem 3"
ESTIMATES = "the counterexample of the figure at beta = 1/2, L1 radius 1/5 around arm a's rows"

PI_1 = ("A2", "A1", "B1", "B3", "A3", "B2")
PI_2 = ("A2", "B1", "B3", "A1", "A3", "B2")
FROM_A1_B3 = ("A1", "B3")
FROM_A1_B1 = ("A1", "B1")


def supremum(estimates: Bandit, priority: Sequence[str] | None, initial: Sequence[str]) -> fmpq:
    """Return the supremum over the confidence set, by two methods that share no code.

    Raises
    ------
    ArithmeticError
        If they differ, or extended value iteration's rows are not shared: then neither may be believed.
    """
    extended = optimistic_value(estimates, priority, initial)
    enumerated = supremum_over_vertices(estimates, priority, initial)
    if extended.value != enumerated.value or not extended.attained:
        raise ArithmeticError(f"extended value iteration gives {extended.value}, enumeration {enumerated.value}")
    return extended.value


@claim(
    "thm:no_OFU/members",
    section=SECTION,
    statement="M1 and M2 lie in the confidence set.",
    domain=ESTIMATES,
    evidence=Evidence.CERTIFIED,
    mutants={"radius 1/10": {"radius": fmpq(1, 10)}, "radius just below 1/5": {"radius": fmpq(199, 1000)}},
)
def members(book: Book, radius: Exact = COUNTEREXAMPLE_RADIUS) -> Finding:
    estimates = counterexample(radius=radius)
    refuted = {
        name: refutation
        for name, member in (("M1", counterexample_m1()), ("M2", counterexample_m2()))
        if (refutation := membership_refutation(member, estimates))
    }
    return fails(refuted) if refuted else holds(Evidence.CERTIFIED, radius=rational(radius))


@claim(
    "thm:no_OFU/radius",
    section=SECTION,
    statement="The vector epsilon^Q_a = [0.1, 0.1, 0.1] is the L1 radius of arm a's confidence set.",
    domain="M1 and M2 of the figure; the set of eq:conf_rq",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"radius 0": {"radius": 0}},
    controls={"radius 1/5, as in the sentence before": {"radius": fmpq(1, 5)}},
)
def radius(book: Book, radius: Exact = fmpq(1, 10)) -> Finding:
    claimed, estimates = rational(radius), counterexample()
    distances = {
        f"{name} row {state}": distance(row, centre)
        for name, member in (("M1", counterexample_m1()), ("M2", counterexample_m2()))
        for state, row, centre in zip(
            estimates.arms[0].states, member.arms[0].transitions, estimates.arms[0].transitions, strict=True
        )
    }
    largest = max(distances.values())
    if largest > claimed:
        return fails({"claimed radius": claimed, "L1 distances": distances})
    return holds(Evidence.CERTIFIED, largest_distance=largest)


def _printed_supremum(book: Book, priority: Sequence[str], initial: Sequence[str], printed: str) -> Finding:
    value = supremum(counterexample(), priority, initial)
    return decide(rounds_to(value, printed), Evidence.CERTIFIED, value=value, printed=printed)


@claim(
    "thm:no_OFU/value-pi2",
    section=SECTION,
    statement="sup over M of V^{pi2}(A1, B3) is 6.42, rounded.",
    domain=ESTIMATES,
    evidence=Evidence.CERTIFIED,
    mutants={"6.43": {"printed": "6.43"}, "from (A1, B1)": {"initial": FROM_A1_B1}},
)
def value_pi2(book: Book, initial: Sequence[str] = FROM_A1_B3, printed: str = "6.42") -> Finding:
    return _printed_supremum(book, PI_2, initial, printed)


@claim(
    "thm:no_OFU/value-M1",
    section=SECTION,
    statement="The optimal value of M1 as drawn, from (A1, B3), is 6.47, rounded.",
    domain="M1 of the figure",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"6.46": {"printed": "6.46"}},
    controls={"6.45": {"printed": "6.45"}, "5163/800": {"printed": "6.45375"}},
)
def value_m1(book: Book, printed: str = "6.47") -> Finding:
    m1 = counterexample_m1()
    value = gittins_value(m1, FROM_A1_B3).value
    return decide(
        rounds_to(value, printed),
        Evidence.CERTIFIED,
        value=value,
        printed=printed,
        model=m1,
        priority=[m1.name(state) for state in gittins_priority(m1)],
    )


@claim(
    "thm:no_OFU/value-M1/repair",
    section=SECTION,
    statement="""The most optimistic value over M and over policies, from (A1, B3), is 6.47, rounded; it is attained by
    a bandit of M whose row of A2 is (0, 1/10, 9/10), which is not the M1 that is drawn.""",
    domain=ESTIMATES,
    evidence=Evidence.CERTIFIED,
    mutants={"6.46": {"printed": "6.46"}, "the row of A2 as drawn": {"row_of_A2": (0, 0, 1)}},
    repairs=("thm:no_OFU/value-M1",),
)
def value_most_optimistic(
    book: Book, printed: str = "6.47", row_of_A2: Sequence[Exact] = (0, fmpq(1, 10), fmpq(9, 10))
) -> Finding:
    estimates = counterexample()
    value = supremum(estimates, None, FROM_A1_B3)
    attaining = optimistic_value(estimates, None, FROM_A1_B3).sharing.bandit
    assert attaining is not None  # `supremum` has made sure
    row = attaining.arms[0].transitions[1]
    agrees = rounds_to(value, printed) and row == tuple(map(rational, row_of_A2))
    return decide(agrees, Evidence.CERTIFIED, value=value, printed=printed, row_of_A2=row)


@claim(
    "thm:no_OFU/value-pi1",
    section=SECTION,
    statement="sup over M of V^{pi1}(A1, B1) is 5.96, rounded, and it is attained at M2.",
    domain=ESTIMATES,
    evidence=Evidence.CERTIFIED,
    mutants={"5.95": {"printed": "5.95"}, "at M1": {"attained_at_m2": False}},
)
def value_pi1(book: Book, printed: str = "5.96", attained_at_m2: bool = True) -> Finding:
    value = supremum(counterexample(), PI_1, FROM_A1_B1)
    member = counterexample_m2() if attained_at_m2 else counterexample_m1()
    of_member = priority_value(member, PI_1, FROM_A1_B1).value
    return decide(
        rounds_to(value, printed) and of_member == value,
        Evidence.CERTIFIED,
        value=value,
        printed=printed,
        value_of_member=of_member,
    )


@claim(
    "thm:no_OFU/value-M2",
    section=SECTION,
    statement="The optimal value of M2 from (A1, B1) is 6.00, rounded.",
    domain="M2 of the figure",
    evidence=Evidence.CERTIFIED,
    mutants={"6.01": {"printed": "6.01"}},
)
def value_m2(book: Book, printed: str = "6.00") -> Finding:
    value = gittins_value(counterexample_m2(), FROM_A1_B1).value
    return decide(rounds_to(value, printed), Evidence.CERTIFIED, value=value, printed=printed)


@claim(
    "thm:no_OFU/strict-pi2",
    section=SECTION,
    statement="sup over M of V^{pi2}(A1, B3) < max over pi of V^pi of M1 as drawn, from (A1, B3).",
    domain=ESTIMATES,
    evidence=Evidence.CERTIFIED,
    mutants={"reward 3.26 in place of 3.21": {"reward": fmpq(326, 100)}},
)
def strict_pi2(book: Book, reward: Exact = fmpq(321, 100)) -> Finding:
    estimates = counterexample(reward_b=reward)
    m1 = Bandit([counterexample_m1().arms[0], estimates.arms[1]], estimates.discount)
    left, right = supremum(estimates, PI_2, FROM_A1_B3), gittins_value(m1, FROM_A1_B3).value
    return decide(left < right, Evidence.CERTIFIED, left=left, right=right, gap=right - left)


@claim(
    "thm:no_OFU/strict-pi1",
    section=SECTION,
    statement="sup over M of V^{pi1}(A1, B1) < max over pi of V^pi of M2, from (A1, B1).",
    domain=ESTIMATES,
    evidence=Evidence.CERTIFIED,
    mutants={"reward 3.16 in place of 3.21": {"reward": fmpq(316, 100)}},
)
def strict_pi1(book: Book, reward: Exact = fmpq(321, 100)) -> Finding:
    estimates = counterexample(reward_b=reward)
    m2 = Bandit([counterexample_m2().arms[0], estimates.arms[1]], estimates.discount)
    left, right = supremum(estimates, PI_1, FROM_A1_B1), gittins_value(m2, FROM_A1_B1).value
    return decide(left < right, Evidence.CERTIFIED, left=left, right=right, gap=right - left)


@claim(
    "thm:no_OFU/unit-interval",
    section=SECTION,
    statement="The counterexample is a Markovian bandit as the paper defines it: mean rewards lie in [0, 1].",
    domain=ESTIMATES,
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"rewards divided by 3": {"scale": 3}},
    controls={"rewards divided by 4": {"scale": 4}},
)
def unit_interval(book: Book, scale: Exact = 1) -> Finding:
    rewards = {
        name: reward / rational(scale)
        for arm in counterexample().arms
        for name, reward in zip(arm.states, arm.rewards, strict=True)
    }
    outside = {name: reward for name, reward in rewards.items() if not 0 <= reward <= 1}
    if outside:
        return fails(outside, reason="Values are linear in the rewards: dividing all by 4 repairs it.")
    return holds(Evidence.CERTIFIED, rewards=rewards)


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
    edge = sympy.Rational(str(rational(threshold))) * r
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
    b3 = Arm([COUNTEREXAMPLE_REWARD_B], [[1]], ["B3"])
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

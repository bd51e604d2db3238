"""Theorem 3: optimism over transitions cannot be done with indices computed arm by arm (`thm:no_OFU`).

The four printed values come out twice: by extended value iteration and by brute force over the vertices of the
confidence set. Both must agree, and the value must be attained by a bandit of the set.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from proofs_checks.computations.rounding import rounds_to
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, decide, fails, holds
from theory import (
    Bandit,
    Exact,
    best_vertex,
    gittins_priority,
    gittins_value,
    optimistic_value,
    priority_value,
    rational,
)
from theory.optimism import distance, membership_refutation
from theory.paper import COUNTEREXAMPLE_RADIUS, counterexample, counterexample_m1, counterexample_m2
from theory.values import optimal_value

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
    enumerated = best_vertex(estimates, priority, initial)
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
    "thm:no_OFU/optimal-policies",
    section=SECTION,
    statement="pi1 is optimal in M1 and pi2 is optimal in M2, from every initial state.",
    domain="M1 and M2 as drawn, all nine initial states, against policy iteration on the product",
    evidence=Evidence.EXHAUSTIVE,
    mutants={"pi1 in M2, pi2 in M1": {"orders": (PI_2, PI_1)}},
)
def optimal_policies(book: Book, orders: tuple[Sequence[str], Sequence[str]] = (PI_1, PI_2)) -> Finding:
    tried = 0
    for model, order in zip((counterexample_m1(), counterexample_m2()), orders, strict=True):
        for state, optimum in optimal_value(model).values.items():
            tried += 1
            value = priority_value(model, order, state).value
            if value != optimum:
                return fails({"bandit": model, "order": order, "state": state, "value": value, "optimum": optimum})
    return holds(Evidence.EXHAUSTIVE, instances=tried)

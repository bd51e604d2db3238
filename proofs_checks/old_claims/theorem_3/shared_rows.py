"""What extended value iteration maximises over: rows chosen in every global state, or shared as in a Markovian bandit.

One small bandit shows three different numbers: the best vertex of the confidence set, the supremum over the set, and
the value of extended value iteration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

import sympy  # type: ignore[import-untyped]  # it ships no types
from flint import fmpq

from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds
from theory import Arm, ArmState, Bandit, best_vertex, gittins_value, optimistic_value, policy_value, sympy_rational
from theory.optimism import membership_refutation, shared_supremum
from theory.paper import counterexample
from theory.random_models import random_arm, random_member
from theory.values import priority_policy

if TYPE_CHECKING:
    import numpy as np

SECTION = "Extended value iteration"
HALF, THIRD = fmpq(1, 2), fmpq(1, 3)

# arm a, in its first state, prefers its last state while arm b is about to pay and stays where it is otherwise
CONFLICT = Bandit(
    [
        Arm(
            rewards=[1, 0, 2],
            transitions=[[0, 0, 1], [THIRD, THIRD, THIRD], [0, 1, 0]],
            states=["A1", "A2", "A3"],
            transition_radius=[2, 0, 0],
        ),
        Arm(rewards=[0, 1], transitions=[[0, 1], [1, 0]], states=["B1", "B2"]),
    ],
    fmpq(4, 5),
    ["A1", "B2"],
)
ANOTHER_CONFLICT = Bandit(
    [
        Arm(
            rewards=[4, 5, 0],
            transitions=[[THIRD, THIRD, THIRD], [0, HALF, HALF], [1, 0, 0]],
            states=["A1", "A2", "A3"],
            transition_radius=[HALF, 0, 0],
        ),
        Arm(rewards=[4, 0], transitions=[[HALF, HALF], [0, 1]], states=["B1", "B2"]),
    ],
    fmpq(4, 5),
    ["A1", "B1"],
)
TWO_STATES = Bandit(
    [
        Arm(rewards=[1, 0], transitions=[[HALF, HALF], [1, 0]], states=["A1", "A2"], transition_radius=[1, 0]),
        Arm(rewards=[2, 3], transitions=[[HALF, HALF], [0, 1]], states=["B1", "B2"]),
    ],
    fmpq(4, 5),
    ["A1", "B1"],
)
TWO_STATES_ORDER = ("A1", "B1", "A2", "B2")


@claim(
    "eq:EVI/shared-rows",
    section=SECTION,
    statement="""Extended value iteration on the global MDP, which may take another row in every global state, has the
    value of the maximum over the Markovian bandits of the confidence set.""",
    domain="an arm of three states, one of whose rows is free, and an arm of two states, beta = 4/5",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"another bandit": {"estimates": ANOTHER_CONFLICT}},
    controls={"the set of Theorem 3": {"estimates": counterexample()}},
)
def free_rows(book: Book, estimates: Bandit = CONFLICT) -> Finding:
    extended = optimistic_value(estimates)
    enclosure = shared_supremum(estimates, tolerance=fmpq(1, 50))
    if enclosure.upper < extended.value:
        return fails(
            {
                "estimates, radius 2 leaving a row free": estimates,
                "extended value iteration": extended.value,
                "every bandit of the set is worth at most": enclosure.upper,
                "one that comes close": enclosure.bandit,
                "its value": enclosure.lower,
                "cells of the branch and bound": enclosure.cells,
            }
        )
    if extended.attained is not True or extended.sharing.bandit is None:
        raise ArithmeticError("neither below nor attained: a smaller tolerance is needed")
    return holds(Evidence.CERTIFIED, value=extended.value, attained_by=extended.sharing.bandit)


@claim(
    "eq:EVI/shared-rows/repair",
    section=SECTION,
    statement="""Extended value iteration is at least the value of every policy in every bandit of the set, and it is
    attained in the set where its maximising rows can be shared by the global states that play can reach.""",
    domain="random exact bandits of arms with three and two states, a free row each, and random members of their sets",
    evidence=Evidence.TESTED,
    mutants={"with half the radii": {"share_of_radius": HALF}},
    repairs=("eq:EVI/shared-rows",),
)
def upper_bound(book: Book, share_of_radius: fmpq = fmpq(1)) -> Finding:
    random = book.generator("eq:EVI/shared-rows/repair")
    tried, attained = 0, 0
    for _ in range(40):
        estimates = _random_estimates(random)
        narrowed = _with_radii(estimates, share_of_radius)
        extended = optimistic_value(narrowed)
        for _ in range(3):
            member = random_member(random, estimates)
            value = gittins_value(member, estimates.start()).value
            tried += 1
            if membership_refutation(member, estimates) or value > extended.value:
                return fails({"estimates": estimates, "member": member, "value": value, "bound": extended.value})
        if extended.attained:
            attaining = extended.sharing.bandit
            attained += 1
            if (
                attaining is None
                or membership_refutation(attaining, narrowed)
                or gittins_value(attaining, estimates.start()).value != extended.value
            ):
                return fails({"estimates": estimates, "said to attain": attaining})
    return holds(
        Evidence.TESTED,
        instances=tried,
        attained_in=attained,
        reason="A bandit's rows are one of the choices of extended value iteration.",
    )


@claim(
    "eq:EVI/shared-rows/two-states",
    section=SECTION,
    statement="For arms of two states, extended value iteration is attained by a Markovian bandit of the set.",
    domain="random exact bandits of two arms of two states, radii 0 to 2 on every row, optimal values",
    evidence=Evidence.TESTED,
    mutants={"an arm of three states": {"conflict": True}},
)
def two_states(book: Book, conflict: bool = False) -> Finding:
    random, tried = book.generator("eq:EVI/shared-rows/two-states"), 0
    drawn = [_random_estimates(random, sizes=(2, 2), all_free=True) for _ in range(60)]
    for estimates in [CONFLICT] if conflict else drawn:
        for state in product(*map(range, estimates.sizes)):
            tried += 1
            extended = optimistic_value(estimates, None, state)
            if extended.attained is not True:
                enclosure = shared_supremum(estimates, None, state, tolerance=fmpq(1, 100))
                if enclosure.upper < extended.value:
                    return fails(
                        {
                            "estimates": estimates,
                            "initial": state,
                            "extended": extended.value,
                            "at most": enclosure.upper,
                        }
                    )
                if enclosure.lower < extended.value:
                    raise ArithmeticError(f"left open from {state}")
    return holds(Evidence.TESTED, instances=tried)


@claim(
    "eq:EVI/vertices",
    section=SECTION,
    statement="""The supremum of a policy's value over the confidence set is attained where every row is a vertex of its
    ball (as the value is a quotient of affine functions of each row).""",
    domain="two arms of two states, one free row, a priority policy, beta = 4/5",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    printed=False,
    mutants={"optimal values": {"estimates": CONFLICT, "priority": None}},
    controls={"the set of Theorem 3": {"estimates": counterexample(), "priority": None}},
)
def at_vertices(
    book: Book, estimates: Bandit = TWO_STATES, priority: Sequence[str | ArmState] | None = TWO_STATES_ORDER
) -> Finding:
    of_vertices = best_vertex(estimates, priority)
    enclosure = shared_supremum(estimates, priority, tolerance=fmpq(1, 100))
    if enclosure.lower <= of_vertices.value:
        if enclosure.upper != of_vertices.value:
            raise ArithmeticError("the enclosure leaves open where the supremum is attained")
        return holds(Evidence.CERTIFIED, value=of_vertices.value)
    member = enclosure.bandit
    return fails(
        {
            "estimates": estimates,
            "priority": priority or "optimal in each bandit",
            "best vertex": of_vertices.value,
            "rows of arm 1 of a better bandit": member.arms[0].transitions,
            "its value": enclosure.lower,
        },
        reason="The row is used with arm 2 in different states, so the value is a sum of products of such quotients.",
    )


@claim(
    "eq:EVI/vertices/by-hand",
    section=SECTION,
    statement="""For arm a with rewards 1, 0 and rows (q, 1-q), (1, 0), and arm b with rewards 2, 3 and rows (1/2, 1/2),
    (0, 1), under the order A1 > B1 > A2 > B2 and beta = 4/5, the value from (A1, B1) is
    larger at q = 3/4 than at both ends, q = 0 and q = 1.""",
    domain="the formula for all q in [0, 1]; three values of it",
    evidence=Evidence.PROOF,
    mutants={"reward 1/2 in B1": {"reward_b1": HALF}},
)
def by_hand(book: Book, reward_b1: fmpq = fmpq(2)) -> Finding:
    q = sympy.Symbol("q", positive=True)
    beta = sympy.Rational(4, 5)
    reward = sympy_rational(reward_b1)
    a1_b2 = 1 / (1 - beta * q - beta**2 * (1 - q))  # A2 is above B2 and leads back to A1
    a2_b1 = (reward + beta / 2 * beta * a1_b2) / (1 - beta / 2)
    value = sympy.cancel((1 + beta * (1 - q) * a2_b1) / (1 - beta * q))
    for at in (fmpq(k, 6) for k in range(7)):  # both are quotients of degree 2: they agree if they do at five points
        arm_a = Arm(rewards=[1, 0], transitions=[[at, 1 - at], [1, 0]], states=["A1", "A2"])
        arm_b = Arm(rewards=[reward_b1, 3], transitions=[[HALF, HALF], [0, 1]], states=["B1", "B2"])
        bandit = Bandit([arm_a, arm_b], fmpq(4, 5))
        exact = policy_value(bandit, priority_policy(bandit, TWO_STATES_ORDER))[0, 0]
        formula = value.subs(q, sympy_rational(at))
        if (formula.p, formula.q) != (exact.p, exact.q):
            return fails({"q": at, "formula": str(formula), "linear system": exact})
    at_ends_and_between = {end: value.subs(q, sympy.Rational(end)) for end in ("0", "3/4", "1")}
    shown = {f"q = {end}": str(number) for end, number in at_ends_and_between.items()}
    if not at_ends_and_between["3/4"] > max(at_ends_and_between["0"], at_ends_and_between["1"]):
        return fails({"value": str(value), **shown})
    return holds(Evidence.PROOF, reason="Three linear equations, solved from the last.", value=str(value), at=shown)


@claim(
    "eq:EVI/vertices/repair",
    section=SECTION,
    statement="""The value of one arm played alone is a quotient of two affine functions of each of its rows, the other
    rows fixed, with a denominator that is not 0 on probability rows; so its supremum over the set is attained at
    vertices.""",
    domain="one arm, beta in [0, 1); symbolic with all entries free for two and three states, any state by relabelling",
    evidence=Evidence.PROOF,
    mutants={"a priority policy of two arms": {"arms": 2}},
    repairs=("eq:EVI/vertices",),
)
def one_arm(book: Book, arms: int = 1) -> Finding:
    if arms > 1:
        finding = book.finding("eq:EVI/vertices/by-hand")
        return fails({"value as a function of q, of degree 2": finding.values["value"]})
    beta = sympy.Symbol("beta")
    for size in (2, 3):
        Q = sympy.Matrix(size, size, lambda x, y: sympy.Symbol(f"Q{x}{y}"))
        reward = sympy.Matrix(size, 1, lambda x, _: sympy.Symbol(f"r{x}"))
        system = sympy.eye(size) - beta * Q
        numerator_of_first = system.copy()
        numerator_of_first[:, 0] = reward  # Cramer's rule for the value of the first state
        for x in range(size):
            row = list(Q[x, :])
            for determinant in (system.det(), numerator_of_first.det()):
                if sympy.Poly(sympy.expand(determinant), *row).total_degree() > 1:
                    return fails({"size": size, "row": x, "determinant": str(determinant)})
    return holds(
        Evidence.PROOF,
        reason=(
            "By Cramer's rule numerator and denominator are determinants, and a determinant is affine in each row: "
            "expanded along it, for every size. det(I - beta Q) > 0: I - beta Q is strictly diagonally dominant "
            "for all beta in [0, 1), and its determinant is 1 at beta = 0. A quotient of affine functions with a "
            "positive denominator is monotone along every segment."
        ),
    )


def _random_estimates(random: np.random.Generator, sizes: Sequence[int] = (3, 2), all_free: bool = False) -> Bandit:
    arms = []
    for arm in (random_arm(random, size) for size in sizes):
        free = int(random.integers(arm.size))
        radii = (fmpq(int(random.integers(5)), 2) if all_free else fmpq(int(x == free)) for x in range(arm.size))
        arms.append(replace(arm, transition_radius=tuple(radii)))
    return Bandit(arms, HALF if int(random.integers(2)) else fmpq(4, 5), [0, 0])


def _with_radii(estimates: Bandit, share: fmpq) -> Bandit:
    arms = [
        replace(arm, transition_radius=tuple(share * each for each in arm.transition_radius)) for arm in estimates.arms
    ]
    return Bandit(arms, estimates.discount, estimates.initial)

"""Theorem 3, its numbers: the set, the four printed values and the two strict inequalities (Appendix C).

Suprema over the confidence set come out three times: by extended value iteration, whose rows are shared, by brute force
over the vertices of the set, and as theorems of the kernel about the whole set.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from flint import fmpq

from proofs_checks.evidence import AnyOf, Everywhere, InKernel
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict
from proofs_checks.statements import Answer, Family, PrintedNumber, Property, answer
from theory import Bandit, Exact, best_vertex, gittins_value, optimistic_value, priority_value, rational
from theory.optimism import distance, membership_refutation
from theory.paper import counterexample, counterexample_m1, counterexample_m2
from theory.values import optimal_value

chapter = Chapter(under="thm:no_OFU")
REAL_REWARDS = {"mean rewards": "real"}

PI_1 = ("A2", "A1", "B1", "B3", "A3", "B2")
PI_2 = ("A2", "B1", "B3", "A1", "A3", "B2")
FROM_A1_B3 = ("A1", "B3")
FROM_A1_B1 = ("A1", "B1")
DRAWN = {"M^1": counterexample_m1, "M^2": counterexample_m2}


def extended(priority: Sequence[str] | None, initial: Sequence[str]) -> fmpq:
    """Return the supremum over the confidence set by extended value iteration, whose rows must be shared.

    Raises
    ------
    ArithmeticError
        If they are not: then it may be larger than the supremum.
    """
    found = optimistic_value(counterexample(), priority, initial)
    if not found.attained:
        raise ArithmeticError("extended value iteration is not attained in the set")
    return found.value


def by_vertices(priority: Sequence[str] | None, initial: Sequence[str], reward: Exact = "3.21") -> fmpq:
    """Return the supremum over the vertices of the confidence set, by trying them all."""
    return best_vertex(counterexample(reward_b=rational(reward)), priority, initial).value


def value_in(model: Bandit, initial: Sequence[str]) -> fmpq:
    """Return the optimal value by policy iteration on the product, which knows nothing of indices."""
    return optimal_value(model).values[model.start(initial)]


def within(radius: Exact) -> Answer:
    """Return whether M1 and M2 lie in the set with this L1 radius."""
    estimates = counterexample(radius=rational(radius))
    refuted = {
        name: refutation for name, made in DRAWN.items() if (refutation := membership_refutation(made(), estimates))
    }
    return answer(not refuted, **refuted)


chapter.printed(
    Property(
        "thm:no_OFU/members",
        within,
        says=r"""$M^1 \in \mathbb{M}$ and $M^2 \in \mathbb{M}$, with the L1 radius $[[radius]]$ around the rows of
        $\hat Q_a$.""",
        reading=REAL_REWARDS,
        radius="1/5",
    ),
    AnyOf(InKernel("M1_in_set", "M2_in_set", radius="1/5"), Everywhere()),
    line=1257,
    nearest={"radius": "down"},
)


def bounds_distances(radius: Exact) -> Answer:
    """Return whether no row of M1 and M2 is farther from the estimate than this."""
    estimates = counterexample().arms[0].transitions
    found = {
        f"{name}, row {number}": distance(row, centre)
        for name, made in DRAWN.items()
        for number, (row, centre) in enumerate(zip(made().arms[0].transitions, estimates, strict=True), 1)
    }
    return answer(max(found.values()) <= rational(radius), **found)


chapter.printed(
    Property(
        "thm:no_OFU/radius",
        bounds_distances,
        says=r"""The vector $\epsilon^Q_a$, $[[radius]]$ in each entry, is an L1 radius with which the rows of $M^1$ and
        $M^2$ are in the set.""",
        radius="0.1",
    ),
    line=1255,
    verdict=Verdict.FAILS,
    refutation=InKernel("radius_at_least", radius="0.1"),
    severity=Severity.SLIP,
    cause="radius-vector",
    mutants=[{"radius": "0.19"}],
    controls=[{"radius": "0.2"}],
)

chapter.printed(
    PrintedNumber(
        "thm:no_OFU/value-pi2",
        "6.42",
        lambda initial: extended(PI_2, initial),
        also=lambda initial: by_vertices(PI_2, initial),
        says=r"$\sup_{M \in \mathbb{M}} V_M^{\pi^2}(A_1, B_3) = [[printed]]$, rounded.",
        reading=REAL_REWARDS,
        initial=FROM_A1_B3,
    ),
    AnyOf(InKernel("value_pi2", "rounding", printed="6.42", initial=FROM_A1_B3), Everywhere()),
    line=1308,
    mutants=[{"initial": FROM_A1_B1}],
)

chapter.printed(
    PrintedNumber(
        "thm:no_OFU/value-M1",
        "6.47",
        lambda: gittins_value(counterexample_m1(), FROM_A1_B3).value,
        also=lambda: value_in(counterexample_m1(), FROM_A1_B3),
        says=r"$\sup_\pi V_{M^1}^{\pi}(A_1, B_3) = [[printed]]$, rounded, for $M^1$ as drawn.",
        reading=REAL_REWARDS,
    ),
    line=1309,
    verdict=Verdict.FAILS,
    refutation=InKernel("value_M1", "rounding", printed="6.47"),
    severity=Severity.SLIP,
    cause="value-of-another-model",
    controls=[{"printed": "6.45"}, {"printed": "6.45375"}],
)

chapter.ours(
    PrintedNumber(
        "thm:no_OFU/value-M1/repair",
        "6.47",
        lambda: extended(None, FROM_A1_B3),
        also=lambda: by_vertices(None, FROM_A1_B3),
        says=r"""$[[printed]]$ is, rounded, the largest value from $(A_1, B_3)$ over $\mathbb{M}$ and over all
        policies. It is attained with the row $(0, 1/10, 9/10)$ of $A_2$, so not by the $M^1$ that is drawn.""",
        reading=REAL_REWARDS,
    ),
    AnyOf(InKernel("value_most_optimistic", "value_M1", "rounding", printed="6.47"), Everywhere()),
    line=1309,
    repairs="thm:no_OFU/value-M1",
)

chapter.printed(
    PrintedNumber(
        "thm:no_OFU/value-pi1",
        "5.96",
        lambda initial: extended(PI_1, initial),
        also=lambda initial: priority_value(counterexample_m2(), PI_1, initial).value,
        says=r"$\sup_{M \in \mathbb{M}} V_M^{\pi^1}(A_1, B_1) = [[printed]]$, rounded; it is attained by $M^2$.",
        reading=REAL_REWARDS,
        initial=FROM_A1_B1,
    ),
    AnyOf(InKernel("value_pi1", "rounding", printed="5.96", initial=FROM_A1_B1), Everywhere()),
    line=1310,
)

chapter.printed(
    PrintedNumber(
        "thm:no_OFU/value-M2",
        "6.00",
        lambda: gittins_value(counterexample_m2(), FROM_A1_B1).value,
        also=lambda: value_in(counterexample_m2(), FROM_A1_B1),
        says=r"$\sup_\pi V_{M^2}^{\pi}(A_1, B_1) = [[printed]]$, rounded.",
        reading=REAL_REWARDS,
    ),
    AnyOf(InKernel("value_M2", "rounding", printed="6.00"), Everywhere()),
    line=1311,
)


def strictly_below(order: Sequence[str], initial: Sequence[str], model: str, reward: Exact) -> Answer:
    """Return whether a policy's supremum over the set is below the optimal value of M1 or M2, as drawn."""
    estimates = counterexample(reward_b=rational(reward))
    optimal = gittins_value(Bandit([DRAWN[model]().arms[0], estimates.arms[1]], estimates.discount), initial).value
    supremum = by_vertices(order, initial, reward)
    return answer(supremum < optimal, supremum=supremum, optimal=optimal, gap=optimal - supremum)


chapter.printed(
    Property(
        "thm:no_OFU/strict-pi2",
        lambda reward: strictly_below(PI_2, FROM_A1_B3, "M^1", reward),
        says=r"""$\sup_{M \in \mathbb{M}} V_M^{\pi^2}(A_1, B_3) < \sup_\pi V_{M^1}^\pi(A_1, B_3)$, the reward of $B_1$
        and $B_3$ being $[[reward]]$.""",
        reading=REAL_REWARDS,
        reward="3.21",
    ),
    AnyOf(InKernel("strict_inequalities", reward="3.21"), Everywhere()),
    line=1309,
    nearest={"reward": "up"},
)

chapter.printed(
    Property(
        "thm:no_OFU/strict-pi1",
        lambda reward: strictly_below(PI_1, FROM_A1_B1, "M^2", reward),
        says=r"""$\sup_{M \in \mathbb{M}} V_M^{\pi^1}(A_1, B_1) < \sup_\pi V_{M^2}^\pi(A_1, B_1)$, the reward of $B_1$
        and $B_3$ being $[[reward]]$.""",
        reading=REAL_REWARDS,
        reward="3.21",
    ),
    AnyOf(InKernel("strict_inequalities", reward="3.21"), Everywhere()),
    line=1311,
    nearest={"reward": "down"},
)


def rewards_in_unit_interval(divisor: Exact) -> Answer:
    """Return whether all mean rewards, divided, lie in [0, 1]."""
    rewards = {
        name: reward / rational(divisor)
        for arm in counterexample().arms
        for name, reward in zip(arm.states, arm.rewards, strict=True)
    }
    return answer(all(0 <= reward <= 1 for reward in rewards.values()), **rewards)


chapter.implied(
    Property(
        "thm:no_OFU/unit-interval",
        rewards_in_unit_interval,
        says=r"""The counterexample is a Markovian bandit as Section 2.1 defines it: its mean
        rewards[[divisor=1?, divided by $#$,]] lie in $[0, 1]$.""",
        divisor=1,
    ),
    line=1240,
    verdict=Verdict.FAILS,
    severity=Severity.SLIP,
    cause="rewards-above-one",
    mutants=[{"divisor": "3.99"}],
    controls=[{"divisor": 4}],
)


def optimal_from(state_and_model: tuple[str, tuple[int, int]], orders: Sequence[Sequence[str]]) -> Answer:
    """Compare a priority policy's value with the optimum of policy iteration on the product."""
    name, state = state_and_model
    model, order = DRAWN[name](), orders[list(DRAWN).index(name)]
    value, optimum = priority_value(model, order, state).value, optimal_value(model).values[state]
    return answer(value == optimum, model=name, state=state, value=value, optimum=optimum)


chapter.implied(
    Property(
        "thm:no_OFU/optimal-policies",
        optimal_from,
        over=Family("all nine initial states of $M^1$ and of $M^2$",
                    lambda: product(DRAWN, product(range(3), repeat=2)), complete=True),
        says=r"$\pi^1$ is optimal in $M^1$, and $\pi^2$ in $M^2$, from every initial state.",
        reading=REAL_REWARDS,
        orders=(PI_1, PI_2),
    ),
    AnyOf(InKernel("optimal_policies", orders=(PI_1, PI_2)), Everywhere()),
    line=1303,
    mutants={"the two exchanged": {"orders": (PI_2, PI_1)}},
)  # fmt: skip

CAUSES = [
    Cause(
        "radius-vector",
        Severity.SLIP,
        line=1255,
        title="The vector 0.1 is not the L1 radius",
        printed=r"$\epsilon^Q_a = [0.1, 0.1, 0.1]$, after $\epsilon^Q_a(x_a) = 0.2$",
        why=r"""$M^1$ and $M^2$ are at L1 distance $1/5$ from the estimate; with the radius $1/10$ neither is in the
        set, and the printed $5.96$ does not come out.""",
        instead=r"$\epsilon^Q_a = [0.2, 0.2, 0.2]$",
        follows="Nothing: all printed values are those of the radius 0.2.",
        witness="thm:no_OFU/radius",
    ),
    Cause(
        "value-of-another-model",
        Severity.SLIP,
        line=1309,
        title="6.47 is the value of the most optimistic member of the set, not of the $M^1$ that is drawn",
        printed=r"$\sup_\pi V^\pi_{M^1}(A_1,B_3)\approx6.47$",
        why=r"It is $5163/800=6.45375$; $49167/7600=6.4693\ldots$ is attained with the row $A_2\to(0,1/10,9/10)$.",
        instead=r"$\sup_\pi V^\pi_{M^1}(A_1,B_3)\approx6.45$",
        follows="Nothing: the strict inequality holds either way.",
        witness="thm:no_OFU/value-M1",
    ),
    Cause(
        "rewards-above-one",
        Severity.SLIP,
        line=1240,
        title="The counterexample's rewards are not in [0, 1]",
        printed=r"rewards $3$, $4$ and $3.21$, while Section 2.1 has $\boldsymbol{r}^a\in[0,1]^S$",
        why=r"$4>1$.",
        instead="all rewards divided by 4; the radii and the discount stay",
        follows="Nothing: values are linear in the rewards, so every comparison stays.",
        witness="thm:no_OFU/unit-interval",
    ),
]

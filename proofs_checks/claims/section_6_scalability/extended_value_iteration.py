"""What extended value iteration maximises over: rows chosen in every global state, or shared by them (Section 6.2).

The set of eq:conf_rq holds Markovian bandits: a row belongs to an arm's state. Extended value iteration on the global
process chooses a row in every global state, which is more.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import sympy  # type: ignore[import-untyped]
from flint import fmpq

from proofs_checks.computations.attainable_sets import LAST, maximum_over_bandits, run_is_forced
from proofs_checks.computations.confidence_sets import of_theorem_3
from proofs_checks.computations.conflicting_rows import (
    ANOTHER_CONFLICT,
    CONFLICT,
    HALF,
    TWO_STATES,
    TWO_STATES_ORDER,
    random_estimates,
    with_radii,
)
from proofs_checks.evidence import Algebra, Argument, ByHand, Everywhere, InKernel, Samples, Solver, Step, Uses
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict
from proofs_checks.statements import Answer, Family, ForAll, Property, answer
from proofs_checks.statements.symbols import beta, p, q, r, s, u, v, x
from theory import (
    Arm,
    Bandit,
    Exact,
    Priority,
    best_vertex,
    gittins_value,
    optimistic_value,
    policy_value,
    priority_value,
    rational,
)
from theory.certified import Truth
from theory.optimism import membership_refutation, shared_supremum
from theory.paper import counterexample
from theory.random_models import random_member
from theory.values import priority_policy

chapter = Chapter(under="thm:no_OFU")
REAL_REWARDS = {"mean rewards": "real"}


def is_maximum_over_bandits(estimates: Bandit) -> Answer:
    """Compare extended value iteration with an enclosure of the supremum over the bandits of the set."""
    extended = optimistic_value(estimates)
    if extended.attained:
        return answer(True, value=extended.value, attained_by=extended.sharing.bandit)
    enclosure = shared_supremum(estimates, tolerance=fmpq(1, 50))
    return answer(
        Truth.NO if enclosure.upper < extended.value else Truth.UNDECIDED,
        estimates=estimates,
        extended_value_iteration=extended.value,
        every_bandit_of_the_set_is_worth_at_most=enclosure.upper,
        one_that_comes_close=enclosure.bandit,
        its_value=enclosure.lower,
    )


chapter.printed(
    Property(
        "eq:EVI/shared-rows",
        is_maximum_over_bandits,
        says=r"""Extended value iteration on the global process computes $\max_\pi \max_{M' \in \mathbb{M}} V^\pi_{M'}$,
        the maximum over Markovian bandits of the set. [[ours]] Here for an arm of three states with one free row and an
        arm of two, in a set that MB-UCRL2 does not meet (`eq:EVI/attainable` has one that it does).""",
        reading=REAL_REWARDS,
        estimates=CONFLICT,
    ),
    line=465,
    verdict=Verdict.FAILS,
    refutation=InKernel("extended_is_above", estimates=CONFLICT),
    severity=Severity.FALSE,
    cause="shared-rows",
    mutants={"another bandit": {"estimates": ANOTHER_CONFLICT}},
    controls={"the set of Theorem 3": {"estimates": counterexample()}},
)


# -- in the sets that MB-UCRL2 meets

REACHED: dict[str, Any] = {"visits": 50, "others": 10**8, "K": 100}

chapter.printed(
    Property(
        "eq:EVI/attainable",
        maximum_over_bandits,
        domain=r"four states, two arms, $\beta = 9/10$",
        says=r"""Extended value iteration computes $\max_\pi \max_{M' \in \mathbb{M}_k} V^\pi_{M'}(\rho)$ for the sets
        $\mathbb{M}_k$ of MB-UCRL2. [[ours]] Here for the set of eq. (5) in a run of $K = [[K]]$ episodes after
        $[[visits]]$ visits to $A_1$, which pays nothing and moves to $A_2$, and $[[others]]$ to each other state: $A_2$
        pays $3/5$ for good, $A_3$ pays $1$, then $A_4$ nothing, then $A_3$ again; $B_1$ pays $[[last]]$ for good, the
        others of arm $b$ nothing. The mean is over $(A_1, B_1)$ and $(A_1, B_2)$.""",
        reading={"clock": "t_k", "plausible rewards": "within [0, 1]"},
        last=LAST,
        **REACHED,
    ),
    line=465,
    verdict=Verdict.FAILS,
    severity=Severity.FALSE,
    cause="shared-rows",
    mutants=[{"others": 10**9}],
    controls=[{"visits": 100}],
)

chapter.ours(
    Property(
        "eq:EVI/attainable/run",
        run_is_forced,
        domain=r"""the bandit of `eq:EVI/attainable`; $\rho$ uniform on $(A_1, B_1)$, $(A_1, B_2)$, $(A_2, \cdot)$,
        $(A_3, B_2)$ and $(A_4, B_2)$""",
        says=r"""With positive probability MB-UCRL2, however it breaks ties, meets that set, and the true bandit is in
        it: six episodes of $[[others]]$ steps or more make all states known but $A_1$, which $[[visits]]$ episodes of
        one step then visit. ($K = [[K]]$.)""",
        reading={"clock": "t_k", "plausible rewards": "within [0, 1]"},
        **REACHED,
    ),
    Argument(
        Step(
            "In each of these episodes every policy that is best for its set plays the state that is visited.",
            Everywhere(),
            claim=Property("eq:EVI/attainable/run#forced", run_is_forced, says="They are forced.", **REACHED),
        ),
        conclusion=ByHand(
            """The starts have positive probability, and so have the lengths; the moves and rewards are certain, so that
            the estimates are the truth. In the first episode every policy is as optimistic as any other."""
        ),
    ),
    line=483,
    mutants=[{"others": 1}],
)


def bounds_members(drawn: tuple[Bandit, list[Bandit]], share: Exact) -> Answer:
    """Return whether extended value iteration bounds the members, and is attained where its rows can be shared."""
    estimates, members = drawn
    narrowed = with_radii(estimates, max(fmpq(0), rational(share)))
    extended = optimistic_value(narrowed)
    for member in members:
        value = gittins_value(member, estimates.start()).value
        if membership_refutation(member, estimates) or value > extended.value:
            return answer(False, estimates=estimates, member=member, value=value, bound=extended.value)
    attaining = extended.sharing.bandit if extended.attained else None
    if attaining is not None:
        reached = gittins_value(attaining, estimates.start()).value
        if membership_refutation(attaining, narrowed) or reached != extended.value:
            return answer(False, estimates=estimates, said_to_attain=attaining, its_value=reached)
    return answer(True)


def drawn_estimates(random: object) -> tuple[Bandit, list[Bandit]]:
    """Return random estimates and three members of their set."""
    estimates = random_estimates(random)  # type: ignore[arg-type]
    return estimates, [random_member(random, estimates) for _ in range(3)]  # type: ignore[arg-type]


chapter.ours(
    Property(
        "eq:EVI/shared-rows/repair",
        bounds_members,
        over=Family(
            """random exact bandits of an arm of three states and one of two, each with a free row, and members of
            their sets""",
            lambda: iter([of_theorem_3()]),
            draw=drawn_estimates,
        ),
        says=r"""Extended value iteration[[share=1?, with $#$ of the radii,]] is at least the value of every policy in
        every bandit of the set, and it is attained in the set where its rows can be shared by the global states
        that play reaches.""",
        share=1,
    ),
    Samples(40),
    line=465,
    repairs="eq:EVI/shared-rows",
    nearest={"share": "down"},
)


def attained_from_everywhere(estimates: Bandit) -> Answer:
    """Return whether, from every initial state, a bandit of the set attains extended value iteration's value."""
    truth = Truth.YES
    for state in product(*map(range, estimates.sizes)):
        extended = optimistic_value(estimates, None, state)
        if extended.attained is not True:
            enclosure = shared_supremum(estimates, None, state, tolerance=fmpq(1, 100))
            if enclosure.upper < extended.value:
                return answer(
                    False, estimates=estimates, initial=state, extended=extended.value, at_most=enclosure.upper
                )
            truth = Truth.YES if enclosure.lower == extended.value else Truth.UNDECIDED
    return answer(truth)


TWO_BY_TWO = Family(
    "two arms of two states, any radii",
    draw=lambda random: random_estimates(random, sizes=(2, 2), all_free=True),
)

chapter.ours(
    Property(
        "eq:EVI/shared-rows/two-states",
        lambda estimates, other: attained_from_everywhere(estimates if other is None else other),
        over=TWO_BY_TWO,
        says="For arms of two states, extended value iteration is attained by a Markovian bandit of the set.",
        other=None,
    ),
    Argument(
        Step(
            r"""With a retirement reward $x$ the values $u$, $v$ of an arm's two states, of rewards $r \ge s$, are
            ordered whatever its rows are (moving to the first state with probability $p$ and $q$): $v \le u$.""",
            Solver(),
            v <= u,
            over=ForAll(
                beta >= 0,
                beta < 1,
                p >= 0,
                p <= 1,
                q >= 0,
                q <= 1,
                s <= r,
                u >= x,
                u >= r + beta * (p * u + (1 - p) * v),
                sympy.Eq(v, sympy.Max(x, s + beta * (q * u + (1 - q) * v)), evaluate=False),
            ),
        ),
        Step(
            "With the other arms frozen the optimal value is a mixture of such retirement values.",
            Uses("conc:V/hull"),
        ),
        conclusion=ByHand(
            """So in every global state the better next state is that of the larger reward: extended value iteration may
            choose the same row everywhere."""
        ),
    ),
    line=465,
    mutants={"an arm of three states": {"other": CONFLICT}},
)


def attained_at_vertices(estimates: Bandit, priority: Priority | None) -> Answer:
    """Compare the best vertex of the set with an enclosure of the supremum over the set."""
    of_vertices = best_vertex(estimates, priority)
    enclosure = shared_supremum(estimates, priority, tolerance=fmpq(1, 100))
    if enclosure.lower <= of_vertices.value:
        return answer(Truth.YES if enclosure.upper == of_vertices.value else Truth.UNDECIDED, value=of_vertices.value)
    return answer(
        False,
        estimates=estimates,
        best_vertex=of_vertices.value,
        rows_of_a_better_bandit=enclosure.bandit.arms[0].transitions,
        its_value=enclosure.lower,
    )


chapter.ours(
    Property(
        "eq:EVI/vertices",
        attained_at_vertices,
        says="""The supremum of a policy's value over the confidence set is attained where every row is a vertex of its
        ball: here for two arms of two states, one free row, and a priority policy.""",
        estimates=TWO_STATES,
        priority=TWO_STATES_ORDER,
    ),
    line=465,
    verdict=Verdict.FAILS,
    mutants={"optimal values": {"estimates": CONFLICT, "priority": None}},
    controls={"the set of Theorem 3": {"estimates": counterexample(), "priority": None}},
)


def larger_inside(reward: Exact) -> Answer:
    """Return whether the value at q = 3/4 is above those at q = 0 and q = 1, each from its linear system."""
    values = {}
    for share in (fmpq(0), fmpq(3, 4), fmpq(1)):
        arm_a = Arm(rewards=[1, 0], transitions=[[share, 1 - share], [1, 0]], states=["A1", "A2"])
        arm_b = Arm(rewards=[rational(reward), 3], transitions=[[HALF, HALF], [0, 1]], states=["B1", "B2"])
        bandit = Bandit([arm_a, arm_b], fmpq(4, 5))
        values[f"q = {share}"] = policy_value(bandit, priority_policy(bandit, TWO_STATES_ORDER))[0, 0]
    return answer(values["q = 3/4"] > max(values["q = 0"], values["q = 1"]), **values)


chapter.ours(
    Property(
        "eq:EVI/vertices/by-hand",
        larger_inside,
        says=r"""For arm $a$ with rewards $1, 0$ and rows $(q, 1-q), (1, 0)$, and arm $b$ with rewards $[[reward]], 3$
        and rows $(1/2, 1/2), (0, 1)$, under the order $A_1 > B_1 > A_2 > B_2$ and $\beta = 4/5$, the value from
        $(A_1, B_1)$ is larger at $q = 3/4$ than at $q = 0$ and at $q = 1$.""",
        reading=REAL_REWARDS,
        reward=2,
    ),
    Everywhere(),
    line=465,
    nearest={"reward": "down"},
)


def vertex_is_best(drawn: tuple[Bandit, list[Bandit]], priority: Priority | None) -> Answer:
    """Return whether the best vertex of the set is worth at least each of the members given."""
    estimates, members = drawn
    best = best_vertex(estimates, priority).value
    for member in members:
        value = (
            gittins_value(member, estimates.start()).value
            if priority is None
            else priority_value(member, priority).value
        )
        if value > best:
            return answer(False, estimates=estimates, best_vertex=best, member=member, its_value=value)
    return answer(True)


def one_arm(random: object) -> tuple[Bandit, list[Bandit]]:
    """Return an arm of three states with radii, and members of its set."""
    estimates = random_estimates(random, sizes=(3,), all_free=True)  # type: ignore[arg-type]
    return estimates, [random_member(random, estimates) for _ in range(4)]  # type: ignore[arg-type]


chapter.ours(
    Property(
        "eq:EVI/vertices/repair",
        vertex_is_best,
        over=Family("one arm of three states played alone, any radii, and members of its set", draw=one_arm),
        says="""For one arm played alone the supremum of the value over its confidence set is attained where every row
        is a vertex of its ball.""",
        domain=r"one arm of any size, $0 \le \beta < 1$",
        priority=None,
    ),
    Argument(
        Step("By Cramer's rule the value is a quotient of two determinants.", ByHand()),
        Step(
            r"""Both are affine in each row, the other rows fixed: for two states, the first row moved from $(p, q)$ to
            $(u, v)$,""",
            Algebra(),
            sympy.Eq(
                ((1 - x) * p + x * u) * s - ((1 - x) * q + x * v) * r,
                (1 - x) * (p * s - q * r) + x * (u * s - v * r),
                evaluate=False,
            ),
            over=ForAll(x >= 0, x <= 1),
        ),
        Step("So they are for every size: a determinant is expanded along any row.", ByHand()),
        Step(
            r"""A quotient of affine functions with a denominator that is positive at both ends of a segment is at
            most the larger of its values there.""",
            Solver(),
            (r + s * x) / (u + v * x) <= sympy.Max(r / u, (r + s) / (u + v)),
            over=ForAll(x >= 0, x <= 1, u > 0, u + v > 0),
        ),
        conclusion=ByHand(
            r"""The denominator $\det(I - \beta Q)$ is positive on probability rows: it is $1$ at $\beta = 0$ and $I -
            \beta Q$ is strictly diagonally dominant. So one row after the other may be moved to a vertex."""
        ),
    ),
    line=465,
    repairs="eq:EVI/vertices",
    mutants={"a priority policy of two arms": {"priority": TWO_STATES_ORDER}},
    looked_at=6,
    witnesses=[(TWO_STATES, [shared_supremum(TWO_STATES, TWO_STATES_ORDER, tolerance=fmpq(1, 100)).bandit])],
)

CAUSES = [
    Cause(
        "shared-rows",
        Severity.FALSE,
        line=465,
        title="Extended value iteration maximises over more than the Markovian bandits of the set",
        printed=r"""A policy that maximises $\max_\pi \max_{M' \in \mathbb{M}_k} V^\pi_{M'}(\rho)$ can be computed
        by using extended value iteration.""",
        why=r"""It may take another row of one arm's state in every global state. MB-UCRL2 meets such sets, however
        it breaks ties: four states, two arms, $\beta = \frac{9}{10}$, $K = 100$; $A_1$, visited $50$ times, pays
        nothing and moves to $A_2$, which pays $\frac35$ for good; $A_3$ and $A_4$ take turns and pay $1$ and $0$;
        arm $b$ pays $\frac35$ for good, or nothing; all but $A_1$ visited $10^8$ times. Over $(A_1, B_1)$ and
        $(A_1, B_2)$ its mean is $6.028\ldots$, and no bandit of the set has more than $5.980$. In a set with one
        free row and all else known its value is $\frac{4951}{975}$ against at most $\frac{1969}{390}$; in that of
        Appendix C, for $(A_1, B_1)$ and $(A_1, B_3)$, $6.233\ldots$ against at most $6.208\ldots$""",
        instead=r"""Line 465: extended value iteration computes an upper bound, which is attained where its
        maximising rows do not depend on the states of the other arms.""",
        follows=r"""MB-UCRL2 as implemented is optimistic in a larger set: its model $M_k$ need not be a Markovian
        bandit. The regret analysis stands for it, as the distance of rows is all that it uses.""",
        witness=r"eq:EVI/attainable",
    ),
]

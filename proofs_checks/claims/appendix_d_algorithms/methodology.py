"""How the experiments evaluate policies: a linear system, or Monte Carlo (Appendix D.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

from flint import fmpq
from sympy import Eq  # type: ignore[import-untyped]

from proofs_checks.evidence import Algebra, Argument, ByHand, Everywhere, InKernel, Step, Uses
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict
from proofs_checks.statements import Answer, Family, ForAll, PrintedNumber, Property, Relation, answer
from proofs_checks.statements.symbols import S, c, n
from theory import (
    Arm,
    Bandit,
    Priority,
    gittins_priority,
    gittins_value,
    paper_model,
    policy_value,
    priority_value,
    rational,
)
from theory.certified import horizon_moment
from theory.random_models import random_bandit
from theory.values import moved, priority_policy

if TYPE_CHECKING:
    from numpy.random import Generator

Ordered: TypeAlias = "tuple[Bandit, Priority]"

chapter = Chapter(under="eq:exact_value")
ANY = r"$n \ge 1$ arms of $S$ states each, $0 \le \beta < 1$, any stationary policy"
SMALL = Bandit(
    [
        Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], ["1/3", "2/3"]]),
        Arm(rewards=["1/4", "3/4"], transitions=[[0, 1], ["1/2", "1/2"]]),
    ],
    "2/3",
    [0, 0],
)
"""Two arms of two states: small enough for all trajectories."""


def _ordered(source: Generator) -> Ordered:
    bandit = random_bandit(source, max_arms=2)
    return bandit, tuple(bandit.arm_states[int(i)] for i in source.permutation(len(bandit.arm_states)))


def _small() -> Iterator[Ordered]:
    yield SMALL, gittins_priority(SMALL)[::-1]


ORDERS = Family("random exact bandits of two arms with a priority order", _small, draw=_ordered)


def system_and_laws(model: Ordered, c: object) -> Answer:
    """Compare the linear system, its discount scaled, with the value by conservation laws: no system of S^n states."""
    bandit, order = model
    scaled = Bandit(bandit.arms, rational(c) * bandit.discount)
    values = policy_value(scaled, priority_policy(scaled, order))
    found = {state: priority_value(bandit, order, state).value for state in values}
    return answer(values == found, model=bandit, order=order, system=values, conservation_laws=found)


chapter.printed(
    Property(
        "eq:exact_value",
        system_and_laws,
        over=ORDERS,
        domain=ANY,
        says=r"""$I - [[*c]] \beta P^\pi$ is invertible, and $V^\pi_M = (I - [[*c]] \beta P^\pi)^{-1} r^\pi$.""",
        c=1,
    ),
    Argument(
        Step(r"$V^\pi_M = r^\pi + \beta P^\pi V^\pi_M$: condition on the first step.", ByHand()),
        Step(r"If $w = \beta P^\pi w$, then $\max_x |w(x)| \le \beta \max_x |w(x)|$, so $w = 0$.", ByHand()),
        conclusion=ByHand(
            r"So the system $(I - \beta P^\pi) V = r^\pi$ has exactly one solution, and $V^\pi_M$ is it."
        ),
    ),
    line=1428,
    under="",
    mutants=[{"c": "99/100"}],
    looked_at=40,
)

chapter.printed(
    Relation(
        "eq:exact_value/memory",
        ForAll(S >= 1, n >= 1),
        Eq((S**n) ** 2 + 2 * S**n, S ** (2 * n) + c * S**n, evaluate=False),
        says=r"""The matrix of the linear system on $S^n$ states, stored densely, its right-hand side and its solution
        are $S^{2n} + [[c]] S^n$ numbers. [[ours]] $[[formula]]$.""",
        c=2,
    ),
    Algebra(),
    line=1431,
    nearest={"c": "down"},
)

chapter.withdrawn(
    "eq:exact_value/no-algorithm",
    """The paper does not claim that there is no efficient method for the value of an index policy that is not the
    Gittins policy: it says that the one it cites does not seem applicable, and that it does not know of another.""",
    line=1424,
)


def by_laws(model: Ordered, values: str) -> Answer:
    """Compare with the linear system, and look at the activations: not negative, 1/(1 - beta) in all."""
    bandit, order = model
    expected = policy_value(bandit, priority_policy(bandit, order))
    for state, value in expected.items():
        found = gittins_value(bandit, state) if values == "the optimal value" else priority_value(bandit, order, state)
        visits = [count for counts in found.visits for count in counts]
        if found.value != value or min(visits) < 0 or sum(visits, fmpq(0)) != 1 / (1 - bandit.discount):
            return answer(False, model=bandit, order=order, state=state, system=value, laws=found.value, visits=visits)
    return answer(True)


chapter.ours(
    Property(
        "eq:exact_value/no-algorithm/repair",
        by_laws,
        over=ORDERS,
        domain=r"$n \ge 1$ arms of $S$ states each, $0 \le \beta < 1$, any strict priority order of the arm states",
        says=r"""[[values]] is computed by a triangular system with one unknown for each of the $nS$ arm states (strong
        conservation laws, Bertsimas and Niño-Mora 1996): its only solution is the vector of the expected discounted
        numbers of activations, which are not negative and sum to $1/(1-\beta)$.""",
        values="The value of a priority policy",
    ),
    InKernel("conservation", "value_of_priority_policy", values="The value of a priority policy"),
    line=1424,
    mutants=[{"values": "the optimal value"}],
    looked_at=40,
)


@cache
def value_of_the_worst_order() -> fmpq:
    """Return the value in scenario 2 of playing an arm of smallest Gittins index."""
    tasks = paper_model("task-scheduling")
    return priority_value(tasks, gittins_priority(tasks)[::-1]).value


def out_of_reach(how: str) -> Answer:
    """Compute the value of an index policy in scenario 2, or count the numbers that the linear system would hold."""
    if how == "by any method":
        value = value_of_the_worst_order()
        return answer(value is None, policy="smallest Gittins index first, in scenario 2", value=value)
    states = paper_model("task-scheduling").number_of_global_states
    return answer(states**2 > 10**18, numbers_of_the_linear_system=states**2 + 2 * states)


chapter.printed(
    Property(
        "eq:simulation_value/intractable",
        out_of_reach,
        says=r"""In Scenario 2, with $n = 9$ arms of $S = 11$ states, the values of index policies are out of reach
        [[how]].""",
        how="by any method",
    ),
    line=1433,
    under="eq:simulation_value/expectation",
    verdict=Verdict.FAILS,
    severity=Severity.SLIP,
    cause="values-in-reach",
    controls=[{"how": "by the linear system"}],
)


LONGEST = 6


def trajectories(
    bandit: Bandit, order: Sequence[tuple[int, int]], steps: int
) -> Iterator[tuple[fmpq, list[fmpq], tuple[int, ...]]]:
    """Yield probability, rewards and last state of every trajectory of this many steps."""
    play = priority_policy(bandit, order)

    def go_on(state: tuple[int, ...], left: int) -> Iterator[tuple[fmpq, list[fmpq], tuple[int, ...]]]:
        if left == 0:
            yield fmpq(1), [], state
            return
        a = play(state)
        for y, chance in enumerate(bandit.arms[a].transitions[state[a]]):
            if chance:
                for probability, rewards, last in go_on(moved(state, a, y), left - 1):
                    yield chance * probability, [bandit.arms[a].rewards[state[a]], *rewards], last

    yield from go_on(bandit.start(), steps)


def mean_total(bandit: Bandit, order: Priority, steps_fewer: int) -> fmpq:
    """Return the mean total reward of H - steps_fewer steps, over all trajectories; beyond 6 steps V of the last state.

    What remains of a geometric horizon is geometric again.
    """
    beta, values = bandit.discount, policy_value(bandit, priority_policy(bandit, order))
    total = fmpq(0)
    for probability, rewards, last in trajectories(bandit, order, LONGEST):
        shorter = [
            (1 - beta) * beta ** (H - 1) * sum(rewards[: max(0, H - steps_fewer)], fmpq(0))
            for H in range(1, LONGEST + 1)
        ]
        total += probability * (sum(shorter, fmpq(0)) + beta**LONGEST * (sum(rewards, fmpq(0)) + values[last]))
    return total


def estimated(quantity: str) -> Answer:
    """Return whether the estimate's expectation, over all trajectories of a small model, is a quantity."""
    gittins = gittins_priority(SMALL)
    expectation = mean_total(SMALL, gittins, 0) - mean_total(SMALL, gittins[::-1], 0)
    optimal, value = (policy_value(SMALL, priority_policy(SMALL, order))[0, 0] for order in (gittins, gittins[::-1]))
    meant = {r"$V^{\pi_k}_M$": value, r"$V^{\pi_*}_M - V^{\pi_k}_M$": optimal - value, r"$V^{\pi_*}_M$": optimal}
    return answer(
        expectation == meant[quantity],
        model=SMALL,
        policy="smallest Gittins index first",
        expectation=expectation,
        meant=meant[quantity],
    )


chapter.printed(
    Property(
        "eq:simulation_value/expectation",
        estimated,
        says="""The expectation of the Monte Carlo estimate, given the policies and initial states, is the value that
        the linear system gives, [[quantity]].""",
        quantity=r"$V^{\pi_k}_M$",
    ),
    line=1440,
    under="",
    verdict=Verdict.FAILS,
    severity=Severity.SLIP,
    cause="monte-carlo-difference",
    mutants=[{"quantity": r"$V^{\pi_*}_M$"}],
    controls=[{"quantity": r"$V^{\pi_*}_M - V^{\pi_k}_M$"}],
)


def estimates_the_difference(model: Ordered, a: object) -> Answer:
    """Compare the estimate's expectation, over all trajectories of the oracle and the agent, with V* - V^pi."""
    bandit, order = model
    fewer = int(rational(a).p)
    found = mean_total(bandit, gittins_priority(bandit), fewer) - mean_total(bandit, order, fewer)
    exact = gittins_value(bandit).value - priority_value(bandit, order).value
    return answer(found == exact, model=bandit, order=order, expectation=found, difference=exact)


chapter.ours(
    Property(
        "eq:simulation_value/expectation/repair",
        estimates_the_difference,
        over=Family("two arms of two states, all trajectories of 6 steps", _small),
        domain=r"finite bandits, policies $\pi_k$ fixed before the replicas, horizons independent of the trajectories",
        says=r"""Given $\pi_k$ and the initial state, the expectation of the Monte Carlo estimate with $H_k - [[a]]$
        steps a replica is $\Delta_k = V^{\pi_*}_M - V^{\pi_k}_M$.""",
        a=0,
    ),
    Argument(
        Step(r"For $\pi_*$ and for $\pi_k$:", Uses("eq:discounted_reward/mean")),
        conclusion=ByHand(
            r"""The sums over $t = 0, \ldots, H - 1$ have $H$ terms, and each reward has the mean that stands for it in
            $W_{1:H}$; the mean over the replicas keeps the expectation."""
        ),
    ),
    line=1435,
    under="eq:simulation_value/expectation",
    repairs="eq:simulation_value/expectation",
    mutants=[{"a": 1}],
)

chapter.printed(
    PrintedNumber(
        "scenarios/steps",
        "300000",
        lambda episodes, parameter: int(episodes) / rational(parameter),
        also=lambda episodes, parameter: int(episodes) * horizon_moment(1, 1 - rational(parameter)),
        says=r"""Horizons $H_1, \ldots, H_K$ are drawn from the geometric law of parameter $[[parameter]]$, for $K =
        [[episodes]]$. [[ours]] Their expected sum is $[[printed]]$, as Section 7 says.""",
        episodes=3000,
        parameter="0.01",
    ),
    Everywhere(),
    line=1419,
    under="eq:V-vs_R/steps",
    mutants=[{"parameter": "0.0101"}],
)

CAUSES = [
    Cause(
        "monte-carlo-difference",
        Severity.SLIP,
        line=1440,
        title="The Monte Carlo estimate is one of a difference of values",
        printed=r"the expectation of $\hat\Delta_k$ is equal to the value given by $(I - \beta P^\pi)^{-1} r^\pi$",
        why=r"""It is $V^{\pi_*}_M - V^{\pi_k}_M$: for the oracle's own policy it is $0$, and its value is not.
        Moreover the replicas of different simulations have different policies $\pi_k$: then the estimate is of the
        mean of their differences.""",
        instead=r"""the expectation of $\hat\Delta_k$ is equal to $\Delta_k = V^{\pi_*}_M - V^{\pi_k}_M$ as the exact
        method computes it""",
        follows="Nothing: it is the difference that is plotted.",
        witness="eq:simulation_value/expectation",
    ),
    Cause(
        "values-in-reach",
        Severity.SLIP,
        line=1433,
        title="The values of index policies in Scenario 2 are not intractable",
        printed="computing the value of Gittins index based algorithms in Scenario 2 is intractable",
        why=r"""The value of every priority policy is that of a triangular system with one unknown for each of the $nS
        = 99$ arm states: the value of playing the smallest Gittins index first is computed here as an exact
        fraction.""",
        instead="the linear system is out of reach; the strong conservation laws give the values with $nS$ unknowns",
        follows="The noise of Monte Carlo in the figures of Scenario 2 can be avoided: regret can be computed exactly.",
        witness="eq:simulation_value/intractable",
    ),
]

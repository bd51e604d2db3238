"""How the experiments evaluate policies: a linear system, or Monte Carlo (`eq:exact_value`, `eq:simulation_value`)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

from flint import fmpq

from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, decide, fails, holds
from theory import (
    Arm,
    Bandit,
    Exact,
    decimal_text,
    gittins_priority,
    gittins_value,
    paper_model,
    policy_value,
    priority_value,
    rational,
)
from theory.random_models import random_bandit
from theory.values import optimal_value, policy_table, priority_policy, value_by_retirement

if TYPE_CHECKING:
    pass

SECTION = "Experimental methodology"
SMALL = Bandit(
    [
        Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], ["1/3", "2/3"]]),
        Arm(rewards=["1/4", "3/4"], transitions=[[0, 1], ["1/2", "1/2"]]),
    ],
    "2/3",
    [0, 0],
)
"""Two arms of two states: small enough for all trajectories."""


@claim(
    "eq:exact_value",
    section=SECTION,
    statement="""The value of a policy solves (I - beta P) V = r; it equals the polynomial-time value of the
    conservation laws, and the optimal value for the Gittins policy.""",
    domain="random exact bandits of two arms, random priority policies, every initial state",
    evidence=Evidence.TESTED,
    mutants={"discount halved in one of them": {"share_of_discount": fmpq(1, 2)}},
)
def exact_value(book: Book, share_of_discount: Exact = 1) -> Finding:
    random, tried = book.generator("eq:exact_value"), 0
    for _ in range(20):
        bandit = random_bandit(random, max_arms=2)
        other = Bandit(bandit.arms, rational(share_of_discount) * bandit.discount)
        order = [bandit.arm_states[int(i)] for i in random.permutation(len(bandit.arm_states))]
        values, optimum = policy_value(bandit, priority_policy(bandit, order)), optimal_value(bandit).values
        for state, value in values.items():
            tried += 1
            by_laws, best = priority_value(other, order, state).value, gittins_value(other, state).value
            if (by_laws, best) != (value, optimum[state]):
                return fails({"bandit": bandit, "order": order, "state": state, "system": value, "laws": by_laws})
    return holds(Evidence.TESTED, instances=tried)


@claim(
    "eq:exact_value/memory",
    section=SECTION,
    statement="The linear system, stored densely, holds S^{2n} + 2 S^n numbers: a matrix, its right-hand side, V.",
    domain="S from 1 to 4, n from 1 to 3, and scenario 1 (S = 4, n = 3: 4224 numbers)",
    evidence=Evidence.EXHAUSTIVE,
    mutants={"S^{2n} + S^n": {"vectors": 1}, "S^{n+1} + 2 S^n": {"matrix_power": (1, 1)}},
)
def memory(book: Book, vectors: int = 2, matrix_power: tuple[int, int] = (2, 0)) -> Finding:
    cases = list(product(range(1, 5), range(1, 4)))
    for S, n in cases:
        arm = Arm(rewards=[0] * S, transitions=[[fmpq(1, S)] * S for _ in range(S)])
        states = len(policy_table(Bandit([arm] * n, 0), lambda _: 0))
        stored = states * states + 2 * states
        claimed = S ** (matrix_power[0] * n + matrix_power[1]) + vectors * S**n
        if stored != claimed:
            return fails({"S": S, "n": n, "stored": stored, "claimed": claimed})
    scenario_1 = paper_model("random-walk").number_of_global_states
    return decide(
        scenario_1 == 64 and scenario_1**2 + 2 * scenario_1 == 4224,
        Evidence.EXHAUSTIVE,
        instances=len(cases),
        global_states_of_scenario_1=scenario_1,
        reason="Only one arm moves: a row has at most S entries that are not 0, S^{n+1} + 2 S^n numbers in all.",
    )


@claim(
    "eq:exact_value/no-algorithm",
    section=SECTION,
    statement="""No efficient method for the optimal value carries over to index policies that are not the Gittins
    policy.""",
    domain="random exact bandits of two arms and priority orders; scenario 2 with its 11^9 global states",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"other bandits": {"purpose": "again"}},
    controls={"Whittle's retirement integral is such a method": {"method": "retirement"}},
)
def no_algorithm(book: Book, method: str = "conservation", purpose: str = "first") -> Finding:
    """Look whether a method that gives optimal values gives those of other orders too."""
    random = book.generator(f"eq:exact_value/no-algorithm {purpose}")
    agreements = 0
    for _ in range(15):
        bandit = random_bandit(random, max_arms=2)
        order = [bandit.arm_states[int(i)] for i in random.permutation(len(bandit.arm_states))]
        start = bandit.start()
        found = priority_value(bandit, order).value if method == "conservation" else value_by_retirement(bandit)
        if found != policy_value(bandit, priority_policy(bandit, order))[start]:
            return holds(Evidence.CERTIFIED, bandit=bandit, order=order, method=method, found=found)
        agreements += 1
    tasks = paper_model("task-scheduling")
    increasing = tuple(reversed(gittins_priority(tasks)))
    played = tuple(reversed(gittins_priority(SMALL)))
    return fails(
        {
            "bandit": SMALL,
            "order, not by Gittins index": [SMALL.name(state) for state in played],
            "its value from the linear system": policy_value(SMALL, priority_policy(SMALL, played))[SMALL.start()],
            "its value from the conservation laws": priority_value(SMALL, played).value,
            "method": "strong conservation laws (Bertsimas and Nino-Mora 1996)",
            "agrees with the linear system on random bandits": agreements,
            "scenario 2, states by increasing Gittins index: exact value, in decimals": decimal_text(
                priority_value(tasks, increasing).value
            ),
            "scenario 2, optimal value, in decimals": decimal_text(gittins_value(tasks).value),
        },
        reason="One triangular system with one unknown per arm state: polynomial in n and S.",
    )


@claim(
    "eq:exact_value/no-algorithm/repair",
    section=SECTION,
    statement="""The value of every priority policy is that of a triangular system with one unknown per arm state, whose
    solution, the expected discounted activations, is non-negative and sums to 1/(1-beta).""",
    domain="random exact bandits of two arms and priority orders, every initial state",
    evidence=Evidence.TESTED,
    mutants={"for the optimal value in its place": {"of_the_optimum": True}},
    repairs=("eq:exact_value/no-algorithm",),
)
def conservation(book: Book, of_the_optimum: bool = False) -> Finding:
    random, tried = book.generator("eq:exact_value/no-algorithm/repair"), 0
    for _ in range(20):
        bandit = random_bandit(random, max_arms=2)
        order = [bandit.arm_states[int(i)] for i in random.permutation(len(bandit.arm_states))]
        for state, value in policy_value(bandit, priority_policy(bandit, order)).items():
            tried += 1
            outcome = gittins_value(bandit, state) if of_the_optimum else priority_value(bandit, order, state)
            visits = [count for counts in outcome.visits for count in counts]
            if outcome.value != value or min(visits) < 0 or sum(visits, fmpq(0)) != 1 / (1 - bandit.discount):
                return fails({"bandit": bandit, "order": order, "state": state, "system": value, "visits": visits})
    return holds(Evidence.TESTED, instances=tried)


@claim(
    "eq:simulation_value/expectation",
    section=SECTION,
    statement="The expectation of the Monte Carlo estimate is the value that eq:exact_value gives, that of the policy.",
    domain="any bandit and policy; the oracle's policy itself is enough",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"for the worst order": {"order": "reversed"}},
    controls={"the difference of the oracle's value and the policy's": {"difference": True}},
)
def simulation_value(book: Book, order: str = "gittins", difference: bool = False) -> Finding:
    if difference:
        return book.finding("eq:simulation_value/expectation/repair")
    gittins = gittins_priority(SMALL)
    played = gittins if order == "gittins" else tuple(reversed(gittins))
    of_policy, optimum = priority_value(SMALL, played).value, gittins_value(SMALL).value
    expectation = optimum - of_policy
    return decide(
        expectation == of_policy,
        Evidence.CERTIFIED,
        bandit=SMALL,
        order=[SMALL.name(state) for state in played],
        expectation_of_the_estimate=expectation,
        value_of_the_policy=of_policy,
        reason="It estimates the difference V* - V^pi, averaged over the policies and initial states of the episode.",
    )


@claim(
    "eq:simulation_value/expectation/repair",
    section=SECTION,
    statement="""With H geometric of parameter 1 - beta and independent of the trajectories, the expected total reward
    of H steps is V; so the estimate's expectation, given policy and initial state, is V* - V^pi.""",
    domain="""two arms of two states, all trajectories of up to 6 steps, all horizons: those longer than 6 by what is
    left of V there""",
    evidence=Evidence.EXHAUSTIVE,
    mutants={
        "horizon of parameter beta": {"other_parameter": True},
        "H - 1 steps": {"missing_steps": 1},
    },
    repairs=("eq:simulation_value/expectation",),
)
def simulated_difference(book: Book, other_parameter: bool = False, missing_steps: int = 0) -> Finding:
    longest, beta = 6, SMALL.discount
    going_on = 1 - beta if other_parameter else beta  # P{H > t} = going_on^t
    gittins = gittins_priority(SMALL)
    expected, trajectories = {}, 0
    for name, order in (("oracle", gittins), ("agent", tuple(reversed(gittins)))):
        values = policy_value(SMALL, priority_policy(SMALL, order))
        total = fmpq(0)
        for probability, rewards, last in _trajectories(SMALL, order, longest):
            trajectories += 1
            played = [
                (1 - going_on) * going_on ** (H - 1) * sum(rewards[: max(0, H - missing_steps)], fmpq(0))
                for H in range(1, longest + 1)
            ]
            beyond = going_on**longest * (sum(rewards, fmpq(0)) + values[last])
            total += probability * (sum(played, fmpq(0)) + beyond)
        expected[name] = total, values[SMALL.start()]
    estimate = expected["oracle"][0] - expected["agent"][0]
    exact = expected["oracle"][1] - expected["agent"][1]
    agrees = estimate == exact and all(total == value for total, value in expected.values())
    if not agrees:
        return fails({"bandit": SMALL, "expectation": estimate, "V* - V^pi": exact})
    return holds(
        Evidence.EXHAUSTIVE,
        instances=trajectories,
        expectation=estimate,
        reason=(
            "P{H > t} = beta^t, so in general the sum over t of P{H > t} E[r_t] is V; beyond 6 steps what remains "
            "of a geometric horizon is geometric again, worth V of the state reached."
        ),
    )


def _trajectories(
    bandit: Bandit, order: Sequence[tuple[int, int]], steps: int
) -> Iterator[tuple[fmpq, list[fmpq], tuple[int, ...]]]:
    """Yield probability, rewards and last state of every trajectory of this many steps."""
    play = priority_policy(bandit, order)

    def go_on(state: tuple[int, ...], left: int) -> Iterator[tuple[fmpq, list[fmpq], tuple[int, ...]]]:
        if left == 0:
            yield fmpq(1), [], state
            return
        a = play(state)
        arm = bandit.arms[a]
        for y, chance in enumerate(arm.transitions[state[a]]):
            if chance:
                for probability, rewards, last in go_on((*state[:a], y, *state[a + 1 :]), left - 1):
                    yield chance * probability, [arm.rewards[state[a]], *rewards], last

    yield from go_on(bandit.start(), steps)

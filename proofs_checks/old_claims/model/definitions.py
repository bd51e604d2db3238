"""The model, its optimal policies and the Gittins index, as the paper defines them (sections 2.1 and 2.2)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from flint import fmpq

from proofs_checks.computations.symbolic import algebra
from proofs_checks.claims.model.counting import Counter, interpolate
from proofs_checks.ledger import Book, Evidence, Finding, claim, fails, holds
from theory import Arm, Bandit, Priority, gittins_indices, gittins_priority, gittins_value, policy_value, stopped_chain
from theory.gittins import indices_by_definition, indices_by_folding, refutation
from theory.random_models import random_arm, random_bandit, random_discount
from theory.values import global_states, optimal_value, priority_policy

SECTION = "Model and definitions"
RANDOM_ARMS = "random exact arms of 1 to 5 states; discounts 0 to 99/100; ties and unit rows included"
RANDOM_BANDITS = "random exact bandits of 1 to 3 arms of 1 to 3 states; discounts 0 to 99/100; ties included"


@claim(
    "eq:defP",
    section=SECTION,
    statement="""For every arm a the matrix P^a built from Q^a is stochastic: its rows sum to 1, and only states that
    differ in arm a's component alone have positive probability.""",
    domain="any number of arms, any state spaces",
    evidence=Evidence.PROOF,
    mutants={"the other arms need not stay": {"others_stay": False}},
)
def transition_matrix(book: Book, others_stay: bool = True) -> Finding:
    """Sum P^a over the next states with the other arms lumped into one coordinate of F values."""
    sympy = algebra()
    before, after = sympy.symbols("before after", positive=True, integer=True)
    f, g = before, before + after  # any configuration f of any number F = before + after
    local_sum = 1  # sum over y_a of Q(x_a, y_a): a row of Q
    y = sympy.Symbol("y", integer=True)
    weight = sympy.KroneckerDelta(f, y) if others_stay else 1
    row_sum = sympy.simplify(sympy.Sum(weight * local_sum, (y, 1, g)).doit())
    reason = "all arms but a are one frozen coordinate; its indicator picks one term, and a row of Q sums to 1"
    if row_sum == 1:
        return holds(Evidence.PROOF, reason=reason)
    return fails(
        {
            "sum of a row of P^a, F frozen configurations": str(row_sum),
            "with F = 2": str(row_sum.subs({before: 1, after: 1})),
        }
    )


@claim(
    "sec:def/disjoint",
    section=SECTION,
    statement="""Nothing is lost by taking the arms' state spaces disjoint: renaming states arm by arm changes no
    optimal value, from any global state.""",
    domain=RANDOM_BANDITS,
    evidence=Evidence.TESTED,
    mutants={"copies of an arm share one state, and move together": {"share_one_state": True}},
)
def disjoint_state_spaces(book: Book, share_one_state: bool = False, instances: int = 100) -> Finding:
    generator = book.generator("sec:def/disjoint")
    for _ in range(instances):
        arm, discount = random_arm(generator, 2), random_discount(generator)
        copies = Bandit([arm, arm], discount)
        names = [["u", "v"]] if share_one_state else [["u", "v"], ["w", "z"]]
        renamed = Bandit(
            [Arm(rewards=arm.rewards, transitions=arm.transitions, states=states) for states in names], discount
        )
        of_copies, of_renamed = optimal_value(copies).values, optimal_value(renamed).values
        for state, value in of_copies.items():
            other = of_renamed[state[:1] if share_one_state else state]
            if other != value and (not share_one_state or state[0] == state[1]):
                return fails({"arm": copies, "global state": state, "value": value, "after renaming": other})
    return holds(Evidence.TESTED, instances=instances)


@claim(
    "pb:problem_1/exists",
    section=SECTION,
    statement="""Some deterministic stationary policy attains the largest value over all of them from every global
    state at once; so an optimal policy does not depend on the initial state.""",
    domain="random exact bandits of at most 6 global states, all of their policies enumerated",
    evidence=Evidence.TESTED,
    mutants={"every policy that is best from the initial state is best from all": {"every_maximiser": True}},
)
def optimal_policy_exists(book: Book, every_maximiser: bool = False, instances: int = 150) -> Finding:
    generator = book.generator("pb:problem_1/exists")
    policies_tried = 0
    for _ in range(instances):
        bandit = random_bandit(generator, max_arms=2, max_global_states=6)
        states = global_states(bandit, "")
        tables = [
            policy_value(bandit, dict(zip(states, choice, strict=True)))
            for choice in product(range(len(bandit.arms)), repeat=len(states))
        ]
        policies_tried += len(tables)
        best = {state: max(values[state] for values in tables) for state in states}
        start = bandit.start()
        at_start = [values for values in tables if values[start] == best[start]]
        quantifier = all if every_maximiser else any
        if not quantifier(values == best for values in at_start):
            missed = next(values for values in at_start if values != best)
            return fails({"bandit": bandit, "best from each state": best, "best from the initial state": missed})
    return holds(Evidence.TESTED, instances=instances, policies_enumerated=policies_tried)


def _rewards(arm: Arm, discount: fmpq) -> tuple[fmpq, ...]:
    return arm.rewards


def _play_for_ever(arm: Arm, discount: fmpq) -> tuple[fmpq, ...]:
    reward = stopped_chain(arm, discount, range(arm.size)).reward
    return tuple((1 - discount) * value for value in reward)


STOPPING: dict[str, Callable[[Arm, fmpq], tuple[fmpq, ...]]] = {
    "any time": indices_by_definition,
    "after one step": _rewards,
    "never": _play_for_ever,
}


@claim(
    "eq:eq_Gindex",
    section=SECTION,
    statement="""The index computed by elimination is the supremum over stopping times tau > 0 of discounted reward
    per discounted time: it equals the best stopping set's ratio, and passes the retirement certificate, which bounds
    every stopping time.""",
    domain=RANDOM_ARMS,
    evidence=Evidence.TESTED,
    mutants={"tau = 1 only": {"stopping": "after one step"}, "tau infinite only": {"stopping": "never"}},
)
def index_is_supremum(book: Book, stopping: str = "any time", instances: int = 200) -> Finding:
    generator = book.generator("eq:eq_Gindex")
    for _ in range(instances):
        arm, discount = random_arm(generator, int(generator.integers(1, 6))), random_discount(generator)
        computed, supremum = gittins_indices(arm, discount), STOPPING[stopping](arm, discount)
        refuted = refutation(arm, discount, computed)
        if computed != supremum or refuted:
            return fails(
                {"arm": Bandit([arm], discount), "computed": computed, "supremum": supremum, "certificate": refuted}
            )
    return holds(
        Evidence.TESTED,
        instances=instances,
        reason="the certificate is a Bellman equation, so it covers all stopping times and not only exit times of sets",
    )


def _by_reward(bandit: Bandit) -> Priority:
    reward = {(a, x): bandit.arms[a].rewards[x] for a, x in bandit.arm_states}
    return tuple(sorted(bandit.arm_states, key=lambda state: reward[state], reverse=True))


@claim(
    "gittins-optimal",
    section=SECTION,
    statement="Playing an arm of largest Gittins index is optimal from every global state.",
    domain=RANDOM_BANDITS,
    evidence=Evidence.TESTED,
    mutants={"largest reward first": {"order": _by_reward}},
)
def index_policy_is_optimal(
    book: Book, order: Callable[[Bandit], Priority] = gittins_priority, instances: int = 150
) -> Finding:
    """Compare with policy iteration on the product, which uses no index."""
    book.finding("cited:gittins")
    generator = book.generator("gittins-optimal")
    for _ in range(instances):
        bandit = random_bandit(generator)
        priority = order(bandit)
        optimum, found = optimal_value(bandit).values, policy_value(bandit, priority_policy(bandit, priority))
        for state, value in optimum.items():
            if found[state] != value:
                return fails(
                    {
                        "bandit": bandit,
                        "priority": [bandit.name(s) for s in priority],
                        "state": state,
                        "optimum": value,
                        "of the order": found[state],
                    }
                )
        if order is gittins_priority and gittins_value(bandit).value != optimum[bandit.start()]:
            return fails({"bandit": bandit, "by conservation laws": gittins_value(bandit).value})
    return holds(Evidence.TESTED, instances=instances)


@claim(
    "gittins-cost",
    section=SECTION,
    statement="""The indices of an arm of S states take O(S^3) arithmetic operations: the largest-remaining-index
    algorithm takes a number of them that is a polynomial of degree 3 in S when no probability is zero, and no more when
    some are; n arms take n times as many.""",
    domain="S = 1..9; additions, subtractions, multiplications, divisions and comparisons counted",
    evidence=Evidence.TESTED,
    mutants={"O(S^2)": {"degree": 2}},
)
def index_cost(book: Book, degree: int = 3, largest: int = 9) -> Finding:
    counts = {S: operations(_full_arm(S)) for S in range(1, largest + 1)}
    coefficients = interpolate([(S, counts[S]) for S in range(1, degree + 2)])
    for S, counted in counts.items():
        fitted = sum((c * S**power for power, c in enumerate(coefficients)), fmpq(0))
        if fitted != counted:
            return fails({"S": S, "operations": counted, f"polynomial of degree {degree} through the first": fitted})
    generator, drawn = book.generator("gittins-cost"), 20
    for _ in range(drawn):
        arm = random_arm(generator, int(generator.integers(1, largest)))
        if operations(arm) > counts[arm.size]:
            return fails({"arm with zeros": Bandit([arm], 0), "operations": operations(arm)})
    constant = sum((max(c, fmpq(0)) for c in coefficients), fmpq(0))
    return holds(
        Evidence.TESTED,
        instances=largest + drawn,
        reason="""Four sizes determine a cubic, and the others lie on it. That it goes on so for every S is read off the
        program and not checked: two nested loops over the m remaining states, m = S, ..., 1, constant work inside.""",
        coefficients_from_constant_to_cubic=coefficients,
        at_most_this_times_S_cubed=constant,
        counts=counts,
    )


def _full_arm(size: int) -> Arm:
    total = sum(range(1, size + 1))
    row = [fmpq(y + 1, total) for y in range(size)]
    return Arm(rewards=[fmpq(x, size) for x in range(size)], transitions=[row] * size)


def operations(arm: Arm, discount: fmpq = fmpq(1, 2)) -> int:
    """Return how many arithmetic operations and comparisons folding the states one by one spends on `arm`."""
    tally: list[int] = [0]
    counted: Any = [[Counter(p, tally) for p in row] for row in arm.transitions]
    rewards: Any = [Counter(r, tally) for r in arm.rewards]
    beta: Any = Counter(discount, tally)
    indices: Any = indices_by_folding(counted, rewards, beta)
    if tuple(index.value for index in indices) != gittins_indices(arm, discount):
        raise ArithmeticError("counting changed the indices")
    return tally[0]

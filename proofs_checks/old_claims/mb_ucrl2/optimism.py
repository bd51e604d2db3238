"""MB-UCRL2: what is optimistic, over which models, and from which initial states (`eq:optimism`, `eq:EVI`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from flint import fmpq

from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, undecided
from theory import (
    Arm,
    ArmState,
    Bandit,
    Exact,
    GlobalState,
    gittins_priority,
    gittins_value,
    optimistic_value,
    policy_value,
)
from theory.optimism import OptimisticValue, largest_expectation
from theory.paper import COUNTEREXAMPLE_RADIUS, counterexample, counterexample_m2
from theory.random_models import random_bandit, random_member, random_start
from theory.values import global_states, moved, optimal_value, priority_policy, values_after

SECTION = "MB-UCRL2"
THEOREM_3 = "the confidence set of Theorem 3 (arm a with L1 radius 1/5, arm b known, beta = 1/2)"

Rows = dict[ArmState, tuple[fmpq, ...]]


def forced_rows(estimates: Bandit, outcome: OptimisticValue, start: GlobalState) -> Rows:
    """Return rows that every bandit of the set must have if its optimal value from `start` is that of `outcome`.

    Such a bandit's policy and rows must be greedy for the optimistic values wherever play goes, since no bandit of the
    set exceeds these. Play is followed while the greedy arm and row are the only ones.
    """
    forced: Rows = {}
    waiting, met = [start], {start}
    while waiting:
        state = waiting.pop()
        best = outcome.values[state]
        greedy = [a for a in range(len(estimates.arms)) if backup(estimates, outcome, state, a) == best]
        after = values_after(estimates, outcome.values, state, greedy[0])
        if len(greedy) > 1 or len(set(after)) < len(after):
            continue  # a tie between arms, or between next states, may leave a choice of rows
        row = outcome.rows[state]
        forced.setdefault((greedy[0], state[greedy[0]]), row)
        following = {moved(state, greedy[0], y) for y, probability in enumerate(row) if probability} - met
        met |= following
        waiting.extend(following)
    return forced


def backup(estimates: Bandit, outcome: OptimisticValue, state: GlobalState, arm: int) -> fmpq:
    """Return the largest value, over rewards and rows within the radii, of playing `arm` once and then the optimum."""
    owner, x = estimates.arms[arm], state[arm]
    after = values_after(estimates, outcome.values, state, arm)
    best = largest_expectation(owner.transitions[x], owner.transition_radius[x], after)
    return owner.rewards[x] + owner.reward_radius[x] + estimates.discount * best


def common_member(estimates: Bandit, starts: Sequence[Sequence[str]]) -> Bandit | dict[str, object] | None:
    """Return a bandit optimistic from all `starts`; or the conflict that excludes one; or None if undecided."""
    states = [estimates.start(start) for start in starts]
    outcomes = [optimistic_value(estimates, None, start) for start in starts]
    if not all(outcome.attained for outcome in outcomes):
        return None
    for outcome in outcomes:
        member = outcome.sharing.bandit
        if member and all(gittins_value(member, s).value == o.value for s, o in zip(states, outcomes, strict=True)):
            return member
    forced = [forced_rows(estimates, outcome, state) for outcome, state in zip(outcomes, states, strict=True)]
    for key in forced[0]:
        if key in forced[1] and forced[0][key] != forced[1][key]:
            chosen = outcomes[0].sharing.bandit
            assert chosen is not None  # attained
            return {
                "arm state": estimates.name(key),
                f"its row from {', '.join(starts[0])}": forced[0][key],
                f"its row from {', '.join(starts[1])}": forced[1][key],
                "largest values over the set": [outcome.value for outcome in outcomes],
                "M_k, optimistic from the first": chosen,
                "its optimal value from the second": gittins_value(chosen, states[1]).value,
            }
    return None


@claim(
    "eq:optimism",
    section=SECTION,
    statement="""One policy pi_k and one Markovian bandit M_k of the plausible set have
    V_{M_k}^{pi_k}(x) = max over policies and over the set of V(x), from every global state x.""",
    domain=THEOREM_3 + "; dividing all rewards by 4 puts them into [0, 1] and divides all values by 4",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"from (A2, B3) and (A2, B1)": {"starts": (("A2", "B3"), ("A2", "B1"))}},
    controls={"radius 0": {"radius": 0}, "from (A1, B1) and (A2, B1)": {"starts": (("A1", "B1"), ("A2", "B1"))}},
)
def one_optimistic_pair(
    book: Book,
    starts: Sequence[Sequence[str]] = (("A1", "B3"), ("A1", "B1")),
    radius: Exact = COUNTEREXAMPLE_RADIUS,
) -> Finding:
    estimates = counterexample(radius=radius)
    found = common_member(estimates, starts)
    if found is None:
        return undecided("the maximising rows are not forced")
    if isinstance(found, Mapping):
        return fails(found, reason="the optimistic values are attained from each state, but by different rows")
    return holds(Evidence.CERTIFIED, bandit=found)


@claim(
    "eq:optimism/dominates",
    section=SECTION,
    statement="""The value of pi_k in M_k, chosen as best from the initial law rho, is at least the optimal value of the
    true model from every global state, when the true model is plausible.""",
    domain=THEOREM_3 + ", rho the point mass at (A1, B3)",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"from (A1, B2)": {"start": ("A1", "B2")}},
    controls={"from (A1, B3) itself": {"start": ("A1", "B3")}},
)
def dominates_everywhere(book: Book, start: Sequence[str] = ("A1", "B1")) -> Finding:
    chosen = optimistic_value(counterexample(), None, ("A1", "B3")).sharing.bandit
    assert chosen is not None  # `eq:optimism` has it attained
    true = counterexample_m2()
    left, right = gittins_value(chosen, start).value, gittins_value(true, start).value
    if left < right:
        return fails({"M_k": chosen, "true model, in the set": true, "x": start, "V_{M_k}": left, "V_M": right})
    return holds(Evidence.CERTIFIED, left=left, right=right)


@claim(
    "eq:optimism/repair",
    section=SECTION,
    statement="""With X ~ rho, the mean of V_{M_k}^{pi_k}(X) is at least that of V_M^{pi_*}(X) for every plausible M;
    this is all that E[Delta^model_k 1{E}] <= 0 needs, X being independent of the past.""",
    domain="any plausible set that contains M, any rho",
    evidence=Evidence.TESTED,
    mutants={"from every global state": {"from_every_state": True}},
    repairs=("eq:optimism", "eq:optimism/dominates"),
)
def optimistic_on_average(book: Book, from_every_state: bool = False, instances: int = 150) -> Finding:
    """Choose the best of finitely many members of a confidence set from rho, and compare it with each of them."""
    generator = book.generator("eq:optimism/repair")
    for _ in range(instances):
        estimates = random_bandit(generator, max_arms=2, max_global_states=9, radii=True)
        rho = random_start(generator, estimates)
        values = [optimal_value(random_member(generator, estimates)).values for _ in range(4)]
        means = [sum((rho[x] * each[x] for x in rho), fmpq(0)) for each in values]
        chosen = max(range(len(values)), key=means.__getitem__)
        for each, mean in zip(values, means, strict=True):
            worse = [x for x in rho if values[chosen][x] < each[x]] if from_every_state else []
            if means[chosen] < mean or worse:
                return fails({"estimates": estimates, "rho": rho, "chosen": values[chosen], "a member": each})
    return holds(
        Evidence.TESTED,
        instances=instances,
        reason="a maximum over a set that contains M; it is attained: policies are finitely many, the set is compact",
    )


@claim(
    "eq:EVI/optimal-policy",
    section=SECTION,
    statement="""Every policy that maximises V(rho) over the plausible set is an optimal policy of the maximising model
    M_k, from every global state.""",
    domain="radii 0: two arms, the first with two absorbing states of rewards 1/2 and 0, the second constant 1/4",
    verdict=Verdict.FAILS,
    evidence=Evidence.EXHAUSTIVE,
    mutants={"rho at the second state": {"rho": {(0, 0): fmpq(0), (1, 0): fmpq(1)}}},
    controls={"rho uniform": {"rho": {(0, 0): fmpq(1, 2), (1, 0): fmpq(1, 2)}}},
)
def maximiser_is_optimal(book: Book, rho: Mapping[GlobalState, fmpq] | None = None) -> Finding:
    law = rho or {(0, 0): fmpq(1), (1, 0): fmpq(0)}
    bandit = Bandit(
        [Arm(rewards=["1/2", 0], transitions=[[1, 0], [0, 1]]), Arm(rewards=["1/4"], transitions=[[1]])], "1/2"
    )
    states = global_states(bandit, "")
    policies = [dict(zip(states, arms, strict=True)) for arms in product((0, 1), repeat=len(states))]
    mean = [sum((law[x] * policy_value(bandit, policy)[x] for x in states), fmpq(0)) for policy in policies]
    optimum = optimal_value(bandit).values
    for policy, value in zip(policies, mean, strict=True):
        found = policy_value(bandit, policy)
        if value == max(mean) and found != optimum:
            witness = {"M_k": bandit, "rho": law, "policy": policy, "its values": found, "optimal values": optimum}
            return Finding(Verdict.FAILS, Evidence.EXHAUSTIVE, {}, witness, instances=len(policies))
    return holds(Evidence.EXHAUSTIVE, instances=len(policies))


@claim(
    "eq:EVI/optimal-policy/repair",
    section=SECTION,
    statement="""Among the policies that maximise V(rho) in M_k is M_k's Gittins index policy, optimal for M_k from
    every global state; so pi_k may be chosen an optimal policy of M_k.""",
    domain="random exact bandits of 1 to 3 arms of 1 to 3 states, random rho",
    evidence=Evidence.TESTED,
    mutants={"arms in fixed order": {"by_index": False}},
    repairs=("eq:EVI/optimal-policy",),
)
def index_policy_maximises(book: Book, by_index: bool = True, instances: int = 150) -> Finding:
    book.finding("gittins-optimal")
    generator = book.generator("eq:EVI/optimal-policy/repair")
    for _ in range(instances):
        bandit = random_bandit(generator)
        rho = random_start(generator, bandit)
        order = gittins_priority(bandit) if by_index else bandit.arm_states
        found, optimum = policy_value(bandit, priority_policy(bandit, order)), optimal_value(bandit).values
        means = [sum((rho[x] * each[x] for x in rho), fmpq(0)) for each in (found, optimum)]
        if means[0] != means[1] or found != optimum:
            return fails({"bandit": bandit, "order": order, "values": found, "optimal values": optimum})
    return holds(Evidence.TESTED, instances=instances)

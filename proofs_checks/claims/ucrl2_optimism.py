"""MB-UCRL2: what is optimistic, over which models, and from which initial states (`eq:optimism`, `eq:EVI`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from flint import fmpq

from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from proofs_checks.random_models import random_bandit, random_member, random_start
from theory import (
    Arm,
    ArmState,
    Bandit,
    GlobalState,
    gittins_priority,
    gittins_value,
    optimistic_value,
    policy_value,
)
from theory.optimism import OptimisticValue, largest_expectation
from theory.paper_models import COUNTEREXAMPLE_RADIUS, counterexample, counterexample_m2
from theory.rationals import Exact
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
        greedy = [a for a in range(len(estimates.arms)) if _backup(estimates, outcome, state, a) == best]
        after = values_after(estimates, outcome.values, state, greedy[0])
        if len(greedy) > 1 or len(set(after)) < len(after):
            continue  # a tie between arms, or between next states, may leave a choice of rows
        row = outcome.rows[state]
        forced.setdefault((greedy[0], state[greedy[0]]), row)
        following = {moved(state, greedy[0], y) for y, probability in enumerate(row) if probability} - met
        met |= following
        waiting.extend(following)
    return forced


def _backup(estimates: Bandit, outcome: OptimisticValue, state: GlobalState, arm: int) -> fmpq:
    owner, x = estimates.arms[arm], state[arm]
    after = values_after(estimates, outcome.values, state, arm)
    best = largest_expectation(owner.transitions[x], owner.transition_radius[x], after)
    return owner.rewards[x] + owner.reward_radius[x] + estimates.discount * best


def _common_member(estimates: Bandit, starts: Sequence[Sequence[str]]) -> Bandit | dict[str, object] | None:
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
    found = _common_member(estimates, starts)
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
def optimistic_on_average(book: Book, from_every_state: bool = False, instances: int = 30) -> Finding:
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
    bandit = Bandit([Arm(["1/2", 0], [[1, 0], [0, 1]]), Arm(["1/4"], [[1]])], "1/2")
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
def index_policy_maximises(book: Book, by_index: bool = True, instances: int = 30) -> Finding:
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


@claim(
    "eq:EVI/extended",
    section=SECTION,
    statement="""Extended value iteration computes the maximum of V(rho) over policies and the plausible Markovian
    bandits.""",
    domain=THEOREM_3 + ", rho uniform on (A1, B3) and (A1, B1)",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"rho on (A2, B3) and (A2, B1)": {"starts": (("A2", "B3"), ("A2", "B1"))}},
    controls={"(A1, B3) alone": {"starts": (("A1", "B3"), ("A1", "B3"))}, "radius 0": {"radius": 0}},
)
def extended_is_exact(
    book: Book,
    starts: Sequence[Sequence[str]] = (("A1", "B3"), ("A1", "B1")),
    radius: Exact = COUNTEREXAMPLE_RADIUS,
) -> Finding:
    estimates = counterexample(radius=radius)
    found = _common_member(estimates, starts)
    extended = sum((optimistic_value(estimates, None, start).value for start in starts), fmpq(0)) / len(starts)
    if found is None:
        return undecided("the maximising rows are not forced")
    if isinstance(found, Mapping):
        return fails(
            {"extended value iteration, mean over rho": extended, **found},
            reason="no bandit of the set attains both values, and the set is compact: its maximum is strictly smaller",
        )
    return holds(Evidence.CERTIFIED, value=extended, bandit=found)


@claim(
    "eq:EVI/extended/repair",
    section=SECTION,
    statement="""Extended value iteration is optimistic: from every global state its value is at least the optimal value
    of each bandit of the set; with radii 0 it is the optimal value.""",
    domain="random exact confidence sets of 1 or 2 arms, radii 0 to 2, ties included; members on the boundary too",
    evidence=Evidence.TESTED,
    mutants={"half of the radii": {"share": fmpq(1, 2)}, "estimated rewards": {"upper_rewards": False}},
    repairs=("eq:EVI/extended",),
)
def extended_is_optimistic(
    book: Book, share: fmpq = fmpq(1), upper_rewards: bool = True, instances: int = 30
) -> Finding:
    generator = book.generator("eq:EVI/extended/repair")
    for _ in range(instances):
        estimates = random_bandit(generator, max_arms=2, max_global_states=9, radii=True)
        used = Bandit(
            [
                Arm(
                    arm.rewards,
                    arm.transitions,
                    arm.states,
                    [share * radius if upper_rewards else fmpq(0) for radius in arm.reward_radius],
                    [share * radius for radius in arm.transition_radius],
                )
                for arm in estimates.arms
            ],
            estimates.discount,
            estimates.initial,
        )
        extended = optimistic_value(used).values
        for _ in range(3):
            member = random_member(generator, estimates)
            for state, value in optimal_value(member).values.items():
                if value > extended[state]:
                    return fails({"estimates": estimates, "member": member, "state": state, "optimal value": value,
                                  "extended value iteration": extended[state]})  # fmt: skip
        bare = [Arm(arm.rewards, arm.transitions) for arm in estimates.arms]
        centre = Bandit(bare, estimates.discount, estimates.initial)
        if optimistic_value(centre).values != optimal_value(centre).values:
            return fails({"radii 0": centre})
    return holds(Evidence.TESTED, instances=instances)


@claim(
    "eq:EVI/cost-sweep",
    section=SECTION,
    statement="""One sweep of extended value iteration, given the maximising rows, takes n S^(n+1) multiplications, and
    so at most n S^(2n).""",
    domain="n >= 1 arms of S >= 1 states",
    evidence=Evidence.PROOF,
    mutants={"at most S^(2n)": {"arms_counted": False}, "at most n S^n": {"exponent": 1}},
)
def sweep_cost(book: Book, arms_counted: bool = True, exponent: int = 2, largest: int = 4) -> Finding:
    """Count the products in the greedy backups of every global state and arm."""
    for n, S in product(range(1, largest + 1), repeat=2):
        counted = sum(S for _ in product(range(S), repeat=n) for _ in range(n))
        claimed = (n if arms_counted else 1) * S ** (exponent * n)
        if counted != n * S ** (n + 1) or counted > claimed:
            return fails({"n": n, "S": S, "multiplications": counted, "claimed": claimed})
    return holds(Evidence.PROOF, reason="S^n global states, n arms, S products each; n + 1 <= 2n", cases=largest**2)


@claim(
    "eq:EVI/cost",
    section=SECTION,
    statement="""An optimistic policy's value is computed to within 1 by extended value iteration in O(n S^(2n))
    operations, the constant being the same for all discounts: so for some c, c sweeps are enough at n = S = 1.""",
    domain="0 <= beta < 1; one arm of one state with reward 1, iteration from 0; c = 100",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"one sweep, at beta <= 1/2": {"sweeps": 1, "largest_discount": fmpq(1, 2)}},
    controls={"beta <= 9/10": {"largest_discount": fmpq(9, 10)}},
)
def cost_for_all_discounts(book: Book, sweeps: int = 100, largest_discount: fmpq | None = None) -> Finding:
    """After c sweeps the error is beta^c/(1 - beta), which grows with beta; at 1 - 1/(2c) it is at least c."""
    up_to = fmpq(9, 10) if largest_discount is None else largest_discount
    error = up_to**sweeps / (1 - up_to)
    reason = "the error beta^c/(1 - beta) increases with beta"
    bernoulli = {"c": sweeps, "beta": 1 - fmpq(1, 2 * sweeps), "error at least (1 - c/(2c)) 2c": sweeps}
    if largest_discount is None:
        return holds_only("discounts bounded away from 1, here by 9/10", Evidence.PROOF, bernoulli, reason=reason)
    if error >= 1:
        return fails({"c": sweeps, "beta": up_to, "error": error})
    return holds(Evidence.PROOF, reason=reason, largest_error_below=fmpq(1))

"""MB-UCRL2: extended value iteration as a way to solve `eq:EVI`: what it computes, and at which cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

from flint import fmpq

from proofs_checks.computations.symbolic import algebra, is_identity, nonnegative_above
from proofs_checks.claims.mb_ucrl2.optimism import SECTION, THEOREM_3, backup, common_member
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import Arm, Bandit, Exact, optimistic_value
from theory.optimism import distance, extended_process
from theory.paper import COUNTEREXAMPLE_RADIUS, counterexample
from theory.random_models import random_bandit, random_member
from theory.values import optimal_value


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
    found = common_member(estimates, starts)
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
    book: Book, share: fmpq = fmpq(1), upper_rewards: bool = True, instances: int = 150
) -> Finding:
    generator = book.generator("eq:EVI/extended/repair")
    for _ in range(instances):
        estimates = random_bandit(generator, max_arms=2, max_global_states=9, radii=True)
        used = Bandit(
            [
                Arm(
                    rewards=arm.rewards,
                    transitions=arm.transitions,
                    states=arm.states,
                    reward_radius=[share * radius if upper_rewards else fmpq(0) for radius in arm.reward_radius],
                    transition_radius=[share * radius for radius in arm.transition_radius],
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
        bare = [Arm(rewards=arm.rewards, transitions=arm.transitions) for arm in estimates.arms]
        centre = Bandit(bare, estimates.discount, estimates.initial)
        if optimistic_value(centre).values != optimal_value(centre).values:
            return fails({"radii 0": centre})
    return holds(Evidence.TESTED, instances=instances)


@claim(
    "eq:optimism/extended",
    section=SECTION,
    statement="""If a plausible model may have a row per global state, each within the radius of the arm state's
    estimate, then one policy and one such model, those of extended value iteration, are optimistic from every global
    state at once. The regret proof uses no more: it sums the distances of rows along the play.""",
    domain="random exact confidence sets of 1 or 2 arms, radii 0 to 2, ties included",
    evidence=Evidence.TESTED,
    mutants={"the estimated rows in place of the maximising ones": {"estimated_rows": True}},
    repairs=("eq:optimism", "eq:optimism/dominates"),
)
def one_pair_with_global_rows(book: Book, estimated_rows: bool = False, instances: int = 150) -> Finding:
    """Evaluate the pair by a linear system of its own; then the Bellman equation over all arms and rows."""
    generator = book.generator("eq:optimism/extended")
    for _ in range(instances):
        estimates = random_bandit(generator, max_arms=2, max_global_states=9, radii=True)
        outcome = optimistic_value(estimates)
        centre = {x: estimates.arms[a].transitions[x[a]] for x, a in outcome.policy.items()}
        rows = centre if estimated_rows else outcome.rows
        process = extended_process(estimates)
        pair = {x: replace(process.actions[x][a], row=rows[x]) for x, a in outcome.policy.items()}
        values = process.evaluate(pair)
        for x, a in outcome.policy.items():
            radius = estimates.arms[a].transition_radius[x[a]]
            best = max(backup(estimates, outcome, x, other) for other in range(len(estimates.arms)))
            if distance(rows[x], centre[x]) > radius or values[x] != best:
                return fails({"estimates": estimates, "x": x, "value of the pair": values[x], "largest": best})
    return holds(
        Evidence.TESTED,
        instances=instances,
        reason="a solution of the Bellman equation of the extended process is its optimal value, from every state",
    )


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
    """Count the products in the greedy backups of all global states and arms: by a sum, and one by one when few."""
    sympy = algebra()
    n_, S_, x, y, a = sympy.symbols("n S x y a", integer=True, positive=True)
    total = sympy.summation(1, (y, 1, S_), (a, 1, n_), (x, 1, S_**n_))
    counts = is_identity(sympy.expand_power_exp(total), n_ * S_**n_ * S_)
    arms_enough = nonnegative_above((n_ if arms_counted else 1) - n_, {n_: 1})
    power_enough = nonnegative_above(sympy.expand(exponent * n_ - (n_ + 1)), {n_: 1})
    for n, S in product(range(1, largest + 1), repeat=2):
        counted = sum(S for _ in product(range(S), repeat=n) for _ in range(n))
        claimed = (n if arms_counted else 1) * S ** (exponent * n)
        if counted != n * S ** (n + 1) or counted > claimed:
            return fails({"n": n, "S": S, "multiplications": counted, "claimed": claimed})
    if not (counts and arms_enough and power_enough):
        return undecided("neither proved nor refuted")
    return holds(Evidence.PROOF, reason="S^n global states, n arms, S products each; n + 1 <= 2n", cases=largest**2)


@claim(
    "eq:EVI/cost",
    section=SECTION,
    statement="""An optimistic policy's value is computed to within 1 by extended value iteration in O(n S^(2n))
    operations, the constant being the same for all discounts: so for some c, c sweeps are enough at n = S = 1.""",
    domain="0 <= beta < 1; one arm of one state with reward 1, iteration from 0; c = 100",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"one sweep, at beta <= 3/5": {"sweeps": 1, "largest_discount": fmpq(3, 5)}},
    controls={"beta <= 9/10": {"largest_discount": fmpq(9, 10)}},
)
def cost_for_all_discounts(book: Book, sweeps: int = 100, largest_discount: fmpq | None = None) -> Finding:
    """After c sweeps the error is beta^c/(1 - beta), which grows with beta; at 1 - 1/(2c) it is at least c."""
    sympy = algebra()
    c, beta = sympy.symbols("c beta", positive=True)
    error = beta**c / (1 - beta)  # the rewards of the steps from the c-th on
    rest = is_identity(sympy.expand_power_exp(error - error.subs(c, c + 1)), beta**c)
    slope = sympy.simplify(sympy.diff(error, beta) - beta ** (c - 1) * (c * (1 - beta) + beta) / (1 - beta) ** 2)
    # Bernoulli, (1-x)^m >= 1 - m x: from m to m + 1 the left side times 1 - x is at least (1 - m x)(1 - x)
    m, x = sympy.symbols("m x")
    bernoulli = nonnegative_above(sympy.expand((1 - m * x) * (1 - x) - (1 - (m + 1) * x)), {m: 1, x: 0})
    if not (rest and slope == 0 and bernoulli):
        return undecided("a step of the argument is not an identity")
    up_to = fmpq(9, 10) if largest_discount is None else largest_discount
    largest = up_to**sweeps / (1 - up_to)
    if largest > 1:
        return fails({"c": sweeps, "beta": up_to, "error": largest})
    reason = "the error beta^c/(1 - beta) increases with beta; at 1 - 1/(2c) it is at least (1 - c/(2c)) 2c = c"
    near_one = 1 - fmpq(1, 2 * sweeps)
    beyond = near_one**sweeps / (1 - near_one)
    if largest_discount is None and beyond > 1:
        witness = {"c": sweeps, "beta": near_one, "error, more than": fmpq(beyond.floor())}
        return holds_only("discounts bounded away from 1, here by 9/10", Evidence.PROOF, witness, reason=reason)
    return holds(Evidence.PROOF, reason=reason, largest_error_below=fmpq(1))

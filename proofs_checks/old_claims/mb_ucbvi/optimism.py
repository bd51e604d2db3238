"""MB-UCBVI (appendix): its event, and its optimism (`lem:ucbvi_optim`) with the matrix series of the proof.

Its regret is in `ucbvi_regret`.
"""

from __future__ import annotations

from flint import fmpq, fmpq_mat

from proofs_checks.computations.symbolic import algebra, is_identity
from proofs_checks.claims.mb_ucrl2.event import FAILURES, FAILURES_WITHIN_H, union_bound
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, undecided
from theory import (
    Arm,
    ArmState,
    Bandit,
    DecisionProcess,
    Exact,
    GlobalState,
    expectation,
    gittins_priority,
    policy_value,
)
from theory.random_models import random_bandit, random_counts, random_row, random_sub_row
from theory.values import Activation, optimal_value, priority_policy, product_process, values_after

SECTION = "MB-UCBVI"

Row = tuple[fmpq, ...]
Estimates = dict[ArmState, tuple[fmpq, Row]]
"""Empirical reward and row of each arm state; rows may sum to less than 1."""


@claim(
    "lem:concentration_ucbvi",
    section=SECTION,
    statement="""The event of MB-UCBVI has probability at least 1 - 7/K, given the bounds 2/K, 2/K, 2/K and 1/K of Lemma
    concentration on the complements of its four parts.""",
    domain="K >= 1; the four bounds assumed",
    evidence=Evidence.PROOF,
    mutants={"1 - 6/K": {"constant": 6}},
)
def event_probability(book: Book, constant: Exact = 7) -> Finding:
    """Add the bounds as they are printed; which of them hold, and where, is said by their own entries."""
    for each in ("conc:r", "conc:Q", "conc:H", "conc:V"):
        book.finding(each)
    return union_bound(constant, {**FAILURES, "V": fmpq(2)}, "")


@claim(
    "lem:concentration_ucbvi/sharper",
    section=SECTION,
    statement="""The event has probability at least 1 - 4/K, given what the proof of Lemma concentration claims: 1/K for
    long horizons, and 1/K for each of r, Q and V among short horizons.""",
    domain="K >= 1; the four bounds assumed",
    evidence=Evidence.PROOF,
    mutants={"1 - 3/K": {"constant": 3}},
)
def event_probability_sharper(book: Book, constant: Exact = 4) -> Finding:
    if not book.stands("conc:r/repair", "conc:Q/repair", "conc:H/repair", "conc:V"):
        return undecided("the repaired bounds do not stand")
    parts = {**FAILURES_WITHIN_H, "V": fmpq(1)}
    return union_bound(constant, parts, " among short horizons, and long horizons,")


def smallest_bonus(bandit: Bandit, estimates: Estimates) -> tuple[dict[ArmState, fmpq], dict[GlobalState, fmpq]]:
    """Return the least bonus >= 0 with which the event's inequality holds from one side, where pi_* plays; and V_M.

    The event gives more: both sides, and for every arm.
    """
    optimum = optimal_value(bandit)
    bonus = dict.fromkeys(bandit.arm_states, fmpq(0))
    for state, a in optimum.policy.items():
        reward, row = estimates[a, state[a]]
        after = values_after(bandit, optimum.values, state, a)
        missing = optimum.values[state] - reward - bandit.discount * expectation(row, after)
        bonus[a, state[a]] = max(bonus[a, state[a]], missing)
    return bonus, optimum.values


@claim(
    "lem:ucbvi_optim",
    section=SECTION,
    statement="""If at each global state x the bonus of the arm that pi_* plays there is at least
    r - r-hat + beta (P - P-hat) V_M^{pi_*}, then V_{M_k}^{pi_k}(x) >= V_M^{pi_*}(x) for every x, pi_k being the index
    policy of M_k. The event implies the condition, and asks more.""",
    domain="""random exact bandits, and estimates from random counts (0 and 1 rewards); rows never visited are any
    probability rows; the smallest bonuses that satisfy the condition, so equality is common""",
    evidence=Evidence.TESTED,
    mutants={"9/10 of the bonus": {"share": fmpq(9, 10)}, "no bonus": {"share": fmpq(0)}},
)
def optimism(book: Book, share: fmpq = fmpq(1), instances: int = 200) -> Finding:
    book.finding("cited:gittins")
    generator = book.generator("lem:ucbvi_optim")
    tight = 0
    for _ in range(instances):
        bandit = random_bandit(generator, max_arms=2, max_global_states=9)
        estimates: Estimates = {}
        for a, arm in enumerate(bandit.arms):
            rewards, rows = random_counts(generator, arm.size).empirical(random_row(generator, arm.size))
            estimates |= {(a, x): (rewards[x], rows[x]) for x in range(arm.size)}
        bonus, true_values = smallest_bonus(bandit, estimates)
        arms = [
            Arm(
                rewards=[estimates[a, x][0] + share * bonus[a, x] for x in range(arm.size)],
                transitions=[estimates[a, x][1] for x in range(arm.size)],
            )
            for a, arm in enumerate(bandit.arms)
        ]
        believed = Bandit(arms, bandit.discount)
        found = policy_value(believed, priority_policy(believed, gittins_priority(believed)))
        for state, value in true_values.items():
            tight += found[state] == value
            if found[state] < value:
                return fails({"M": bandit, "M_k": believed, "state": state, "V_M": value, "V_{M_k}": found[state]})
    return holds(
        Evidence.TESTED,
        instances=instances,
        states_with_equality=tight,
        reason="only pi_*'s own actions and one side of the event are used; pi_k must be optimal for M_k everywhere",
    )


@claim(
    "lem:ucbvi_optim/zero-rows",
    section=SECTION,
    statement="""With empirical means and rows as defined, sums over no observation and so 0 where N = 0, the index
    policy of M_k is optimal for M_k, and optimistic under the event.""",
    domain="""L free. Witness: beta = 1/2, L = 3; arm 1 goes from u (N = 100, 15 rewards) to v (N = 0), where it truly
    stays and pays 0; arm 2 always pays 1 and was played 121 times""",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"arm 2 played 10^4 times": {"root_n": 100}},
    controls={"a probability as the row of v": {"row_of_v": (fmpq(0), fmpq(1))}},
)
def zero_rows(book: Book, root_n: int = 11, row_of_v: Row = (fmpq(0), fmpq(0))) -> Finding:
    """Compare the policy of the indices by eq:eq_Gindex, to which ending all play costs nothing, with the best one."""
    beta, L, mean_of_u = fmpq(1, 2), fmpq(3), fmpq(3, 20)
    true = Bandit(
        [
            Arm(rewards=[mean_of_u, 0], transitions=[[0, 1], [0, 1]], states=["u", "v"]),
            Arm(rewards=[1], transitions=[[1]], states=["w"]),
        ],
        beta,
        ["u", "w"],
    )
    bonus = {root: L / (2 * (1 - beta) * root) for root in (1, 10, root_n)}
    estimates: Estimates = {
        (0, 0): (mean_of_u + bonus[10], (fmpq(0), fmpq(1))),
        (0, 1): (bonus[1], row_of_v),
        (1, 0): (1 + bonus[root_n], (fmpq(1),)),
    }
    needed, true_values = smallest_bonus(true, {**estimates, (0, 0): (mean_of_u, (fmpq(0), fmpq(1)))})
    lost = beta * (1 - sum(row_of_v, fmpq(0))) * true_values[1, 0]  # the event's deviation in v; none in u and w
    if any(needed.values()) or lost > bonus[1]:
        raise ArithmeticError("the event does not hold")
    indices = _indices_of_u_v_w(estimates, beta)
    rank = dict(zip(((0, 0), (0, 1), (1, 0)), indices, strict=True))
    policy = {x: max((0, 1), key=lambda a: rank[a, x[a]]) for x in true_values}
    process = process_of_estimates(true, estimates)
    by_index, best = process.evaluate(policy), process.solve().values
    values: dict[str, object] = {
        "M": true,
        "bonus": "L/(2 (1 - beta) sqrt(max{1, N})), 3 for N = 0",
        "M_k, reward with bonus and row": {true.name(key): each for key, each in estimates.items()},
        "indices of u, v, w": indices,
        "from (u, w), the index policy in M_k": by_index[0, 0],
        "from (u, w), the optimal value in M_k": best[0, 0],
        "from (u, w), the optimal value in M": true_values[0, 0],
    }
    if by_index != best or by_index[0, 0] < true_values[0, 0]:
        return fails(values, reason="a row of zeros ends play for all arms, which the index of one arm cannot know")
    return holds(Evidence.CERTIFIED, reason="the same instance with a bandit for M_k")


def _indices_of_u_v_w(estimates: Estimates, beta: fmpq) -> tuple[fmpq, fmpq, fmpq]:
    """Return the best ratios of reward and time: u moves to v surely, v stays or ends, w stays."""
    r_u, r_v, stays = estimates[0, 0][0], estimates[0, 1][0], estimates[0, 1][1][1]
    for_ever = 1 / (1 - beta * stays)
    return max(r_u, (r_u + beta * r_v * for_ever) / (1 + beta * for_ever)), r_v, estimates[1, 0][0]


@claim(
    "lem:ucbvi_optim/substochastic",
    section=SECTION,
    statement="""The same for estimated rows that sum to less than 1, rows of zeros included, when pi_k is any optimal
    policy of M_k (play ends with the missing probability).""",
    domain="random exact bandits; random rewards in [0, 1] and rows of sum 0, 1/3, 2/3 or 1; the smallest bonuses",
    evidence=Evidence.TESTED,
    mutants={"9/10 of the bonus": {"share": fmpq(9, 10)}},
    repairs=("lem:ucbvi_optim/zero-rows",),
)
def optimism_substochastic(book: Book, share: fmpq = fmpq(1), instances: int = 200) -> Finding:
    generator = book.generator("lem:ucbvi_optim/substochastic")
    for _ in range(instances):
        bandit = random_bandit(generator, max_arms=2, max_global_states=9)
        estimates = {
            (a, x): (fmpq(int(generator.integers(0, 5)), 4), random_sub_row(generator, bandit.arms[a].size))
            for a, x in bandit.arm_states
        }
        bonus, true_values = smallest_bonus(bandit, estimates)
        optimistic = {key: (reward + share * bonus[key], row) for key, (reward, row) in estimates.items()}
        found = process_of_estimates(bandit, optimistic).solve().values
        for state, value in true_values.items():
            if found[state] < value:
                return fails({"M": bandit, "reward with bonus, row": {bandit.name(k): v for k, v in optimistic.items()},
                              "state": state, "V_M": value, "V_{M_k}": found[state]})  # fmt: skip
    return holds(Evidence.TESTED, instances=instances)


def process_of_estimates(bandit: Bandit, estimates: Estimates) -> DecisionProcess[GlobalState, int]:
    """Return the process with these rewards and rows: play ends with the probability that a row lacks."""
    return product_process(bandit, lambda a, x: Activation(*estimates[a, x]), may_end=True)


def _partial_sum(matrix: fmpq_mat, terms: int) -> list[list[fmpq]]:
    size = matrix.nrows()
    total, power = fmpq_mat(size, size), fmpq_mat([[int(i == j) for j in range(size)] for i in range(size)])
    for _ in range(terms):
        total, power = total + power, power * matrix
    return [[total[i, j] for j in range(size)] for i in range(size)]


@claim(
    "lem:ucbvi_optim/series",
    section=SECTION,
    statement="(I - beta P)^(-1) is I + (I - beta P) + (I - beta P)^2 + ..., a sum without negative entries.",
    domain="transition matrices P, 0 <= beta < 1",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"beta = 3/4": {"discount": fmpq(3, 4)}},
    controls={"beta = 1/2 and one state, by coincidence": {"discount": fmpq(1, 2)}},
)
def printed_series(book: Book, discount: fmpq = fmpq(1, 3)) -> Finding:
    """With one state, P = 1 and the series is geometric: its sum is 1/beta, the inverse 1/(1 - beta)."""
    ratio = 1 - discount
    total, inverse = 1 / (1 - ratio), 1 / (1 - discount)
    if total == inverse:
        return holds(Evidence.CERTIFIED, sum_of_series=total, inverse=inverse)
    half = fmpq(1, 2)
    swap = fmpq_mat([[1, -half], [-half, 1]])  # I - beta P for the two-state swap at beta = 1/2
    return fails(
        {
            "P": 1,
            "beta": discount,
            "sum of the printed series": total,
            "inverse": inverse,
            "two states that swap, beta = 1/2: first three terms": _partial_sum(swap, 3),
            "and the inverse": [[fmpq(4, 3), fmpq(2, 3)], [fmpq(2, 3), fmpq(4, 3)]],
        },
        reason="the sum is (beta P)^(-1) where it converges; entries are negative, and eigenvalues may exceed 1",
    )


@claim(
    "lem:ucbvi_optim/series/repair",
    section=SECTION,
    statement="(I - beta P)^(-1) = I + beta P + (beta P)^2 + ..., without negative entries; so g >= 0 gives D >= 0 in "
    "(I - beta P) D >= g.",
    domain="P >= 0 with rows of sum at most 1, zero rows included; 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"rows of sum up to 2": {"largest_sum": 2}},
    repairs=("lem:ucbvi_optim/series",),
)
def neumann_series(book: Book, largest_sum: int = 1, instances: int = 100) -> Finding:
    """Prove (1 - z)(1 + ... + z^(m-1)) = 1 - z^m by its increments, z = beta P; (beta P)^m has rows <= beta^m."""
    sympy = algebra()
    z, m = sympy.symbols("z m", positive=True)
    partial = (1 - z**m) / (1 - z)
    if not is_identity(sympy.expand_power_exp(partial.subs(m, m + 1) - partial), z**m):
        return fails({"identity": "the partial sums of the geometric series"})
    # rows of (beta P)^m sum to at most (beta s)^m, s the largest sum of a row: a null sequence when beta s < 1
    generator = book.generator("lem:ucbvi_optim/series/repair")
    for each in range(instances):
        size, beta = int(generator.integers(1, 5)), fmpq(9, 10)
        rows = [random_sub_row(generator, size) for _ in range(size)]
        if each == 0:
            size, rows = 1, [(fmpq(largest_sum),)]
        inverse = fmpq_mat([[int(i == j) - beta * rows[i][j] for j in range(size)] for i in range(size)]).inv()
        if any(entry < 0 for entry in inverse.entries()):
            return fails({"P": rows, "beta": beta, "inverse of I - beta P": inverse.tolist()})
    if largest_sum > 1:
        return undecided("the powers of beta P need not tend to 0")
    return holds(
        Evidence.PROOF,
        reason="powers of one matrix commute, so the scalar identity applies; (beta P)^m has row sums <= beta^m, "
        "so tends to 0; all terms are non-negative",
        random_matrices_inverted=instances,
    )

r"""Section 6: which of the algorithms are scalable, and Theorem 3."""

from __future__ import annotations

from dataclasses import replace

from proofs_checks.paper.section_2.entries import largest_first
from proofs_checks.paper.shared.prelude import *
from proofs_checks.paper.section_6.attainable_sets import (
    LAST, MOST_CELLS, maximum_over_bandits, one_pair_is_best, policy_is_best, run_is_forced,
)
from proofs_checks.paper.shared.confidence_sets import SETS, WithMembers, with_share
from proofs_checks.paper.section_6.conflicting_rows import ANOTHER_CONFLICT, CONFLICT
from proofs_checks.paper.section_6.counted_arms import no_order_with_counts
from proofs_checks.paper.shared.initial_laws import named
from proofs_checks.paper.section_6.priority_orders import (
    Above, attained_optima, distinct_orders, estimates_with, no_common_order, trial_of_three, trial_with_arm_c,
    try_all_orders,
)
from theory.optimism import (
    distance, extended_process, largest_expectation, shared_supremum, upper_reward,
)
from theory.paper import COUNTEREXAMPLE_RADIUS, counterexample, counterexample_m1, counterexample_m2
from theory.values import Values, values_after

chapter = Chapter()

# == The cost of an episode of MB-PSRL before the indices: sampling from conjugate posteriors (Section 6.1).

at = chapter.heading("sec:OFU/time-in-arms")

at.printed(460).relation("sec:OFU/sampling-cost",
    r"""Sampling from posteriors in closed form can be done in $O(nS^2)$. [[ours]] Counted for Dirichlet and Beta laws
    in each of the $nS$ arm states: for a row $S$ Gamma variates, $S - 1$ additions and $S$ divisions by their sum, for
    a mean reward two variates, an addition and a division. These are at most $[[c]] n S^2$: $[[formula]]$.""",
    ForAll(S >= 1, n >= 1), n * S * ((2 * S + S - 1) + a) <= c * n * S**2, a=4, c=6, by=Solver(), nearest="c a")

# == Theorem 3 itself, its limits, and the paper's remarks on it (Section 6.2).

at = chapter.heading("thm:no_OFU")
PAPER_REWARD, LOW_REWARD = fmpq(321, 100), fmpq(16, 5)
"""The printed reward of B1 and B3, and the reward of a second arm built like b."""

@cache
def no_order_is_optimistic(rewards: tuple[Exact, ...]) -> Answer:
    trials = trial_of_three(*map(rational, rewards))
    return no_common_order((each.survivors.values() for each in trials), instances=sum(each.tried for each in trials))

at.printed(473).property("thm:no_OFU",
    r"""Whatever indices $I^{\hat{\mathcal{B}}^a}(x_a)$ are computed locally, there are estimates $\hat{\mathcal{B}}^a$,
    a bandit $M \in \mathbb{M}(\hat{\mathcal{B}})$ and an initial state $\boldsymbol{x}$ with $\sup_{M' \in
    \mathbb{M}(\hat{\mathcal{B}})} V_{M'}^{\pi^{I(\hat{\mathcal{B}})}}(\boldsymbol{x}) < \sup_\pi
    V_M^\pi(\boldsymbol{x})$. [[ours]] Proved by the kernel. By computation besides: with arm $a$ of Appendix C and two
    arms built like $b$ with the rewards [[rewards]], all rewards divided by $4$, no strict order of the nine states is
    optimistic in all three pairs of arms, from every initial state. Why: optimism in each pair of arms forces an order
    of two indices, and these form a circle (`thm:no_OFU/two-cases/repair-with-arm-c`); the text's two cases leave an
    order over (`thm:no_OFU/two-cases`).""",
    no_order_is_optimistic,
    domain=r"""indices any real numbers; between equal ones a rule that does not look at the data, such as the arms'
    numbers, decides""",
    rewards=(LOW_REWARD, PAPER_REWARD), kernel="no_OFU",
    by=Decides(no_order_is_optimistic, "all orders of the nine states, in the three pairs of arms", Grade.EXHAUSTIVE),
    false={"the same reward twice": {"rewards": (PAPER_REWARD, PAPER_REWARD)},
        "3 in place of 16/5": {"rewards": (fmpq(3), PAPER_REWARD)},
        "the larger reward 33/10": {"rewards": (PAPER_REWARD, fmpq(33, 10))}},
    under="")

TWO_ARMS = r"all strict orders of the six states of arms $a$ and $b$, all nine initial states"

ALL_ORDERS = "of the six states"

def every_order_fails(rewards: tuple[Exact, ...], orders: str) -> Answer:
    (reward,) = map(rational, rewards)
    outcome = try_all_orders(estimates_with(reward))
    left = [
        order
        for order, above in outcome.survivors.items()
        if orders == ALL_ORDERS or all((("A" + i, "B1") in above) == (("A" + i, "B3") in above) for i in "123")
    ]
    if not left:
        return answer(True, instances=outcome.tried)
    return answer(False, order=left[0], surviving_orders=len(left))

at.implied(1301).property("thm:no_OFU/two-cases",
    r"""With the arms $a$ and $b$ alone, every strict order [[orders]] fails optimism from some initial state: $I(A_1) >
    I(B_1) = I(B_3)$ and $I(A_1) < I(B_1) = I(B_3)$ are said to be the two possibilities left, and eq. (11) to fail in
    both. (That the equality is not forced: `thm:no_OFU/equal-indices`.)""",
    every_order_fails, domain=TWO_ARMS, reading=REAL_REWARDS, rewards=(PAPER_REWARD,), orders=ALL_ORDERS,
    fails="equal-indices", refuted="open_order_survives", false={"reward 3 in place of 3.21": {"rewards": (fmpq(3),)}},
    true={"orders with B1 and B3 next to each other":
        {"orders": "of the six states in which $B_1$ and $B_3$ are neighbours"}})

@cache
def arm_c_decides(mu: Exact, first: str) -> Answer:
    survivors = [each.survivors.values() for each in trial_with_arm_c(rational(mu))]
    circle = [tuple(named(each.replace(">", ","))) for each in (first, "C_1>B_1", "A_1>C_1")]
    forced = all(pair in above for pair, passing in zip(circle, survivors, strict=True) for above in passing)
    return all_of([no_common_order(survivors), answer(forced, forced=circle)])

at.repairs("thm:no_OFU/two-cases").property("/repair-with-arm-c",
    r"""With the paper's own arm $c$ at the single value $\mu = [[mu]]$, no strict order of the seven states is
    optimistic in $\{a, b\}$, $\{b, c\}$ and $\{a, c\}$ from every initial state: the first forces $[[first]]$, the
    second $C_1>B_1$, the third $A_1>C_1$, which is a circle.""",
    arm_c_decides, mu="3.22", first="B_1>A_1",
    by=Decides(arm_c_decides, "all orders of the seven states, in the three pairs of arms", Grade.EXHAUSTIVE),
    false=[{"mu": "3.24"}, {"mu": "3.21"}, {"first": "A_1>B_1"}])

BY_DATA = "by looking at the data"

def ties_to_advantage(state: GlobalState, ties: str) -> Answer:
    estimates = counterexample()
    reached = optimistic_value(estimates, None if ties == BY_DATA else estimates.arm_states, state)
    optimum = attained_optima(estimates)[state]
    true = bool(reached.attained) and reached.value >= optimum
    return answer(true, initial=state, reached=reached.value, optimum=optimum)

at.ours(473).property("thm:no_OFU/ties-to-advantage",
    r"""If all indices are equal and ties are broken [[ties]], then for each initial state some index policy is
    optimistic from it in the counterexample's set.""",
    ties_to_advantage,
    over=Family("all nine initial states of the counterexample", lambda: product(range(3), repeat=2), complete=True),
    reading=REAL_REWARDS, ties=BY_DATA, by=Everywhere(), false={"ties": "in favour of arm $a$"})

DRAWN = {"M^1": counterexample_m1, "M^2": counterexample_m2}

@cache
def those_orders_fail(relations: tuple[Above, ...], model: str) -> Answer:
    estimates, optimum = estimates_with(PAPER_REWARD), optimal_value(DRAWN[model]()).values
    orders = distinct_orders(estimates)
    for above, order in orders.items():
        for pair in filter(above.__contains__, relations):
            state = tuple(int(name[1]) - 1 for name in sorted(pair))
            if optimistic_value(estimates, order, state).value >= optimum[state]:
                reached = best_vertex(estimates, order, state).value >= optimum[state]
                return answer(False if reached else Truth.UNDECIDED, order=[*map(estimates.name, order)], initial=state)
    return answer(True, instances=len(orders))

ORDERS_THAT_FAIL = (
    (1298, "A2-first", "$B_1$ is above $A_2$ are not optimistic from $(A_2, B_1)$, nor those with $B_3$ above $A_2$",
        "$(A_2, B_3)$", (("B1", "A2"), ("B3", "A2")), {"B1 > A1": {"relations": (("B1", "A1"),)}}, ()),
    (1297, "A3-between", "$A_3$ is above $B_3$ are not optimistic from $(A_3, B_3)$, nor those with $A_3$ below $B_2$",
        "$(A_3, B_2)$", (("A3", "B3"), ("B2", "A3")), {"A1 > B3": {"relations": (("A1", "B3"),)},
            "the optimal value of $M^1$": {"model": "M^1"}}, ("thm:no_OFU/A3",)))
for line, suffix, says, state, relations, false, repairs in ORDERS_THAT_FAIL:
    at.ours(line).property(f"thm:no_OFU/{suffix}",
        f"Orders in which {says} from {state}: the supremum is below the optimal value of $[[model]]$.",
        those_orders_fail, domain=TWO_ARMS.partition(",")[0], reading=REAL_REWARDS, relations=relations, model="M^2",
        by=Decides(those_orders_fail, "all orders of the six states", Grade.EXHAUSTIVE), false=false, repairs=repairs)

at.printed(485).property("thm:no_OFU/remark",
    r"""For any set $\mathbb{M}$ with $M \in \mathbb{M}$ there is an index policy with $\sup_{M' \in \mathbb{M}}
    V_{M'}^{\pi^{\mathrm{ind}}} \ge \sup_\pi V_M^\pi$. [[ours]] For each $M$ a policy of its own, from every state at
    once: that of $M$ by [[what]], as $\sup_{M'} V_{M'}^\pi \ge V_M^\pi = \sup_{\pi'} V_M^{\pi'}$. (It is
    made from $M$. That one policy does for all $M$ of a set is not shown here. Indices exist by the kernel's lemma
    index_exists.)""",
    lambda drawn, what: all_of(largest_first(member, what) for member in drawn[1]), over=SETS,
    domain="any set of bandits, any number of arms and states",
    reading=REAL_REWARDS, what="Gittins index", kernel="gittins_policy_is_optimal", false={"what": "mean reward"},
    max_instances=40)

at.printed(489).property("thm:no_OFU/only-after",
    r"""An optimistic index policy can be defined only after the most optimistic problem of the set is computed.
    [[ours]] Theorem 3 does not say so: it excludes indices from each arm's own data, and no other way to a policy that
    is optimistic.""",
    lambda: Truth.UNDECIDED, fails="exponential-not-proved", verdict=Verdict.UNDECIDED)

at.printed(529).property("thm:no_OFU/exponential",
    r"""The time to compute an optimistic policy of eq. (6) is exponential in $n$ (according to the conclusion this is
    proved, and the abstract says that MB-UCRL2 cannot be implemented efficiently).""",
    lambda: Truth.UNDECIDED, fails="exponential-not-proved", verdict=Verdict.UNDECIDED)

def could_be_met(row: object, reward: object) -> Answer:
    of_rows, of_rewards = rational(row), rational(reward)
    def largest() -> arb:
        return 2 * (1 + 2 * arb(2).log() / arb(12).log()).sqrt()  # 12 is the least 2SnKt_k for S = 3 and n = 2

    found = at_most(lambda: arb(of_rows), lambda: largest() * of_rewards) if 2 * of_rewards < of_rows else Truth.NO
    return answer(found, row_over_reward_above=2, and_at_most=largest())

at.implied(483).property("thm:no_OFU/met",
    r"""The confidence set of Appendix C is one of the $\mathbb{M}_k$ of MB-UCRL2, for which eq. (11) is to hold.
    [[ours]] Its radii, $[[row]]$ for a row and $[[reward]]$ for the reward of the same state, are in a proportion that
    eq. (5) allows: more than $2$ and at most $2\sqrt{1 + 2\log 2/\log 12}$, whatever $K$ and $t_k$ are. (That is
    necessary; nothing more is checked.)""",
    could_be_met, domain="three states, two arms", reading={"clock": "t_k"}, row="1/5", reward=0, fails="set-not-met",
    severity=Severity.GAP, false=[{"row": "1/5", "reward": "1/5"}, {"row": "2.497", "reward": 1}],
    true={"row": "2.496", "reward": 1})  # 2 sqrt(1 + 2 log 2/log 12) = 2.4963...

at.repairs("thm:no_OFU/met", 483).property(
    "thm:no_OFU/counted",
    r"""Theorem 3 holds among the sets of eq. (5). With $K = 10^4$, $S = 3$ and $n = 2$: arm $a$ of Appendix C after
    $[[visits]]$ visits to $A_1$ and to $A_2$, estimated one radius below $\frac34$ and $1$ (down to what rewards $0$
    and $1$ can give), and two arms built like $b$ with the rewards [[rewards]], every state of which was visited
    $[[others]]$ times; $A_3$ as often as gives all pairs of arms one $t_k$. No strict order of the nine states is
    optimistic in all three pairs, from every initial state.""",
    no_order_with_counts,
    domain=r"""$\beta = 1/2$; indices any real numbers, from an arm's data, not its number; ties by one strict order of
    the states""",
    reading={"clock": "t_k", "plausible rewards": "within [0, 1]", "mean rewards": "in [0, 1]"},
    rewards=(fmpq(4, 5), fmpq(321, 400)),
    visits=1750,
    others=10**8,
    by=Decides(no_order_with_counts, "all orders of the nine states, in the three pairs of arms", Grade.EXHAUSTIVE),
    false={
        "the same reward twice": {"rewards": (fmpq(4, 5), fmpq(4, 5))},
        "fewer visits to the others": {"others": 2000},
        "one visit": {"visits": 1},
    },
)

CAUSES = [
    Cause("set-not-met", Severity.GAP, line=483, title="The set that refutes local indices is none that MB-UCRL2 meets",
        printed=r"no local indices can be defined for which eq. (11) holds for all $M \in \mathbb{M}_k$",
        why=r"""Theorem 3 chooses estimates and radii freely: known rewards, a known arm, and rows of radius $0.2$. By
        eq. (5) no radius is $0$, and that of a row is here $2$ to $2.5$ times that of the reward of the same state.""",
        instead=r"""Line 483: the same sentence, after an example with the radii of eq. (5), $K = 10^4$: arm $a$ of
        Appendix C after $1750$ visits to $A_1$ and $A_2$ (estimated one radius below $\frac34$ and $1$), and two arms
        like $b$ with the rewards $4/5$ and $321/400$ after $100000000$ to each state; $A_3$ as often as gives all pairs
        one $t_k$.""",
        follows="""Nothing: for these sets the theorem is checked by computation. (That a run of MB-UCRL2
        produces these counts is not.)""",
        witness="thm:no_OFU/met"),
    Cause("exponential-not-proved", Severity.GAP, line=529,
        title="That MB-UCRL2 cannot be implemented efficiently is not proved",
        printed=r"""There is no efficient implementation with bonuses on transition matrices (abstract); the exponential
        runtime is no artifact (introduction); in the number of arms MB-UCRL2's complexity is exponential
        (conclusion).""",
        why=r"""Theorem 3 excludes one way of computing an optimistic policy, by indices from each arm's own data. It
        says nothing about other algorithms; Section 6.2 itself only believes that there is none.""",
        instead=r"""Lines 106, 118 (runtime), 489 and 529: optimistic policies cannot be had from indices computed arm
        by arm, and no efficient way is known.""",
        wording="it says less than what is printed: Theorem 3, and that nothing more is shown",
        follows="Nothing in the proofs.", witness="thm:no_OFU/exponential"),
]

# == The maximum in extended value iteration: over rows for every global state, or rows that these share (Section 6.2).

def is_maximum_over_bandits(estimates: Bandit) -> Answer:
    """Return whether extended value iteration gives the supremum over the bandits of the set, which is enclosed."""
    extended = optimistic_value(estimates)
    if extended.attained:
        return answer(True, value=extended.value, attained_by=extended.sharing.bandit)
    enclosure = shared_supremum(estimates, tolerance=fmpq(1, 50))
    return answer(Truth.NO if enclosure.upper < extended.value else Truth.UNDECIDED, estimates=estimates,
        extended_value_iteration=extended.value, every_bandit_of_the_set_is_worth_at_most=enclosure.upper,
        one_that_comes_close=enclosure.bandit, its_value=enclosure.lower)

at.implied(465).property("eq:EVI/shared-rows",
    r"""The value of extended value iteration, which is said to compute a policy that maximizes eq. (6), is the maximum
    over the Markovian bandits of the set. [[ours]] Here for an arm of three states with one free row and an arm of two
    (the kernel's has a third, never reached), from $(A_1, B_2)$; the kernel has it also for the mean over $(A_1, B_1)$
    and $(A_1, B_3)$ in the set of Appendix C; `eq:EVI/attainable` has a set that MB-UCRL2 meets.""",
    is_maximum_over_bandits, reading=REAL_REWARDS, estimates=CONFLICT, fails="shared-rows",
    refuted=("extended_is_above", "extended_is_above_on_average"),
    false={"another bandit": {"estimates": ANOTHER_CONFLICT}},
    true={"the set of Theorem 3": {"estimates": counterexample()}})

# -- in the sets that MB-UCRL2 meets

REACHED: dict[str, Any] = {"visits": 50, "others": 10**8, "K": 100}

at.implied(465).property("eq:EVI/attainable",
    r"""The value of extended value iteration, which is said to compute a policy that maximizes eq. (6), is $\max_\pi
    \max_{M' \in \mathbb{M}_k} V^\pi_{M'}(\rho)$ for the sets of MB-UCRL2. [[ours]] Here for the set of eq. (5) in a run
    of $K = [[K]]$ episodes after $[[visits]]$ visits to $A_1$, which pays nothing and moves to $A_2$, and $[[others]]$
    to each other state: $A_2$ pays $3/5$ for good, $A_3$ pays $1$, then $A_4$ nothing, then $A_3$ again; $B_1$ pays
    $[[last]]$ for good, the others of arm $b$ nothing. $\rho$ is that of `eq:EVI/attainable/run`.""",
    maximum_over_bandits, domain=r"four states, two arms, $\beta = 9/10$",
    reading={"clock": "t_k", "plausible rewards": "within [0, 1]"}, last=LAST, **REACHED, fails="shared-rows",
    refuted=Uses("eq:EVI/attainable/run"), false={"others": 10**9}, true={"visits": 100})

at.printed(465).property("eq:EVI/attainable/policy",
    r"""A policy $\pi_k \in \mathrm{arg}\max_\pi \max_{M' \in \mathbb{M}_k} V^\pi_{M'}(\rho)$ comes from extended value
    iteration. [[ours]] Here in the set of `eq:EVI/attainable`, which MB-UCRL2 meets, after $[[visits]]$ visits to $A_1$
    and $[[others]]$ to each other state, for $K = [[K]]$ and $B_1$ that pays $[[last]]$: its policy, the only one that
    attains its values, plays arm $a$ in $(A_1, B_1)$.""",
    policy_is_best, domain=r"four states, two arms, $\beta = 9/10$",
    reading={"clock": "t_k", "plausible rewards": "within [0, 1]"}, last=LAST, **REACHED, fails="shared-rows",
    refuted=Uses("eq:EVI/attainable/run"), false={"others": 10**9}, true=[{"visits": 1, "others": 1}, {"visits": 30}])

at.ours(483).property("eq:EVI/attainable/run",
    r"""With positive probability MB-UCRL2, however it breaks ties, meets that set: five
    episodes of $[[others]]$ steps, and one of twice as many that begins in $(A_3, B_2)$, make all states known but
    $A_1$, which $[[visits]]$ episodes of one step then visit. ($K = [[K]]$. Each start and each length has a positive
    probability, moves and rewards are certain, and every policy that is best for its set plays so; in the first of all
    episodes, either arm will do.)""",
    run_is_forced,
    domain=r"""the bandit of `eq:EVI/attainable`; under $\rho$, $(A_1, B_1)$ and $(A_1, B_2)$ have probability
    $\frac{47}{100}$ each, and $(A_2, \cdot)$, $(A_3, B_2)$ and $(A_4, B_2)$ have $\frac1{100}$ each""",
    reading={"clock": "t_k", "plausible rewards": "within [0, 1]"}, **REACHED, by=Everywhere(),
    false=[{"others": 1}, {"K": 56}], true=[{"visits": 1, "K": 10**6}, {"K": 57}])

at.printed(427).property("eq:optimism/attainable",
    r"""$V^{\pi_k}_{M_k}(x) = \max_\pi \max_{M' \in \mathbb{M}_k} V^{\pi}_{M'}(x)$. [[ours]] For one policy $\pi_k$ and
    one bandit $M_k$ from every $x$ of positive probability under $\rho$, in the set of `eq:EVI/attainable`, after
    $[[visits]]$ visits to $A_1$ and $[[others]]$ to each other state, for $K = [[K]]$ and $B_1$ that pays $[[last]]$.
    (From each of these $x$ alone a bandit of the set has the value that extended value iteration has for radii
    rounded down to nine decimals. No bandit of the set has the mean of these values, so that every $M_k$ is worth less
    from some $x$ than another bandit of the set.)""",
    one_pair_is_best, domain=r"four states, two arms, $\beta = 9/10$; $\rho$ is that of `eq:EVI/attainable/run`",
    reading={"clock": "t_k", "plausible rewards": "within [0, 1]"}, last=LAST, **REACHED, fails="optimism-every-state",
    false={"others": 10**9}, true={"visits": 100}, under="eq:optimism")

LIMIT = """any estimates and radii whose set has a bandit, any number of arms and states; its value is what its sweeps
converge to, wherever they start"""

def bounds_all(drawn: WithMembers, share: object, rewards: str) -> Answer:
    estimates, members = drawn
    factor = max(ZERO, rational(share))
    extended = optimistic_value(with_share(estimates, factor, factor if rewards == "largest" else ZERO)).values
    return all_of(
        answer(value <= extended[x], estimates=estimates, member=member, x=str(x), value=value,
            extended_value_iteration=extended[x])
        for member in members for x, value in optimal_value(member).values.items())

at.ours(465).property("eq:EVI/shared-rows/repair",
    r"""Extended value iteration, with [[share=1?$#$ times ]]the radii and the [[rewards]] plausible rewards, is
    optimistic: from every global state its value is at least that of every policy in every bandit of the set; so it is
    the largest of these values where a bandit of the set has it. If all radii are $0$, it is the optimal value of the
    estimated bandit.""",
    bounds_all, over=SETS, domain=LIMIT, share=1, rewards="largest",
    kernel=("extended_is_optimistic", "extended_without_radii"), false={"rewards": "estimated"}, nearest="share",
    max_instances=30, repairs="eq:EVI/shared-rows")

CAUSES += [
    Cause("shared-rows", Severity.MAJOR, line=465,
        title="Extended value iteration maximises over more than the Markovian bandits of the set",
        why=r"""It may take another row of one arm's state in every global state. In the set of Appendix C, with
        $(A_1, B_1)$ and $(A_1, B_3)$ equally likely, its value is $6.233\ldots$, and no bandit of the set has more than
        $6.209$; the only policy that attains its values has at most $6.203$ in the set, and another one
        $\frac{149}{24} = 6.208\ldots$ in $M^2$. MB-UCRL2 meets such sets, however it
        breaks ties: four states, two arms, $\beta = \frac{9}{10}$, $K = 100$; $A_1$, visited $50$ times, pays nothing
        and moves to $A_2$, which pays $\frac35$ for good; $A_3$ and $A_4$ take turns and pay $1$ and $0$; arm $b$ pays
        $\frac35$ for good, or nothing; all but $A_1$ visited $10^8$ times. For the $\rho$ of `eq:EVI/attainable/run`
        its value is $6.007\ldots$, and no bandit of the set has more than $5.962$; its policy, which plays arm $a$ in
        $(A_1, B_1)$, has at most $5.935$, and another one $5.949$.""",
        instead=r"""Line 465 (and so lines 470 and 578): extended value iteration computes an upper bound,
        which is the maximum where a bandit of the set attains it.""",
        follows=r"""MB-UCRL2 as implemented is optimistic in a larger set: its model $M_k$ need not be a Markovian
        bandit. That Theorem 1 holds for it is not checked.""",
        witness="eq:EVI/extended/policy"),
]

# == Extended value iteration as a way to be optimistic: for an initial law, from every state; its cost (Section 6.2).

# -- for an initial law

def first_step(estimates: Bandit, values: Values, x: GlobalState, arm: int) -> fmpq:
    """Return the largest value, over rewards and rows within the radii, of playing an arm once and then `values`."""
    owner, y = estimates.arms[arm], x[arm]
    after = values_after(estimates, values, x, arm)
    best = largest_expectation(owner.transitions[y], owner.transition_radius[y], after)
    return upper_reward(estimates, arm, y) + estimates.discount * best

PRIORITY = ("A2", "B1", "A1", "B3", "A3", "B2")
"""The policy of extended value iteration in the set of Appendix C, of radius 1/10 or 1/5."""
NARROWER = fmpq(1, 200)

def policy_of_extended_is_best(estimates: Bandit, states: tuple[str, ...]) -> Answer:
    """Compare the policy of extended value iteration with all others over the bandits of the set, for a uniform law.

    The answer is no only if the policy is the only one that attains the values of extended value iteration.
    """
    law = {estimates.start(("A1", state)): fmpq(1, len(states)) for state in states}
    extended = optimistic_value(estimates, None, ("A1", "B1"))
    value = sum((weight * extended.values[start] for start, weight in law.items()), ZERO)
    best = shared_supremum(estimates, None, law, NARROWER, MOST_CELLS)
    if best.lower == value:
        return answer(True)
    if optimistic_value(estimates, PRIORITY, ("A1", "B1")).values != extended.values or any(
            first_step(estimates, extended.values, state, 1 - arm) >= extended.values[state]
            for state, arm in extended.policy.items()):
        return answer(Truth.UNDECIDED)
    own = shared_supremum(estimates, PRIORITY, law, NARROWER, MOST_CELLS)
    return answer(Truth.NO if own.upper < best.lower else Truth.UNDECIDED, extended_value_iteration=value,
        its_policy_has_at_most=arb(own.upper), another_one_has=best.lower, every_bandit_has_at_most=arb(best.upper))

at.printed(465).property("eq:EVI/extended/policy",
    r"""A policy $\pi_k \in \mathrm{arg}\max_\pi \max_{M' \in \mathbb{M}_k} V^\pi_{M'}(\rho)$ comes from extended value
    iteration. [[ours]] Here in the set of Appendix C, arm $a$ in $A_1$ and arm $b$ in one of $[[states]]$, each equally
    likely; the $L_1$ radius is $[[radius]]$. Its policy is the only one that attains its values.""",
    lambda radius, states: policy_of_extended_is_best(counterexample(radius=radius), named(states)),
    domain=r"all bandits of the confidence set of Appendix C, $\beta = 1/2$", reading=REAL_REWARDS,
    radius=COUNTEREXAMPLE_RADIUS, states="B_1, B_3", fails="shared-rows",
    false={"radius": "1/10"}, true={"radius 0": {"radius": 0}, "arm b in B1 and B2": {"states": "B_1, B_2"}})

# -- from every state

def one_pair_with_global_rows(drawn: WithMembers, rows: str) -> Answer:
    estimates, _ = drawn
    outcome = optimistic_value(estimates)
    process = extended_process(estimates)
    chosen = {
        x: outcome.rows[x] if rows == "maximising" else estimates.arms[arm].transitions[x[arm]]
        for x, arm in outcome.policy.items()
    }
    values = process.evaluate({x: replace(process.actions[x][arm], row=chosen[x]) for x, arm in outcome.policy.items()})
    inside = all(distance(chosen[x], estimates.arms[arm].transitions[x[arm]])
        <= estimates.arms[arm].transition_radius[x[arm]] for x, arm in outcome.policy.items())
    best = {x: max(first_step(estimates, values, x, arm) for arm in range(len(x))) for x in values}
    return all_of(
        answer(inside and values[x] == best[x], estimates=estimates, x=str(x), row=chosen[x],
            value_of_the_pair=values[x], best_first_step=best[x])
        for x in values)

at.ours(427).property("eq:optimism/extended",
    r"""If a plausible model may have a mean reward and a row for every global state, each within the radius of the
    played arm's estimate, one policy and one such model have the largest value from every global state at once, the
    values that the sweeps of extended value iteration converge to (where tried, its policy with [[rows]] rows).""",
    one_pair_with_global_rows, over=SETS,
    domain="any estimates and radii whose set has a bandit, any number of arms and states",
    rows="maximising", kernel="one_pair_from_every_state", false={"the estimated rows": {"rows": "estimated"}},
    max_instances=20, under="eq:optimism",
    repairs=("eq:optimism", "eq:optimism/attainable", "eq:optimism/dominates"))

# -- its cost

at.printed(465).relation("eq:EVI/cost-sweep",
    r"""Extended value iteration takes $O(nS^{2n})$. [[ours]] Here for the products of one sweep alone, one for each of
    $S^n$ global states, $n$ arms and $S$ next states: $[[formula]]$. (Neither the number of sweeps nor the search for
    the best rows is counted.)""",
    ForAll(n >= 1, S >= 1), n * S**n * S <= c * n * S ** (2 * n - a), c=1, a=0,
    by=[Step(LeastAt(n, 1, steps=True), S**n >= S, over=ForAll(n >= 1, S >= 1)),
        Step("So", n * w * S <= c * n * w**2, over=ForAll(n >= 1, S >= 1, w >= S), at={w: S**n})],
    false={"a": 1}, nearest="c")

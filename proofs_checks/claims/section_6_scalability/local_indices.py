"""Theorem 3 itself, what it leaves open, and what is said of it (Section 6.2)."""

from __future__ import annotations

from functools import cache
from itertools import product

from flint import arb, fmpq

from proofs_checks.computations.counted_arms import no_order_with_counts
from proofs_checks.computations.priority_orders import (
    Above,
    attained_optima,
    estimates_with,
    linear_extensions,
    marked,
    survivors_of_three,
    survivors_with_arm_c,
    trial,
)
from proofs_checks.evidence import AnyOf, Decides, Everywhere, Grade, InKernel
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict
from proofs_checks.statements import Answer, Family, Property, answer
from theory import Exact, GlobalState, best_vertex, gittins_value, optimistic_value, rational
from theory.certified import Truth
from theory.paper import counterexample

chapter = Chapter(under="thm:no_OFU")
REAL_REWARDS = {"mean rewards": "real"}
PAPER_REWARD, LOW_REWARD = fmpq(321, 100), fmpq(16, 5)
"""The printed reward of B1 and B3, and that of a second arm built like b."""


@cache
def no_order_is_optimistic(rewards: tuple[Exact, ...]) -> Answer:
    """Try all strict orders of the states of arm a, b' and b'' in the three pairs of arms."""
    low, high = map(rational, rewards)
    exact = (low, high)
    passing = next(iter(survivors_of_three(exact, fmpq(4))), None)
    tried = sum(
        trial(part, fmpq(4), with_a).tried for part, with_a in ((exact[:1], True), (exact[1:], True), (exact, False))
    )
    if passing is None:
        return answer(True, instances=tried)
    return answer(False, comparisons_that_pass_everywhere=sorted(" > ".join(pair) for part in passing for pair in part))


chapter.printed(
    Property(
        "thm:no_OFU",
        no_order_is_optimistic,
        says=r"""Whatever indices $I^{\hat{\mathcal{B}}^a}(x_a)$ are computed arm by arm, there are estimates, a bandit
        $M \in \mathbb{M}(\hat{\mathcal{B}})$ and an initial state from which $\sup_{M' \in \mathbb{M}} V_{M'}^{\pi^I} <
        \sup_\pi V_M^\pi$. [[ours]] Two proofs: by the kernel, with the arms $a$ and $b$ of Appendix C and two arms $c$;
        and by computation, with arm $a$ and two arms built like $b$ with the rewards [[rewards]], all rewards divided
        by $4$: no strict order of the nine states is optimistic in all three pairs of arms.""",
        domain=r"""indices any real numbers; between equal ones a rule that does not look at the data, such as the
        arms' numbers, decides""",
        rewards=(LOW_REWARD, PAPER_REWARD),
    ),
    AnyOf(
        InKernel("no_OFU", rewards=(LOW_REWARD, PAPER_REWARD)),
        Decides(no_order_is_optimistic, "all orders of the nine states, in the three pairs of arms", Grade.EXHAUSTIVE),
    ),
    line=473,
    under="",
    mutants={
        "the same reward twice": {"rewards": (PAPER_REWARD, PAPER_REWARD)},
        "3 in place of 16/5": {"rewards": (fmpq(3), PAPER_REWARD)},
    },
)


TWO_ARMS = r"all strict orders of the six states of arms $a$ and $b$, all nine initial states"


ALL_ORDERS = "of the six states"


def every_order_fails(rewards: tuple[Exact, ...], orders: str) -> Answer:
    """Return whether every order of two arms' states fails somewhere; if asked, only those with B1 and B3 together."""
    exact = tuple(map(rational, rewards))
    outcome = trial(exact)
    left = [
        order
        for order, above in zip(outcome.survivor_orders, outcome.survivors, strict=True)
        if orders == ALL_ORDERS or all((("A" + i, "B1") in above) == (("A" + i, "B3") in above) for i in "123")
    ]
    if not left:
        return answer(True, instances=outcome.tried)
    estimates = estimates_with(exact)
    attained = {
        ", ".join(map(estimates.name, enumerate(state))): value for state, value in attained_optima(estimates).items()
    }
    return answer(False, order=left[0], surviving_orders=len(left), optimal_values_that_it_attains=attained)


chapter.printed(
    Property(
        "thm:no_OFU/two-cases",
        every_order_fails,
        says=r"""With the arms $a$ and $b$ alone, every strict order [[orders]] fails optimism from some
        initial state.""",
        domain=TWO_ARMS,
        reading=REAL_REWARDS,
        rewards=(PAPER_REWARD,),
        orders=ALL_ORDERS,
    ),
    line=1301,
    verdict=Verdict.FAILS,
    refutation=InKernel("open_order_survives", rewards=(PAPER_REWARD,), orders=ALL_ORDERS),
    severity=Severity.GAP,
    cause="equal-indices",
    mutants={"reward 3 in place of 3.21": {"rewards": (fmpq(3),)}},
    controls={
        "orders with B1 and B3 next to each other": {
            "orders": "of the six states in which $B_1$ and $B_3$ are neighbours"
        }
    },
)

chapter.ours(
    Property(
        "thm:no_OFU/two-cases/repair",
        no_order_is_optimistic,
        says=r"""Take arm $a$ and two known arms $b'$, $b''$ built like $b$ with the rewards [[rewards]] in place of
        $3.21$, all rewards divided by 4. No strict order of the nine states is optimistic in $\{a, b'\}$, $\{a,
        b''\}$ and $\{b', b''\}$ from every initial state.""",
        rewards=(LOW_REWARD, PAPER_REWARD),
    ),
    Decides(no_order_is_optimistic, "all orders of the nine states, in the three pairs of arms", Grade.EXHAUSTIVE),
    line=1301,
    repairs=("thm:no_OFU/two-cases", "thm:no_OFU/equal-indices", "thm:no_OFU/unit-interval"),
    mutants={
        "the same reward twice": {"rewards": (PAPER_REWARD, PAPER_REWARD)},
        "3 in place of 16/5": {"rewards": (fmpq(3), PAPER_REWARD)},
        "the larger reward 33/10": {"rewards": (PAPER_REWARD, fmpq(33, 10))},
    },
)


@cache
def arm_c_decides(mu: Exact) -> Answer:
    """Return whether no order passes in {a, b}, {b, c} and {a, c} at this mu."""
    passing = next(iter(survivors_with_arm_c(rational(mu))), None)
    if passing is None:
        return answer(True)
    return answer(False, comparisons_that_pass=sorted(" > ".join(pair) for part in passing for pair in part))


chapter.ours(
    Property(
        "thm:no_OFU/two-cases/repair-with-arm-c",
        arm_c_decides,
        says=r"""With the paper's own arm $c$ at the single value $\mu = [[mu]]$, no strict order of the seven states
        is optimistic in $\{a, b\}$, $\{b, c\}$ and $\{a, c\}$ from every initial state.""",
        reading=REAL_REWARDS,
        mu="3.22",
    ),
    Decides(arm_c_decides, "all orders of the seven states, in the three pairs of arms", Grade.EXHAUSTIVE),
    line=1301,
    repairs="thm:no_OFU/two-cases",
    mutants=[{"mu": "3.24"}, {"mu": "3.21"}],
)

chapter.withdrawn(
    "thm:no_OFU/ties",
    """It refuted the theorem, for ties broken to the algorithm's advantage, on one confidence set; the theorem only
    says that there is a set. What such ties may do is said in thm:no_OFU/ties-to-advantage.""",
    line=473,
)


def ties_to_advantage(state: GlobalState, radius: Exact) -> Answer:
    """Compare the best tie-break's supremum over the set with the best optimum of a bandit of the set."""
    estimates = counterexample(radius=rational(radius))
    reached = optimistic_value(estimates, None, state).value
    optimum = attained_optima(counterexample())[state]
    return answer(reached >= optimum, initial=state, reached=reached, optimum=optimum)


chapter.ours(
    Property(
        "thm:no_OFU/ties-to-advantage",
        ties_to_advantage,
        over=Family(
            "all nine initial states of the counterexample", lambda: product(range(3), repeat=2), complete=True
        ),
        says=r"""If all indices are equal and ties are broken by looking at the data, some index policy is optimistic
        in the counterexample's set (of radius $[[radius]]$) from each initial state.""",
        reading=REAL_REWARDS,
        radius="1/5",
    ),
    Everywhere(),
    line=473,
    nearest={"radius": "down"},
)


def those_orders_fail(relations: tuple[Above, ...]) -> Answer:
    """Return whether every order with one of these comparisons fails from some initial state."""
    outcome = trial((PAPER_REWARD,))
    for order, above in zip(outcome.survivor_orders, outcome.survivors, strict=True):
        if any(relation in above for relation in relations):
            return answer(False, order_that_is_optimistic_from_everywhere=order)
    concerned = sum(
        any(failure.order.index(high) < failure.order.index(low) for high, low in relations)
        for failure in outcome.failures
    )
    return answer(True, instances=concerned)


ORDERS_THAT_FAIL = (
    ("A2-first", "$B_1$ or $B_3$ is above $A_2$", (("B1", "A2"), ("B3", "A2")), (("B1", "A1"),), ()),
    (
        "A3-between",
        "$A_3$ is above $B_3$, or below $B_2$,",
        (("A3", "B3"), ("B2", "A3")),
        (("A1", "B3"),),
        ("thm:no_OFU/A3",),
    ),
)
for suffix, says, relations, survives_in, repairs in ORDERS_THAT_FAIL:
    chapter.ours(
        Property(
            f"thm:no_OFU/{suffix}",
            those_orders_fail,
            says=f"Orders in which {says} are not optimistic from some initial state.",
            domain=TWO_ARMS,
            reading=REAL_REWARDS,
            relations=relations,
        ),
        Decides(those_orders_fail, "all orders of the six states", Grade.EXHAUSTIVE),
        line=1297,
        repairs=repairs,
        mutants={" and ".join(" > ".join(pair) for pair in survives_in): {"relations": survives_in}},
    )


def most_optimistic_index_policy(state: GlobalState, of_the_estimates: bool) -> Answer:
    """Return whether the Gittins policy of the most optimistic bandit reaches the largest value over the set."""
    estimates = estimates_with((PAPER_REWARD,))
    best = optimistic_value(estimates, None, state)
    member = estimates if of_the_estimates else best.sharing.bandit
    reached = gittins_value(member, state).value if member is not None else None
    return answer(reached == best.value, initial=state, value=reached, optimum=best.value)


chapter.printed(
    Property(
        "thm:no_OFU/remark",
        most_optimistic_index_policy,
        over=Family(
            "all nine initial states of the counterexample", lambda: product(range(3), repeat=2), complete=True
        ),
        says=r"""From each initial state an index policy that is chosen after the whole set is known is optimistic:
        the Gittins policy of a bandit of $\mathbb{M}$ that is most optimistic from there.""",
        reading=REAL_REWARDS,
        of_the_estimates=False,
    ),
    Everywhere(),
    line=485,
    mutants=[{"of_the_estimates": True}],
)


@cache
def one_order_for_all_states(rewards: tuple[Exact, ...]) -> Answer:
    """Return whether some strict order is optimistic from every initial state of {a, b', b''} at once."""
    exact = tuple(map(rational, rewards))
    if len(exact) == 1:
        return answer(bool(trial(exact).survivors))
    single = [trial((reward,)).survivors for reward in exact]
    estimates = estimates_with(exact)
    optima = attained_optima(estimates)
    # Rewards are not negative, so an arm in B2', worth 0 for ever, can only cost time: from such a state an order
    # reaches at most what it reaches without that arm. So only orders that pass with each arm b alone remain.
    failures: dict[str, object] = {}
    for first, second in product(*single):
        for order in linear_extensions(marked(first, "'") | marked(second, "''")):
            upper = optimistic_value(estimates, order, (0, 0, 0)).values
            short = [state for state, optimum in optima.items() if upper[state] < optimum]
            if not short:
                reached = all(best_vertex(estimates, order, state).value >= value for state, value in optima.items())
                return answer(Truth.YES if reached else Truth.UNDECIDED, order=order)
            failures[" > ".join(order)] = {
                "initial": [estimates.name(pair) for pair in enumerate(short[0])],
                "at most": upper[short[0]],
                "optimum": optima[short[0]],
            }
    return answer(False, the_orders_that_pass_with_each_arm_b_alone=failures)


chapter.ours(
    Property(
        "thm:no_OFU/remark-uniform",
        one_order_for_all_states,
        says=r"""One index policy, chosen after the whole set is known, is optimistic from all initial states at once
        (the paper asks for one initial state at a time): here for arm $a$ and known arms built like $b$ with the
        rewards [[rewards]].""",
        reading=REAL_REWARDS,
        rewards=(LOW_REWARD, PAPER_REWARD),
    ),
    line=485,
    verdict=Verdict.FAILS,
    mutants={"rewards 3.21 and 3.22": {"rewards": (PAPER_REWARD, fmpq(322, 100))}},
    controls={"one arm b": {"rewards": (PAPER_REWARD,)}},
)

chapter.printed(
    Property(
        "thm:no_OFU/exponential",
        lambda: Truth.UNDECIDED,
        says=r"""The time to compute an optimistic policy of eq. (6) is exponential in $n$ (according to the
        conclusion this is proved, and the abstract says that MB-UCRL2 cannot be implemented efficiently).""",
    ),
    line=529,
    verdict=Verdict.UNDECIDED,
    severity=Severity.GAP,
    cause="exponential-not-proved",
)

at = chapter.heading("thm:no_OFU")


def could_be_met(row: object, reward: object) -> Answer:
    """Return whether two radii may be those of one state of three: by eq. (5), of one count and one t_k."""
    of_rows, of_rewards = rational(row), rational(reward)
    logarithm = arb(12).log()  # of 2SnKt_k, for S = 3, n = 2 and the least K and t_k
    largest = 2 * (1 + 2 * arb(2).log() / logarithm).sqrt()
    found = of_rewards > 0 and 2 * of_rewards < of_rows and bool(arb(of_rows) <= largest * of_rewards)
    return answer(found, row_over_reward_above=2, and_at_most=largest)


at.implied(483).property("thm:no_OFU/met",
    r"""The confidence set of Appendix C is one of the $\mathbb{M}_k$ of MB-UCRL2, for which eq. (11) is to hold.
    [[ours]] Its radii are $[[row]]$ for a row and $[[reward]]$ for the reward of the same state.""",
    could_be_met, domain="three states, two arms", reading={"clock": "t_k"}, row="1/5", reward=0,
    fails="set-not-met", severity=Severity.GAP, false={"row": "1/5", "reward": "1/5"},
    true={"row": "1/5", "reward": "9/100"})

at.mends("thm:no_OFU/met", 483).property("thm:no_OFU/counted",
    r"""Theorem 3 holds among the sets of eq. (5). With $K = 10^4$, $S = 3$ and $n = 2$: arm $a$ of Appendix C after
    $[[visits]]$ visits to $A_1$ and to $A_2$, estimated one radius below $\frac34$ and $1$, and two arms built like $b$
    with the rewards [[rewards]], every state of which was visited $[[others]]$ times; $A_3$ as often as gives all pairs
    of arms one $t_k$. No strict order of the nine states is optimistic in all three pairs, from every initial
    state.""",
    no_order_with_counts, domain="indices any real numbers; ties by a rule that does not look at the data",
    reading={"clock": "t_k", "plausible rewards": "within [0, 1]", "mean rewards": "in [0, 1]"},
    rewards=(fmpq(4, 5), fmpq(321, 400)), visits=1750, others=10**8,
    by=Decides(no_order_with_counts, "all orders of the nine states, in the three pairs of arms", Grade.EXHAUSTIVE),
    false={"the same reward twice": {"rewards": (fmpq(4, 5), fmpq(4, 5))},
           "fewer visits to the others": {"others": 2000}})

CAUSES = [
    Cause(
        "set-not-met",
        Severity.GAP,
        line=483,
        title="The set that refutes local indices is none that MB-UCRL2 meets",
        printed=r"""one cannot define local indices such that eq. (11) holds for all bandit problems $M \in
        \mathbb{M}_k$""",
        why=r"""Theorem 3 chooses estimates and radii freely: known rewards, known arms, and one row of radius $0.2$. By
        eq. (5) no radius is $0$, and that of a row is $2$ to $2.5$ times that of the reward of the same state.""",
        instead=r"""Line 483: the same sentence, after an example that MB-UCRL2 can meet: the arms of Appendix C
        after $1750$ visits to $A_1$ and $A_2$ (estimated one radius lower) and $10^8$ to the other states, and two
        arms like $b$ with the rewards $\frac{320}{400}$ and $\frac{321}{400}$.""",
        follows="""Nothing: for these sets the theorem is checked by computation. (That a run of MB-UCRL2 itself
        produces these counts is not.)""",
        witness="thm:no_OFU/met",
    ),
    Cause(
        "exponential-not-proved",
        Severity.GAP,
        line=529,
        title="That MB-UCRL2 cannot be implemented efficiently is not proved",
        printed=r"""The algorithms that use bonuses on transition matrices cannot be implemented efficiently
        (abstract); the exponential runtime is no artifact (introduction); MB-UCRL2 has a computational complexity
        exponential in the number of arms (conclusion).""",
        why=r"""Theorem 3 excludes one way of computing an optimistic policy, by indices from each arm's own data. It
        says nothing about other algorithms; Section 6.2 itself only believes that there is none.""",
        instead=r"""Lines 106, 118 and 529: optimistic policies cannot be had from indices computed arm by arm, and
        no efficient way is known.""",
        follows="Nothing in the proofs.",
        witness="thm:no_OFU/exponential",
    ),
]

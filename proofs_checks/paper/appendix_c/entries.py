r"""Section C: Theorem 3."""

from __future__ import annotations

from proofs_checks.paper.section_6.entries import DRAWN, first_step
from proofs_checks.paper.shared.prelude import *
from proofs_checks.paper.appendix_c.counterexample_family import (
    FIELD, M1, M2, CounterexampleFamily, Fact, Function, Matrix, T, constant, everywhere, index_exceeds,
    pi1_falls_short, sign_between, widest_m2,
)
from theory import gittins_indices, sympy_rational
from theory.optimism import distance
from theory.parametric import certify, parametric_bandit
from theory.paper import COUNTEREXAMPLE_REWARD_B, counterexample, counterexample_m1, counterexample_m2

chapter = Chapter()

# == Theorem 3, its numbers: the set, the four printed values and the two strict inequalities (Appendix C).
# Suprema over the confidence set are found by trying its vertices, and proved of the whole set by the kernel.

at = chapter.heading("thm:no_OFU")

PI_1 = ("A2", "A1", "B1", "B3", "A3", "B2")
PI_2 = ("A2", "B1", "B3", "A1", "A3", "B2")
FROM_A1_B3 = ("A1", "B3")
FROM_A1_B1 = ("A1", "B1")

def by_vertices(priority: Sequence[str] | None, initial: Sequence[str], reward: Exact = "3.21") -> fmpq:
    """Return the largest value over the vertices of the confidence set, by trying them all."""
    return best_vertex(counterexample(reward_b=rational(reward)), priority, initial).value

def distances() -> dict[str, fmpq]:
    estimates = counterexample().arms[0].transitions
    return {
        f"{name}, row {number}": distance(row, centre)
        for name, made in DRAWN.items()
        for number, (row, centre) in enumerate(zip(made().arms[0].transitions, estimates, strict=True), 1)
    }

def within(radius: Exact) -> Answer:
    return answer(max(distances().values()) <= rational(radius), **distances())

at.printed(1257).property("thm:no_OFU/members",
    r"""$M^1 \in \mathbb{M}$ and $M^2 \in \mathbb{M}$, with $\epsilon^Q_a(x_a) = [[radius]]$. [[ours]] This is the L1
    radius around the rows of $\hat Q_a$.""",
    within, reading=REAL_REWARDS, radius="1/5", kernel=("M1_in_set", "M2_in_set"), by=Everywhere(), nearest="radius")

at.printed(1255).property("thm:no_OFU/radius",
    r"""$\epsilon^Q_a = [[[radius]], [[radius]], [[radius]]]$, with $M^1 \in \mathbb{M}$ and $M^2 \in \mathbb{M}$.
    [[ours]] Each entry is an L1 radius with which the rows of $M^1$ and $M^2$ are in the set.""",
    within, radius="0.1", fails="radius-vector", refuted="radius_at_least", false={"radius": "0.19"},
    true={"radius": "0.2"})

at.printed(1308).number("thm:no_OFU/value-pi2",
    r"$\sup_{M \in \mathbb{M}} V_M^{\pi^2}(A_1, B_3) \approx [[printed]]$. [[ours]] Rounded.",
    "6.42", partial(by_vertices, PI_2), reading=REAL_REWARDS, initial=FROM_A1_B3,
    kernel=("value_pi2", "rounding"), by=Everywhere(), false={"from $(A_1, B_1)$": {"initial": FROM_A1_B1}})

at.printed(1309).number("thm:no_OFU/value-M1",
    r"$\sup_\pi V_{M^1}^{\pi}(A_1, B_3) \approx [[printed]]$. [[ours]] Rounded, for $M^1$ as drawn.",
    "6.47", lambda: gittins_value(counterexample_m1(), FROM_A1_B3).value, reading=REAL_REWARDS,
    fails="value-of-another-model", refuted=("value_M1", "rounding"),
    true=[{"printed": "6.45"}, {"printed": "6.45375"}])

at.repairs("thm:no_OFU/value-M1").number("/repair",
    r"""$[[printed]]$ is, rounded, the largest value from $(A_1, B_3)$ over $\mathbb{M}$ and over all policies. It is
    attained in $M^1$ with $(0, 1/10, 9/10)$ in place of its row of $A_2$, and not in the $M^1$ that is drawn.""",
    "6.47", lambda: by_vertices(None, FROM_A1_B3), kernel=("value_most_optimistic", "value_M1", "rounding"),
    by=Everywhere())

at.printed(1310).number("thm:no_OFU/value-pi1",
    r"$\sup_{M \in \mathbb{M}} V_M^{\pi^1}(A_1, B_1) \approx [[printed]]$. [[ours]] Rounded; it is attained by $M^2$.",
    "5.96", partial(by_vertices, PI_1), reading=REAL_REWARDS, initial=FROM_A1_B1, kernel=("value_pi1", "rounding"),
    by=Everywhere())

at.printed(1311).number("thm:no_OFU/value-M2",
    r"$\sup_\pi V_{M^2}^{\pi}(A_1, B_1) \approx [[printed]]$. [[ours]] Rounded.",
    "6.00", lambda: gittins_value(counterexample_m2(), FROM_A1_B1).value, reading=REAL_REWARDS,
    kernel=("value_M2", "rounding"), by=Everywhere())

def strictly_below(order: Sequence[str], initial: Sequence[str], model: str, reward: Exact) -> Answer:
    estimates = counterexample(reward_b=rational(reward))
    optimal = gittins_value(Bandit([DRAWN[model]().arms[0], estimates.arms[1]], estimates.discount), initial).value
    supremum = by_vertices(order, initial, reward)
    return answer(supremum < optimal, supremum=supremum, optimal=optimal, gap=optimal - supremum)

at.printed(1309).property("thm:no_OFU/strict-pi2",
    r"""$\sup_{M \in \mathbb{M}} V_M^{\pi^2}(A_1, B_3) < \sup_\pi V_{M^1}^\pi(A_1, B_3)$, the reward of $B_1$ and $B_3$
    being $[[reward]]$.""",
    lambda reward: strictly_below(PI_2, FROM_A1_B3, "M^1", reward), reading=REAL_REWARDS, reward="3.21",
    kernel="strict_inequalities", by=Everywhere(), nearest="reward")

at.printed(1311).property("thm:no_OFU/strict-pi1",
    r"""$\sup_{M \in \mathbb{M}} V_M^{\pi^1}(A_1, B_1) < \sup_\pi V_{M^2}^\pi(A_1, B_1)$, the reward of $B_1$ and $B_3$
    being $[[reward]]$.""",
    lambda reward: strictly_below(PI_1, FROM_A1_B1, "M^2", reward), reading=REAL_REWARDS, reward="3.21",
    kernel="strict_inequalities", by=Everywhere(), nearest="reward")

def rewards_in_unit_interval(divisor: Exact) -> Answer:
    rewards = {
        name: reward / rational(divisor)
        for arm in counterexample().arms
        for name, reward in zip(arm.states, arm.rewards, strict=True)
    }
    return answer(all(0 <= reward <= 1 for reward in rewards.values()), **rewards)

at.implied(1240).property("thm:no_OFU/unit-interval",
    r"""The counterexample is a Markovian bandit as Section 2.1 defines it: its mean rewards[[divisor=1?, divided by
    $#$,]] lie in $[0, 1]$.""",
    rewards_in_unit_interval, divisor=1, fails="rewards-above-one",
    false={"rewards divided by 3.99": {"divisor": "3.99"}}, true={"rewards divided by 4": {"divisor": 4}})

def optimal_from(state_and_model: tuple[str, tuple[int, int]], orders: Sequence[Sequence[str]]) -> Answer:
    """Return whether a priority policy's value is the optimum, by policy iteration on the product."""
    name, state = state_and_model
    model, order = DRAWN[name](), orders[list(DRAWN).index(name)]
    value, optimum = priority_value(model, order, state).value, optimal_value(model).values[state]
    return answer(value == optimum, model=name, state=state, value=value, optimum=optimum)

at.ours(1303).property("thm:no_OFU/optimal-policies",
    r"$\pi^1$ is optimal in $M^1$, and $\pi^2$ in $M^2$, from every initial state.",
    optimal_from,
    over=Family("all nine initial states of $M^1$ and of $M^2$", lambda: product(DRAWN, product(range(3), repeat=2)),
        complete=True),
    reading=REAL_REWARDS, orders=(PI_1, PI_2), kernel="optimal_policies", by=Everywhere(),
    false={"the two exchanged": {"orders": (PI_2, PI_1)}})

CAUSES = [
    Cause("radius-vector", Severity.SLIP, line=1255, title="The vector 0.1 is not the L1 radius",
        printed=r"$\epsilon^Q_a = [0.1, 0.1, 0.1]$, after $\epsilon^Q_a(x_a) = 0.2$",
        why="$M^1$ and $M^2$ are at L1 distance $1/5$ from the estimate; with the radius $1/10$ neither is in the set.",
        instead=r"$\epsilon^Q_a = [0.2, 0.2, 0.2]$", follows="Nothing: all printed values are those of the radius 0.2.",
        witness="thm:no_OFU/radius"),
    Cause("value-of-another-model", Severity.SLIP, line=1309,
        title="6.47 is the value of the most optimistic member of the set, not of the $M^1$ that is drawn",
        why=r"It is $5163/800=6.45375$; $49167/7600=6.4693\ldots$ is attained with the row $A_2\to(0,1/10,9/10)$.",
        instead="$6.45$",
        follows="Nothing: the strict inequality holds either way.", witness="thm:no_OFU/value-M1"),
    Cause("rewards-above-one", Severity.SLIP, line=1240, title="The counterexample's rewards are not in [0, 1]",
        printed=r"rewards $3$, $4$ and $3.21$, while Section 2.1 has $\boldsymbol{r}^a\in[0,1]^S$", why=r"$4>1$.",
        instead="all rewards divided by 4; the radii and the discount stay", checked=("thm:no_OFU",),
        follows=r"""Nothing: values are linear in the rewards, so every comparison stays. ($\mu < 0$ is then left out;
        Theorem 3 does without.)""",
        witness="thm:no_OFU/unit-interval"),
]

# == Theorem 3, the indices: which comparisons optimality in simpler bandits forces, and which it does not (Appendix C).

FOR_EVER = 1 / (1 - beta)

OF_C_LATER = Max(0, mu * FOR_EVER)  # what the best from (B_2, C_1) is worth

at.printed(1243).relation("thm:no_OFU/priority-bc",
    r"""$B_1$ and $B_3$ should have priority over $C_1$ ($I(B_1) > I(C_1)$ and $I(B_3) > I(C_1)$) if and only if $\mu <
    3.21$. [[ours]] With any reward $r > 0$ in $B_1$ and $B_3$ and any real $\mu < r$, playing $b$ first is strictly
    better than playing $c$ once and $b$ then, both with the best afterwards, by the first two of $[[formula]]$: their
    left sides are the values of $b$ first from $(B_1, C_1)$ and $(B_3, C_1)$, and the maximum is the best from $(B_2,
    C_1)$. With $v > r$ in place of $\mu$, $c$ for ever is strictly better than $b$ once and $c$ then, and than $r$ for
    ever, by the next two. For $\mu = r$ the two are equally good, by the last, so that neither priority is forced.""",
    ForAll(r > 0, mu < r, v > r, beta > 0, beta < 1),
    r + beta * OF_C_LATER > c * mu + c * beta * (r + beta * OF_C_LATER),
    r * FOR_EVER > c * mu + c * beta * r * FOR_EVER, v * FOR_EVER > c * (r + beta * v * FOR_EVER),
    v * FOR_EVER > c * r * FOR_EVER, Eq(r * FOR_EVER, d * (r + beta * r * FOR_EVER)), reading=REAL_REWARDS, c=1,
    d=1, by=Solver(), nearest="c d")

def worth_of_rest(mean: sympy.Expr) -> sympy.Expr:
    return Max(0, mean * FOR_EVER)

at.printed(1243).relation("thm:no_OFU/priority-bc/B2",
    r"""$B_2$ should have priority over $C_1$ ($I(B_2) > I(C_1)$) if and only if $\mu < [[d]]$. [[ours]] From $(B_2,
    C_1)$ the best is worth $m = \max\{0, \frac{\mu}{1-\beta}\}$, playing $b$ first and the best afterwards $\beta m$,
    and $c$ first $\mu + \beta m$. The first is larger for $\mu = [[d]] + u$ with $u < 0$, and not for $\mu = [[d]] +
    v$ with $v \ge 0$: $[[formula]]$, the last two for $m$.""",
    ForAll(u < 0, v >= 0, beta > 0, beta < 1),
    beta * worth_of_rest(u + d) > u + d + beta * worth_of_rest(u + d),
    v + d + beta * worth_of_rest(v + d) >= beta * worth_of_rest(v + d),
    Eq(Max(beta * worth_of_rest(u), u + beta * worth_of_rest(u)), c * worth_of_rest(u)),
    Eq(Max(beta * worth_of_rest(v), v + beta * worth_of_rest(v)), c * worth_of_rest(v)),
    reading=REAL_REWARDS, c=1, d=0, by=Solver(), nearest="c d")

at.ours(1247).relation("thm:no_OFU/own-radii",
    r"""The radii of eq. (5) are never $0$, and that of a row is at least $[[c]]$ times that of the reward, as
    $\log(SnK2^St_k) = \log(2SnKt_k) + (S-1)\log 2$: $[[formula]]$, $N$ being $\max\{1, N_{k-1}(x_a)\}$. Some radii of
    the counterexample are $0$ (`thm:no_OFU/counted` has none).""",
    ForAll(S >= 1, n >= 1, K >= 1, t >= 1, N >= 1), log(2 * S * n * K * t) > 0,
    sqrt(2 * (log(2 * S * n * K * t) + (S - 1) * log(2)) / N) >= c * sqrt(log(2 * S * n * K * t) / (2 * N)), c=2,
    by=Solver(), false={"c": "2.001"}, nearest="c")

def order_fails(mu: fmpq, order: Sequence[str]) -> bool:
    known = Bandit([counterexample().arms[1], Arm(rewards=[mu], transitions=[[1]], states=["C1"])], fmpq(1, 2))
    optimum = optimal_value(known).values
    reached = policy_value(known, priority_policy(known, known.priority(order)))
    return any(reached[state] < value for state, value in optimum.items())

def forced_equal(jump: Exact) -> Answer:
    """Return whether I(B1) and I(B3) are forced to be equal if I(C1) jumps by `jump` at mu = r.

    I(C1) is mu below r, and mu + jump from r on; I(B1) and I(B3) lie between r and r + jump, I(B2) is 0. The orders of
    these indices are compared with the optimal values at mu = 0 and r, and near and far on both sides of them.
    """
    height, reward = rational(jump), COUNTEREXAMPLE_REWARD_B
    indices = {"B1": reward + height * fmpq(3, 4), "B2": ZERO, "B3": reward + height * fmpq(1, 4)}
    near = fmpq(1, 1000)
    for mu in (-ONE, -near, ZERO, near, ONE, reward - near, reward, reward + near, reward + height / 2, reward + 5):
        own = mu if mu < reward else mu + height
        known = {**indices, "C1": own}
        if order_fails(mu, sorted(known, key=lambda state: (-known[state], state != "C1"))):
            return answer(Truth.UNDECIDED, mu=mu, indices=known)
    return answer(indices["B1"] == indices["B3"], I_B1=indices["B1"], I_B3=indices["B3"],
        I_C1=f"mu below {reward}, mu + {height} from there on")

at.printed(1245).property("thm:no_OFU/equal-indices",
    r"""The indices must satisfy $I(B_1) = I(B_3) > I(B_2)$. [[ours]] Optimality in every bandit of the known arms $b$
    and $c$, for every $\mu$, forces $I(B_1) = I(B_3)$, also where $I(C_1)$, as a function of $\mu$, jumps by $[[jump]]$
    at $\mu = 3.21$ (for $\beta = \frac12$; orders are held to the optimal values at $0$, $3.21$ and eight more $\mu$;
    below, between and above these two neither the order nor what is optimal changes: `thm:no_OFU/priority-bc` and its
    `/B2`).""",
    forced_equal, jump=1, fails="equal-indices", false={"jump": "1/100"}, true={"jump": 0})

def reward_above_arm_b(reward: Exact) -> Answer:
    arm, other = counterexample(reward_b=rational(reward)).arms
    least, largest = arm.rewards[1] - arm.reward_radius[1], max(other.rewards)
    return answer(least > largest, smallest_reward_of_A2=least, largest_reward_of_b=largest)

def between_rewards(arm: Arm, c: object) -> Answer:
    indices = gittins_indices(arm, fmpq(1, 2))
    rewards = zip(arm.rewards, indices, strict=True)
    sound = all(rational(c) * r <= index <= max(arm.rewards) for r, index in rewards)
    return answer(sound, rewards=arm.rewards, indices=indices)

def above_by_rewards(reward: Exact, c: object) -> Answer:
    above = reward_above_arm_b(reward)
    between = (between_rewards(arm, c) for arm in counterexample().arms)
    return next((found for found in (above, *between) if not found.true), above)

at.printed(1298).property("thm:no_OFU/A2",
    r"""For all $M \in \mathbb{M}$ the reward of $A_2$ is above those of $B_1$ and $B_3$: it should have a higher
    priority. [[ours]] (That optimism forces it: `thm:no_OFU/A2-first`.) In every bandit of the set $A_2$ has a larger
    Gittins index than $B_1$ and $B_3$, whose reward is $[[reward]]$: an index is at least $[[*c]]r$, where $r$ is the
    reward of its state, and at most the largest reward of its arm.""",
    above_by_rewards, domain=r"all discounts $0 \le \beta < 1$", reading=REAL_REWARDS, reward="3.21", c=1,
    by=[Step(InKernel("index_between", c=1), claim=Property("thm:no_OFU/A2#index", between_rewards, c=1,
            over=Family("the arms of the counterexample", lambda: iter(counterexample().arms)),
            says="An index is at least $[[*c]]r$, and at most the largest reward of its arm."))],
    so=Decides(lambda reward, c: reward_above_arm_b(reward),
        covers="the least reward of $A_2$ in the set is above all rewards of arm $b$"),
    nearest="reward c")

def a3_between(against: str, reward: Exact) -> Answer:
    """Compare the least index of A3 over the set with that of B2, and the largest value of playing A3 with B3's.

    Only one arm moves, so a row per state of arm a is a row per global state, and extended value iteration is exact. No
    index is below the smallest reward, which M1 attains in A3.
    """
    estimates, m1 = counterexample(), counterexample_m1()
    arm, beta = estimates.arms[0], estimates.discount
    with_b3 = Bandit([arm, Arm(rewards=[rational(reward)], transitions=[[1]])], beta)
    playing = first_step(with_b3, optimistic_value(with_b3, None, (2, 0)).values, (2, 0), 0)
    (smallest,) = {gittins_indices(m1.arms[0], beta)[2], min(arm.rewards)}  # it is attained
    of_b2, b3 = gittins_indices(m1.arms[1], beta)[1], rational(reward) / (1 - beta)
    told = {"smallest index of A3": smallest, "index of B2": of_b2, "playing A3 is worth at most": playing}
    above = smallest > of_b2 if against == "above" else smallest >= of_b2
    return answer(above and playing < b3, **told, **{"B3 for ever": b3})

at.printed(1297).property("thm:no_OFU/A3",
    r"""$I(A_3) \in (I(B_2), I(B_3))$, as for all $M \in \mathbb{M}$ $A_3$ should come before $B_2$, not before $B_3$.
    [[ours]] What fails is the reason (the order is right: `thm:no_OFU/A3-between`): in every bandit of the set the
    Gittins index of $A_3$ is [[against]] that of $B_2$ and below that of $B_3$, whose reward is $[[reward]]$.""",
    a3_between, reading=REAL_REWARDS, against="above", reward="3.21", fails="a3-b2-tie",
    false={"against": "not below", "reward": "0.2533"}, true={"against": "not below"})

CAUSES += [
    Cause("equal-indices", Severity.GAP, line=1245,
        title="Equal indices of $B_1$ and $B_3$ are not forced, and one order of the states survives the proof",
        printed=r"$I(B_1) = I(B_3) > I(B_2)$, and so $I(A_1) > I(B_1) = I(B_3)$ or $I(A_1) < I(B_1) = I(B_3)$.",
        why=r"""Only the order against $I(C_1)$ is forced, and $I(C_1)$ may jump where $\mu$ passes $3.21$. The order
        $A_2>B_1>A_1>B_3>A_3>B_2$ is then possible, and it is optimistic from every initial state.""",
        instead=r"""Line 1243: take $\mu = 3.22$. Lines 1245 and 1301: optimism in $\{a,b\}$ forces
        $B_1>A_1$, in $\{b,c\}$ $C_1>B_1$, and in $\{a,c\}$ $A_1>C_1$: a circle.
        (Or two arms built like $b$, with the rewards $16/5$ and $321/100$.)""",
        checked=("thm:no_OFU/two-cases/repair-with-arm-c", "thm:no_OFU"),
        follows="Nothing: Theorem 3 is true (`thm:no_OFU`, and checked by the kernel with arm $c$).",
        witness="thm:no_OFU/two-cases"),
    Cause("a3-b2-tie", Severity.SLIP, line=1297, title="$A_3$ and $B_2$ are tied in some bandits of the set",
        why=r"In $M^1$ both are worth 0 for ever: either priority is optimal there.",
        instead=r"""Optimism forces it by members of the set in which $A_3$ can be left: with $A_3$ below $B_2$, the
        supremum from $(A_3,B_2)$ is below the optimal value of $M^2$.""",
        follows="Nothing.", witness="thm:no_OFU/A3"),
]

# == Theorem 3 beyond the printed numbers: for which rewards, discounts and radii both strict inequalities hold.

SIGNS = "signs of rational functions of the one free number, between their isolated roots; at the ends, by continuity"

def varying(**parameter: Function) -> CounterexampleFamily:
    """Return the construction with the printed numbers, except the parameter given as a function of t."""
    printed = {"reward": constant("321/100"), "discount": constant("1/2"), "radius": constant("1/5")}
    return CounterexampleFamily(**{**printed, **parameter})

def exactly_between(
    family: CounterexampleFamily, best_for_index: Matrix, domain: tuple[Exact, Exact], inside: Sequence[Exact]
) -> Answer:
    """Return whether both inequalities hold inside a region and one fails on each side of it.

    `inside` lists the ends of the region, and points between them where the argument is split.
    """
    def both_hold(left: fmpq, right: fmpq) -> bool | None:
        facts = index_exceeds(family, best_for_index, left, right), pi1_falls_short(family, M2, left, right)
        return False if False in facts else None if None in facts else True

    def one_fails(left: fmpq, right: fmpq) -> bool | None:
        return None if (both := both_hold(left, right)) is None else not both

    below, *within, above = pairwise(map(rational, (domain[0], *inside, domain[1])))
    if any(left >= right for left, right in (below, *within, above)):
        return answer(False, not_in_order=inside)
    parts = [(below, one_fails), *((part, both_hold) for part in within), (above, one_fails)]
    return all_of(everywhere(fact, *part) for part, fact in parts)

@cache
def rewards_as_drawn(low: Exact, high: Exact) -> Answer:
    indices = [gittins_indices(made().arms[0], HALF)[0] for made in (counterexample_m2, counterexample_m1)]
    as_named = answer(indices == [rational(low), rational(high)], indices_of_A1=indices)
    return all_of([exactly_between(varying(reward=FIELD(T)), M1, (1, 4), (low, high)), as_named])

at.ours(1309).property("thm:no_OFU/region-reward",
    r"""With $M^1$ and $M^2$ as drawn both strict inequalities of eq. (40) hold exactly for the rewards $r$ of $B_1$ and
    $B_3$ with $[[low]] < r < [[high]]$: the Gittins indices of $A_1$ in $M^2$ and in $M^1$.""",
    rewards_as_drawn, domain=r"$1 \le r \le 4$, $\beta = 1/2$, L1 radius $1/5$", reading=REAL_REWARDS, low="19/6",
    high="42/13", by=Decides(rewards_as_drawn, SIGNS),
    false=[{"low": "3.166"}, {"high": "3.2308"}, {"low": "79/25"}, {"high": "81/25"}])

@cache
def discounts_as_drawn(low: Exact, high: Exact) -> Answer:
    return exactly_between(varying(discount=FIELD(T)), M1, (0, 1), (low, "1/2", high))

at.ours(1309).property("thm:no_OFU/region-discount",
    r"""With $M^1$ and $M^2$ as drawn and the reward $3.21$ of $B_1$ and $B_3$, both strict inequalities of eq. (40)
    hold exactly for $[[low]] < \beta < [[high]]$.""",
    discounts_as_drawn, domain=r"$0 \le \beta < 1$, L1 radius $1/5$", reading=REAL_REWARDS, low="35/79", high="105/158",
    by=Decides(discounts_as_drawn, SIGNS), false=[{"low": "11/25"}, {"high": "67/100"}])

@cache
def orders_by_discount(low: Exact, high: Exact) -> Answer:
    wrong: dict[str, object] = {}
    for (name, made), end in zip(DRAWN.items(), (low, high), strict=True):
        found = parametric_bandit(made())
        certify(found)
        orders = [tuple(map(found.bandit.name, piece.order)) for piece in found.pieces]
        ends = [str(point.low) if point.is_rational else point.decimal() for point in found.breakpoints]
        if ends != [str(rational(end))] or orders != [PI_2, PI_1]:
            wrong[name] = {"breakpoints": ends, "orders": [" > ".join(order) for order in orders]}
    return answer(not wrong, **wrong)

at.ours(1297).property("thm:no_OFU/orders-by-discount",
    r"""In $M^1$ as drawn no Gittins index is below the next in $A_2, B_1, B_3, A_1, A_3, B_2$, the order of $\pi^2$,
    for $\beta \le [[low]]$, and in $A_2, A_1, B_1, B_3, A_3, B_2$, that of $\pi^1$, from there on. In $M^2$ the same is
    true with $[[high]]$ in the place of $[[low]]$.""",
    orders_by_discount, domain=r"$0 < \beta < 1$", reading=REAL_REWARDS, low="35/79", high="105/158",
    by=Decides(orders_by_discount, "indices as rational functions of the discount, their crossings isolated exactly"),
    false=[{"low": "11/25"}, {"high": "67/100"}])

@cache
def radii_as_drawn(smallest: Exact, below: Exact, above: Exact) -> Answer:
    family, rows = varying(radius=FIELD(T)), widest_m2(FIELD(T))
    enough = "8/25"  # beyond the root: sets grow with the radius, and so does the supremum
    drawn = constant("321/100") + family.discount * family.alone(M2)[0]
    excess = family.with_b1(rows, (0, 1))[0] - drawn
    named = sympy.Poly(50 * T**4 - 350 * T**3 + 1118 * T**2 - 1053 * T + 231, T)
    widest = max(distances().values())
    attained = all(sign_between(slack, 0, enough) in (0, 1) for slack in family.slacks_of_pi1(rows))

    def excess_is(sign: int) -> Fact:
        return lambda left, right: None if (found := sign_between(excess, left, right)) is None else found == sign

    return all_of([
        answer(sympy.Poly(excess.numer.as_expr(), T) == -named, sign_changes_with=named),
        answer(named.count_roots(sympy_rational(smallest), sympy_rational(enough)) == 1),
        answer(named.count_roots(sympy_rational(below), sympy_rational(above)) == 1),
        answer(widest == rational(smallest), M1_and_M2_are_in_the_set_from=widest),
        answer(Truth.YES if attained else Truth.UNDECIDED, the_bandit_attains_the_supremum_of_pi1=attained),
        everywhere(excess_is(-1), rational(smallest), rational(below)),
        everywhere(excess_is(1), rational(above), rational(enough)),
        everywhere(partial(index_exceeds, family, M1), ZERO, rational(enough)),
    ])

at.ours(1255).property("thm:no_OFU/region-radius",
    r"""With $M^1$ and $M^2$ as drawn, $r = 3.21$ and $\beta = 1/2$, both lie in the set and both strict inequalities
    hold exactly for the L1 radii from $[[smallest]]$ up to, without, the root of $50t^4 - 350t^3 + 1118t^2 - 1053t +
    231$ between $[[below]]$ and $[[above]]$.""",
    radii_as_drawn, domain=r"radii $\ge 0$", reading=REAL_REWARDS, smallest="1/5", below="0.314533", above="0.314534",
    by=Decides(radii_as_drawn, SIGNS), false=[{"below": "0.314532", "above": "0.314533"},
        {"below": "0.314534", "above": "0.314535"}, {"smallest": "0.199999"}, {"smallest": "0.200001"}])

r"""Section A.4: MB-UCRL2."""

from __future__ import annotations

from dataclasses import replace

from proofs_checks.paper.appendix_a2_events.entries import measurable
from proofs_checks.paper.appendix_a2_gap.entries import BANDITS, between_0_and_length
from proofs_checks.paper.shared.events import *
from proofs_checks.paper.shared.prelude import *
from proofs_checks.paper.section_2.entries import largest_first
from proofs_checks.paper.shared.confidence_sets import SETS, WithMembers, with_share
from proofs_checks.paper.shared.deviation_cases import of_means
from proofs_checks.paper.shared.deviation_families import of_unplayed_arm
from proofs_checks.paper.shared.initial_laws import best_from_law, named
from proofs_checks.paper.shared.model_pairs import PAIRS, Pair, bound_by_steps, gap_within, with_rewards
from proofs_checks.paper.appendix_a4.checks import (
    PLAUSIBLE, WITHIN_RADIUS, WITHIN_UNIT, rare_state, within_display,
)
from theory.paper import (
    COUNTEREXAMPLE_RADIUS, counterexample, counterexample_m2, log_factor, reward_radius, theorem_side,
)
from theory.values import Values

chapter = Chapter()

# == MB-UCRL2: the event of Lemma `concentration_ucrl`, and the radii of the plausible set.

at = chapter.heading("lem:concentration_ucrl")

# -- its probability

def parts() -> Iterator[Part]:
    yield from ((2, 2, ZERO), *LONG_EPISODES)
    yield of_unplayed_arm(), of_means
    yield from estimates(REWARD_CASES, ROW_CASES)

def probability(claim_id: str, constant: int, domain: str) -> Property:
    return Property(
        claim_id,
        lambda part, c: part_within(part, 1, c),
        over=Family(CASES, parts),
        domain=domain,
        says=r"""$\mathbb{P}(\lnot\mathcal{E}^{\text{UCRL2}}_{k-1}) \le [[c]]/K$, where the event is that, for all
        $k' \le k-1$ and $x_a$, $|\hat r_{k'}(x_a) - r(x_a)| \le \frac{L_{k-1}}{2\sqrt{\max\{1, N_{k'}(x_a)\}}}$,
        $\lVert\hat Q_{k'}(x_a, \cdot) - Q(x_a, \cdot)\rVert_1 \le \frac{L_{k-1} + 1.5\sqrt S}{\sqrt{\max\{1,
        N_{k'}(x_a)\}}}$ and $H_{k'} \le \frac{\log(K(k-1))}{1-\beta}$.""",
        reading=FAIR,
        c=constant,
    )

at.printed(967).statement(probability("lem:concentration_ucrl", 5, ANY_SIZES),
    kernel="ucrl2_event", nearest="c", under="")

at.printed(976).relation("lem:concentration_ucrl/union",
    r"""The lemma follows by the union bound from $\mathbb{P}(\lnot\mathcal{E}^r_{k-1}) \le 2/K$,
    $\mathbb{P}(\lnot\mathcal{E}^Q_{k-1}) \le 2/K$ and $\mathbb{P}(\lnot\mathcal{E}^H_{k-1}) \le 1/K$, as the complement
    of $\mathcal{E}^{\text{UCRL2}}_{k-1}$ is the union of the three. [[ours]] The step alone: if these probabilities
    are $p, q \le 2/K$ and $h \le 1/K$, the union has at most $[[formula]]$. (Not all of the bounds hold: `conc:H`.)""",
    ForAll(K >= 1, h >= 0, p >= 0, q >= 0, K * h <= 1, K * p <= 2, K * q <= 2), h + p + q <= c / K, c=5, by=Solver(),
    candidates=[{K: ONE, h: ONE, p: 2 * ONE, q: 2 * ONE}], nearest="c")

at.ours(967).statement(probability("lem:concentration_ucrl/sharper", 3, ANY_SIZES), kernel="ucrl2_event",
    nearest="c")

measurable(at.printed(973), "lem:concentration_ucrl/measurable", r"$\mathcal{E}^{\text{UCRL2}}_{k-1}$ is")

# -- the radii of the plausible set

at.printed(987).relation("eq:plausible/radii",
    r"""$\mathbb{M}_k = \{(r', Q'): \forall a, x_a, |r'(x_a) - \hat r_{k-1}(x_a)| \le \frac{L_{k-1}}{2\sqrt{\max\{1,
    N_{k-1}(x_a)\}}}$ and $\lVert Q'(x_a, \cdot) - \hat Q_{k-1}(x_a, \cdot)\rVert_1 \le \frac{L_{k-1} + 1.5\sqrt
    S}{\sqrt{\max\{1, N_{k-1}(x_a)\}}}\}$. [[ours]] The radii are positive numbers: $\frac12 L_{k-1}^2 =
    [[formula]]$.""",
    ForAll(S >= 1, n >= 1, K >= 1, k >= 1, k <= K, beta >= 0, beta < 1), log(2 * S * n * K * TAU) > a, a=0,
    by=[log_at_least(Rational(17, 25), 2, K * (k - 1)), log_at_least(Rational(1, 2), 2, Y)], survives=Survives(k >= 2),
    fails="log-of-zero", nearest="a", under="thm:regret_upper_bound")

at.ours(999).relation("eq:plausible/radii/repair",
    r"""The first episode, in which the radii are not defined, costs at most $\mathbb{E}[H_1]$ whatever is played; and
    each of the others costs at most $\mathbb{E}[H_k]\,p$ where its event fails, with probability $p \le 3/K$ at most.
    From this, with $\mathbb{E}[H_k] = \frac{1}{1-\beta}$: $[[formula]]$.""",
    ForAll(K >= 2, beta >= 0, beta < 1, p >= 0, p <= 3 / K),
    1 / (1 - beta) + (K - 1) * p / (1 - beta) <= c / (1 - beta), reading={**FAIR, **IN_UNIT}, c=5,
    by=["lem:concentration_ucrl/sharper", "eq:gap_overview", MEAN_LENGTH],
    candidates=[{K: fmpq(10**6), beta: ZERO, p: fmpq(3, 10**6)}], nearest="c", under="thm:regret_upper_bound",
    repairs="eq:plausible/radii")

# == MB-UCRL2: the distance of two models of the plausible set, and the size of their values.
# L stands for L_{k-1}; only its sign is used.

at = chapter.heading("thm:regret_upper_bound")
UNIT_READING = {"plausible rewards": "within [0, 1]"}
RADIUS_READING = {"plausible rewards": "within the radius"}

# -- the bound B_k = H_k

def at_most_length(pair: Pair, c: object) -> Answer:
    scaled = replace(pair, learned=with_rewards(pair.learned, lambda r: rational(c) * r))
    return between_0_and_length(scaled, a=0, d=0)

at.printed(1004).property("ucrl2/B_k/repair",
    r"""$B_k = H_k$ in Lemma `regret_decomposition`, for MB-UCRL2. [[ours]] It bounds $W^{\pi_k}_{M_k,1:H_k}$, the
    models of the plausible set being bandits as Section 2 defines them: with mean rewards of $M_k$ in $[0, [[c]]]$, $0
    \le W^{\pi}_{M_k,1:H} \le H$ for every $H$, from every state.""",
    at_most_length, over=PAIRS,
    domain=r"finite bandits with mean rewards of the range that is named, any policy, $H_k \ge 1$",
    reading=UNIT_READING, c=1, kernel="total_at_most_horizon", nearest="c")

def bound_of_one_state(L: object, largest: str) -> Answer:
    best = 1 + rational(L) / 2 if largest == "any" else ONE
    optimistic = Bandit([Arm(rewards=[best], transitions=[[1]])], ZERO)
    value = finite_horizon_value(optimistic, lambda _: 0, 1)[0,]
    return answer(value <= 1, **{"S = n = N = H_k": 1, "L": L, "estimate": 1, "M_k": optimistic, "W": value, "B_k": 1})

at.printed(985).property("ucrl2/B_k",
    r"""$\mathbb{M}_k = \{(r', Q'): \forall a, x_a, |r'(x_a) - \hat r_{k-1}(x_a)| \le \frac{L_{k-1}}{2\sqrt{\max\{1,
    N_{k-1}(x_a)\}}}, \ldots\}$, and $B_k = H_k$ for MB-UCRL2. [[ours]] It bounds $W^{\pi_k}_{M_k,1:H_k}$, where the
    rewards of the plausible models may be [[largest]] numbers within $L/(2\sqrt N)$ of the estimates; here for one arm
    of one state that was seen once, with reward $1$, $H_k = 1$ and $L = [[L]]$, less than $L_1$ for $K = 2$.""",
    bound_of_one_state, domain=r"the set of eq. (33) as it is displayed: all $(r', Q')$ within the radii",
    reading=RADIUS_READING, L="7/5", largest="any", fails="plausible-rewards", false={"L": "1/100"},
    true={"rewards within [0, 1]": {"largest": r"only those in $[0, 1]$ of the"}})

# -- the distance of two models of the set

NEAR = ForAll(S >= 1, N >= 1, L > 0, Abs(x - y) <= L / (2 * sqrt(N)), Abs(y - z) <= L / (2 * sqrt(N)), u >= 0, v >= 0,
    w >= 0, w <= u + v, u <= v + w, v <= u + w, u <= (L + 3 * sqrt(S) / 2) / sqrt(N),
    v <= (L + 3 * sqrt(S) / 2) / sqrt(N))
OPPOSITE = {
    S: fmpq(4), N: fmpq(2500), L: fmpq(5), x: fmpq(11, 20), y: fmpq(1, 2), z: fmpq(9, 20), u: fmpq(4, 25),
    v: fmpq(4, 25), w: fmpq(8, 25),
}

def distances(claim_id: str, domain: ForAll, says: str, factor: object) -> Relation:
    return Relation(
        claim_id,
        domain,
        Abs(x - z) <= c * L / sqrt(N),
        w <= c * (2 * L + 3 * sqrt(S)) / sqrt(N),
        says=says
        + r""" With the means $x$, $y$, $z$ in $M_k$, of the estimate and in $M$, and $u$, $v$, $w$ the $L_1$ distances
        of the rows of $M_k$ and the estimate, of $M$ and the estimate, and of $M_k$ and $M$:
        $[[formula]]$, $N$ standing for $\max\{1, N_{k-1}(x_a)\}$ and $L$ for $L_{k-1}$.""",
        c=factor,
    )

at.implied(1006).statement(
    distances("ucrl2/half", NEAR.where(S >= 2, u + v + w <= 4),
        "$M$ and $M_k$, both in the plausible set, are within half the distances that are used for MB-PSRL.",
        "1/2"),
    fails="ucrl2-half", candidates=[OPPOSITE], false={"c": "99/100"}, true={"c": 1}, max_instances=60)

A, B, D = sympy.symbols("A B D", real=True)

at.ours(1006).statement(
    distances("ucrl2/half/repair", NEAR,
        "Two models of the plausible set are within the distances that are used for MB-PSRL.", 1),
    by=[Step(r"Distances of rows satisfy the triangle inequality, with any number of next states.", Invariant(),
            claim=Process("ucrl2/half/repair#triangle", D <= A + B, start={A: 0, B: 0, D: 0},
                move={A: A + Abs(p - q), B: B + Abs(q - r), D: D + Abs(p - r)}, inputs=ForAll(p >= 0, q >= 0, r >= 0),
                says=r"$[[formula]]$ for $A = \sum|p - q|$, $B = \sum|q - r|$ and $D = \sum|p - r|$."))],
    candidates=[OPPOSITE], nearest="c", max_instances=60, repairs="ucrl2/half")

CAUSES = [
    Cause("plausible-rewards", Severity.SLIP, line=985,
        title="The plausible set is displayed without the bounds 0 and 1 on mean rewards",
        printed=r"""$\mathbb{M}_k = \{(r', Q') : |r'(x_a) - \hat r_{k-1}(x_a)| \le \frac{L_{k-1}}{2\sqrt{\max\{1,
        N_{k-1}(x_a)\}}}, \ldots\}$, and $B_k = H_k$.""",
        why=r"""An optimistic model takes the largest reward, $\hat r_{k-1}(x_a) + \frac{L_{k-1}}{2\sqrt N}$, which is
        above $1$ for every state that pays well or was seldom seen. With a state of mean reward $6$ that was seen once
        ($L_{k-1} = 10$) and is rarely reached, the bound on $\Delta_k^{conc}$ in the mean given $H_k = 30$ is
        $11.219\ldots$, and that mean is $14.959\ldots$""",
        instead="Line 988: the same set, with mean rewards of its models within [0, 1]",
        checked=("ucrl2/B_k/repair", "ucrl2/display-half"),
        follows=r"""The algorithm has to cut its rewards off at $1$. Section 4 asks that $M'$ be a Markovian bandit
        problem, and Section 2 gives those mean rewards in $[0, 1]$: so read, the displays hold.""",
        witness="ucrl2/display-half/literal"),
    Cause("ucrl2-half", Severity.GAP, line=1006,
        title="Two models within one radius of the estimates are two radii apart",
        printed=r"The expression for MB-UCRL2 is that of MB-PSRL up to a factor $\frac12$.",
        why=r"""For MB-PSRL both $M$ and the sampled $M_k$ are within one radius of the estimates, and so they are for
        MB-UCRL2: nothing is gained. For $S = 4$, $L_{k-1} = 5$ and $2500$ visits, means $9/20$ and $11/20$ around $1/2$
        and rows at distance $8/25$ are both in the set, and at the full distances $L_{k-1}/\sqrt N$ and $(2L_{k-1} +
        3\sqrt S)/\sqrt N$.""",
        instead=r"""the same distances as for MB-PSRL, and the factor $\frac12$ from elsewhere: with $W_{M_k,h+1:H}$
        between $0$ and $H - h$, a difference of rows weighs half its $L_1$ norm times $H - h$""",
        checked=("ucrl2/half/repair", "ucrl2/display-half", "ucrl2/decomposition"),
        follows=r"Nothing: with that, the display with $\frac12$ is right (`ucrl2/display-half`).",
        witness="ucrl2/half"),
]

# == MB-UCRL2: optimism, and the initial states from which it holds (the sketch in Section 5.1, and Section A.4).

at = chapter.heading("eq:optimism")
THEOREM_3 = r"""the confidence set of Appendix C: arm $a$ with $L_1$ radius $1/5$, arm $b$ known, $\beta = 1/2$
(dividing all rewards by $4$ puts them into $[0, 1]$ and divides all values by $4$). MB-UCRL2 never meets it, as none of
its radii is $0$; a set that it meets is in `eq:optimism/attainable`"""

# -- as printed: from every state

def one_pair(radius: Exact, first: str, states: str) -> Answer:
    """Return whether one policy and bandit of the set have the largest value from each of some states.

    If so, its mean value over these states is the mean of the largest values, which are those of extended value
    iteration if the set attains them.
    """
    estimates, names = counterexample(radius=radius), named(states)
    if not all(optimistic_value(estimates, None, (*named(first), each)).attained for each in names):
        return answer(False, why="a largest value is not attained")
    return best_from_law(estimates, named(first), names)

at.printed(427).property("eq:optimism",
    r"""$V^{\pi_k}_{M_k}(x) = \max_\pi \max_{M' \in \mathbb{M}_k} V^{\pi}_{M'}(x) \ge V^{\pi_*}_M(x)$. [[ours]] The
    equation, for one policy $\pi_k$ and one bandit $M_k$ of the plausible set from every global state $x$; here with
    arm $a$ in $[[first]]$ and arm $b$ in any of $[[states]]$; the $L_1$ radius is $[[radius]]$.""",
    one_pair, domain=THEOREM_3, reading=REAL_REWARDS, radius=COUNTEREXAMPLE_RADIUS, first="A_1", states="B_1, B_3",
    fails="optimism-every-state", refuted="optimism_fails", false={"radius 1/10": {"radius": "1/10"}},
    true={"radius 0": {"radius": 0}, "arm b in B1 and B2": {"states": "B_1, B_2"}}, under="thm:regret_upper_bound")

def dominates(start: str) -> Answer:
    estimates = counterexample()
    chosen = optimistic_value(estimates, None, ("A1", "B3")).sharing.bandit
    true = counterexample_m2()
    if chosen is None:
        raise ArithmeticError("extended value iteration is not attained from (A1, B3)")
    left, right = (gittins_value(each, named(start)).value for each in (chosen, true))
    return answer(left >= right, M_k=chosen, M=true, x=start, V_of_M_k=left, V_of_M=right)

at.implied(991).property("eq:optimism/dominates",
    r"""With $\pi_k$ and $M_k$ chosen as in eq. (6) for the initial law $\rho$, $V^{\pi_k}_{M_k}(x) \ge V^{\pi_*}_M(x)$
    from every global state $x$, if $M$ is in the plausible set; here from $([[start]])$, for the bandit $M = M_2$ of
    Appendix C.""",
    dominates, domain=THEOREM_3 + r"; here $\rho$ is the point mass at $(A_1, B_3)$", reading=REAL_REWARDS,
    start="A_1, B_1", fails="optimism-every-state", severity=Severity.GAP, refuted="domination_fails",
    false={"from (A1, B2)": {"start": "A_1, B_2"}}, true={"from (A1, B3) itself": {"start": "A_1, B_3"}})

# -- on average over the initial law

PLAUSIBLE_ESTIMATES = {"clock": "t_k", "no visit": "any estimate", **UNIT_READING}

def optimistic_where_chosen(drawn: WithMembers, where: str, share: object) -> Answer:
    """Compare members of the set with the M_k that extended value iteration chooses, with radii times a share.

    If no bandit attains the value of extended value iteration, the answer is yes.
    """
    estimates, members = drawn
    factor = max(ZERO, rational(share))
    chosen = optimistic_value(with_share(estimates, factor, factor)).sharing.bandit
    if chosen is None:
        return answer(True)
    values = optimal_value(chosen).values
    starts = [estimates.start()] if where == "the initial law" else list(values)
    best = [(member, optimal_value(member).values) for member in members]
    return all_of(
        answer(values[x] >= other[x], estimates=estimates, M_k=chosen, M=member, x=str(x),
            V_of_M_k=values[x], V_of_M=other[x])
        for member, other in best for x in starts
    )

at.ours(991).property("eq:optimism/repair",
    r"""There are $\pi_k$ and $M_k$, within $[[*share]]b$ of the estimates where the radii of the set are $b$, as
    eq. (6) asks for: on average over [[where]] of $X$, $\mathbb{E}[V^{\pi_k}_{M_k}(X)] \ge
    \mathbb{E}[V^{\pi}_{M}(X)]$ for every policy $\pi$ and every $M$ of the set.""",
    optimistic_where_chosen, over=SETS, domain=r"""sets of Markovian bandits with rewards in $[0, 1]$ within
        radii of estimates, as eqs. (5) and (33) have them, that are not empty; any law $\rho$ of the initial state""",
    reading={"plausible rewards": "within [0, 1]"}, where="the initial law", share=1, kernel="best_pair_exists",
    false={"from every global state": {"where": "any law"}}, nearest="share", max_instances=30,
    repairs=("eq:optimism", "eq:optimism/attainable", "eq:optimism/dominates"))

at.printed(992).property("ucrl2/model-gap",
    r"""$\mathbb{E}[\Delta_k^{model}\mathbf{1}_{\mathcal{E}^{\text{UCRL2}}_{k-1}}] \le 0$. [[ours]] (Held to
    $V^{\pi_k}_{M_k} \ge V^{\pi_*}_{M}$ on average over [[where]], $M$ being within the radii $b$ and $M_k$ within
    $[[*share]]b$ of the estimates.)""",
    optimistic_where_chosen, over=SETS,
    domain=r"""any model with rewards in $[0, 1]$, any $k \ge 2$; $\pi_k$ and $M_k$ of the largest value on average over
    $\rho$ that policies and members of a set have, in which $M$ is on the event, as in that of eq. (33); $H_k$ and
    $X_{t_k} \sim \rho$ independent of the past""",
    reading={"first episodes": "from 2", "plausible rewards": "within [0, 1]"}, where="the initial law", share=1,
    kernel="ucrl2_model_gap",
    false={"from every global state": {"where": "any law"}}, nearest="share", max_instances=30,
    under="thm:regret_upper_bound")

# -- the policy

at.printed(991).property("eq:EVI/optimal-policy/repair",
    r"""$\pi_k$ is optimal for some $M_k \in \mathbb{M}_k$. [[ours]] For some choices of $\pi_k$ in eq. (6): there is
    an $M_k$ of the set such that playing an arm of largest current [[what]] of $M_k$ is optimal for $M_k$ from every
    global state, with $V^{\pi}_{M_k}(\rho)$ the largest over all policies and all bandits of the set.""",
    largest_first,
    over=Family("exact bandits of one to three arms of one to three states, ties included", draw=random_bandit),
    domain=r"""plausible sets of MB-UCRL2 as eq. (5) has them, after any history, rewards in $[0, 1]$; any law $\rho$
    of the initial state""",
    reading=PLAUSIBLE_ESTIMATES, what="Gittins index",
    kernel="index_policy_is_most_optimistic", false={"what": "mean reward"}, max_instances=60,
    under="thm:regret_upper_bound")

CAUSES += [
    Cause("optimism-every-state", Severity.MAJOR, line=427,
        title="One policy and one model are not optimistic from every initial state",
        why=r"""The best row of an arm's state depends on where the other arms are. In the set of item 3 that MB-UCRL2
        meets, the largest values from the states where episodes start have the mean $6.007\ldots$, and no bandit's
        values more than $5.962$: so every $M_k$ is worth less from one of them than another bandit of the set. In the
        set of Appendix C, whose radii of $0$ MB-UCRL2 never has, an $M_k$ for $(A_1, B_3)$ is worth $5.899\ldots$ from
        $(A_1, B_1)$, and $M^2$ $5.996\ldots$""",
        instead=r"""Lines 427 and 991: on average over the initial law of $X$, $\mathbb{E}[V^{\pi_k}_{M_k}(X)] \ge
        \mathbb{E}[V^{\pi}_{M}(X)]$ for every policy $\pi$ and every $M$ of the set.""",
        follows=r"""Nothing in the regret bound: $X_{t_k} \sim \rho$ is independent of the past, so the average is all
        that $\mathbb{E}[\Delta_k^{model}\mathbf{1}_{\mathcal{E}}] \le 0$  needs.""",
        witness="eq:optimism/attainable"),
]

# == MB-UCRL2: its regret, display by display.
# L stands for L_{k-1}, or for L_K if a claim says so; only L >= 0 is used.

at = chapter.heading("thm:regret_upper_bound")

# -- one episode

def by_steps_left(pair: Pair, f: object, d: object) -> Answer:
    def bound(steps: int) -> Values:
        return bound_by_steps(pair, [rational(f) * max(ZERO, steps - h - rational(d)) for h in range(1, steps + 1)])

    return all_of(gap_within(pair, steps, bound(steps)) for steps in pair.lengths)

at.ours(1006).property("ucrl2/decomposition",
    r"""$W^{\pi}_{M_k,1:H}(x) - W^{\pi}_{M,1:H}(x) \le \mathbb{E}\big[\sum_{h=1}^{H} |r_k(X_h) - r(X_h)| + f\,(H - h -
    d)\lVert Q_k(X_h,\cdot) - Q(X_h,\cdot)\rVert_1\big]$ with $f = [[f]]$ and $d = [[d]]$, where $X_h$ is the state of
    the arm played at step $h$ of play in $M$ from $x$: sharper than Lemma `regret_decomposition` with $B_k = H$ by the
    factor $f$, and by $h$ steps.""",
    by_steps_left, over=PAIRS, domain=BANDITS + "; rewards of $M_k$ in $[0, 1]$", f="1/2", d=0,
    kernel="decomposition_by_steps_left", nearest="f d")

DISPLAY = r"""$\mathbb{E}[\Delta_k^{conc}%s] \le \mathbb{E}\big[\frac12 \sum_{t=t_k}^{t_{k+1}-1} \frac{L_{k-1} +
(2L_{k-1} + 3\sqrt S)H_k}{\sqrt{\max\{1, N_{k-1}(X_{t,A_t})\}}}%s\big]$. [[ours]] With the factor $[[c]]$ in front, mean
rewards of the plausible models being [[rewards]]."""
ON_EVENT, GIVEN = r"\mathbf{1}_{\mathcal{E}^{\text{UCRL2}}_{k-1}}", r" \mid \mathcal{O}_{k-1}, H_k, M_k, M"

def display(claim_id: str, says: str, rewards: str) -> Property:
    return Property(
        claim_id,
        lambda case, c, rewards: within_display(case, rational(c), rewards),
        over=PLAUSIBLE,
        domain="any estimates and counts, any number $L_{k-1} > 0$, any $M$ and $M_k$ in the plausible set, any policy",
        says=says,
        reading={"plausible rewards": rewards},
        c="1/2",
        rewards=rewards,
    )

at.printed(1006).statement(display("ucrl2/display-half", DISPLAY % (ON_EVENT, ""), WITHIN_UNIT),
    kernel="gap_within_display", false={"c": "1/4"}, nearest="c")

at.implied(1006).statement(display("ucrl2/display-half/literal", DISPLAY % (GIVEN, GIVEN), WITHIN_RADIUS),
    fails="plausible-rewards", candidates=[rare_state()], false={"c": "3/5"}, true=[{"rewards": WITHIN_UNIT}, {"c": 1}])

# -- all episodes

ALL_EPISODES = r"""$\sum_{k=1}^K \mathbb{E}[\Delta_k^{conc}\mathbf{1}_{\mathcal{E}^{\text{PSRL}}_{k-1}}] \le \frac32(L_K
+ \sqrt S)\big(Sn\,\mathbb{E}[\max_{k \le K} H_k^2] + 2\sqrt{SnK}\,\mathbb{E}[\max_{k \le K} H_k^{3/2}]\big)$.
[[ours]]"""

SUM = sympy.Symbol("D", real=True)
MANY_SHORT = {S: ONE, n: ONE, K: fmpq(10**10), k: fmpq(10**10), beta: ZERO, H: ONE, SUM: fmpq(2 * 10**5 + 1)}
"""A point at which L_{k-1} is nearly L_K, and the second term of the bound is nearly the whole bound."""
PRODUCT = S * n * H**2 + d * sqrt(S * n * K) * H ** Rational(3, 2)

at.printed(1011).relation("ucrl2/sum",
    ALL_EPISODES
    + r""" Read with $\mathcal{E}^{\text{UCRL2}}_{k-1}$. With $H = \max_k H_k$ and any number $D$ that is at most what
    Lemma `sum` bounds the double sum by, $\frac12(L_{k-1} + (2L_{k-1} + 3\sqrt S)H) D$ is at most $[[c]](L_K + \sqrt
    S)(Sn H^2 + [[d]]\sqrt{SnK}\,H^{3/2})$: $[[formula]]$.""",
    SIZES.where(H >= 1, SUM >= 0, S * n * H + 2 * sqrt(S * n * K * H) >= SUM),
    (L_EARLIER + (2 * L_EARLIER + 3 * sqrt(S)) * H) / 2 * SUM <= c * (L_K + sqrt(S)) * PRODUCT,
    reading={**FROM_2, "clock": "tau_k", **UNIT_READING}, c="3/2", d=2,
    by=["ucrl2/display-half", "lem:sum",
        Step("What Lemma `sum` gives, times $H$:", H * SUM <= PRODUCT,
            over=ForAll(S >= 1, n >= 1, K >= 1, H >= 1, SUM >= 0, S * n * H + 2 * sqrt(S * n * K * H) >= SUM)),
        "conc:domain/least", "conc:L",
        Uses("eq:sum_not_E_k", {L: L_EARLIER}),
        Step("So, with $u = L_{k-1} \\le v = L_K$, $s = \\sqrt S$, $w$ for the factor in front and $x$ for the bound:",
            w * SUM <= c * (v + s) * x,
            over=ForAll(u >= 0, v >= u, s >= 1, H >= 1, SUM >= 0, w >= 0, 2 * w <= 3 * (u + s) * H, x >= H * SUM),
            at={u: L_EARLIER, v: L_K, s: sqrt(S), w: (L_EARLIER + (2 * L_EARLIER + 3 * sqrt(S)) * H) / 2, x: PRODUCT})],
    candidates=[MANY_SHORT], nearest="c d", max_instances=60)

# -- the event and its complement

ARMS, RUN_LENGTH = 8, 7

def learned_late(c: object, event: str) -> Answer:
    """Compare the regret of MB-UCRL2 at beta = 0 on arms of one state that pay 0, except the last, which pays 1.

    An arm's optimistic reward is its mean (0 if untried) plus L/(2 sqrt(max{1, N})), but at most 1. So while only
    worthless arms have been tried, the arms tried at most once tie for the largest; ties go to the arm least tried.
    From the second episode on the event always holds: lengths are 1 < log(K(k-1)), the means of tried arms are exact,
    and those of untried ones are within L/2 > 1.
    """
    length = error = arb(ONE)
    longest, radius = arb(RUN_LENGTH).log(), log_factor(S=1, n=ARMS, K=RUN_LENGTH, k=2, beta=0) / 2
    certain = less(lambda: length, lambda: longest).both(less(lambda: error, lambda: radius))
    played: list[int] = []
    for _ in range(RUN_LENGTH):
        played.append(min(range(1, ARMS + 1), key=played.count))
    regret = sum(arm < ARMS for arm in played[1:])  # from the second episode on
    summed = regret if event == r"\mathcal{E}" else 0
    return answer(Truth.NO if certain is Truth.YES and regret > rational(c) + summed else Truth.UNDECIDED,
        **{"S, n, K, beta": (1, ARMS, RUN_LENGTH, 0)}, rewards="0, but 1 for the last arm",
        **{"arms played, each in a tie of all eight for the largest optimistic mean": played},
        **{"the event allows lengths up to": longest, "and errors up to": radius},
        regret_of_episodes_2_to_K=regret, bound=rational(c) + summed)

REGRET = r"""$\mathbb{E}[\mathrm{Reg}(K, \text{MB-UCRL2}, M)] \le \frac{[[c]]}{1-\beta} + \sum_{k=1}^{K}
\mathbb{E}[\Delta_k^{model}\mathbf{1}_{[[event]]}] + \mathbb{E}[\Delta_k^{conc}\mathbf{1}_{[[event]]}]$"""

at.printed(999).property("eq:proof_UCRL2_regret",
    REGRET + r", where $\mathcal{E}$ is $\mathcal{E}^{\text{UCRL2}}_{k-1}$.",
    learned_late, domain=r"$K \ge 2$, any bandit", c=5, event=r"\lnot\mathcal{E}", fails="complement", nearest="c+",
    true={"event": r"\mathcal{E}"})

at.repairs("eq:proof_UCRL2_regret").relation("/repair",
    r"""$\mathbb{E}[\mathrm{Reg}(K, \text{MB-UCRL2}, M)] \le \frac{[[c]]}{1-\beta} + \sum_{k=2}^{K}
    \mathbb{E}[\Delta_k^{model}\mathbf{1}_{\mathcal{E}}] + \mathbb{E}[\Delta_k^{conc}\mathbf{1}_{\mathcal{E}}]$, where
    $\mathcal{E}$ is $\mathcal{E}^{\text{UCRL2}}_{k-1}$: the first episode costs at most $\mathbb{E}[H_1] =
    \frac{1}{1-\beta}$, and a later one at most $\frac{p}{1-\beta}$ more than its summand, if each event fails with
    probability at most $p \le 3/K$; from this, times $1-\beta$, $[[formula]]$.""",
    ForAll(K >= 2, p >= 0, p <= 3 / K), 1 + (K - 1) * p <= c, reading={**FAIR, **IN_UNIT}, c=5,
    by=["eq:V-vs_R", "lem:concentration_ucrl/sharper", "eq:gap_overview", MEAN_LENGTH,
        Step(r"$\Delta_k = \Delta_k^{model} + \Delta_k^{conc}$:", Uses("eq:proofAB/repair", {u: 0, v: 0, w: 0}))],
    candidates=[{K: fmpq(10**6), p: fmpq(3, 10**6)}],
    nearest="c")

def regret_of_unlucky_run(K: object, C: object, of: str) -> Answer:
    """Compare the regret of MB-UCRL2 in the run in which all rewards of arm 1, Bernoulli of mean 1/2, are 0.

    Arm 2 always pays 1/4, so arm 1 is played no more once its radius is below 1/4 at every t <= K + 1.
    No run loses more than K/4; the mean is at most what `beyond:ucrl2` bounds it by.
    """
    episodes = int(str(K))
    visits = next(N for N in range(1, episodes + 2) if reward_radius(1, 2, episodes, episodes + 1, N) < arb(fmpq(1, 4)))
    regret = fmpq(episodes - visits, 4)

    def right() -> arb:
        return theorem_side(S=1, n=2, K=episodes, beta=ZERO) * rational(C)

    def most() -> arb:
        if of == "every run":
            return arb(fmpq(episodes, 4))
        return (2 * arb(4 * episodes * (episodes + 1)).log()).sqrt() * (2 + 2 * arb(2 * episodes).sqrt()) + 2

    truth = at_most(most, right)
    if truth is not Truth.YES:
        exceeds = of == "every run" and less(right, partial(arb, regret)) is Truth.YES
        truth = Truth.NO if exceeds else Truth.UNDECIDED
    told = {"arm 1 is played at most": visits, "regret of that run at least": regret, "right_side": right()}
    return answer(truth, **told)

at.implied(1015).property(
    "ucrl2/last-display/run",
    r"""$\mathrm{Reg}(K, \text{MB-UCRL2}, M) \le C'\big(\sqrt S + \log(\frac{SnK\log K}{1-\beta})\big)
    \big(Sn(\frac{\log K}{1-\beta})^2 + \sqrt{SnK}(\frac{\log K}{1-\beta})^{3/2}\big)$ as displayed, without a mean: for
    the regret eq. (4) of [[of]], where $C'$ is the $[[C]]$ that does in the mean (`thm:regret_upper_bound/ucrl2`).
    [[ours]] Not all constants are tried. Here $K = [[K]]$, $S = 1$, $\beta = 0$, an arm of
    Bernoulli rewards of mean $\frac12$, which with positive probability are all $0$, and one that pays $\frac14$.""",
    regret_of_unlucky_run,
    reading={"clock": "t_k", "next state": "observed", "no visit": "any estimate", **UNIT_READING},
    K=10**13,
    C="21/10",
    of="every run",
    fails="mean-left-out",
    severity=Severity.SLIP,
    false={"C": 90},
    true=[{"of": "the mean"}, {"K": 10**6}],
)

CAUSES += [
    Cause("complement", Severity.SLIP, line=999, title="The indicators are those of the complement of the event",
        why=r"""What happens on the event would then be free. For eight arms of one state, $\beta = 0$, $K = 7$, rewards
        $0$ but $1$ for one arm, the event holds surely from the second episode on and the sums vanish, while MB-UCRL2
        may play worthless arms throughout: a regret of $6$ in these episodes, above $5$.""",
        instead=r"""$\mathbf{1}_{\mathcal{E}}$ in both sums. (In the display after the next, $\mathcal{E}^{\text{PSRL}}$
        stands for $\mathcal{E}^{\text{UCRL2}}$ too.)""",
        follows="Nothing: the line before and all that follow have the event itself.", witness="eq:proof_UCRL2_regret"),
]

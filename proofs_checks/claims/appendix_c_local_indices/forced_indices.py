"""Theorem 3, the indices: what optimality in simpler bandits forces on them, and what it leaves open (Appendix C)."""

from __future__ import annotations

from flint import fmpq
from sympy import Eq, Max, log, sqrt  # type: ignore[import-untyped]

from proofs_checks.computations.counterexample_arms import a3_against_known_arms
from proofs_checks.evidence import Argument, ByHand, Everywhere, Solver, Step
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict
from proofs_checks.statements import Answer, ForAll, Property, Relation, answer
from proofs_checks.statements.symbols import K, N, S, beta, c, mu, n, r, t
from theory import Exact, rational
from theory.paper import COUNTEREXAMPLE_REWARD_B, counterexample

chapter = Chapter(under="thm:no_OFU")
FOR_EVER = 1 / (1 - beta)

chapter.printed(
    Relation(
        "thm:no_OFU/priority-bc",
        ForAll(r > 0, mu >= 0, mu < r, beta > 0, beta < 1),
        r + beta * mu * FOR_EVER > c * mu + c * beta * (r + beta * mu * FOR_EVER),
        r * FOR_EVER > c * mu + c * beta * r * FOR_EVER,
        says=r"""In the bandit of the known arms $b$ and $c$, with the reward $r$ in $B_1$ and $B_3$ and $0 \le \mu <
        r$, playing $b$ first is strictly better than playing $c$ once and $b$ then, from $(B_1, C_1)$ and from $(B_3,
        C_1)$: $[[formula]]$, where the left sides are the values of $b$ first.""",
        reading={"mean rewards": "real"},
        c=1,
    ),
    Solver(),
    line=1243,
    nearest={"c": "up"},
)

chapter.ours(
    Relation(
        "thm:no_OFU/priority-bc/above",
        ForAll(r > 0, mu > r, beta > 0, beta < 1),
        mu * FOR_EVER > c * (r + beta * mu * FOR_EVER),
        mu * FOR_EVER > c * r * FOR_EVER,
        says=r"""There, with $\mu > r$, only playing $c$ first, and for ever, is optimal from $(B_1, C_1)$ and $(B_3,
        C_1)$: $[[formula]]$.""",
        reading={"mean rewards": "real"},
        c=1,
    ),
    Solver(),
    line=1243,
    nearest={"c": "up"},
)

OF_C_LATER = Max(0, mu * FOR_EVER)

chapter.printed(
    Relation(
        "thm:no_OFU/priority-bc/B2",
        ForAll(r > 0, mu >= -r, beta > 0, beta < 1),
        Eq(beta * OF_C_LATER - (mu + beta * OF_C_LATER), -c * mu),
        says=r"""There, from $(B_2, C_1)$, for any real $\mu \ge -r$, playing $b$ first and the best afterwards is
        better than playing $c$ first and the best afterwards by $-\mu$: strictly if and only if $\mu < 0$. With $m =
        \max\{0, \frac{\mu}{1-\beta}\}$, the best from there: $\beta m - (\mu + \beta m) = -[[*c]]\mu$.""",
        reading={"mean rewards": "real"},
        c=1,
    ),
    Solver(),
    line=1243,
    nearest={"c": "up"},
)

chapter.ours(
    Relation(
        "thm:no_OFU/own-radii",
        ForAll(S >= 1, n >= 1, K >= 1, t >= 1, N >= 1),
        log(2 * S * n * K * t) > 0,
        sqrt(2 * (log(2 * S * n * K * t) + (S - 1) * log(2)) / N) >= c * sqrt(log(2 * S * n * K * t) / (2 * N)),
        says=r"""The radii of eq. (4) are never $0$, and that of a row is at least $[[c]]$ times that of the reward, as
        $\log(SnK2^St_k) = \log(2SnKt_k) + (S-1)\log 2$: $[[formula]]$. So the set of the counterexample, with
        known rewards, known arms and one unknown row, is a confidence set as Theorem 3 allows it, and none that
        MB-UCRL2 can meet.""",
        c=2,
    ),
    Solver(),
    line=1247,
    nearest={"c": "up"},
    mutants=[{"c": "2.001"}],
)


def forced_equal(jump: Exact) -> Answer:
    """Return whether I(B1) and I(B3) are forced to be equal, where I(C1) jumps by `jump` as mu passes r.

    With I(C1) = mu up to r and mu + jump above, both indices may be anything between r and r + jump: they are above
    I(C1) for every mu < r and below it for every mu > r. So they are forced to be equal exactly if there is no jump.
    """
    height, reward = rational(jump), COUNTEREXAMPLE_REWARD_B
    low, high = reward, reward + height
    of_b1, of_b3 = low + height * fmpq(3, 4), low + height * fmpq(1, 4)
    return answer(
        of_b1 == of_b3,
        I_B1=of_b1,
        I_B3=of_b3,
        I_C1=f"mu up to {reward}, mu + {height} above",
        largest_index_of_C1_below=low,
        smallest_index_of_C1_above=high,
    )


chapter.printed(
    Property(
        "thm:no_OFU/equal-indices",
        forced_equal,
        says=r"""Optimality in every bandit of the known arms $b$ and $c$, for every $\mu$, forces $I(B_1) = I(B_3)$,
        also where $I(C_1)$, as a function of $\mu$, jumps by $[[jump]]$ at $\mu = 3.21$.""",
        jump=1,
    ),
    line=1245,
    verdict=Verdict.FAILS,
    severity=Severity.GAP,
    cause="equal-indices",
    mutants=[{"jump": "1/100"}],
    controls=[{"jump": 0}],
)


def reward_above_arm_b(reward: Exact) -> Answer:
    """Return whether the smallest reward of A2 over the set is above every reward of arm b."""
    arm, other = counterexample(reward_b=rational(reward)).arms
    least, largest = arm.rewards[1] - arm.reward_radius[1], max(other.rewards)
    return answer(least > largest, smallest_reward_of_A2=least, largest_reward_of_b=largest)


chapter.printed(
    Property(
        "thm:no_OFU/A2",
        reward_above_arm_b,
        says=r"""In every bandit of the set $A_2$ has a larger Gittins index than $B_1$ and $B_3$, whose reward is
        $[[reward]]$.""",
        domain=r"all discounts $0 \le \beta < 1$",
        reading={"mean rewards": "real"},
        reward="3.21",
    ),
    Argument(
        Step(
            "The reward of $A_2$ is above every reward of arm $b$.",
            Everywhere(),
            claim=Property("thm:no_OFU/A2#rewards", reward_above_arm_b, says="The rewards.", reward="3.21"),
        ),
        conclusion=ByHand(
            """The index of a state is at least its reward (stop after one step), and at most the largest reward of its
            arm (it is a mean of rewards)."""
        ),
    ),
    line=1298,
    nearest={"reward": "up"},
)


def a3_between(against: str) -> Answer:
    """Return whether A3 is above B2 (or not below it) and below B3 in every bandit of the set."""
    values = a3_against_known_arms()
    above = values["smallest index of A3"] > 0 if against == "above" else values["smallest index of A3"] >= 0
    below = values["playing A3 is worth at most"] < values["B3 for ever"]
    return answer(above and below, **values)


chapter.printed(
    Property(
        "thm:no_OFU/A3",
        a3_between,
        says=r"""In every bandit of the set the Gittins index of $A_3$ is [[against]] that of $B_2$ and below that of
        $B_3$.""",
        reading={"mean rewards": "real"},
        against="above",
    ),
    line=1297,
    verdict=Verdict.FAILS,
    severity=Severity.SLIP,
    cause="a3-b2-tie",
    controls=[{"against": "not below"}],
)

CAUSES = [
    Cause(
        "equal-indices",
        Severity.GAP,
        line=1245,
        title="Equal indices of $B_1$ and $B_3$ are not forced, and one order of the states survives the proof",
        printed=r"""Optimality in all bandits of the arms $b$ and $c$ forces $I(B_1)=I(B_3)>I(B_2)$; so $A_1$ is above
        both or below both.""",
        why=r"""Only the order against $I(C_1)$ is forced, and $I(C_1)$ may jump where $\mu$ passes $3.21$. The order
        $A_2>B_1>A_1>B_3>A_3>B_2$ is then possible, and it is optimistic from every initial state.""",
        instead=r"""Compare $a$, $b$ and $c$ at one $\mu\in(3.21,3.24)$, such as $3.22$: optimism in $\{a,b\}$ forces
        $I(B_1)>I(A_1)>I(B_3)$, in $\{b,c\}$ it forces $I(C_1)>I(B_1)$, and in $\{a,c\}$ $I(A_1)>I(C_1)$, a circle. Or
        take two arms built like $b$ with the rewards $3.2$ and $3.21$.""",
        follows="Nothing: Theorem 3 is true (`thm:no_OFU/two-cases/repair`, and checked by the kernel with arm $c$).",
        witness="thm:no_OFU/two-cases",
    ),
    Cause(
        "a3-b2-tie",
        Severity.SLIP,
        line=1297,
        title="$A_3$ and $B_2$ are tied in some bandits of the set",
        printed=r"""$I(A_3)\in(I(B_2),I(B_3))$ because for all $M\in\mathbb{M}$ state $A_3$ should have priority over
        $B_2$""",
        why=r"In $M^1$ both are worth 0 for ever: either priority is optimal there.",
        instead=r"""Optimism forces it by members of the set in which $A_3$ can be left: with $A_3$ below $B_2$, the
        supremum from $(A_3,B_2)$ is below the optimal value of $M^2$.""",
        follows="Nothing.",
        witness="thm:no_OFU/A3",
    ),
]

r"""MB-UCRL2: what two models of the plausible set have in common, and how large their values are (Section A.4).

L stands for L_{k-1}; nothing is used of it but its sign.
"""

from __future__ import annotations

import sympy  # type: ignore[import-untyped]
from flint import fmpq
from sympy import Abs, sqrt

from proofs_checks.computations.model_pairs import PAIRS, Pair
from proofs_checks.evidence import Argument, InKernel, Invariant, Step
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict
from proofs_checks.statements import Answer, ForAll, Process, Property, Relation, answer
from proofs_checks.statements.symbols import L, N, S, c, p, q, r, u, v, w, x, y, z
from theory import ZERO, Arm, Bandit, rational
from theory.values import finite_horizon_value

chapter = Chapter(under="thm:regret_upper_bound")
WITHIN_UNIT = {"plausible rewards": "within [0, 1]"}
WITHIN_RADIUS = {"plausible rewards": "within the radius"}

# -- the bound B_k = H_k


def at_most_length(pair: Pair, c: object) -> Answer:
    """Return whether values of M_k over H steps are from 0 to H, its rewards multiplied by c."""
    arms = [
        Arm(rewards=[rational(c) * r for r in arm.rewards], transitions=arm.transitions) for arm in pair.learned.arms
    ]
    learned = Bandit(arms, pair.learned.discount)
    for steps in pair.lengths:
        for state, value in finite_horizon_value(learned, pair.policy, steps).items():
            if not 0 <= value <= steps:
                return answer(False, M_k=learned, H=steps, state=state, W=value)
    return answer(True)


chapter.printed(
    Property(
        "ucrl2/B_k/repair",
        at_most_length,
        over=PAIRS,
        domain=r"finite bandits with mean rewards of the range that is named, any policy, $H_k \ge 1$",
        says=r"""$B_k = H_k$ bounds $W^{\pi_k}_{M_k,1:H_k}$ for MB-UCRL2, the models of the plausible set being
        bandits as Section 2 defines them: with mean rewards of $M_k$ in $[0, [[c]]]$, $0 \le W^{\pi}_{M_k,1:H} \le H$
        for every $H$, from every state. (Under the event the true model is still in the set then, as its mean rewards
        are in $[0, 1]$.)""",
        reading=WITHIN_UNIT,
        c=1,
    ),
    InKernel("total_at_most_horizon", c=1),
    line=1004,
    nearest={"c": "up"},
)


def bound_of_one_state(L: object, largest: str) -> Answer:
    """Return whether one step's value is at most 1 in the best model around an observed reward of 1."""
    best = 1 + rational(L) / 2 if largest == "any" else min(fmpq(1), 1 + rational(L) / 2)
    optimistic = Bandit([Arm(rewards=[best], transitions=[[1]])], ZERO)
    value = finite_horizon_value(optimistic, lambda _: 0, 1)[0,]
    return answer(value <= 1, **{"S = n = N = H_k": 1, "L": L, "estimate": 1, "M_k": optimistic, "W": value, "B_k": 1})


chapter.printed(
    Property(
        "ucrl2/B_k",
        bound_of_one_state,
        domain=r"the set of eq. (33) as it is displayed: all $(r', Q')$ within the radii",
        says=r"""$B_k = H_k$ bounds $W^{\pi_k}_{M_k,1:H_k}$ for MB-UCRL2, where the rewards of the plausible models may
        be [[largest]] numbers within $L/(2\sqrt N)$ of the estimates; here for one arm of one state that was seen once,
        with reward $1$, $H_k = 1$ and $L = [[L]]$.""",
        reading=WITHIN_RADIUS,
        L=2,
        largest="any",
    ),
    line=985,
    verdict=Verdict.FAILS,
    severity=Severity.GAP,
    cause="plausible-rewards",
    mutants=[{"L": "1/100"}],
    controls=[{"largest": r"only those in $[0, 1]$ of the"}],
)

# -- the distance of two models of the set

NEAR = ForAll(
    S >= 1,
    N >= 1,
    L > 0,
    Abs(x - y) <= L / (2 * sqrt(N)),
    Abs(y - z) <= L / (2 * sqrt(N)),
    u >= 0,
    v >= 0,
    w >= 0,
    w <= u + v,
    u <= v + w,
    v <= u + w,
    u + v + w <= 4,
    u <= (L + 3 * sqrt(S) / 2) / sqrt(N),
    v <= (L + 3 * sqrt(S) / 2) / sqrt(N),
)
OPPOSITE = {
    S: fmpq(4), N: fmpq(400), L: fmpq(2), x: fmpq(11, 20), y: fmpq(1, 2), z: fmpq(9, 20), u: fmpq(1, 4), v: fmpq(1, 4),
    w: fmpq(1, 2),
}  # fmt: skip


def distances(claim_id: str, domain: ForAll, says: str, factor: object) -> Relation:
    """Return how far apart two models of the plausible set are."""
    return Relation(
        claim_id,
        domain,
        Abs(x - z) <= c * L / sqrt(N),
        w <= c * (2 * L + 3 * sqrt(S)) / sqrt(N),
        says=says
        + r""" With the means $x$, $y$, $z$ in $M_k$, of the estimate and in $M$, and $u$, $v$, $w$ the $L_1$ distances
        of the rows of $M_k$ and the estimate, of $M$ and the estimate, and of $M_k$ and $M$:
        $[[formula]]$, $N$ standing for $\max\{1, N_{k-1}(x_a)\}$.""",
        c=factor,
    )


chapter.implied(
    distances(
        "ucrl2/half",
        NEAR.where(S >= 2),
        r"""$M$ and $M_k$, both in the plausible set, are within half the distances that are used for MB-PSRL, so that
        the sum for MB-UCRL2 gains a factor $\frac12$.""",
        "1/2",
    ),
    line=1006,
    verdict=Verdict.FAILS,
    severity=Severity.GAP,
    cause="ucrl2-half",
    witnesses=[OPPOSITE],
    mutants=[{"c": "99/100"}],
    controls=[{"c": 1}],
    looked_at=60,
)

A, B, D = sympy.symbols("A B D", real=True)

chapter.ours(
    distances(
        "ucrl2/half/repair",
        NEAR,
        "Two models of the plausible set are within the distances that are used for MB-PSRL.",
        1,
    ),
    Argument(
        Step(
            r"Distances of rows satisfy the triangle inequality, with any number of next states.",
            Invariant(),
            claim=Process(
                "ucrl2/half/repair#triangle",
                D <= A + B,
                start={A: 0, B: 0, D: 0},
                move={A: A + Abs(p - q), B: B + Abs(q - r), D: D + Abs(p - r)},
                inputs=ForAll(p >= 0, q >= 0, r >= 0),
                says=r"$[[formula]]$ for $A = \sum|p - q|$, $B = \sum|q - r|$ and $D = \sum|p - r|$.",
            ),
        ),
    ),
    line=1006,
    repairs="ucrl2/half",
    witnesses=[OPPOSITE],
    nearest={"c": "down"},
    looked_at=60,
)

CAUSES = [
    Cause(
        "plausible-rewards",
        Severity.GAP,
        line=985,
        title="The plausible set is displayed without the bounds 0 and 1 on mean rewards",
        printed=r"""$\mathbb{M}_k = \{(r', Q') : |r'(x_a) - \hat r_{k-1}(x_a)| \le \frac{L_{k-1}}{2\sqrt{\max\{1,
        N_{k-1}(x_a)\}}}, \ldots\}$, and $B_k = H_k$.""",
        why=r"""An optimistic model takes the largest reward, $\hat r_{k-1}(x_a) + \frac{L_{k-1}}{2\sqrt N}$, which is
        above $1$ for every state that pays well or was seldom seen. With a state of mean reward $4$ that was seen once
        ($L_{k-1} = 6$) and is rarely reached, and $H_k = 30$, the bound on $\mathbb{E}[\Delta_k^{conc}
        \mathbf{1}_{\mathcal{E}}]$ is $8.470\ldots$, and $\Delta_k^{conc}$ is $12.947\ldots$ in the mean.""",
        instead=r"""Line 988: $\mathbb{M}_k = \{(r', Q') : 0 \le r'(x_a) \le 1, |r'(x_a) - \hat r_{k-1}(x_a)| \le
        \ldots\}$""",
        follows=r"""The algorithm has to cut its rewards off at $1$. Section 4 asks that $M'$ be a Markovian bandit
        problem, and Section 2 gives those mean rewards in $[0, 1]$: so read, everything stands.""",
        witness="ucrl2/display-half/literal",
    ),
    Cause(
        "ucrl2-half",
        Severity.GAP,
        line=1006,
        title="Two models within one radius of the estimates are two radii apart",
        printed=r"""The expression for MB-UCRL2 is that of MB-PSRL up to a factor $\frac12$.""",
        why=r"""For MB-PSRL both $M$ and the sampled $M_k$ are within one radius of the estimates, and so they are for
        MB-UCRL2: nothing is gained. For $S = 4$, $L_{k-1} = 2$ and $400$ visits, means $9/20$ and $11/20$ around $1/2$
        and rows at distance $1/2$ are both in the set, and at the full distances $L_{k-1}/\sqrt N$ and
        $(2L_{k-1} + 3\sqrt S)/\sqrt N$.""",
        instead=r"""the same distances as for MB-PSRL, and the factor $\frac12$ from elsewhere: with $W_{M_k,h+1:H}$
        between $0$ and $H - h$, a difference of rows weighs half its $L_1$ norm times $H - h$""",
        follows=r"""Nothing: with that, the display with $\frac12$ is right (`ucrl2/display-half`), and so are
        $\frac32(L_K + \sqrt S)$ and what is concluded from it.""",
        witness="ucrl2/half",
    ),
]

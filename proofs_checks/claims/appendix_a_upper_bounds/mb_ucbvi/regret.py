r"""MB-UCBVI: the bound B_k, and its regret, display by display (Section A.5).

In the formulas, L is L_{k-1}, and L_K where a display says so. The rewards of M_k are the empirical means plus the
bonus b_{k-1} = L/(2(1-beta) sqrt N), N standing for max{1, N_{k-1}}.
"""

from __future__ import annotations

from itertools import chain, product
from typing import TYPE_CHECKING

from flint import arb, fmpq
from sympy import Abs, Rational, Symbol, log, sqrt  # type: ignore[import-untyped]

from proofs_checks.computations.model_pairs import PAIRS, Pair, bound_of_lemma, gap_of, won_or_lost
from proofs_checks.evidence import Argument, InKernel, Invariant, LeastAt, Solver, Step, Uses
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict, survives
from proofs_checks.statements import Answer, Family, ForAll, Process, Property, Relation, answer
from proofs_checks.statements.symbols import H, K, L, N, S, a, beta, c, d, h, k, n, p, u, v, w, x, y
from theory import ONE, ZERO, Arm, Bandit, rational
from theory.certified import at_most

if TYPE_CHECKING:
    from numpy.random import Generator

chapter = Chapter(under="thm:regret_upper_bound/ucbvi")
LEAST_L = Rational(4, 3)
PER_VISIT = ForAll(L >= 0, N >= 1, S >= 1, H >= 1, beta >= 0, beta < 1)
BONUS = L / (2 * (1 - beta) * sqrt(N))
OF_ROWS = (L + Rational(3, 2) * sqrt(S)) / sqrt(N)
L_EARLIER = sqrt(2 * log(2 * S * n * K * (k - 1) * (log(K * (k - 1)) / (1 - beta))))  # L_{k-1}
L_K = sqrt(2 * log(4 * S * n * K**2 * log(K) / (1 - beta)))
FROM_2 = {"first episodes": "from 2"}

# -- the episodes in which the event fails

chapter.printed(
    Relation(
        "ucbvi/additive",
        ForAll(K >= 1, beta >= 0, beta < 1, p >= 0, K * p <= 7),
        K * (p / (1 - beta)) <= c / (1 - beta),
        says=r"""$\mathbb{E}[\mathrm{Reg}] \le \frac{[[c]]}{1-\beta} + \sum_k
        \mathbb{E}[\Delta_k\mathbf{1}_{\mathcal{E}_{k-1}}]$. [[ours]] If the events are as likely as
        Lemma `concentration_ucbvi` says: where each fails with probability at most $p \le 7/K$, the $K$ episodes lose
        at most $\mathbb{E}[H_k]\,p$ each, and $[[formula]]$.""",
        c=7,
    ),
    Argument(Step("What an episode loses where its event fails:", Uses("eq:gap_overview"))),
    line=1085,
    witnesses=[{K: fmpq(7), p: ONE, beta: ZERO}],
    nearest={"c": "down"},
)

GAP = Symbol("G", real=True)

chapter.printed(
    Process(
        "ucbvi/model-gap",
        d >= GAP,
        start={GAP: 0},
        move={GAP: GAP + p * (w - u)},
        inputs=ForAll(p >= 0, u >= w),
        says=r"""$\mathbb{E}[\Delta_k^{model}\mathbf{1}_{\mathcal{E}_{k-1}}] = \mathbb{E}[(V_M^{\pi_*}(X_{t_k}) -
        V_{M_k}^{\pi_k}(X_{t_k}))\mathbf{1}_{\mathcal{E}_{k-1}}] \le [[d]]$. [[ours]] For finitely many observations and
        states: the sum, over any number of observations $\mathcal{O}_{k-1}$ in the event and of initial states, of
        their probabilities $p$ times $w - u$, with $w = V_M^{\pi_*} \le u = V_{M_k}^{\pi_k}$.""",
        d=0,
    ),
    Argument(
        Step("Given these, $\\Delta_k^{model}$ has the expectation $w - u$.", Uses("eq:def_model/repair")),
        Step("$u \\ge w$ on the event.", Uses("lem:ucbvi_optim")),
        conclusion=Invariant(),
    ),
    line=1045,
    nearest={"d": "down"},
)

# -- the bound B_k

chapter.printed(
    Relation(
        "ucbvi/B_k",
        ForAll(S >= 1, n >= 1, K >= 2, k >= 2, k <= K, beta >= 0, beta < 1, N >= 1, H >= 1, u >= 0, u <= 1),
        H * (u + BONUS.subs(L, L_EARLIER)) <= H * (a + L_EARLIER / (2 * (1 - beta))),
        says=r"""$B_k = \frac{H_kL_{k-1}}{2(1-\beta)} + [[*a]]H_k$ bounds $W^{\pi_k}_{M_k,1:H_k}$, whose rewards
        are empirical means plus the bonus. [[ours]] If all states visited have the mean $u$ and the count $N$, it is
        the left side of $[[formula]]$.""",
        reading=FROM_2,
        a=0,
    ),
    Argument(Step("", Uses("conc:domain/least"))),
    line=1089,
    verdict=Verdict.FAILS,
    severity=Severity.GAP,
    cause="ucbvi-range",
    witnesses=[{S: ONE, n: ONE, K: fmpq(3), k: fmpq(3), beta: fmpq(1, 2), N: fmpq(1), H: fmpq(4), u: ONE}],
    mutants=[{"a": "99/100"}],
    controls=[{"a": 1}],
    looked_at=60,
)

chapter.ours(
    Relation(
        "ucbvi/B_k/repair",
        ForAll(L >= 0, beta >= 0, beta < 1, N >= 1, H >= 1, u >= 0, u <= 1),
        H * (u + BONUS) <= H * (a + L / (2 * (1 - beta))),
        says=r"""$B_k = \frac{H_kL_{k-1}}{2(1-\beta)} + [[*a]]H_k$ bounds $W^{\pi_k}_{M_k,1:H_k}$, the sum of
        $H_k$ expected rewards that are at most an empirical mean $u$ plus a bonus: $[[formula]]$.""",
        a=1,
    ),
    Solver(),
    line=1089,
    repairs="ucbvi/B_k",
    witnesses=[{L: fmpq(2), beta: fmpq(1, 2), N: ONE, H: ONE, u: ONE}],
    nearest={"a": "down"},
)

# -- the displays


def _with_bonus(pair: Pair, most: fmpq) -> Pair:
    """Return the pair with the rewards of M_k, from 0 to 1, stretched so that they are from 0 to 1 + `most`."""
    arms = [
        Arm(rewards=[(1 + most) * r for r in arm.rewards], transitions=arm.transitions) for arm in pair.learned.arms
    ]
    return Pair(pair.true, Bandit(arms, pair.learned.discount), pair.policy, pair.lengths)


def _drawn(generator: Generator) -> tuple[Pair, fmpq]:
    assert PAIRS.draw is not None
    return PAIRS.draw(generator), ONE + fmpq(int(generator.integers(0, 5)), 2)


WITH_BONUS = Family(
    r"""pairs of exact bandits, rewards of $M$ in $[0, 1]$ and of $M_k$ in $[0, 1 + \ell]$ with
    $\ell = \frac{L_{k-1}}{2(1-\beta)} \ge 1$, and a policy""",
    lambda: chain([(won_or_lost(60), ONE)], ((pair, fmpq(3, 2)) for pair in PAIRS.members())),
    draw=_drawn,
)


def within_first_display(instance: tuple[Pair, fmpq], f: object) -> Answer:
    """Return whether the gap is at most the display's bound, f times its B_k in front of the distances."""
    pair, most = instance
    pair = _with_bonus(pair, most)
    for steps in pair.lengths:
        gaps, bounds = gap_of(pair, steps), bound_of_lemma(pair, steps, rational(f) * steps * most)
        for state, gap in gaps.items():
            if gap > bounds[state]:
                return answer(False, **pair.told(H=steps, start=state, l=most, gap=gap, bound=bounds[state]))
    return answer(True)


chapter.printed(
    Property(
        "ucbvi/display-1",
        within_first_display,
        over=WITH_BONUS,
        domain=r"""$S, n \ge 1$, $2 \le k \le K$, $0 \le \beta < 1$; the event of MB-UCBVI, so that
        $\frac{\log(K(k-1))}{1-\beta} \ge 1$ and, for $S \ge 2$, $\ell = \frac{L_{k-1}}{2(1-\beta)} \ge 1$ (for $S = 1$
        rows do not differ); rows of $M_k$ are probabilities, its rewards are from $0$ to $1 + \ell$""",
        says=r"""$\mathbb{E}[\Delta_k^{conc}] \le \mathbb{E}\big[\sum_t |b_{k-1} + \hat r_{k-1} - r|(X_{t,A_t}) +
        [[*f]]\frac{H_kL_{k-1}}{2(1-\beta)}\lVert\hat Q_{k-1} - Q\rVert_1(X_{t,A_t})\big]$ given the past and $H_k$,
        on the event: true, although the factor of the distances is no bound on $W_{M_k,1:H_k}$.""",
        reading=FROM_2,
        f=1,
    ),
    Argument(
        Step("For $Sn \\ge 2$, $L_{k-1} \\ge 2$ on the event:", Uses("conc:domain/unvisited")),
        Step(
            r"So $\ell = \frac{L_{k-1}}{2(1-\beta)} \ge 1$.",
            Solver(),
            L / (2 * (1 - beta)) >= 1,
            over=ForAll(L >= 2, beta >= 0, beta < 1),
        ),
        conclusion=InKernel("first_display", f=1),
    ),
    line=1092,
    nearest={"f": "down"},
)

DEVIATION = Abs(y) <= L / (2 * sqrt(N))  # y = r-hat - r
chapter.printed(
    Relation(
        "ucbvi/reward-gap",
        ForAll(L >= 0, N >= 1, beta >= 0, beta < 1, DEVIATION),
        Abs(BONUS + y) <= (c - beta) * L / (2 * (1 - beta) * sqrt(N)),
        says=r"""On the event, with $y = \hat r_{k-1} - r$ and the bonus $b_{k-1} = \frac{L}{2(1-\beta)\sqrt N}$,
        $|b_{k-1} + \hat r_{k-1} - r|$ is at most what the display has: $[[formula]]$.""",
        c=2,
    ),
    Solver(),
    line=1093,
    witnesses=[{L: fmpq(2), N: ONE, beta: ZERO, y: ONE}],
    nearest={"c": "down"},
)

chapter.printed(
    Relation(
        "ucbvi/display-2",
        PER_VISIT.where(DEVIATION, u >= 0, u <= OF_ROWS),
        Abs(BONUS + y) + H * L / (2 * (1 - beta)) * u
        <= ((c - beta) * L + H * L * (L + d * sqrt(S))) / (2 * (1 - beta) * sqrt(N)),
        says=r"""At each visit, on the event: with $y = \hat r_{k-1} - r$, $u = \lVert\hat Q_{k-1} - Q\rVert_1$, $L =
        L_{k-1}$ and $B_k$ as printed, $[[formula]]$.""",
        c=2,
        d="3/2",
    ),
    Argument(
        Step("The rewards:", Uses("ucbvi/reward-gap")),
        Step(
            "The rows:",
            Solver(),
            w * u <= w * OF_ROWS,
            over=ForAll(w >= 0, L >= 0, N >= 1, S >= 1, u <= OF_ROWS),
            at={w: H * L / (2 * (1 - beta))},
        ),
    ),
    line=1093,
    witnesses=[{L: fmpq(2), N: ONE, S: ONE, H: ONE, beta: ZERO, y: ONE, u: fmpq(7, 2)}],
    nearest={"c": "down", "d": "down"},
)

PRINTED_LEFT = ((2 - beta) * L + H * L * (L + Rational(3, 2) * sqrt(S))) / (2 * (1 - beta) * sqrt(N))
REPAIRED_LEFT = ((2 - beta) * L + H * (2 * (1 - beta) + L) * (L + Rational(3, 2) * sqrt(S))) / (
    2 * (1 - beta) * sqrt(N)
)
RIGHT = c * L * (L + sqrt(S)) * H / ((1 - beta) * sqrt(N))
SMALL_L = {L: fmpq(1, 10**6), N: ONE, S: ONE, H: ONE, beta: ZERO}

chapter.printed(
    Relation(
        "ucbvi/display-3",
        PER_VISIT,
        PRINTED_LEFT <= RIGHT,
        says=r"""At each visit, with $L = L_{k-1}$ and $B_k$ as printed: $[[formula]]$ (and then $L_{k-1} \le L_K$,
        $H_k \le \max_k H_k$).""",
        c=2,
    ),
    Solver(),
    line=1094,
    witnesses=[SMALL_L],
    nearest={"c": "down"},
)

chapter.ours(
    Relation(
        "ucbvi/display-3/repair",
        ForAll(S >= 1, n >= 1, K >= 2, k >= 2, k <= K, beta >= 0, beta < 1, N >= 1, H >= 1),
        (REPAIRED_LEFT <= RIGHT).subs(L, L_EARLIER),
        says=r"""With $B_k = H_k(1 + \frac{L_{k-1}}{2(1-\beta)})$ the bound per visit is the same, so that the displays
        that follow do not change: $[[formula]]$.""",
        reading=FROM_2,
        c=2,
    ),
    Argument(
        Step("$L_{k-1}^2 > 2$:", Uses("conc:domain/least")),
        Step(
            "With $L = L_{k-1}$:",
            Solver(),
            REPAIRED_LEFT <= RIGHT,
            over=PER_VISIT.where(L >= LEAST_L),
            at={L: L_EARLIER},
        ),
    ),
    line=1094,
    repairs="ucbvi/B_k",
    nearest={"c": "down"},
    looked_at=100,
)

FRONT = 2 * L * (L + sqrt(S)) / (1 - beta)

chapter.printed(
    Relation(
        "ucbvi/sum",
        ForAll(
            *(S >= 1, n >= 1, K >= 2, k >= 2, k <= K, beta >= 0, beta < 1, H >= 1, h >= 1, h <= H, x >= 0, x <= L),
            v >= 0,
            v <= S * n * H + 2 * sqrt(S * n * K * H),
        ),
        2 * x * (x + sqrt(S)) * h / (1 - beta) <= FRONT * H,
        FRONT * H * v <= FRONT * (a * S * n * H**2 + c * sqrt(S * n * K) * H * sqrt(H)),
        says=r"""Summed over the episodes: with $L = L_K$, $x = L_{k-1}$, $h = H_k$, $H = \max_k H_k$ and $v$ the double
        sum of Lemma `sum`, $[[formula]]$.""",
        reading=FROM_2,
        a=1,
        c=2,
    ),
    Argument(
        Step(r"$L_{k-1} \le L_K$:", Uses("conc:L")),
        Step(r"The double sum is at most $Sn \max H + 2\sqrt{SnK \max H}$:", Uses("lem:sum")),
    ),
    line=1095,
    witnesses=[{S: ONE, n: ONE, K: fmpq(4), k: fmpq(2), beta: ZERO, H: ONE, h: ONE, L: ONE, x: ONE, v: fmpq(5)}],
    nearest={"a": "down", "c": "down"},
)


def gaps_of_one_state(run: tuple[fmpq, fmpq, tuple[int, ...]], c: object) -> Answer:
    """Add up the gaps of one arm of one state, of mean 0, whose estimates are as large as the event allows."""
    discount, factor, lengths = run

    def total() -> arb:
        before, found = 0, arb(0)
        for steps in lengths:
            weight = 1 / arb(max(1, before)).sqrt()
            mean = arb(factor) / 2 * weight
            found += steps * (mean.min(arb(1)) + mean / arb(1 - discount))
            before += steps
        return found

    def bound() -> arb:
        largest, visits = max(lengths), arb(len(lengths) * max(lengths))
        front = arb(rational(c)) * arb(factor) * (arb(factor) + 1) / arb(1 - discount)
        return front * largest * (largest + 2 * visits.sqrt())

    return answer(at_most(total, bound), beta=discount, L=factor, lengths=lengths, gaps=total(), bound=bound())


chapter.ours(
    Property(
        "ucbvi/sum/fixed-horizons",
        gaps_of_one_state,
        over=Family(
            "runs of one arm of one state, of mean $0$, with the largest estimates of the event",
            lambda: product((ZERO, fmpq(9, 10)), (fmpq(4, 3), fmpq(5)), ((1,), (2, 1, 3), (1,) * 20)),
        ),
        domain=r"""any finite bandit whose observations take finitely many values, any initial states and lengths of the
        episodes, any policies that the past decides; $\frac43 \le L_{k-1} \le L$, any estimates with $\hat r$ in
        $[0, 1]$ and probability rows $\hat Q$""",
        says=r"""For fixed lengths $H_1, \ldots, H_K$, in the mean over the run of an adaptive learner,
        $\sum_k \Delta_k^{conc}\mathbf{1}_{\mathcal{E}_{k-1}} \le \frac{[[c]] L(L + \sqrt S)}{1-\beta} \max_k H_k (Sn
        \max_k H_k + 2\sqrt{SnK \max_k H_k})$, $\mathcal{E}_{k-1}$ being the event of MB-UCBVI at the estimates of
        episode $k$. Here the kernel's part of the regret of MB-UCBVI ends: the mean over the lengths, which are random,
        the probability of the events and the optimism of $M_k$ are put to it by the argument for
        `thm:regret_upper_bound/ucbvi`.""",
        c=2,
    ),
    InKernel("gaps_of_ucbvi", c=2),
    line=1095,
    nearest={"c": "down"},
)

chapter.printed(
    Relation(
        "ucbvi/last-display",
        ForAll(S >= 1, n >= 1, K >= 1, beta >= 0, beta < 1),
        FRONT.subs(L, L_K) <= c * 2 * (1 + sqrt(S)) / (1 - beta) * 2 * log(4 * S * n * K**2 * log(K) / (1 - beta)),
        says=r"""$2L_K(L_K + \sqrt S) \le 2(1 + \sqrt S)L_K^2$, which needs $L_K \ge 1$. [[ours]] $[[formula]]$.""",
        c=1,
    ),
    Argument(
        Step("", LeastAt(x, 2), log(x) >= Rational(17, 25), over=ForAll(x >= 2), at={x: K}),
        Step(
            "",
            LeastAt(v, 2),
            log(v) >= Rational(1, 2),
            over=ForAll(v >= 2),
            at={v: 4 * S * n * K**2 * log(K) / (1 - beta)},
        ),
    ),
    line=1101,
    survives=survives(K >= 2),
    severity=Severity.EDGE,
    cause="log-of-zero",
    nearest={"c": "down"},
)

CAUSES = [
    Cause(
        "ucbvi-range",
        Severity.GAP,
        line=1089,
        title="The bound on the values in MB-UCBVI's model leaves out the rewards and keeps the bonus",
        printed=r"$B_k = \frac{H_kL_{k-1}}{2(1-\beta)}$ is an upper bound of $W^{\pi_k}_{M_k,1:H_k}$.",
        why=r"""The rewards of $M_k$ are $\hat r_{k-1} + b_{k-1}$. Where every visit paid $1$ and $N = 1$, a step of
        $M_k$ is worth $1 + \frac{L_{k-1}}{2(1-\beta)}$, so that $B_k$ is exceeded by $H_k$.""",
        instead=r"$B_k = H_k\Big(1 + \frac{L_{k-1}}{2(1-\beta)}\Big)$",
        follows=r"""Nothing: the display that uses $B_k$ is true as printed, by the lemma with half the distance; and
        with the right $B_k$ the bound $2L_K(L_K + \sqrt S)\max_k H_k/(1-\beta)$ still holds, as $L_{k-1} \ge 4/3$.""",
        witness="ucbvi/B_k",
    ),
]

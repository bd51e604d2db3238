r"""MB-UCRL2: its regret, display by display (Section A.4).

L stands for L_{k-1}, or L_K where that is said; nothing is used of it but that it is not negative.
"""

from __future__ import annotations

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq
from sympy import Rational, log, sqrt

from proofs_checks.claims.appendix_a_upper_bounds.concentration.steps import FROM_2, SIZES, Y
from proofs_checks.claims.appendix_a_upper_bounds.decomposition import BANDITS
from proofs_checks.computations.model_pairs import PAIRS, Pair, bound_by_steps, gap_of
from proofs_checks.computations.plausible_models import (
    PLAUSIBLE,
    WITHIN_RADIUS,
    WITHIN_UNIT,
    rare_state,
    within_display,
)
from proofs_checks.evidence import Argument, ByHand, InKernel, Solver, Step, Uses
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict
from proofs_checks.statements import Answer, ForAll, Property, Relation, answer
from proofs_checks.statements.symbols import H, K, L, S, beta, c, d, k, n, p, s, u, v, w, x
from theory import ONE, ZERO, rational
from theory.certified import Truth, less
from theory.paper import log_factor, reward_radius
from theory.paper.regret import theorem_side

chapter = Chapter(under="thm:regret_upper_bound")

# -- one episode


def by_steps_left(pair: Pair, f: object, d: object) -> Answer:
    """Hold the gap to E sum |r_k - r| + f (H - h - d) ||Q_k - Q||_1, from every state."""
    for steps in pair.lengths:
        multiples = [rational(f) * max(ZERO, steps - h - rational(d)) for h in range(1, steps + 1)]
        gaps, bounds = gap_of(pair, steps), bound_by_steps(pair, multiples)
        for state, gap in gaps.items():
            if gap > bounds[state]:
                return answer(False, **pair.told(H=steps, start=state, gap=gap, bound=bounds[state]))
    return answer(True)


chapter.ours(
    Property(
        "ucrl2/decomposition",
        by_steps_left,
        over=PAIRS,
        domain=BANDITS + "; rewards of $M_k$ in $[0, 1]$",
        says=r"""$W^{\pi}_{M_k,1:H}(x) - W^{\pi}_{M,1:H}(x) \le \mathbb{E}\big[\sum_{h=1}^{H} |r_k(X_h) - r(X_h)| +
        f\,(H - h - d)\lVert Q_k(X_h,\cdot) - Q(X_h,\cdot)\rVert_1\big]$ with $f = [[f]]$ and $d = [[d]]$, where $X_h$
        is the state of the arm played at step $h$ of play in $M$ from $x$: sharper than Lemma `regret_decomposition`
        with $B_k = H$ by the factor $f$, and by $h$ steps.""",
        f="1/2",
        d=0,
    ),
    InKernel("decomposition_by_steps_left", f="1/2", d=0),
    line=1006,
    nearest={"f": "down", "d": "up"},
)

DISPLAY = r"""$\mathbb{E}[\Delta_k^{conc}\mathbf{1}_{\mathcal{E}}] \le \mathbb{E}\big[[[c]] \sum_{t=t_k}^{t_{k+1}-1}
\frac{L_{k-1} + (2L_{k-1} + 3\sqrt S)H_k}{\sqrt{\max\{1, N_{k-1}(X_{t,A_t})\}}}\big]$ for MB-UCRL2"""


def display(claim_id: str, rewards: str, more: str) -> Property:
    """Return the display for one episode, mean rewards of the plausible models being in a range."""
    return Property(
        claim_id,
        lambda case, c, rewards: within_display(case, rational(c), rewards),
        over=PLAUSIBLE,
        domain=r"""any estimates and counts, any number $L_{k-1} > 0$, any $M$ and $M_k$ in the plausible set, any
        policy and length of the episode""",
        says=DISPLAY + more,
        reading={"plausible rewards": rewards},
        c="1/2",
        rewards=rewards,
    )


GIVEN = Property(
    "ucrl2/display-half#given",
    lambda case, c, rewards: within_display(case, rational(c), rewards),
    over=PLAUSIBLE,
    says=r"""Given the past, $H_k$ and the initial state, $W^{\pi_k}_{M_k,1:H_k} - W^{\pi_k}_{M,1:H_k}$ is at most the
    expectation of $[[c]]$ times the sum, if $M$ and $M_k$ are within the radii of the estimates and mean rewards of
    $M_k$ are [[rewards]]. (Both distances are at most two radii; and what weighs that of the rows in a step with $j$
    steps after it is $j/2$.)""",
    c="1/2",
    rewards=WITHIN_UNIT,
)

chapter.printed(
    display("ucrl2/display-half", WITHIN_UNIT, ", mean rewards of the plausible models being [[rewards]]."),
    Argument(
        Step("", InKernel("ucrl2_display", c="1/2", rewards=WITHIN_UNIT), claim=GIVEN),
        conclusion=ByHand(
            r"""On the event, which is determined by the past, $M$ is in the plausible set, and $M_k$ always is: take
            expectations."""
        ),
    ),
    line=1006,
    mutants=[{"c": "1/4"}],
    nearest={"c": "down"},
)

chapter.printed(
    display("ucrl2/display-half/literal", WITHIN_RADIUS, ", mean rewards of the plausible models being [[rewards]]."),
    line=1006,
    verdict=Verdict.FAILS,
    severity=Severity.GAP,
    cause="plausible-rewards",
    witnesses=[rare_state()],
    mutants=[{"c": "3/5"}],
    controls=[{"rewards": WITHIN_UNIT}, {"c": 1}],
)

# -- all episodes

chapter.printed(
    Relation(
        "ucrl2/three-halves",
        ForAll(L >= 0, S >= 1, H >= 1),
        (L + (2 * L + 3 * sqrt(S)) * H) / 2 <= c * (L + sqrt(S)) * H,
        says=r"""The factor in front: $[[formula]]$.""",
        c="3/2",
    ),
    Solver(),
    line=1011,
    witnesses=[{L: fmpq(1), S: fmpq(1), H: fmpq(1)}],
    nearest={"c": "down"},
)

D = sympy.Symbol("D", real=True)
L_K = sqrt(2 * log(4 * S * n * K**2 * log(K) / (1 - beta)))
L_EARLIER = sqrt(2 * log(Y))  # L_{k-1}
MANY_SHORT = {S: ONE, n: ONE, K: fmpq(10**10), k: fmpq(10**10), beta: ZERO, H: ONE, D: fmpq(2 * 10**5 + 1)}
"""There L_{k-1} is nearly L_K, and the second term of the bound nearly all of it."""
PRODUCT = S * n * H**2 + d * sqrt(S * n * K) * H ** Rational(3, 2)

chapter.printed(
    Relation(
        "ucrl2/sum",
        SIZES.where(H >= 1, D >= 0, S * n * H + 2 * sqrt(S * n * K * H) >= D),
        (L_EARLIER + (2 * L_EARLIER + 3 * sqrt(S)) * H) / 2 * D <= c * (L_K + sqrt(S)) * PRODUCT,
        says=r"""The display for the sum over $k$. [[ours]] With $H = \max_k H_k$ and any number $D$ that is at most
        what Lemma `sum` bounds the double sum by, $\frac12(L_{k-1} + (2L_{k-1} + 3\sqrt S)H) D$ is at most $[[c]](L_K +
        \sqrt S)(Sn H^2 + [[d]]\sqrt{SnK}\,H^{3/2})$: $[[formula]]$.""",
        reading=FROM_2,
        c="3/2",
        d=2,
    ),
    Argument(
        Step("", Uses("lem:sum")),
        Step(
            "What Lemma `sum` gives, times $H$:",
            Solver(),
            H * D <= PRODUCT,
            over=ForAll(S >= 1, n >= 1, K >= 1, H >= 1, D >= 0, S * n * H + 2 * sqrt(S * n * K * H) >= D),
        ),
        Step("", Uses("conc:domain/least")),
        Step("", Uses("conc:L")),
        Step("", Uses("ucrl2/three-halves", {L: L_EARLIER})),
        Step(
            "So, with $u = L_{k-1} \\le v = L_K$, $s = \\sqrt S$, $w$ for the factor in front and $x$ for the bound:",
            Solver(),
            w * D <= c * (v + s) * x,
            over=ForAll(u >= 0, v >= u, s >= 1, H >= 1, D >= 0, w >= 0, w <= c * (u + s) * H, x >= H * D),
            at={
                u: L_EARLIER,
                v: L_K,
                s: sqrt(S),
                w: (L_EARLIER + (2 * L_EARLIER + 3 * sqrt(S)) * H) / 2,
                x: PRODUCT,
            },
        ),
    ),
    line=1011,
    witnesses=[MANY_SHORT],
    nearest={"c": "down", "d": "down"},
    looked_at=60,
)

# -- the event and its complement

ARMS, EPISODES = 10, 9


def learned_late(c: object, event: str) -> Answer:
    """Let MB-UCRL2 play arms of one state at beta = 0: rewards 0, but for the last arm, which pays 1 surely; H_k = 1.

    An arm's optimistic reward is its mean, 0 if untried, plus L/(2 sqrt(max{1, N})), or 1 if that is more. So while
    only worthless arms have been tried, those tried at most once tie for the largest; ties go to the arm least tried.
    From the second episode on the event holds surely: lengths are 1 < log(K(k-1)), means of tried arms are exact, and
    those of untried ones within L/2 > 1.
    """
    certain = less(lambda: arb(1), lambda: arb(EPISODES).log()).both(
        less(lambda: arb(2), lambda: log_factor(1, ARMS, EPISODES, 2, 0))
    )
    counts = [0] * ARMS
    played = []
    for _ in range(EPISODES):
        arm = min(range(ARMS), key=lambda a: (max(1, counts[a]), counts[a], a))
        counts[arm] += 1
        played.append(arm + 1)
    regret = sum(arm < ARMS for arm in played[1:])  # from the second episode on
    summed = regret if event == r"\mathcal{E}" else 0
    return answer(
        Truth.NO if certain is Truth.YES and regret > rational(c) + summed else Truth.UNDECIDED,
        **{"S, n, K, beta": (1, ARMS, EPISODES, 0)},
        rewards="0, but 1 for the last arm",
        arms_played=played,
        probability_that_the_event_fails=0,
        regret_of_episodes_2_to_K=regret,
        bound=rational(c) + summed,
    )


REGRET = r"""$\mathbb{E}[\mathrm{Reg}(K, \text{MB-UCRL2}, M)] \le \frac{[[c]]}{1-\beta} + \sum_{k=1}^{K}
\mathbb{E}[\Delta_k^{model}\mathbf{1}_{[[event]]}] + \mathbb{E}[\Delta_k^{conc}\mathbf{1}_{[[event]]}]$"""

chapter.printed(
    Property(
        "eq:proof_UCRL2_regret",
        learned_late,
        says=REGRET + r""", where $\mathcal{E}$ is $\mathcal{E}^{\text{UCRL2}}_{k-1}$.""",
        domain=r"$K \ge 2$, any bandit",
        c=5,
        event=r"\lnot\mathcal{E}",
    ),
    line=999,
    under="thm:regret_upper_bound",
    verdict=Verdict.FAILS,
    severity=Severity.SLIP,
    cause="complement",
    mutants=[{"c": 6}],
    controls=[{"event": r"\mathcal{E}"}],
)

chapter.ours(
    Relation(
        "eq:proof_UCRL2_regret/repair",
        ForAll(K >= 2, p >= 0, p <= 3 / K),
        1 + (K - 1) * p <= c,
        says=r"""$\mathbb{E}[\mathrm{Reg}(K, \text{MB-UCRL2}, M)] \le \frac{[[c]]}{1-\beta} + \sum_{k=2}^{K}
        \mathbb{E}[\Delta_k^{model}\mathbf{1}_{\mathcal{E}}] + \mathbb{E}[\Delta_k^{conc}\mathbf{1}_{\mathcal{E}}]$ with
        the event itself: the first episode costs at most $\mathbb{E}[H_1] = \frac{1}{1-\beta}$, and each later one at
        most $\frac{p}{1-\beta}$ where its event fails, with probability $p \le 3/K$ at most; from this,
        $[[formula]]$.""",
        reading={"first episodes": "from 2"},
        c=5,
    ),
    Argument(Step("", Uses("lem:concentration_ucrl/sharper")), Step("", Uses("eq:gap_overview"))),
    line=999,
    repairs="eq:proof_UCRL2_regret",
    witnesses=[{K: fmpq(10**6), p: fmpq(3, 10**6)}],
    nearest={"c": "down"},
)

at = chapter.heading("thm:regret_upper_bound")


def regret_of_unlucky_run(K: object, C: object, of: str) -> Answer:
    """Let all rewards of arm 1, Bernoulli of mean 1/2, be 0: MB-UCRL2 soon plays arm 2, which always pays 1/4.

    After N visits to arm 1 with the least N for which its radius at any t <= K + 1 is below 1/4, it is played no more.
    """
    episodes = int(str(K))
    visits = next(N for N in range(1, episodes + 2) if reward_radius(1, 2, episodes, episodes + 1, N) < arb(fmpq(1, 4)))
    regret = fmpq(episodes - visits, 4) if of == "every run" else ZERO
    right = theorem_side(1, 2, episodes, ZERO, 1) * rational(C)
    told = {"arm 1 is played at most": visits, "regret of that run at least": regret, "right_side": right}
    return answer(bool(regret <= right), **told)


at.printed(1015).property("ucrl2/last-display/run",
    r"""$\mathrm{Reg}(K, \text{MB-UCRL2}, M) \le C' (\sqrt S + \log\frac{SnK\log K}{1-\beta}) f(S, n, K, \beta)$,
    without a mean: the regret eq. (4) of [[of]]. [[ours]] With $C' = [[C]]$ at $K = [[K]]$, $S = 1$, $\beta = 0$, an
    arm of Bernoulli rewards of mean $\frac12$, which with positive probability are all $0$, and one that pays
    $\frac14$.""",
    regret_of_unlucky_run, reading={"clock": "t_k", "no visit": "any estimate"}, K=10**13, C="30.407", of="every run",
    fails="mean-left-out", severity=Severity.SLIP, false={"C": 90}, true=[{"of": "the mean"}, {"K": 10**6}])

at.printed(1010).property("ucrl2/sum/event",
    r"""The sum over $k$ is of what happens on the event of the display before,
    $\mathcal{E}^{\text{[[event]]}}_{k-1}$.""",
    lambda event: event == "UCRL2", event="PSRL", fails="complement", severity=Severity.SLIP,
    true={"event": "UCRL2"})

CAUSES = [
    Cause(
        "complement",
        Severity.SLIP,
        line=999,
        title="The indicators are those of the complement of the event",
        printed=r"""$\mathbb{E}[\mathrm{Reg}] \le \frac{5}{1-\beta} + \sum_{k=1}^{K}
        \mathbb{E}[\Delta_k^{model}\mathbf{1}_{\lnot\mathcal{E}}] +
        \mathbb{E}[\Delta_k^{conc}\mathbf{1}_{\lnot\mathcal{E}}]$ with $\mathcal{E} =
        \mathcal{E}^{\text{UCRL2}}_{k-1}$.""",
        why=r"""What happens on the event would then be free. For ten arms of one state, $\beta = 0$, $K = 9$, rewards
        $0$ but $1$ for one arm, the event holds surely from the second episode on and the sums vanish, while MB-UCRL2
        may play worthless arms throughout: a regret of $8$ in these episodes, above $5$.""",
        instead=r"""$\mathbf{1}_{\mathcal{E}}$ in both sums. (In the display after the next, $\mathcal{E}^{\text{PSRL}}$
        stands for $\mathcal{E}^{\text{UCRL2}}$ too.)""",
        follows="Nothing: the line before and all that follow have the event itself.",
        witness="eq:proof_UCRL2_regret",
    ),
]

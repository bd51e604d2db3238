r"""What MB-UCBVI does with the formula of Q-hat read literally: linear regret (Sections 4 and A.2, Theorem 1).

The bandit has two arms, S = n = 2 and beta = 1/2: arm 1 moves from state 0 to state 1 for good and pays 0 and then 1,
arm 2 pays 2/5 always, and episodes begin in state 0. Read literally, half of the moves of arm 1 are counted as moves to
state 0, and its index there is too low for it ever to be learned.
"""

from __future__ import annotations

from collections.abc import Iterator

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq
from sympy import Max, Rational, exp, log

from proofs_checks.computations.restarted_rows import loss_in_the_limit, simulated_regret
from proofs_checks.evidence import Argument, ByHand, Everywhere, LeastAt, Solver, Step, Uses
from proofs_checks.ledger import Chapter, Severity, Verdict
from proofs_checks.statements import Answer, Family, ForAll, Property, answer
from proofs_checks.statements.symbols import K, a, e, m, p, q, u, v, w, x, y, z
from theory import ZERO, rational
from theory.certified import at_most, enclosure
from theory.paper.regret import theorem_side

chapter = Chapter(under="thm:regret_upper_bound/ucbvi")
LITERAL = {"next state": "literal", "clock": "t_k"}
MODEL = r"""arm 1 moves from state $0$ to state $1$ for good, with rewards $0$ and $1$; arm 2 has one state, of reward
$2/5$; $\beta = 1/2$, and episodes begin in state $0$"""
SLOPE, LOGARITHMS = fmpq(1, 5), fmpq(200)
EPISODES, SEED = 30_000, 1


def lower_bound(episodes: int, slope: fmpq, logarithms: fmpq) -> arb:
    """Return slope K - logarithms log(40K^2) - 2."""
    return arb(slope * episodes - 2) - arb(logarithms) * (40 * arb(episodes) ** 2).log()


def _limit_and_run() -> Iterator[int]:
    yield from (0, EPISODES)


def loses_as_much(episodes: int, e: object, a: object, next_state: str) -> Answer:
    """Hold one run to the lower bound; without episodes: what an episode loses in the limit, to the slope."""
    if not episodes:
        loss = loss_in_the_limit(next_state)
        return answer(loss >= rational(e), model=MODEL, next_state=next_state, lost_by_an_episode_in_the_limit=loss)
    regret = simulated_regret(episodes, next_state, SEED)
    return answer(
        at_most(lambda: lower_bound(episodes, rational(e), rational(a)), lambda: arb(regret)),
        model=MODEL,
        K=episodes,
        next_state=next_state,
        regret_of_one_run=regret,
        bound=enclosure(lambda: lower_bound(episodes, rational(e), rational(a))),
    )


ESTIMATES_APART = Step(
    r"""If both bonuses of arm 1 are at most $1/10$ ($u$ and $w$) and both rows give state $1$ at most $3/5$ ($p$ and
    $q$), its index in state $0$ is at most $2/5$: with $z$ the worth of state $1$ where stopping is worth $4/5$,
    playing arm 1 in state $0$ is worth no more than stopping.""",
    Solver(),
    u + (p * z + (1 - p) * Rational(4, 5)) / 2 <= Rational(4, 5),
    over=ForAll(
        *(p >= 0, q >= 0, u >= 0, w >= 0, p <= Rational(3, 5), q <= Rational(3, 5), u <= Rational(1, 10)),
        w <= Rational(1, 10),
        z <= 1 + w + (q * z + (1 - q) * Rational(4, 5)) / 2,
    ),
)
INCREASES = Step("The exponential increases:", LeastAt(v, u), exp(u) <= exp(v), over=ForAll(v >= u))
FAILURES = Step(
    r"""With $m \ge 200\log(40K^2)$ the three exceptions have together a probability of at most $1/K$.""",
    Argument(
        Step("", LeastAt(x, 2), log(4 * x / 3) <= x / 2, over=ForAll(x >= 2), at={x: K}),
        INCREASES.put({u: -K / 2, v: -log(4 * K / 3)}),
        INCREASES.put({u: -m / 50, v: -4 * log(40 * K**2)}),
        INCREASES.put({u: -m / 2, v: -4 * log(40 * K**2)}),
        Step("", LeastAt(x, 1), log(x) >= 0, over=ForAll(x >= 1), at={x: 40 * K**2}),
        Step("", Solver(), 103 / (40 * K**2) ** 4 <= 1 / (8 * K), over=ForAll(K >= 2)),
    ),
    102 * exp(-m / 50) + exp(-m / 2) + exp(-K / 2) <= 1 / K,
    over=ForAll(K >= 2, m >= 200 * log(40 * K**2)),
)

chapter.ours(
    Property(
        "thm:regret_upper_bound/ucbvi/literal/linear",
        loses_as_much,
        over=Family(f"the limit, and one run of ${EPISODES}$ episodes", _limit_and_run),
        domain=rf"$K \ge 2$; {MODEL}",
        says=r"""With the bonus of Section 4, and the formula of $\hat Q$ with the next state taken as [[next_state]],
        $\mathbb{E}[\mathrm{Reg}(K, \text{MB-UCBVI}, M)] \ge [[e]] K - [[a]]\log(40K^2) - 2$.""",
        reading=LITERAL,
        e=SLOPE,
        a=LOGARITHMS,
        next_state="literal",
    ),
    Argument(
        Step("", Uses("cited:hoeffding")),
        Step(
            r"""An activation of arm 1 is the last step of its episode with probability $1/2$, whatever came before:
            so the estimate of the probability of moving to state $1$ is the mean of as many tosses of a fair coin as
            activations.""",
            ByHand(),
        ),
        Step(
            r"""For both states, the mean of $m$ tosses or more is ever above $3/5$ with probability at most
            $102 e^{-m/50}$: by Hoeffding's inequality, the sum over the numbers of tosses being that of a geometric
            series.""",
            Everywhere(),
            sympy.Le(1 / (1 - exp(-Rational(1, 50))), 51, evaluate=False),
            over=ForAll(),
        ),
        Step(
            r"""$t_K \le 4K + 1 \le 5K$ but for a probability of at most $e^{-K/2}$ (Hoeffding, $4K$ tosses); then all
            bonuses are at most $\sqrt{2\log(40K^2)/N}$, and at most $1/10$ from $N = m \ge 200\log(40K^2)$ on.""",
            ByHand(),
        ),
        Step(
            r"""After $m$ episodes that begin with arm 1 its state $0$ has $m$ visits. From then on, where arm 1 is
            played in state $0$, its index in state $1$ is larger still, so that it is played there if the episode
            goes on: of $4m$ more such episodes at least $m$ do, but for a probability of at most $e^{-m/2}$.""",
            ByHand(),
        ),
        FAILURES,
        ESTIMATES_APART,
        Step(
            "An episode that plays arm 2 from the beginning plays it to the end, and loses $1 - 4/5$:",
            Everywhere(),
            1 - Rational(2, 5) / (1 - Rational(1, 2)) >= e,
            over=ForAll(),
        ),
        Step(
            r"""With at most $5m$ other episodes, which lose nothing or more, $m \le 200\log(40K^2) + 1$ and $y =
            \log(40K^2)$:""",
            Solver(),
            Max(0, (1 - 1 / K) * (K - 5 * m) / 5) >= e * K - a * y - 2,
            over=ForAll(K >= 2, y >= 0, m >= 0, m <= 200 * y + 1),
        ),
        conclusion=ByHand(
            r"""But for the three exceptions no more than $5m$ episodes begin with arm 1, since after them its index in
            state $0$ is at most $2/5$, and that of arm 2 is more."""
        ),
    ),
    line=634,
    mutants=[{"next_state": "observed"}, {"e": "201/1000"}],
    nearest={"a": "down", "e": "up"},
)


def within_theorem_1(K: object, C: object, next_state: str) -> Answer:
    """Compare the lower bound of the linear regret with the right-hand side of Theorem 1."""
    episodes = int(rational(K).p)
    slope = SLOPE if next_state == "literal" else ZERO
    right = theorem_side(2, 2, episodes, fmpq(1, 2), 2) * rational(C)
    left = lower_bound(episodes, slope, LOGARITHMS)
    return answer(bool(left <= right), model=MODEL, K=episodes, regret_at_least=left, right_side=right)


chapter.implied(
    Property(
        "thm:regret_upper_bound/ucbvi/literal",
        within_theorem_1,
        domain=MODEL,
        says=r"""The bound of Theorem 1 for MB-UCBVI, where the next state in the formula of $\hat Q$ is [[next_state]].
        [[ours]] With $C'' = [[C]]$, at $K = [[K]]$. (Its lower bound is linear in $K$, so that no constant will do for
        all $K$.)""",
        reading=LITERAL,
        K=10**20,
        C="138.47",
        next_state="literal",
    ),
    line=377,
    verdict=Verdict.FAILS,
    severity=Severity.SLIP,
    cause="literal-next-state",
    mutants=[{"C": 10**5, "K": 10**30}],
    controls=[{"next_state": "observed"}],
)

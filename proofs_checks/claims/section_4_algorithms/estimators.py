"""The empirical estimates (Section 4, Section A.2): their means, the next state they count, and no visit yet."""

from __future__ import annotations

from flint import fmpq
from sympy import Abs, Eq, Max, Rational, log, sqrt  # type: ignore[import-untyped]

from proofs_checks.computations.small_estimates import (
    all_learners,
    drawn_arm,
    leaving,
    reward_errors_vanish,
    row_errors_vanish,
)
from proofs_checks.evidence import Algebra, Argument, ByHand, Cases, Everywhere, LeastAt, Step, Uses
from proofs_checks.ledger import Chapter, Severity, Verdict, survives
from proofs_checks.statements import Family, ForAll, Property, Relation
from proofs_checks.statements.symbols import K, S, beta, c, d, g, k, n, q, r, v, w, x
from theory import ONE, ZERO

chapter = Chapter()
LITERAL, OBSERVED = {"next state": "literal"}, {"next state": "observed"}

# -- means

chapter.withdrawn(
    "def:estimators/mean-reward",
    r"""The paper never says that the empirical mean $\hat r_{k-1}(x_a)$ has the expectation $r(x_a)$. (It need not: a
    learner that leaves an arm after a reward of $1$ makes it smaller.)""",
    line=630,
)

chapter.ours(
    Property(
        "def:estimators/mean-reward/repair",
        reward_errors_vanish,
        over=Family(
            "all learners, two arms of one state with Bernoulli rewards of any means, two episodes of one step",
            all_learners,
            complete=True,
        ),
        says=r"""$N_{k-1}(x_a)^{[[power]]}\,(\hat r_{k-1}(x_a) - r(x_a))$ has expectation $0$, whatever the learner does
        with what it saw.""",
        power=1,
    ),
    Everywhere(),
    line=630,
    mutants=[{"power": 0}, {"power": 2}],
)

# -- the next state of an episode's last step

chapter.implied(
    Property(
        "def:estimators/next-state",
        row_errors_vanish,
        over=Family("one arm that leaves its first state at once and for good; episodes begin there", leaving),
        domain=r"any model, any learner",
        says=r"""$\hat Q_{k-1}(x_a, \cdot)$ is the mean of draws from $Q(x_a, \cdot)$: given the lengths of the
        episodes, $N_{k-1}(x_a)\,(\hat Q_{k-1}(x_a, \cdot) - Q(x_a, \cdot))$ has expectation $0$, where the next state
        is [[next_state]] at the last step of an episode.""",
        reading=LITERAL,
        next_state="literal",
    ),
    line=717,
    verdict=Verdict.FAILS,
    severity=Severity.SLIP,
    cause="literal-next-state",
    controls=[{"next_state": "observed"}],
)

chapter.ours(
    Property(
        "def:estimators/next-state/repair",
        row_errors_vanish,
        over=Family("one arm, two episodes, exact", leaving, draw=drawn_arm),
        domain=r"any model, any learner",
        says=r"""The same where the next state is [[next_state]] at the last step of an episode: the state that the arm
        moved to.""",
        reading=OBSERVED,
        next_state="observed",
    ),
    Argument(
        Step(
            r"""Given the past, one activation in $x$ adds $1 - Q(x, y)$ with probability $q = Q(x, y)$, and $-Q(x, y)$
            otherwise: $0$ in the mean.""",
            Algebra(),
            Eq(q * (1 - q) + (1 - q) * (0 - q), 0, evaluate=False),
            over=ForAll(q >= 0, q <= 1),
        ),
        conclusion=ByHand(
            r"""$N(\hat Q(x, y) - Q(x, y))$ is the sum over the steps of $\mathbf{1}_{X_t = x}(\mathbf{1}_{\text{moved
            to } y} - Q(x, y))$, and expectations add."""
        ),
    ),
    line=633,
    repairs="def:estimators/next-state",
    mutants=[{"next_state": "literal"}],
)

# -- no visit yet

SIZES = ForAll(S >= 1, n >= 1, K >= 2, k >= 2, k <= K, beta >= 0, beta < 1)
LOG = log(K * (k - 1))
Y = 2 * S * n * K * (k - 1) * (LOG / (1 - beta))
L_EARLIER = sqrt(2 * log(Y))
UNSEEN = SIZES.where(r >= 0, r <= 1, v >= 0, v * (1 - beta) <= 1)
LEAST_SIZE = Rational(8, 3)


def log_at_least(value: Rational, least: int) -> Step:
    """Return the step that log(K(k-1)) is at least a value, where K(k-1) is at least an integer."""
    return Step("", LeastAt(x, least), log(x) >= value, over=ForAll(x >= least), at={x: K * (k - 1)})


def log_of_all(least: object) -> Step:
    """Return the step that log Y is at least 2, where Y is at least a number."""
    return Step("", LeastAt(x, least), log(x) >= 2, over=ForAll(x >= least), at={x: Y})


chapter.implied(
    Relation(
        "def:estimators/no-visit",
        UNSEEN,
        Abs(g - r) <= L_EARLIER / d,
        Abs(g - r - beta * v) <= L_EARLIER / (d * (1 - beta)),
        says=r"""Where $N_{k'}(x_a) = 0$ and $0/0$ is read as $0$, the bounds of $\mathcal{E}^r$ and $\mathcal{E}^V$
        hold for every mean $r$ and every row of $Q$, $v$ being its mean of $V^*$: $[[formula]]$.""",
        reading={"first episodes": "from 2", "no visit": "zero"},
        g=0,
        d=2,
    ),
    Cases(
        (K >= 4, Argument(log_at_least(Rational(4, 3), 4), log_of_all(8))),
        ([K <= 3, k >= 3], Argument(log_at_least(Rational(1), 3), log_of_all(8))),
        (
            [K <= 3, k <= 2, S * n >= LEAST_SIZE * (1 - beta)],
            Argument(log_at_least(Rational(6931, 10_000), 2), log_of_all(Rational(7393, 1000))),
        ),
    ),
    line=644,
    survives=survives(
        Max(K - 4, k - 3, S * n - LEAST_SIZE * (1 - beta)) >= 0,
        says=r"$K \ge 4$ or $k \ge 3$ or $\frac{Sn}{1-\beta} \ge \frac83$",
    ),
    severity=Severity.EDGE,
    cause="no-visit",
    witnesses=[
        {S: ONE, n: ONE, K: fmpq(3), k: fmpq(2), beta: ZERO, r: ONE, v: ONE},
        {S: ONE, n: ONE, K: fmpq(4), k: fmpq(2), beta: ZERO, r: ONE, v: ONE},
        {S: fmpq(4), n: fmpq(2), K: fmpq(2), k: fmpq(2), beta: fmpq(999, 1000), r: ONE, v: fmpq(1000)},
    ],
    nearest={"d": "up"},
)

chapter.ours(
    Relation(
        "def:estimators/no-visit/repair",
        SIZES.where(r >= 0, r <= 1, w * (1 - beta) <= 1, -w * (1 - beta) <= 1),
        Abs(g - r) <= L_EARLIER / d,
        Abs(g - r + beta * w) <= L_EARLIER / (d * (1 - beta)),
        says=r"""Where $N_{k'}(x_a) = 0$, with $\hat r = [[g]]$ and any probability row as $\hat Q(x_a, \cdot)$, the
        bounds of $\mathcal{E}^r$ and $\mathcal{E}^V$ hold for every mean $r$ and every row of $Q$, $w$ being the
        difference of the two means of $V^*$: $[[formula]]$.""",
        reading={"first episodes": "from 2"},
        g="1/2",
        d=2,
    ),
    Argument(Step("", Uses("conc:domain/least"))),
    line=644,
    repairs="def:estimators/no-visit",
    witnesses=[{S: ONE, n: ONE, K: fmpq(2), k: fmpq(2), beta: ZERO, r: ONE, w: ZERO}],
    nearest={"g": "down", "d": "up"},
)

chapter.implied(
    Relation(
        "def:estimators/no-visit-Q",
        SIZES,
        L_EARLIER + c * sqrt(S) >= d,
        says=r"""Where $N_{k'}(x_a) = 0$, the bound of $\mathcal{E}^Q$ holds for a row of zeros, at distance $1$ from
        every row, and for any probability row, at distance at most $[[d]]$: $[[formula]]$.""",
        reading={"first episodes": "from 2"},
        c="3/2",
        d=2,
    ),
    Argument(Step("", Uses("conc:domain/least"))),
    line=645,
    nearest={"c": "down", "d": "up"},
)

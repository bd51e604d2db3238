"""What the entries about the events of Section A.2 share, there and for the learners: formulas, readings, steps."""

from __future__ import annotations

from proofs_checks.claims.prelude import *
from proofs_checks.computations.deviation_cases import DeviationCase, Level
from proofs_checks.computations.deviation_families import Bound, leaves, reward_cases, row_cases, value_cases

FROM_2 = {"first episodes": "from 2"}
OBSERVED = {**FROM_2, "next state": "observed", "clock": "tau_k"}
FAIR = {**OBSERVED, "no visit": "any estimate"}
LITERAL = {**FROM_2, "next state": "literal", "clock": "tau_k"}
MAIN_TEXT = {"next state": "observed", "clock": "t_k"}

LEARNERS = (
    "any learner of Section 3, which may look at all that it has observed before it chooses the policy of an episode"
)
ANY_SIZES = rf"$S, n \ge 1$, $2 \le k \le K$, $1 \le k' \le k-1$, $0 \le \beta < 1$; {LEARNERS}"
FIRST_TOO = rf"$S, n \ge 1$, $1 \le k \le K$, $k' \le k-1$, $0 \le \beta < 1$; {LEARNERS}"
CASES = "exact cases, adaptive learners among them"
REWARDS, ROWS, VALUES = Family(CASES, reward_cases), Family(CASES, row_cases), Family(CASES, value_cases)

EPISODES = ForAll(K >= 2, k >= 2, k <= K, beta >= 0, beta < 1)
SIZES = ForAll(S >= 1, n >= 1, K >= 2, k >= 2, k <= K, beta >= 0, beta < 1)
FROM_3 = SIZES.where(K >= 3)
LOG = log(K * (k - 1))
BOUND = LOG / (1 - beta)
TAU = (k - 1) * BOUND
Y = 2 * S * n * K * TAU  # L_{k-1}^2 = 2 log Y

def leaving(
    claim_id: str,
    cases: Family,
    level: Level,
    bound: Bound,
    says: str,
    *more: DeviationCase,
    c: int = 1,
    **details: Any,
) -> Property:
    """Return that estimates leave their radius, s times that of a level, with at most c times a probability."""
    return Property(
        claim_id,
        lambda case, s, c: leaves(case, level, bound, s, c),
        over=Family(cases.says, lambda: chain(cases.members(), more)),
        says=says,
        **{"domain": ANY_SIZES, "reading": OBSERVED, **details},
        s=1,
        c=c,
    )

def deviation() -> sympy.Rel:
    """Return that Hoeffding's bound at s sqrt(log(y)/(2l)) is at most 2/y; y is 2SnK tau_k, or 2SnK t_k."""
    return 2 * exp(-2 * ell * (s * sqrt(log(y) / (2 * ell))) ** 2) <= 2 / y

def distance() -> sympy.Rel:
    """Return that Weissman's bound at s sqrt(2 log(2^S y)/l) is at most 1/y; y is SnK tau_k, or SnK t_k."""
    return 2**S * exp(-ell * (s * sqrt(2 * log(2**S * y) / ell)) ** 2 / 2) <= 1 / y

HOEFFDING = Step(
    r"At $\epsilon = \sqrt{\log(y)/(2\ell)}$ Hoeffding's bound $2e^{-2\ell\epsilon^2}$ is at most $2/y$.",
    Solver(),
    deviation(),
    over=ForAll(ell >= 1, y > 1),
)
WEISSMAN = Step(
    r"At $\epsilon = \sqrt{2\log(2^S y)/\ell}$ Weissman's bound $2^S e^{-\ell\epsilon^2/2}$ is at most $1/y$.",
    Solver(),
    distance(),
    over=ForAll(S >= 1, ell >= 1, 2 * y > 1),
)
PRE_DRAWN = Step("", Uses("conc:pre-drawn/union"))
MEAN_STEPS = Step(
    r"$\mathbb{E}[t_k - 1] = (k-1)\,\mathbb{E}[H] = \frac{k-1}{1-\beta}$.", Uses("eq:V-vs_R/moments", {N: 0, beta: 0})
)

def in_the_mean(each: sympy.Expr, claimed: sympy.Expr) -> Step:
    """Return the step that a union over arm states and steps of events of probability `each` is as claimed."""
    return Step(
        r"In the mean over the lengths, the union over $nS$ arm states and $\ell = 1, \ldots, t_k - 1$ is as claimed.",
        Solver(),
        n * S * (k - 1) / (1 - beta) * each <= claimed,
        over=SIZES,
    )

UNVISITED = Step(
    r"""An arm state that is not visited in the first $k' \ge 1$ episodes is one of $Sn \ge 2$; then, if
    $\mathcal{E}^H_{k-1}$ is possible, any estimate in $[0, 1]$ is within $L_{k-1}/2$.""",
    Uses("conc:domain/unvisited"),
)
UNVISITED_FROM_3 = Step(
    r"""For $K \ge 3$, an arm state that is not visited in the first $k' \ge 1$ episodes is one of $Sn \ge 2$, and any
    deviation of its estimates is within the radius, as $L_{k-1}^2 = 2\log(2SnK\tau_k) \ge 4$.""",
    Argument(log_at_least(1, 3), Step("", Uses("conc:domain/unvisited"))),
    log(Y) >= 2,
    over=FROM_3.where(S * n >= 2),
)
NOTHING_CLAIMED = Step("For $K = 2$ the bound is at least $1$.", Solver(), c / K >= 1, over=ForAll(K >= 2, K <= 2))
AT_MOST_HALF = Step(
    r"$\frac{1}{K\log(K(k-1))} \le 2/K$.",
    Argument(log_at_least(sympy.Rational(1, 2), 2)),
    c / K >= 1 / (K * LOG),
    over=ForAll(K >= 2, k >= 2, k <= K),
)

# -- the event of values

E_V = r"""that $|\hat r_{k'}(x_a) - r(x_a) + \beta\sum_y(\hat P^a_{k'}(x, y) - P^a(x, y))V^*(y)| \le [[*s]]
\frac{L_{k-1}}{2(1-\beta)\sqrt{\max\{1, N_{k'}(x_a)\}}}$ for all $x$, $a$ and $k' \le k-1$."""

IN_RANGE = Step(
    r"With a function $f$ from $0$ to $\frac{1}{1-\beta}$ one observation $R + \beta f(Y)$ is in that range too.",
    Uses("conc:V/range"),
)
ONE_OBSERVATION = (IN_RANGE, HOEFFDING)
S_FUNCTIONS = (Step("", Uses("conc:V/functions")), Step("", Uses("conc:V/deviation-of-mixture")))
COVERED = Step(
    r"Where $N = 0$, the estimate $1/2$ and any row deviate by at most $1/2 + \beta/(1-\beta)$, within the radius.",
    Argument(Step("", Uses("conc:domain/least"))),
    sympy.Rational(1, 2) + beta / (1 - beta) <= sqrt(2 * log(Y)) / (2 * (1 - beta)),
    over=SIZES,
)

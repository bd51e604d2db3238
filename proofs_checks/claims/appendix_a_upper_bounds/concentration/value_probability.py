"""Event E^V of Lemma `concentration`: where the printed 2/K is proved, with its radius as printed."""

from __future__ import annotations

from flint import fmpq
from sympy import Rational  # type: ignore[import-untyped]

from proofs_checks.claims.appendix_a_upper_bounds.concentration.steps import (
    ANY_SIZES,
    FAIR,
    FROM_3,
    LITERAL,
    LOG,
    NOTHING_CLAIMED,
    UNVISITED_FROM_3,
    VALUES,
    leaving,
    log_at_least,
)
from proofs_checks.claims.appendix_a_upper_bounds.concentration.value_steps import (
    CONSTANT_APART,
    E_V,
    FEW_STEPS,
)
from proofs_checks.computations.deviation_cases import of_means, restarted
from proofs_checks.computations.deviation_families import leaves, of_k, of_unplayed_arm
from proofs_checks.evidence import Argument, ByHand, Solver, Step, Uses
from proofs_checks.ledger import Chapter, Severity, Verdict
from proofs_checks.statements import Family, ForAll, Property
from proofs_checks.statements.symbols import K, S, beta, c, k, n, w, x

chapter = Chapter(under="lem:concentration")
HALF = Rational(1, 2)
FOR_ONE_ARM = Step("For $n = 1$, one function is enough.", Argument(log_at_least(1, 3)), c >= 1 / LOG, over=FROM_3)
REGION = r"""$n = 1$, or $S \le 3$, or $K = 2$, or $K(k-1) \ge e^{S/2}$, or
$\frac{k-1+\beta}{1-\beta} \le 2n\log(K(k-1))$, or $S e(1 + \Lambda\log(1 + 2\mu/\Lambda)) \le 2\tau_k$ with
$\Lambda = \log(2SnK\tau_k)$ and $\mu = \frac{k-1}{1-\beta}$"""

chapter.printed(
    leaving(
        "conc:V",
        VALUES,
        of_means,
        of_k,
        r"""$\mathbb{P}(\lnot\mathcal{E}^V_{k-1}) \le [[c]]/K$ (known in part: `conc:V/region`).
        $\mathcal{E}^V_{k-1}$ is"""
        + " "
        + E_V,
        of_unplayed_arm(),
        reading=FAIR,
        c=2,
    ),
    line=655,
    verdict=Verdict.UNDECIDED,
    severity=Severity.GAP,
    cause="union-over-global-states",
    mutants=[{"s": "1/8"}],
    nearest={"s": "down", "c": "down"},
)

chapter.ours(
    leaving(
        "conc:V/three-states",
        VALUES,
        of_means,
        of_k,
        r"For $S \le 3$ and any $n$, $\mathbb{P}(\lnot\mathcal{E}^V_{k-1}) \le [[c]]/K$. $\mathcal{E}^V_{k-1}$ is "
        + E_V,
        of_unplayed_arm(),
        domain=rf"$S \le 3$; {ANY_SIZES}",
        reading=FAIR,
        c=2,
    ),
    Argument(
        Step("", Uses("conc:V/repair-probability")),
        Step("", Uses("conc:V/few-steps")),
        Step("", Uses("conc:V/constant")),
        FOR_ONE_ARM,
        Step(
            r"For $S \le 2$, two functions are few enough.",
            Argument(log_at_least(1, 3)),
            c >= S / LOG,
            over=FROM_3.where(S <= 2),
        ),
        Step(
            r"For $S = 3$ and $K(k-1) \ge 5$, three are.",
            Argument(log_at_least(Rational(3, 2), 5)),
            c >= S / LOG,
            over=FROM_3.where(S <= 3, K * (k - 1) >= 5),
        ),
        Step(
            r"For $S = 3$, $K \in \{3, 4\}$, $k = 2$, $n \ge 2$ and $\beta \le 1/2$, there are few steps.",
            Argument(log_at_least(1, 3)),
            c >= FEW_STEPS,
            over=FROM_3.where(K <= 4, k <= 2, n >= 2, beta <= HALF),
        ),
        Step(
            r"For $\beta \ge 1/2$ the constant function hardly counts.",
            Argument(log_at_least(Rational(109, 100), 3)),
            c >= CONSTANT_APART,
            over=FROM_3.where(S <= 3, S >= 3, K <= 4, k <= 2, n >= 2, beta >= HALF),
        ),
        NOTHING_CLAIMED,
        UNVISITED_FROM_3,
        conclusion=ByHand(
            r"""These are all cases with $S \le 3$: $K(k-1) < 5$ leaves $(K, k) = (3, 2)$ and $(4, 2)$. For $K \ge
            3$ the estimates with $N = 0$ are within the radius, and the others leave it with probability at most
            one of the three bounds."""
        ),
    ),
    line=655,
    repairs=("conc:V", "conc:V/union"),
    nearest={"s": "down", "c": "down"},
)

chapter.ours(
    leaving(
        "conc:V/region",
        VALUES,
        of_means,
        of_k,
        r"$\mathbb{P}(\lnot\mathcal{E}^V_{k-1}) \le [[c]]/K$ for " + REGION + r". $\mathcal{E}^V_{k-1}$ is " + E_V,
        of_unplayed_arm(),
        domain=rf"{REGION}; {ANY_SIZES}",
        reading=FAIR,
        c=2,
    ),
    Argument(
        Step("", Uses("conc:V/three-states")),
        Step("", Uses("conc:V/repair-probability")),
        Step("", Uses("conc:V/few-steps")),
        Step("", Uses("conc:V/long-episodes")),
        FOR_ONE_ARM,
        Step(r"For $K(k-1) \ge e^{S/2}$, $S$ are.", Solver(), c >= S / LOG, over=FROM_3.where(2 * LOG >= S)),
        Step(
            "There are few steps.",
            Argument(log_at_least(1, 3)),
            c >= FEW_STEPS,
            over=FROM_3.where((k - 1 + beta) / (1 - beta) <= 2 * n * LOG),
        ),
        Step(
            r"Episodes are long, with $w = S e(1 + \Lambda\log(1 + 2\mu/\Lambda)) \le 2x$ and $x = \tau_k$.",
            Solver(),
            c >= w / x,
            over=ForAll(x > 0, w <= 2 * x),
        ),
        NOTHING_CLAIMED,
        UNVISITED_FROM_3,
        conclusion=ByHand(
            r"""For $K \ge 3$ the estimates with $N = 0$ are within the radius, and the others leave it with
            probability at most one of these bounds."""
        ),
    ),
    line=655,
    repairs=("conc:V", "conc:V/union"),
    nearest={"s": "down", "c": "down"},
)

chapter.printed(
    Property(
        "conc:V/literal",
        lambda at, next_state, c: leaves(restarted(*at, next_state, values=True), of_means, of_k, 1, c),
        over=Family("one arm of two states that moves to the second for good", lambda: iter([(600, fmpq(1, 3))])),
        domain=ANY_SIZES,
        says=r"""$\mathbb{P}(\lnot\mathcal{E}^V_{k-1}) \le [[c]]/K$, where the rows of $\hat P$ are those of the
        formula of $\hat Q$ with the next state taken as [[next_state]].""",
        reading=LITERAL,
        next_state="literal",
        c=2,
    ),
    line=655,
    verdict=Verdict.FAILS,
    severity=Severity.SLIP,
    cause="literal-next-state",
    mutants=[{"c": 500}],
    controls=[{"next_state": "observed"}],
)

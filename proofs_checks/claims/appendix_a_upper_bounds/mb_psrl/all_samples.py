r"""Lemma `concentration_psrl` for all samples at once, as printed: for few episodes, or with a larger L (Section A.3).

The union over k-1 samples costs a factor of sqrt(k) and not of k: M, which is drawn once, is given a smaller share of
the distance between M and M_{k'+1} than the samples are.
"""

from __future__ import annotations

from itertools import chain

import sympy  # type: ignore[import-untyped]
from sympy import Rational, Sum, log, sqrt

from proofs_checks.claims.appendix_a_upper_bounds.concentration.steps import (
    EPISODES,
    HOEFFDING,
    LOG,
    MEAN_STEPS,
    PRE_DRAWN,
    SIZES,
    TAU,
    WEISSMAN,
    Y,
    in_the_mean,
    log_at_least,
)
from proofs_checks.claims.appendix_a_upper_bounds.mb_psrl.event import (
    CASES,
    CLOSE,
    LONG,
    PRIORS,
    RADIUS,
    READING,
    SHORT,
    UNVISITED,
    Instance,
    fails_at_most,
)
from proofs_checks.computations.posterior_cases import ALL, cases_with_all_samples
from proofs_checks.evidence import Algebra, Argument, ByHand, Everywhere, LeastAt, Solver, Step, Uses
from proofs_checks.ledger import Chapter
from proofs_checks.statements import Answer, Family, ForAll, Property
from proofs_checks.statements.symbols import K, S, beta, c, j, k, m, n, p, q, s, u, w, z

chapter = Chapter(under="lem:concentration_psrl")


def at_all(instance: Instance, s: object, c: object) -> Answer:
    """Look at all samples."""
    return fails_at_most(instance, s, c, ALL)


# -- few episodes

ROWS = Rational(13, 20)
"""Rows leave their radius with at most this share of half the probability with which means do."""
BOTH = 1 + ROWS / 2
SHARES = (
    Step(
        r"With $w = \sqrt{k/2}$, $1 \le w < 2SnK\tau_k$:",
        Argument(log_at_least(Rational(69, 100), 2)),
        sqrt(k / 2) >= 1,
        sqrt(k / 2) < Y,
        over=SIZES,
    ),
    Step(
        r"""The radii of $M$ and of the samples, with $L^2 = 2(p - q)$ and $L^2 = 2(p + q)$ in place of $L_{k-1}^2 =
        2p$, where $p = \log(2SnK\tau_k)$ and $q = \log w$, are together at most the distance that is allowed:""",
        Solver(),
        sqrt(2 * (p - q)) / 2 + sqrt(2 * (p + q)) / 2 <= s * sqrt(2 * p),
        sqrt(2 * (p - q)) + sqrt(2 * (p + q)) + 3 * sqrt(S) <= s * (2 * sqrt(2 * p) + 3 * sqrt(S)),
        over=ForAll(S >= 1, p >= 0, q >= 0, q <= p),
    ),
    HOEFFDING,
    WEISSMAN,
    Step(
        r"""The radius of a row with $L^2 = 2\log u$ is at least Weissman's at $y = \frac{20}{13}u$, where rows leave it
        with probability at most $\frac{13}{20u}$; means leave theirs with at most $2/u$.""",
        Argument(
            Step(
                "",
                Algebra(sympy.expand_log),
                sympy.Eq(log(2**S * u / ROWS), log(u) + S * log(2) + log(1 / ROWS), evaluate=False),
                over=ForAll(S >= 1, u >= 1),
            ),
            Step("", Everywhere(), sympy.Le(log(2), Rational(69315, 10**5), evaluate=False), over=ForAll()),
            Step("", Everywhere(), sympy.Le(log(1 / ROWS), Rational(4308, 10**4), evaluate=False), over=ForAll()),
        ),
        sqrt(2 * log(2**S * u / ROWS)) <= sqrt(2 * log(u)) + Rational(3, 2) * sqrt(S),
        over=ForAll(S >= 1, u >= 1),
    ),
    PRE_DRAWN,
    MEAN_STEPS,
    Step(
        r"""In the mean over the lengths, $M$ leaves its radii, over $nS$ arm states and $\ell \le t_k - 1$, with at
        most $\frac{w}{K\log(K(k-1))}$ for means and $\frac{13}{40}$ of it for rows;""",
        Solver(),
        n * S * (k - 1) / (1 - beta) * (2 * w / Y) <= w / (K * LOG),
        n * S * (k - 1) / (1 - beta) * (ROWS * w / Y) <= ROWS / 2 * w / (K * LOG),
        over=SIZES.where(w >= 1),
    ),
    Step(
        r"""$M_{k'+1}$, with $k' = j$, over $\ell \le t_{k'+1} - 1$, with at most $\frac{j}{(k-1)wK\log(K(k-1))}$ and
        so on;""",
        Solver(),
        n * S * j / (1 - beta) * (2 / (Y * w)) <= j / ((k - 1) * w * K * LOG),
        n * S * j / (1 - beta) * (ROWS / (Y * w)) <= ROWS / 2 * j / ((k - 1) * w * K * LOG),
        over=SIZES.where(w >= 1, j >= 1, j <= k - 1),
    ),
    Step("and these add up by", LeastAt(m, 1, steps=True), Sum(j, (j, 1, m)) <= m * (m + 1) / 2, over=ForAll(m >= 1)),
    Step(
        r"""With this $w$, $z = \log(K(k-1))$ and $2/K$ for long episodes, all is as claimed:""",
        Solver(),
        2 / K + BOTH * (sqrt(k / 2) + k / (2 * sqrt(k / 2))) / (K * z) <= c / K,
        over=ForAll(K >= 2, k >= 2, z > 0, BOTH * sqrt(2 * k) <= 7 * z),
    ),
)

chapter.ours(
    Property(
        "lem:concentration_psrl/few-episodes",
        at_all,
        over=Family(CASES, lambda: chain(LONG, cases_with_all_samples())),
        domain=rf"$1.325\sqrt{{2k}} \le 7\log(K(k-1))$, as for $k = K = 3000$; {PRIORS}",
        says=rf"""The lemma as printed, for few episodes: with probability at least $1 - [[c]]/K$, {CLOSE}, for all $k'
        \le k-1$, and {SHORT}.""",
        reading=READING,
        s=1,
        c=9,
    ),
    Argument(
        Step("", Uses("cited:hoeffding")),
        Step("", Uses("cited:weissman")),
        Step("", Uses("lem:concentration_psrl/equality/repair")),
        Step("", Uses("conc:H/repair-factor")),
        UNVISITED,
        *SHARES,
        Step(
            "So it is for 3000 episodes:",
            Everywhere(),
            sympy.Le(BOTH * sqrt(6000), 7 * log(3000 * 2999), evaluate=False),
            over=ForAll(),
        ),
        conclusion=ByHand(
            r"""If $M$ stays within its radii of the estimates at all $k'$ and each $M_{k'+1}$ within its own at $k'$,
            the models are as near as claimed. What $M$ does is one union over $\ell = N_{k'}(x_a)$; the deviations of
            $M_{k'+1}$ have at $k'$ the law of those of $M$, for any radius, and are summed over $k'$."""
        ),
    ),
    line=872,
    nearest={"s": "down", "c": "down"},
)

# -- with K times smaller probabilities

ONE_OF_ALL = ByHand(
    r"""Given $M$, its means and rows leave their radii with probability at most $x = \frac{1}{K^2\log(K(k-1))}$ each,
    for some $k'$ with $N \ge 1$; so do those of $M_{k'+1}$ for each $k'$ alone, since their deviations have the same
    law, for any radius. The union over the two kinds, $M$ and $k-1$ samples, with that over long episodes, is as
    claimed."""
)
MORE = 2 * S * n * K**2 * TAU

chapter.ours(
    Property(
        "lem:concentration_psrl/all-samples",
        at_all,
        over=Family(CASES, lambda: chain(LONG, cases_with_all_samples(power=2))),
        domain=PRIORS,
        says=rf"""With $2SnK^2\tau_k$ in place of $2SnK\tau_k$ in $L_{{k-1}}$: with probability at least $1 - [[c]]/K$,
        {CLOSE}, for all $k' \le k-1$, and {SHORT}.""",
        reading=READING,
        s=1,
        c=4,
    ),
    Argument(
        Step("", Uses("cited:hoeffding")),
        HOEFFDING,
        Step("", Uses("cited:weissman")),
        WEISSMAN,
        Step("", Uses("conc:Q/split")),
        PRE_DRAWN,
        MEAN_STEPS,
        in_the_mean(2 / MORE, 1 / (K**2 * LOG)),
        Step("", Uses("lem:concentration_psrl/equality/repair")),
        Step("", Uses("conc:H/repair-factor")),
        RADIUS,
        UNVISITED,
        Step(
            r"The sum of $2/K$ and of $2k$ times $\frac{1}{K^2\log(K(k-1))}$ is as claimed, from $K = 3$ on:",
            Argument(log_at_least(Rational(109, 100), 3)),
            2 / K + 2 * k / (K**2 * LOG) <= c / K,
            over=EPISODES.where(K >= 3),
        ),
        Step("For $K = 2$ the bound is at least $1$:", Solver(), c / K >= 1, over=ForAll(K >= 2, K <= 2)),
        conclusion=ONE_OF_ALL,
    ),
    line=872,
    repairs="lem:concentration_psrl",
    nearest={"s": "down", "c": "down"},
)

r"""MB-UCRL2: the event of Lemma `concentration_ucrl`, and the radii of the plausible set (Section A.4).

The lemma is true for all 2 <= k <= K, although one of the three bounds that its proof adds up is not: the events on the
estimates fail with probability at most 1/(K log(K(k-1))) each, which leaves room for the floor in E^H.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flint import fmpq
from sympy import Max, Rational, log  # type: ignore[import-untyped]

from proofs_checks.claims.appendix_a_upper_bounds.concentration.lemma import (
    LONG_EPISODES,
    Estimates,
    Lengths,
    long_episode,
)
from proofs_checks.claims.appendix_a_upper_bounds.concentration.observations import is_determined
from proofs_checks.claims.appendix_a_upper_bounds.concentration.steps import (
    ANY_SIZES,
    BOUND,
    CASES,
    EPISODES,
    FAIR,
    LOG,
    TAU,
    UNVISITED_FROM_3,
    log_at_least,
)
from proofs_checks.claims.appendix_a_upper_bounds.horizons import some_longer, within_one
from proofs_checks.computations.deviation_cases import DeviationCase, of_means, of_rows
from proofs_checks.computations.deviation_families import leaves, of_k, of_unplayed_arm, reward_cases, row_cases
from proofs_checks.evidence import Argument, ByHand, Cases, Enclosures, Everywhere, Evidence, Solver, Step, Uses
from proofs_checks.ledger import Chapter, Severity, Verdict, survives
from proofs_checks.statements import Answer, Family, ForAll, Property, Relation
from proofs_checks.statements.symbols import K, S, a, beta, c, e, h, k, n, p, q
from theory import ONE, ZERO, rational

chapter = Chapter(under="lem:concentration_ucrl")

# -- its probability


def parts() -> Iterator[Lengths | Estimates]:
    """Yield cases in which one of the three parts of the event fails."""
    yield from ((2, 2, ZERO), *LONG_EPISODES)
    yield of_unplayed_arm(), of_means, of_k
    for cases, level in ((reward_cases(), of_means), (row_cases(), of_rows)):
        yield from ((case, level, of_k) for case in cases)


def part_within(instance: Lengths | Estimates, c: object) -> Answer:
    """Hold the exact probability that one part fails, which the event's is at least, to c/K."""
    if isinstance(instance[0], DeviationCase):
        case, level, bound = instance
        return leaves(case, level, bound, 1, c)
    return long_episode(instance, rational(c))


def probability(claim_id: str, constant: int, **details: Any) -> Property:
    """Return that the event fails with probability at most constant/K."""
    return Property(
        claim_id,
        part_within,
        over=Family(CASES, parts),
        domain=ANY_SIZES,
        says=r"""$\mathbb{P}(\lnot\mathcal{E}^{\text{UCRL2}}_{k-1}) \le [[c]]/K$, where the event is that, for all
        $k' \le k-1$ and $x_a$, $|\hat r_{k'}(x_a) - r(x_a)| \le \frac{L_{k-1}}{2\sqrt{\max\{1, N_{k'}(x_a)\}}}$,
        $\lVert\hat Q_{k'}(x_a, \cdot) - Q(x_a, \cdot)\rVert_1 \le \frac{L_{k-1} + 1.5\sqrt S}{\sqrt{\max\{1,
        N_{k'}(x_a)\}}}$ and $H_{k'} \le \frac{\log(K(k-1))}{1-\beta}$.""",
        reading=FAIR,
        c=constant,
    )


def by_union(nothing: ForAll, summed: Evidence, over: ForAll) -> Argument:
    """Return the union bound, which need not be below 1 for the fewest episodes."""
    return Argument(
        Step("For the fewest episodes the bound is at least $1$.", Solver(), c / K >= 1, over=nothing),
        Step("", Uses("conc:r/repair")),
        UNVISITED_FROM_3,
        Step("", Uses("conc:Q/repair")),
        Step(
            "Where $N = 0$, the radius of a row is at least the largest distance of two rows:",
            Uses("def:estimators/no-visit-Q"),
        ),
        Step(
            r"""The probability that one of the first $k-1$ lengths is above its bound, and twice
            $\frac{1}{K\log(K(k-1))}$, are together at most what is claimed.""",
            summed,
            some_longer(BOUND) + 2 / (K * LOG) <= c / K,
            over=over,
        ),
        conclusion=ByHand(
            r"""$\lnot\mathcal{E}^{\text{UCRL2}}_{k-1}$ is the union of $\lnot\mathcal{E}^r_{k-1}$,
            $\lnot\mathcal{E}^Q_{k-1}$ and $\lnot\mathcal{E}^H_{k-1}$, and its probability is at most the sum of
            theirs."""
        ),
    )


chapter.printed(
    probability("lem:concentration_ucrl", 5),
    by_union(
        ForAll(K >= 2, K <= 2),
        Argument(log_at_least(Rational(2, 3), 2), Step("", Uses("conc:H/repair-factor"))),
        EPISODES,
    ),
    line=967,
    under="",
    nearest={"c": "down"},
)

chapter.printed(
    Relation(
        "lem:concentration_ucrl/union",
        ForAll(K >= 1, h >= 0, p >= 0, q >= 0, K * h <= 1, K * p <= 2, K * q <= 2),
        h + p + q <= c / K,
        says=r"""The complement is the union of three, of probabilities $h \le 1/K$ and $p, q \le 2/K$ in Lemma
        `concentration`, and so of probability at most $[[formula]]$. (The first of these bounds holds for $k \ge 3$ or
        $K \ge 8$ only; the lemma does not need it.)""",
        c=5,
    ),
    Solver(),
    line=976,
    witnesses=[{K: ONE, h: ONE, p: 2 * ONE, q: 2 * ONE}],
    nearest={"c": "down"},
)

chapter.ours(
    probability("lem:concentration_ucrl/sharper", 3),
    by_union(
        ForAll(K >= 2, K <= 3),
        Cases(
            (Max(K - 8, k - 3) >= 0, Argument(log_at_least(2, 8), Step("", Uses("conc:H")))),
            ([K <= 7, k <= 2, beta <= Rational(2, 3)], Enclosures(boxes=1000)),
            (
                [K <= 7, k <= 2, beta >= Rational(2, 3)],
                Argument(
                    log_at_least(Rational(4, 3), 4), Step("", Uses("conc:H/union", {e: BOUND})), *within_one(BOUND)
                ),
            ),
        ),
        EPISODES.where(K >= 4),
    ),
    line=967,
    nearest={"c": "down"},
)

chapter.printed(
    Property(
        "lem:concentration_ucrl/measurable",
        is_determined,
        domain="one arm of one state, two episodes, rewards always $0$: the event is $\\mathcal{E}^H_{k-1}$ then",
        says=r"""$\mathcal{E}^{\text{UCRL2}}_{k-1}$ is determined by $\mathcal{O}_{k-1}$, with states, arms and rewards
        of all steps $t < t_k$ in it, and [[also]]. [[ours]] Here for $K = k = 3$ and $\beta = [[beta]]$.""",
        also="nothing else",
        lengths=((2, 2), (1, 3)),
        beta="1/5",
    ),
    Everywhere(),
    line=973,
    verdict=Verdict.FAILS,
    severity=Severity.SLIP,
    cause="observations",
    mutants={"episodes (2, 3) and (1, 4), beta = 1/2": {"lengths": ((2, 3), (1, 4)), "beta": "1/2"}},
    controls=[{"also": "the lengths of the episodes"}],
)

# -- the radii of the plausible set

chapter.printed(
    Relation(
        "eq:plausible/radii",
        ForAll(S >= 1, n >= 1, K >= 1, k >= 1, k <= K, beta >= 0, beta < 1),
        log(2 * S * n * K * TAU) > a,
        says=r"""The radii of the plausible set $\mathbb{M}_k$, $\frac{L_{k-1}}{2\sqrt N}$ and
        $\frac{L_{k-1} + 1.5\sqrt S}{\sqrt N}$ with $N = \max\{1, N_{k-1}(x_a)\}$, are positive numbers:
        $\frac12 L_{k-1}^2 = [[formula]]$.""",
        a=0,
    ),
    Argument(Step("", Uses("conc:domain/least"))),
    line=987,
    under="thm:regret_upper_bound",
    survives=survives(k >= 2),
    severity=Severity.EDGE,
    cause="log-of-zero",
    nearest={"a": "up"},
)

chapter.ours(
    Relation(
        "eq:plausible/radii/repair",
        ForAll(K >= 2, beta >= 0, beta < 1, p >= 0, p <= 5 / K),
        1 / (1 - beta) + (K - 1) * p / (1 - beta) <= c / (1 - beta),
        says=r"""The first episode, in which the radii are not defined, costs at most $\mathbb{E}[H_1]$ whatever is
        played; and each of the others costs at most $\mathbb{E}[H_k]\,p$ where its event fails, with probability
        $p \le 5/K$ at most. From this: $[[formula]]$ (The paper has $5/(1-\beta)$; with $p \le 3/K$ that is
        right too: `eq:proof_UCRL2_regret/repair`.)""",
        c=6,
    ),
    Argument(Step("", Uses("lem:concentration_ucrl")), Step("", Uses("eq:gap_overview"))),
    line=999,
    under="thm:regret_upper_bound",
    repairs="eq:plausible/radii",
    witnesses=[{K: fmpq(10**6), beta: ZERO, p: fmpq(5, 10**6)}],
    nearest={"c": "down"},
)

"""Lemma `concentration_ucbvi`: the event of MB-UCBVI is the intersection of the four of Lemma `concentration` (A.5).

How likely it is as printed is known in part, as for the event E^V that is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, TypeAlias

from flint import arb
from sympy import Rational  # type: ignore[import-untyped]

from proofs_checks.claims.appendix_a_upper_bounds.concentration.lemma import (
    LONG_EPISODES,
    Estimates,
    Lengths,
)
from proofs_checks.claims.appendix_a_upper_bounds.concentration.observations import is_determined
from proofs_checks.claims.appendix_a_upper_bounds.concentration.steps import (
    ANY_SIZES,
    CASES,
    EPISODES,
    FAIR,
    FROM_3,
    LOG,
    NOTHING_CLAIMED,
    OBSERVED,
    SIZES,
    UNVISITED_FROM_3,
    log_at_least,
)
from proofs_checks.claims.appendix_a_upper_bounds.concentration.value_probability import REGION
from proofs_checks.computations.comparisons import whole
from proofs_checks.computations.deviation_cases import DeviationCase, of_means, of_rows
from proofs_checks.computations.deviation_families import (
    of_k,
    reward_cases,
    row_cases,
    value_cases,
)
from proofs_checks.evidence import Argument, ByHand, Everywhere, Solver, Step, Uses
from proofs_checks.ledger import Chapter, Severity, Verdict
from proofs_checks.statements import Answer, Family, ForAll, Property, Relation, answer
from proofs_checks.statements.symbols import K, c, h, p, q, v
from theory import ONE, ZERO, rational
from theory.certified import at_most, enclosure, horizon_tail
from theory.paper import horizon_bound

chapter = Chapter(under="lem:concentration_ucbvi")
Bound: TypeAlias = "Callable[[int, int, int], arb]"
"""A probability in K, k and the number F of functions that E^V is about."""
SHORTEST: Lengths = (2, 2, ZERO)
"""K, k and a discount for which E^H allows no length at all: log 2 < 1."""


def parts() -> Iterator[Lengths | Estimates]:
    """Yield cases of lengths, and of each kind of estimate: if a part of the event fails, it does."""
    yield SHORTEST
    yield from LONG_EPISODES
    for cases, level in ((reward_cases(), of_means), (row_cases(), of_rows), (value_cases(), of_means)):
        yield from ((case, level, of_k) for case in cases)


def part_within(instance: Lengths | Estimates, s: object, bound: Bound, least: int = 0) -> Answer:
    """Hold the probability that one part fails to a bound in K, k and F; lengths may be at least least/(1-beta)."""
    if isinstance(instance[0], DeviationCase):
        case, level, _ = instance
        cell = case.cell
        return case.within(level, lambda: bound(cell.K, cell.k, 1 if cell.n == 1 else cell.S), s)
    episodes, number, beta = instance
    longest = max(whole(horizon_bound(*instance)), int((least / (1 - beta)).floor()))
    found, claimed = horizon_tail(longest + 1, beta, number - 1), partial(bound, episodes, number, 1)
    truth = at_most(lambda: arb(found), claimed)
    return answer(truth, K_k_beta=instance, probability=found, bound=enclosure(claimed))


def one_part(instance: Lengths | Estimates, s: object, c: object) -> Answer:
    """Hold the probability that one part of the event fails to c/K; the radii of estimates are s times the printed."""
    return part_within(instance, s, lambda K, k, F: arb(rational(c)) / K)


def _one_arm(instance: Lengths | Estimates) -> bool:
    return not isinstance(instance[0], DeviationCase) or instance[0].cell.n == 1


PARTS = Family(f"a part of the event in {CASES}", parts)
ON_ESTIMATES = r"""for all $a$, $x$ and $k' \le k-1$, with $N = \max\{1, N_{k'}(x_a)\}$, $|\hat r_{k'}(x_a) - r(x_a)|
\le [[*s]]\frac{L_{k-1}}{2\sqrt N}$, $\lVert\hat Q_{k'}(x_a, \cdot) - Q(x_a, \cdot)\rVert_1 \le
[[*s]]\frac{L_{k-1} + 1.5\sqrt S}{\sqrt N}$, $|\hat r_{k'}(x_a) - r(x_a) + \beta\sum_y(\hat P^a_{k'}(x, y) - P^a(x,
y))V_M^{\pi_*}(y)| \le [[*s]]\frac{L_{k-1}}{2(1-\beta)\sqrt N}$"""
THE_EVENT = rf"the event that {ON_ESTIMATES} and $H_{{k'}} \le \frac{{\log(K(k-1))}}{{1-\beta}}$,"


def the_event(claim_id: str, says: str, **details: Any) -> Property:
    """Return that the event of MB-UCBVI fails with probability at most c/K."""
    return Property(
        claim_id, one_part, over=PARTS, says=says, **{"domain": ANY_SIZES, "reading": FAIR, **details}, s=1, c=7
    )


chapter.printed(
    the_event(
        "lem:concentration_ucbvi",
        r"""$\mathcal{E}^{UCBVI}_{k-1}$, """
        + THE_EVENT
        + r""" has probability at least $1 - [[c]]/K$ (known in part: `lem:concentration_ucbvi/region`).""",
    ),
    line=1035,
    under="",
    verdict=Verdict.UNDECIDED,
    severity=Severity.GAP,
    cause="union-over-global-states",
    mutants=[{"s": "1/8"}],
    nearest={"c": "down"},
)

chapter.printed(
    Relation(
        "lem:concentration_ucbvi/union",
        ForAll(K >= 1, h >= 0, p >= 0, q >= 0, v >= 0, K * h <= 1, K * p <= 2, K * q <= 2, K * v <= 2),
        h + p + q + v <= c / K,
        says=r"""The complement is the union of four, of probabilities $h \le 1/K$ and $p, q, v \le 2/K$ in Lemma
        `concentration`, and so of probability at most $[[formula]]$.""",
        c=7,
    ),
    Solver(),
    line=1039,
    witnesses=[{K: ONE, h: ONE, p: 2 * ONE, q: 2 * ONE, v: 2 * ONE}],
    nearest={"c": "down"},
)

PARTS_ESTIMATED = (
    Step("", Uses("conc:H/repair-factor", over=EPISODES)),
    Step("", Uses("conc:r/repair", same={"s": "s"})),
    Step("", Uses("conc:Q/repair", same={"s": "s"})),
)
UNVISITED_ROWS = Step(
    r"Where $N = 0$, the radius of $\mathcal{E}^Q_{k-1}$ is at least the largest distance of two rows:",
    Uses("def:estimators/no-visit-Q"),
)
UNVISITED = (UNVISITED_FROM_3, UNVISITED_ROWS)
UNION = ByHand(
    r"""The complement is the union of the complements of the four events. For $K \ge 3$ estimates with $N = 0$ are
    within the radii, so that $\mathcal{E}^r$ and $\mathcal{E}^Q$ fail with the probability of those with $N \ge
    1$."""
)

chapter.ours(
    the_event(
        "lem:concentration_ucbvi/region",
        r"""$\mathcal{E}^{UCBVI}_{k-1}$, """
        + THE_EVENT
        + r""" has probability at least $1 - [[c]]/K$ for """
        + REGION
        + ".",
        domain=rf"{REGION}; {ANY_SIZES}",
    ),
    Argument(
        *PARTS_ESTIMATED,
        Step("", Uses("conc:V/region", same={"s": "s"})),
        Step(
            "The four probabilities add up:",
            Argument(log_at_least(1, 3)),
            c / K >= 2 / K + 1 / (K * LOG) + 1 / (K * LOG) + 2 / K,
            over=FROM_3,
        ),
        NOTHING_CLAIMED,
        *UNVISITED,
        conclusion=UNION,
    ),
    line=1035,
    repairs="lem:concentration_ucbvi",
    mutants=[{"s": "1/8"}],
    nearest={"c": "down"},
)

chapter.ours(
    Property(
        "lem:concentration_ucbvi/sharper",
        one_part,
        over=Family(f"a part of the event in {CASES}, one arm", lambda: (each for each in parts() if _one_arm(each))),
        domain=rf"$n = 1$; {ANY_SIZES}",
        says=r"""For one arm $\mathcal{E}^{UCBVI}_{k-1}$, """
        + THE_EVENT
        + r""" has probability at least $1 - [[c]]/K$.""",
        reading=FAIR,
        s=1,
        c=4,
    ),
    Argument(
        *PARTS_ESTIMATED,
        Step("", Uses("conc:V/repair-probability", same={"s": "s"})),
        Step("For the fewest episodes the bound is at least $1$.", Solver(), c / K >= 1, over=ForAll(K >= 2, K <= 4)),
        Step(
            "The four probabilities add up, as $F = 1$:",
            Argument(log_at_least(Rational(8, 5), 5)),
            c / K >= 2 / K + 3 / (K * LOG),
            over=FROM_3.where(K >= 5),
        ),
        *UNVISITED,
        conclusion=UNION,
    ),
    line=1035,
    mutants=[{"s": "1/8"}],
    nearest={"c": "down"},
)

chapter.printed(
    Property(
        "lem:concentration_ucbvi/measurable",
        is_determined,
        domain="one arm of one state, two episodes, rewards always $0$: the event is $\\mathcal{E}^H_{k-1}$ then",
        says=r"""$\mathcal{E}^{UCBVI}_{k-1}$ is determined by $\mathcal{O}_{k-1}$, with states, arms and rewards of all
        steps $t < t_k$ in it, and [[also]]. [[ours]] Here for $K = k = 3$ and $\beta = [[beta]]$.""",
        also="nothing else",
        lengths=((2, 2), (1, 3)),
        beta="1/5",
    ),
    Everywhere(),
    line=1035,
    verdict=Verdict.FAILS,
    severity=Severity.SLIP,
    cause="observations",
    mutants={"episodes (2, 3) and (1, 4), beta = 1/2": {"lengths": ((2, 3), (1, 4)), "beta": "1/2"}},
    controls=[{"also": "the lengths of the episodes"}],
)


def with_logarithm(instance: Lengths | Estimates, s: object, c: object) -> Answer:
    """Hold the probability that one part fails to c (1 + (F + 2)/log(K(k-1)))/K, with lengths up to max{2, log}."""
    return part_within(
        instance, s, lambda K, k, F: arb(rational(c)) / K * (1 + (F + 2) / arb(K * (k - 1)).log()), least=2
    )


chapter.ours(
    Property(
        "lem:concentration_ucbvi/repair",
        with_logarithm,
        over=PARTS,
        domain=ANY_SIZES,
        says=r"""With $\hat r = 1/2$ and a probability row where $N_{k'}(x_a) = 0$, the event that """
        + ON_ESTIMATES
        + r""" and $H_{k'} \le \frac{\max\{2, \log(K(k-1))\}}{1-\beta}$ has probability at least $1 -
        [[*c]]\frac{1}{K}\Big(1 + \frac{F + 2}{\log(K(k-1))}\Big)$, where $F = 1$ for $n = 1$ or $S = 1$ and $F = S$
        otherwise.""",
        reading=OBSERVED,
        s=1,
        c=1,
    ),
    Argument(
        Step("", Uses("conc:H/repair", over=EPISODES)),
        Step("", Uses("conc:r/repair", same={"s": "s"})),
        Step("", Uses("conc:Q/repair", same={"s": "s"})),
        Step("", Uses("conc:V/repair-probability", same={"s": "s"})),
        Step(
            "The four probabilities add up, with $v$ in place of $F$:",
            Argument(log_at_least(Rational(1, 2), 2)),
            1 / K + 2 / (K * LOG) + v / (K * LOG) <= c / K * (1 + (v + 2) / LOG),
            over=SIZES.where(v >= 1),
        ),
        UNVISITED_ROWS,
        conclusion=ByHand("The complement is the union of the complements of the four events."),
    ),
    line=1035,
    repairs="lem:concentration_ucbvi",
    mutants=[{"s": "1/8"}],
    nearest={"c": "down"},
)

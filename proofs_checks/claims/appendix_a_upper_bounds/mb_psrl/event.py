r"""Lemma `concentration_psrl`: how likely M_k and M are close (Section A.3).

The printed event asks it of all samples M_2, ..., M_k. For each of them alone it is as likely as the printed proof
says; that all k-1 are close with probability 1 - 9/K is neither proved nor refuted. The regret needs M_k alone.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import TypeAlias

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq
from sympy import Rational, log, sqrt

from proofs_checks.claims.appendix_a_upper_bounds.concentration.lemma import LONG_EPISODES, Lengths, long_episode
from proofs_checks.claims.appendix_a_upper_bounds.concentration.steps import (
    EPISODES,
    LOG,
    OBSERVED,
    SIZES,
    TAU,
    log_at_least,
)
from proofs_checks.claims.appendix_a_upper_bounds.mb_psrl.printed_route import HALVES
from proofs_checks.computations.posterior_cases import (
    ALL,
    LAST,
    OneStateManyEpisodes,
    cases_of_last_sample,
    cases_with_all_samples,
)
from proofs_checks.evidence import Argument, ByHand, Everywhere, Solver, Step, Uses
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict
from proofs_checks.statements import Answer, Family, ForAll, Property, answer
from proofs_checks.statements.symbols import K, L, N, S, c, n, s, w, x, z
from theory import ONE, ZERO, rational
from theory.certified import at_most
from theory.paper import log_factor

chapter = Chapter(under="lem:concentration_psrl")
READING = {**OBSERVED, "prior": "finite", "mean rewards": "in [0, 1]"}
PRIORS = r"""$S, n \ge 1$, $2 \le k \le K$, $0 \le \beta < 1$; priors on finitely many models with rewards in $[0, 1]$,
whose own rewards take finitely many values"""
CASES = r"one arm of one state, two or three means, equally likely, $\beta = 0$; and long first episodes"
CLOSE = r"""$|r_{k'+1}(x_a) - r(x_a)| \le [[*s]]\frac{L_{k-1}}{\sqrt{\max\{1, N_{k'}(x_a)\}}}$ and
$\lVert Q_{k'+1}(x_a, \cdot) - Q(x_a, \cdot)\rVert_1 \le [[*s]]\frac{2L_{k-1} + 3\sqrt S}{\sqrt{\max\{1,
N_{k'}(x_a)\}}}$ for all $x_a$"""
SHORT = r"$H_{k'} \le \log(K(k-1))/(1-\beta)$ for all $k' \le k-1$"
Instance: TypeAlias = "OneStateManyEpisodes | Lengths"


def of_k(case: OneStateManyEpisodes, c: fmpq) -> arb:
    """Return c/K."""
    return arb(c) / case.K


def of_k_and_log(case: OneStateManyEpisodes, c: fmpq) -> arb:
    """Return c/(K log(K(k-1)))."""
    return of_k(case, c) / arb(case.K * (case.k - 1)).log()


def fails_at_most(
    instance: Instance, s: object, c: object, which: str, bound: Callable[[OneStateManyEpisodes, fmpq], arb] = of_k
) -> Answer:
    """Hold the probability that models are apart by more than s times the event's radii, or an episode too long."""
    if not isinstance(instance, OneStateManyEpisodes):
        return long_episode(instance, rational(c))
    found = instance.failure(which, rational(s))
    truth = at_most(lambda: arb(found), lambda: bound(instance, rational(c)))
    return answer(truth, **instance.told(which=which, probability=found, bound=bound(instance, rational(c))))


LONG: tuple[Lengths, ...] = (*LONG_EPISODES, (2, 2, ZERO))


def at_last(instance: Instance, s: object, c: object) -> Answer:
    """Look at M_k alone."""
    return fails_at_most(instance, s, c, LAST)


# -- as printed

chapter.printed(
    Property(
        "lem:concentration_psrl",
        fails_at_most,
        over=Family(CASES, lambda: chain(LONG, cases_with_all_samples())),
        domain=PRIORS,
        says=rf"""$\mathbb{{P}}(\mathcal{{E}}^{{\mathrm{{PSRL}}}}_{{k-1}}) \ge 1 - [[c]]/K$, the event that {CLOSE} and
        {SHORT}; over [[which]].""",
        reading=READING,
        s=1,
        c=9,
        which=ALL,
    ),
    line=872,
    under="",
    verdict=Verdict.UNDECIDED,
    severity=Severity.GAP,
    cause="psrl-event",
    mutants=[{"c": "19/10"}, {"s": "1/8"}],
    controls=[{"which": LAST}],
)

FAR, MIDDLE, NEAR = ONE, fmpq(1, 2), fmpq(1, 100)


def is_given(K: int, which: str) -> Answer:
    """Take beta = 0, k = K, M = 1 and M_k = 1/2, so that all rewards are 1; M_{k-1} may be 1/2 or 1/100 all the same.

    Both are possible: after K - 2 rewards of 1 every mean above 0 has positive posterior probability.
    """
    case = OneStateManyEpisodes((FAR, MIDDLE, NEAR), K, K)
    close = case.close(which, ONE)
    holds = {case.means[sample]: close(K - 1, 1, 0) and close(K - 2, sample, 0) for sample in (1, 2)}
    return answer(
        len(set(holds.values())) == 1,
        **case.told(
            M=FAR,
            **{"M_k": MIDDLE, "rewards": f"{K - 1} times 1", "the event, by M_{k-1}": holds},
            **{"L/sqrt(N) at k' = k-2": log_factor(1, 1, K, K, 0) / arb(K - 2).sqrt()},
        ),
    )


chapter.implied(
    Property(
        "eq:conc_with_i",
        is_given,
        domain=r"one arm of one state, $k = K$, $\beta = 0$; means $1$, $1/2$ and $1/100$",
        says=r"""The indicator of $\mathcal{E}^{\mathrm{PSRL}}_{k-1}$, over [[which]], is a function of what the
        expectation is conditioned on: $\mathcal{O}_{k-1}$, $H_k$, $M_k$ and $M$. Here $K = [[K]]$.""",
        reading={"prior": "finite"},
        K=19,
        which=ALL,
    ),
    Everywhere(),
    line=911,
    verdict=Verdict.FAILS,
    severity=Severity.GAP,
    cause="psrl-event",
    mutants=[{"K": 25}],
    controls=[{"which": LAST}],
)

# -- the sample M_k alone

RADIUS = Step(
    r"""Two means within $\frac{L_{k-1}}{2\sqrt N}$ of one estimate, and two rows within $\frac{L_{k-1} + 1.5\sqrt
    S}{\sqrt N}$, are as near each other as claimed:""",
    Solver(),
    sympy.Abs(x - z) <= s * L / sqrt(N),
    w <= s * (2 * L + 3 * sqrt(S)) / sqrt(N),
    over=HALVES,
)
L_EARLIER = sqrt(2 * log(2 * S * n * K * TAU))
UNVISITED = Step(
    "Where $N = 0$, means in $[0, 1]$ are at most $1$ and rows at most $2$ apart:",
    Argument(Step("", Uses("conc:domain/least"))),
    s * L_EARLIER >= 1,
    s * (2 * L_EARLIER + 3 * sqrt(S)) >= 2,
    over=SIZES,
)

chapter.ours(
    Property(
        "lem:concentration_psrl/without-lengths",
        lambda case, s: fails_at_most(case, s, 4, LAST, of_k_and_log),
        over=Family(CASES, cases_of_last_sample),
        domain=PRIORS,
        says=rf"""With probability at least $1 - \frac{{4}}{{K\log(K(k-1))}}$, {CLOSE}, for $k' = k-1$ only; nothing
        is asked of the lengths.""",
        reading=READING,
        s=1,
    ),
    Argument(
        Step("", Uses("conc:r/repair")),
        Step("", Uses("conc:Q/repair")),
        Step("", Uses("lem:concentration_psrl/equality/repair")),
        RADIUS,
        UNVISITED,
        conclusion=ByHand(
            r"""Given $M$, its means and its rows leave their radii around the estimates with $N \ge 1$ with probability
            at most $x = \frac{1}{K\log(K(k-1))}$ each; so do those of $M_k$, as their deviations have the same law.
            The four together have at most $4x$; where none does, the models are as near as claimed."""
        ),
    ),
    line=881,
    nearest={"s": "down"},
)


FEW_EPISODES = Step(r"For $K \le 5$ the bound is at least $1$:", Solver(), c / K >= 1, over=ForAll(K >= 2, K <= 5))


def with_lengths(sizes: ForAll) -> Argument:
    """Return the argument that adds the event on the lengths."""
    return Argument(
        Step("", Uses("lem:concentration_psrl/without-lengths", same={"s": "s"})),
        Step("", Uses("conc:H/repair-factor")),
        Step(
            "Their sum is as claimed:",
            Argument(log_at_least(Rational(69, 100), 2))
            if sizes is EPISODES
            else Argument(log_at_least(Rational(17, 10), 6)),
            c / K >= 2 / K + 4 / (K * LOG),
            over=sizes,
        ),
        *(() if sizes is EPISODES else (FEW_EPISODES,)),
        conclusion=ByHand("The event fails where the lengths are too long, or the models too far from each other."),
    )


def of_last_sample(claim_id: str, claimed: int) -> Property:
    """Return that the event with M_k alone fails with probability at most `claimed` over K."""
    return Property(
        claim_id,
        at_last,
        over=Family(CASES, lambda: chain(LONG, cases_of_last_sample())),
        domain=PRIORS,
        says=rf"""The event that {CLOSE}, for $k' = k-1$ only, and {SHORT} is determined by $\mathcal{{O}}_{{k-1}}$, $M$
        and $M_k$, symmetric in the two models, and has probability at least $1 - [[c]]/K$.""",
        reading=READING,
        s=1,
        c=claimed,
    )


chapter.ours(
    of_last_sample("lem:concentration_psrl/repair", 9),
    with_lengths(EPISODES),
    line=872,
    repairs=("lem:concentration_psrl", "lem:concentration_psrl/measurable", "eq:conc_with_i"),
    nearest={"s": "down", "c": "down"},
)

chapter.ours(
    of_last_sample("lem:concentration_psrl/sharper", 5),
    with_lengths(EPISODES.where(K >= 6)),
    line=872,
    nearest={"s": "down", "c": "down"},
)

CAUSES = [
    Cause(
        "psrl-event",
        Severity.GAP,
        line=875,
        title="The event of MB-PSRL is about all samples, and is treated as if it were about one, and observed",
        printed=r"""$\mathcal{E}^{\mathrm{PSRL}}_{k-1}$ is for all $k' \le k-1$, is $\mathcal{O}_{k-1}$-measurable,
        has $\mathbb{P}(\lnot\tilde{\mathcal{E}}^r_{k-1}) = \mathbb{P}(\lnot\mathcal{E}^r_{k-1})$, and
        $\mathbb{E}[\Delta_k^{model}\mathbf{1}_{\mathcal{E}}] = 0$.""",
        why=r"""The event depends on $M$ and on $M_2, \ldots, M_k$, which $\mathcal{O}_{k-1}$ does not determine. The
        samples are drawn anew, so one may be off where the one before was not: for $S = n = 1$, $K = k = 5$, $\beta =
        0$ and means $1/10$ or $9/10$ the probabilities that are equated are different. And since earlier samples break
        the symmetry between $M$ and $M_k$, $\mathbb{E}[\Delta_k^{model}\mathbf{1}_{\mathcal{E}}]$ is not $0$ for three
        means and $K = k = 19$.""",
        instead=r"""Lines 872 to 875: $k' = k-1$ in place of all $k' \le k-1$. Line 880: it is a function of
        $\mathcal{O}_{k-1}$, $M$ and $M_k$, symmetric in $M$ and $M_k$. Lines 886, 887: $k' = k-1$ too.""",
        follows=r"""Nothing for the regret, which uses $k' = k-1$ only. Whether all samples are close with probability
        $1 - 9/K$ is open here; it is so for $1.325\sqrt{2k} \le 7\log(K(k-1))$, as for $k = K = 3000$, and
        always with $K$ times smaller probabilities in $L_{k-1}$.""",
        witness="psrl:model-gap",
    ),
]

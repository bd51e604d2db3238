"""MB-PSRL: the gap between the optimal values of M and of M_k on the event (Section A.3)."""

from __future__ import annotations

from flint import arb

from proofs_checks.claims.appendix_a_upper_bounds.mb_psrl.event import FAR, MIDDLE, NEAR
from proofs_checks.claims.appendix_a_upper_bounds.mb_psrl.posterior_sampling import FINITE, LEARNERS
from proofs_checks.computations.posterior_cases import ALL, LAST, SMALL, OneStateManyEpisodes, no_gap
from proofs_checks.evidence import Everywhere, InKernel
from proofs_checks.ledger import Chapter, Severity, Verdict
from proofs_checks.statements import Answer, Property, answer
from theory import ONE
from theory.paper import log_factor

chapter = Chapter(under="thm:regret_upper_bound")


def gap_on_the_event(relation: str, which: str) -> Answer:
    """Sum M - M_19 over all histories of one state: beta = 0, K = k = 19, means 1, 1/2 and 1/100.

    The radii L_18/sqrt(17) and L_18/sqrt(18) lie between 1/2 and 99/100: the event excludes just the pairs 1 and 1/100,
    of M with M_18 and with M_19. A pair (M, M_19) = (1, 1/2) is excluded if M_18 = 1/100, the pair (1/2, 1) never: so
    the two do not cancel.
    """
    case = OneStateManyEpisodes((FAR, MIDDLE, NEAR), 19, 19)
    gap = case.mean(which, ONE, lambda m, i: m - i)
    radii = {f"L/sqrt(N) at k' = {j}": log_factor(1, 1, 19, 19, 0) / arb(j).sqrt() for j in (16, 17, 18)}
    told = case.told(**radii, expectation=gap, about=arb(gap))
    return answer(gap == 0 if relation == "=" else gap <= 0, **told)


chapter.printed(
    Property(
        "psrl:model-gap",
        gap_on_the_event,
        domain=r"one arm of one state, $K = k = 19$, $\beta = 0$; means $1$, $1/2$ and $1/100$",
        says=r"""$\mathbb{E}[\Delta_k^{model}\mathbf{1}_{\mathcal{E}}] [[relation]] 0$ for the event
        $\mathcal{E}^{\mathrm{PSRL}}_{k-1}$, over [[which]]. [[ours]] (By as little as $1.6 \cdot 10^{-35}$.)""",
        reading=FINITE,
        relation="=",
        which=ALL,
    ),
    Everywhere(),
    line=895,
    verdict=Verdict.FAILS,
    severity=Severity.GAP,
    cause="psrl-event",
    mutants=[{"relation": r"\le"}],
    controls=[{"which": LAST}],
)


chapter.ours(
    Property(
        "psrl:model-gap/repair",
        no_gap,
        over=SMALL,
        domain=LEARNERS,
        says=r"""$\mathbb{E}[\Delta_k^{model}\mathbf{1}_{\mathcal{E}}] = 0$ for every event $\mathcal{E}$ given by
        $\mathcal{O}_{k-1}$ and a condition that is symmetric in $M$ and $M_k$, such as the one with $k' = k-1$ only.
        (Tried with $-[[*a]]d \le V_M^{\pi_*} - V_{M_k}^{\pi_k} \le d$ in a state.)""",
        reading=FINITE,
        a=1,
    ),
    InKernel("model_gap_of_episode", a=1),
    line=895,
    repairs="psrl:model-gap",
    nearest={"a": "down"},
)

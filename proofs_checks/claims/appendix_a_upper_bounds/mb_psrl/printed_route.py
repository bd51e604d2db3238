"""The printed proof of Lemma `concentration_psrl`: measurability, the complement, equal probabilities (Section A.3)."""

from __future__ import annotations

from collections.abc import Hashable

from flint import arb, fmpq
from sympy import Abs, sqrt  # type: ignore[import-untyped]

from proofs_checks.claims.appendix_a_upper_bounds.mb_psrl.posterior_sampling import FINITE, LEARNERS
from proofs_checks.computations.posterior_cases import ALL, LAST, SMALL, OneState, same_deviations
from proofs_checks.evidence import Everywhere, InKernel, Solver
from proofs_checks.ledger import Cause, Chapter, Severity, Verdict
from proofs_checks.statements import Answer, ForAll, Property, Relation, answer
from proofs_checks.statements.symbols import L, N, S, c, d, u, v, w, x, y, z
from theory import ONE, ZERO, rational
from theory.bayes import Scenario
from theory.paper import log_factor

chapter = Chapter(under="lem:concentration_psrl")
LONG_EPISODE = OneState((fmpq(1, 40), fmpq(39, 40)), fmpq(11, 12), 2, (8,))
"""H_1 = 8 <= log 2/(1-beta): after the same rewards M_2 may be M, or far off."""
FOUR_DRAWS = OneState((fmpq(1, 10), fmpq(9, 10)), ZERO, 5, (1, 1, 1, 1))
"""The radii of the means bind at N = 3 (0.893...) and at N = 4 (0.773...)."""
MODEL, SAMPLES, BOTH = "$M$", r"$M_1, \ldots, M_k$", r"$M$ and $M_1, \ldots, M_k$"


def is_determined(case: OneState, what: str, given: str) -> Answer:
    """Return whether an event is a function of the history and of what else is given."""
    seen: dict[Hashable, tuple[bool, Scenario]] = {}
    for each in case.outcomes:
        samples = each.samples if given in (SAMPLES, BOTH) else ()
        key = (each.history, samples, each.model if given in (MODEL, BOTH) else None)
        holds = not case.fails(each, what)
        before, earlier = seen.setdefault(key, (holds, each))
        if before != holds:
            count = sum(case.lengths)
            radius = log_factor(1, 1, case.K, case.k, case.beta) / arb(count).sqrt()
            told = {
                "one": case.shown(earlier),
                "holds in one": before,
                "other": case.shown(each),
                "holds in the other": holds,
                f"L/sqrt(N) at N = {count}": radius,
            }
            return answer(False, **case.told(**told))
    return answer(True, outcomes=len(case.outcomes))


chapter.printed(
    Property(
        "lem:concentration_psrl/measurable",
        lambda given: is_determined(LONG_EPISODE, "the models", given),
        domain=r"one arm of one state, $K = k = 2$, $\beta = 11/12$, $H_1 = 8$; means $1/40$ and $39/40$",
        says=r"$\mathcal{E}^{\mathrm{PSRL}}_{k-1}$ is determined by $\mathcal{O}_{k-1}$ and [[given]].",
        reading=FINITE,
        given="nothing else",
    ),
    Everywhere(),
    line=880,
    verdict=Verdict.FAILS,
    severity=Severity.GAP,
    cause="psrl-event",
    mutants=[{"given": SAMPLES}, {"given": MODEL}],
    controls=[{"given": BOTH}],
)


SAMPLED_EVENT = r"$\tilde{\mathcal{E}}^r_{k-1}$, which compares the estimates with the samples,"
BOTH_EVENTS = rf"{SAMPLED_EVENT} and $\mathcal{{E}}^r_{{k-1}}$, which compares them with $M$, are each"


def parts_are_determined(events: str, given: str) -> Answer:
    """Return whether both events on rewards, or the first alone, are functions of the history and what is given."""
    found = is_determined(FOUR_DRAWS, "the estimates and the samples", given)
    return is_determined(FOUR_DRAWS, "the estimates and M", given) if found.true and events == BOTH_EVENTS else found


chapter.printed(
    Property(
        "lem:concentration_psrl/parts-measurable",
        parts_are_determined,
        domain=r"one arm of one state, $K = k = 5$, $\beta = 0$; means $1/10$ and $9/10$",
        says=r"[[events]] determined by $\mathcal{O}_{k-1}$ and [[given]].",
        reading=FINITE,
        events=BOTH_EVENTS,
        given="nothing else",
    ),
    Everywhere(),
    line=889,
    verdict=Verdict.FAILS,
    severity=Severity.GAP,
    cause="psrl-event",
    mutants={
        "given $M$": {"given": MODEL},
        "given the samples": {"given": SAMPLES},
        "the first": {"events": f"{SAMPLED_EVENT} is"},
    },
    controls={
        "the first, given the samples": {"events": f"{SAMPLED_EVENT} is", "given": SAMPLES},
        "both, given both": {"given": BOTH},
    },
)


def complement(relation: str, s: object) -> Answer:
    """Compare the event's complement with the union, in every scenario; E^H is certain, and the rows are no matter."""
    for each in FOUR_DRAWS.outcomes:
        outside = FOUR_DRAWS.fails(each, "the models", multiple=rational(s))
        in_union = any(FOUR_DRAWS.fails(each, f"the estimates and {other}") for other in ("M", "the samples"))
        if (outside and not in_union) if relation == "is contained in" else (outside != in_union):
            told = FOUR_DRAWS.told(**FOUR_DRAWS.shown(each), outside=outside, in_union=in_union)
            return answer(False, **told, probability=each.probability)
    return answer(True, outcomes=len(FOUR_DRAWS.outcomes))


chapter.printed(
    Property(
        "lem:concentration_psrl/complement",
        complement,
        domain=r"one arm of one state, $K = k = 5$, $\beta = 0$; means $1/10$ and $9/10$",
        says=r"""The complement of $\mathcal{E}^{\mathrm{PSRL}}_{k-1}$, with $[[*s]]L_{k-1}/\sqrt N$ for the means,
        [[relation]] the union of those of $\mathcal{E}^r_{k-1}$, $\tilde{\mathcal{E}}^r_{k-1}$,
        $\mathcal{E}^Q_{k-1}$, $\tilde{\mathcal{E}}^Q_{k-1}$ and $\mathcal{E}^H_{k-1}$.""",
        reading=FINITE,
        relation="is",
        s=1,
    ),
    Everywhere(),
    line=889,
    verdict=Verdict.FAILS,
    severity=Severity.SLIP,
    cause="complement-of-event",
    mutants={"contained, half the radii": {"relation": "is contained in", "s": "1/2"}},
    controls=[{"relation": "is contained in"}],
)

HALVES = ForAll(
    L >= 0,
    S >= 1,
    N >= 1,
    Abs(x - y) <= L / (2 * sqrt(N)),
    Abs(y - z) <= L / (2 * sqrt(N)),
    u >= 0,
    v >= 0,
    u <= (L + 3 * sqrt(S) / 2) / sqrt(N),
    v <= (L + 3 * sqrt(S) / 2) / sqrt(N),
    w <= u + v,
)
WHOLE = (Abs(x - z) <= c * L / sqrt(N), w <= d * (2 * L + 3 * sqrt(S)) / sqrt(N))

chapter.ours(
    Relation(
        "lem:concentration_psrl/complement/repair",
        HALVES,
        *WHOLE,
        says=r"""The complement of $\mathcal{E}^{\mathrm{PSRL}}_{k-1}$ is contained in that union, which is what the
        union bound needs. For each $x_a$ and $k' \le k-1$, with $x$, $y$, $z$ the means in $M_{k'+1}$, of the
        estimate and in $M$, $u$ and $v$ the distances of the rows of the two models to the estimate's, $w$ that of
        one to the other, $L = L_{k-1}$ and $N = \max\{1, N_{k'}(x_a)\}$: $[[formula]]$.""",
        c=1,
        d=1,
    ),
    Solver(),
    line=889,
    repairs="lem:concentration_psrl/complement",
    witnesses=[{L: fmpq(2), S: ONE, N: ONE, x: ONE, y: ZERO, z: -ONE, u: fmpq(7, 2), v: fmpq(7, 2), w: fmpq(7)}],
    nearest={"c": "down", "d": "down"},
    looked_at=20,
)


def equal_chances(relation: str, which: str) -> Answer:
    """Compare the probabilities that the two events on the rewards fail."""
    of_model = FOUR_DRAWS.chance("the estimates and M", which)
    of_samples = FOUR_DRAWS.chance("the estimates and the samples", which)
    told: dict[str, object] = {"P(not E^r)": of_model, "P(not E~^r)": of_samples}
    told |= {f"L/(2 sqrt(N)) at N = {n}": log_factor(1, 1, 5, 5, 0) / (2 * arb(n).sqrt()) for n in (2, 3, 4)}
    sound = of_samples == of_model if relation == "=" else of_samples <= of_model
    return answer(sound, **FOUR_DRAWS.told(**told))


chapter.printed(
    Property(
        "lem:concentration_psrl/equality",
        equal_chances,
        domain=r"one arm of one state, $K = k = 5$, $\beta = 0$; means $1/10$ and $9/10$",
        says=r"""$\mathbb{P}(\lnot\tilde{\mathcal{E}}^r_{k-1}) [[relation]] \mathbb{P}(\lnot\mathcal{E}^r_{k-1})$, where
        the first event has $r_{k'+1}$ and the second $r$, for [[which]].""",
        reading=FINITE,
        relation="=",
        which=ALL,
    ),
    Everywhere(),
    line=889,
    verdict=Verdict.FAILS,
    severity=Severity.GAP,
    cause="psrl-event",
    mutants=[{"relation": r"\le"}],
    controls=[{"which": LAST}],
)

chapter.ours(
    Property(
        "lem:concentration_psrl/equality/repair",
        same_deviations,
        over=SMALL,
        domain=LEARNERS,
        says=r"""For a single $k'$, such as $k' = k-1$, the one that the regret needs: over all arm states jointly,
        $N_{k'}(x_a)$ and $\hat r_{k'}(x_a) - r(x_a)$ have the law that they have with the means of $[[sample]]$ for
        $r$, $k$ being $k' + 1$; so do the distances of the rows.""",
        reading=FINITE,
        sample="M_k",
    ),
    InKernel("same_deviations", sample="M_k"),
    line=889,
    repairs="lem:concentration_psrl/equality",
    mutants=[{"sample": "M_{k-1}"}],
)

CAUSES = [
    Cause(
        "complement-of-event",
        Severity.SLIP,
        line=889,
        title="The complement of the event of MB-PSRL is said to be the union that contains it",
        printed=r"""The complement of $\mathcal{E}^{\mathrm{PSRL}}_{k-1}$ is the union of $\lnot\mathcal{E}^r_{k-1}$,
        $\lnot\tilde{\mathcal{E}}^r_{k-1}$, $\lnot\mathcal{E}^Q_{k-1}$, $\lnot\tilde{\mathcal{E}}^Q_{k-1}$ and
        $\lnot\mathcal{E}^H_{k-1}$.""",
        why=r"""Both models may be far from the estimates and near each other. For $S = n = 1$, $K = k = 5$, $\beta =
        0$, means $1/10$ and $9/10$: with rewards $1, 1, 1, 1$ and $M = M_1 = \dots = M_5$ of mean $1/10$ the event
        holds, and the estimate $1$ is $0.9 > L_4/(2\sqrt 4)$ away from both.""",
        instead=r"The complement of $\mathcal{E}^{\mathrm{PSRL}}_{k-1}$ is contained in the union of \ldots",
        follows="Nothing: the union bound needs no more.",
        witness="lem:concentration_psrl/complement",
    ),
]

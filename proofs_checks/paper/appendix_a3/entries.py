r"""Section A.3: MB-PSRL."""

from __future__ import annotations

from collections.abc import Hashable

from proofs_checks.paper.appendix_a2_moments.entries import POWER_GROWS
from proofs_checks.paper.shared.events import *
from proofs_checks.paper.shared.prelude import *
from proofs_checks.paper.section_5_1.entries import FOR_PRODUCTS, TOO_SMALL, part
from proofs_checks.paper.shared.episode_moments import LongestMoment
from proofs_checks.paper.appendix_a3.checks import (
    ALL, LAST, SMALL, OneState, OneStateManyEpisodes, cases_of_last_sample, cases_with_all_samples, no_gap,
    same_after_exchange, same_deviations, same_law,
)
from theory.bayes import Scenario
from theory.paper import PSRL, log_factor

chapter = Chapter()

# == Lemma `bayesian`: given the observations, the true model and the sampled one have the same law.

at = chapter.heading("lem:bayesian")
BERNOULLI = "one arm of one state, Bernoulli rewards"
FINITE, ANY = {"prior": "finite"}, {"prior": "any"}
LEARNERS = r"""any prior and any observations; bounded functions of them and of the models, of a class as in
`lem:bayesian`, for which the means over two draws from the posterior may change their order, as those of measurable
functions do; any learner, which may draw its choices at random by what it has observed and from samples of posteriors;
$M_k$ drawn from the joint posterior"""

at.printed(858).property("lem:bayesian",
    r"""$\mathbb{E}[g(M)] = \mathbb{E}[g([[sample]])]$ for every $\mathcal{O}_{k-1}$-measurable function $g$, where
    $M_k$ is drawn from the posterior given $\mathcal{O}_{k-1}$, under the prior that $M$ is drawn from. [[ours]] So
    $\mathbb{E}[g(\mathcal{O}_{k-1}, M)] = \mathbb{E}[g(\mathcal{O}_{k-1}, [[sample]])]$ for every bounded function $g$
    of a class. (Tried where the prior gives its first model the odds $[[*w]]q$, $q$ being what the learner takes them
    for.)""",
    same_law, over=SMALL, domain=r"""any prior, any observations, any learner; bounded functions of a class, as the
    measurable ones, for which the posterior is a conditional law under policies that are fixed beforehand, and which
    has the products with the chances of what the learner plays""",
    reading=ANY, sample="M_k", w=1,
    kernel="conditional_on_run",
    false={"sample": "M_{k-1}"}, nearest="w+", under="")

at.ours(863).property("lem:bayesian/exchangeable",
    r"""The law of $(\mathcal{O}_{k-1}, \pi_1, \ldots, \pi_{k-1}, M, [[sample]])$ does not change when $M$ and
    $[[sample]]$ change places.""",
    same_after_exchange, over=SMALL, domain=LEARNERS, reading=ANY, sample="M_k", kernel="exchangeable",
    false={"sample": "M_{k-1}"})

# == The printed proof of Lemma `concentration_psrl`: measurability, the complement, equal probabilities.

at = chapter.heading("lem:concentration_psrl")
LONG_EPISODE = OneState((fmpq(1, 40), fmpq(39, 40)), fmpq(11, 12), 2, (8,))
"""H_1 = 8 <= log 2/(1-beta): after the same rewards M_2 may be M, or far off."""
FOUR_DRAWS = OneState((fmpq(1, 10), fmpq(9, 10)), ZERO, 5, (1, 1, 1, 1))
"""The radii of the means bind at N = 3 (0.893...) and at N = 4 (0.773...)."""
MODEL, SAMPLES, BOTH = "$M$", r"$M_1, \ldots, M_k$", r"$M$ and $M_1, \ldots, M_k$"

def is_determined(case: OneState, what: str, given: str) -> Answer:
    seen: dict[Hashable, tuple[bool, Scenario]] = {}
    for each in case.outcomes:
        samples = each.samples if given in (SAMPLES, BOTH) else ()
        key = (each.history, samples, each.model if given in (MODEL, BOTH) else None)
        holds = not case.fails(each, what)
        before, earlier = seen.setdefault(key, (holds, each))
        if before != holds:
            count = sum(case.lengths)
            radius = log_factor(1, 1, case.K, case.k, case.beta) / arb(count).sqrt()
            told = {"one": case.shown(earlier), "holds in one": before, "other": case.shown(each),
                "holds in the other": holds, f"L/sqrt(N) at N = {count}": radius}
            return answer(False, **case.told(**told))
    return answer(True, outcomes=len(case.outcomes))

at.printed(880).property("lem:concentration_psrl/measurable",
    r"""$\mathcal{E}^{\mathrm{PSRL}}_{k-1}$ is $\mathcal{O}_{k-1}$-measurable. [[ours]] So it is determined by
    $\mathcal{O}_{k-1}$ and [[given]].""",
    lambda given: is_determined(LONG_EPISODE, "the models", given),
    domain=rf"{BERNOULLI}, $K = k = 2$, $\beta = 11/12$, $H_1 = 8$; means $1/40$ and $39/40$", reading=FINITE,
    given="nothing else", by=Everywhere(), fails="psrl-event", false=[{"given": SAMPLES}, {"given": MODEL}],
    true={"given": BOTH})

SAMPLED_EVENT = r"$\tilde{\mathcal{E}}^r_{k-1}$, which compares the estimates with the samples,"
BOTH_EVENTS = rf"{SAMPLED_EVENT} and $\mathcal{{E}}^r_{{k-1}}$, which compares them with $M$, are each"

def parts_are_determined(events: str, given: str) -> Answer:
    found = is_determined(FOUR_DRAWS, "the estimates and the samples", given)
    return is_determined(FOUR_DRAWS, "the estimates and M", given) if found.true and events == BOTH_EVENTS else found

at.printed(889).property("lem:concentration_psrl/parts-measurable",
    r"""$\tilde{\mathcal{E}}^r_{k-1}$ is $\mathcal{O}_{k-1}$-measurable. [[ours]] Lemma `concentration`
    says so of $\mathcal{E}^r_{k-1}$ too. So [[events]] determined by $\mathcal{O}_{k-1}$ and [[given]].""",
    parts_are_determined, domain=rf"{BERNOULLI}, $K = k = 5$, $\beta = 0$; means $1/10$ and $9/10$",
    reading=FINITE, events=BOTH_EVENTS, given="nothing else", by=Everywhere(), fails="psrl-event",
    false={"given $M$": {"given": MODEL}, "given the samples": {"given": SAMPLES},
        "the first": {"events": f"{SAMPLED_EVENT} is"}},
    true={"the first, given the samples": {"events": f"{SAMPLED_EVENT} is", "given": SAMPLES},
        "both, given both": {"given": BOTH}})

def complement(relation: str, s: object) -> Answer:
    """Compare the event's complement with the union in every scenario; E^H always holds, and rows have no deviation."""
    for each in FOUR_DRAWS.outcomes:
        outside = FOUR_DRAWS.fails(each, "the models", multiple=rational(s))
        in_union = any(FOUR_DRAWS.fails(each, f"the estimates and {other}") for other in ("M", "the samples"))
        if (outside and not in_union) if relation == "is contained in" else (outside != in_union):
            told = FOUR_DRAWS.told(**FOUR_DRAWS.shown(each), outside=outside, in_union=in_union)
            return answer(False, **told, probability=each.probability)
    return answer(True, outcomes=len(FOUR_DRAWS.outcomes))

at.printed(889).property("lem:concentration_psrl/complement",
    r"""The complement of $\mathcal{E}^{\mathrm{PSRL}}_{k-1}$ [[relation]] the union of $\lnot\mathcal{E}^r_{k-1}$,
    $\lnot\tilde{\mathcal{E}}^r_{k-1}$, $\lnot\mathcal{E}^Q_{k-1}$, $\lnot\tilde{\mathcal{E}}^Q_{k-1}$ and
    $\lnot\mathcal{E}^H_{k-1}$. [[ours]] The event has $[[*s]]L_{k-1}/\sqrt N$ for the means.""",
    complement, domain=rf"{BERNOULLI}, $K = k = 5$, $\beta = 0$; means $1/10$ and $9/10$", reading=FINITE,
    relation="is", s=1, by=Everywhere(), fails="complement-of-event",
    false={"contained, half the radii": {"relation": "is contained in", "s": "1/2"}},
    true={"relation": "is contained in"})

HALVES = ForAll(L >= 0, S >= 1, N >= 1, Abs(x - y) <= L / (2 * sqrt(N)), Abs(y - z) <= L / (2 * sqrt(N)), u >= 0,
    v >= 0, u <= (L + 3 * sqrt(S) / 2) / sqrt(N), v <= (L + 3 * sqrt(S) / 2) / sqrt(N), w <= u + v)
WHOLE = (Abs(x - z) <= c * L / sqrt(N), w <= d * (2 * L + 3 * sqrt(S)) / sqrt(N))

at.ours(889).relation("lem:concentration_psrl/complement/repair",
    r"""Formulas for this: the complement of $\mathcal{E}^{\mathrm{PSRL}}_{k-1}$ is contained in the union of
    `lem:concentration_psrl/complement`. For each $x_a$ and $k' \le k-1$, with $x$, $y$, $z$ the means in $M_{k'+1}$, of
    the estimate and in $M$, $u$ and $v$ the distances of the rows of the two models to the estimate's, $w$ that of one
    to the other, $L = L_{k-1}$ and $N = \max\{1, N_{k'}(x_a)\}$: $[[formula]]$.""",
    HALVES, *WHOLE, c=1, d=1, by=Solver(),
    candidates=[{L: fmpq(2), S: ONE, N: ONE, x: ONE, y: ZERO, z: -ONE, u: fmpq(7, 2), v: fmpq(7, 2), w: fmpq(7)}],
    nearest="c d", max_instances=20, repairs="lem:concentration_psrl/complement")

def equal_chances(relation: str, which: str) -> Answer:
    of_model = FOUR_DRAWS.chance("the estimates and M", which)
    of_samples = FOUR_DRAWS.chance("the estimates and the samples", which)
    told = {"P(not E^r)": of_model, "P(not E~^r)": of_samples}
    sound = of_samples == of_model if relation == "=" else of_samples <= of_model
    return answer(sound, **FOUR_DRAWS.told(**told))

at.printed(889).property("lem:concentration_psrl/equality",
    r"""$\mathbb{P}(\lnot\tilde{\mathcal{E}}^r_{k-1}) [[relation]] \mathbb{P}(\lnot\mathcal{E}^r_{k-1})$, where the
    first event has $r_{k'+1}$ and the second $r$, for [[which]].""",
    equal_chances, domain=rf"{BERNOULLI}, $K = k = 5$, $\beta = 0$; means $1/10$ and $9/10$", reading=FINITE,
    relation="=", which=ALL, by=Everywhere(), fails="psrl-event", false={"relation": r"\le"}, true={"which": LAST})

at.repairs("lem:concentration_psrl/equality").property("/repair",
    r"""For a single $k'$, such as $k' = k-1$, the one that the regret needs: over all arm states jointly, $N_{k'}(x_a)$
    and $\hat r_{k'}(x_a) - r(x_a)$ have the law that they have with the means of $[[sample]]$ for $r$, $k$ being $k' +
    1$; so do the distances of the rows.""",
    same_deviations, over=SMALL, domain=LEARNERS, reading=ANY, sample="M_k", kernel="same_deviations",
    false={"sample": "M_{k-1}"})

CAUSES = [
    Cause("complement-of-event", Severity.SLIP, line=889,
        title="The complement of the event of MB-PSRL is said to be the union that contains it",
        why=r"""Both models may be far from the estimates and near each other. For $S = n = 1$, $K = k = 5$, $\beta =
        0$, Bernoulli means $1/10$, $9/10$: with rewards $1, 1, 1, 1$ and $M = M_1 = \dots = M_5$ of mean $1/10$ the
        event holds, and the estimate $1$ is $0.9 > L_4/(2\sqrt 4)$ away from both.""",
        instead=r"The complement of $\mathcal{E}^{\mathrm{PSRL}}_{k-1}$ is contained in the union of $\ldots$",
        follows="Nothing: the union bound needs no more.", witness="lem:concentration_psrl/complement"),
]

# == Lemma `concentration_psrl`: how likely M_k and M are close.

READING = {**OBSERVED, "prior": "any", "mean rewards": "in [0, 1]"}
PRIORS = r"""$S, n \ge 1$, $2 \le k \le K$, $0 \le \beta < 1$; any prior; rewards in $[0, 1]$; $M_k$ drawn from the
joint posterior, as in `lem:bayesian`, whose class has the indicator of $\mathcal{E}^r_{k-1} \cap
\mathcal{E}^Q_{k-1}$ (over arm states with $N_{k'} \ge 1$)"""
CASES = rf"{BERNOULLI}, two or three means, equally likely, $\beta = 0$; and long first episodes"
CLOSE = r"""$|r_{k'+1}(x_a) - r(x_a)| \le [[*s]]\frac{L_{k-1}}{\sqrt{\max\{1, N_{k'}(x_a)\}}}$ and
$\lVert Q_{k'+1}(x_a, \cdot) - Q(x_a, \cdot)\rVert_1 \le [[*s]]\frac{2L_{k-1} + 3\sqrt S}{\sqrt{\max\{1,
N_{k'}(x_a)\}}}$ for all $x_a$"""
SHORT = r"$H_{k'} \le \log(K(k-1))/(1-\beta)$ for all $k' \le k-1$"
Instance: TypeAlias = OneStateManyEpisodes | Lengths

def fails_at_most(instance: Instance, s: object, c: object, which: str) -> Answer:
    if not isinstance(instance, OneStateManyEpisodes):
        return long_episode(instance, c)
    found, bound = instance.failure(which, rational(s)), rational(c) / instance.K
    return answer(found <= bound, **instance.told(which=which, probability=found, bound=arb(bound)))

LONG: tuple[Lengths, ...] = (*LONG_EPISODES, (2, 2, ZERO))

# -- as printed

at.printed(872).property("lem:concentration_psrl",
    rf"""$\mathbb{{P}}(\mathcal{{E}}^{{\mathrm{{PSRL}}}}_{{k-1}}) \ge 1 - [[c]]/K$, the event that {CLOSE} and {SHORT}.
    [[ours]] Over [[which]].""",
    fails_at_most, over=Family(CASES, lambda: chain(LONG, cases_with_all_samples())), domain=PRIORS, reading=READING,
    s=1, c=9, which=ALL, fails="psrl-event", verdict=Verdict.UNDECIDED,
    false=[{"c": "49/25"}, {"s": "69/100"}], true={"which": LAST}, under="")

FAR, MIDDLE, NEAR = ONE, fmpq(1, 2), fmpq(1, 100)

def is_given(K: int, which: str) -> Answer:
    """Return whether M and M_k determine the event, if beta = 0, k = K and all rewards are 1.

    All models and samples are possible then, as every mean is above 0. Where k' = k-1 allows the event, each other k'
    decides by a sample of its own. L_{k-1}/sqrt(k-2) is below 99/100 from K = 19 on.
    """
    case = OneStateManyEpisodes((FAR, MIDDLE, NEAR), K, K)
    close = case.close(which, ONE)
    for model, last, sample, after in product(range(3), range(3), range(3), range(1, K - 1)):
        if close(K - 1, last, model) and not close(after, sample, model):
            of_sample = {f"M_{after + 1}": {case.means[model]: True, case.means[sample]: False}}
            told = {"M, and all samples but two": case.means[model], "M_k": case.means[last], "all rewards": 1}
            return answer(False, **case.told(**told, **{"the event": of_sample}))
    return answer(True, **case.told())

at.implied(911).property("eq:conc_with_i",
    r"""The indicator of $\mathcal{E}^{\mathrm{PSRL}}_{k-1}$, over [[which]], is a function of what the expectation is
    conditioned on: $\mathcal{O}_{k-1}$, $H_k$, $M_k$ and $M$. Here $K = [[K]]$.""",
    is_given, domain=rf"{BERNOULLI}, $k = K$, $\beta = 0$; means $1$, $1/2$ and $1/100$",
    reading={"prior": "finite"}, K=19, which=ALL, by=Everywhere(), fails="psrl-event", false=[{"K": 20}, {"K": 98}],
    true=[{"which": LAST}, {"K": 18}])

# -- the sample M_k alone

at.ours(872).property("lem:concentration_psrl/repair",
    rf"""The event that {CLOSE}, for $k' = k-1$ only, and {SHORT} is determined by $\mathcal{{O}}_{{k-1}}$ with the
    lengths of its episodes, $M$ and $M_k$, symmetric in the two models, and has probability at least $1 - [[c]]/K$.
    (The theorem has $1 - 5/K$.)""",
    lambda instance, s, c: fails_at_most(instance, s, c, LAST),
    over=Family(CASES, lambda: chain(LONG, cases_of_last_sample())), domain=PRIORS, reading=READING, s=1, c=9,
    kernel="psrl_event", nearest="s c",
    repairs=("lem:concentration_psrl", "lem:concentration_psrl/measurable", "eq:conc_with_i"))

CAUSES += [
    Cause("psrl-event", Severity.GAP, line=875,
        title="The event of MB-PSRL is about all samples, and is treated as if it were about one, and observed",
        printed=r"""$\mathcal{E}^{\mathrm{PSRL}}_{k-1}$ is for all $k' \le k-1$, is $\mathcal{O}_{k-1}$-measurable, has
        $\mathbb{P}(\lnot\tilde{\mathcal{E}}^r_{k-1}) = \mathbb{P}(\lnot\mathcal{E}^r_{k-1})$, and
        $\mathbb{E}[\Delta_k^{model}\mathbf{1}_{\mathcal{E}}] = 0$.""",
        why=r"""The event depends on $M$ and on $M_2, \ldots, M_k$, which $\mathcal{O}_{k-1}$ does not determine. The
        samples are drawn anew, so one may be off where the one before was not: for $S = n = 1$, $K = k = 5$, $\beta =
        0$ and Bernoulli means $1/10$ or $9/10$ the probabilities that are equated are different. And since earlier
        samples break the symmetry between $M$ and $M_k$, $\mathbb{E}[\Delta_k^{model}\mathbf{1}_{\mathcal{E}}]$ is not
        $0$ for Bernoulli rewards of means $1$, $1/2$, $1/100$ and $K = k = 19$.""",
        instead=r"""Line 876: $k' = k-1$ in place of all $k' \le k-1$, but for $H_{k'}$. Lines 880, 896, 908: it is a
        function of $\mathcal{O}_{k-1}$, $M$ and $M_k$, symmetric in $M$ and $M_k$. Lines 886, 887: $k' = k-1$ too.""",
        follows=r"""Nothing for the regret, which uses $k' = k-1$ only. Whether all samples are close with probability
        $1 - 9/K$ is open here.""",
        witness="psrl:model-gap"),
]

# == MB-PSRL: the gap between the optimal values of M and of M_k on the event.

at = chapter.heading("thm:regret_upper_bound")

def gap_on_the_event(relation: str, which: str) -> Answer:
    """Compare with 0 the mean of M - M_19 on the event, for one state, beta = 0, K = k = 19, means 1, 1/2 and 1/100.

    The radii L_18/sqrt(17) and L_18/sqrt(18) lie between 1/2 and 99/100. So the event excludes exactly the pairs of 1
    and 1/100, of M with M_18 or M_19. It excludes the pair (M, M_19) = (1, 1/2) if M_18 = 1/100, but never (1/2, 1), so
    that these two pairs do not cancel.
    """
    case = OneStateManyEpisodes((FAR, MIDDLE, NEAR), 19, 19)
    gap = case.mean(which, ONE, lambda m, i: m - i)
    radii = {f"L/sqrt(N) at k' = {j}": log_factor(1, 1, 19, 19, 0) / arb(j).sqrt() for j in (16, 17, 18)}
    told = case.told(**radii, expectation=gap, about=arb(gap))
    return answer(gap == 0 if relation == "=" else gap <= 0, **told)

at.printed(895).property("psrl:model-gap",
    r"""$\mathbb{E}[\Delta_k^{model}\mathbf{1}_{\mathcal{E}^{\mathrm{PSRL}}_{k-1}}] [[relation]] 0$. [[ours]] The event
    is over [[which]].""",
    gap_on_the_event, domain=rf"{BERNOULLI}, $K = k = 19$, $\beta = 0$; means $1$, $1/2$ and $1/100$",
    reading=FINITE, relation="=", which=ALL, by=Everywhere(), fails="psrl-event", false={"relation": r"\le"},
    true={"which": LAST})

at.repairs("psrl:model-gap").property("/repair",
    r"""$\mathbb{E}[\Delta_k^{model}\mathbf{1}_{\mathcal{E}}] = 0$ for every event $\mathcal{E}$ given by
    $\mathcal{O}_{k-1}$ and a condition that is symmetric in $M$ and $M_k$, such as the one with $k' = k-1$ only. (Tried
    with $-[[*a]]d \le V_M^{\pi_*} - V_{M_k}^{\pi_k} \le d$ in a state.)""",
    no_gap, over=SMALL, domain=LEARNERS, reading={**ANY, **IN_UNIT}, a=1, kernel="model_gap_of_episode", nearest="a")

# == MB-PSRL: from the event to the bound on the Bayesian regret, display by display.

at.printed(903).relation("eq:proof_PSRL_regret",
    r"""$\sum_{k=1}^K \mathbb{E}[H_k]\,\mathbb{P}(\lnot\mathcal{E}^{\mathrm{PSRL}}_{k-1}) +
    \mathbb{E}[\Delta_k\mathbf{1}_{\mathcal{E}^{\mathrm{PSRL}}_{k-1}}] \le \frac{[[c]]}{(1-\beta)} + \sum_{k=1}^K
    \mathbb{E}[\Delta_k^{model}\mathbf{1}_{\mathcal{E}^{\mathrm{PSRL}}_{k-1}}] +
    \mathbb{E}[\Delta_k^{conc}\mathbf{1}_{\mathcal{E}^{\mathrm{PSRL}}_{k-1}}]$. [[ours]] The step to
    $9/(1-\beta)$ only, from $\mathbb{E}[H_k] = \frac{1}{1-\beta}$ and $K$ probabilities of at most $p \le 9/K$, as
    they are known to be with $k' = k-1$ only (for all $k'$ see `lem:concentration_psrl`), the event being sure for $k =
    1$: $[[formula]]$.""",
    ForAll(K >= 1, beta >= 0, beta < 1, p >= 0, p <= 9 / K), K * (1 / (1 - beta)) * p <= c / (1 - beta),
    reading=READING, c=9, by=["lem:concentration_psrl/repair", MEAN_LENGTH], nearest="c")

FIRST_EPISODE = {**dict.fromkeys((S, n, N, H, h, u, v, k), ONE), K: fmpq(2), beta: ZERO}
MANY_EPISODES = {S: ONE, n: ONE, K: fmpq(10**9), k: fmpq(10**9), beta: ZERO}

STEPS = ForAll(S >= 1, N >= 1, H >= 1, u >= 0, u <= 1, v >= 0, v <= 1)
ON_THE_EVENT = STEPS.where(n >= 1, K >= 1, k >= 1, k <= K, beta >= 0, beta < 1)
PER_VISIT = (c * L + (2 * d * L + e * sqrt(S)) * H) / sqrt(N)

at.printed(920).relation("eq:PSRL_R_k",
    r"""$\mathbf{1}_{\mathcal{E}^{\mathrm{PSRL}}_{k-1}}\mathcal{R}_k \le \mathbf{1}_{\mathcal{E}^{\mathrm{PSRL}}_{k-1}}
    \sum_{t=t_k}^{t_{k+1}-1} \frac{L_{k-1} + (2L_{k-1} + 3\sqrt S)H_k}{\sqrt{\max\{1, N_{k-1}(X_{t,A_t})\}}} \le
    \sum_{t=t_k}^{t_{k+1}-1} \frac{L_{k-1} + (2L_{k-1} + 3\sqrt S)H_k}{\sqrt{\max\{1, N_{k-1}(X_{t,A_t})\}}}$. [[ours]]
    Step by step, with bounds that are not negative, so that the indicator may be left out: with $|r_k - r|$ and $\lVert
    Q_k - Q\rVert_1$ the shares $u$ and $v$ of what the event allows, $H = H_k$, $N = \max\{1, N_{k-1}\}$,
    $u\frac{L_{k-1}}{\sqrt N} + v\frac{2L_{k-1} + 3\sqrt S}{\sqrt N}H \le \frac{[[*c]]L_{k-1} + ([[*d]]2L_{k-1} +
    [[e]]\sqrt S)H}{\sqrt N}$.""",
    ON_THE_EVENT,
    u * L_EARLIER / sqrt(N) + H * v * (2 * L_EARLIER + 3 * sqrt(S)) / sqrt(N) <= PER_VISIT.subs(L, L_EARLIER),
    PER_VISIT.subs(L, L_EARLIER) >= 0, c=1, d=1, e=3,
    by=["conc:domain",
        Step(u * L / sqrt(N) + H * v * (2 * L + 3 * sqrt(S)) / sqrt(N) <= PER_VISIT, PER_VISIT >= 0,
            over=STEPS.where(L >= 0), at={L: L_EARLIER})],
    survives=Survives(k >= 2), fails="log-of-zero",
    candidates=[FIRST_EPISODE, MANY_EPISODES | {u: ONE, v: ONE, N: ONE, H: fmpq(1000)}], nearest="c d e",
    max_instances=30)

at.repairs("eq:PSRL_R_k").relation("/repair",
    r"""In the first episode, of $H$ steps, $L_K$ for $L_0$, no event: means $x$ apart by at most $1$ and rows $w$
    apart by at most $2$ satisfy $x \le [[*c]]L_K$, $w \le [[*c]]2L_K$ and $x + Hw \le L_K + (2L_K + 3\sqrt S)H$.""",
    ForAll(S >= 1, n >= 1, K >= 2, beta >= 0, beta < 1, H >= 1, x >= 0, x <= 1, w >= 0, w <= 2), x <= c * L_K,
    w <= 2 * c * L_K, x + H * w <= L_K + (2 * L_K + 3 * sqrt(S)) * H, c=1,
    by=[Step("$L_K \\ge 1$:", Uses("eq:concentration/first-episode", {x: 1, z: 0}))],
    candidates=[{S: ONE, n: ONE, K: fmpq(2), beta: ZERO, H: ONE, x: ONE, w: fmpq(2)}], nearest="c", max_instances=30)

at.printed(925).relation("eq:sum_not_E_k/largest",
    r"""$\sum_{k=1}^K \mathbf{1}_{\mathcal{E}^{\mathrm{PSRL}}_{k-1}}\mathcal{R}_k \le (L_K + (2L_K + 3\sqrt S)\max_{k
    \le K} H_k) \sum_{k=1}^K \sum_{t=t_k}^{t_{k+1}-1} \frac{1}{\sqrt{\max\{1, N_{k-1}(X_{t,A_t})\}}}$. [[ours]] The
    factor, $h$ being $H_k$ and $H$ the maximum: $L_{k-1} + (2L_{k-1} + 3\sqrt S)H_k \le [[*c]]L_K + ([[*d]]2L_K +
    [[e]]\sqrt S)\max_k H_k$.""",
    ForAll(S >= 1, n >= 1, K >= 1, k >= 1, k <= K, beta >= 0, beta < 1, h >= 1, h <= H),
    L_EARLIER + (2 * L_EARLIER + 3 * sqrt(S)) * h <= c * L_K + (2 * d * L_K + e * sqrt(S)) * H, c=1, d=1, e=3,
    by=["conc:L", "conc:domain",
        Step(L + (2 * L + 3 * sqrt(S)) * h <= c * y + (2 * d * y + e * sqrt(S)) * H,
            over=ForAll(S >= 1, L >= 0, y >= L, h >= 1, h <= H), at={L: L_EARLIER, y: L_K})],
    survives=Survives(k >= 2), fails="log-of-zero",
    candidates=[FIRST_EPISODE, MANY_EPISODES | {h: fmpq(1000), H: fmpq(1000)}, MANY_EPISODES | {h: ONE, H: ONE}],
    nearest="c d e", max_instances=30)

at.printed(927).relation("eq:sum_not_E_k",
    r"""$(L_K + (2L_K + 3\sqrt S)\max_{k \le K} H_k) \sum_{k=1}^K \sum_{t=t_k}^{t_{k+1}-1} \frac{1}{\sqrt{\max\{1,
    N_{k-1}(X_{t,A_t})\}}} \le [[c]](L_K + \sqrt S)\max_{k \le K} H_k \sum_{k=1}^K \sum_{t=t_k}^{t_{k+1}-1}
    \frac{1}{\sqrt{\max\{1, N_{k-1}(X_{t,A_t})\}}}$. [[ours]] The factor: with $L = L_K$ and $H = \max_k H_k$,
    $[[formula]]$.""",
    ForAll(L >= 0, S >= 1, H >= 1), L + (2 * L + 3 * sqrt(S)) * H <= c * (L + sqrt(S)) * H, c=3, by=Solver(),
    nearest="c")

at.printed(935).relation("psrl:double-sum",
    r"""$\sum_{k=1}^K \mathbf{1}_{\mathcal{E}^{\mathrm{PSRL}}_{k-1}}\mathcal{R}_k \le [[c]](L_K + \sqrt S)(Sn\max_{k \le
    K} (H_k)^2 + [[d]]\sqrt{SnK}\max_{k \le K} (H_k)^{3/2})$. [[ours]] With $L = L_K$, $H = \max_k H_k$, $x$ the double
    sum of Lemma `sum` and $z$ the left side, taken to be at most $(L + (2L + 3\sqrt S)H)x$ as in
    `eq:sum_not_E_k/largest`: $[[formula]]$.""",
    ForAll(L >= 0, S >= 1, n >= 1, K >= 2, H >= 1, x >= 0, x <= S * n * H + 2 * sqrt(S * n * K * H),
        z <= (L + (2 * L + 3 * sqrt(S)) * H) * x),
    z <= c * (L + sqrt(S)) * (S * n * H**2 + d * sqrt(S * n * K) * H**p), reading=FROM_2, c=3, d=2, p="3/2",
    by=["lem:sum", "eq:sum_not_E_k",
        Step(H * sqrt(S * n * K * H) <= sqrt(S * n * K) * H**p, over=ForAll(S >= 1, n >= 1, K >= 1, H >= 1))],
    candidates=[{L: ONE, S: ONE, n: ONE, K: fmpq(4), H: ONE, x: fmpq(5), z: fmpq(30)},
        {L: ZERO, S: ONE, n: ONE, K: fmpq(4), H: fmpq(4), x: fmpq(12), z: fmpq(144)}],
    nearest="c d p", max_instances=60)

# -- with the moments substituted

X = log(K) / (1 - beta)

at.printed(941).relation("eq:proof_bound",
    r"""$3(L_K + \sqrt S)\big(Sn\,\mathbb{E}[\max_{k \le K} (H_k)^2] + [[f]]\sqrt{SnK}\,\mathbb{E}[\max_{k \le K}
    (H_k)^{3/2}]\big) \le 3(L_K + \sqrt S)\big(Sn([[b]] + [[b]](\frac{\log K}{1-\beta}))^2 + \sqrt{SnK}([[b]] +
    [[b]](\frac{\log K}{1-\beta}))^{3/2}\big)$. [[ours]] Term by term, without the factor in front (undefined at
    $K = 1$): with $x = \frac{\log K}{1-\beta}$, $\mathbb{E}[\max_k H_k^2] \le ([[b]] + [[b]]x)^2$ and
    $[[f]]\,\mathbb{E}[\max_k H_k^{3/2}] \le ([[b]] + [[b]]x)^{3/2}$.""",
    ForAll(K >= 1, beta >= 0, beta < 1), LongestMoment(2, beta, K) <= (b + b * X) ** 2,
    f * LongestMoment(Rational(3, 2), beta, K) <= (b + b * X) ** Rational(3, 2), f=2, b=5,
    by=[Uses("lem:moment/repair", {alpha: 2}), Uses("lem:moment", {alpha: Rational(3, 2)}),
        log_at_least(Rational(693, 1000), 2, K),
        Step("From two episodes on the constant is paid for,", x + sqrt(2) <= b * x,
            over=ForAll(x >= Rational(693, 1000)), at={x: log(K)}),
        POWER_GROWS.put({u: (log(K) + sqrt(2)) / (1 - beta), v: b + b * X, alpha: 2}),
        Step("and so is the factor:", f * (5 + 5 * x ** Rational(3, 2)) <= (b + b * x) ** Rational(3, 2),
            over=ForAll(x >= 0), at={x: X})],
    survives=Survives(K >= 2), fails="moment-lemma", severity=Severity.EDGE,
    candidates=[{K: ONE, beta: fmpq(3, 4)}, {K: fmpq(2), beta: 1 - fmpq(1, 10**6)}], nearest="b f", max_instances=30)

TWICE = Rational(3, 2)

at.ours(941).relation("eq:proof_bound/repair",
    r"""$3(L_K + \sqrt S)\big(Sn\,\mathbb{E}[\max_{k \le K} (H_k)^2] + [[f]]\sqrt{SnK}\,\mathbb{E}[\max_{k \le K}
    (H_k)^{3/2}]\big) \le 3(L_K + \sqrt S)\Big(Sn\big(\frac{\log K + \sqrt 2}{1-\beta}\big)^2 +
    [[g]]\sqrt{SnK}\big(\frac{\log K + \Gamma(\frac52)^{2/3}}{1-\beta}\big)^{3/2}\Big)$, as $[[formula]]$.""",
    ForAll(S >= 1, n >= 1, K >= 2, beta >= 0, beta < 1),
    S * n * LongestMoment(2, beta, K) + f * sqrt(S * n * K) * LongestMoment(TWICE, beta, K)
    <= S * n * ((log(K) + sqrt(2)) / (1 - beta)) ** 2
    + g * sqrt(S * n * K) * ((log(K) + gamma(Rational(5, 2)) ** Rational(2, 3)) / (1 - beta)) ** TWICE,
    f=2, g=2,
    by=[Uses("lem:moment/repair", {alpha: 2}), Uses("lem:moment/repair", {alpha: TWICE}),
        Step("Larger moments make the sum larger:", s * u + f * t * w <= s * v + g * t * x,
            over=ForAll(s >= 0, t >= 0, u <= v, w <= x),
            at={s: S * n, t: sqrt(S * n * K), u: LongestMoment(2, beta, K), w: LongestMoment(TWICE, beta, K),
                v: ((log(K) + sqrt(2)) / (1 - beta)) ** 2,
                x: ((log(K) + gamma(Rational(5, 2)) ** Rational(2, 3)) / (1 - beta)) ** TWICE})],
    candidates=[{S: ONE, n: ONE, K: fmpq(60), beta: fmpq(9, 10)}],
    false={"g": 1}, nearest="f g", max_instances=20, repairs="eq:proof_bound")

at.implied(941).relation("eq:proof_bound/from-moment",
    r"""Where Lemma `moment` holds, the second line as it is typed, with the exponents outside and without a factor $2$,
    is no less than what the lemma gives for the first, $5 + 5x^2$ and $[[c]](5 + 5x^{3/2})$ with $x =
    \frac{\log K}{1-\beta}$: $[[formula]]$.""",
    ForAll(x >= 0), 5 + 5 * x**2 <= (5 + 5 * x) ** 2,
    c * (5 + 5 * x ** Rational(3, 2)) <= (5 + 5 * x) ** Rational(3, 2), c=2, by=Solver(), fails="misplaced-power",
    verdict=Verdict.HOLDS, nearest="c")

CAUSES += [
    Cause("misplaced-power", Severity.SLIP, line=941,
        title="Exponents stand outside of the parentheses, and a factor 2 is missing",
        printed=r"""$3(L_K + \sqrt S)\big(Sn\big(5 + 5\frac{\log K}{1-\beta}\big)^2 + \sqrt{SnK}\big(5 + 5\frac{\log
        K}{1-\beta}\big)^{3/2}\big)$ for the two moments, by Lemma `moment`.""",
        why=r"""The lemma gives $5 + 5\big(\frac{\log K}{1-\beta}\big)^\alpha$, and the moment of order $3/2$ has a
        factor $2$ in the line above. The line as typed is true for $K \ge 2$, but larger.""",
        instead="", see="moment-lemma",
        follows="Nothing but the constant.", witness="eq:proof_bound/from-moment"),
]

# == MB-PSRL: the last display of its analysis, the bound of Theorem 1.

SPELT_OUT = r"""\big(\sqrt S + \log(\frac{SnK\log K}{1-\beta})\big) \big(Sn(\frac{\log K}{1-\beta})^2 +
\sqrt{SnK}(\frac{\log K}{1-\beta})^{3/2}\big)"""

at.printed(944).statement(
    part("psrl:last-display", PSRL, "5/2", "", {"prior": "any", "next state": "observed"}, SPELT_OUT),
    by=InKernel("mb_psrl_regret", "mb_psrl_any_prior", "mb_psrl_regret_arm_by_arm",
        "mb_psrl_regret_arm_by_arm_densities", "mb_psrl_regular", "mb_psrl_measures", first=2, C="5/2"),
    survives=FOR_PRODUCTS,
    fails="log-of-zero", false={"C": TOO_SMALL[PSRL]})

A, B, D, E = sympy.symbols("A B D E", real=True)

at.printed(953).process("psrl:worst-value",
    r"""To bound $(\hat Q - Q)v$ for the worst $v$ is to bound a multiple of the $L_1$ distance. [[ours]] With $x =
    \hat Q(y) - Q(y)$: $[[formula]]$ for $A = \sum|x|$, $B = \sum x$, $0$ in the end, $D = \sum vx$, and $E = \sum
    \max(0, x)$, which is $D$ for a $v$. So the largest $(\hat Q - Q)v$ is $[[c]]\lVert\hat Q - Q\rVert_1$.""",
    c * (A + B) >= D, Eq(E, c * (A + B)), start={A: 0, B: 0, D: 0, E: 0},
    move={A: A + sympy.Abs(x), B: B + x, D: D + v * x, E: E + Max(x, 0)},
    inputs=ForAll(x >= -1, x <= 1, v >= 0, v <= 1), c="1/2", by=Invariant(), nearest="c")

at.ours(952).relation("psrl:one-function",
    r"""Formulas for an example where $(Q_k - \hat Q)v$ has mean $0$ for a fixed $v$, but not for $v = V_{M_k}$. (Words
    alone join them, which nothing checks.) One arm, $\beta = \frac12$, pays $1$ in its first state, whence it moves
    with probability $q$ to one that pays nothing for good; the posterior of $q$ is uniform on $[0, 1]$, $\hat Q$ its
    mean, $z$ is $q$ in $M_k$, and $\frac{2}{1+z}$ the value. There $(Q_k - \hat Q)V_{M_k} = g'(z)$ with $g(z) =
    3\log(1+z) - 2z$, and the mean is $g(1) - g(0) \ge [[c]]$: $[[formula]]$.""",
    ForAll(z >= 0, z <= 1), Eq(2 / (1 + z), 1 + (1 - z) * (2 / (1 + z)) / 2, evaluate=False),
    Eq(sympy.diff(3 * log(1 + z) - 2 * z, z), (Rational(1, 2) - z) * (2 / (1 + z)), evaluate=False),
    3 * log(2) - 2 >= c, c="0.079", by=[Step(Enclosures(), 3 * log(2) - 2 >= c, over=ForAll())], nearest="c+")

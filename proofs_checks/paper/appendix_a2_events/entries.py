r"""Section A.2: the events and their probabilities."""

from __future__ import annotations

from dataclasses import replace

from proofs_checks.paper.shared.events import *
from proofs_checks.paper.shared.prelude import *
from proofs_checks.paper.shared.adaptive_play import (
    MOVING, ONE_COIN, TWO_COINS, Event, History, Outcome, Play, Policy, chance_of, from_tapes,
    histories, probability_at_episode_ends,
)
from proofs_checks.paper.shared.comparisons import whole
from proofs_checks.paper.shared.deviation_cases import Cell, DeviationCase, of_means, of_rows, restarted
from proofs_checks.paper.shared.deviation_families import (
    before_any_visit, functions_of_k_and_log, leaves, of_k, of_k_and_log, of_unplayed_arm,
)
from proofs_checks.paper.appendix_a2_events.observed import counts_are_determined, estimate_is_determined
from proofs_checks.paper.appendix_a2_events.value_deviations import beside_its_indices, deviations_of_one_move
from theory import expectation
from theory.paper import horizon_bound
from theory.random_models import random_rewards, random_row
from theory.values import extreme_functions, retirement_mixture, values_after

chapter = Chapter()

# == Lemma `concentration` itself: all four probabilities, each on the part of the domain on which it holds.

at = chapter.heading("")
REGION = r"$n = 1$, or $S \le 2$, or $K = 2$, or $K(k-1) \ge e^{S/2}$"
WHERE = (
    r"all $2 \le k \le K$ for $\mathcal{E}^r$ and $\mathcal{E}^Q$; $k \ge 3$ or $K \ge 8$ for $\mathcal{E}^H$ "
    rf"(otherwise not for every $\beta$); and for $\mathcal{{E}}^V$ where {REGION} (otherwise open, `conc:V`)"
)

BEST_PLAYED = ANY_SIZES + r"; $\pi_*$ plays an arm of the largest Gittins index"

def instances() -> Iterator[Part]:
    yield from LONG_EPISODES
    yield of_unplayed_arm(), of_means
    yield from estimates(REWARD_CASES, ROW_CASES, VALUE_CASES)

def in_the_lemma(case: Part, c: object, part: str) -> Answer:
    if isinstance(case[0], DeviationCase):
        return part_within(case, 1, 2 * rational(c))
    episodes, number, _ = case
    return answer(True) if part != "everywhere" and number == 2 and episodes < 8 else part_within(case, 1, c)

at.printed(651).property("lem:concentration",
    r"""For any $k \le K$, $\mathbb{P}(\lnot\mathcal{E}^H_{k-1}) \le [[*c]]1/K$,
    $\mathbb{P}(\lnot\mathcal{E}^r_{k-1}) \le [[*c]]2/K$, $\mathbb{P}(\lnot\mathcal{E}^Q_{k-1}) \le [[*c]]2/K$ and
    $\mathbb{P}(\lnot\mathcal{E}^V_{k-1}) \le [[*c]]2/K$. [[ours]] For any learning algorithm, [[part]].""",
    in_the_lemma, over=Family(CASES, instances), domain=BEST_PLAYED, reading=FAIR, c=1, part="everywhere",
    by=InKernel("lemma_concentration", c=1, part="where each stands"),
    survives=Survives(says=WHERE, part="where each stands"), fails="horizon-floor", severity=Severity.EDGE,
    refuted="event_H_fails_for", nearest="c")

# == Measurability: which estimates and events of Lemma `concentration` the observations O_{k-1} determine.

at = chapter.heading("lem:concentration")

at.printed(627).property("def:estimators/known",
    r"""$\hat r_{k-1}$ and $\hat Q_{k-1}$ are computed from $\mathcal{O}_{k-1}$. [[ours]] So $\hat Q_{k-1}$ is a
    function of it, with states, arms and rewards of all steps $t < t_k$ in $\mathcal{O}_{k-1}$, and [[also]]; here for
    one episode of at most [[longest]] steps.""",
    estimate_is_determined, domain="one arm of two states, rewards always $0$", also="nothing else", longest=3,
    by=Everywhere(), fails="observations", false={"longest": 1}, true={"also": "next states"}, under="")

def is_determined(longest: int, beta: object) -> Answer:
    bound = enclosure(lambda: horizon_bound(3, 3, rational(beta)))
    first: dict[int, tuple[int, ...]] = {}
    for lengths in product(range(1, longest + 1), repeat=2):
        alike = first.setdefault(sum(lengths), lengths)
        inside = [whole(bound) >= max(each) for each in (alike, lengths)]
        if inside[0] != inside[1]:
            return answer(False, bound_on_lengths=bound, lengths=(alike, lengths), in_the_event=inside,
                observed=f"the one state, the one arm, reward 0, {sum(lengths)} times")
    return answer(True)

def measurable(at: EntryBuilder, claim_id: str, events_are: str) -> None:
    """Enter the claim that events which contain E^H are determined by the observations; rewards are always 0."""
    at.property(claim_id,
        rf"""{events_are} $\mathcal{{O}}_{{k-1}}$-measurable. [[ours]] That is, determined by
        $\mathcal{{O}}_{{k-1}}$, with states, arms and rewards of all steps $t < t_k$ in it, and nothing else; here for
        $K = k = 3$, $\beta = [[beta]]$ and lengths of at most $[[longest]]$.""",
        is_determined,
        domain=r"one arm of one state, two episodes, rewards always $0$: only $\mathcal{E}^H_2$ may fail",
        longest=3, beta="1/5", by=Everywhere(), fails="observations", false={"longest": 4, "beta": "1/2"},
        true={"beta": "1/2"})

measurable(at.printed(650), "lem:concentration/measurable",
    r"$\mathcal{E}^H_{k-1}$, $\mathcal{E}^r_{k-1}$, $\mathcal{E}^Q_{k-1}$ and $\mathcal{E}^V_{k-1}$ are")

at.ours(650).property("lem:concentration/measurable/repair",
    r"""The states and rewards of all steps $t < t_k$, with the [[also]] of the episodes, determine $H_{k'}$, and how
    often each move was made and each reward paid in each state in the first $k'$ episodes, for all $k' \le k-1$.""",
    counts_are_determined,
    domain="one arm of two states, rewards $0$ or $1$, two episodes of at most 3 steps, all paths",
    also="lengths and next states",
    by=Decides(counts_are_determined, covers="all paths of two episodes are enumerated", grade=Grade.EXHAUSTIVE),
    false=[{"also": "lengths"}, {"also": "next states"}],
    repairs=("lem:concentration/measurable", "def:estimators/known"))

CAUSES = [
    Cause("observations", Severity.SLIP, line=269,
        title="The observations before an episode lack the episodes' lengths and their last moves",
        printed=r"""$\mathcal{O}_{k-1} = (X_1, A_1, R_1, \ldots, X_{t_k-1}, A_{t_k-1}, R_{t_k-1})$; the events of the
        lemma are $\mathcal{O}_{k-1}$-measurable.""",
        why=r"""Episodes of lengths $(2, 2)$ and $(1, 3)$ of one state are observed alike, and for $K = k = 3$, $\beta =
        1/5$ only the first are in $\mathcal{E}^H_2$. The estimate of the rows after $(X_1) = (1)$ depends on where the
        arm moved at step $1$, which is not in $\mathcal{O}_1$.""",
        instead=r"""$\mathcal{O}_{k-1}$ with the lengths $H_1, \ldots, H_{k-1}$ and, for each step, the state that the
        arm moved to, as Algorithm 1 observes them""",
        follows=r"Nothing: the algorithms observe both.", witness="lem:concentration/measurable"),
]

# == Event E^H of Lemma `concentration`: no earlier episode was longer than log(K(k-1))/(1-beta).

INSIDE = ForAll(K >= 2, k >= 2, k <= K, beta > 0, beta < 1)
EPSILON = LOG / log(1 / beta)  # the paper's epsilon: beta^epsilon = 1/(K(k-1))

def some_longer(threshold: sympy.Expr) -> sympy.Expr:
    """Return the probability that one of k-1 independent lengths exceeds a threshold."""
    return 1 - (1 - beta ** floor(threshold)) ** (k - 1)

at.printed(662).relation("conc:H/tail",
    r"""$\sum_{k'=1}^{k-1} \mathbb{P}(H_{k'} > \epsilon) = (k-1)\beta^{\lfloor\epsilon\rfloor}$. [[ours]] For each
    length, of law $\mathbb{P}(H = j) = (1-\beta)\beta^{j-1}$, and with $e$ for $\epsilon$: $[[formula]]$.""",
    ForAll(e >= 0, beta >= 0, beta < 1),
    Eq(1 - Sum((1 - beta) * beta ** (j - 1), (j, 1, floor(e))), beta ** (floor(e) + a)), a=0,
    kernel="tail", nearest="a+")

at.printed(662).relation("conc:H/union",
    r"""$\mathbb{P}(\exists k' \le k-1: H_{k'} > \epsilon) \le \sum_{k'=1}^{k-1} \mathbb{P}(H_{k'} > \epsilon)$.
    [[ours]] With $e$ for $\epsilon$ and `conc:H/tail` for each, $[[formula]]$.""",
    ForAll(k >= 2, e >= 0, beta >= 0, beta < 1), some_longer(e) <= (k - 1 - a) * beta ** floor(e), a=0,
    kernel="union_bound", nearest="a")

AS_EXPONENTIAL = Step(Algebra(), Eq(beta**x, exp(x * log(beta))),
    over=ForAll(x >= 0, beta > 0, beta < 1))  # equivalent: of any real x it is true

def power_at_most(exponent: sympy.Expr, logarithm: sympy.Expr) -> tuple[Step, ...]:
    """Return the steps to beta^exponent <= exp(logarithm), from the inequality between the logarithms."""
    return AS_EXPONENTIAL.put({x: exponent}), EXP_INCREASES.put({u: exponent * log(beta), v: logarithm})

at.printed(664).relation("conc:H/epsilon",
    r"""With $\epsilon = \frac{\log(1/(K(k-1)))}{\log(\beta)}$, $\mathbb{P}(\exists k' \le k-1: H_{k'} > \epsilon) \le
    1/K$. [[ours]] By the display before it, $(k-1)\beta^{\lfloor\epsilon\rfloor} \le \frac{1}{K[[p=0?\beta^{#}]]}$. For
    $k = 2$ the left side is the probability itself.""",
    INSIDE, (k - 1) * beta ** floor(EPSILON) <= 1 / (K * beta**p), reading=FROM_2, p=0,
    by=[LOG_OF_INVERSE, *power_at_most(floor(EPSILON), -LOG - p * log(beta))], fails="horizon-floor",
    candidates=[{K: fmpq(2), k: fmpq(2), beta: each} for each in (fmpq(1, 3), fmpq(499, 1000))], false={"p": "99/100"},
    true={"p": 1})

at.repairs("conc:H/epsilon").relation("/repair",
    r"""With $\epsilon = \frac{\log(1/(K(k-1)))}{\log(\beta)}$, the probability that one of the first $k-1$ lengths
    exceeds $\lceil\epsilon\rceil[[b=0? - #]]$ is at most $[[c]]/K$.""",
    INSIDE, some_longer(ceiling(EPSILON) - b) <= c / K, b=0, c=1,
    by=[LOG_OF_INVERSE,
        Uses("conc:H/union", {e: ceiling(EPSILON) - b}),
        *power_at_most(floor(ceiling(EPSILON) - b), -LOG)],
    false={"b": 1}, nearest="c")

at.ours(667).relation("conc:H/logarithm", "",
    ForAll(beta > 0, beta <= 1), (1 + beta) * log(1 / beta) >= c * (1 - beta), c=2,
    by=[LOG_OF_INVERSE,
        Step(LeastAt(beta, 1), -(1 + beta) * log(beta) >= 2 * (1 - beta), over=ForAll(beta > 0, beta <= 1))],
    nearest="c")

at.printed(667).relation("conc:H/strict",
    r"""$\epsilon = \frac{\log(1/(K(k-1)))}{\log(\beta)} = \frac{\log(K(k-1))}{\log(1/\beta)} <
    \frac{\log(K(k-1))}{1-\beta}$. [[ours]] $[[formula]]$.""",
    ForAll(K >= 1, k >= 1, k <= K, beta >= 0, beta < 1), Eq(log(1 / (K * (k - 1))) / log(beta), EPSILON),
    LOG / (c * (1 - beta)) > EPSILON, c=1,
    by=["conc:H/logarithm", LOG_OF_INVERSE,
        Step(Algebra(), Eq(log(1 / x), -log(x)), over=ForAll(x > 0), at={x: K * (k - 1)}),
        Step((1 + beta) * c * (1 - beta) < 2 * (1 - beta), over=ForAll(beta > 0, beta < 1))],
    survives=Survives(k >= 2, beta > 0), fails="log-of-zero", false={"c": "21/20"}, nearest="c")

LONG = fmpq(99, 100)  # near 1, where the bound for K = 8 and k = 2 is nearly attained
THREE_OF_THREE = (K >= 3, K <= 3, k >= 3, k <= 3)

def outside(threshold: sympy.Expr) -> tuple[Step, ...]:
    """Return the steps to P(some length exceeds the threshold) <= 1/K, for a threshold that is large enough."""
    return (Step(Uses("conc:H/union", {e: threshold})), LOG_OF_INVERSE, Step(Uses("conc:H/logarithm")),
        *power_at_most(floor(threshold), -LOG))

def within_one(threshold: sympy.Expr) -> tuple[Step, ...]:
    """Return the steps to beta^floor(threshold) <= 1/(beta K(k-1)), as the floor loses at most one factor beta."""
    return power_at_most(floor(threshold), -LOG - log(beta))

at.printed(652).relation("conc:H",
    r"""$\mathbb{P}(\lnot\mathcal{E}^H_{k-1}) \le [[c]]/K$. [[ours]] With $m = \lfloor
    [[*b]]\log(K(k-1))/(1-\beta)\rfloor$, one of the first $k-1$ lengths exceeds $m$ with probability
    $1-(1-\beta^m)^{k-1}$.""",
    EPISODES, some_longer(b * BOUND) <= c / K, reading=FROM_2, c=1, b=1,
    by=Cases(([K * (k - 1) >= 8, beta > 0], Argument(log_at_least(2, 8), *outside(b * BOUND))),
        ([K * (k - 1) >= 8, beta <= 0], Argument(log_at_least(2, 8))),
        ([*THREE_OF_THREE, beta <= Rational(10, 11)], Enclosures()),
        ([*THREE_OF_THREE, beta >= Rational(10, 11)], Argument(*within_one(b * BOUND)))),
    survives=Survives(Max(K - 8, k - 3) >= 0, says=r"$k \ge 3$ or $K \ge 8$"), fails="horizon-floor",
    severity=Severity.EDGE, refuted=("event_H_fails_for", "event_H_fails"),
    candidates=[{K: fmpq(q), k: fmpq(2), beta: at} for q, at in ((7, fmpq(33, 37)), (3, fmpq(2, 5)), (8, LONG))],
    nearest="c b")

at.repairs("conc:H", 643).relation("/repair",
    r"""With $\max\{[[a]], \log(K(k-1))\}$ in place of $\log(K(k-1))$ in $\mathcal{E}^H_{k-1}$, its complement has
    probability at most $[[c]]/K$.""",
    EPISODES, some_longer(Max(a, LOG) / (1 - beta)) <= c / K, a=2, c=1, kernel="event_H_repaired",
    repairs=("conc:H", "lem:concentration"),
    candidates=[{K: fmpq(q), k: fmpq(2), beta: at} for q, at in ((7, fmpq(92513, 100_000)), (8, LONG))],
    nearest="a c")

at.repairs("conc:H").relation("/repair-factor",
    r"""$\mathbb{P}(\lnot\mathcal{E}^H_{k-1}) \le [[c]]/K$, the event as printed. For $K = k = 2$ and $\beta = 0$ the
    bound on the lengths is below $1$, and the probability is $1$.""",
    EPISODES, some_longer(BOUND) <= c / K, c=2, kernel="event_H_factor", nearest="c")

CAUSES += [
    Cause("horizon-floor", Severity.GAP, line=664, title="A floor in the exponent is taken for the exponent",
        printed=r"""with $\epsilon = \frac{\log(1/(K(k-1)))}{\log\beta}$, $\mathbb{P}(\exists k' \le k-1: H_{k'} >
        \epsilon) \le 1/K$, and so $\mathbb{P}(\lnot\mathcal{E}^H_{k-1}) \le 1/K$""",
        why=r"""$\beta^{\lfloor\epsilon\rfloor} \ge \beta^{\epsilon}$. For $K = 7$, $k = 2$, $\beta = 33/37$ the event
        fails with probability $(33/37)^{17} = 0.1429\ldots > 1/7$; for $K = 3$, $k = 2$, $\beta = 2/5$ with probability
        $2/5 > 1/3$; for $K = 2$, $\beta = 0$ always.""",
        instead=r"""Line 643: $\max\{2, \log(K(k-1))\}$ in place of $\log(K(k-1))$; then the printed
        $1/K$ is right. Or line 652: $\mathbb{P}(\lnot\mathcal{E}^H_{k-1}) \le 2/K$.""",
        follows=r"""As printed the bound is right for $k \ge 3$ and for $K \ge 8$, since the step from $\log(1/\beta)$
        to $1-\beta$ gains what the floor loses, and $2/K$ is right always. With the maximum in the event $\tau_k$ takes
        it too, $\tau_k = (k-1)\max\{2, \log(K(k-1))\}/(1-\beta)$, wherever it bounds $t_k - 1$. With radii in $t_k$ no
        event about the lengths is needed (`def:bonuses/repair`).""",
        witness="conc:H"),
]

# == The consequence t_k <= tau_k of event E^H for Lemma `concentration`, and the factor L_{k-1} made of tau_k.

ON_THE_EVENT = ForAll(K >= 2, k >= 2, k <= K, beta >= 0, beta < 1, H >= 1, H <= BOUND)
AN_EPISODE = {K: fmpq(3), k: fmpq(2), beta: fmpq(1, 2), H: fmpq(2)}
NEARLY_WHOLE = {K: fmpq(2), k: fmpq(2), beta: 1 - fmpq(69_314_718, 10**11), H: fmpq(1000)}

at.printed(671).relation("conc:tau",
    r"""On $\mathcal{E}^H_{k-1}$, $t_k \le \tau_k = (k-1)\frac{\log(K(k-1))}{1-\beta}$. [[ours]] With $H$ the longest of
    the first $k-1$ lengths, $t_k \le 1 + (k-1)H$, and equal to it if they are all alike: $[[formula]]$.""",
    ON_THE_EVENT, 1 + (k - 1) * H <= TAU + a, reading=FROM_2, a=0, by=Solver(), fails="t_k-above-tau_k",
    refuted="time_fails", candidates=[AN_EPISODE, NEARLY_WHOLE], false={"a": "999/1000"}, true={"a": 1})

at.repairs("conc:tau").relation("/repair",
    r"""On $\mathcal{E}^H_{k-1}$, $t_k \le \tau_k + 1$, so that at most $\tau_k$ steps precede the episode. With $H$ the
    longest of the first $k-1$ lengths, $t_k \le 1 + (k-1)H$: $[[formula]]$.""",
    ON_THE_EVENT, 1 + (k - 1) * H <= TAU + a, a=1, kernel="time_repaired", candidates=[NEARLY_WHOLE],
    nearest="a")

at.printed(677).relation("conc:tau/counts",
    r"""On $\mathcal{E}^H_{k-1}$, $N_{k-1}(x_a) < \tau_k$. [[ours]] With $x = \log(K(k-1))/(1-\beta)$ and $H \le x$ the
    longest of the first $k-1$ lengths, $N_{k-1}(x_a) \le (k-1)H$, and equal to it if there is but one arm of one
    state and the lengths are alike: $[[formula]]$.""",
    ForAll(k >= 2, H >= 1, x >= 1, x >= H), (k - 1) * H < (k - 1) * x + a, reading=FROM_2, a=0, by=Solver(),
    survives=Survives(x > H, says=r"$H < \log(K(k-1))/(1-\beta)$"), fails="t_k-above-tau_k",
    severity=Severity.EDGE,
    candidates=[{k: fmpq(2), H: fmpq(1), x: fmpq(1)}, {k: fmpq(2), H: fmpq(1), x: 1 + fmpq(1, 10**9)}],
    false={"a": "-1/100"}, nearest="a")

ALL_SIZES = ForAll(S >= 1, n >= 1, K >= 1, k >= 1, k <= K, beta >= 0, beta < 1)
LOG_2 = log_at_least(Rational(17, 25), 2)

at.printed(641).relation("conc:domain",
    r"""$L_{k-1} = \sqrt{2\log(\frac{2SnK(k-1)\log(K(k-1))}{1-\beta})}$ for any $k \le K$. [[ours]] This is a real
    number: $[[formula]]$.""",
    ALL_SIZES, log(Y / c) >= 0, c=1, by=[LOG_2], survives=Survives(k >= 2), fails="log-of-zero", nearest="c+")

at.ours(641).relation("conc:domain/least",
    r"$L_{k-1}^2 > 2(1+\beta)$, and $L_{k-1} > 1 + \beta$: $[[formula]]$.",
    ALL_SIZES.where(k >= 2), log(Y) > 1 + beta + a, 1 + beta + b < L_EARLIER, reading=FROM_2, a=0, b=0,
    by=[LOG_2,
        Step(LeastAt(v, Rational(68, 25)), log(v) > 1, over=ForAll(v >= Rational(68, 25)),
            at={v: Y * (1 - beta)}),
        Step(Algebra(), Eq(log(u / y), log(u) - log(y)), over=ForAll(u > 0, y > 0),
            at={u: Y * (1 - beta), y: 1 - beta})],
    candidates=[{S: ONE, n: ONE, K: fmpq(2), k: fmpq(2), beta: fmpq(11, 25)}], nearest="a b")

at.ours(644).relation("conc:domain/unvisited",
    r"""$L_{k-1} \ge 2$ where an arm state can be left unvisited although an episode has been played ($Sn \ge 2$), and
    $\mathcal{E}^H_{k-1}$ is possible: $[[formula]]$.""",
    ALL_SIZES.where(S * n >= 2, k >= 2, BOUND >= 1), log(Y) >= c, reading=FROM_2, c=2,
    by=[log_at_least(2, 8, Y)], nearest="c",
    candidates=[{S: fmpq(2), n: ONE, K: fmpq(2), k: fmpq(2), beta: fmpq(307, 1000)}])

def smaller_factor(claim_id: str, bound: sympy.Expr, domain: ForAll, **details: Any) -> Relation:
    last = c * S * n * K**2 * log(K) / (1 - beta)
    return Relation(claim_id, domain, sqrt(2 * log(2 * S * n * K * (k - 1) * bound)) <= sqrt(2 * log(last)), c=4,
        **details)

def by_products(bound: sympy.Expr) -> Argument:
    """Return the argument that logarithms are in the order of their arguments."""
    left, right = 2 * S * n * K * (k - 1) * bound, 4 * S * n * K**2 * log(K) / (1 - beta)
    of_product = Step(Algebra(), Eq(log(x * y), log(x) + log(y)),
        over=ForAll(x > 0, y > 0), at={x: K, y: k - 1})
    return Argument(LOG_INCREASES.put({u: k - 1, v: K}), of_product, LOG_2, LOG_INCREASES.put({u: left, v: right}))

at.printed(930).statement(
    smaller_factor("conc:L", BOUND, ForAll(S >= 1, n >= 1, K >= 1, k >= 1, k <= K + 1, beta >= 0, beta < 1),
        says=r"$L_k \le L_K$. [[ours]] That is, $L_{k-1} \le L_K$ for $k \le K + 1$: $[[formula]]$."),
    by=by_products(BOUND), survives=Survives(K >= 2, k >= 2), fails="log-of-zero", nearest="c")

at.ours(930).statement(
    smaller_factor("conc:L/repair", Max(2, LOG) / (1 - beta), ALL_SIZES.where(k >= 2),
        says=r"""With $\max\{2, \log(K(k-1))\}$ in place of $\log(K(k-1))$ in $\mathcal{E}^H_{k-1}$, in $\tau_k$ and so
        in $L_{k-1}$, $L_{k-1} \le L_K$ for $2 \le k \le K$: $[[formula]]$.""",
        reading=FROM_2),
    by=by_products(Max(2, LOG) / (1 - beta)), candidates=[{S: ONE, n: ONE, K: fmpq(10**9), k: fmpq(10**9), beta: ZERO}],
    nearest="c", repairs="conc:L")

CAUSES += [
    Cause("t_k-above-tau_k", Severity.GAP, line=671,
        title="The bound on the number of steps is taken for one on the first step of the episode",
        printed=r"""On $\mathcal{E}^H_{k-1}$, $t_k \le \tau_k$, and so $N_{k-1}(x_a) < \tau_k$, and the union runs over
        $\ell \le \tau_k - 1$.""",
        why=r"""$t_k = 1 + \sum_{i<k} H_i$, and only the sum is at most $\tau_k$. For $K = 3$, $k = 2$, $\beta = 1/2$
        the event allows $H_1 = 2$: then $t_2 = 3 > \tau_2 = 2.197\ldots$ For $\beta = 0$ and the same $K$ and $k$ the
        union over $\ell \le \tau_2 - 1 = 0.098\ldots$ is empty, while $N_1 = 1$.""",
        instead=r"$t_k \le \tau_k + 1$, so that at most $\tau_k$ steps precede the episode; the union is over as many",
        follows=r"""Nothing: the sum that is computed has $\lfloor\tau_k\rfloor$ terms, and is at most $1/K$. (Where
        $\mathcal{E}^H$ has $\max\{2, \log(K(k-1))\}$ in place of $\log(K(k-1))$, so has $\tau_k$.)""",
        witness="conc:tau"),
    Cause("log-of-zero", Severity.EDGE, line=641,
        title="For K = 1 the bound has the logarithm of 0, and so have the radii in the first episode",
        printed=r"""$L_{k-1} = \sqrt{2\log\frac{2SnK(k-1)\log(K(k-1))}{1-\beta}}$ for any $k \le K$, and $L_K =
        \sqrt{2\log\frac{4SnK^2\log K}{1-\beta}}$.""",
        why=r"""At $k = 1$ it is $\log(K(k-1)) = \log 0$; at $K = 1$, $L_K$ has the logarithm of $\log 1 = 0$. (At
        $\beta = 0$ the proof divides by $\log(1/\beta)$.)""",
        instead=r"""Line 368: for $K \ge 2$. Line 641: for $k \ge 2$. In Section A.1: the first episode costs at
        most $\mathbb{E}[H_1] = \frac{1}{1-\beta}$, whatever is known; the sums over the events begin with $k = 2$.""",
        checked=("thm:regret_upper_bound/repair", "conc:L/repair", "eq:proof_UCRL2_regret/repair"),
        follows=r"Nothing but the additive constants: the sums over $k$ start at $2$, and $K \ge 2$.",
        witness="conc:domain"),
]

# == How the proof of Lemma `concentration` passes from independent draws to a learner that looks at them.

PLAYS = ((TWO_COINS, (1, 1)), (TWO_COINS, (2, 2)), (TWO_COINS, (1, 1, 2)), (MOVING, (1, 1)), (MOVING, (2, 1)))

def same_law(instance: tuple[Play, tuple[int, ...]], starts: str) -> Answer:
    play, lengths = instance
    drawn, shown = histories(play, lengths), from_tapes(play, lengths, rewinds="every" in starts)
    return all_of(answer(drawn.get(history) == shown.get(history), play=play.says, lengths=lengths, history=history)
        for history in {**drawn, **shown})

def every_learner() -> Iterator[tuple[Play, tuple[int, ...]]]:
    """Yield all learners of two coins over three episodes of one step; a learner maps past rewards to an arm."""
    so_far = [rewards for size in range(3) for rewards in product((ZERO, ONE), repeat=size)]
    for arms in product((0, 1), repeat=len(so_far)):
        chosen = dict(zip(so_far, arms, strict=True))

        def learner(history: History, chosen: Mapping[tuple[fmpq, ...], int] = chosen) -> Policy:
            arm = chosen[tuple(step.outcome.reward for (step,) in history)]
            return lambda state: arm

        yield replace(TWO_COINS, learner=learner, says=f"two coins, means 1/3 and 1/2; arms {chosen}"), (1, 1, 1)

at.printed(673).property("conc:pre-drawn",
    r"""$\hat r_{k-1}(x_a) = \tilde r_{N_{k-1}(x_a)}(x_a)$, $\tilde r_\ell(x_a)$ being the mean of $\ell$ i.i.d. rewards
    in $x_a$. [[ours]] So for the rows too: with a sequence of pairs (reward, next state) that is drawn independently
    for each $x_a$, all that is observed has the same law as if the $\ell$-th activation of $x_a$ showed the $\ell$-th
    pair of that sequence (which starts [[starts]]). (For every learner of Section 3 there is a union bound,
    `conc:pre-drawn/union`.)""",
    same_law, over=Family("""all deterministic learners of two coins, of means $1/3$ and $1/2$, over three episodes of
        one step; and five plays of deterministic learners of two arms, of one state or of two, over two or three
        episodes""",
        lambda: chain(PLAYS, every_learner()), complete=True),
    reading={"next state": "observed"}, starts="with the first episode", by=Everywhere(),
    false={"starts": "anew with every episode"})

def ends_with_one(shown: Sequence[Outcome]) -> bool:
    return shown[-1].reward == 1

RULES = tuple((play, lengths, ends_with_one) for play, lengths in ((ONE_COIN, (1,)), *PLAYS))

Met: TypeAlias = tuple[Play, tuple[int, ...], Event]

def within_union(instance: Met, c: object, visited: bool = False) -> Answer:
    play, lengths, event = instance
    met = probability_at_episode_ends(play, lengths, event)
    largest = max(chance_of(play, at, ell, event) for at in play.arm_states for ell in range(1, sum(lengths) + 1))
    number = fmpq(len(play.arm_states))
    if visited:
        law = histories(play, lengths).items()
        number = sum((p * len({each[:2] for episode in past for each in episode}) for past, p in law), ZERO)
    bound = rational(c) * number * largest * sum(lengths)
    told = {"play": play.says, "lengths": lengths, "event": event.__name__.replace("_", " ")}
    return answer(met <= bound, **told, probability=met, p=largest, bound=bound)

at.implied(684).property("conc:pre-drawn/union",
    r"""Given the lengths of the first $k-1$ episodes, let $B_\ell(x_a)$ be an event about the first $\ell$ pairs
    (reward, next state) that $x_a$ shows, of probability at most $p$ for $\ell$ independent pairs, for each $\ell \ge
    1$ and each $x_a$. Then $B_{N_{k'}(x_a)}(x_a)$ happens for some $x_a$ and $k' \le k-1$ with $N_{k'}(x_a) \ge 1$ with
    probability at most $[[*c]]nS\,p\,(t_k - 1)$.""",
    within_union,
    over=Family("all histories of small plays of learners that look at what they saw", lambda: iter(RULES)),
    domain=LEARNERS, reading={"next state": "observed"}, c=1,
    kernel="union_given_lengths", nearest="c")

at.ours(684).property("conc:pre-drawn/visited",
    r"""In the place of the $nS$ arm states of `conc:pre-drawn/union` the mean number of those that are activated is
    enough: the probability is at most $[[*c]]\,\mathbb{E}[\#\{x_a: N_{k-1}(x_a) \ge 1\}]\,p\,(t_k - 1)$.""",
    partial(within_union, visited=True),
    over=Family("""all deterministic learners of two coins over one or three episodes of one step, and plays of two
        arms; the event that the last reward shown is $1$""",
        lambda: chain(RULES[1:], ((play, ones[:size], ends_with_one) for play, ones in every_learner()
            for size in (1, 3))), complete=True),
    domain=LEARNERS, reading={"next state": "observed"}, c=1, kernel="union_over_visited", nearest="c")

at.ours(684).relation("conc:mean-steps",
    r"""For $0 \le \beta < 1$, $\mathbb{E}[t_k - 1] = \frac{k-1}{1-\beta} = \frac{\tau_k}{\log(K(k-1))}$; and with $p =
    \frac{1}{SnK\tau_k}$ what `conc:pre-drawn/union` bounds has probability at most $\frac{1}{K\log(K(k-1))}$ in the
    mean over the lengths. This is at most $1/K$ for $K \ge 3$ and at most $2/K$ for $K = 2$: $[[formula]]$.""",
    ForAll(K >= 2, k >= 2, k <= K), c * Max(1, 4 - K) / K >= 1 / (K * LOG), reading=FROM_2, c=1,
    kernel="mean_steps",
    nearest="c")

# == Event E^r of Lemma `concentration`: the mean rewards, by the paper's route through E^H and without it.

FROM_0 = ANY_SIZES.replace(r"1 \le k'", r"0 \le k'")

at.printed(677).relation("conc:r/hoeffding",
    r"""$\mathbb{P}(|\tilde r_\ell(x_a) - r(x_a)| \ge \epsilon) \le 2e^{-2\ell\epsilon^2}$, with $\epsilon =
    [[*s]]\sqrt{\frac{\log(2SnK\tau_k)}{2\ell}}$. [[ours]] The rewards are in $[0, 1]$. With $y =
    2SnK\tau_k$, $2e^{-2\ell\epsilon^2} \le \frac{2}{y} = \frac{1}{SnK\tau_k}$.""",
    ForAll(ell >= 1, y > 1), deviation(), s=1, by="cited:hoeffding", nearest="s")

COUNTS = ForAll(K >= 2, k >= 2, k <= K, beta >= 0, beta < 1, H >= 1, H <= BOUND, N >= 1, (k - 1) * H >= N)
ONE_STEP = {K: fmpq(3), k: fmpq(2), beta: fmpq(0), H: fmpq(1), N: fmpq(1)}

at.printed(681).relation("conc:r/count",
    r"""$\mathbb{P}\big(\mathcal{E}^H_{k-1} \land \exists a, x_a, k' \le k-1: |\hat r_{k'}(x_a) - r(x_a)| \ge
    \sqrt{\frac{\log(2SnK\tau_k)}{2N_{k'}(x_a)}}\big) \le \sum_{\ell=1}^{\tau_k} \sum_a \sum_{x_a}
    \mathbb{P}\big(|\tilde r_\ell(x_a) - r(x_a)| \ge \sqrt{\frac{\log(2SnK\tau_k)}{2\ell}}\big)$. [[ours]] It is
    shown only with the largest $p$ of these probabilities in place of each: $nS\tau_kp$ is `conc:pre-drawn/union` for
    $t_k - 1 \le \tau_k$ (`conc:tau/repair`). And on $\mathcal{E}^H_{k-1}$ the counts $N = N_{k'}(x_a) \ge 1$ are among
    $1, \ldots, \lfloor\tau_k\rfloor$: with $H$ the longest of the first $k-1$ lengths, $N \le (k-1)H$, and
    $[[formula]]$.""",
    COUNTS, floor(TAU) - a >= N, reading={**FROM_2, "next state": "observed"}, a=0,
    by=["conc:pre-drawn/union", "conc:tau/repair"], so=Solver(integers=True),
    candidates=[ONE_STEP], nearest="a", max_instances=60)

at.printed(680).relation("conc:r/union-range",
    r"""On $\mathcal{E}^H_{k-1}$ the union is over $N_{k'}(x_a) = \ell$ with $\ell \in \{1, \ldots, \tau_k - [[a]]\}$.
    [[ours]] So the counts $N_{k'}(x_a) \ge 1$ are among these: with $H$ the longest of the first $k-1$ lengths, $N \le
    (k-1)H$, and $[[formula]]$.""",
    COUNTS, TAU - a >= N, reading=FROM_2, a=1, by=Solver(), fails="t_k-above-tau_k",
    candidates=[ONE_STEP, {**NEARLY_WHOLE, N: fmpq(1000)}], false={"a": "1/1000"}, true={"a": 0}, max_instances=60)

at.printed(682).relation("conc:r/union",
    r"""$nS \sum_{\ell=1}^{\tau_k} 2e^{-[[e]]\ell\frac{\log(2SnK\tau_k)}{2\ell}} = [[c]]/K$. [[ours]] As the last of a
    chain of upper bounds: with $\le$ for $=$ (equal only if $\tau_k$ is an integer), $\lfloor\tau_k\rfloor$ terms, each
    of them the same, and $x = \tau_k$, $[[formula]]$.""",
    ForAll(S >= 1, n >= 1, K >= 1, x > 0),
    n * S * floor(x) * 2 * exp(-e * log(2 * S * n * K * x) / 2) <= c / K, c=1, e=2, by=Solver(),
    candidates=[{S: ONE, n: ONE, K: ONE, x: ONE}], nearest="c e-")

at.ours(653).statement(
    leaving("conc:r/repair", REWARDS, of_means, of_k_and_log,
        r"""$|\hat r_{k'}(x_a) - r(x_a)| > [[*s]]\frac{L_{k-1}}{2\sqrt{N_{k'}(x_a)}}$ for some $x_a$ and
        $k' \le k-1$ with $N_{k'}(x_a) \ge 1$ has probability at most $\frac{[[c]]}{K\log(K(k-1))}$; so has
        $\lnot\mathcal{E}^r_{k-1}$, for $k' = 0$ too, if the estimate is $1/2$ where $N = 0$. Event
        $\mathcal{E}^H_{k-1}$ is not used.""",
        domain=FROM_0),
    kernel="event_r_repaired", nearest="s c", repairs="conc:r/no-visit")

at.printed(653).statement(
    leaving("conc:r", REWARDS, of_means, of_k,
        r"""$\mathbb{P}(\lnot\mathcal{E}^r_{k-1}) \le [[c]]/K$, where $\mathcal{E}^r_{k-1}$ is that
        $|\hat r_{k'}(x_a) - r(x_a)| \le [[*s]]\frac{L_{k-1}}{2\sqrt{\max\{1, N_{k'}(x_a)\}}}$ for all $x_a$ and
        $k' \le k-1$.""",
        of_unplayed_arm(), domain=ANY_SIZES, reading=FAIR, c=2),
    kernel="event_r", false={"s": "1/2"}, nearest="s c")

at.printed(644).property("conc:r/no-visit",
    r"""$\mathbb{P}(\lnot\mathcal{E}^r_{k-1}) \le [[c]]/K$, the event being for all $a$, $x_a$ and $k' \le k-1$.
    [[ours]] So for $k' = 0$ too, with the estimate $[[guess]]$ where $N_{k'}(x_a) = 0$.""",
    lambda cell, guess, c: leaves(before_any_visit(Cell(*cell), rational(guess)), of_means, of_k, 1, c),
    over=Family("one arm of one state, of mean 1, at $k' = 0$", lambda: iter([(1, 1, 3, 2, fmpq(0))])),
    domain=FROM_0, reading={**FROM_2, "no visit": "zero", "clock": "tau_k"}, guess=0, c=2,
    fails="no-visit", false=[{"c": "299/100"}, {"guess": "7/250"}], true=[{"guess": "29/1000"}, {"guess": "1/2"}])

CAUSES += [
    Cause("no-visit", Severity.EDGE, line=644,
        title="The estimate of a state that was never visited is 0/0, and no radius need cover it",
        printed=r"""$\hat r_{k'}(x_a)$ and $\hat Q_{k'}(x_a, \cdot)$ divide by $N_{k'}(x_a)$, and the events bound their
        deviation for all $x_a$ and all $k' \le k-1$ by radii with $\max\{1, N_{k'}(x_a)\}$.""",
        why=r"""For $S = n = 1$, $K = 3$, $k = 2$, $\beta = 0$ and $r = 1$, with $\hat r_0 = 0$, the radius $L_1/2 =
        0.9710\ldots$ is below $1$, and $\mathcal{E}^r_1$ never happens: $1 > 2/3$. (For $\beta = 0$ and
        $n = 1$ the event $\mathcal{E}^V_1$ is the same.)""",
        instead=r"""the estimate $1/2$ and any probability row where $N = 0$ (then all radii cover them), or only
        $N_{k'}(x_a) \ge 1$ in the events.""",
        follows=r"""Nothing for $k' \ge 1$ and $K \ge 3$: an unvisited state is then one of $Sn \ge 2$, and $L_{k-1} \ge
        2$. MB-UCBVI's model for a state without a visit has to be said.""",
        witness="conc:r/no-visit"),
]

# == Event E^Q of Lemma `concentration`: the transition rows, with the next state as the algorithm sees it.

at.printed(698).relation("conc:Q/weissman",
    r"""$\mathbb{P}(\lVert\hat Q_{k-1}(x_a, \cdot) - Q(x_a, \cdot)\rVert_1 \ge \epsilon) \le 2^S
    e^{-N_{k-1}(x_a)\epsilon^2/2}$ if $N_{k-1}(x_a)$ were not random, with $\epsilon =
    [[*s]]\sqrt{2\log(SnK\tau_k2^S)/N_{k-1}(x_a)}$. [[ours]] For $\ell$ moves and with $y = SnK\tau_k$, $2^S
    e^{-\ell\epsilon^2/2} \le \frac{1}{y} = \frac{1}{SnK\tau_k}$.""",
    ForAll(S >= 1, ell >= 1, 2 * y > 1), distance(), s=1, by="cited:weissman", nearest="s")

at.printed(707).relation("conc:Q/split",
    r"""$\sqrt{2\log(SnK\tau_k2^S)} = \sqrt{2\log(2SnK\tau_k) + 2(S-1)\log 2} \le L_{k-1} + \sqrt{2(S-1)\log 2} \le
    L_{k-1} + [[c]]\sqrt{S}$. [[ours]] With $y = SnK\tau_k$, $[[formula]]$.""",
    ForAll(S >= 1, 2 * y >= 1), Eq(sqrt(2 * log(2**S * y)), sqrt(2 * log(2 * y) + 2 * (S - 1) * log(2))),
    sqrt(2 * log(2**S * y)) <= sqrt(2 * log(2 * y)) + sqrt(2 * (S - 1) * log(2)),
    sqrt(2 * log(2 * y)) + sqrt(2 * (S - 1) * log(2)) <= sqrt(2 * log(2 * y)) + c * sqrt(S), c="3/2",
    by=[Step(Algebra(), Eq(log(2**S * y), log(2 * y) + (S - 1) * log(2)),
            over=ForAll(S >= 1, y > 0))],
    nearest="c")

at.ours(654).statement(
    leaving("conc:Q/repair", ROWS, of_rows, of_k_and_log,
        r"""$\lVert\hat Q_{k'}(x_a, \cdot) - Q(x_a, \cdot)\rVert_1 > [[*s]]
        \frac{L_{k-1} + 1.5\sqrt{S}}{\sqrt{N_{k'}(x_a)}}$ for some $x_a$ and $k' \le k-1$ with $N_{k'}(x_a) \ge 1$ has
        probability at most $\frac{[[c]]}{K\log(K(k-1))}$. Event $\mathcal{E}^H_{k-1}$ is not used.""",
        domain=ANY_SIZES),
    kernel="event_Q_repaired", nearest="s", false={"s": "17/20", "c": 1000}, repairs="conc:Q/literal")

at.printed(654).statement(
    leaving("conc:Q", ROWS, of_rows, of_k,
        r"""$\mathbb{P}(\lnot\mathcal{E}^Q_{k-1}) \le [[c]]/K$, where $\mathcal{E}^Q_{k-1}$ is that $\lVert\hat
        Q_{k'}(x_a, \cdot) - Q(x_a, \cdot)\rVert_1 \le [[*s]]\frac{L_{k-1} + 1.5\sqrt{S}}{\sqrt{\max\{1,
        N_{k'}(x_a)\}}}$ for all $x_a$ and $k' \le k-1$. [[ours]] With $\hat Q$ that counts the state that the arm moved
        to.""",
        domain=ANY_SIZES, reading=FAIR, c=2),
    kernel="event_Q", false={"s": "17/20", "c": 1000}, nearest="s")

at.printed(634).property("conc:Q/literal",
    r"""$\mathbb{P}(\lnot\mathcal{E}^Q_{k-1}) \le [[c]]/K$, with $\hat Q_{k-1}(x_a, y_a) = \frac{1}{N_{k-1}(x_a)}
    \sum_{t=1}^{t_k-1} \mathbf{1}_{A_t = a \land X_{t,A_t} = x_a \land X_{t+1,A_t} = y_a}$. [[ours]] The next state is
    taken as [[next_state]] (literal: by the formula alone, against the words beside it, at the last step of an episode
    the next episode's first state, drawn from $\rho$).""",
    lambda at, next_state, c: leaves(restarted(*at, next_state), of_rows, of_k, 1, c),
    over=Family("one arm of two states that moves to the second for good",
        lambda: iter([(600, fmpq(1, 3)), (100, fmpq(1, 2)), (10, fmpq(0))])),
    domain=ANY_SIZES, reading=LITERAL, next_state="literal", c=2, fails="literal-next-state", false={"c": 9},
    true={"next_state": "observed"})

CAUSES += [
    Cause("literal-next-state", Severity.SLIP, line=634,
        title="By the formula, the next state of an episode's last step is the next episode's first",
        printed=r"""$\hat Q_{k-1}(x_a, y_a)$ counts $\mathbb{1}\{X_{t,A_t} = x_a, X_{t+1,A_t} = y_a\}$ for all $t \le
        t_k - 1$, and $X_{t_{k'}}$ is drawn from $\rho$ for each $k'$.""",
        why=r"""The words beside the formula and Algorithm 1 say what is meant. Read literally, the step that ends an
        episode shows a draw from $\rho$. With the rows $\beta Q(x_a, \cdot) + (1-\beta)\rho_a$ for $\hat Q$ and without
        bonus, the index policy of MB-UCBVI loses $1/5$ an episode, for $\beta = 1/2$, an arm that leaves state $0$
        surely for good and pays $0$ and then $1$, and one that always pays $2/5$. With one arm that leaves state $1$
        surely for good, episodes starting in $1$, $\beta = 1/3$ and $K = k = 600$, the events
        $\mathcal{E}^Q_{k-1}$ and $\mathcal{E}^V_{k-1}$ fail with probability above $0.99$.""",
        instead=r"""$\hat Q_{k-1}(x_a, y_a)$ counts the activations of $a$ in $x_a$ after which the arm moved to $y_a$,
        as the text says; at the last step of an episode too, where Algorithm 1 observes it.""",
        follows="All that uses the rows stands with the observed next state, and not with the literal formula.",
        witness="conc:Q/literal"),
]

# == The printed route to the probabilities of E^r and E^Q: first within E^H, then outside it.

def one_step_cases() -> Iterator[Estimates]:
    """Yield a case for K = k = 2 where E^H is that the episode has one step, and cases where E^H is certain."""
    cell = Cell(1, 1, 2, 2, fmpq(307, 1000))
    ones, zeros = (1 - cell.beta) / 6, (1 - cell.beta) * fmpq(5, 6)
    shown = {"one arm, one state": "rewards 1 with probability 1/6, else 0; an episode of one step"}
    law = ((2, fmpq(25, 18), ones), (2, fmpq(1, 18), zeros), (3, ZERO, cell.beta))  # no statistic outside E^H
    yield DeviationCase(cell, shown, law), of_means
    yield from (each for each in estimates(REWARD_CASES, ROW_CASES) if each[0].cell.beta == 0 and each[0].cell.K >= 3)

at.printed(685).property("conc:r/within-H",
    r"""$\mathbb{P}(\mathcal{E}^H_{k-1} \wedge \lnot\mathcal{E}^r_{k-1}) \le [[c]]/K$. [[ours]] And
    $\mathbb{P}(\mathcal{E}^H_{k-1} \wedge \lnot\mathcal{E}^Q_{k-1}) \le [[c]]/K$; with the radii
    $[[*s]]\frac{L_{k-1}}{2\sqrt{\max\{1, N_{k'}(x_a)\}}}$ and $[[*s]]\frac{L_{k-1} + 1.5\sqrt{S}}{\sqrt{\max\{1,
    N_{k'}(x_a)\}}}$.""",
    part_within,
    over=Family("exact cases of episodes of one step, adaptive learners among them", one_step_cases),
    domain=ANY_SIZES, reading=FAIR, s=1, c=1, kernel="within_H", nearest="s c")

def by_the_route() -> Cases:
    """Return the cases of P(not E^H) <= 1/(K-1): those of `conc:H`, and k = 2 with K <= 7, where the floor matters."""
    second = (k <= 2, K >= 3, K <= 7)
    few = (([k <= 2, Eq(K, q), beta <= Rational(q - 1, q)], Enclosures()) for q in range(3, 8))
    return Cases(([Max(K - 8, k - 3) >= 0], Argument("conc:H")), ([k <= 2, K <= 2], Solver()),
        ([*second, K * beta >= K - 1], Argument(*within_one(BOUND))), *few)

at.printed(691).relation("conc:r/printed-route",
    r"""$\mathbb{P}(\lnot\mathcal{E}^r_{k-1} \land \mathcal{E}^H_{k-1}) + \mathbb{P}(\lnot\mathcal{E}^H_{k-1}) \le
    \frac{[[c]]}{K}$. [[ours]] And so for $\mathcal{E}^Q_{k-1}$, although the second summand may exceed $\frac1K$
    (`conc:H`). Given any lengths in $\mathcal{E}^H_{k-1}$, $t_k - 1 \le \tau_k$, so that by `conc:pre-drawn/union` with
    $p = \frac{1}{SnK\tau_k}$ each event fails with probability at most $\frac1K$ (without a visit none fails:
    `conc:domain/unvisited`). So the sum is at most $\mathbb{P}(\mathcal{E}^H_{k-1})/K +
    \mathbb{P}(\lnot\mathcal{E}^H_{k-1})$, and $[[formula]]$.""",
    EPISODES, 1 / K + (1 - 1 / K) * some_longer(BOUND) <= c / K, reading=FAIR, c=2,
    by=["conc:pre-drawn/union",
        Step(r"$nS \cdot \frac{x}{SnK\tau_k} \le \frac1K$ for $x = t_k - 1 \le \tau_k$:",
            n * S * x / (S * n * K * TAU) <= 1 / K, over=SIZES.where(x <= TAU),
            at={S: 1, n: 1, x: TAU})],
    so=by_the_route(),
    candidates=[{K: fmpq(7), k: fmpq(2), beta: fmpq(33, 37)}, {K: fmpq(2), k: fmpq(2), beta: fmpq(0)}], nearest="c")

# == Event E^V of Lemma `concentration`, about S^n global states; its proof has a union bound over nS arm states.

at.ours(716).relation("conc:V/range",
    r"""One observation $R + \beta f(Y)$, with a reward in $[0, 1]$ and a function $f$ from $0$ to $\frac{1}{1-\beta}$,
    is at most $\frac{1}{1-\beta}$; so are discounted rewards of at most $1$ for $\ell$ steps and then $v \le
    \frac{1}{1-\beta}$; and Hoeffding's bound for the mean of $\ell$ observations from $0$ to $\frac{1}{1-\beta}$ at
    $\epsilon = [[*s]]\frac{1}{1-\beta}\sqrt{\frac{\log y}{2\ell}}$ is at most $2/y$. With $x = \beta^\ell$:
    $[[formula]]$.""",
    ForAll(beta >= 0, beta < 1, r >= 0, r <= 1, v >= 0, v <= 1 / (1 - beta), x >= 0, x <= 1, ell >= 1, y > 1),
    r + (beta + a) * v <= 1 / (1 - beta), (1 - x) / (1 - beta) + x * v <= 1 / (1 - beta), deviation(), a=0, s=1,
    by="cited:hoeffding", candidates=[{beta: fmpq(1, 2), r: fmpq(1), v: fmpq(2), x: fmpq(1), ell: fmpq(1), y: fmpq(2)}],
    nearest="a s")

at.implied(716).relation("conc:V/mean",
    r"""The deviation of $\hat r_{k-1} + \hat P_{k-1}V_M^{\pi_*}$ from $r + PV_M^{\pi_*}$, of which it is the empirical
    mean, is the one that $\mathcal{E}^V$ bounds. [[ours]] With $u = \hat r - r$ and $v = (\hat P - P)V_M^{\pi_*}$,
    $[[formula]]$.""",
    ForAll(u >= -1, u <= 1, beta > 0, beta < 1, v * (1 - beta) <= 1, -v * (1 - beta) <= 1),
    Eq(u + beta * v, u + d * v), d=1, by=Algebra(), fails="missing-discount",
    candidates=[{u: fmpq(0), v: fmpq(1, 2), beta: fmpq(1, 2)}], false={"d": "9/10"},
    true={"with the discount": {"d": beta}})

def depends_on_one_state(of_arm_2: Sequence[int | fmpq]) -> Answer:
    bandit, found = deviations_of_one_move([fmpq(each) for each in of_arm_2])
    told = {str(state): each for state, each in found.items()}
    return answer(len(set(found.values())) == 1, model=bandit, one_move="of arm 1, from state 1 to 1", deviations=told)

at.implied(718).property("conc:V/union",
    r"""$\hat r - r + \beta(\hat P^a - P^a)V^*$ at a global state $x$ depends on $x$ through $x_a$ only (arm 2 of the
    example pays [[of_arm_2]]).""",
    depends_on_one_state, of_arm_2=(0, 1), by=Everywhere(), fails="union-over-global-states",
    false={"arm 2 pays 1/2 or 3/4": {"of_arm_2": (fmpq(1, 2), fmpq(3, 4))}},
    true={"arm 2 alike in both states": {"of_arm_2": (0, 0)}, "n = 1": {"of_arm_2": ()}})

def is_mixture(bandit: Bandit, with_constant: bool, left_out: int, total: int) -> Answer:
    """Return whether V*(., x_-a), by policy iteration, is the mixture of the arm's retirement functions."""
    optimum = optimal_value(bandit).values
    for state in optimum:
        for arm in range(len(bandit.arms)):
            others = [each for each in range(len(bandit.arms)) if each != arm][left_out:]
            seen = Bandit([bandit.arms[each] for each in (arm, *others)], bandit.discount)
            mixture = retirement_mixture(seen, 0, [state[each] for each in (arm, *others)])
            shift = 0 if with_constant else mixture.constant
            expected = tuple(optimum[moved(state, arm, y)] for y in range(bandit.arms[arm].size))
            convex = min(mixture.weights) >= 0 and sum(mixture.weights) == total and mixture.constant >= 0
            if not convex or tuple(value - shift for value in mixture.values) != expected:
                return answer(False, model=bandit, arm=arm + 1, state=state, optimum=expected, mixture=mixture.values)
    return answer(True)

HULL = r"$n$ arms of $S$ states each, rewards $\ge 0$, $0 \le \beta < 1$; $V^*$ the value of an index policy"

at.repairs("conc:V/union").property("conc:V/hull",
    r"""For each arm $a$ and all states of the others, $V^*(y, x_{-a}) = c + \sum_j w_j \phi_a(y, m_j)$ with $c \ge
    0$, $w_j \ge 0$, $\sum_j w_j = [[total]]$, none depending on $y$, $\phi_a(y, m)$ the optimal value of arm $a$ alone
    with retirement reward $m$, and $m_j$ the arm's $S$ indices divided by $1-\beta$.""",
    is_mixture, over=Family("random exact bandits", draw=partial(random_bandit, max_global_states=9)),
    domain=HULL,
    with_constant=True, left_out=0, total=1,
    kernel=("hull", "retirement_equation"),
    false={"without a constant": {"with_constant": False}, "one other arm left out": {"left_out": 1},
        "weights of another sum": {"total": 2}})

Estimated: TypeAlias = tuple[Bandit, tuple[fmpq, ...], fmpq]
"""A bandit, and an estimated row and mean reward of its first arm's first state."""

def within_those_of_functions(drawn: Estimated, share: object) -> Answer:
    bandit, row, mean = drawn
    arm = bandit.arms[0]

    def deviation(function: Sequence[fmpq]) -> fmpq:
        gained = expectation(row, function) - expectation(arm.transitions[0], function)
        found: fmpq = mean - arm.rewards[0] + bandit.discount * gained
        return abs(found)

    largest = max(map(deviation, extreme_functions(arm, bandit.discount)[1]))
    optimum = optimal_value(bandit).values
    found = {state: deviation(values_after(bandit, optimum, state, 0)) for state in optimum}
    told = {"model": bandit, "row": row, "mean": mean}
    return all_of(answer(each <= rational(share) * largest, **told, x=x, deviation=each, of_the_functions=largest)
        for x, each in found.items())

def _drawn_estimate(source: Generator) -> Estimated:
    bandit = random_bandit(source, max_global_states=9)
    return bandit, random_row(source, bandit.arms[0].size), random_rewards(source, 1)[0]

at.repairs("conc:V/union").property("conc:V/deviation-of-mixture",
    r"""At every global state $x$ the deviation $|\hat r(x_a) - r(x_a) + \beta\sum_y(\hat P^a(x, y) - P^a(x, y))V^*(y)|$
    is at most $[[*share]]e$, if the same with $\phi_a(\cdot, m_s)$ of `conc:V/hull` for $V^*(\cdot, x_{-a})$ is at most
    $e$ for each of the $S$ indices $(1-\beta)m_s$ of the arm.""",
    within_those_of_functions,
    over=Family("random exact bandits and estimates",
        lambda: iter([(beside_its_indices(), (fmpq(1), fmpq(0), fmpq(0)), fmpq(1))]), draw=_drawn_estimate),
    domain=r"""$n$ arms of $S$ states each, $0 \le \beta < 1$; any $\hat r$, any probability row $\hat Q$; $V^*$ the
    value of an index policy""",
    share=1,
    kernel="deviation_of_hull", nearest="share")

CAUSES += [
    Cause("missing-discount", Severity.SLIP, line=716, title="The discount is missing in the mean that E^V is about",
        printed=r"$\hat r_{k-1} + \hat P_{k-1}V_M^{\pi_*}$ is the empirical mean of $r + PV_M^{\pi_*}$.",
        why=r"""$\mathcal{E}^V$ has $\hat r + \beta\hat P V^*$. The range of $R + V^*(Y)$ can be
        $\frac{2-\beta}{1-\beta}$ wide; that of $R + \beta V^*(Y)$ is at most $\frac{1}{1-\beta}$ (`conc:V/range`).""",
        instead=r"$\hat r_{k-1} + \beta\hat P_{k-1}V_M^{\pi_*}$ is the empirical mean of $r + \beta PV_M^{\pi_*}$.",
        follows="Nothing.", witness="conc:V/mean"),
    Cause("union-over-global-states", Severity.GAP, line=718,
        title="Event E^V speaks of all global states, and its union bound of the arm states",
        printed=r"""$\mathcal{E}^V_{k-1}$ is for all $x \in \mathcal{E}$; by Hoeffding's inequality and the same
        approach as above, $\mathbb{P}(\lnot\mathcal{E}^V_{k-1}) \le 2/K$.""",
        why=r"""The deviation at $x$ contains $V^*(\cdot, x_{-a})$, one function for each of the $S^{n-1}$ states of the
        other arms. Two arms, $\beta = 1/2$, rewards $(1, 0)$, rows $(1/2, 1/2)$, and a second arm that pays $0$ or $1$
        for good: after one move of arm 1 the deviation is $1/4$ in one state of arm 2 and $0$ in the other.""",
        instead=r"""Line 655: $\mathbb{P}(\lnot\mathcal{E}^V_{k-1}) \le \frac{S}{K\log(K(k-1))}$ (with $\hat r =
        \frac12$ and a probability row where $N = 0$). Line 718: as
        $V_M^{\pi_*}(\cdot, x_{-a})$ is a mixture of $S$ functions of the arm alone. Lines 1035 and 1039: $1 - \frac5K -
        \frac{S}{K\log(K(k-1))}$. Line 1085: $\frac{6 + 1.5S}{1-\beta}$.""",
        checked=("conc:V/repair-probability", "conc:V/hull", "lem:concentration_ucbvi/additive"),
        follows=r"""The additive term of MB-UCBVI's bound gains a factor $S$. As printed, $2/K$ is proved for $n = 1$,
        for $S \le 2$ and for $K(k-1) \ge e^{S/2}$, and by words that nothing checks for many arms or steps
        (`conc:V/many-arms`, `conc:V/blocks`); elsewhere, but for $K = 2$, it is open here. With the learner's own
        bonus the kernel has $S/K$ (`beyond:upper/event`).""",
        witness="conc:V/union"),
]

# == Event E^V of Lemma `concentration`: where the printed 2/K is proved, with its radius as printed.

at.printed(655).statement(
    leaving("conc:V", VALUES, of_means, of_k,
        r"$\mathbb{P}(\lnot\mathcal{E}^V_{k-1}) \le [[c]]/K$, where $\mathcal{E}^V_{k-1}$ is "
        + E_V
        + r""" [[ours]] Known in part, by `lem:concentration`: for $n = 1$, $S \le 2$, $K = 2$ or $K(k-1) \ge
        e^{S/2}$; by words that nothing checks for many arms or steps (`conc:V/many-arms`, `conc:V/blocks`).""",
        of_unplayed_arm(), domain=BEST_PLAYED, reading=FAIR, c=2),
    fails="union-over-global-states", verdict=Verdict.UNDECIDED, false={"s": "1/8"}, nearest="s c")

at.printed(655).property("conc:V/literal",
    r"""$\mathbb{P}(\lnot\mathcal{E}^V_{k-1}) \le [[c]]/K$. [[ours]] The rows of $\hat P$ are those of the formula of
    $\hat Q$ with the next state taken as [[next_state]], as in `conc:Q/literal`.""",
    lambda at, next_state, c: leaves(restarted(*at, next_state, values=True), of_means, of_k, 1, c),
    over=Family("one arm of two states that moves to the second for good", lambda: iter([(600, fmpq(1, 3))])),
    domain=ANY_SIZES, reading=LITERAL, next_state="literal", c=2, fails="literal-next-state", false={"c": 500},
    true={"next_state": "observed"})

# == Event E^V of Lemma `concentration` with its radius as printed: bounds on the probability that it fails.

at.ours(655).statement(
    leaving("conc:V/repair-probability", VALUES, of_means, functions_of_k_and_log,
        r"""$\mathbb{P}(\lnot\mathcal{E}^V_{k-1}) \le \frac{[[*c]]F}{K\log(K(k-1))}$ with $F = 1$ for $n = 1$
        or $S = 1$ and $F = S$ otherwise, if $\hat r = 1/2$ and $\hat Q$ is a probability row where $N = 0$; so at
        most $S/K$ for $K \ge 3$. Event $\mathcal{E}^H_{k-1}$ is not used. $\mathcal{E}^V_{k-1}$ is"""
        + " "
        + E_V,
        domain=BEST_PLAYED.replace(r"1 \le k'", r"0 \le k'")),
    kernel="event_V_repaired", nearest="s c", repairs=("conc:V", "conc:V/union"))

# -- more of the domain on which the printed 2/K holds

IN_RANGE = (
    Step("Hoeffding's inequality for each function:",
        Uses("conc:V/range", dict.fromkeys((beta, r, v, x), 0) | {ell: 1, y: 2})),
    Step("Without a visit:", Uses("conc:domain/unvisited", {S: 2, n: 1, K: 3, k: 2, beta: 0})),
)
MANY_ARMS = ForAll(S >= 1, n >= 1, K >= 3, k >= 2, k <= K, beta >= 0, beta < 1)

at.ours(655).relation("conc:V/many-arms",
    r"""Formulas towards $\mathbb{P}(\lnot\mathcal{E}^V_{k-1}) \le 2/K$ for $K \ge 3$ and many arms. With
    $\mathbb{E}[(t_k-1)^2] = \frac{(k-1)(k-1+\beta)}{(1-\beta)^2}$ in it, $[[formula]]$ for $n \ge
    [[a]]\,\frac{k-1+\beta}{(1-\beta)\log(K(k-1))}$. (Words alone join them, which nothing checks: only arm states that
    are activated can leave their radius, at most $\min\{Sn, t_k - 1\}$. Each of the $S$ functions does so after $\ell$
    visits with probability at most $\frac{1}{SnK\tau_k}$: $p = \frac{1}{nK\tau_k}$ in step 1. In the mean over the
    lengths the left side bounds $\mathbb{P}(\lnot\mathcal{E}^V_{k-1})$.)""",
    MANY_ARMS.where(n * (1 - beta) * LOG >= a * (k - 1 + beta)),
    Min(S * n * (k - 1) / (1 - beta), (k - 1) * (k - 1 + beta) / (1 - beta) ** 2) / (n * K * TAU) <= c / K,
    reading=FAIR, a="1/2", c=2,
    by=["conc:pre-drawn/visited", "conc:V/deviation-of-mixture", *IN_RANGE,
        Step("The moments of a length:", Uses("eq:V-vs_R/moments", {N: 0})),
        log_at_least(1, 3),
        Step((k - 1 + beta) / ((1 - beta) * n * LOG) <= 1 / a,
            over=MANY_ARMS.where(LOG >= 1, n * (1 - beta) * LOG >= a * (k - 1 + beta)))],
    candidates=[{S: fmpq(100), n: fmpq(2), K: fmpq(30), k: fmpq(30), beta: ZERO}], nearest="c a")

at.ours(655).relation("conc:V/blocks",
    r"""Formulas towards $\mathbb{P}(\lnot\mathcal{E}^V_{k-1}) \le 2/K$ for $K \ge 3$ where
    $\mathbb{P}(\lnot\mathcal{E}^H_{k-1}) \le 1/K$ and $n \ge eJ$ or $\tau_k \ge SeJ$, with $z = \frac12L_{k-1}^2$ and
    $J = \lceil(z+1)\log\tau_k\rceil + 1$. With $u = eJ$ and $w = \tau_k$: $[[formula]]$.
    (Words alone join them, which nothing checks: $J$ blocks of counts, from $l$ to $(1 + \frac1z)l$, cover those up to
    $\tau_k$. In a block each of the $S$ functions leaves its radius with probability at most $2e^{-z/(1+1/z)} \le
    \frac{e}{SnK\tau_k}$. Whether an arm state is ever activated does not depend on what it shows; on
    $\mathcal{E}^H_{k-1}$ at most $\min\{Sn, \tau_k\}$ are. So $\mathbb{P}(\mathcal{E}^H_{k-1} \wedge
    \lnot\mathcal{E}^V_{k-1})$ is at most the left side of the first formula, and
    $\mathbb{P}(\lnot\mathcal{E}^H_{k-1})$ is added.)""",
    ForAll(S >= 1, n >= 1, K >= 3, z > 0, w > 0, u > 0, Max(n - u, w - S * u) >= 0),
    Min(S * n, w) * u / (n * K * w) <= c / K, z / (1 + 1 / z) >= z - d, (z + 1) * log(1 + 1 / z) >= 2 - d,
    reading=FAIR, c=1, d=1,
    by=["cited:hoeffding-maximal", "conc:pre-drawn/visited", "conc:V/deviation-of-mixture", *IN_RANGE,
        Step(LeastAt(v, 1), log(v) >= 1 - 1 / v, over=ForAll(v >= 1), at={v: 1 + 1 / z}),
        Step("For many arms and for many steps:", Cases((n >= u, Solver()), (w >= S * u, Solver())),
            Min(S * n, w) * u <= n * w, over=ForAll(S >= 1, n >= 1, w > 0, u > 0, Max(n - u, w - S * u) >= 0))],
    nearest="c d")

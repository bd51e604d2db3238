r"""Theorem 1: where it makes sense, its three parts with constants that will do, and a repair for one episode.

A constant that will do is one of `constants`: the smallest for a bound that the proof gives. How small a constant may
be for the regret itself is another matter: what refutes here are exact regrets of the learners in small cases.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq
from sympy import Eq, Rational, log, sqrt

from proofs_checks.claims.section_5_theorems.constants import (
    LOGARITHM,
    OF_LAST_EPISODE,
    OF_MOMENTS,
    SIDES,
    SWITCH_COVERS,
    SWITCHES,
    by_boxes,
)
from proofs_checks.computations.small_regrets import SmallRegret, one_state_bandit, small_regrets
from proofs_checks.evidence import Algebra, Argument, ByHand, Decides, Everywhere, LeastAt, Step, Uses
from proofs_checks.ledger import Chapter, Severity, Verdict, survives
from proofs_checks.statements import Answer, Family, ForAll, Property, Reading, Relation, answer
from proofs_checks.statements.symbols import K, S, a, beta, c, k, n, t, u, v, x, y, z
from theory import ONE, ZERO, policy_value, rational
from theory.certified import Truth
from theory.paper.regret import (
    ALGORITHMS,
    PSRL,
    UCBVI,
    UCRL2,
    best_beside_trivial,
    leading_function,
    sharpest,
    theorem_side,
)

chapter = Chapter(under="thm:regret_upper_bound")
FROM_TWO = survives(says=r"$K \ge 2$", first=2)
FOR_PRODUCTS = survives(says=r"$K \ge 2$ and priors under which the arms are independent", first=2)
"""Section 4.1 samples each arm from its own posterior: `def:sampling/arm-by-arm`."""
PART = {PSRL: FOR_PRODUCTS, UCRL2: FROM_TWO, UCBVI: FROM_TWO}
"""Which part of each algorithm's bound survives."""
PARTS = {PSRL: "psrl", UCRL2: "ucrl2", UCBVI: "ucbvi"}
LETTERS = {PSRL: "C", UCRL2: "C'", UCBVI: "C''"}
WHOM = {
    PSRL: (r"\mathrm{BayReg}(K, \text{MB-PSRL}, \phi)", "every prior $\\phi$"),
    UCRL2: (r"\mathbb{E}[\mathrm{Reg}(K, \text{MB-UCRL2}, M)]", "every model"),
    UCBVI: (r"\mathbb{E}[\mathrm{Reg}(K, \text{MB-UCBVI}, M)]", "every model"),
}
TOO_SMALL = {PSRL: "2/25", UCRL2: "9/20", UCBVI: "9/10"}
"""Constants below what exact regrets over two episodes need: 0.0877..., 0.468... and 0.927..."""
SMALL = "small cases: two arms of one state, of rewards $0$ or $1$"
OBSERVED = {"next state": "observed", "no visit": "any estimate"}
WITHIN = {"plausible rewards": "within [0, 1]"}
PRIORS = {"prior": "the lemmas are for finite priors; with regular conditional laws the same argument holds for any"}
CLOCKS = {"clock": "on its event the radii in $t_k$ are at most those in $L_K$: `thm:regret_upper_bound/main-text`"}


def within(case: SmallRegret, first: object, C: object) -> Answer:
    """Return whether an exact regret is at most C times the right-hand side, which has no value for K = 1."""
    told = {"algorithm": case.algorithm, "model": case.says, "K": case.K, "beta": case.beta, "regret": case.regret}
    if rational(first) > case.K:
        return answer(True)
    if case.K == 1:
        return answer(False, **told, right_side="log 0 times 0")
    order = 2 if case.algorithm == UCBVI else 1
    right = theorem_side(case.S, case.n, case.K, case.beta, order) * rational(C)
    return answer(_at_most(case.regret, right), **told, right_side=right)


def _at_most(regret: fmpq, right: arb) -> Truth:
    return Truth.YES if regret <= right else Truth.NO if regret > right else Truth.UNDECIDED


def exact_regrets(*algorithms: str) -> Family:
    """Return the small cases whose regrets are known."""
    return Family(SMALL, lambda: chain(*map(small_regrets, algorithms)))


# -- the theorem

chapter.printed(
    Property(
        "thm:regret_upper_bound",
        lambda case, first, **of_parts: within(case, first, of_parts[PARTS[case.algorithm]]),
        over=exact_regrets(*ALGORITHMS),
        domain=r"$S, n, K \ge 1$, $0 \le \beta < 1$; any prior, any model",
        says=rf"""There are universal constants with ${WHOM[PSRL][0]} \le C\,{SIDES[PSRL]}$ for every prior $\phi$, and
        for every model ${WHOM[UCRL2][0]} \le C'\,{SIDES[UCRL2]}$ and ${WHOM[UCBVI][0]} \le C''\,{SIDES[UCBVI]}$, for $K
        \ge [[first]]$. [[ours]] $C = [[psrl]]$, $C' = [[ucrl2]]$ and $C'' = [[ucbvi]]$ will do.""",
        reading={"clock": "t_k", "prior": "any", **WITHIN},
        first=1,
        psrl="31.616",
        ucrl2="30.407",
        ucbvi="138.47",
    ),
    Argument(
        *(
            Step(
                "",
                Uses(f"thm:regret_upper_bound/{part}", where=PART[each].says, same={part: "C", "first": "first"}),
            )
            for each, part in PARTS.items()
        ),
        conclusion=ByHand("These are its three parts."),
    ),
    line=368,
    under="",
    survives=survives(says=r"$K \ge 2$ and, for MB-PSRL, priors under which the arms are independent", first=2),
    severity=Severity.GAP,
    cause="dependent-arms",
    mutants=[{part: TOO_SMALL[algorithm]} for algorithm, part in PARTS.items()],
)

SIZES = ForAll(S >= 1, n >= 1, K >= 1, beta >= 0, beta < 1)
ARGUMENT = S * n * K * log(K) / (1 - beta)
LOG_2 = Step("", LeastAt(x, 2), log(x) >= Rational(69, 100), over=ForAll(x >= 2), at={x: K})
ABOVE_1 = Rational(69, 50)

chapter.implied(
    Relation(
        "thm:regret_upper_bound/domain",
        SIZES,
        log(ARGUMENT) > a,
        log(K) > 0,
        says=rf"""The right-hand sides are defined and positive: ${LOGARITHM} > [[a]]$ and $\log K > 0$.""",
        a=0,
    ),
    Argument(
        LOG_2,
        Step("", LeastAt(v, ABOVE_1), log(v) >= Rational(32, 100), over=ForAll(v >= ABOVE_1), at={v: ARGUMENT}),
    ),
    line=372,
    survives=survives(K >= 2),
    severity=Severity.EDGE,
    cause="log-of-zero",
    nearest={"a": "up"},
)


def regret_of_one_episode(gap: object, beta: object) -> Answer:
    """Let a learner play arm 1 with any probability: over the two models its regrets have the same sum."""
    difference, discount = rational(gap), rational(beta)
    regrets = []
    for rewards in ((difference, ZERO), (ZERO, difference)):
        bandit = one_state_bandit(rewards, discount)
        values = [policy_value(bandit, lambda _, arm=arm: arm)[0, 0] for arm in (0, 1)]  # type: ignore[misc]
        regrets.append([max(values) - value for value in values])
    sums = [one + other for one, other in zip(*regrets, strict=True)]
    return answer(
        max(sums) <= leading_function(1, 2, 1, discount),
        regret_of_arm_1_and_2_in_each_model=regrets,
        sum_over_the_models_whatever_is_played=min(sums),
        limit_of_the_right_side=0,
    )


chapter.ours(
    Property(
        "thm:regret_upper_bound/one-episode",
        regret_of_one_episode,
        says=r"""For $K = 1$, with the right-hand side read as its limit $0$, a learner's expected regrets in the two
        models with one-state arms of rewards $([[gap]], 0)$ and $(0, [[gap]])$ are at most $0$ ($\beta = [[beta]]$; in
        the first episode it knows nothing, so its policy has the same law in both).""",
        gap=1,
        beta=0,
    ),
    line=372,
    verdict=Verdict.FAILS,
    mutants=[{"gap": "1/1000"}, {"beta": "99/100"}],
    controls=[{"gap": 0}],
)

# -- what the main text's clock changes

BOUND = log(K * (k - 1)) / (1 - beta)
LATER = ForAll(S >= 1, n >= 1, K >= 2, k >= 2, k <= K, beta >= 0, beta < 1, t >= 1, t <= 1 + (k - 1) * BOUND)
BEFORE, AFTER = 2 * S * n * K * t, c * S * n * K**2 * log(K) / (1 - beta)
LOG_INCREASES = Step("", LeastAt(v, u), log(u) <= log(v), over=ForAll(u > 0, v >= u))
LOG_OF_8 = Step("", LeastAt(v, 8), log(v) >= 2, over=ForAll(v >= 8))

chapter.ours(
    Relation(
        "thm:regret_upper_bound/main-text",
        LATER,
        sqrt(2 * log(BEFORE)) <= sqrt(2 * log(AFTER)),
        says=r"""On $\mathcal{E}^H_{k-1}$, where $t_k \le 1 + \tau_k$, the radii of the main text, with $t = t_k$, are
        no larger than those of the appendix with $L_K$: $[[formula]]$.""",
        reading={"first episodes": "from 2"},
        c=4,
    ),
    Argument(
        LOG_2,
        Step(
            "",
            Algebra(sympy.expand_log),
            Eq(log(x * y), log(x) + log(y), evaluate=False),
            over=ForAll(x > 0, y > 0),
            at={x: K, y: k - 1},
        ),
        LOG_INCREASES.put({u: k - 1, v: K}),
        LOG_INCREASES.put({u: BEFORE, v: AFTER}),
    ),
    line=335,
    witnesses=[{S: ONE, n: ONE, K: fmpq(10**6), k: fmpq(10**6), beta: ZERO, t: fmpq(27_630_000)}],
    nearest={"c": "down"},
)

chapter.ours(
    Relation(
        "thm:regret_upper_bound/main-text/unvisited",
        ForAll(S >= 1, n >= 1, S * n >= 2, K >= 2, t >= 2),
        log(2 * S * n * K * t) >= c,
        log(S * n * K * 2**S * t) >= c,
        says=r"""From the second episode on the main text's radii of a state that was not visited are at least $1$ for
        rewards and $2$ for rows, so that any estimate is within them. $Sn \ge 2$ then, $t_k \ge 2$, and
        $[[formula]]$.""",
        c=2,
    ),
    Argument(LOG_OF_8.put({v: 2 * S * n * K * t}), LOG_OF_8.put({v: S * n * K * 2**S * t})),
    line=335,
    nearest={"c": "up"},
)

# -- the three parts

FIRST_EPISODE = Uses(
    "eq:concentration/first-episode",
    over=ForAll(S >= 1, n >= 1, K >= 2, beta >= 0, beta < 1, x >= 0, x <= 1, z >= 0, z <= 1),
)
ROLES = {
    "eq:gap_overview": "What the episodes cost in which the event fails.",
    "lem:regret_decomposition": "What one costs on the event.",
    "lem:regret_decomposition/sharper": "With half the distance, and one step less.",
    "lem:sum": "The sum over all steps.",
    "lem:sum/cauchy-schwarz": "With the sum of all lengths in place of $K$ times the longest.",
    "lem:concentration_psrl/repair": "The event of MB-PSRL.",
    "lem:concentration_psrl/without-lengths": "The event of MB-PSRL, with nothing asked of the lengths.",
    "def:sampling/product": "What is sampled arm by arm is a sample of the posterior.",
    "psrl:model-gap/repair": "Posterior sampling has no model gap on it.",
    "eq:concentration": "The distances of $M_k$ and $M$ on it.",
    "eq:sum_not_E_k": "The terms merged.",
    "ucrl2/B_k/repair": "Values in $M_k$ are at most $H_k$.",
    "eq:optimism/repair": "Optimism.",
    "ucrl2/half/repair": "The distances of $M_k$ and $M$, both in the plausible set.",
    "lem:ucbvi_optim": "Optimism.",
    "ucbvi/B_k/repair": "Values in $M_k$ are at most $B_k$.",
    "eq:concentration/ucbvi/repair": "The distance of the rewards, with the bonus.",
    "thm:regret_upper_bound/ucbvi-front": "The terms merged.",
    "conc:H/repair-factor": "Long episodes.",
    "conc:tau/repair": "The first step of an episode after short ones.",
    "conc:r/main-text": "Rewards.",
    "conc:Q/main-text": "Rows.",
    "conc:Q/split": "Their radius.",
    "conc:V/repair-main-text": "Values.",
    "conc:r/repair": "Rewards.",
    "conc:Q/repair": "Rows.",
    "conc:V/repair-probability": "Values.",
    "conc:domain/unvisited": "States not visited, for $K \\ge 3$.",
    "thm:regret_upper_bound/main-text": "The radii in $t_k$ are no larger than those in $L_K$.",
    "thm:regret_upper_bound/main-text/unvisited": "States not visited.",
}
"""What each lemma is for."""
COMMON = ("eq:gap_overview", "lem:regret_decomposition", "lem:sum")
OF_PSRL = (
    "lem:concentration_psrl/repair",
    "def:sampling/product",
    "psrl:model-gap/repair",
    "eq:concentration",
    "eq:sum_not_E_k",
)
OF_UCRL2 = ("eq:optimism/repair", "ucrl2/B_k/repair", "ucrl2/half/repair", "eq:sum_not_E_k")
OF_UCBVI = (
    "lem:ucbvi_optim",
    "ucbvi/B_k/repair",
    "eq:concentration/ucbvi/repair",
    "thm:regret_upper_bound/ucbvi-front",
)
IN_MAIN_TEXT = (
    "conc:H/repair-factor",
    "conc:tau/repair",
    "conc:r/main-text",
    "conc:Q/main-text",
    "conc:Q/split",
    "thm:regret_upper_bound/main-text",
    "thm:regret_upper_bound/main-text/unvisited",
)
SHARPER_LEMMAS = ("lem:regret_decomposition/sharper", "lem:sum/cauchy-schwarz")
IN_APPENDIX = ("conc:r/repair", "conc:Q/repair", *SHARPER_LEMMAS)
FEW_EPISODES = Step(
    r"For $K = 2$ the additive term is at least $\mathbb{E}[H_2]$, as $\frac{2}{2\log 2} \ge 1$: nothing need hold.",
    Everywhere(),
    sympy.Ge(1 / log(2), 1, evaluate=False),
    over=ForAll(),
)
ANY_PRIOR = Step(
    """The lemmas about posteriors are for priors on finitely many bandits and observations of finitely many values;
    with regular conditional laws they hold for any.""",
    ByHand(),
)
SUMMED = r"""Summed over the episodes: $\Delta_k$ costs $\mathbb{E}[H_k] = 1/(1-\beta)$ times the probability that the
event fails, and its expectation on the event is at most that of $\Delta^{conc}_k$; the distances of $M_k$ and $M$ and
Lemma `sum` give the display whose constant this is."""


def part(
    claim_id: str, algorithm: str, first: int, constant: str, clock: str, reading: Reading, such: str = ""
) -> Property:
    """Return a part of the theorem, with a constant that will do; `such` restricts its priors or models."""
    regret, all_of = WHOM[algorithm]
    all_of += such
    return Property(
        claim_id,
        within,
        over=exact_regrets(algorithm),
        domain=rf"$S, n, K \ge 1$, $0 \le \beta < 1$, {all_of}",
        says=rf"""There is a universal constant with ${regret} \le {LETTERS[algorithm]}\,{SIDES[algorithm]}$ for
        $K \ge [[first]]$, any $S$, $n$ and $\beta$ and {all_of}{clock}.
        [[ours]] ${LETTERS[algorithm]} = [[C]]$ will do.""",
        reading=reading,
        first=first,
        C=constant,
    )


def by_lemmas(constant: str, *lemmas: str) -> Argument:
    """Return the argument from the lemmas to the display that has this constant."""
    few = (FEW_EPISODES,) if "conc:domain/unvisited" in lemmas else ()
    priors = (ANY_PRIOR,) if "psrl:model-gap/repair" in lemmas else ()
    return Argument(
        *(Step(ROLES[lemma], Uses(lemma)) for lemma in (*COMMON, *lemmas)),
        *priors,
        *few,
        Step(
            r"""In the first episode nothing need be known: $\Delta_1 \le H_1$, and each of its $H_1$ steps has at least
            $L_K \ge 1$ in the display.""",
            FIRST_EPISODE,
        ),
        Step("The bound and its constant:", Uses(f"thm:regret_upper_bound/{constant}", same={"C": "C"})),
        conclusion=ByHand(SUMMED),
    )


def printed_part(algorithm: str, line: int, claimed: str, reading: Reading, evidence: Argument, **details: Any) -> None:
    """Enter a part of the theorem as Section 5 states it, for the learner that Section 4 defines."""
    clock = "" if algorithm == PSRL else ", with radii in $t_k$ as Section 4 defines them"
    chapter.printed(
        part(f"thm:regret_upper_bound/{PARTS[algorithm]}", algorithm, 1, claimed, clock, reading),
        evidence,
        line=line,
        survives=PART[algorithm],
        severity=Severity.GAP if algorithm == PSRL else Severity.EDGE,
        cause="dependent-arms" if algorithm == PSRL else "log-of-zero",
        mutants=[{"C": TOO_SMALL[algorithm]}],
        **details,
    )


def sharper_part(
    suffix: str, algorithm: str, line: int, claimed: str, reading: Reading, evidence: Argument, **details: Any
) -> None:
    """Enter a part with the appendix's radii and all losses of the proof taken back."""
    clock = "" if algorithm == PSRL else r", with radii in $\tau_k$ through $L_{k-1}$, as the appendix has them"
    such = " under which the arms are independent" if algorithm == PSRL else ""
    chapter.ours(
        part(f"thm:regret_upper_bound/{suffix}", algorithm, 2, claimed, clock, reading, such),
        evidence,
        line=line,
        mutants=[{"C": TOO_SMALL[algorithm]}],
        **details,
    )


printed_part(PSRL, 372, "31.616", {"prior": "any"}, by_lemmas("constant-psrl", *OF_PSRL), may_differ=PRIORS)
printed_part(
    UCRL2,
    376,
    "30.407",
    {"clock": "t_k", **OBSERVED, **WITHIN},
    by_lemmas("constant-ucrl2", *IN_MAIN_TEXT, *OF_UCRL2),
    may_differ=CLOCKS,
)
printed_part(
    UCBVI,
    377,
    "138.47",
    {"clock": "t_k", **OBSERVED},
    by_lemmas("constant-ucbvi/repaired-event", *IN_MAIN_TEXT, "conc:V/repair-main-text", *OF_UCBVI),
    may_differ=CLOCKS,
)
sharper_part(
    "psrl/sharper",
    PSRL,
    372,
    "8.578",
    {"prior": "any"},
    by_lemmas("constant-psrl/sharper", "lem:concentration_psrl/without-lengths", *OF_PSRL[1:], *SHARPER_LEMMAS),
    may_differ=PRIORS,
)
sharper_part(
    "ucrl2/appendix-clock",
    UCRL2,
    1015,
    "8.578",
    {"clock": "tau_k", **OBSERVED, **WITHIN},
    by_lemmas("constant-ucrl2/sharper", *OF_UCRL2, *IN_APPENDIX, "conc:domain/unvisited"),
)
sharper_part(
    "ucbvi/appendix-clock",
    UCBVI,
    1101,
    "18.02",
    {"clock": "tau_k", **OBSERVED},
    by_lemmas("constant-ucbvi/sharper", *OF_UCBVI, *IN_APPENDIX, "conc:domain/unvisited", "conc:V/repair-probability"),
)

# -- a repair for one episode


def within_repaired(case: SmallRegret, C: object, D: object) -> Answer:
    """Hold an exact regret to C or D times the right-hand side with 1 + log K and, for MB-UCBVI, 1 + log(...)."""
    log_k, x = 1 + arb(case.K).log(), 1 / arb(1 - case.beta)
    z, root = log_k * x, arb(case.S).sqrt()
    y = (case.S * case.n * case.K * z).log()
    f = case.S * case.n * z**2 + arb(case.S * case.n * case.K).sqrt() * z * z.sqrt()
    right = root * x * (1 + y) * f * rational(D) if case.algorithm == UCBVI else (root + y) * f * rational(C)
    told = {"algorithm": case.algorithm, "model": case.says, "K": case.K, "regret": case.regret}
    return answer(_at_most(case.regret, right), **told, right_side=right)


def repaired_quotients(C: object, D: object) -> Answer:
    """Return whether the smaller of K/(1-beta) and the sharper bound is at most the repaired side, for each learner."""
    truth, told = Truth.YES, {}
    for algorithm in ALGORITHMS:
        found = best_beside_trivial(sharpest(algorithm), SWITCHES[algorithm], one_more=True)
        claimed = arb(rational(D if algorithm == UCBVI else C))
        one = Truth.YES if found.upper <= claimed else Truth.NO if found.lower > claimed else Truth.UNDECIDED
        truth, told[algorithm] = truth.both(one), found.upper
    return answer(truth, **told)


REPAIRED = r"""With $1 + \log K$ in place of $\log K$, and for MB-UCBVI $1 + \log\frac{SnK(1+\log K)}{1-\beta}$ in place
of its logarithm, the three bounds hold from $K = 1$ on with $C = C' = [[C]]$ and $C'' = [[D]]$."""

chapter.ours(
    Property(
        "thm:regret_upper_bound/repair",
        within_repaired,
        over=Family(SMALL, lambda: (case for each in ALGORITHMS for case in small_regrets(each) if case.K == 1)),
        domain=r"""$S, n, K \ge 1$, $0 \le \beta < 1$; any prior under which the arms are independent, any model; the
        appendix's radii""",
        says=REPAIRED,
        reading={"clock": "tau_k", "prior": "any", **OBSERVED, **WITHIN},
        C=1,
        D=2,
    ),
    Argument(
        Step("", Uses("thm:regret_upper_bound/psrl/sharper")),
        Step("", Uses("thm:regret_upper_bound/ucrl2/appendix-clock")),
        Step("", Uses("thm:regret_upper_bound/ucbvi/appendix-clock")),
        Step(
            r"""The smaller of $K/(1-\beta)$ and the proof's bound with all losses taken back is at most the right-hand
            side.""",
            by_boxes(Decides(repaired_quotients, covers=SWITCH_COVERS), *OF_MOMENTS, *OF_LAST_EPISODE),
            claim=Property("thm:regret_upper_bound/repair#quotients", repaired_quotients, says=REPAIRED, C=1, D=2),
        ),
        conclusion=ByHand(
            r"""No regret exceeds $K/(1-\beta)$, since rewards are in $[0, 1]$; and for $K \ge 2$ none exceeds the
            bounds whose constants the three entries have."""
        ),
    ),
    line=372,
    repairs=("thm:regret_upper_bound", "thm:regret_upper_bound/domain"),
    may_differ=PRIORS,
    controls=[{"C": "9/10"}],
    nearest={"C": "down", "D": "down"},
)

r"""Theorem 1 with numbers: the smallest constants that the bounds of its proof allow, over all models at once.

Each entry names the algorithm, the display and how it is read, the event and its additive constant, the front factor
and the moments. They speak of the bounds, not of the regret, which is below each bound that the proof establishes.
"""

from __future__ import annotations

from proofs_checks.claims.prelude import *
from proofs_checks.computations.regret_table import MODELS, ROWS, Row, at_most_constant, enough, smallest_constant
from theory.paper.regret import (
    ALGORITHMS,
    PSRL,
    UCBVI,
    UCRL2,
    Model,
    best_beside_trivial,
    sharpest,
    theorem_side,
    trivial_bound,
)

chapter = Chapter()
at = chapter.heading("thm:regret_upper_bound")
ALL_MODELS = r"$S, n \ge 1$, $K \ge 2$, $0 \le \beta < 1$"
LOGARITHM = r"\log\frac{SnK\log K}{1-\beta}"
SIDES = {
    PSRL: rf"\big(\sqrt S + {LOGARITHM}\big) f(S,n,K,\beta)",
    UCRL2: rf"\big(\sqrt S + {LOGARITHM}\big) f(S,n,K,\beta)",
    UCBVI: rf"\frac{{\sqrt S}}{{1-\beta}}\,{LOGARITHM}\; f(S,n,K,\beta)",
}
COVERS = """branch and bound: boxes of 1/(Sn) and of 1 - beta for each number of episodes below 12, and one box for all
others, cover all models; each has a certified upper bound of the quotient"""
SOME_MODELS = Family("models, the extremal ones among them", lambda: iter(MODELS))
FACTS = (
    Step(
        r"In $\sqrt S$ a quotient is a mean of its value at $S = 1$ and of its limit.",
        Uses("thm:regret_upper_bound/reduction"),
    ),
    Step("Its powers of $L$ over the logarithm decrease in $y$.", Uses("thm:regret_upper_bound/reduction/logarithms")),
    Step("Of both terms of $f$ it is a mean, and largest at an end.", Uses("thm:regret_upper_bound/reduction/roots")),
    Step("From $K = 3$ on $L_K$ is bounded in $y$ alone.", Uses("thm:regret_upper_bound/reduction/many-episodes")),
)
OF_MOMENTS = (
    Step(r"Moments of the longest episode grow with $\beta$.", Uses("thm:regret_upper_bound/reduction/tails")),
    Step(
        r"They are at most those of exponential variables over $(1-\beta)^\alpha$.",
        Uses("lem:moment/repair-exponential"),
    ),
    Step("These are made of harmonic sums,", Uses("thm:regret_upper_bound/reduction/harmonic")),
    Step(r"and that for $\frac32$ lies between.", Uses("thm:regret_upper_bound/moments/three-halves")),
)
OF_LAST_EPISODE = (Step("With $L_{K-1}$:", Uses("thm:regret_upper_bound/reduction/last-episode")),)
OF_STATES = (Step(r"An additive $S/(1-\beta)$ costs most at $S = 1$.", Uses("thm:regret_upper_bound/additive-states")),)


def by_boxes(decides: Decides, *facts: Step) -> Argument:
    """Return the evidence of a supremum over all models: what bounds a box, and the boxes."""
    return Argument(*FACTS, *facts, conclusion=decides)


def facts_of(row: Row) -> tuple[Step, ...]:
    """Return what bounds the boxes of a row besides what all rest on."""
    exact = OF_MOMENTS if "exact" in row.moments else ()
    last = OF_LAST_EPISODE if not row.formula else ()
    states = OF_STATES if "S" in row.event else ()
    return (*exact, *last, *states)


def constant(suffix: str, claimed: str, for_two: str, **details: Any) -> None:
    """Enter the smallest constants for a bound, over all models and for two arms and more, rounded up."""
    row = ROWS[f"thm:regret_upper_bound/constant-{suffix}"]
    bound = f"{row.reading}) ${row.formula}$" if row.formula else f"the bound of its proof {row.reading})"
    nearest = " ".join(["C", "D", *(f"{name}+" for name in ("f", "a") if name in row.parameters)])
    at.ours(row.line).property(row.claim_id,
        rf"""For {row.algorithm} ({bound}, with {row.moments}, where {row.event}, is at most $C\,{SIDES[row.algorithm]}$
        with $C = [[C]]$; for $n \ge 2$ with $C = [[D]]$.""",
        partial(at_most_constant, row), over=SOME_MODELS, domain=ALL_MODELS, C=claimed, D=for_two, **row.parameters,
        by=by_boxes(Decides(partial(smallest_constant, row), covers=COVERS), *facts_of(row)), nearest=nearest,
        **details)


constant("psrl/printed", "170.696", "115.684")
constant("psrl/literal", "598.467", "474.099")
constant("psrl/repaired-moments", "71.3", "49.589")
constant("psrl", "31.616", "23.916")
constant("psrl/sharper", "8.578", "8.578")
constant("ucrl2/printed", "85.639", "57.959")
constant("ucrl2", "30.407", "23.569")
constant("ucrl2/half", "15.969", "12.004")
constant("ucrl2/sharper", "8.578", "8.578")
constant("ucbvi/printed", "1366.671", "535.997")
constant("ucbvi/last", "190.534", "98.533")
constant("ucbvi/repaired-event", "138.47", "67.046")
constant("ucbvi/sharper", "18.02", "7.956", false={"c": 3})

NO_LONGER_ASKED = """Of the constants that the displays of the proof allow, what a reader asks is kept: those of the
printed proof, those with exact moments, and the best, each for two arms and more too. This one was of a display in
between."""
for _suffix in ("psrl/repaired-event", "psrl/apart", "psrl/losses", "ucrl2/printed-whole", "ucrl2/literal",
                "ucrl2/repaired-event", "ucrl2/apart-half", "ucrl2/apart", "ucrl2/losses", "ucbvi/printed-before-last",
                "ucbvi", "ucbvi/apart", "ucbvi/losses"):
    at.withdrawn(f"thm:regret_upper_bound/constant-{_suffix}", NO_LONGER_ASKED, line=944)

# -- beside the trivial bound

SWITCHES = {PSRL: 3 * 10**5, UCRL2: 3 * 10**5, UCBVI: 10**5}
"""From this number of episodes on the bound of the proof is used, and not K/(1-beta) alone."""
SWITCH_COVERS = """K/(1-beta) on ranges of K below 300 000 (for MB-UCBVI 100 000), where its quotient is largest for the
least n at S = 1, beta = 0; from there on one box with all models, or K/(1-beta) where the root term of f is small"""


def smaller_of_both(tried: tuple[str, Model], C: object, D: object, C2: object, D2: object) -> Answer:
    """Return whether the smaller of K/(1-beta) and the sharper bound is at most the theorem's side for one model."""
    algorithm, model = tried
    bound, S, n, K, beta = sharpest(algorithm), model.S, model.n, model.K, model.beta
    claimed = [D, D2] if algorithm == UCBVI else [C, C2]
    smaller = bound.at(S, n, K, beta).min(arb(trivial_bound(K, beta)))
    right = arb(min(map(rational, claimed[: 1 + (n > 1)]))) * theorem_side(S, n, K, beta, bound.order)
    truth = Truth.YES if smaller <= right else Truth.NO if smaller > right else Truth.UNDECIDED
    return answer(truth, algorithm=algorithm, model=str(model), smaller_bound=smaller, right_side=right)


def best_beside(C: object, D: object, C2: object, D2: object) -> Answer:
    """Return whether the constants are at least the suprema of the smaller bound, for each algorithm."""
    truth, told = Truth.YES, {}
    for algorithm in ALGORITHMS:
        for arms, claimed in ((1, D if algorithm == UCBVI else C), (2, D2 if algorithm == UCBVI else C2)):
            found = best_beside_trivial(sharpest(algorithm), SWITCHES[algorithm], arms=arms)
            truth = truth.both(enough(found.lower, found.upper, claimed))
            told[f"{algorithm}, n >= {arms}"] = found.lower.union(found.upper)
    return answer(truth, **told)


at.ours(944).property("thm:regret_upper_bound/constant-beside-trivial",
    rf"""The smaller of $K/(1-\beta)$ and the proof's bound with all losses taken back is at most $C\,{SIDES[PSRL]}$
    with $C = [[C]]$ for MB-PSRL and MB-UCRL2, and at most $C''\,{SIDES[UCBVI]}$ with $C'' = [[D]]$ for MB-UCBVI; for
    $n \ge 2$ with $C = [[C2]]$ and $C'' = [[D2]]$. The worst model is $K = 2$, $S = n = 1$, $\beta = 0$, where
    $K/(1-\beta) = 2$ and the regret is $0$.""",
    smaller_of_both, over=Family("algorithms and models", lambda: iter(product(ALGORITHMS, (MODELS[0], MODELS[4])))),
    domain=ALL_MODELS, C="1.163", D="4.723", C2="0.777", D2="1.965",
    by=by_boxes(Decides(best_beside, covers=SWITCH_COVERS), *OF_MOMENTS, *OF_LAST_EPISODE), nearest="C D C2 D2")

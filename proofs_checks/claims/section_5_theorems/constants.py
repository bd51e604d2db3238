r"""Theorem 1 with numbers: the smallest constants that the bounds of its proof allow, over all models at once.

Each entry names the algorithm, the display and how it is read, the event and its additive constant, the front factor
and the moments. They speak of the bounds, not of the regret, which is below each bound that the proof establishes.
"""

from __future__ import annotations

from functools import cache, partial
from itertools import product
from typing import Any

from flint import arb, fmpq

from proofs_checks.computations.regret_table import (
    LOSSES,
    MODELS,
    ROWS,
    Row,
    at_most_constant,
    enclosed_loss,
    smallest_constant,
)
from proofs_checks.evidence import Argument, Decides, Step, Uses
from proofs_checks.ledger import Chapter
from proofs_checks.statements import Answer, Family, Property, answer
from theory import rational
from theory.certified import Truth
from theory.paper.regret import (
    ALGORITHMS,
    PSRL,
    UCBVI,
    UCRL2,
    Model,
    best_beside_trivial,
    losses,
    quotient,
    sharpest,
    theorem_side,
    trivial_bound,
)

chapter = Chapter(under="thm:regret_upper_bound")
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


def constant(claim_id: str, claimed: str, **details: Any) -> None:
    """Enter the smallest constant for a bound, rounded up at its last digit."""
    row = ROWS[claim_id]
    bound = f"${row.formula}$" if row.formula else f"what is left when {'; '.join(LOSSES.values())}:"
    chapter.ours(
        Property(
            claim_id,
            partial(at_most_constant, row),
            over=SOME_MODELS,
            domain=ALL_MODELS,
            says=rf"""For {row.algorithm} ({row.reading}) {bound}, with {row.moments}, where {row.event}, is at
            most $C\,{SIDES[row.algorithm]}$ with $C = [[C]]$.""",
            C=claimed,
            **row.parameters,
        ),
        by_boxes(Decides(partial(smallest_constant, row), covers=COVERS), *facts_of(row)),
        line=row.line,
        nearest={"C": "down", **{name: "up" for name in ("f", "a") if name in row.parameters}},
        **details,
    )


constant("thm:regret_upper_bound/constant-psrl/printed", "170.696")
constant("thm:regret_upper_bound/constant-psrl/literal", "598.467")
constant("thm:regret_upper_bound/constant-psrl/repaired-moments", "71.3")
constant("thm:regret_upper_bound/constant-psrl", "31.616")
constant("thm:regret_upper_bound/constant-psrl/repaired-event", "29.815", mutants=[{"c": 5}])
constant("thm:regret_upper_bound/constant-psrl/apart", "28.297")
constant("thm:regret_upper_bound/constant-psrl/sharper", "8.578")
constant("thm:regret_upper_bound/constant-ucrl2/printed", "85.639")
constant("thm:regret_upper_bound/constant-ucrl2/printed-whole", "168.37")
constant("thm:regret_upper_bound/constant-ucrl2/literal", "299.524")
constant("thm:regret_upper_bound/constant-ucrl2", "30.407")
constant("thm:regret_upper_bound/constant-ucrl2/half", "15.969")
constant("thm:regret_upper_bound/constant-ucrl2/repaired-event", "29.429", mutants=[{"c": 3}])
constant("thm:regret_upper_bound/constant-ucrl2/apart-half", "14.361")
constant("thm:regret_upper_bound/constant-ucrl2/apart", "26.682")
constant("thm:regret_upper_bound/constant-ucrl2/sharper", "8.578")
constant("thm:regret_upper_bound/constant-ucbvi/printed-before-last", "999.337")
constant("thm:regret_upper_bound/constant-ucbvi/printed", "1366.671")
constant("thm:regret_upper_bound/constant-ucbvi", "143.193")
constant("thm:regret_upper_bound/constant-ucbvi/repaired-event", "138.47")
constant("thm:regret_upper_bound/constant-ucbvi/last", "190.534")
constant("thm:regret_upper_bound/constant-ucbvi/apart", "72.983")
constant("thm:regret_upper_bound/constant-ucbvi/sharper", "18.02", mutants=[{"c": 3}])

# -- what each loss costs

TAKEN_BACK = tuple(loss for loss in LOSSES if loss not in ("merged terms", "events"))  # these have entries above
EXTREMAL_OF_LOSSES = (
    MODELS[-1],
    *(Model(1, 1, 2, fmpq(numerator, 4096)) for numerator in (0, 216, 485, 854, 1052, 1518, 1526, 1547, 2008)),
)


@cache
def quotient_of_loss(algorithm: str, loss: str, model: Model) -> arb:
    """Return the quotient for one model when a loss and those before it are taken back."""
    return quotient(losses(algorithm)[loss], model)


def below_each(at: tuple[str, Model], algorithm: str, **claimed: object) -> Answer:
    """Return whether one of the bounds is at most its constant times the theorem's side for one model."""
    loss, model = at
    value = quotient_of_loss(algorithm, loss, model)
    constant_ = rational(claimed[f"c{TAKEN_BACK.index(loss) + 1}"])
    truth = Truth.NO if value > arb(constant_) else Truth.YES if value <= arb(constant_) else Truth.UNDECIDED
    return answer(truth, taken_back_last=loss, model=str(model), quotient=value)


def each_smallest(algorithm: str, **claimed: object) -> Answer:
    """Return whether every constant is at least the supremum over all models; with them their enclosures."""
    truth, told = Truth.YES, {}
    for place, loss in enumerate(TAKEN_BACK, 1):
        found, constant_ = enclosed_loss(algorithm, loss), arb(rational(claimed[f"c{place}"]))
        one = Truth.YES if found.upper <= constant_ else Truth.NO if found.lower > constant_ else Truth.UNDECIDED
        truth = truth.both(one)
        told[loss] = found.lower.union(found.upper)
    return answer(truth, **told)


def ladder(algorithm: str, suffix: str, line: int, start: str, *claimed: str) -> None:
    """Enter what each loss costs, from the constant `start` of the display before terms are merged."""
    told = "; ".join(f"{LOSSES[loss]}: $[[c{place}]]$" for place, loss in enumerate(TAKEN_BACK, 1))
    named: dict[str, Any] = {f"c{place}": value for place, value in enumerate(claimed, 1)}
    chapter.ours(
        Property(
            f"thm:regret_upper_bound/constant-{suffix}/losses",
            partial(below_each, algorithm=algorithm),
            over=Family("bounds and models", lambda: iter(product(TAKEN_BACK, EXTREMAL_OF_LOSSES))),
            domain=ALL_MODELS,
            says=rf"""For {algorithm}, with the exact moments of geometric lengths, the constant falls from {start},
            before terms are merged, as one loss of the proof after the other is taken back: {told}.""",
            **named,
        ),
        by_boxes(
            Decides(partial(each_smallest, algorithm), covers=COVERS),
            *OF_MOMENTS,
            *OF_LAST_EPISODE,
            *OF_STATES,
        ),
        line=line,
        nearest=dict.fromkeys(named, "down"),
    )


ladder(PSRL, "psrl", 940, "28.297", "18.417", "12.087", "11.94", "10.928", "9.538")
ladder(UCRL2, "ucrl2", 1011, "26.682", "16.365", "10.991", "10.928", "10.928", "8.578")
ladder(UCBVI, "ucbvi", 1095, "72.983", "71.367", "36.36", "36.36", "29.44", "29.44")

# -- beside the trivial bound

SWITCHES = {PSRL: 3 * 10**5, UCRL2: 3 * 10**5, UCBVI: 10**5}
"""From this number of episodes on the bound of the proof is used, and not K/(1-beta) alone."""
SWITCH_COVERS = """K/(1-beta) on ranges of K below 300 000 (for MB-UCBVI 100 000), where its quotient is largest at
Sn = 1, beta = 0; from there on one box with all models, or K/(1-beta) where the root term of f is small"""
C_OF = {PSRL: "C", UCRL2: "C", UCBVI: "D"}


def smaller_of_both(at: tuple[str, Model], **constants: object) -> Answer:
    """Return whether the smaller of K/(1-beta) and the sharper bound is at most the theorem's side for one model."""
    algorithm, model = at
    bound, constant_ = sharpest(algorithm), arb(rational(constants[C_OF[algorithm]]))
    S, n, K, beta = model.S, model.n, model.K, model.beta
    smaller = bound.at(S, n, K, beta).min(arb(trivial_bound(K, beta)))
    right = constant_ * theorem_side(S, n, K, beta, bound.order)
    truth = Truth.YES if smaller <= right else Truth.NO if smaller > right else Truth.UNDECIDED
    return answer(truth, algorithm=algorithm, model=str(model), smaller_bound=smaller, right_side=right)


def best_beside(**constants: object) -> Answer:
    """Return whether the constants are at least the suprema of the smaller bound, for each algorithm."""
    truth, told = Truth.YES, {}
    for algorithm in ALGORITHMS:
        found, claimed = best_beside_trivial(sharpest(algorithm), SWITCHES[algorithm]), constants[C_OF[algorithm]]
        enough = arb(rational(claimed))
        one = Truth.YES if found.upper <= enough else Truth.NO if found.lower > enough else Truth.UNDECIDED
        truth = truth.both(one)
        told[algorithm] = found.lower.union(found.upper)
    return answer(truth, **told)


chapter.ours(
    Property(
        "thm:regret_upper_bound/constant-beside-trivial",
        smaller_of_both,
        over=Family("algorithms and models", lambda: iter(product(ALGORITHMS, MODELS[:1]))),
        domain=ALL_MODELS,
        says=rf"""The smaller of $K/(1-\beta)$ and the proof's bound with all losses taken back is at most
        $C\,{SIDES[PSRL]}$ with $C = [[C]]$ for MB-PSRL and MB-UCRL2, and at most $C''\,{SIDES[UCBVI]}$ with
        $C'' = [[D]]$ for MB-UCBVI. The worst model is $K = 2$, $S = n = 1$, $\beta = 0$, where $K/(1-\beta) = 2$.""",
        C="1.163",
        D="4.723",
    ),
    by_boxes(Decides(best_beside, covers=SWITCH_COVERS), *OF_MOMENTS, *OF_LAST_EPISODE),
    line=944,
    nearest={"C": "down", "D": "down"},
)

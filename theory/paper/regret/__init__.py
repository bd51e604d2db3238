"""Theorem 1 with numbers: its right-hand sides, the bounds of its proof, and the best constants, over all models."""

from theory.paper.regret.beside_trivial import BestBesideTrivial, best_beside_trivial
from theory.paper.regret.bounds import Additive, RegretBound
from theory.paper.regret.constants import BestConstant, Model, best_constant, quotient
from theory.paper.regret.displays import (
    ALGORITHMS,
    PRINTED_ADDITIVES,
    PSRL,
    REPAIRED_ADDITIVES,
    UCBVI,
    UCRL2,
    last_of_ucbvi,
    merged,
    sharpest,
)
from theory.paper.regret.moments import EXACT, LEMMA, MISPLACED, REPAIRED, Moments, exact_moment, harmonic_moments
from theory.paper.regret.span import harmonic
from theory.paper.regret.theorem import leading_function, log_term, theorem_side, trivial_bound
from theory.paper.regret.thresholds import (
    Threshold,
    first_informative,
    informative_from,
    theorem_informative_from,
)

__all__ = [
    "ALGORITHMS",
    "EXACT",
    "LEMMA",
    "MISPLACED",
    "PRINTED_ADDITIVES",
    "PSRL",
    "REPAIRED",
    "REPAIRED_ADDITIVES",
    "UCBVI",
    "UCRL2",
    "Additive",
    "BestBesideTrivial",
    "BestConstant",
    "Model",
    "Moments",
    "RegretBound",
    "Threshold",
    "best_beside_trivial",
    "best_constant",
    "exact_moment",
    "first_informative",
    "harmonic",
    "harmonic_moments",
    "informative_from",
    "last_of_ucbvi",
    "leading_function",
    "log_term",
    "merged",
    "quotient",
    "sharpest",
    "theorem_informative_from",
    "theorem_side",
    "trivial_bound",
]

"""From how many episodes on the bounds of Theorem 1 say more than K/(1-beta), which every learner satisfies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, decide, fails, holds
from theory import Exact, rational
from theory.certified import Truth, less
from theory.paper import (
    Reading,
    first_informative,
    harmonic,
    printed_reading,
    printed_ucbvi_reading,
    proof_decreases_from,
    proof_side,
    sharper_reading,
    sharper_ucbvi_reading,
    theorem_decreases_from,
    theorem_side,
    trivial_bound,
)

SECTION = "Theorem 1"

CASES: Mapping[str, tuple[int, int, Exact]] = {
    "scenario 1 (S = 4, n = 3, beta = 0.99)": (4, 3, fmpq(99, 100)),
    "scenario 2 (S = 11, n = 9, beta = 0.99)": (11, 9, fmpq(99, 100)),
    "S = n = 2, beta = 1/2": (2, 2, fmpq(1, 2)),
    "Bernoulli-like (S = 1, n = 2, beta = 0)": (1, 2, fmpq(0)),
}

READINGS: Mapping[str, Reading] = {
    "MB-PSRL, as merged": printed_reading(9),
    "MB-PSRL, unmerged": sharper_reading(9),
    "MB-UCBVI, as merged": printed_ucbvi_reading(7),
    "MB-UCBVI, unmerged": sharper_ucbvi_reading(7),
}


@claim(
    "thm:regret_upper_bound/elasticities",
    section=SECTION,
    statement="""In K, made real, the elasticity K g'/g is (2 + 1/l)/L_K^2 for L_K and (1 + 1/l)/y for y, l = log K;
    at most 2/h1 for the factors of Sn in the proof's side and at most 3/(2 h1) for those of sqrt(SnK), for every
    beta.""",
    domain="K >= 2, S, n >= 1, beta in [0, 1); h1' <= 1/K and h2' <= 1/K^2, as sums of 1/(K+j)^2 and 2/(K+j)^3",
    evidence=Evidence.PROOF,
    mutants={"1/h1 for the factors of Sn": {"degree": 1}},
)
def elasticities(book: Book, degree: int = 2) -> Finding:
    """Put h2 = 1 + g and h1/K = 1 - d with d in [0, 1]; then degree p - h1 K p' has no negative coefficient."""
    l, c, w, h1, g, d, a = sp.symbols("l c w h1 g d a", positive=True)  # noqa: E741
    h2, h1_over_K = 1 + g, 1 - d
    square = 2 * (a + 2 * l + sp.log(l))  # L_K^2, with a = log(4 S n x)
    of_L = sp.simplify(sp.diff(square, l) / (2 * square) - (2 + 1 / l) / square) == 0
    of_y = sp.simplify(sp.diff(l + sp.log(l), l) - (1 + 1 / l)) == 0
    # p and, with h1' <= 1/K and h2' <= 1/K^2, h1 K p'
    factors = {
        "w^2 + 2 w h1 + h1^2 + h2": (w**2 + 2 * w * h1 + h1**2 + h2, 2 * w * h1 + 2 * h1**2 + h1_over_K),
        "c^2 (h1^2 + h2) + c w h1": (c**2 * (h1**2 + h2) + c * w * h1, c**2 * (2 * h1**2 + h1_over_K) + c * w * h1),
        "w (w + c h1)": (w * (w + c * h1), w * c * h1),
        "h1^2 + h2": (h1**2 + h2, 2 * h1**2 + h1_over_K),
    }
    one_more = sp.expand((w + h1) - h1)  # the elasticity of w + h1 is at most 1/h1
    slack = [sp.Poly(sp.expand(degree * p - grown), w, c, h1, g, d) for p, grown in factors.values()]
    if of_L and of_y and one_more == w and all(each >= 0 for poly in slack for each in poly.coeffs()):
        reason = (
            "A product's elasticity is the sum of its factors', a root's one half: 3/(2 h1) for the roots of "
            "(w^2 + 2 w h1 + h1^2 + h2)(w + h1), and 1/h1 for the root of h1^2 + h2."
        )
        return holds(Evidence.PROOF, reason=reason, factors=list(factors))
    first, later = harmonic(8), harmonic(16)
    growth, claimed = later.q / first.q, arb(2) ** (degree / first.first)
    if growth > claimed:
        return fails({"K": 8, "2K": 16, "growth of h1^2 + h2": growth, "at most, if so": claimed})
    raise ArithmeticError("neither the coefficients nor the instance decide")


FIRST_INFORMATIVE: Mapping[str, tuple[int, ...]] = {
    "MB-PSRL, as merged": (136727575732, 1993066934851, 303892437, 52473925),
    "MB-PSRL, unmerged": (347350608, 5342771521, 376676, 23428),
    "MB-UCBVI, as merged": (644414741407199450, 8570817865856130694, 176317562287, 5351562688),
    "MB-UCBVI, unmerged": (118041271851751, 1700292596719340, 16277047, 174031),
}
"""The smallest K from which on the proof's side is below K/(1-beta), in the order of `CASES`."""


@claim(
    "thm:regret_upper_bound/informative",
    section=SECTION,
    statement="""The proof's bound is below K/(1-beta), which every learner satisfies, for exactly the K from the
    listed ones on: for MB-PSRL in scenario 1 from K = 136727575732 on.""",
    domain="the named (S, n, beta); all K >= 2",
    evidence=Evidence.CERTIFIED,
    mutants={
        "from one episode earlier on": {"shift": -1},
        "from one episode later on": {"shift": 1},
    },
)
def informative(book: Book, shift: int = 0) -> Finding:
    if not book.stands("thm:regret_upper_bound/elasticities", "thm:regret_upper_bound/moments"):
        raise ArithmeticError("the elasticities, or the moments, do not stand")
    found: dict[str, Any] = {}
    for name, reading in READINGS.items():
        for (case, (S, n, beta)), listed in zip(CASES.items(), FIRST_INFORMATIVE[name], strict=True):
            first = listed + shift
            decreasing_from = proof_decreases_from(reading, S, n, beta)
            answers = [_informative(reading, S, n, K, beta) for K in (first - 1, first)]
            before = [_informative(reading, S, n, K, beta) for K in range(2, decreasing_from + 1)]
            if first <= decreasing_from or answers != [Truth.NO, Truth.YES] or set(before) != {Truth.NO}:
                return fails(
                    {"bound": name, "case": case, "K": first, "informative at K-1, K": [a.value for a in answers]}
                )
            found[f"{name}; {case}"] = {"first K": first, "bound over K decreases from": decreasing_from}
    reason = (
        "The bound over K decreases from the K given on (elasticities of its factors, which decrease, sum to less "
        "than 1 there), and no smaller K is informative; so two comparisons decide each case."
    )
    return holds(Evidence.CERTIFIED, reason=reason, **found)


def _informative(reading: Reading, S: int, n: int, K: int, beta: Exact) -> Truth:
    return less(lambda: proof_side(reading, S, n, K, beta), lambda: arb(trivial_bound(K, beta)))


@claim(
    "thm:regret_upper_bound/informative-scenario-1",
    section=SECTION,
    statement="""In scenario 1 with its K = 3000 episodes the proof's bound on the regret of MB-PSRL, in the sharper
    reading, is below the trivial K/(1-beta).""",
    domain="S = 4, n = 3, beta = 0.99, K = 3000",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    printed=False,
    mutants={"as merged": {"sharper": False}, "K = 347350607": {"K": 347350607}},
    controls={"K = 347350608": {"K": 347350608}},
)
def informative_scenario_1(book: Book, K: int = 3000, sharper: bool = True) -> Finding:
    beta = fmpq(99, 100)
    reading = sharper_reading() if sharper else printed_reading()
    bound = proof_side(reading, 4, 3, K, beta)
    return decide(
        _informative(reading, 4, 3, K, beta) is Truth.YES,
        Evidence.CERTIFIED,
        bound=bound,
        trivial=trivial_bound(K, beta),
    )


CONSTANTS: Mapping[str, tuple[str, int]] = {
    "C = 115.228 (as merged)": ("115.228", 1),
    "C = 1.163 (unmerged, beside the trivial bound)": ("1.163", 1),
    "C'' = 669.872 (as merged)": ("669.872", 2),
    "C'' = 4.723 (unmerged, beside the trivial bound)": ("4.723", 2),
}


@claim(
    "thm:regret_upper_bound/informative-constants",
    section=SECTION,
    statement="""With these constants the right-hand side of Theorem 1 itself is above K/(1-beta) in both scenarios
    for every K from 2 to 10^10: it says nothing there.""",
    domain="(S, n, beta) of scenarios 1 and 2; 2 <= K <= 10^10",
    evidence=Evidence.CERTIFIED,
    mutants={"to 10^11": {"last": 10**11}},
)
def informative_constants(book: Book, last: int = 10**10) -> Finding:
    if not book.stands("thm:regret_upper_bound/elasticities"):
        raise ArithmeticError("the elasticities do not stand")
    found: dict[str, Any] = {}
    for case, (S, n, beta) in list(CASES.items())[:2]:
        for name, (constant, order) in CONSTANTS.items():
            side = _theorem_side(rational(constant), S, n, beta, order)
            threshold = first_informative(side, beta, theorem_decreases_from(S, n, beta))
            found[f"{name}; {case}"] = threshold.first
            if not threshold.never_before or threshold.first <= last:
                return fails({"case": case, "constant": name, "informative from K": threshold.first})
    return holds(Evidence.CERTIFIED, **found)


def _theorem_side(constant: fmpq, S: int, n: int, beta: Exact, order: int) -> Callable[[int], arb]:
    return lambda K: arb(constant) * theorem_side(S, n, K, beta, order)

"""MB-PSRL: the steps of the proof of `lem:concentration_psrl`: measurability, the complement, equal probabilities.

Priors are finite, so every law is an exact finite sum (`theory.bayes`).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.mb_psrl.posterior_cases import OneCell, law_of, shown, small_cases
from proofs_checks.claims.mb_psrl.posterior_sampling import PRIORS, SECTION
from proofs_checks.computations.row_arguments import triangle_inequality
from proofs_checks.computations.symbolic import nonnegative_above
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, undecided
from theory import ONE, ZERO, sympy_rational
from theory.bayes import (
    FinitePrior,
    Scenario,
    activations,
    empirical_reward,
    probability_of,
)
from theory.paper import log_factor


@claim(
    "lem:concentration_psrl/measurable",
    section=SECTION,
    statement="E^PSRL_{k-1} is O_{k-1}-measurable: a function of the observations before episode k.",
    domain=PRIORS,
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"of O_{k-1} and M_1, ..., M_k": {"given": "samples"}, "of O_{k-1} and M": {"given": "model"}},
    controls={"of O_{k-1}, M and M_1, ..., M_k": {"given": "all"}},
)
def measurable(book: Book, given: str = "nothing") -> Finding:
    """Take K = k = 2, beta = 11/12, H_1 = 8 <= log 2 / (1-beta): after the same rewards M_2 may be M, or far off."""
    return _function_of(OneCell((fmpq(1, 40), fmpq(39, 40)), fmpq(11, 12), 2, [8]), "the models", given)


def _function_of(case: OneCell, what: str, given: str) -> Finding:
    """Return the finding on whether an event is a function of the history and what else is given."""
    seen: dict[Hashable, tuple[bool, Scenario]] = {}
    for each in case.outcomes:
        samples = each.samples if given in ("samples", "all") else ()
        key = (each.history, samples, each.model if given in ("model", "all") else None)
        truth = not case.broken(each, what)
        before, earlier = seen.setdefault(key, (truth, each))
        if before != truth:
            last, share = sum(case.horizons), ONE if what == "the models" else fmpq(1, 2)
            threshold = share * log_factor(1, 1, case.K, case.k, case.beta) / arb(last).sqrt()
            return fails(
                case.described(
                    one=shown(earlier, case.means),
                    holds_in_one=before,
                    other=shown(each, case.means),
                    holds_in_other=truth,
                    **{f"threshold at N = {last}": threshold},
                )
            )
    return holds(Evidence.CERTIFIED, cases=len(case.outcomes))


RESAMPLED = (fmpq(1, 10), fmpq(9, 10))
"""Means for K = k = 5 at beta = 0: the thresholds for |rhat - r| bind at N = 3 (0.893...) and N = 4 (0.773...)."""


@claim(
    "lem:concentration_psrl/parts-measurable",
    section=SECTION,
    statement="""E~^r_{k-1}, which compares the estimates with the samples, is O_{k-1}-measurable; so is E^r_{k-1},
    which compares them with M, M being drawn from the prior.""",
    domain=PRIORS,
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={
        "E^r alone": {"parts": ("the estimate and M",)},
        "both, given M": {"given": "model"},
        "both, given the samples": {"given": "samples"},
    },
    controls={
        "E~^r, given the samples": {"parts": ("the estimate and M_k",), "given": "samples"},
        "E^r, given M: for a fixed model": {"parts": ("the estimate and M",), "given": "model"},
    },
)
def parts_measurable(
    book: Book, parts: Sequence[str] = ("the estimate and M_k", "the estimate and M"), given: str = "nothing"
) -> Finding:
    """Take K = k = 5 at beta = 0: after three rewards of 1 a sample, and M itself, may be 9/10 or 1/10."""
    case = OneCell(RESAMPLED, ZERO, 5, [1] * 4)
    findings = [_function_of(case, part, given) for part in parts]
    return next((finding for finding in findings if not finding.stands), findings[0])


@claim(
    "lem:concentration_psrl/complement",
    section=SECTION,
    statement="The complement of E^PSRL is the union of not E^r, not E~^r, not E^Q, not E~^Q and not E^H.",
    domain=PRIORS,
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"contained, a quarter of L_{k-1}": {"relation": "contained", "multiple": fmpq(1, 4)}},
    controls={"is contained in the union": {"relation": "contained"}},
)
def complement(book: Book, relation: str = "is", multiple: fmpq = ONE) -> Finding:
    """Take K = k = 5, beta = 0: every H is 1 and E^H holds; with S = 1 both events on Q hold."""
    case = OneCell(RESAMPLED, ZERO, 5, [1] * 4)
    for each in case.outcomes:
        outside = case.broken(each, "the models", multiple=multiple)
        in_union = case.broken(each, "the estimate and M") or case.broken(each, "the estimate and M_k")
        if (outside and not in_union) if relation == "contained" else (outside != in_union):
            witness = shown(each, case.means)
            return fails(case.described(**witness, outside_E=outside, in_union=in_union, probability=each.probability))
    L, s = sympy.symbols("L s")  # s = sqrt(S)
    share = sympy_rational(multiple)
    slack = (share * L - 2 * (L / 2), share * (2 * L + 3 * s) - 2 * (L + sympy.Rational(3, 2) * s))
    if not (triangle_inequality() and all(nonnegative_above(sympy.expand(each), {L: 0, s: 0}) for each in slack)):
        return undecided("the halves do not add up to the whole")
    return holds(
        Evidence.PROOF,
        reason="Triangle inequality: L/2 + L/2 = L and 2 (L + 1.5 sqrt S) = 2 L + 3 sqrt S; the scenarios agree.",
    )


@claim(
    "lem:concentration_psrl/complement/repair",
    section=SECTION,
    statement="""The complement of E^PSRL is contained in the union of not E^r, not E~^r, not E^Q, not E~^Q, not E^H,
    which is what the union bound needs.""",
    domain=PRIORS,
    evidence=Evidence.PROOF,
    mutants={"a quarter of L_{k-1}": {"multiple": fmpq(1, 4)}},
    repairs=("lem:concentration_psrl/complement",),
)
def complement_repair(book: Book, multiple: fmpq = ONE) -> Finding:
    return complement(book, "contained", multiple)


@claim(
    "lem:concentration_psrl/equality",
    section=SECTION,
    statement="""P(not E~^r_{k-1}) = P(not E^r_{k-1}), both events quantifying over all k' <= k-1, with r_{k'+1} in the
    first where the second has r.""",
    domain=PRIORS,
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"at most": {"relation": "at most"}},
    controls={"only k' = k-1": {"only_last": True}},
)
def equality(book: Book, relation: str = "equal", only_last: bool = False) -> Finding:
    """Enumerate: the true model is drawn once, the samples anew: one may be off where the one before was not."""
    case = OneCell(RESAMPLED, ZERO, 5, [1] * 4)
    of_model = probability_of(case.outcomes, lambda each: case.broken(each, "the estimate and M", only_last))
    of_samples = probability_of(case.outcomes, lambda each: case.broken(each, "the estimate and M_k", only_last))
    if of_samples > of_model or (relation == "equal" and of_samples != of_model):
        radii = {f"N = {n}": log_factor(1, 1, 5, 5, 0) / (2 * arb(n).sqrt()) for n in (1, 2, 3, 4)}
        return fails(
            case.described(**{"thresholds L_4/(2 sqrt N)": radii, "P(not E^r)": of_model, "P(not E~^r)": of_samples})
        )
    return holds(Evidence.CERTIFIED, of_model=of_model, of_samples=of_samples)


@claim(
    "lem:concentration_psrl/equality/repair",
    section=SECTION,
    statement="""For a single k', and so for k' = k-1, the one that the regret proof uses: |rhat_{k'} - r_{k'+1}| and
    |rhat_{k'} - r| have the same law given O_{k'} in every cell, jointly with N_{k'}, and so do the distances of Q.""",
    domain=PRIORS,
    evidence=Evidence.PROOF,
    mutants={"k' = k-2 against M_k": {"sample": -2}},
    repairs=("lem:concentration_psrl/equality",),
)
def equality_repair(book: Book, sample: int = -1) -> Finding:
    """Compare the joint laws of the deviations in all cells, with N, on the small priors."""
    compared = 0
    for prior, horizons, outcomes in small_cases(book, "single episode"):
        of_model = law_of(outcomes, lambda each, prior=prior: _deviations(prior, each, each.model))  # type: ignore[misc]
        of_sample = law_of(
            outcomes,
            lambda each, prior=prior: _deviations(prior, each, each.samples[sample]),  # type: ignore[misc]
        )
        compared += len(of_model)
        if of_model != of_sample:
            key = next(key for key in of_model if of_sample.get(key) != of_model[key])
            return fails(
                {
                    "models": prior.models,
                    "prior": prior.weights,
                    "horizons": horizons,
                    "(N, deviation) per cell": str(key),
                    "probability with M": of_model[key],
                    "with the sample": of_sample.get(key, ZERO),
                }
            )
    if sample != -1 or not book.stands("lem:bayesian"):
        return undecided("lem:bayesian does not give it")
    return holds(
        Evidence.PROOF,
        reason="By lem:bayesian (O_{k'}, M) and (O_{k'}, M_{k'+1}) have one law, and so has each function of them.",
        compared=compared,
    )


def _deviations(prior: FinitePrior, scenario: Scenario, model: int) -> tuple[tuple[int, fmpq], ...]:
    played, bandit = len(scenario.history), prior.models[model]
    return tuple(
        (
            activations(scenario.history, played, cell),
            empirical_reward(scenario.history, played, cell) - bandit.arms[cell[0]].rewards[cell[1]],
        )
        for cell in bandit.arm_states
    )

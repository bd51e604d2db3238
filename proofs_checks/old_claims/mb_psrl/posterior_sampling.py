"""MB-PSRL: the true model and its sample have one law given the observations (`lem:bayesian`).

Priors are finite, so every law is an exact finite sum (`theory.bayes`).
"""

from __future__ import annotations

from collections.abc import Sequence

import sympy  # type: ignore[import-untyped]
from flint import fmpq

from proofs_checks.claims.mb_psrl.posterior_cases import law_of, small_cases
from proofs_checks.computations.symbolic import is_identity
from proofs_checks.ledger import Book, Evidence, Finding, claim, fails, holds, undecided
from theory import ONE, ZERO
from theory.bayes import (
    Scenario,
)

SECTION = "Proof of Theorem 1: MB-PSRL"
PRIORS = "finite priors over exact bandits with Bernoulli rewards; any k, any horizons of the episodes before"


@claim(
    "lem:bayesian",
    section=SECTION,
    statement="""E[g(O_{k-1}, M)] = E[g(O_{k-1}, M_k)] for every function g; that is, (O_{k-1}, M) and (O_{k-1}, M_k)
    have the same law.""",
    domain=PRIORS,
    evidence=Evidence.PROOF,
    mutants={
        "the sample of the episode before": {"sample": -2},
        "the learner has another prior": {"reweighted": True},
    },
)
def bayesian(book: Book, sample: int = -1, reweighted: bool = False) -> Finding:
    """Compare the two laws on all histories; prove equality for one history and one model, in free symbols."""
    compared = 0
    for prior, horizons, outcomes in small_cases(book, "bayesian"):
        drawn = _reweighted(outcomes) if reweighted else outcomes
        of_model = law_of(drawn, lambda each: (each.history, each.model))
        of_sample = law_of(drawn, lambda each: (each.history, each.samples[sample]))
        compared += len(of_model)
        for key in of_model.keys() | of_sample.keys():
            left, right = of_model.get(key, ZERO), of_sample.get(key, ZERO)
            if left != right:
                return fails(
                    {
                        "models": prior.models,
                        "prior": prior.weights,
                        "horizons": horizons,
                        "(history, model)": str(key),
                        "probability with M": left,
                        "probability with M_k": right,
                    }
                )
    if sample != -1 or reweighted or not _posterior_gives_joint_law():
        return undecided("the identity of Bayes' formula does not apply")
    return holds(
        Evidence.PROOF,
        reason="""P(M = m, O = o) = c w_m l_m(o), with c the chances of policies and starts, the same for every model.
        The learner's posterior is w_m l_m(o) / Z with Z = sum w l, and P(O = o) = c Z: the product is the same.""",
        compared=compared,
    )


def _posterior_gives_joint_law() -> bool:
    """Prove c Z * (w l / Z) = c w l, for each model and each history, however many there are."""
    w, likelihood, c, Z = sympy.symbols("w l c Z", positive=True)
    return is_identity(c * Z * (w * likelihood / Z), c * w * likelihood)


def _reweighted(outcomes: Sequence[Scenario]) -> list[Scenario]:
    """Return the scenarios under a true prior that makes the first model three times as likely as before."""
    factors = [fmpq(3) if each.model == 0 else ONE for each in outcomes]
    total = sum((each.probability * f for each, f in zip(outcomes, factors, strict=True)), ZERO)
    return [
        Scenario(each.model, each.samples, each.history, each.probability * f / total)
        for each, f in zip(outcomes, factors, strict=True)
    ]


@claim(
    "lem:bayesian/exchangeable",
    section=SECTION,
    statement="""Given O_{k-1} and the samples M_1, ..., M_{k-1}, the models M and M_k are independent and have the same
    law; so the law of (O_{k-1}, M_1, ..., M_{k-1}, M, M_k) does not change when M and M_k change places.""",
    domain=PRIORS,
    evidence=Evidence.PROOF,
    mutants={"M and M_{k-1} change places": {"sample": -2}},
)
def exchangeable(book: Book, sample: int = -1) -> Finding:
    compared = 0
    for prior, horizons, outcomes in small_cases(book, "exchangeable"):
        law = law_of(outcomes, lambda each: (each.history, each.samples, each.model))
        for (history, samples, model), mass in law.items():
            compared += 1
            swapped = list(samples)
            swapped[sample], other = model, swapped[sample]
            if law.get((history, tuple(swapped), other), ZERO) != mass:
                return fails(
                    {
                        "models": prior.models,
                        "prior": prior.weights,
                        "horizons": horizons,
                        "history": str(history),
                        "samples": samples,
                        "M": model,
                        "probability": mass,
                        "after the exchange": law.get((history, tuple(swapped), other), ZERO),
                    }
                )
    c, Z, *weights = sympy.symbols("c Z w_m l_m w_i l_i", positive=True)
    w_m, l_m, w_i, l_i = weights
    law, swapped = c * (w_m * l_m) * (w_i * l_i / Z), c * (w_i * l_i) * (w_m * l_m / Z)
    if sample != -1 or not (is_identity(law, swapped) and book.stands("lem:bayesian")):
        return undecided("the law is not a product")
    return holds(
        Evidence.PROOF,
        reason="""With M = m and M_k = i the law is c (w_m l_m) (w_i l_i / Z), c being the chances of policies, starts
        and earlier samples, free of m and i: a product, and symmetric. Instances agree on every outcome.""",
        compared=compared,
    )

"""MB-PSRL: how likely the event of Lemma `concentration_psrl` is, and the gap between the two models on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.mb_psrl.posterior_bounds import deviations_are_rare, sum_is_at_most, unlikely_by_long_episodes
from proofs_checks.claims.mb_psrl.posterior_cases import beyond, small_cases
from proofs_checks.claims.mb_psrl.posterior_sampling import PRIORS, SECTION
from proofs_checks.computations.symbolic import is_identity, nonnegative_above
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, undecided
from theory import ONE, ZERO
from theory.bayes import expectation_along_counts, expectation_over
from theory.paper import log_factor
from theory.values import optimal_value

FAR, MIDDLE, NEAR = ONE, fmpq(1, 2), fmpq(1, 100)
PARAMETERS = "S, n >= 1, K >= 2, 2 <= k <= K, 0 <= beta < 1; finite priors"


def closeness(
    means: Sequence[fmpq], K: int, k: int, only_last: bool, multiple: fmpq = ONE
) -> Callable[[int, int, int], bool]:
    """Return the event's condition on (k', M_{k'+1}, M) on one cell at beta = 0, where N_{k'} = k'."""

    def close(after: int, sample: int, model: int) -> bool:
        if only_last and after < k - 1:
            return True
        return not beyond(abs(means[sample] - means[model]), after, K, k, ZERO, multiple)

    return close


PRIORS_ON_MEANS = (
    (fmpq(9, 20), fmpq(11, 20)),
    (fmpq(1, 10), fmpq(9, 10)),
    (fmpq(1, 4), fmpq(1, 2), fmpq(3, 4)),
    (ZERO, fmpq(1, 100), ONE),
)


def first_unlikely(only_last: bool, multiple: fmpq, parts: int) -> dict[str, object] | None:
    """Return a case in which the event on one cell has probability below 1 - parts/K, at beta = 0 and k = K."""
    for K in (10, 20, 40):
        for means in PRIORS_ON_MEANS:
            weights = [fmpq(1, len(means))] * len(means)
            close = closeness(means, K, K, only_last, multiple)
            probability = expectation_along_counts(means, weights, K - 1, close, lambda m, i: ONE)
            if probability < 1 - fmpq(parts, K):
                return {
                    "S": 1,
                    "n": 1,
                    "beta": 0,
                    "K": K,
                    "k": K,
                    "means, equally likely": means,
                    "times L_{k-1}": multiple,
                    "probability": probability,
                    "claimed at least": 1 - fmpq(parts, K),
                }
    return None


@claim(
    "lem:concentration_psrl",
    section=SECTION,
    statement="P(E^PSRL_{k-1}) >= 1 - 9/K, the event quantifying over all k' <= k-1.",
    domain="S, n >= 1, 1 <= k <= K, 0 <= beta < 1; finite priors",
    verdict=Verdict.UNDECIDED,
    evidence=Evidence.CERTIFIED,
    mutants={"an eighth of L_{k-1}": {"multiple": fmpq(1, 8)}},
    controls={"k >= 2 and only k' = k-1": {"only_last": True}},
)
def concentration_psrl(book: Book, only_last: bool = False, multiple: fmpq = ONE, parts: int = 9) -> Finding:
    if unlikely := unlikely_by_long_episodes(parts) or first_unlikely(only_last, multiple, parts):
        return fails(unlikely)
    if not only_last:
        book.stands("lem:concentration_psrl/equality")
        return undecided(
            """The printed proof takes P(not E~) = P(not E), which fails (entry equality): the k-1 samples are separate
            draws, each off with probability at most 2/K, and their union bound is (2k+1)/K. Neither a bound for all of
            them together is known here nor a prior below 1 - 9/K, which says something from K = 10 on. The regret
            proof needs k' = k-1 only (entry repair)."""
        )
    if multiple < 1 or not (deviations_are_rare(book) and sum_is_at_most(book, parts)):
        return undecided("the bounds on the four deviations and on E^H do not add up to this")
    return holds(
        Evidence.PROOF,
        reason="""P(not E) <= P(not E^H) + the sum of four P(E^H and not ...) <= 5/K: Hoeffding and Weissman with the
        union over cells and counts N <= tau_k for M, and lem:bayesian for M_k, as E^H is a function of O_{k-1}. Where
        conc:H fails, K <= 5 needs no proof, and for K = 6, 7 (k = 2) it helps that N <= floor(tau_2) < tau_2.""",
    )


@claim(
    "eq:conc_with_i",
    section=SECTION,
    statement="""The indicator of E^PSRL_{k-1}, over all k' <= k-1, is a function of what the expectation is conditioned
    on: O_{k-1}, H_k, M_k and M.""",
    domain=PRIORS,
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"K = k = 25": {"K": 25}},
    controls={"only k' = k-1": {"only_last": True}},
)
def conditioning(book: Book, K: int = 19, only_last: bool = False) -> Finding:
    """Take beta = 0, k = K, M = 1 and M_k = 1/2, so all rewards are 1; M_{k-1} may be 1/2 or 1/100.

    Both are possible: after K - 2 rewards of 1 every mean above 0 has positive posterior probability.
    """
    means = (FAR, MIDDLE, NEAR)
    close = closeness(means, K, K, only_last)
    last = close(K - 1, 1, 0)
    truths = {means[sample]: last and close(K - 2, sample, 0) for sample in (1, 2)}
    if len(set(truths.values())) > 1:
        threshold = log_factor(1, 1, K, K, 0) / arb(K - 2).sqrt()
        return fails(
            {
                "S": 1,
                "n": 1,
                "beta": 0,
                "K": K,
                "k": K,
                "means": means,
                "M": FAR,
                "M_k and the samples before M_{k-1}": MIDDLE,
                "rewards": f"{K - 1} times 1",
                "threshold at k' = k-2": threshold,
                "the event, by M_{k-1}": {str(mean): truth for mean, truth in truths.items()},
            }
        )
    return holds(Evidence.CERTIFIED, reason="the condition at k' = k-1 involves M, M_k and the counts only")


@claim(
    "lem:concentration_psrl/repair",
    section=SECTION,
    statement="""The event that |r_k - r| <= L_{k-1}/sqrt(max{1, N_{k-1}}) and ||Q_k - Q||_1 <= (2 L_{k-1} + 3 sqrt S) /
    sqrt(max{1, N_{k-1}}) in all cells, and H_{k'} <= log(K(k-1))/(1-beta) for k' < k, is a function of O_{k-1}, M and
    M_k, symmetric in M and M_k, and has probability at least 1 - 9/K.""",
    domain=PARAMETERS,
    evidence=Evidence.PROOF,
    mutants={"an eighth of L_{k-1}": {"multiple": fmpq(1, 8)}, "1 - 1/K": {"parts": 1}},
    repairs=("lem:concentration_psrl", "lem:concentration_psrl/measurable", "eq:conc_with_i"),
)
def concentration_repair(book: Book, multiple: fmpq = ONE, parts: int = 9) -> Finding:
    return concentration_psrl(book, only_last=True, multiple=multiple, parts=parts)


@claim(
    "lem:concentration_psrl/sharper",
    section=SECTION,
    statement="""The event of the repair has probability at least 1 - 5/K: each of not E^r, not E^Q and their analogues
    for M_k meets E^H with probability at most 1/K, and not E^H is counted once.""",
    domain=PARAMETERS,
    evidence=Evidence.PROOF,
    mutants={"an eighth of L_{k-1}": {"multiple": fmpq(1, 8)}, "1 - 1/K": {"parts": 1}},
)
def concentration_sharper(book: Book, multiple: fmpq = ONE, parts: int = 5) -> Finding:
    return concentration_psrl(book, only_last=True, multiple=multiple, parts=parts)


@claim(
    "lem:concentration_psrl/all-samples",
    section=SECTION,
    statement="""With log(2 S n K^2 tau_k) in place of log(2 S n K tau_k) inside L_{k-1}, the event over all k' <= k-1
    has probability at least 1 - 4/K: K times smaller bounds for a single k' pay for the k-1 samples.""",
    domain=PARAMETERS,
    evidence=Evidence.PROOF,
    mutants={"1 - 1/K": {"parts": 1}},
    repairs=("lem:concentration_psrl",),
)
def all_samples(book: Book, parts: int = 4) -> Finding:
    """Add up 2/K for E^H, 1/K^2 for each event on M, and (k-1)/K^2 for each event on the samples, k <= K."""
    if unlikely := unlikely_by_long_episodes(parts):
        return fails(unlikely)
    K, k, more = sympy.symbols("K k more", positive=True)
    total = 2 / K + 2 / K**2 + 2 * (k - 1) / K**2
    slack = sympy.cancel((parts / K - total) * K**2).subs(K, k + more)
    bounds = deviations_are_rare(book, power=2) and book.stands("conc:H/repair-factor")
    if not (bounds and nonnegative_above(slack, {k: 1, more: 0})):
        return undecided("the bounds do not add up to this")
    return holds(
        Evidence.PROOF,
        reason="""For each k' the sample M_{k'+1} deviates, while N_{k'} <= tau_k, with the probability that M does
        (lem:bayesian): at most 1/K^2, for rewards and for transitions. P(not E^H) <= 2/K.""",
    )


# --- the gap between the models


@claim(
    "psrl:model-gap",
    section=SECTION,
    statement="E[Delta_k^model 1_E] = 0 for the event E = E^PSRL_{k-1} as printed, over all k' <= k-1.",
    domain=PRIORS,
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"at most 0": {"relation": "at most"}},
    controls={"only k' = k-1": {"only_last": True}},
)
def model_gap(book: Book, relation: str = "is", only_last: bool = False) -> Finding:
    """Sum over all histories of one cell: beta = 0, K = k = 19, means 1, 1/2, 1/100; V is the mean.

    The thresholds L_18/sqrt(17) and L_18/sqrt(18) lie between 1/2 and 99/100: the event excludes just the pairs 1 and
    1/100, of M with M_18 and with M_19. A pair (M, M_19) = (1, 1/2) is excluded if M_18 = 1/100, the pair (1/2, 1)
    never: so the two do not cancel.
    """
    K = k = 19
    means = (FAR, MIDDLE, NEAR)
    close = closeness(means, K, k, only_last)
    gap = expectation_along_counts(means, [fmpq(1, 3)] * 3, k - 1, close, lambda m, i: means[m] - means[i])
    if gap > 0 or (relation == "is" and gap != 0):
        radii = {f"k' = {j}": log_factor(1, 1, K, k, 0) / arb(j).sqrt() for j in (16, 17, 18)}
        return fails(
            {
                "S": 1,
                "n": 1,
                "beta": 0,
                "K": K,
                "k": k,
                "means, equally likely": means,
                "thresholds": radii,
                "E[Delta^model 1_E]": gap,
                "about": arb(gap),
            }
        )
    return holds(Evidence.CERTIFIED, gap=gap)


@claim(
    "psrl:model-gap/repair",
    section=SECTION,
    statement="""E[Delta_k^model 1_E] = 0 for every event E given by O_{k-1} and a condition symmetric in M and M_k,
    such as the one with k' = k-1 only.""",
    domain=PRIORS,
    evidence=Evidence.PROOF,
    mutants={"M_k is not the smaller one: not symmetric": {"symmetric": False}},
    repairs=("psrl:model-gap",),
)
def model_gap_repair(book: Book, symmetric: bool = True) -> Finding:
    """Prove it term by term, and enumerate the small priors with the events that two optimal values are close."""
    tried = 0
    for prior, horizons, outcomes in small_cases(book, "model gap"):
        best = [optimal_value(model).values for model in prior.models]
        for start in best[0]:
            f = [values[start] for values in best]
            for most in {abs(a - b) for a in f for b in f}:
                tried += 1

                def gap(each: object, f: list[fmpq] = f, most: fmpq = most) -> fmpq:
                    model, other = each.model, each.samples[-1]  # type: ignore[attr-defined]
                    difference = f[model] - f[other]
                    inside = abs(difference) <= most and (symmetric or difference <= 0)
                    return difference if inside else ZERO

                mean = expectation_over(outcomes, gap)
                if mean != 0:
                    return fails(
                        {
                            "models": prior.models,
                            "prior": prior.weights,
                            "horizons": horizons,
                            "start": start,
                            "optimal values": f,
                            "largest difference allowed": most,
                            "E[Delta^model 1_E]": mean,
                        }
                    )
    p, q, f, g, common = sympy.symbols("p q f g s")  # the posterior of i and j, their values, and s_ij = s_ji
    cancels = is_identity(p * q * common * (f - g) + q * p * common * (g - f), 0)
    if not (symmetric and cancels and book.stands("lem:bayesian/exchangeable", "eq:def_model/repair")):
        return undecided("the terms of (i, j) and (j, i) do not cancel")
    return holds(
        Evidence.PROOF,
        reason="""Given O_{k-1}, M and M_k are independent with one law, so the terms of (M, M_k) = (i, j) and (j, i)
        cancel, and those with i = j are 0. Instances agree.""",
        events_tried=tried,
    )

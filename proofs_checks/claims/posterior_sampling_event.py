"""MB-PSRL: how likely the event of Lemma `concentration_psrl` is, and the gap between the two models on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.posterior_cases import beyond, small_cases
from proofs_checks.claims.posterior_sampling import PRIORS, SECTION
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, undecided
from theory.bayes import expectation_along_counts, expectation_over
from theory.certified import Truth, at_most, log_factor
from theory.rationals import ONE, ZERO
from theory.values.product import optimal_value

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
    if unlikely := first_unlikely(only_last, multiple, parts):
        return fails(unlikely)
    if not only_last:
        book.stands("lem:concentration_psrl/equality")
        return undecided(
            "the printed proof takes P(not E~) = P(not E), which fails (entry equality): each of the k-1 samples is "
            "drawn anew, and the union bound over them costs a factor k-1. At k = 1 the event is undefined (log 0). No "
            "exact case tried is below 1 - 9/K, and the regret proof needs k' = k-1 only, where the bound holds"
        )
    if at_most(lambda: arb(1), lambda: log_factor(1, 1, 2, 2, 0)) is not Truth.YES:
        raise ArithmeticError("a cell that was never activated may break the event")
    assert book.stands("lem:concentration_psrl/equality/repair", "lem:concentration_psrl/complement/repair")
    return holds(
        Evidence.PROOF,
        reason=(
            "not E lies in the union of five events; given their bounds 2/K for each of four and 1/K for E^H this "
            "is 9/K. The bounds for M are those of lem:concentration, the ones for M_k are the same probabilities. A "
            "cell with N = 0 needs no estimate: the distances are at most 1 and 2, and L_{k-1} >= 1, least at K = k = 2"
        ),
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
    M_k, symmetric in M and M_k, and has probability at least 1 - 9/K if lem:concentration holds.""",
    domain=PARAMETERS,
    evidence=Evidence.PROOF,
    mutants={"an eighth of L_{k-1}": {"multiple": fmpq(1, 8)}},
    repairs=("lem:concentration_psrl", "lem:concentration_psrl/measurable", "eq:conc_with_i"),
)
def concentration_repair(book: Book, multiple: fmpq = ONE) -> Finding:
    return concentration_psrl(book, only_last=True, multiple=multiple)


@claim(
    "lem:concentration_psrl/sharper",
    section=SECTION,
    statement="""The event of the repair has probability at least 1 - 5/K: each of not E^r, not E^Q and their analogues
    for M_k meets E^H with probability at most 1/K, and not E^H is counted once.""",
    domain=PARAMETERS,
    evidence=Evidence.PROOF,
    mutants={"an eighth of L_{k-1}": {"multiple": fmpq(1, 8)}, "not E^H counted five times": {"recount": 5}},
)
def concentration_sharper(book: Book, multiple: fmpq = ONE, recount: int = 1) -> Finding:
    K = sympy.Symbol("K", positive=True)
    parts = 4 + recount
    if sympy.simplify(sympy.Integer(parts) / K - 5 / K) != 0:
        return fails({"sum of the five bounds, times K": parts})
    finding = concentration_psrl(book, only_last=True, multiple=multiple, parts=parts)
    if not finding.stands:
        return finding
    return holds(
        Evidence.PROOF,
        reason=(
            "P(not E) <= P(not E^H) + sum of four P(E^H and not ...) <= 5/K; E^H is a function of O_{k-1}, so "
            "lem:bayesian carries each bound over to M_k"
        ),
    )


@claim(
    "lem:concentration_psrl/all-samples",
    section=SECTION,
    statement="""With log(2 S n K^2 tau_k) in place of log(2 S n K tau_k) inside L_{k-1}, the event over all k' <= k-1
    has probability at least 1 - 5/K: K times smaller bounds for a single k' pay for the k-1 samples.""",
    domain=PARAMETERS,
    evidence=Evidence.PROOF,
    mutants={"K in place of K^2, as printed": {"power": 1}},
    repairs=("lem:concentration_psrl",),
)
def all_samples(book: Book, power: int = 2) -> Finding:
    """Count: per k', Sn cells and tau values of N, each off with probability 2 exp(-L^2/2) or 2^S exp(-(L + ..)^2/2).

    Both are at most 1/(S n K^power tau). On E^H, N_{k'} <= tau_k.
    """
    S, n, K, tau, samples = sympy.symbols("S n K tau samples", positive=True)  # samples = k - 1 < K
    one = S * n * tau * 2 / (2 * S * n * K**power * tau)
    of_transitions = S * n * tau * 2**S / (S * n * K**power * tau * 2**S)
    assert sympy.simplify(one - of_transitions) == 0
    share = sympy.simplify(samples * one * K / samples)  # of 1/K, per sample
    if sympy.simplify(share - 1 / K) != 0:
        return fails({"K": 10, "k": 10, "sum over k' of the bounds": fmpq(9, 10 ** (power)), "1/K": fmpq(1, 10)})
    assert book.stands("cited:hoeffding", "cited:weissman", "lem:bayesian", "lem:concentration_psrl/complement/repair")
    return holds(
        Evidence.PROOF,
        reason=(
            "(k-1)/K^2 <= 1/K for each of the two samples' events, 1/K for each of the two events on M and for E^H; "
            "lem:bayesian gives each k' the probability it has with M in place of M_{k'+1}"
        ),
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
    """Enumerate the small priors with the events that two optimal values differ by at most d, or M = M_k; and verify.

    The identity: sum over i, j of p_i p_j s_ij (f_i - f_j) = 0 where s_ij = s_ji.
    """
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
    models = 4
    p, f_ = sympy.symbols(f"p1:{models + 1}"), sympy.symbols(f"f1:{models + 1}")
    s = {(i, j): sympy.Symbol(f"s{min(i, j)}{max(i, j)}") for i in range(models) for j in range(models)}
    total = sum(p[i] * p[j] * s[i, j] * (f_[i] - f_[j]) for i in range(models) for j in range(models))
    assert sympy.expand(total) == 0
    assert book.stands("lem:bayesian/exchangeable", "eq:def_model/repair")
    return holds(
        Evidence.PROOF,
        reason="given O_{k-1}, M and M_k are independent with one law, and f_i - f_j is antisymmetric; instances agree",
        events_tried=tried,
    )

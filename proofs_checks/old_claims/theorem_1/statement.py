"""Theorem 1, the upper bounds on regret (`thm:regret_upper_bound`): where they make sense, and what they rest on.

The numbers are in `theorem_1_constants`, what they stand on in `theorem_1_reduction`, from how many episodes on they
say anything in `theorem_1_informative`, and the remarks that follow the theorem in `theorem_1_remarks`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import arb, fmpq

from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import Arm, Bandit, Exact, priority_value, rational
from theory.certified import Truth, less
from theory.paper import (
    best_constant,
    leading_function,
    printed_reading,
    printed_ucbvi_reading,
    sharper_reading,
    sharper_ucbvi_reading,
)

SECTION = "Theorem 1"

COMMON_LEMMAS = (
    "eq:gap_overview",
    "conc:H/repair",
    "conc:r/repair",
    "conc:Q/repair",
    "conc:L/repair",
    "lem:regret_decomposition",
    "lem:sum",
)
LEMMAS_PSRL = (*COMMON_LEMMAS, "lem:concentration_psrl/repair", "psrl:model-gap/repair")
LEMMAS_UCRL2 = (
    *COMMON_LEMMAS,
    "lem:concentration_ucrl/sharper",
    "ucrl2/B_k/repair",
    "ucrl2/half/repair",
    "eq:optimism/repair",
    "eq:proof_UCRL2_regret/repair",
)
LEMMAS_UCBVI = (
    *COMMON_LEMMAS,
    "conc:V/repair-probability",
    "lem:concentration_ucbvi/sharper",
    "lem:ucbvi_optim",
    "ucbvi/B_k/repair",
    "ucbvi/additive",
)
SHARPER_LEMMAS = ("lem:regret_decomposition/sharper", "lem:sum/cauchy-schwarz")
"""What the proof's last displays rest on, and what their sharper reading needs besides."""
FIRST_EPISODES = 2
ONLY_FROM_TWO = "K >= 2"


@claim(
    "thm:regret_upper_bound/domain",
    section=SECTION,
    statement="""The logarithm log(SnK log K/(1-beta)) and f(S,n,K,beta) are defined and positive, so that each
    right-hand side of the theorem is a positive number.""",
    domain="S >= 1, n >= 1, K >= 1, beta in [0, 1)",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"without the factor K in the logarithm": {"power": 0}},
    controls={"from K = 2 on": {"first": FIRST_EPISODES}},
)
def domain(book: Book, first: int = 1, power: int = 1) -> Finding:
    """At K >= 2 the argument of the logarithm grows with S, n, K and beta: its least value is at (1, 1, 2, 0)."""

    def smallest_logarithm() -> arb:
        return (arb(2) ** power * arb(2).log()).log()

    least, smallest = less(lambda: arb(0), smallest_logarithm), smallest_logarithm()
    if least is not Truth.YES:
        return fails({"S": 1, "n": 1, "K": 2, "beta": 0, "logarithm": smallest})
    values: dict[str, Any] = {"least logarithm, at K = 2": smallest, "least f, at K = 2": leading_function(1, 1, 2, 0)}
    if first >= FIRST_EPISODES:
        return holds(
            Evidence.PROOF, reason="S n K^p log K/(1-beta) grows in each variable; it exceeds 1 at K = 2.", **values
        )
    witness = {"K": 1, "S": 1, "n": 2, "beta": 0, "f": leading_function(1, 2, 1, 0), "argument of the logarithm": 0}
    return holds_only(ONLY_FROM_TWO, Evidence.PROOF, witness, reason="log K = 0 at K = 1: log 0 times f = 0.", **values)


def one_state_bandit(rewards: Sequence[Exact], beta: Exact) -> Bandit:
    """Return arms of one state each with these rewards."""
    return Bandit([Arm(rewards=[reward], transitions=[[1]]) for reward in rewards], beta)


@claim(
    "thm:regret_upper_bound/one-episode",
    section=SECTION,
    statement="""At K = 1, reading the right-hand side as its limit 0 (f = 0), the expected regret is at most 0 for
    the two models with one-state arms of rewards (1, 0) and (0, 1).""",
    domain="K = 1; any learner: it knows nothing in episode 1, so its law of the policy is the same in both models",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    printed=False,
    mutants={"rewards 1/1000 apart": {"gap": fmpq(1, 1000)}, "beta = 99/100": {"beta": fmpq(99, 100)}},
    controls={"equal rewards": {"gap": 0}},
)
def one_episode(book: Book, gap: Exact = 1, beta: Exact = 0) -> Finding:
    """Use that a policy of two one-state arms plays one of them for ever; a learner draws arm 1 with probability p."""
    difference = rational(gap)
    regrets: list[list[fmpq]] = []
    for rewards in ((difference, fmpq(0)), (fmpq(0), difference)):
        bandit = one_state_bandit(rewards, beta)
        of_arms = [priority_value(bandit, order, (0, 0)).value for order in ([(0, 0), (1, 0)], [(1, 0), (0, 0)])]
        regrets.append([max(of_arms) - value for value in of_arms])
    # p and 1 - p on the arms: the sum over the two models is the same for every p
    sums = {regrets[0][arm] + regrets[1][arm] for arm in (0, 1)}
    if sums == {fmpq(0)}:
        return holds(Evidence.CERTIFIED, regrets=regrets)
    witness = {
        "models": [one_state_bandit(rewards, beta) for rewards in ((difference, 0), (0, difference))],
        "regret of playing arm 1 or arm 2, in each model": regrets,
        "sum of the regrets over the models, any learner": min(sums),
        "Bayesian regret under the uniform prior": min(sums) / 2,
        "limit of the right-hand side": leading_function(1, 2, 1, 0),
    }
    return fails(witness)


def _theorem(
    book: Book, lemmas: Sequence[str], order: int, additive: int, first: int, finite: int, *sides: str
) -> Finding:
    """Decide a part of the theorem: a constant exists for K >= 2, given the proof's side, and none for K = 1."""
    sides = ("thm:regret_upper_bound/reduction", "thm:regret_upper_bound/moments", *sides)
    if not book.stands("thm:regret_upper_bound/domain", *sides, *lemmas):
        return undecided("a lemma that the proof's side rests on does not stand")
    readings = (printed_reading, sharper_reading) if order == 1 else (printed_ucbvi_reading, sharper_ucbvi_reading)
    merged, sharper = (best_constant(reading_of(additive=additive)) for reading_of in readings)
    if not merged.upper < arb(finite):
        return fails({"claimed constant": finite, "the proof gives no less than": merged.lower, "at": merged.at})
    values: dict[str, Any] = {"constant, as merged": merged.upper, "constant, unmerged": sharper.upper, "c_0": additive}
    reason = (
        "Given the lemmas: the proof's side over the theorem's is bounded over all models; K = 1 is a counterexample."
    )
    if first >= FIRST_EPISODES:
        return holds(Evidence.CERTIFIED, reason=reason, **values)
    witness = one_episode(book).witness
    return holds_only(ONLY_FROM_TWO, Evidence.CERTIFIED, witness, reason=reason, **values)


@claim(
    "thm:regret_upper_bound/psrl",
    section=SECTION,
    statement="""There is a universal C with BayReg(K, MB-PSRL, phi) <= C (sqrt S + log(SnK log K/(1-beta))) f for
    every prior, as far as the last display of the proof implies it.""",
    domain="S >= 1, n >= 1, K >= 1, beta in [0, 1)",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.CERTIFIED,
    mutants={"C = 100 from this proof": {"finite": 100}},
    controls={"from K = 2 on": {"first": FIRST_EPISODES}},
)
def part_psrl(book: Book, first: int = 1, additive: int = 9, finite: int = 116) -> Finding:
    return _theorem(book, LEMMAS_PSRL, 1, additive, first, finite)


@claim(
    "thm:regret_upper_bound/ucrl2",
    section=SECTION,
    statement="""There is a universal C' with E Reg(K, MB-UCRL2, M) <= C' (sqrt S + log(SnK log K/(1-beta))) f for
    every model, as far as the last display of the proof implies it, with its front factor 3/2 corrected to 3.""",
    domain="S >= 1, n >= 1, K >= 1, beta in [0, 1)",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.CERTIFIED,
    mutants={"C' = 100 from this proof": {"finite": 100}},
    controls={"from K = 2 on": {"first": FIRST_EPISODES}},
)
def part_ucrl2(book: Book, first: int = 1, additive: int = 5, finite: int = 113) -> Finding:
    return _theorem(book, LEMMAS_UCRL2, 1, additive, first, finite)


@claim(
    "thm:regret_upper_bound/ucbvi",
    section=SECTION,
    statement="""There is a universal C'' with E Reg(K, MB-UCBVI, M) <= C'' sqrt(S)/(1-beta) log(SnK log K/(1-beta))
    f for every model, as far as the last display of the proof implies it, with c_0 = S + 7.""",
    domain="S >= 1, n >= 1, K >= 1, beta in [0, 1)",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.CERTIFIED,
    mutants={"C'' = 600 from this proof": {"finite": 600}},
    controls={"from K = 2 on": {"first": FIRST_EPISODES}},
)
def part_ucbvi(book: Book, first: int = 1, additive: int = 8, finite: int = 673) -> Finding:
    sides = ("thm:regret_upper_bound/ucbvi-front", "thm:regret_upper_bound/additive-states")
    return _theorem(book, LEMMAS_UCBVI, 2, additive, first, finite, *sides)

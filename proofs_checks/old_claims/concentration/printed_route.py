"""Lemma `concentration`, the printed route to E^r and E^Q: within E^H first, then what is outside of it."""

from __future__ import annotations

from flint import fmpq

from proofs_checks.claims.concentration.events import refuted_by_rewards
from proofs_checks.claims.concentration.union_bounds import SECTION
from proofs_checks.computations import union_sums
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import ONE, sympy_rational

DOMAIN = """2 <= k <= K, 0 <= k' <= k-1; all S, n, beta in [0, 1); r-hat := 1/2 where N = 0, and Q-hat counts the state
that the arm moved to"""


@claim(
    "conc:r/within-H",
    section=SECTION,
    statement="P(E^H_{k-1} and not E^r_{k-1}) <= 1/K, and P(E^H_{k-1} and not E^Q_{k-1}) <= 1/K.",
    domain=DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"radius a fifth": {"scale": fmpq(1, 5)}, "1/(500K)": {"numerator": fmpq(1, 500)}},
)
def within_short_episodes(book: Book, scale: fmpq = ONE, numerator: fmpq = ONE) -> Finding:
    """Exact probabilities could refute it; the sum over at most tau_k values of l is symbolic."""
    if refuted := refuted_by_rewards(numerator, scale, within_h=True):
        return fails(refuted)
    claimed = sympy_rational(numerator) / union_sums.K
    bounds = (union_sums.mean_bound(scale=scale), union_sums.row_bound(scale=scale))
    ratios = [union_sums.union_ratio(union_sums.tau, bound, claimed) for bound in bounds]
    steps = (
        "conc:r/union",
        "conc:r/count",
        "conc:Q/split",
        "def:estimators/no-visit/repair",
        "def:estimators/no-visit-Q",
        "conc:domain",
    )
    if not (all(map(union_sums.at_most_one, ratios)) and book.stands(*steps)):
        return undecided(f"the sum over the claimed bound is {ratios[0]}, or a step does not stand")
    return holds(
        Evidence.PROOF,
        reason=(
            "let each arm state hold a sequence of rewards and moves, drawn beforehand, of which the l-th activation "
            "shows the l-th; on E^H, a violation at N_{k'} >= 1 is one at some l <= floor(tau_k) of some arm state"
        ),
    )


@claim(
    "conc:r/printed-route",
    section=SECTION,
    statement="""P(not E^r_{k-1}) <= P(E^H and not E^r) + P(not E^H) <= 1/K + 1/K, and so for E^Q: each summand at most
    1/K.""",
    domain=DOMAIN,
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.CERTIFIED,
    mutants={"1/K + 1/(2K)": {"outside": fmpq(1, 2)}},
    controls={"K(k-1) >= 8": {"smallest_product": 8}},
)
def printed_route(book: Book, outside: fmpq = ONE, smallest_product: int = 2) -> Finding:
    within = book.finding("conc:r/within-H")
    printed = book.finding("conc:H")
    as_printed = outside == ONE and smallest_product == 2
    short = printed if as_printed else book.variant("conc:H", factor=outside, smallest_product=smallest_product)
    if not within.stands:
        return undecided("conc:r/within-H does not stand")
    if short.verdict is Verdict.HOLDS:
        return holds(Evidence.CERTIFIED, reason="1/K from conc:r/within-H, 1/K from conc:H")
    if short.verdict is Verdict.FAILS:
        return fails({"the second summand, P(not E^H)": short.witness})
    return holds_only(
        short.domain,
        Evidence.CERTIFIED,
        {
            "the second summand, P(not E^H) = beta^floor": short.witness,
            "the sum at K = 3, k = 2, beta = 2/5": fmpq(1, 3) + fmpq(2, 5),
            "2/K": fmpq(2, 3),
        },
        reason=(
            "What the route wants to show is true all the same, with room: conc:r/repair and conc:Q/repair get 1/(K "
            "log(K(k-1))) without E^H"
        ),
    )


@claim(
    "conc:r/printed-route/repair",
    section=SECTION,
    statement="P(not E^r_{k-1}) <= P(E^H and not E^r) + P(not E^H) <= 1/K + 2/K, with E^H as printed; so for E^Q.",
    domain=DOMAIN,
    evidence=Evidence.CERTIFIED,
    mutants={"1/K + 19/(10K)": {"outside": fmpq(19, 10)}},
    repairs=("conc:r/printed-route",),
)
def printed_route_repair(book: Book, outside: fmpq = fmpq(2)) -> Finding:
    twice = book.finding("conc:H/repair-factor")
    short = twice if outside == 2 else book.variant("conc:H/repair-factor", factor=outside)
    if short.verdict is Verdict.FAILS:
        return fails({"the second summand, P(not E^H)": short.witness})
    if not (short.stands and book.stands("conc:r/within-H")):
        return undecided("conc:H/repair-factor or conc:r/within-H does not stand")
    return holds(Evidence.CERTIFIED, reason="1/K from conc:r/within-H, 2/K from conc:H/repair-factor")

"""MB-UCBVI (appendix): the bound B_k, and its regret, display by display.

L stands for L_{k-1}, or L_K where the display says so, and s for sqrt(S); H is the episode's length. Per visit, and
multiplied by 2(1 - beta) sqrt(max{1, N}), the displays are polynomials.
"""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from proofs_checks.claims.mb_ucbvi.optimism import SECTION
from proofs_checks.claims.mb_ucrl2.regret import (
    double_sum_times_longest,
    expected_sum,
    gaps,
    lost_off_the_event,
    rarely_left,
)
from proofs_checks.computations.symbolic import algebra, is_identity, nonnegative_above
from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import GlobalState, ModelError, rational, sympy_rational
from theory.certified import Truth, at_most, enclosure
from theory.paper import last_log_factor, log_factor
from theory.values import finite_horizon_value

CORNER = {"S": 1, "n": 1, "K": 2, "beta": 0}
"""L_{k-1} and L_K grow in every parameter, so on K >= 2, k >= 2 they are least here (with k = 2)."""


def _symbols() -> tuple[Any, ...]:
    return tuple(algebra().symbols("L s H beta"))


def _polynomial_bound(slack: Any, lower: dict[Any, Any], at: dict[Any, Any], reason: str) -> Finding:
    """Prove slack >= 0 above `lower`, or refute it at the point `at`."""
    if nonnegative_above(slack, lower):
        return holds(Evidence.PROOF, reason=reason)
    value = slack.subs(at)
    if value < 0:
        return fails({**{str(symbol): str(point) for symbol, point in at.items()}, "right minus left": rational(value)})
    return undecided("neither proved nor refuted")


@claim(
    "ucbvi/B_k",
    section=SECTION,
    statement="B_k = H_k L/(2(1 - beta)) bounds W_{M_k,1:H_k}, whose rewards are empirical means plus bonus.",
    domain="L > 0, 0 <= beta < 1, empirical means in [0, 1]",
    verdict=Verdict.FAILS,
    evidence=Evidence.CERTIFIED,
    mutants={"L = 100": {"L": fmpq(100)}, "empirical mean 1/100": {"mean": fmpq(1, 100)}},
    controls={"empirical mean 0": {"mean": fmpq(0)}},
)
def printed_bound(book: Book, L: fmpq = fmpq(2), mean: fmpq = fmpq(1), beta: fmpq = fmpq(1, 2)) -> Finding:
    """One arm of one state, played once, H_k = 1."""
    w, bound = mean + L / (2 * (1 - beta)), L / (2 * (1 - beta))
    data = {"S = n = N = H_k": 1, "empirical mean": mean, "L": L, "beta": beta, "W_{M_k,1:1}": w, "B_k": bound}
    return fails(data) if w > bound else holds(Evidence.CERTIFIED, W=w, bound=bound)


@claim(
    "ucbvi/B_k/repair",
    section=SECTION,
    statement="B_k = H_k (1 + L/(2(1 - beta))) bounds W_{M_k,1:H_k}; it is attained.",
    domain="L >= 0, 0 <= beta < 1, N >= 0, empirical means in [0, 1]",
    evidence=Evidence.PROOF,
    mutants={"1/2 in place of 1": {"extra": fmpq(1, 2)}},
    repairs=("ucbvi/B_k",),
)
def bound_repaired(book: Book, extra: fmpq = fmpq(1)) -> Finding:
    """Write a mean as 1 - a and 1/sqrt(max{1, N}) as 1 - c, a and c >= 0, and L/(2(1 - beta)) as b >= 0."""
    sympy = algebra()
    a, b, c = sympy.symbols("a b c")
    claimed = sympy_rational(extra) + b
    if nonnegative_above(sympy.expand(claimed - ((1 - a) + b * (1 - c))), {a: 0, b: 0, c: 0}):
        return holds(Evidence.PROOF, reason="each of H_k rewards is a mean <= 1 plus L/(2(1-beta) sqrt(max{1,N}))")
    if extra >= 1:  # what a mean of 1, once observed, needs
        return undecided("neither proved nor refuted")
    return fails({"S = n = N = H_k": 1, "empirical mean": 1, "per step, W - L/(2(1-beta))": 1, "claimed": extra})


@claim(
    "ucbvi/display-1",
    section=SECTION,
    statement="""The first display of MB-UCBVI: given the past and H_k, under the event, the expectation of Delta^conc_k
    is at most that of the episode's sum of |b + r-hat - r| + (H_k L/(2(1 - beta))) ||Q-hat - Q||_1; true, although its
    B_k is no bound.""",
    domain="2 <= k <= K, S >= 1, n >= 1, 0 <= beta < 1; rows of M_k are probabilities",
    evidence=Evidence.PROOF,
    mutants={"1/8 of the printed B_k": {"share": fmpq(1, 8)}},
)
def first_display(book: Book, share: fmpq = fmpq(1)) -> Finding:
    """Use the sharper decomposition with R = 1 + L/(2(1 - beta)): at step h it asks (R/2)(H - h) <= B_k."""
    decomposition = book.finding("ucrl2/decomposition")
    sympy = algebra()
    more, rest, u, h = sympy.symbols("more rest u h")  # L = 2u + more, u = 1 - beta, H = h + rest
    L, H = 2 * u + more, h + rest
    slack = 2 * sympy_rational(share) * H * L - (H - h) * (2 * u + L)  # times 4u
    enough = nonnegative_above(slack, {more: 0, rest: 0, u: 0, h: 1})
    # L >= 2(1 - beta): K = k = 2 has H_1 <= log(2)/(1 - beta), so 2(1 - beta) <= 2 log 2; K >= 3 and S >= 2 have L >= 2
    first = at_most(lambda: 2 * arb(2).log(), lambda: log_factor(S=1, n=1, K=2, k=2, beta=0))
    later = at_most(lambda: arb(2), lambda: log_factor(S=2, n=1, K=3, k=2, beta=0))
    if enough and first.both(later) is Truth.YES and decomposition.verdict is Verdict.HOLDS:
        return holds(
            Evidence.PROOF,
            reason="B_k exceeds (R/2)(H - h) when L >= 2(1 - beta), which the event forces (H_1 >= 1 must be possible; "
            "L grows in S, n, K, k, beta) unless S = 1, where rows do not differ",
        )
    return _first_display_refuted(share)


def _first_display_refuted(share: fmpq, L: int = 2, root_n: int = 1000, H: int = 3) -> Finding:
    """One arm, beta = 1/2: L1 radius 4/root_n of state A's row, all of it moved to a state B of reward 1 + bonus."""
    true = rarely_left(fmpq(1, 10**6), 1)
    believed = rarely_left(fmpq(1, 10**6) + fmpq(4, root_n) / 2, 1 + L, first=fmpq(L, root_n))
    policy: dict[GlobalState, int] = {(0,): 0, (1,): 0}
    bound = share * H * L  # L/(2(1 - beta)) = L

    def cost(a: int, x: int, left: int) -> fmpq:
        reward_gap, row_gap = gaps(true, believed, a, x)
        return reward_gap + bound * row_gap

    sides = (
        finite_horizon_value(believed, policy, H)[0,] - finite_horizon_value(true, policy, H)[0,],
        expected_sum(true, policy, H, cost)[0,],
    )
    if sides[0] <= sides[1]:
        return undecided("neither proved nor refuted")
    return fails(
        {"beta": fmpq(1, 2), "L": L, "H": H, "N(A), N(B)": (root_n**2, 1), "M": true, "M_k": believed, "left": sides[0],
         "right": sides[1]}
    )  # fmt: skip


@claim(
    "ucbvi/reward-gap",
    section=SECTION,
    statement="|b + r-hat - r| <= (2 - beta) L/(2(1 - beta) sqrt(max{1, N})) under the event.",
    domain="0 <= beta < 1, L >= 0; the event's bound on |r-hat - r| assumed",
    evidence=Evidence.PROOF,
    mutants={"1 in place of 2 - beta": {"constant": 1}},
)
def reward_gap(book: Book, constant: int = 2) -> Finding:
    """Add the bonus and L/2: both are attained together when r-hat - r = L/(2 sqrt N)."""
    if not book.stands("eq:concentration/ucbvi/repair"):
        return undecided("eq:concentration/ucbvi/repair does not stand")
    L, _, _, beta = _symbols()
    exact = L / (2 * (1 - beta)) + L / 2
    claimed = (constant - (beta if constant == 2 else 0)) * L / (2 * (1 - beta))
    if is_identity(exact, claimed):
        return holds(Evidence.PROOF, reason="triangle inequality; the sum of the two bounds is the claimed one exactly")
    at = {L: 1, beta: 0}
    attained, stated = (rational(side.subs(at)) for side in (exact, claimed))
    if attained <= stated:
        return undecided("neither proved nor refuted")
    return fails({"L, N, beta": (1, 1, 0), "b + r-hat - r, where r-hat - r = L/2": attained, "claimed": stated})


def _printed_left(L: Any, s: Any, H: Any, beta: Any) -> Any:
    return (2 - beta) * L + H * L * (L + algebra().Rational(3, 2) * s)


def _repaired_left(L: Any, s: Any, H: Any, beta: Any) -> Any:
    return (2 - beta) * L + H * (2 * (1 - beta) + L) * (L + algebra().Rational(3, 2) * s)


@claim(
    "ucbvi/display-2",
    section=SECTION,
    statement="""Reward gap plus B_k (L + 1.5 sqrt S)/sqrt N equals
    ((2 - beta) L + H L (L + 1.5 sqrt S))/(2(1 - beta) sqrt N), with B_k as printed.""",
    domain="0 <= beta < 1, L >= 0, S >= 1, H >= 1",
    evidence=Evidence.PROOF,
    mutants={"the bound that W needs": {"repaired": True}},
)
def second_display(book: Book, repaired: bool = False) -> Finding:
    L, s, H, beta = _symbols()
    bound = H * ((1 if repaired else 0) + L / (2 * (1 - beta)))
    left = (2 - beta) * L / (2 * (1 - beta)) + bound * (L + algebra().Rational(3, 2) * s)
    right = _printed_left(L, s, H, beta) / (2 * (1 - beta))
    if is_identity(left, right):
        return holds(Evidence.PROOF)
    at = {L: 1, s: 1, H: 1, beta: 0}
    return fails({"L, sqrt S, H, beta": (1, 1, 1, 0), "left": str(left.subs(at)), "right": str(right.subs(at))})


@claim(
    "ucbvi/display-3",
    section=SECTION,
    statement="((2 - beta) L + H L (L + 1.5 sqrt S))/(2(1 - beta)) <= 2 L (L + sqrt S) H/(1 - beta).",
    domain="0 <= beta < 1, L >= 0, S >= 1, H >= 1",
    evidence=Evidence.PROOF,
    mutants={"3/2 in place of 2": {"factor": fmpq(3, 2)}},
)
def third_display(book: Book, factor: fmpq = fmpq(2)) -> Finding:
    L, s, H, beta = _symbols()
    times = sympy_rational(2 * factor)
    slack = times * L * (L + s) * H - _printed_left(L, s, H, beta)
    at = {L: algebra().Rational(1, 100), s: 1, H: 1, beta: 0}
    return _polynomial_bound(slack, {L: 0, s: 1, H: 1, beta: 0}, at, "non-negative coefficients; beta >= 0 only helps")


@claim(
    "ucbvi/display-3/repair",
    section=SECTION,
    statement="""With the repaired B_k the same bound 2 L (L + sqrt S) H/(1 - beta) holds per visit, once L >= 4/3; and
    L_{k-1} >= 4/3 for all k >= 2, K >= 2. So the constants of the displays that follow do not change.""",
    domain="2 <= k <= K, S >= 1, n >= 1, 0 <= beta < 1, H >= 1",
    evidence=Evidence.PROOF,
    mutants={"L >= 1 only": {"least": fmpq(1)}, "L >= 3/2 claimed": {"least": fmpq(3, 2)}},
    repairs=("ucbvi/B_k",),
)
def third_display_repaired(book: Book, least: fmpq = fmpq(4, 3)) -> Finding:
    book.finding("ucbvi/B_k/repair")
    L, s, H, beta = _symbols()
    # left is decreasing in beta <= 1: its coefficient there is -(L + 2H(L + 1.5 s)) <= 0, so the slack's is >= 0
    slack = 4 * L * (L + s) * H - _repaired_left(L, s, H, beta)
    bound = sympy_rational(least)
    smallest = at_most(lambda: arb(least), lambda: log_factor(k=2, **CORNER))
    if smallest is not Truth.YES:
        return fails({**CORNER, "k": 2, "claimed": least, "L_{k-1}": enclosure(lambda: log_factor(k=2, **CORNER))})
    at = {L: bound, s: 1, H: 1, beta: 0}
    reason = "non-negative coefficients above L = 4/3, sqrt S = 1, H = 1; L_{k-1} is certified at its least, " + str(
        CORNER
    )
    return _polynomial_bound(slack, {L: bound, s: 1, H: 1, beta: 0}, at, reason)


@claim(
    "ucbvi/sum",
    section=SECTION,
    statement="""Summed over episodes, the third display gives 2 L_K (L_K + sqrt S)/(1 - beta) times
    S n max H^2 + 2 sqrt(S n K) max H^(3/2).""",
    domain="episodes k >= 2, where L_{k-1} is defined; Lemma sum and L_{k-1} <= L_K assumed",
    evidence=Evidence.PROOF,
    mutants={"1 in place of the inner 2": {"two": 1}},
)
def summed(book: Book, two: int = 2) -> Finding:
    if not book.stands("ucbvi/display-3", "ucbvi/display-3/repair", "lem:sum", "conc:L"):
        return undecided("what it rests on does not stand")
    L, s, _, beta = _symbols()
    front = 2 * L * (L + s) / (1 - beta)
    return double_sum_times_longest(front, two)


@claim(
    "ucbvi/last-display",
    section=SECTION,
    statement="2 L_K (L_K + sqrt S) <= 2 (1 + sqrt S) 2 log(4 S n K^2 log K/(1 - beta)), the latter being L_K^2 times "
    "2 (1 + sqrt S): so L_K >= 1.",
    domain="K >= 1, S >= 1, n >= 1, 0 <= beta < 1",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"1 in place of 1 + sqrt S": {"with_root": False}},
    controls={"K >= 2": {"first": 2}},
)
def last_display(book: Book, first: int = 1, with_root: bool = True) -> Finding:
    L, s, _, _ = _symbols()
    slack = ((1 + s) if with_root else 1) * L**2 - L * (L + s)
    reason = "(1 + s) L^2 - L (L + s) = s L (L - 1); L_K is certified to exceed 1 at its least, " + str(CORNER)
    found = _polynomial_bound(slack, {L: 1, s: 1}, {L: 2, s: 1}, reason)
    if at_most(lambda: arb(1), lambda: last_log_factor(**CORNER)) is not Truth.YES:
        return fails({**CORNER, "L_K": enclosure(lambda: last_log_factor(**CORNER))})
    if found.verdict is not Verdict.HOLDS or first >= 2:
        return found
    try:
        last_log_factor(**{**CORNER, "K": 1})
    except ModelError as error:
        return holds_only("K >= 2", Evidence.PROOF, {"K": 1, "why": str(error)}, reason=reason)
    return found


@claim(
    "ucbvi/additive",
    section=SECTION,
    statement="""E[regret of MB-UCBVI] <= 7/(1 - beta) + the sum over k of E[Delta^model_k 1{E}] and
    E[Delta^conc_k 1{E}].""",
    domain="K >= 1, any bandit; H_k independent of the event, whose complement has probability at most 7/K",
    evidence=Evidence.PROOF,
    mutants={"6 in place of 7": {"constant": 6}},
)
def additive_term(book: Book, constant: int = 7) -> Finding:
    sympy = algebra()
    K, beta = sympy.symbols("K beta", positive=True)
    lost = K * (7 / K) * (1 / (1 - beta))
    rests_on = "lem:concentration_ucbvi/sharper", "eq:V-vs_R/steps"  # 4/K, at most 7/K
    if is_identity(lost, constant / (1 - beta)) and book.stands(*rests_on):
        return holds(Evidence.PROOF, reason="Delta_k <= H_k off the event, independent of it, of mean 1/(1 - beta)")
    return lost_off_the_event(7, constant)

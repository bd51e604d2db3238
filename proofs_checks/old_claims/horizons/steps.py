"""The probability of event `conc:H`, step by step: tail, union bound, the choice of epsilon, the strict inequality."""

from __future__ import annotations

from collections.abc import Callable

import flint
import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.ledger import Book, Evidence, Finding, Verdict, claim, fails, holds, holds_only, undecided
from theory import Exact, rational
from theory.certified import Truth, horizon_tail, less

SECTION = "Lemma concentration"


def constant(value: Exact) -> Callable[[], arb]:
    """Return the expression of an exact number."""
    return lambda: arb(rational(value))


def expression_of_product(K: int, k: int, beta: fmpq, factor: Exact = 1, added: Exact = 0) -> Callable[[], arb]:
    """Return the expression factor * log(K(k-1)) / (1-beta) + added."""
    return lambda: rational(factor) * arb(K * (k - 1)).log() / (1 - arb(beta)) + rational(added)


def largest_length(K: int, k: int, beta: fmpq, *, scale: Exact = 1, additive: Exact = 0, least_log: Exact = 0) -> int:
    """Return the largest integer at most additive + scale * max(least_log, log(K(k-1))) / (1-beta).

    Raises
    ------
    ArithmeticError
        If 4096 bits do not decide the integer.
    """
    factor, added, least = rational(scale), rational(additive), rational(least_log)
    if less(lambda: arb(K * (k - 1)).log(), lambda: arb(least)) is Truth.YES or K * (k - 1) == 1:
        return int((added + factor * least / (1 - beta)).floor())
    for precision in (64, 256, 1024, 4096):
        with flint.ctx.workprec(precision):
            whole = (added + factor * arb(K * (k - 1)).log() / (1 - arb(beta))).floor().unique_fmpz()
        if whole is not None:
            return int(whole)
    raise ArithmeticError(f"log({K * (k - 1)})/(1-{beta}) is not told from an integer")


def outside_probability(K: int, k: int, beta: fmpq, **threshold: Exact) -> fmpq:
    """Return the exact probability that one of the first k-1 episodes is longer than the threshold."""
    return horizon_tail(largest_length(K, k, beta, **threshold) + 1, beta, k - 1)


@claim(
    "conc:H/tail",
    section=SECTION,
    statement="P(H > e) = beta^floor(e).",
    domain="real e >= 0, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"beta^e, no floor": {"rounding": False}, "beta^(floor(e)-1)": {"shift": -1}},
)
def tail_with_floor(book: Book, rounding: bool = True, shift: int = 0) -> Finding:
    beta, m = sympy.symbols("beta m", positive=True)
    induction = sympy.simplify(beta**m - (1 - beta) * beta**m - beta ** (m + 1)) == 0  # P(H > m) - P(H = m+1)
    for e in (fmpq(0), fmpq(1, 2), fmpq(1), fmpq(5, 2)):
        floor = int(e.floor())
        exact = horizon_tail(floor + 1, "1/4")
        stated = fmpq(1, 4) ** (floor + shift) if rounding else None
        if stated is None and floor != e:
            return fails({"beta": fmpq(1, 4), "e": e, "P(H > e)": exact, "beta^e": arb(fmpq(1, 4)) ** arb(e)})
        if stated not in (None, exact):
            return fails({"beta": fmpq(1, 4), "e": e, "P(H > e)": exact, "stated": stated})
    if not induction:
        return undecided("the induction step is not an identity")
    return holds(Evidence.PROOF, reason="Induction on m = floor(e); H is an integer, so H > e means H > floor(e).")


@claim(
    "conc:H/union",
    section=SECTION,
    statement="P(some of j independent lengths exceeds e) <= j beta^floor(e).",
    domain="j >= 1, e >= 0, 0 <= beta < 1",
    evidence=Evidence.PROOF,
    mutants={"(j-1) beta^floor(e)": {"fewer": 1}},
)
def union_bound(book: Book, fewer: int = 0) -> Finding:
    p, q = sympy.symbols("p q", nonnegative=True)  # q = (1-p)^j, at most 1
    # 1 - (1-p)^(j+1) = 1 - q + p q, so from j to j+1 the right side grows by p and the left by p q <= p
    induction = sympy.expand((1 - q * (1 - p)) - (1 - q) - p * q) == 0
    tail = book.finding("conc:H/tail").stands
    for count in (1, 2, 3, 5):
        for probability in (fmpq(1, 100), fmpq(1, 3)):
            exact = 1 - (1 - probability) ** count
            if exact > (count - fewer) * probability:
                return fails(
                    {"j": count, "P(H > e)": probability, "exact": exact, "stated": (count - fewer) * probability}
                )
    if not (induction and tail):
        return undecided("the induction step is not an identity")
    return holds(Evidence.PROOF, reason="Bernoulli's inequality 1 - (1-p)^j <= jp by induction on j.")


@claim(
    "conc:H/epsilon",
    section=SECTION,
    statement="""With e = log(1/(K(k-1)))/log(beta): (k-1) beta^floor(e) <= 1/K, so that some of the first k-1 lengths
    exceeds e with probability at most 1/K.""",
    domain="2 <= k <= K, 0 < beta < 1",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"1/(2K), even at integers e": {"factor": fmpq(1, 2)}},
    controls={"1/(K beta)": {"lost": 1}, "no floor": {"rounding": False}},
)
def epsilon_step(book: Book, factor: Exact = 1, lost: int = 0, rounding: bool = True) -> Finding:
    """At e the real power is 1/(K(k-1)) exactly; the floor multiplies it by beta^-(e - floor(e)), in [1, 1/beta)."""
    if not book.stands("conc:H/tail", "conc:H/union"):
        return undecided("conc:H/tail, conc:H/union does not stand")
    b, N, part, e = sympy.symbols("beta N part e", positive=True)  # N = K(k-1), part = e - floor(e)
    defines = sympy.simplify(sympy.exp(sympy.log(1 / N) / sympy.log(b) * sympy.log(b)) - 1 / N) == 0  # beta^e = 1/N
    loses = sympy.simplify(sympy.expand_power_exp(b ** (e - part)) - b**e * b**-part) == 0  # a factor beta^-part:
    grows = sympy.diff(sympy.exp(e * part), part).is_positive is True  # it grows with part, from 1 to 1/beta
    if not (defines and loses and grows):
        return undecided("a step of the argument is not an identity")
    bound = rational(factor)
    at_integer = outside_at_epsilon(2, 2, fmpq(1, 2))  # e = 1
    if at_integer > bound / 2:
        return fails({"K": 2, "k": 2, "beta": fmpq(1, 2), "e": 1, "probability": at_integer, "stated": bound / 2})
    beta = fmpq(1, 3)  # e = log 2/log 3 lies between 0 and 1
    at_fraction = outside_at_epsilon(2, 2, beta)
    if not rounding or at_fraction <= bound / 2 / beta**lost:
        return holds(
            Evidence.PROOF,
            reason="beta^e = 1/(K(k-1)) by the definition of e, and the floor loses a factor below 1/beta.",
        )
    return holds_only(
        """e is an integer, that is K(k-1) = (1/beta)^m for an integer m; otherwise the union bound exceeds 1/K, and for
        k = 2 the probability itself does""",
        Evidence.PROOF,
        {
            "K": 2,
            "k": 2,
            "beta": beta,
            "e": "log 2 / log 3 = 0.63...",
            "floor(e)": 0,
            "P(H_1 > e)": at_fraction,
            "1/K": fmpq(1, 2),
        },
    )


def outside_at_epsilon(K: int, k: int, beta: fmpq) -> fmpq:
    """Return the exact probability that one of k-1 lengths exceeds log(K(k-1))/log(1/beta)."""
    whole = 0  # the largest m with beta^m >= 1/(K(k-1))
    while beta ** (whole + 1) * K * (k - 1) >= 1:
        whole += 1
    return horizon_tail(whole + 1, beta, k - 1)


@claim(
    "conc:H/epsilon/repair",
    section=SECTION,
    statement="With e as in the paper: P(some of the first k-1 lengths exceeds ceil(e)) <= 1/K.",
    domain="2 <= k <= K, 0 < beta < 1",
    evidence=Evidence.PROOF,
    mutants={"ceil(e) - 1": {"added": 0}},
    repairs=("conc:H/epsilon",),
)
def epsilon_rounded_up(book: Book, added: int = 1) -> Finding:
    """Take ceil(e) as the smallest m with beta^m <= 1/(K(k-1)); the union bound gives the rest."""
    K_, k_ = sympy.symbols("K k", positive=True)
    at_most_one = sympy.simplify((k_ - 1) * (1 / (K_ * (k_ - 1))) - 1 / K_) == 0  # (k-1) beta^m, beta^m at its largest
    for K, k in ((2, 2), (3, 2), (3, 3), (7, 5)):
        for beta in (fmpq(1, 3), fmpq(2, 5), fmpq(9, 10)):
            m = 0
            while beta**m * K * (k - 1) > 1:
                m += 1
            m += added - 1
            if horizon_tail(m + 1, beta, k - 1) > fmpq(1, K):
                return fails({"K": K, "k": k, "beta": beta, "m": m, "probability": horizon_tail(m + 1, beta, k - 1)})
    if added < 1 or not at_most_one or not book.stands("conc:H/tail", "conc:H/union"):
        return undecided("conc:H/tail, conc:H/union does not stand")
    return holds(Evidence.PROOF, reason="beta^ceil(e) <= beta^e = 1/(K(k-1)), then the union bound: (k-1)/(K(k-1)).")


@claim(
    "conc:H/strict",
    section=SECTION,
    statement="log(K(k-1))/log(1/beta) < log(K(k-1))/(1-beta).",
    domain="1 <= k <= K, 0 <= beta < 1",
    verdict=Verdict.SMALLER_DOMAIN,
    evidence=Evidence.PROOF,
    mutants={"log(1/beta) > 1.1 (1-beta)": {"slack": fmpq(1, 10)}},
    controls={"k >= 2 and beta > 0": {"interior": True}},
)
def strict_inequality(book: Book, slack: Exact = 0, interior: bool = False) -> Finding:
    """Reduce it to log(1/beta) > 1-beta."""
    d = sympy.symbols("d", positive=True)
    grows = sympy.simplify(sympy.diff(-sympy.log(1 - d) - d, d) - d / (1 - d)) == 0  # and 0 at d = 0
    for beta in (fmpq(1, 2), fmpq(9, 10), fmpq(1, 10)):
        stated = (1 - beta) * (1 + rational(slack))
        if less(constant(stated), _minus_log(beta)) is not Truth.YES:
            return fails({"beta": beta, "log(1/beta)": _minus_log(beta)(), "compared with": stated})
    if not grows:
        return undecided("the derivative is not d/(1-d)")
    why = "-log(1-d) - d vanishes at d = 0 and has the derivative d/(1-d) > 0."
    if interior:
        return holds(Evidence.PROOF, reason=why)
    return holds_only(
        "2 <= k <= K (so that K(k-1) >= 2) and 0 < beta < 1",
        Evidence.PROOF,
        {"k = 1": "log(0) on both sides", "beta = 0": "log(1/0) on the left"},
        reason=why,
    )


def _minus_log(beta: fmpq) -> Callable[[], arb]:
    return lambda: -arb(beta).log()

"""How likely the event of MB-PSRL fails: the four deviations by Hoeffding and Weissman, long episodes by `conc:H`.

With A = S n K^power tau_k and L^2 = 2 log(2 A): each cell has at most floor(tau_k) numbers N >= 1 of activations on E^H
(`conc:r/count`), and each deviation at a given N has probability at most 1/A, whatever the model. So each of the
four events, for a single k', meets E^H with probability at most floor(tau_k) / (tau_k K^power).
"""

from __future__ import annotations

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq

from proofs_checks.claims.horizons.event import WITNESSES
from proofs_checks.claims.horizons.steps import largest_length, outside_probability
from proofs_checks.computations.symbolic import is_identity
from proofs_checks.ledger import Book
from theory import ZERO
from theory.certified import Truth, at_most, less
from theory.paper import log_factor

RESTS_ON = (
    "conc:tau/repair",
    "conc:r/count",
    "conc:r/union",
    "cited:hoeffding",
    "cited:weissman",
    "lem:bayesian",
    "lem:concentration_psrl/complement/repair",
)


def unlikely_by_long_episodes(parts: int) -> dict[str, object] | None:
    """Return a case where an episode is too long for E^H with probability above parts/K."""
    for K, beta in WITNESSES.items():
        if (probability := outside_probability(K, 2, beta)) > fmpq(parts, K):
            longest = largest_length(K, 2, beta)
            return {"K": K, "k": 2, "beta": beta, "longest H_1 in E^H": longest, "P(not E^H)": probability}
    return None


def deviations_are_rare(book: Book, power: int = 1) -> bool:
    """Prove the bound 1/A for rewards and for transitions, and that cells with N = 0 cannot break the event.

    Rewards: 2 exp(-2 N e^2) at e = L/(2 sqrt N). Transitions: 2^S exp(-N e^2/2) at e = (L + 1.5 sqrt S)/sqrt N is at
    most (2 exp(-9/8))^S / (2 A). At N = 0 the models differ by at most 1 and 2, and L_{k-1} >= 1.
    """
    L, s, N = sympy.symbols("L s N", positive=True)
    cell_bound, K = sympy.symbols("A K", positive=True)
    rewards = is_identity(-2 * N * (L / (2 * sympy.sqrt(N))) ** 2, -(L**2) / 2)
    exponent = -N * ((L + sympy.Rational(3, 2) * s) / sympy.sqrt(N)) ** 2 / 2
    transitions = is_identity(exponent, -(L**2) / 2 - sympy.Rational(3, 2) * L * s - sympy.Rational(9, 8) * s**2)
    one_cell = is_identity(2 * sympy.exp(-sympy.log(2 * cell_bound)), 1 / cell_bound)  # exp(-L^2/2) = 1/(2A)
    cells, tau = sympy.symbols("Sn tau", positive=True)
    union = is_identity(cells * tau / (cells * K**power * tau), 1 / K**power)
    paid = less(lambda: arb(2), lambda: arb(fmpq(9, 8)).exp()) is Truth.YES
    never_activated = at_most(lambda: arb(1), lambda: log_factor(1, 1, 2, 2, ZERO)) is Truth.YES
    return all((rewards, transitions, one_cell, union, paid, never_activated)) and book.stands(*RESTS_ON)


def sum_is_at_most(book: Book, parts: int) -> bool:
    """Prove P(not E^H) + 4 floor(tau_k)/(tau_k K) <= parts/K for 2 <= k <= K; parts >= 5.

    By conc:H it is 5/K at most, save for k = 2 and the few K where conc:H fails; parts/K >= 1 settles K <= parts.
    """
    left = [K for K in WITNESSES if parts < K]
    return parts >= 5 and book.stands("conc:H") and all(map(floor_is_paid_for_by_the_count, left))


def floor_is_paid_for_by_the_count(K: int) -> bool:
    """Prove K beta^m + 4 m/x <= 5 for every discount, where k = 2, x = log(K)/(1-beta) = tau_2 and m = floor(x).

    With c = log K >= 4/3, d = 1 - beta, f = x - m, u = log(1/beta) >= 2d/(2-d): log(K beta^m) = c - u (c/d - f) is at
    most d (2f - c)/(2-d). If 2f <= c that is <= 0. Otherwise it is at most y = (2-c) d < 1, where
    exp(y) <= 1/(1-y) <= 1 + y/(c-1), and 4 m/x = 4 - 4 f d/c <= 4 - 2d. So (2-c)/(c-1) <= 2 is enough: c >= 4/3.
    """
    c, d, f = sympy.symbols("c d f", positive=True)
    least = 2 * d / (2 - d)
    derivative = is_identity(sympy.diff(-sympy.log(1 - d) - least, d), d**2 / ((1 - d) * (2 - d) ** 2))
    at_least = is_identity(c - least * (c / d - f), d * (2 * f - c) / (2 - d))
    threshold = is_identity(((2 - c) / (c - 1)).subs(c, sympy.Rational(4, 3)), 2)
    in_range = at_most(lambda: arb(fmpq(4, 3)), lambda: arb(K).log()).both(less(lambda: arb(K).log(), lambda: arb(2)))
    return derivative and at_least and threshold and in_range is Truth.YES

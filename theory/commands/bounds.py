"""``bounds``: the paper's bounds on regret, and sharper ones, for the sizes of a model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb, fmpq

from theory.certified import Truth, enclosure, less
from theory.commands.report import print_table
from theory.domain import check_counts
from theory.errors import ModelError
from theory.minimax import minimax_bound
from theory.model import Bandit
from theory.paper.lower_bound import theorem_2_squared
from theory.paper.sharper import lower_bound_squared, sharper_bound
from theory.paper.upper_bound import CONSTANTS, PSRL, UCBVI, theorem_side, trivial_bound
from theory.terminal.console import console, print_json


def sizes_of(bandit: Bandit) -> tuple[int, int, fmpq]:
    """Return the states per arm, the arms and the discount of a bandit; refuse rewards not from 0 to 1."""
    for a, x in bandit.arm_states:
        reward = bandit.arms[a].rewards[x]
        if not 0 <= reward <= 1:
            raise ModelError(f"{bandit.name((a, x))}: its reward {reward} is not from 0 to 1, as the bounds need")
    return max(bandit.sizes), len(bandit.arms), bandit.discount


def show_bounds(S: int, n: int, beta: fmpq, K: int, digits: int, *, as_json: bool) -> None:
    """Print the bounds on the regret of `K` episodes; decimals err by at most one last digit."""
    check_counts(2, episodes=K)
    check_counts(S=S, n=n)

    def at_most(learner: str, bound: Callable[[int], arb], source: str) -> dict[str, Any]:
        above = _decimal(lambda: bound(K), digits)
        return _row(learner, "at most", above, source) | {"falls_below_at": _falls_below(bound, beta)}

    def at_least(square: fmpq, source: str) -> dict[str, Any]:
        return _row("any learner", "at least", _decimal(lambda: arb(square).sqrt(), digits) if square else None, source)

    def theorem_1(learner: str, constant: fmpq) -> dict[str, Any]:
        of_mean, power = ", mean over the prior" * (learner == PSRL), 2 if learner == UCBVI else 1
        source = f"Theorem 1{of_mean}; the kernel proves the constant {constant}"
        return at_most(learner, lambda k: constant * theorem_side(S, n, k, beta, power), source)

    bounds = [
        _row("any learner", "at most", str(trivial_bound(K, beta)), "K/(1-beta), the mean number of steps"),
        *(theorem_1(learner, constant) for learner, constant in CONSTANTS.items()),
        at_most(UCBVI, lambda k: sharper_bound(S, n, k, beta), "sharper than the paper; the constant is proved"),
        at_most("mb-minimax", lambda k: minimax_bound(S, n, k, beta), "beyond the paper; the constants are proved"),
        at_least(
            theorem_2_squared(S, n, K, beta), "Theorem 2, some prior; needs K >= 16S, 2 <= n <= 3598K/(S(1-beta))"
        ),
        at_least(lower_bound_squared(S, n, K, beta), "ours, some prior; needs n >= 2, K >= 2S, K >= nS(1-beta)"),
    ]
    if as_json:
        print_json({"states_per_arm": S, "arms": n, "episodes": K, "discount": str(beta), "bounds": bounds})
        return
    sizes = f"S = {S}, n = {n}, K = {K}, beta = {beta}"
    console().print(f"bounds on the regret of any bandit with {sizes} and rewards from 0 to 1\n")
    print_table(
        ("learner", "regret", "bound", "falls below K/(1-beta) at", "source"),
        (
            (row["learner"], row["regret"], row["bound"] or "none", str(row.get("falls_below_at") or ""), row["source"])
            for row in bounds
        ),
    )


def _row(learner: str, regret: str, bound: str | None, source: str) -> dict[str, Any]:
    return {"learner": learner, "regret": regret, "bound": bound, "source": source}


def _decimal(bound: Callable[[], arb], digits: int) -> str:
    value = enclosure(bound, digits + 3, largest_precision=8 * digits + 4096)
    return str(value.str(digits, radius=False))


def _falls_below(bound: Callable[[int], arb], beta: fmpq) -> int | None:
    """Return a K at which an upper bound is below K/(1-beta), but not at K - 1; None beyond 2^1024.

    Of several such K (where a rounded-up count inside a bound grows, the bound jumps) it is the one that bisection
    meets. From K = 404 on, Theorem 1's bounds divided by K decrease, and there is one.
    """

    def is_below(K: int) -> bool:
        return less(lambda: bound(K), lambda: arb(trivial_bound(K, beta))) is Truth.YES

    low, high = 2, 512
    while not is_below(high):
        if high.bit_length() > 1024:
            return None
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_below(middle) else (middle, high)
    return high

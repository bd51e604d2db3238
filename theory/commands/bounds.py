"""``bounds``: the paper's bounds on regret, and sharper ones, for the sizes of a model."""

from __future__ import annotations

from typing import Any

from flint import arb, fmpq

from theory.domain import check_counts
from theory.errors import ModelError
from theory.minimax import minimax_bound
from theory.model import Bandit
from theory.paper.sharper import lower_bound_squared, sharper_bound
from theory.paper.upper_bound import theorem_side, trivial_bound
from theory.rationals import decimal_text
from theory.terminal.console import console, table

_DIGITS = 6
_UNKNOWN = "times a constant that the paper does not give"


def bounds_content(bandit: Bandit, K: int) -> dict[str, Any]:
    """Return the bounds on the regret of `K` episodes as a JSON object; decimals are within one unit of the last digit.

    Raises
    ------
    ModelError
        If K is less than 2, or a reward is not from 0 to 1: the theorems are about such rewards.
    """
    check_counts(2, episodes=K)
    for a, x in bandit.arm_states:
        reward = bandit.arms[a].rewards[x]
        if not 0 <= reward <= 1:
            raise ModelError(f"{bandit.name((a, x))}: its reward {reward} is not from 0 to 1, as the bounds need")
    S, n, beta = max(bandit.sizes), len(bandit.arms), bandit.discount
    rows: list[tuple[str, str, fmpq | arb, str]] = [
        ("any learner", "at most", trivial_bound(K, beta), "no episode loses more than its mean length"),
        ("MB-PSRL, MB-UCRL2", "at most", theorem_side(S, n, K, beta), f"Theorem 1, {_UNKNOWN}"),
        ("MB-UCBVI", "at most", theorem_side(S, n, K, beta, 2), f"Theorem 1, {_UNKNOWN}"),
        ("MB-UCBVI", "at most", sharper_bound(S, n, K, beta), "sharper than the paper; the constant is proved"),
        ("mb-minimax", "at most", minimax_bound(S, n, K, beta), "beyond the paper; the constants are proved"),
    ]
    if square := lower_bound_squared(S, n, K, beta):
        rows.append(("any learner", "at least", arb(square).sqrt(), "on average over a prior of such bandits"))
    return {
        "states_per_arm": S,
        "arms": n,
        "episodes": K,
        "discount": str(beta),
        "bounds": [
            {"learner": learner, "regret": side, "bound": _decimal(value), "source": source}
            for learner, side, value, source in rows
        ],
    }


def print_bounds(content: dict[str, Any]) -> None:
    """Print the bounds as a table."""
    out = console()
    sizes = "S = {states_per_arm}, n = {arms}, K = {episodes}, beta = {discount}".format(**content)
    out.print(f"bounds on the regret of any bandit with {sizes} and rewards from 0 to 1\n")
    rows = table("learner", "regret", "bound", "source")
    for each in content["bounds"]:
        rows.add_row(each["learner"], each["regret"], each["bound"], each["source"])
    out.print(rows)


def _decimal(value: fmpq | arb) -> str:
    return decimal_text(value, _DIGITS) if isinstance(value, fmpq) else str(value.str(_DIGITS, radius=False))

"""Data of the page's explorers: certified segments of Lemma `moment`'s region, and enclosed logarithms.

The explorers compute everything else in the browser, in exact fractions.
"""

from __future__ import annotations

from typing import Any

from flint import arb, ctx, fmpq

from proofs_checks.paper.appendix_a2_moments.moment_boxes import segments
from proofs_checks.report.pictures.moment_region import EPISODES, POWERS
from theory import decimal_text, nearest_float
from theory.paper import COUNTEREXAMPLE_DISCOUNT, COUNTEREXAMPLE_RADIUS, COUNTEREXAMPLE_REWARD_B

WIDTH = fmpq(1, 200)
"""Largest width of an undecided segment, as a share of 1 - beta; a few such segments may lie side by side."""
_DIGITS = 30


def explorer_data() -> dict[str, Any]:
    """Return the data of the explorers as plain data.

    Examples
    --------
    >>> data = explorer_data()
    >>> data["logarithms"]["2"]
    ['0.693147180559945309417232121458', '0.693147180559945309417232121459']
    >>> [row[:2] for row in data["moments"]["1"]["1"] if row[2] == "no"]
    [[0.80078125, 1.0]]
    """
    return {
        "printed": {
            "reward": decimal_text(COUNTEREXAMPLE_REWARD_B),
            "radius": decimal_text(COUNTEREXAMPLE_RADIUS),
            "beta": decimal_text(COUNTEREXAMPLE_DISCOUNT),
        },
        "logarithms": {str(K): _enclosed_logarithm(K) for K in EPISODES},
        "moments": {
            decimal_text(alpha): {
                str(K): [
                    [nearest_float(each.low), nearest_float(each.high), each.holds.value]
                    for each in segments(K, alpha, WIDTH)
                ]
                for K in EPISODES
            }
            for alpha in POWERS
        },
    }


def _enclosed_logarithm(K: int) -> list[str]:
    """Return decimals below and above log K."""
    if K == 1:
        return ["0", "0"]
    with ctx.workprec(200):
        low = (arb(K).log() * 10**_DIGITS).floor().unique_fmpz()
    assert low is not None  # 200 bits are 60 digits
    digits = (str(int(low) + up).rjust(_DIGITS + 1, "0") for up in (0, 1))
    return [f"{each[:-_DIGITS]}.{each[-_DIGITS:]}" for each in digits]

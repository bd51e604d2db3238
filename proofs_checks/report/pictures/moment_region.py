"""Draw the set on which Lemma `moment` holds: ``python -m proofs_checks picture moment OUT.png``.

One panel per power alpha; each row of a panel is a number of episodes, cut into certified segments of the discount.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flint import fmpq

from proofs_checks.paper.appendix_a2_moments.moment_boxes import LARGEST_ALPHA, segments
from theory import decimal_text, nearest_float
from theory.certified import Truth

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INCHES = (9, 6.2)
POWERS = (fmpq(1), fmpq(3, 2), fmpq(2), LARGEST_ALPHA)
EPISODES = range(1, 9)
LEAST_REMAINDER = 1e-4
"""Smallest 1-beta drawn; the certified segments go on to beta = 1."""

_AT_THE_BORDER = "undecided (a sliver at the border)"
LOOK: dict[Truth, dict[str, Any]] = {
    Truth.YES: {"facecolor": "0.88", "edgecolor": "0.45", "label": "holds"},
    Truth.NO: {"facecolor": "0.45", "edgecolor": "0.1", "hatch": "////", "label": "fails"},
    Truth.UNDECIDED: {"facecolor": "white", "edgecolor": "0.1", "hatch": "....", "label": _AT_THE_BORDER},
}


def draw(figure: Figure) -> None:
    """Draw the picture into a figure."""
    from matplotlib.patches import Patch  # noqa: PLC0415

    panels = figure.subplots(2, 2, sharex=True, sharey=True)
    for axes, alpha in zip(panels.flat, POWERS, strict=True):
        _panel(axes, alpha)
    for axes in panels[-1]:
        axes.set_xlabel(r"$1-\beta$ (discount $\beta$ grows to the right)")
    for axes in panels[:, 0]:
        axes.set_ylabel("number of episodes $K$")
    figure.legend(handles=[Patch(**look) for look in LOOK.values()], loc="outside lower center", ncols=3, frameon=False)
    figure.suptitle(
        r"Where $E[\max_{k\leq K} H_k^\alpha] \leq 5 + 5\,(\log K/(1-\beta))^\alpha$ (Lemma moment), certified",
        fontsize=12,
    )


def _panel(axes: Axes, alpha: fmpq) -> None:
    for K in EPISODES:
        for segment in segments(K, alpha, fmpq(1, 500)):
            left, right = 1 - nearest_float(segment.low), max(1 - nearest_float(segment.high), LEAST_REMAINDER)
            look = {name: value for name, value in LOOK[segment.holds].items() if name != "label"}
            axes.barh(K, left - right, left=right, height=0.8, linewidth=0.6, **look)
    axes.set_xscale("log")
    axes.set_xlim(1, LEAST_REMAINDER)
    axes.set_ylim(0.4, EPISODES[-1] + 0.6)
    axes.set_yticks(list(EPISODES))
    axes.set_title(rf"$\alpha = {decimal_text(alpha)}$")

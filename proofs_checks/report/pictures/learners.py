"""Draw the recorded runs on random bandits: ``python -m proofs_checks picture learners OUT.png``.

The first panel has the mean regret over the episodes of long runs; the others have the mean regret divided by
B sqrt(SnK), over B, S and n, with 95% intervals over the simulations. Each learner has its colour and marker, and its
variants with another reading or a scaled bonus have other dashes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from proofs_checks.paper.beyond.swept import normalised, recorded_sweep
from proofs_checks.paper.recorded.sweep import LEARNERS, LONG, MIDDLE, SIZES

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INCHES = (9.6, 6.8)
AXES = ((2, "$B = 1/(1-\\beta)$"), (0, "states of an arm $S$"), (1, "arms $n$"))


def draw(figure: Figure) -> None:
    """Draw the picture into a figure."""
    from matplotlib.ticker import NullLocator  # noqa: PLC0415

    from mbrl.figures.style import styles  # noqa: PLC0415

    looks = styles({name: name for name in LEARNERS})
    over_episodes, *others = figure.subplots(2, 2).ravel()
    for learner, name in LEARNERS.items():
        look = looks[learner]
        over_episodes.plot(LONG, recorded_sweep()["curve"][learner], **look.line(), marker=look.marker, label=name)
    over_episodes.set_xlabel("episodes $k$")
    over_episodes.set_xscale("log")
    over_episodes.set_ylabel("mean regret until then")
    over_episodes.set_title("$S=n=3$, $B=10$, $K=10^5$")
    for axes, (place, label) in zip(others, AXES, strict=True):
        sizes = sorted(at for at in SIZES if all(at[i] == MIDDLE[i] for i in range(3) if i != place))
        for learner in LEARNERS:
            look, found = looks[learner], [normalised(*at, learner) for at in sizes]
            middle = [each.estimate for each in found]
            bars = np.array([[each.estimate - each.low, each.high - each.estimate] for each in found]).T
            axes.errorbar([at[place] for at in sizes], middle, bars, **look.line(), marker=look.marker, capsize=2)
        axes.set_xlabel(label)
        axes.set_ylabel(r"mean regret$\,/\,(B\sqrt{SnK})$")
        axes.set_xscale("log")
        axes.set_xticks([at[place] for at in sizes], [str(at[place]) for at in sizes])
        axes.xaxis.set_minor_locator(NullLocator())
    for axes in (over_episodes, *others):
        axes.set_yscale("log")
        axes.grid(alpha=0.25)
    figure.legend(loc="outside lower center", ncols=3, fontsize=9, frameon=False, handlelength=4)

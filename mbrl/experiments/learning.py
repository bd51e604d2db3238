"""Learning times: the number of episodes after which a learner loses little for the rest of the run.

A block of consecutive episodes is good if the learner loses much less than a learner that does not learn (`random`).
One good block says little; a learner has learned once all later blocks are good.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Final

import numpy as np
from numpy.typing import NDArray

from mbrl.arrays import Floats
from mbrl.experiments.dataset import Saved
from theory import BanditError

SHARES: Final = (0.5, 0.1, 0.01)


@dataclass(frozen=True)
class LearningTimes:
    """The times at which one learner begins to lose little.

    Attributes
    ----------
    agent : str
    after : tuple of tuple of float
        By share (`SHARES`) and simulation: the number of episodes after which every block's mean regret is below that
        share of the regret without learning; NaN if the last block's is not.
    last : tuple of float
        By simulation: the last block's mean regret, as a share of the regret without learning.
    regret : float
        Mean over simulations of the regret cumulated over all episodes.
    """

    agent: str
    after: tuple[tuple[float, ...], ...]
    last: tuple[float, ...]
    regret: float


def learning_times(regret: Saved, versus: str | float | None, block: int) -> tuple[float, list[LearningTimes]]:
    """Return the mean regret per episode of `versus`, and the times from which the others stay below `SHARES` of it.

    Parameters
    ----------
    regret
        Regret of a finished run.
    versus
        The learner to compare with, or the regret per episode without learning. None: the mean regret of all learners
        in their first episode.
    block
        Number of episodes to average over; the last block also has the remaining episodes.

    Raises
    ------
    BanditError
        If the run has no such learner or is shorter than one block, or the regret of `versus` is 0.
    """
    agents, episodes = regret.agents, regret.episodes
    if not 1 <= block <= episodes:
        raise BanditError(f"block: {block} is outside 1..{episodes}, the run's episodes")
    if versus is None:
        level = float(regret.rows[:, :, 0].mean())
    else:
        level = float(regret.rows[regret.place(versus, "versus")].mean()) if isinstance(versus, str) else versus
    if not level > 0:
        whose = "the first episode" if versus is None else versus
        raise BanditError(f"versus: {whose} gives no positive regret to compare others with")
    starts = np.arange(episodes // block) * block
    lengths = np.diff(starts, append=episodes)
    times = []
    for agent, rows in zip(agents, regret.rows, strict=True):
        if agent == versus:
            continue
        means = np.add.reduceat(rows, starts, axis=1) / lengths / level
        after = tuple(tuple(_after(row, share, starts) for row in means) for share in SHARES)
        times.append(LearningTimes(agent, after, tuple(means[:, -1].tolist()), float(rows.sum(axis=1).mean())))
    return level, times


def _after(means: Floats, share: float, starts: NDArray[np.int64]) -> float:
    """Return the episode at the end of the last block whose mean is at least `share`."""
    bad = np.flatnonzero(means >= share)
    first = int(bad[-1]) + 1 if bad.size else 0
    return float(starts[first]) if first < means.size else nan

"""The paper's curves as data, read off its published pictures."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np

from mbrl.arrays import Floats, Integers


@dataclass(frozen=True, eq=False)
class PrintedCurve:
    """Average cumulative regret of one learner, at some episodes.

    Attributes
    ----------
    figure : str
        Label of the paper's figure, and the panel.
    scenario, agent : str
        Names in this project.
    simulations : int
        Number of simulations that the paper averages over.
    models : int or None
        Number of random models that these simulations share.
    method : str
        How the paper computed regret, in the terms of `mbrl.experiments.settings.Settings.regret`.
    episodes : (P,) int64
    values, errors : (P,) float64
        The printed values, and bounds on the errors of reading them.
    """

    figure: str
    scenario: str
    agent: str
    simulations: int
    models: int | None
    method: str
    episodes: Integers
    values: Floats
    errors: Floats

    @property
    def units(self) -> int:
        """Number of independent units that the paper averages over."""
        return self.models or self.simulations


@cache
def printed_curves() -> tuple[PrintedCurve, ...]:
    """Return all curves of regret.

    Examples
    --------
    >>> sorted({curve.scenario for curve in printed_curves()})
    ['random-models', 'random-walk', 'task-scheduling']
    >>> walk = printed_curves()[0]  # mean of 80 simulations, read off to within 2
    >>> walk.agent, walk.episodes[:2].tolist(), walk.values[:2].tolist(), walk.errors[:2].tolist()
    ('mb-psrl', [1, 100], [1.3, 107.0], [2.0, 2.0])
    """
    curves = []
    for entry in json.loads(files("mbrl.paper").joinpath("printed.json").read_text(encoding="utf-8"))["curves"]:
        points = np.array(entry.pop("points"), dtype=float)
        curves.append(
            PrintedCurve(**entry, episodes=points[:, 0].astype(int), values=points[:, 1], errors=points[:, 2])
        )
    return tuple(curves)

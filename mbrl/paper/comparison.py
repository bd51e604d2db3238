"""Comparison of a printed curve with a run of ours: they agree, differ, or cannot be compared.

The paper averages over n units (simulations, or random models). Resampling our units, and n units from those, gives the
law of such an average under our learner. It covers two uncertainties: that of the paper's mean, and that of our
estimate of its law, however skew. Tails are equal: a printed value agrees if it lies, up to the error of reading, in
the central 99% of such means. A whole curve is judged on either side of ours by its largest deviation over all points,
in standard deviations: the two differ if fewer than 0.5% of resampled curves deviate as much on that side. These are
statistics, never proofs.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np

from mbrl.arrays import Floats
from mbrl.experiments.intervals import RESAMPLES, Interval, interval, occurrences, per_unit
from mbrl.experiments.seeds import generator
from mbrl.paper.printed import PrintedCurve

if TYPE_CHECKING:
    from mbrl.experiments.dataset import Saved  # not imported at run time, as the ledger works without netCDF4

Verdict = Literal["agrees", "differs", "not comparable"]

SIGNIFICANCE: Final = 0.01
"""P-value (of both tails together) below which a printed curve differs."""
_TAILS: Final = (SIGNIFICANCE / 2, 1 - SIGNIFICANCE / 2)
LEAST_UNITS: Final = 10


@dataclass(frozen=True)
class Point:
    """One episode of a printed curve, compared with ours.

    Attributes
    ----------
    episode : int
    printed, error : float
        The printed value, and a bound on the error of reading it.
    ours : Interval
        Our mean.
    least, most : float
        Ends of the central 99% of means over as many units as the paper's.
    """

    episode: int
    printed: float
    error: float
    ours: Interval
    least: float
    most: float

    @property
    def verdict(self) -> Verdict:
        """Return "agrees" if `printed`, up to `error`, is in `least`..`most`, else "differs".

        Examples
        --------
        >>> ours = Interval(5.0, 4.0, 6.0, 80)
        >>> [Point(1, printed, 0.5, ours, 4.0, 6.0).verdict for printed in (3.4, 3.5, 6.5, 6.6)]
        ['differs', 'agrees', 'agrees', 'differs']
        """
        return "agrees" if self.least - self.error <= self.printed <= self.most + self.error else "differs"


@dataclass(frozen=True)
class Comparison:
    """The result of comparing a printed curve with a learner's curve of a run.

    Attributes
    ----------
    figure, agent : str
        The printed curve, and our learner.
    verdict : str
    reason : str
        Why the two are not comparable.
    p_value : float
        Twice the share of resampled curves that deviate from our mean at least as much as the printed one, on the side
        where fewer do; each curve counts with its worst point, and the share is at least that of one curve.
    detectable : tuple of two floats
        Smallest differences below and above our mean, as shares of it along the whole curve, that the test refuses.
    points : tuple of Point
    """

    figure: str
    agent: str
    verdict: Verdict
    reason: str
    p_value: float
    detectable: tuple[float, float]
    points: tuple[Point, ...]

    @property
    def worst(self) -> Point | None:
        """The point whose printed value, up to `error`, is furthest off, in units of the width that is expected."""

        def deviation(point: Point) -> float:
            beyond = max(abs(point.printed - point.ours.estimate) - point.error, 0.0)
            return beyond / max(point.most - point.least, 1e-12)

        return max(self.points, key=deviation, default=None)


def compare(curve: PrintedCurve, regret: Saved, agent: str | None = None) -> Comparison:
    """Compare a printed curve with a run.

    Parameters
    ----------
    curve
        The printed curve.
    regret
        Regret of a finished run.
    agent
        The learner of the run; by default the printed one, not another reading of it.
    """
    learner = agent or curve.agent
    reason = _why_not(curve, regret, learner)
    if reason:
        return Comparison(curve.figure, learner, "not comparable", reason, float("nan"), (float("nan"),) * 2, ())
    rows = np.cumsum(regret.rows[regret.agents.index(learner)], axis=1)[:, curve.episodes - 1]
    units = per_unit(rows, regret.models if curve.models else np.arange(regret.simulations))
    rng = generator(int(regret.attributes["seed"]), "printed", curve.figure, learner)
    theirs = resampled_means(units, curve.units, rng)
    least, most = np.quantile(theirs, _TAILS, axis=0)
    mean = units.mean(axis=0)
    points = tuple(
        Point(
            episode=int(curve.episodes[k]),
            printed=float(curve.values[k]),
            error=float(curve.errors[k]),
            ours=interval(units[:, k], rng),
            least=float(least[k]),
            most=float(most[k]),
        )
        for k in range(curve.episodes.size)
    )
    p_value, detectable = p_value_and_power(theirs, mean, curve.values, curve.errors)
    verdict: Verdict = "agrees" if p_value >= SIGNIFICANCE else "differs"
    return Comparison(curve.figure, learner, verdict, "", p_value, detectable, points)


def _why_not(curve: PrintedCurve, regret: Saved, agent: str) -> str:
    settings = json.loads(regret.attributes["settings"])
    longest = int(curve.episodes.max())
    units = np.unique(regret.models).size if curve.models else regret.simulations
    if settings["scenario"] != curve.scenario:
        return f"the run is of {settings['scenario']}, the figure of {curve.scenario}"
    if agent not in settings["agents"]:
        return f"the run has no learner {agent}"
    if settings["discount"] or settings["rewards"]:
        return "the run has another discount or other rewards"
    if settings["episodes"] < longest:
        return f"the run has {settings['episodes']} episodes, the figure {longest}"
    if settings["episodes"] != 3000 and ("ucrl2" in agent or "ucbvi" in agent):
        return f"the learner is told that there are {settings['episodes']} episodes, and in the paper 3000"
    if settings["regret"] != curve.method:
        return f"the figure's regret is by {curve.method}: give --regret {curve.method}"
    if units < LEAST_UNITS:
        return f"{units} units of replication are too few; there must be at least {LEAST_UNITS}"
    return ""


def resampled_means(units: Floats, count: int, rng: np.random.Generator) -> Floats:
    """Return (RESAMPLES, P) means of `count` units, each drawn from a resample of our (n, P) `units`.

    Examples
    --------
    >>> means = resampled_means(np.array([[0.0], [8.0]]), 4, np.random.default_rng(1))
    >>> np.unique(means).tolist()  # of four draws from two units
    [0.0, 2.0, 4.0, 6.0, 8.0]
    """
    size = len(units)
    first = rng.integers(size, size=(RESAMPLES, size))
    drawn = np.take_along_axis(first, rng.integers(size, size=(RESAMPLES, count)), axis=1)
    means: Floats = occurrences(drawn, size) @ units / count
    return means


def p_value_and_power(
    theirs: Floats, mean: Floats, values: Floats, errors: Floats
) -> tuple[float, tuple[float, float]]:
    """Return the p-value of printed `values`, known up to `errors`, and the power below and above `mean`.

    On either side a curve deviates by its worst point, in standard deviations. The p-value is twice the share of the
    curves `theirs` that deviate as much, on the side where fewer do. For a single point it is twice the smaller tail,
    so that a long tail on one side excuses nothing on the other. The power on a side is the smallest difference, as a
    share of `mean` along the whole curve, that is refused.

    Parameters
    ----------
    theirs : (R, P)
        Curves at P episodes, from `resampled_means`.
    mean, values, errors : (P,)

    Examples
    --------
    >>> p_value_and_power(np.array([[9.0], [11.0]] * 50), np.array([10.0]), np.array([10.5]), np.array([0.25]))
    (1.0, (0.125, 0.125))
    >>> skew = np.array([[9.0], [9.0], [9.0], [13.0]] * 100)  # a quarter is 3 above the mean, and none 2 below
    >>> p_value_and_power(skew, np.array([10.0]), np.array([8.0]), np.array([0.0]))[0] == 2 / 401
    True
    >>> p_value_and_power(np.full((4, 1), 10.0), np.array([10.0]), np.array([10.5]), np.array([0.25]))  # none is as far
    (0.4, (0.025, 0.025))
    >>> p_value_and_power(np.full((4, 1), 0.0), np.array([0.0]), np.array([0.5]), np.array([0.5]))  # within its error
    (1.0, (inf, inf))
    >>> curves = np.array([[9.0, 5.0], [11.0, 5.0]] * 50)  # the second point varies not at all
    >>> p_value_and_power(curves, np.array([10.0, 5.0]), np.array([10.5, 5.0]), np.array([0.0, 0.25]))
    (1.0, (0.05, 0.05))
    """
    below, above = (_share_and_power(side * (theirs - mean), side * (values - mean), errors) for side in (-1, 1))
    with np.errstate(divide="ignore", invalid="ignore"):  # without any regret, a share of it is undefined
        sees = [float(np.nanmin(refused / np.abs(mean), initial=np.inf)) for _, refused in (below, above)]
    return min(1.0, 2 * min(below[0], above[0])), (sees[0], sees[1])


def _share_and_power(theirs: Floats, printed: Floats, errors: Floats) -> tuple[float, Floats]:
    """Return the share of curves that exceed our mean as much as the printed one, and the smallest refused differences.

    All arguments are differences from our mean.
    """
    spread = np.maximum(theirs.std(axis=0), 1e-100)  # without variation, any difference is far off
    furthest = (theirs / spread).max(axis=1)
    refused = np.quantile(furthest, _TAILS[1]) * spread + errors
    worst = ((printed - errors) / spread).max()
    return float((1 + (furthest >= worst).sum()) / (1 + len(theirs))), refused

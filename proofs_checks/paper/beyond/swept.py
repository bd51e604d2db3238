"""The recorded runs on random bandits over B, S and n: quotients of mean regrets with intervals over simulations."""

from __future__ import annotations

import json
from functools import cache, reduce
from math import inf
from typing import Any

import numpy as np

from mbrl.experiments.intervals import Interval, interval, of_logarithm
from proofs_checks.claimcheck.statements import Answer, answer
from proofs_checks.paper.recorded.sweep import LEARNERS, MIDDLE, SWEEP
from proofs_checks.paper.shared.recorded_experiments import generator
from theory import nearest_float, rational
from theory.certified import Truth


@cache
def recorded_sweep() -> dict[str, Any]:
    """Return the content of ``sweep.json``."""
    content: dict[str, Any] = json.loads(SWEEP.read_text(encoding="utf-8"))
    return content


@cache
def quotient(S: int, n: int, B: int, learner: str, other: str) -> Interval:
    """Return the quotient of the mean regrets of two learners on the same bandits."""
    found = recorded_sweep()["regrets"][f"{S},{n},{B}"]
    units = np.array([found[learner], found[other]]).T
    rng = generator(f"{S} {n} {B} {learner}/{other}")
    return of_logarithm(interval(units, rng, lambda means: np.log(means[..., 0] / means[..., 1])))


@cache
def normalised(S: int, n: int, B: int, learner: str) -> Interval:
    """Return a learner's mean regret divided by B sqrt(SnK)."""
    units = np.array(recorded_sweep()["regrets"][f"{S},{n},{B}"][learner]) / (B * np.sqrt(S * n * 1000))
    return interval(units, generator(f"{S} {n} {B} {learner}"))


SCALED = ("mb-minimax/scale=0.01", "mb-ucbvi/scale=0.1")
"""Two learners whose logarithm is scaled to 1/100."""
FAR = (*MIDDLE[:2], 100)
"""S, n and B of the models with the longest episodes."""


def minimax_measured(least: object, alike: object, far: object, psrl: object) -> Answer:
    """Return whether two quotients of mean regrets are at least `least` and `alike`, two at most `far` and `psrl`."""
    proved, by_psrl = (quotient(*MIDDLE, name, "mb-ucbvi") for name in ("mb-minimax", "mb-psrl"))
    near, further = (quotient(*size, *SCALED) for size in (MIDDLE, FAR))
    low, low_alike, high_far, high = (nearest_float(rational(each)) for each in (least, alike, far, psrl))
    at_least = _within(proved, low), _within(near, low_alike)
    truth = reduce(Truth.both, (*at_least, _within(further, 0.0, high_far), _within(by_psrl, 0.0, high)))
    told = {"proved": proved, "scaled": near, f"scaled, B = {FAR[2]}": further, LEARNERS["mb-psrl"]: by_psrl}
    return answer(truth, **{name: str(each) for name, each in told.items()})


def _within(found: Interval, low: float, high: float = inf) -> Truth:
    if low <= found.low and found.high <= high:
        return Truth.YES
    return Truth.NO if found.high < low or found.low > high else Truth.UNDECIDED

"""The recorded runs on random bandits over B, S and n: quotients of mean regrets with intervals over simulations."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np

from mbrl.experiments.intervals import Interval, interval
from proofs_checks.claimcheck.statements import Answer, answer
from proofs_checks.paper.recorded.sweep import LEARNERS, MIDDLE, SWEEP
from proofs_checks.paper.shared.recorded_experiments import generator
from theory import nearest_float, rational


@cache
def recorded_sweep() -> dict[str, Any]:
    """Return ``sweep.json``."""
    content: dict[str, Any] = json.loads(SWEEP.read_text(encoding="utf-8"))
    return content


@cache
def quotient(S: int, n: int, B: int, learner: str, other: str) -> Interval:
    """Return the mean regret of a learner over that of another on the same bandits."""
    found = recorded_sweep()["regrets"][f"{S},{n},{B}"]
    units = np.array([found[learner], found[other]]).T
    return interval(units, generator(f"{S} {n} {B} {learner}/{other}"), lambda means: means[..., 0] / means[..., 1])


@cache
def normalised(S: int, n: int, B: int, learner: str) -> Interval:
    """Return the mean regret over B sqrt(SnK)."""
    units = np.array(recorded_sweep()["regrets"][f"{S},{n},{B}"][learner]) / (B * np.sqrt(S * n * 1000))
    return interval(units, generator(f"{S} {n} {B} {learner}"))


def minimax_measured(least: object, scaled: object, psrl: object) -> Answer:
    """Hold the mean regrets over that of MB-UCBVI to at least `least`, and to at most `scaled` and `psrl`."""
    names = ("mb-minimax", "mb-minimax/scale=0.01", "mb-psrl")
    found = {name: quotient(*MIDDLE, name, "mb-ucbvi") for name in names}
    low, *high = (nearest_float(rational(each)) for each in (least, scaled, psrl))
    true = found[names[0]].low >= low and all(
        found[each].high <= most for each, most in zip(names[1:], high, strict=True)
    )
    return answer(true, **{LEARNERS[name]: str(each) for name, each in found.items()})

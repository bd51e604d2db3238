"""Concentration: the probability that an estimate deviates by more than the event allows is at most `failure`.

One state is visited N times, whatever the learner does. The law of its reward and next state is an extreme one: for a
mean reward, 0 or 1; for a value, a reward of 0 or 1 that is then paid for ever; for a row, any row on two or three
states. The probability of a large deviation is a finite sum, computed exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from math import comb

from flint import fmpq

from proofs_checks.trials.counterexample import Counterexample
from proofs_checks.trials.properties.formulas import Formulas
from proofs_checks.trials.properties.property import Property
from theory import ONE, ZERO, Arm, Bandit, decimal_text
from theory.optimism import distance
from theory.random_models import Integers, drawn, picked, random_row


@dataclass(frozen=True)
class Sample:
    """N visits of one state before step t.

    Attributes
    ----------
    row : (m,) fmpq
        The law of the next state, or of the reward (0, 1).
    n, K, N, t : int
    beta : fmpq
    """

    row: tuple[fmpq, ...]
    n: int
    K: int
    N: int
    t: int
    beta: fmpq


def sample(source: Integers, sizes: tuple[int, ...], most: int) -> Sample:
    """Return a sample of at most `most` visits, of a law on one of these numbers of outcomes."""
    N = drawn(source, 1, most + 1)
    return Sample(
        random_row(source, picked(source, sizes)),
        drawn(source, 1, 4),
        drawn(source, 1, 11),
        N,
        N + drawn(source, 1, 11),
        picked(source, (ZERO, fmpq(1, 2), fmpq(9, 10))),
    )


def _counts(outcomes: int, N: int) -> Iterator[tuple[int, ...]]:
    if outcomes == 1:
        yield (N,)
        return
    for first in range(N + 1):
        for others in _counts(outcomes - 1, N - first):
            yield (first, *others)


def _probability(counts: tuple[int, ...], row: tuple[fmpq, ...]) -> fmpq:
    found, left = ONE, sum(counts)
    for count, p in zip(counts, row, strict=True):
        found *= comb(left, count) * p**count if count else ONE
        left -= count
    return found


def _refute(name: str, formulas: Formulas, sample: Sample) -> Counterexample | None:
    states = {"reward_deviation": 1, "row_deviation": len(sample.row), "deviation": 1 if sample.beta == 0 else 3}
    at = {"S": states[name], "n": sample.n, "K": sample.K, "t": sample.t}
    more = {"beta": sample.beta} if name == "deviation" else {}
    allowed = formulas.enclosure(name, **at, N=sample.N, **more).high
    scale = 2 * (1 - sample.beta) if name == "deviation" else fmpq(2) if name == "reward_deviation" else ONE
    often = ZERO
    for counts in _counts(len(sample.row), sample.N):
        seen = [fmpq(count, sample.N) for count in counts]
        # for two outcomes, the mean deviates by half the L1 distance
        if distance(seen, sample.row) / scale > allowed:
            often += _probability(counts, sample.row)
    failure = formulas.enclosure("failure", **at).high
    if often <= failure:
        return None
    return Counterexample(
        f"With probability {decimal_text(often, 6)} it deviates by more than {decimal_text(allowed, 6)}, "
        f"and {decimal_text(failure, 6)} is allowed.",
        {**{key: str(value) for key, value in at.items()}, "N": str(sample.N), "probability": str(often)},
        _bandit(name, sample),
    )


def _bandit(name: str, sample: Sample) -> Bandit:
    row, beta = sample.row, sample.beta
    if name == "reward_deviation" or (name == "deviation" and beta == 0):
        return Bandit([Arm(rewards=[row[1]], transitions=[[1]])], beta, [0])
    if name == "deviation":
        rows = [(ZERO, *row), (ZERO, ONE, ZERO), (ZERO, ZERO, ONE)]
        return Bandit([Arm(rewards=[row[1], 0, 1], transitions=rows)], beta, [0])
    return Bandit([Arm(rewards=[0] * len(row), transitions=[row] * len(row))], beta, [0])


PROPERTIES = tuple(
    Property(
        name=f"{name.replace('_', '-')}-is-rare",
        suite="optimism",
        says=f"After N visits {what} by more than `{name}`{norm} with probability at most `failure`.",
        formulas=(name, "failure"),
        instances=partial(sample, sizes=sizes, most=most),
        refute=partial(_refute, name),
    )
    for name, what, norm, sizes, most in (
        ("deviation", "r-hat + beta P-hat V is off", "", (2,), 30),
        ("reward_deviation", "a mean reward is off", "", (2,), 30),
        ("row_deviation", "a row is off", " in L1", (2, 3), 10),
    )
)

"""Concentration: the probability that an estimate deviates by more than the event allows is at most `failure`.

One state is visited N times, whatever the learner does. The law of its reward and next state is an extreme one: for a
mean reward, 0 or 1; for a value, a reward of 0 or 1 that is then paid for ever; for a row, any row on two or three
states. The probability of a large deviation is a finite sum, computed exactly.
"""

from __future__ import annotations

from functools import partial
from math import comb, prod

from flint import fmpq

from proofs_checks.trials.counterexample import Counterexample
from proofs_checks.trials.properties.formulas import Formulas, Point
from proofs_checks.trials.properties.property import Property
from theory import ONE, ZERO, Arm, Bandit, decimal_text
from theory.certified import compositions
from theory.optimism import distance
from theory.random_models import Integers, drawn, picked, random_row


def sample(source: Integers, sizes: tuple[int, ...], most: int) -> Point:
    """Return the law of the next state, or of the reward 0 or 1, in a state visited at most `most` times.

    `sizes` are the numbers of outcomes that the law may have.
    """
    N = drawn(source, 1, most + 1)
    return {
        "row": random_row(source, picked(source, sizes)),
        "n": drawn(source, 1, 4),
        "K": drawn(source, 1, 11),
        "N": N,
        "t": N + drawn(source, 1, 11),
        "beta": picked(source, (ZERO, fmpq(1, 2), fmpq(9, 10))),
    }


def _probability(counts: tuple[int, ...], row: tuple[fmpq, ...]) -> fmpq:
    left = [sum(counts[k:]) for k in range(len(counts))]
    return prod((comb(all_, count) * p**count for all_, count, p in zip(left, counts, row, strict=True)), start=ONE)


def _refute(name: str, formulas: Formulas, sample: Point) -> Counterexample | None:
    row, N, beta = sample["row"], sample["N"], sample["beta"]
    bandit = _bandit(name, row, beta)
    at = {**sample, "S": bandit.sizes[0]}
    allowed = formulas.enclosure(name, **at).high
    # for two outcomes, the mean deviates by half the L1 distance
    scale = {"deviation": 2 * (1 - beta), "reward_deviation": fmpq(2), "row_deviation": ONE}[name]
    often = ZERO
    for counts in compositions(N, len(row)):
        if distance([fmpq(count, N) for count in counts], row) / scale > allowed:
            often += _probability(counts, row)
    failure = formulas.enclosure("failure", **at).high
    if often <= failure:
        return None
    return Counterexample(
        f"With probability {decimal_text(often, 6)} it deviates by more than {decimal_text(allowed, 6)}, "
        f"and {decimal_text(failure, 6)} is allowed.",
        {**{key: at[key] for key in ("S", "n", "K", "t", "N")}, "probability": often},
        bandit,
    )


def _bandit(name: str, row: tuple[fmpq, ...], beta: fmpq) -> Bandit:
    if name == "row_deviation":
        arm = Arm(rewards=[0] * len(row), transitions=[row] * len(row))
    elif name == "reward_deviation" or beta == 0:
        arm = Arm(rewards=[row[1]], transitions=[[1]])
    else:
        arm = Arm(rewards=[row[1], 0, 1], transitions=[(ZERO, *row), (ZERO, ONE, ZERO), (ZERO, ZERO, ONE)])
    return Bandit([arm], beta, [0])


PROPERTIES = tuple(
    Property(
        name=f"{name.replace('_', '-')}-is-rare",
        says=f"After N visits {what} by more than `{name}`{norm} with probability at most `failure`.",
        instances=partial(sample, sizes=sizes, most=most),
        refute=partial(_refute, name),
    )
    for name, what, norm, sizes, most in (
        ("deviation", "r-hat + beta P-hat V is off", "", (2,), 30),
        ("reward_deviation", "a mean reward is off", "", (2,), 30),
        ("row_deviation", "a row is off", " in L1", (2, 3), 10),
    )
)

"""The fixed hard cases, by kind. Their names and models never change within a version."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from flint import fmpq

from proofs_checks.trials.conformance.judging import Judgement, Tolerance
from proofs_checks.trials.conformance.kinds import KINDS
from theory import Arm, Bandit, ModelError
from theory.random_models import random_shared_row

VERSION = "1"
"""Version of the fixed cases; results on different versions cannot be compared."""

DISCOUNTS = {
    "beta 0": fmpq(0),
    "beta 1/2": fmpq(1, 2),
    "beta 1-2^-7": 1 - fmpq(1, 2**7),
    "beta 1-2^-20": 1 - fmpq(1, 2**20),  # closer to 1 than 1 - 1e-6
}


@dataclass(frozen=True)
class Case:
    """A model of binary fractions, with a name, on which implementations of one of the `KINDS` are judged."""

    kind: str
    name: str
    bandit: Bandit

    def __str__(self) -> str:
        return self.name

    def judge(self, implementation: Callable[..., Any], tolerance: Tolerance | None = None) -> Judgement:
        """Return the judgement of the implementation's answer on this model, by comparison with the exact one."""
        return KINDS[self.kind](implementation, self.bandit, tolerance or Tolerance())

    def check(self, implementation: Callable[..., Any], tolerance: Tolerance | None = None) -> None:
        """Judge the implementation in a test.

        Raises
        ------
        AssertionError
            If the answer has a defect; the message lists all defects in one line.
        """
        judgement = self.judge(implementation, tolerance)
        assert judgement.passed, judgement.text


@cache
def cases(kind: str, up_to: fmpq | None = None, states: int | None = None) -> tuple[Case, ...]:
    """Return the fixed cases of `kind` with a discount of at most `up_to` and at most so many global states.

    None is no limit.

    Raises
    ------
    ModelError
        For an unknown kind; the message lists the kinds.

    Examples
    --------
    >>> str(cases("gittins")[0]), len(cases("gittins")), len(cases("gittins", fmpq(1, 2)))
    ('one state, beta 0', 61, 30)
    >>> {kind: max(case.bandit.number_of_global_states for case in cases(kind)) for kind in KINDS}
    {'gittins': 200, 'value': 20736, 'evi': 16, 'agent': 48}
    >>> max(case.bandit.number_of_global_states for case in cases("value", states=5760))
    5760
    """
    if kind not in KINDS:
        raise ModelError(f"no kind is called {kind!r}; the kinds are {', '.join(KINDS)}")
    made = {"gittins": _single_arms, "value": _small_bandits, "evi": _bandits_with_radii, "agent": _bandits_to_learn}
    return tuple(
        Case(kind, name, bandit)
        for name, bandit in made[kind]().items()
        if (up_to is None or bandit.discount <= up_to) and (states is None or bandit.number_of_global_states <= states)
    )


def _named_arms() -> dict[str, Arm]:
    quarter = fmpq(1, 4)
    return {
        "one state": Arm(rewards=[quarter], transitions=[[1]]),
        "all tied": Arm(rewards=[quarter] * 4, transitions=[[quarter] * 4] * 4),
        "all rewards zero": Arm(rewards=[0] * 3, transitions=[[0, 1, 0], [0, 0, 1], [1, 0, 0]]),
        "ties by symmetry": Arm(
            rewards=[0, 1, 0, 1], transitions=[[0, "1/2", 0, "1/2"], [1, 0, 0, 0], [0, "1/2", 0, "1/2"], [0, 0, 1, 0]]
        ),
        "periodic": Arm(rewards=[0, "1/2", 0, 1], transitions=[[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 0, 0, 0]]),
        "absorbing": Arm(rewards=["1/2", 1, 0], transitions=[["1/2", "1/4", "1/4"], [0, 0, 1], [0, 0, 1]]),
        "two ways to end": Arm(
            rewards=[0, 1, "1/2", 0], transitions=[[0, "1/2", "1/2", 0], [0, 0, 0, 1], [0, 0, 1, 0], [0, 0, 0, 1]]
        ),
        "never left": Arm(rewards=[0, "1/4", "1/2"], transitions=[[1, 0, 0], [0, 1, 0], [0, 0, 1]]),
        "negative rewards": Arm(
            rewards=[-1, "-1/2", 2], transitions=[["1/2", "1/2", 0], [0, "1/2", "1/2"], ["1/2", 0, "1/2"]]
        ),
        "nearly tied": Arm(
            rewards=["1/2", fmpq(1, 2) + fmpq(1, 2**40), 0], transitions=[[0, 0, 1], [0, 0, 1], ["1/2", "1/2", 0]]
        ),
        "long chain": _chain(24),
        "reward at the far end": _chain(24, reward_at_end=True),
        "dense, 10 states": _random_arm(10, 16),
        "sparse with ties, 40 states": _random_arm(40, 4, levels=5),
        "dense, 80 states": _random_arm(80, 64),
    }


def _single_arms() -> dict[str, Bandit]:
    made = {
        f"{name}, {at}": Bandit([arm], discount)
        for name, arm in _named_arms().items()
        for at, discount in DISCOUNTS.items()
    }
    large = Bandit([_random_arm(200, 4, levels=9)], DISCOUNTS["beta 1-2^-7"])
    return made | {"sparse with ties, 200 states, beta 1-2^-7": large}


def _bandits(
    groups: Mapping[str, Sequence[str]], discounts: Mapping[str, fmpq], radii: Mapping[str, fmpq]
) -> dict[str, Bandit]:
    """Return a bandit for each group of named arms, each radius and each discount, by name."""
    arms = _named_arms()
    return {
        f"{name}{size}, {at}": Bandit(
            [_with_radii(arms[each], radius) for each in members], discount, [0] * len(members)
        )
        for name, members in groups.items()
        for size, radius in radii.items()
        for at, discount in discounts.items()
    }


def _small_bandits() -> dict[str, Bandit]:
    groups = {
        "one arm": ["periodic"],
        "two tied arms": ["ties by symmetry", "ties by symmetry"],
        "arms of different sizes": ["one state", "absorbing", "periodic"],
        "arms that never move": ["never left", "never left"],
        "negative rewards": ["negative rewards", "all rewards zero"],
        "three arms": ["absorbing", "two ways to end", "all tied"],
        "many states": ["long chain", "reward at the far end", "dense, 10 states"],
        "twelve arms": ["absorbing", "periodic", "one state"] * 4,
    }
    return _bandits(groups, DISCOUNTS, {"": fmpq(0)})


def _bandits_with_radii() -> dict[str, Bandit]:
    groups = {
        "one state": ["one state"],
        "one arm": ["absorbing"],
        "two arms": ["absorbing", "periodic"],
        "ties": ["ties by symmetry", "all tied"],
        "negative rewards": ["negative rewards", "one state"],
        "three arms": ["absorbing", "never left", "one state"],
    }
    radii = {", no radius": fmpq(0), ", radius 1/8": fmpq(1, 8), ", radius 1": fmpq(1), ", radius 2": fmpq(2)}
    return _bandits(groups, DISCOUNTS, radii)


def _bandits_to_learn() -> dict[str, Bandit]:
    groups = {
        "one state": ["one state"],
        "one arm": ["periodic"],
        "all rewards zero": ["all rewards zero", "all rewards zero"],
        "two tied arms": ["ties by symmetry", "ties by symmetry"],
        "absorbing": ["absorbing", "two ways to end"],
        "arms of different sizes": ["one state", "absorbing", "periodic"],
        "three arms": ["never left", "all tied", "two ways to end"],
    }
    return _bandits(groups, {at: DISCOUNTS[at] for at in ("beta 0", "beta 1/2", "beta 1-2^-7")}, {"": fmpq(0)})


def _with_radii(arm: Arm, radius: fmpq) -> Arm:
    return replace(
        arm,
        reward_radius=tuple(radius / 2 if x % 2 else fmpq(0) for x in range(arm.size)),
        transition_radius=tuple(radius if x % 3 != 1 else radius / 2 for x in range(arm.size)),
    )


def _chain(size: int, *, reward_at_end: bool = False) -> Arm:
    """Return a chain that moves forward with 1/2 and to its start with 1/4; rewards fall, or are at the end only."""
    rows = []
    for x in range(size):
        row = [fmpq(0)] * size
        row[0] += fmpq(1, 4)
        row[x] += fmpq(1, 4)
        row[min(x + 1, size - 1)] += fmpq(1, 2)
        rows.append(row)
    rewards = [fmpq(int(x == size - 1)) if reward_at_end else fmpq(size - x, 32) for x in range(size)]
    return Arm(rewards=rewards, transitions=rows)


def _random_arm(size: int, parts: int, levels: int = 0) -> Arm:
    """Return an arm whose rows are `parts` equal shares at random, with `levels` different rewards (0: all differ)."""
    generator = np.random.default_rng(np.random.SeedSequence(int(VERSION), spawn_key=(size, parts, levels)))
    rows = [random_shared_row(generator, size, parts) for _ in range(size)]
    values = generator.integers(0, levels, size) if levels else generator.permutation(size)
    return Arm(rewards=[fmpq(int(value), 256) for value in values], transitions=rows)

"""Exact estimates with radii, each with some bandits of its confidence set."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from flint import fmpq

from proofs_checks.claimcheck.statements import Family
from theory import Arm, Bandit, optimistic_value
from theory.paper import counterexample, counterexample_m2
from theory.random_models import random_bandit, random_member

if TYPE_CHECKING:
    from numpy.random import Generator

WithMembers: TypeAlias = "tuple[Bandit, list[Bandit]]"


def of_theorem_3() -> WithMembers:
    """Return the set of Theorem 3, with M_2 and the bandit of the set that is best from the initial state."""
    estimates = counterexample()
    best = optimistic_value(estimates).sharing.bandit
    return estimates, [counterexample_m2(), *([best] if best else [])]


def of_one_reward() -> WithMembers:
    """Return an arm of one state with a mean reward within 1/4 of 1/2, and the best bandit of the set."""
    estimates = Bandit([Arm(rewards=["1/2"], transitions=[[1]], reward_radius=["1/4"])], "1/2", [0])
    return estimates, [Bandit([Arm(rewards=["3/4"], transitions=[[1]])], "1/2", [0])]


def with_members(generator: Generator, estimates: Bandit) -> WithMembers:
    """Return estimates with radii, and three random members of their set."""
    return estimates, [random_member(generator, estimates) for _ in range(3)]


SETS = Family(
    "exact estimates of one or two arms with radii, ties included, and bandits of their sets",
    lambda: iter([of_one_reward(), of_theorem_3()]),
    draw=lambda source: with_members(source, random_bandit(source, 2, max_global_states=6, radii=True)),
)


def with_share(estimates: Bandit, of_rows: fmpq, of_rewards: fmpq) -> Bandit:
    """Return estimates with the radii of rows and of rewards multiplied by these factors."""
    arms = [
        replace(
            arm,
            reward_radius=tuple(of_rewards * each for each in arm.reward_radius),
            transition_radius=tuple(of_rows * each for each in arm.transition_radius),
        )
        for arm in estimates.arms
    ]
    return Bandit(arms, estimates.discount, estimates.initial)

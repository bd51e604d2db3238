r"""Finite priors over exact bandits, and their posteriors.

A model M is drawn from a finite prior. Rewards are Bernoulli with the model's mean, independent of the move. Every step
records the move that it causes, the last step of an episode included, as in the pseudo-code (`fig:algos`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple, TypeAlias

from flint import fmpq

from theory.errors import ModelError
from theory.gittins import gittins_priority
from theory.model import ArmState, Bandit, GlobalState
from theory.rationals import ONE, ZERO, Exact, rationals
from theory.values.product import PolicyTable, policy_table, priority_policy


class Step(NamedTuple):
    """One step of play: the global state, the arm played, its reward (0 or 1), and its next state."""

    state: GlobalState
    arm: int
    reward: int
    to: int

    @property
    def cell(self) -> ArmState:
        """The arm state that was activated."""
        return self.arm, self.state[self.arm]


History: TypeAlias = tuple[tuple[Step, ...], ...]
"""The steps of each episode so far."""


@dataclass(frozen=True, init=False)
class FinitePrior:
    """Finitely many bandits of equal sizes, equal discount and rewards in [0, 1], with positive weights of sum 1.

    Examples
    --------
    >>> from theory import Arm
    >>> low, high = (Bandit([Arm(rewards=[mean], transitions=[[1]])], 0) for mean in ("1/4", "3/4"))
    >>> prior = FinitePrior([low, high], ["1/2", "1/2"])
    >>> prior.posterior(((Step((0,), 0, 1, 0),),))
    (1/4, 3/4)
    """

    models: tuple[Bandit, ...]
    weights: tuple[fmpq, ...]

    def __init__(self, models: Iterable[Bandit], weights: Iterable[Exact]) -> None:
        given, masses = tuple(models), rationals(weights)
        if not given or len(given) != len(masses):
            raise ModelError(f"prior: {len(given)} models and {len(masses)} weights; give one weight per model")
        for mass in masses:
            if mass <= 0:
                raise ModelError(f"prior: weight {mass} is not positive")
        if sum(masses, ZERO) != 1:
            raise ModelError(f"prior: weights sum to {sum(masses, ZERO)}, not 1")
        if len({(model.sizes, model.discount) for model in given}) > 1:
            raise ModelError("prior: the models differ in their numbers of states or in their discount")
        for model in given:
            for arm_state in model.arm_states:
                mean = _mean(model, arm_state)
                if not 0 <= mean <= 1:
                    raise ModelError(f"prior, state {model.name(arm_state)}: reward {mean} is outside [0, 1]")
        object.__setattr__(self, "models", given)
        object.__setattr__(self, "weights", masses)

    @cached_property
    def policies(self) -> tuple[PolicyTable, ...]:
        """The Gittins index policy of each model, ties to the first arm."""
        return tuple(policy_table(model, priority_policy(model, gittins_priority(model))) for model in self.models)

    def posterior(self, history: History) -> tuple[fmpq, ...]:
        """Return the law of the model given `history`.

        Raise `ModelError` if no model of the prior can produce the history.
        """
        joint = [w * likelihood(model, history) for model, w in zip(self.models, self.weights, strict=True)]
        total = sum(joint, ZERO)
        if total == 0:
            raise ModelError("posterior: no model of the prior can produce this history")
        return tuple(mass / total for mass in joint)


def _mean(model: Bandit, cell: ArmState) -> fmpq:
    return model.arms[cell[0]].rewards[cell[1]]


def likelihood(model: Bandit, history: History) -> fmpq:
    """Return the probability of the rewards and moves in `history`, given the arms played in it.

    Factors that do not depend on the model (starting states, choice of policies) are left out: they cancel.
    """
    return prod((step_probability(model, step) for episode in history for step in episode), start=ONE)


def step_probability(model: Bandit, step: Step) -> fmpq:
    """Return the probability of the reward and the move of `step`, given its global state and its arm."""
    mean = _mean(model, step.cell)
    return (mean if step.reward else 1 - mean) * model.arms[step.arm].transitions[step.cell[1]][step.to]


def activations(history: History, episodes: int, cell: ArmState) -> int:
    """Return N: how often `cell` was activated in the first `episodes` episodes."""
    return sum(step.cell == cell for episode in history[:episodes] for step in episode)


def empirical_reward(history: History, episodes: int, cell: ArmState) -> fmpq:
    """Return the mean reward of `cell` over the first `episodes` episodes; 0 where it was never activated."""
    rewards = [step.reward for episode in history[:episodes] for step in episode if step.cell == cell]
    return fmpq(sum(rewards), len(rewards)) if rewards else ZERO

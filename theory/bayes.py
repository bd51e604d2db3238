r"""Finite priors over exact bandits: posteriors, and every history of posterior sampling over short horizons.

A model M is drawn from a finite prior. Before episode j a model :math:`M_j` is drawn from the posterior of M given
:math:`O_{j-1}`, all steps of the episodes before, and its Gittins index policy (ties to the first arm) is played for
a given number of steps. Rewards are Bernoulli with the model's mean, independent of the move. A *scenario* is one
outcome of all these draws, with its exact probability; so an expectation is a finite sum, and nothing is sampled.

A step records the move it causes: also the last one of an episode, as in the pseudo-code (`fig:algos`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple, TypeAlias

from flint import fmpq

from theory.errors import ModelError, TooLargeError
from theory.gittins import gittins_priority
from theory.model import ArmState, Bandit, GlobalState
from theory.rationals import ONE, ZERO, Exact, rationals
from theory.values.product import PolicyTable, moved, policy_table, priority_policy

LARGEST_NUMBER_OF_SCENARIOS = 200_000


class Step(NamedTuple):
    """One step of play: where, which arm, its reward (0 or 1), and the state it moved to."""

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

StartLaw: TypeAlias = Mapping[GlobalState, fmpq]
"""The law of the state in which an episode starts."""


@dataclass(frozen=True, init=False)
class FinitePrior:
    """Finitely many bandits with positive weights.

    Parameters
    ----------
    models
        Bandits of equal sizes and equal discount, rewards in [0, 1].
    weights : exact numbers
        One per model, positive, summing to exactly 1.

    Raises
    ------
    ModelError
        For anything else, naming the value.

    Examples
    --------
    >>> from theory import Arm
    >>> low, high = (Bandit([Arm([mean], [[1]])], 0) for mean in ("1/4", "3/4"))
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
        for model in given:
            if model.sizes != given[0].sizes or model.discount != given[0].discount:
                raise ModelError("prior: the models differ in their numbers of states or in their discount")
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

        Raises
        ------
        ModelError
            If no model of the prior can produce the history.
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

    What the model has no say in (starting states, the choice of policies) is left out: it cancels in a posterior.
    """
    return prod((_step_probability(model, step) for episode in history for step in episode), start=ONE)


def _step_probability(model: Bandit, step: Step) -> fmpq:
    mean = _mean(model, step.cell)
    return (mean if step.reward else 1 - mean) * model.arms[step.arm].transitions[step.cell[1]][step.to]


@dataclass(frozen=True)
class Scenario:
    """One outcome of everything drawn.

    Attributes
    ----------
    model
        Index of the true model M in the prior.
    samples
        Indices of :math:`M_1, ..., M_k`: one more than there are episodes in the history.
    history
        The steps of episodes 1, ..., k-1.
    probability
        Exact.
    """

    model: int
    samples: tuple[int, ...]
    history: History
    probability: fmpq


def scenarios(prior: FinitePrior, horizons: Sequence[int], start: StartLaw) -> list[Scenario]:
    """Return every scenario of positive probability of posterior sampling over episodes of the given lengths.

    Parameters
    ----------
    prior
        Of the true model, and the one the learner uses.
    horizons
        Lengths of episodes 1, ..., k-1; the last sample is the one for episode k, which is not played.
    start
        Law of the state in which each episode starts.

    Raises
    ------
    TooLargeError
        Beyond `LARGEST_NUMBER_OF_SCENARIOS`.

    Examples
    --------
    >>> from theory import Arm
    >>> low, high = (Bandit([Arm([mean], [[1]])], 0) for mean in ("1/4", "3/4"))
    >>> outcomes = scenarios(FinitePrior([low, high], ["1/2", "1/2"]), [1], {(0,): fmpq(1)})
    >>> len(outcomes), sum(each.probability for each in outcomes)
    (16, 1)
    """
    posteriors: dict[History, tuple[fmpq, ...]] = {}

    def sampled(scenario: Scenario) -> Iterator[Scenario]:
        if scenario.history not in posteriors:
            posteriors[scenario.history] = prior.posterior(scenario.history)
        for index, mass in enumerate(posteriors[scenario.history]):
            if mass:
                samples = (*scenario.samples, index)
                yield Scenario(scenario.model, samples, scenario.history, scenario.probability * mass)

    found = [each for index, weight in enumerate(prior.weights) for each in sampled(Scenario(index, (), (), weight))]
    for steps in horizons:
        played: list[Scenario] = []
        for scenario in found:
            model, policy = prior.models[scenario.model], prior.policies[scenario.samples[-1]]
            for episode, probability in _episodes(model, policy, steps, start):
                history = (*scenario.history, episode)
                after = Scenario(scenario.model, scenario.samples, history, scenario.probability * probability)
                played.extend(sampled(after))
            _refuse_beyond_limit(played)
        found = played
    return found


def _episodes(model: Bandit, policy: PolicyTable, steps: int, start: StartLaw) -> list[tuple[tuple[Step, ...], fmpq]]:
    """Return every episode of `steps` steps of positive probability."""
    under_way: list[tuple[GlobalState, tuple[Step, ...], fmpq]] = [(state, (), p) for state, p in start.items() if p]
    for _ in range(steps):
        longer = []
        for state, taken, probability in under_way:
            arm = policy[state]
            for to in range(model.arms[arm].size):
                for reward in (0, 1):
                    step = Step(state, arm, reward, to)
                    if chance := _step_probability(model, step):
                        longer.append((moved(state, arm, to), (*taken, step), probability * chance))
        under_way = longer
        _refuse_beyond_limit(under_way)
    return [(taken, probability) for _, taken, probability in under_way]


def _refuse_beyond_limit(cases: Sequence[object]) -> None:
    if len(cases) > LARGEST_NUMBER_OF_SCENARIOS:
        raise TooLargeError(
            f"more than {LARGEST_NUMBER_OF_SCENARIOS} scenarios; take fewer models, steps or episodes, or counts "
            "(theory.bayes.expectation_along_counts)"
        )


def expectation_over(outcomes: Iterable[Scenario], of: Callable[[Scenario], fmpq]) -> fmpq:
    """Return the exact expectation of a function of the scenario."""
    return sum((each.probability * of(each) for each in outcomes), ZERO)


def probability_of(outcomes: Iterable[Scenario], event: Callable[[Scenario], bool]) -> fmpq:
    """Return the exact probability of an event."""
    return sum((each.probability for each in outcomes if event(each)), ZERO)


def activations(history: History, episodes: int, cell: ArmState) -> int:
    """Return N: how often `cell` was activated in the first `episodes` episodes."""
    return sum(step.cell == cell for episode in history[:episodes] for step in episode)


def empirical_reward(history: History, episodes: int, cell: ArmState) -> fmpq:
    """Return the mean reward of `cell` over the first `episodes` episodes; 0 where it was never activated."""
    rewards = [step.reward for episode in history[:episodes] for step in episode if step.cell == cell]
    return fmpq(sum(rewards), len(rewards)) if rewards else ZERO


def expectation_along_counts(
    means: Sequence[Exact],
    weights: Sequence[Exact],
    observations: int,
    allowed: Callable[[int, int, int], bool],
    payoff: Callable[[int, int], fmpq],
) -> fmpq:
    r"""Return :math:`E[payoff(M, M_{m+1}) \prod_{j \le m} 1\{allowed(j, M_{j+1}, M)\}]` on one arm with one state.

    The arm gives Bernoulli rewards; one is observed per episode, m = `observations` in all, and :math:`M_{j+1}` is
    sampled from the posterior after j of them. The number of successes is all that matters, so this sums over
    O(m^2) cases in place of the 2^m histories.

    Parameters
    ----------
    means, weights
        Of the prior over the mean reward.
    observations
        m, at least 1.
    allowed
        Of j, the index of :math:`M_{j+1}` and the index of M.
    payoff
        Of the indices of M and of the last sample.

    Examples
    --------
    >>> expectation_along_counts([0, 1], ["1/2", "1/2"], 1, lambda j, i, m: True, lambda m, i: fmpq(m == i))
    1
    """
    values, masses = rationals(means), rationals(weights)
    models = range(len(values))

    def posterior(successes: int, trials: int) -> tuple[fmpq, ...]:
        joint = [w * r**successes * (1 - r) ** (trials - successes) for r, w in zip(values, masses, strict=True)]
        total = sum(joint, ZERO)
        return tuple(mass / total for mass in joint)

    total = ZERO
    for m in models:
        reached = {0: masses[m]}
        for j in range(1, observations + 1):
            following: dict[int, fmpq] = {}
            for successes, mass in reached.items():
                for reward, chance in ((0, 1 - values[m]), (1, values[m])):
                    if chance:
                        following[successes + reward] = following.get(successes + reward, ZERO) + mass * chance
            laws = {successes: posterior(successes, j) for successes in following}
            if j == observations:
                total += sum(
                    (
                        mass * sum((laws[s][i] * payoff(m, i) for i in models if allowed(j, i, m)), ZERO)
                        for s, mass in following.items()
                    ),
                    ZERO,
                )
            reached = {
                s: mass * sum((laws[s][i] for i in models if allowed(j, i, m)), ZERO) for s, mass in following.items()
            }
    return total

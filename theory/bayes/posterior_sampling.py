r"""Every history of posterior sampling over short horizons, with its exact probability.

A model M is drawn from a finite prior. Before episode j, a model :math:`M_j` is drawn from the posterior of M given
all earlier steps (:math:`O_{j-1}`); the Gittins index policy of :math:`M_j` (ties to the first arm) then plays a given
number of steps. A *scenario* is one outcome of all these draws. Each has an exact probability, so that an expectation
is a finite sum and nothing is sampled.

For one arm with one state, the number of successes is a sufficient statistic, which `expectation_along_counts` uses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq

from theory.bayes.finite_prior import FinitePrior, History, Step, step_probability
from theory.errors import TooLargeError
from theory.model import Bandit, GlobalState
from theory.rationals import ZERO, Exact, rationals
from theory.values.product import PolicyTable, moved

LARGEST_NUMBER_OF_SCENARIOS = 200_000

StartLaw: TypeAlias = Mapping[GlobalState, fmpq]
"""The law of the state in which an episode starts."""


@dataclass(frozen=True)
class Scenario:
    """One outcome of all draws, with its exact probability.

    `model` is the index of the true model M in the prior, `samples` are those of :math:`M_1, ..., M_k`: one more than
    there are episodes in `history`, the steps of episodes 1, ..., k-1.
    """

    model: int
    samples: tuple[int, ...]
    history: History
    probability: fmpq


def scenarios(prior: FinitePrior, horizons: Sequence[int], start: StartLaw) -> list[Scenario]:
    """Return every scenario of positive probability of posterior sampling over episodes of the given lengths.

    The prior of the true model is also the learner's. The `horizons` are the lengths of episodes 1, ..., k-1; the last
    sample is the one for episode k, which is not played. Each episode starts in a state of law `start`.

    Raise `TooLargeError` beyond `LARGEST_NUMBER_OF_SCENARIOS`.

    Examples
    --------
    >>> from theory import Arm
    >>> low, high = (Bandit([Arm(rewards=[mean], transitions=[[1]])], 0) for mean in ("1/4", "3/4"))
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
    """Return every episode of `steps` steps that has positive probability, with that probability."""
    under_way: list[tuple[GlobalState, tuple[Step, ...], fmpq]] = [(state, (), p) for state, p in start.items() if p]
    for _ in range(steps):
        longer = []
        for state, taken, probability in under_way:
            arm = policy[state]
            for to in range(model.arms[arm].size):
                for reward in (0, 1):
                    step = Step(state, arm, reward, to)
                    if chance := step_probability(model, step):
                        longer.append((moved(state, arm, to), (*taken, step), probability * chance))
        under_way = longer
        _refuse_beyond_limit(under_way)
    return [(taken, probability) for _, taken, probability in under_way]


def _refuse_beyond_limit(cases: Sequence[object]) -> None:
    if len(cases) > LARGEST_NUMBER_OF_SCENARIOS:
        raise TooLargeError(
            f"more than {LARGEST_NUMBER_OF_SCENARIOS} scenarios; take fewer models, steps or episodes, or counts "
            "(expectation_along_counts)"
        )


def expectation_over(outcomes: Iterable[Scenario], of: Callable[[Scenario], fmpq]) -> fmpq:
    """Return the exact expectation of a function of the scenario."""
    return sum((each.probability * of(each) for each in outcomes), ZERO)


def probability_of(outcomes: Iterable[Scenario], event: Callable[[Scenario], bool]) -> fmpq:
    """Return the exact probability of an event."""
    return sum((each.probability for each in outcomes if event(each)), ZERO)


def expectation_along_counts(
    means: Sequence[Exact],
    weights: Sequence[Exact],
    observations: int,
    allowed: Callable[[int, int, int], bool],
    payoff: Callable[[int, int], fmpq],
) -> fmpq:
    r"""Return :math:`E[payoff(M, M_{m+1}) \prod_{j \le m} 1\{allowed(j, M_{j+1}, M)\}]` on one arm with one state.

    The arm gives Bernoulli rewards, one observation per episode, m = `observations` in all; :math:`M_{j+1}` is sampled
    from the posterior after j observations. The number of successes is a sufficient statistic, so the expectation is a
    sum over O(m^2) cases instead of the 2^m histories.

    The prior allows the `means` in [0, 1], with probabilities `weights`. `allowed` takes j and the indices of
    :math:`M_{j+1}` and M; `payoff` takes those of M and :math:`M_{m+1}`.

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

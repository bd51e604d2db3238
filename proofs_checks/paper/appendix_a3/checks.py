"""Small cases of posterior sampling with all their scenarios, exactly: laws of M and of M_k, and their symmetry.

Rewards are 0 or 1; the learner plays the Gittins policy of its sample. `OneState` has one arm with one state, so that
all policies are the same, N_{k'} = H_1 + ... + H_{k'}, and the radii are explicit; k' runs from 1.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, product
from math import comb
from typing import Any, NamedTuple, TypeVar

from flint import arb, fmpq

from proofs_checks.claimcheck.statements import Answer, Family, answer
from proofs_checks.paper.shared.comparisons import certain, is_less
from theory import ONE, ZERO, Arm, Bandit, rational
from theory.bayes import (
    FinitePrior,
    Scenario,
    activations,
    empirical_reward,
    expectation_along_counts,
    expectation_over,
    probability_of,
    scenarios,
)
from theory.certified import at_most
from theory.paper import horizon_bound, log_factor
from theory.values import optimal_value

HALF = fmpq(1, 2)
ALL, LAST = r"all $k' \le k-1$", "$k' = k-1$ only"
"""The k' that an event is about."""
T = TypeVar("T", bound=Hashable)


class Case(NamedTuple):
    """A prior, the lengths of the episodes before episode k, and every outcome of all draws."""

    prior: FinitePrior
    lengths: tuple[int, ...]
    outcomes: list[Scenario]

    def told(self, **more: object) -> dict[str, object]:
        """Return the case, together with `more`, as the data of a witness."""
        return {"models": self.prior.models, "prior": self.prior.weights, "lengths": self.lengths, **more}


def _arm(means: Sequence[str], *rows: Sequence[str]) -> Arm:
    return Arm(rewards=means, transitions=rows)


TWO_STATES = (
    (_arm(("1/3", "4/5"), ("1/2", "1/2"), ("0", "1")), _arm(("1/2",), ("1",))),
    (_arm(("3/4", "1/5"), ("1/4", "3/4"), ("1/2", "1/2")), _arm(("2/5",), ("1",))),
)
MEANS = ((fmpq(1, 4), fmpq(2, 3)), (fmpq(3, 5), fmpq(1, 2)), (fmpq(9, 10), fmpq(1, 10)))


@cache
def small_cases() -> tuple[Case, ...]:
    """Return cases whose priors are on two or three bandits of up to two arms and two states, mostly not uniform."""
    one_state = [[_arm((str(mean),), ("1",)) for mean in means] for means in MEANS]
    priors = (
        ([arms[:1] for arms in one_state], (1, 2, 1), (1, 2)),
        (one_state[:2], (2, 1), (1, 1)),
        ([arms[:1] for arms in TWO_STATES], (1, 3), (2,)),
        ([list(arms) for arms in TWO_STATES], (3, 2), (1, 1)),
        (one_state, (1, 1, 2), (2,)),
    )
    return tuple(_case([Bandit(arms, HALF) for arms in models], *rest) for models, *rest in priors)


def _case(models: Sequence[Bandit], weights: Sequence[int], lengths: tuple[int, ...]) -> Case:
    prior = FinitePrior(models, [fmpq(w, sum(weights)) for w in weights])
    model, *_ = models
    first, last = tuple(0 for _ in model.sizes), tuple(size - 1 for size in model.sizes)
    start = {first: ONE} if first == last else {first: HALF, last: HALF}
    return Case(prior, lengths, scenarios(prior, lengths, start))


SMALL = Family(
    "priors on two or three small bandits with rewards $0$ or $1$, after one or two short episodes, all histories",
    lambda: iter(small_cases()),
)
SAMPLES = {"M_k": -1, "M_{k-1}": -2}


def law_of(outcomes: Sequence[Scenario], key: Callable[[Scenario], T], tilt: fmpq = ONE) -> dict[T, fmpq]:
    """Return the law of `key` if the true prior gives the first model `tilt` times the learner's odds.

    For a tilt other than 1, the weights do not sum to 1, but are proportional to the probabilities.
    """
    law: dict[T, fmpq] = defaultdict(lambda: ZERO)
    for each in outcomes:
        law[key(each)] += each.probability * (ONE if each.model else tilt)
    return dict(law)


def _compared(case: Case, of: str, **laws: Mapping[Any, fmpq]) -> Answer:
    for key in chain(*laws.values()):
        chances = {f"probability, {name}": law.get(key, ZERO) for name, law in laws.items()}
        if len(set(chances.values())) > 1:
            return answer(False, **case.told(**{of: str(key)}, **chances))
    return answer(True)


def same_law(case: Case, sample: str, w: object) -> Answer:
    """Return whether (O_{k-1}, M) and (O_{k-1}, a sample) have the same law; w is the tilt of the true prior."""
    place, tilt = SAMPLES[sample], rational(w)
    of_model = law_of(case.outcomes, lambda each: (each.history, each.model), tilt)
    of_sample = law_of(case.outcomes, lambda each: (each.history, each.samples[place]), tilt)
    return _compared(case, "(history, model)", with_M=of_model, with_the_sample=of_sample)


def same_after_exchange(case: Case, sample: str) -> Answer:
    """Return whether the law of history, policies, M and a sample stays the same if M and the sample change places."""
    place, policies = SAMPLES[sample], case.prior.policies

    def seen(each: Scenario) -> Hashable:
        return each.history, tuple(policies.index(policies[earlier]) for earlier in each.samples[:-1])

    before = law_of(case.outcomes, lambda each: (seen(each), each.model, each.samples[place]))
    after = law_of(case.outcomes, lambda each: (seen(each), each.samples[place], each.model))
    return _compared(case, "(history, policies, two models)", before=before, exchanged=after)


def same_deviations(case: Case, sample: str) -> Answer:
    """Return whether the estimates' deviations from M and from a sample have, jointly with all N, the same law."""

    def of(index: Callable[[Scenario], int]) -> Callable[[Scenario], Hashable]:
        def deviations(each: Scenario) -> Hashable:
            bandit, played = case.prior.models[index(each)], len(each.history)
            return tuple(
                (
                    activations(each.history, played, at),
                    empirical_reward(each.history, played, at) - bandit.arms[at[0]].rewards[at[1]],
                )
                for at in bandit.arm_states
            )

        return deviations

    place = SAMPLES[sample]
    of_model = law_of(case.outcomes, of(lambda each: each.model))
    of_sample = law_of(case.outcomes, of(lambda each: each.samples[place]))
    return _compared(case, "(N, deviation) of each arm state", with_M=of_model, with_the_sample=of_sample)


def no_gap(case: Case, a: object) -> Answer:
    """Return whether v(M) - v(M_k) has mean 0 on each event -a d <= v(M) - v(M_k) <= d, v an optimal value."""
    best = [optimal_value(model).values for model in case.prior.models]
    lowest = rational(a)
    for start in best[0]:
        v = [values[start] for values in best]
        for d in sorted({abs(one - other) for one, other in product(v, v)}):

            def gap(each: Scenario, v: list[fmpq] = v, d: fmpq = d) -> fmpq:
                difference: fmpq = v[each.model] - v[each.samples[-1]]
                return difference if -lowest * d <= difference <= d else ZERO

            mean = expectation_over(case.outcomes, gap)
            if mean != 0:
                return answer(False, **case.told(start=start, optimal_values=v, d=d, expectation=mean))
    return answer(True)


# -- one arm of one state, the paper's events


@cache
def beyond(deviation: fmpq, count: int, K: int, k: int, beta: fmpq, multiple: fmpq) -> bool:
    """Return whether deviation > multiple * L / sqrt(max{1, count}), L^2 = 2 log(2 K tau_k) (S = n = 1)."""
    return is_less(lambda: multiple * log_factor(1, 1, K, k, beta), lambda: deviation * arb(max(1, count)).sqrt())


@dataclass(frozen=True)
class OneState:
    """One arm with one state; its mean is one of `means`, equally likely, and the lengths of episodes are given."""

    means: tuple[fmpq, ...]
    beta: fmpq
    K: int
    lengths: tuple[int, ...]

    @property
    def k(self) -> int:
        """Number of the episode after those given."""
        return len(self.lengths) + 1

    @cached_property
    def outcomes(self) -> list[Scenario]:
        """Every scenario.

        Raises
        ------
        ValueError
            If an episode is longer than E^H allows, so that the events fail whatever the models are.
        """
        longest = max(self.lengths)
        if not certain(at_most(lambda: arb(longest), lambda: horizon_bound(self.K, self.k, self.beta))):
            raise ValueError("an episode is longer than E^H allows")
        models = [Bandit([Arm(rewards=[mean], transitions=[[1]])], self.beta) for mean in self.means]
        prior = FinitePrior(models, [fmpq(1, len(models))] * len(models))
        return scenarios(prior, self.lengths, {(0,): ONE})

    def fails(self, scenario: Scenario, what: str, which: str = ALL, multiple: fmpq = ONE) -> bool:
        """Return whether an event fails: of "the models", "the estimates and M", or "the estimates and the samples".

        The event has `multiple` times the paper's radii, and is about the k' that `which` names, ALL or LAST.
        """
        for after in range(self.k - 1 if which == LAST else 1, self.k):
            count = sum(self.lengths[:after])
            estimate = empirical_reward(scenario.history, after, (0, 0))
            true, sample = self.means[scenario.model], self.means[scenario.samples[after]]
            off, share = {
                "the models": (sample - true, multiple),
                "the estimates and M": (estimate - true, multiple / 2),
                "the estimates and the samples": (estimate - sample, multiple / 2),
            }[what]
            if beyond(abs(off), count, self.K, self.k, self.beta, share):
                return True
        return False

    def chance(self, what: str, which: str) -> fmpq:
        """Return the probability that an event fails."""
        return probability_of(self.outcomes, lambda each: self.fails(each, what, which))

    def told(self, **more: object) -> dict[str, object]:
        """Return the case, together with `more`, as the data of a witness."""
        case = {"S": 1, "n": 1, "K": self.K, "k": self.k, "beta": self.beta, "lengths": self.lengths}
        return {**case, "means, equally likely": self.means, **more}

    def shown(self, scenario: Scenario) -> dict[str, object]:
        """Return a scenario as the data of a witness."""
        rewards = [[step.reward for step in episode] for episode in scenario.history]
        samples = [self.means[i] for i in scenario.samples]
        return {"rewards": rewards, "M_1, ..., M_k": samples, "M": self.means[scenario.model]}


@dataclass(frozen=True)
class OneStateManyEpisodes:
    """One arm with one state at discount 0, where N_{k'} = k' and a history matters only through its sum of rewards."""

    means: tuple[fmpq, ...]
    K: int
    k: int

    def close(self, which: str, multiple: fmpq) -> Callable[[int, int, int], bool]:
        """Return the event's condition as a function of k', and of the indices of M_{k'+1} and of M."""

        def condition(after: int, sample: int, model: int) -> bool:
            if which == LAST and after < self.k - 1:
                return True
            deviation = abs(self.means[sample] - self.means[model])
            return not beyond(deviation, after, self.K, self.k, ZERO, multiple)

        return condition

    def mean(self, which: str, multiple: fmpq, payoff: Callable[[fmpq, fmpq], fmpq]) -> fmpq:
        """Return the mean of `payoff` of M and M_k on the event."""
        weights = [fmpq(1, len(self.means))] * len(self.means)
        condition = self.close(which, multiple)
        return expectation_along_counts(
            self.means, weights, self.k - 1, condition, lambda m, i: payoff(self.means[m], self.means[i])
        )

    @cache  # noqa: B019  (a few cases, and they live as long as the module)
    def failure(self, which: str, multiple: fmpq) -> fmpq:
        """Return the probability that the event fails."""
        if which != LAST:
            return 1 - self.mean(which, multiple, lambda m, i: ONE)
        law = _law_of_models(self.means, self.k - 1)
        condition = self.close(which, multiple)
        return sum((p for (m, i), p in law.items() if not condition(self.k - 1, i, m)), ZERO)

    def told(self, **more: object) -> dict[str, object]:
        """Return the case, together with `more`, as the data of a witness."""
        case = {"S": 1, "n": 1, "beta": 0, "K": self.K, "k": self.k}
        return {**case, "means, equally likely": self.means, **more}


@cache
def _law_of_models(means: tuple[fmpq, ...], observations: int) -> dict[tuple[int, int], fmpq]:
    """Return the joint law of the indices of M and of a sample after some observations, under a uniform prior."""
    law: dict[tuple[int, int], fmpq] = defaultdict(lambda: ZERO)
    for successes in range(observations + 1):
        joint = [mean**successes * (1 - mean) ** (observations - successes) for mean in means]
        total = sum(joint, ZERO)
        ways = fmpq(comb(observations, successes), len(means))
        for (m, one), (i, other) in product(enumerate(joint), enumerate(joint)):
            if total:
                law[m, i] += ways * one * other / total
    return dict(law)


def two_means(apart: fmpq, K: int, k: int) -> OneStateManyEpisodes:
    """Return the case of the two means (1 - `apart`)/2 and (1 + `apart`)/2."""
    return OneStateManyEpisodes(((1 - apart) / 2, (1 + apart) / 2), K, k)


def cases_with_all_samples() -> Iterator[OneStateManyEpisodes]:
    """Yield cases small enough for events on the samples of all episodes."""
    for means in ((fmpq(1, 10), fmpq(9, 10)), (fmpq(1, 4), HALF, fmpq(3, 4))):
        yield OneStateManyEpisodes(means, 10, 10)
    yield two_means(fmpq(66, 100), 10**12, 81)


def cases_of_last_sample() -> Iterator[OneStateManyEpisodes]:
    """Yield cases of two models that stay hard to tell apart, although they differ by more than the event allows."""
    yield two_means(fmpq(51, 100), 1000, 41)  # equivalent: one of many cases
    yield two_means(fmpq(66, 100), 10**12, 81)
    yield two_means(fmpq(629, 1000), 10**9, 81)

"""Small cases of posterior sampling for the claims on MB-PSRL, with all scenarios, and the printed events on them.

Witnesses have one arm with one state: there play decides nothing, N_{k'} = H_1 + ... + H_{k'}, and the printed
thresholds are explicit. k' runs from 1: with N_0 = 0 the estimate is 0/0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache
from typing import TypeVar

from flint import arb, fmpq

from proofs_checks.claims.decomposition.model_pairs import random_bandit
from proofs_checks.ledger import Book
from theory import ONE, ZERO, Arm, Bandit
from theory.bayes import FinitePrior, Scenario, empirical_reward, scenarios
from theory.certified import Truth, at_most, less
from theory.paper import horizon_bound, log_factor

HALF = fmpq(1, 2)

T = TypeVar("T", bound=Hashable)


def small_cases(book: Book, purpose: str) -> Iterator[tuple[FinitePrior, tuple[int, ...], list[Scenario]]]:
    """Yield priors over two or three random bandits with short horizons, and all scenarios."""
    generator = book.generator(purpose)
    for sizes, models, horizons in (
        ((1,), 3, (1, 2)),
        ((1, 1), 2, (1, 1)),
        ((2,), 2, (2,)),
        ((2, 1), 2, (1, 1)),
        ((1, 1), 3, (2,)),
    ):
        bandits = [random_bandit(generator, sizes) for _ in range(models)]
        same = [Bandit(each.arms, HALF) for each in bandits]
        weights = [fmpq(1 + int(w)) for w in generator.integers(0, 3, models)]
        prior = FinitePrior(same, [w / sum(weights, ZERO) for w in weights])
        first, last = tuple(0 for _ in sizes), tuple(size - 1 for size in sizes)
        start = {first: ONE} if first == last else {first: HALF, last: HALF}
        yield prior, horizons, scenarios(prior, horizons, start)


def one_cell_prior(means: Sequence[fmpq], beta: fmpq, weights: Sequence[fmpq] = ()) -> FinitePrior:
    """Return a prior over one arm with one state, uniform unless weights are given."""
    masses = weights or [fmpq(1, len(means))] * len(means)
    return FinitePrior([Bandit([Arm(rewards=[r], transitions=[[1]])], beta) for r in means], masses)


@cache
def beyond(deviation: fmpq, count: int, K: int, k: int, beta: fmpq, multiple: fmpq) -> bool:
    """Return whether deviation > multiple * L_{k-1} / sqrt(max{1, count}) with S = n = 1.

    Raises
    ------
    ArithmeticError
        If the precision does not decide it.
    """
    n = max(1, count)
    answer = less(lambda: multiple * log_factor(1, 1, K, k, beta), lambda: deviation * arb(n).sqrt())
    if answer is Truth.UNDECIDED:
        raise ArithmeticError("the threshold is not decided")
    return answer is Truth.YES


def law_of(outcomes: Sequence[Scenario], key: Callable[[Scenario], T]) -> dict[T, fmpq]:
    """Return the exact law of `key`."""
    law: dict[T, fmpq] = defaultdict(lambda: ZERO)
    for each in outcomes:
        law[key(each)] += each.probability
    return dict(law)


class OneCell:
    """All scenarios of one arm with one state, with the events of the lemma; S = n = 1."""

    def __init__(self, means: Sequence[fmpq], beta: fmpq, K: int, horizons: Sequence[int]) -> None:
        self.prior, self.beta, self.K, self.horizons = one_cell_prior(means, beta), beta, K, tuple(horizons)
        self.means, self.k = tuple(means), len(horizons) + 1
        longest = max(self.horizons)
        if at_most(lambda: arb(longest), lambda: horizon_bound(K, self.k, beta)) is not Truth.YES:
            raise ValueError("a horizon breaks E^H: the event fails whatever the models are")
        self.outcomes = scenarios(self.prior, horizons, {(0,): ONE})

    def episodes(self, only_last: bool) -> range:
        """Return the k' over which an event quantifies."""
        return range(self.k - 1 if only_last else 1, self.k)

    def is_off(self, deviation: fmpq, after: int, multiple: fmpq) -> bool:
        """Return whether a deviation breaks multiple * L_{k-1} / sqrt(max{1, N_{k'}}), k' being `after`."""
        return beyond(abs(deviation), sum(self.horizons[:after]), self.K, self.k, self.beta, multiple)

    def broken(self, scenario: Scenario, what: str, only_last: bool = False, multiple: fmpq = ONE) -> bool:
        """Return whether the event does not hold: of "the models", "the estimate and M", "the estimate and M_k"."""
        for after in self.episodes(only_last):
            estimate = empirical_reward(scenario.history, after, (0, 0))
            true, sample = self.means[scenario.model], self.means[scenario.samples[after]]
            off, share = {
                "the models": (sample - true, multiple),
                "the estimate and M": (estimate - true, multiple / 2),
                "the estimate and M_k": (estimate - sample, multiple / 2),
            }[what]
            if self.is_off(off, after, share):
                return True
        return False

    def described(self, **more: object) -> dict[str, object]:
        """Return the case as a witness, with more entries."""
        case = {"S": 1, "n": 1, "K": self.K, "k": self.k, "beta": self.beta, "horizons": self.horizons}
        return {**case, "means, equally likely": self.means, **more}


def shown(scenario: Scenario, means: Sequence[fmpq]) -> dict[str, object]:
    """Return a scenario of one cell for a person to read."""
    rewards = [[step.reward for step in episode] for episode in scenario.history]
    samples = [means[i] for i in scenario.samples]
    return {"rewards": rewards, "M_1, ..., M_k": samples, "M": means[scenario.model]}

"""Pairs of models with one policy, and both sides of `lem:regret_decomposition` on them, exactly.

Small pairs made by hand come first: those on which the lemma is tight, or fails for rewards below 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from flint import fmpq

from proofs_checks.ledger import Book
from theory import ZERO, Arm, Bandit, GlobalState, expectation
from theory.optimism import distance
from theory.random_models import random_arm, random_discount, random_policy
from theory.values import Values, finite_horizon_value, values_after

if TYPE_CHECKING:
    import numpy as np

SAMPLES = 40
LONGEST = 5


@dataclass(frozen=True)
class Pair:
    """The true model, the learner's model, and the policy played in both."""

    true: Bandit
    learned: Bandit
    policy: Mapping[GlobalState, int]

    def described(self, **more: object) -> dict[str, object]:
        """Return the pair as a witness, with more entries."""
        policy = {str(state): arm for state, arm in self.policy.items()}
        return {"M": self.true, "M_k": self.learned, "policy (arm from 0)": policy, **more}


def random_bandit(generator: np.random.Generator, sizes: tuple[int, ...], lowest: int = 0) -> Bandit:
    """Return a bandit of arms of these sizes with rewards in [lowest, 1]."""
    return Bandit([random_arm(generator, size, lowest) for size in sizes], random_discount(generator))


def pairs(book: Book, purpose: str, lowest: int = 0) -> Iterator[Pair]:
    """Yield small pairs made by hand, then random ones; `lowest` bounds the rewards of M_k."""
    yield won_or_lost()
    if lowest < 0:
        yield leaving_or_staying(lowest)
    generator = book.generator(purpose)
    for _ in range(SAMPLES):
        sizes = ((1,), (3,), (1, 1), (2, 2), (2, 3))[int(generator.integers(5))]
        true, learned = random_bandit(generator, sizes), random_bandit(generator, sizes, lowest)
        yield Pair(true, learned, random_policy(generator, true))


def won_or_lost() -> Pair:
    """One arm; from its first state M_k moves at once to a state of reward 1, M to one of reward 0; both absorb."""
    rewards = (0, 1, 0)
    true, learned = (
        Arm(rewards=rewards, transitions=[first, [0, 1, 0], [0, 0, 1]]) for first in ([0, 0, 1], [0, 1, 0])
    )
    return Pair(Bandit([true], 0), Bandit([learned], 0), {(0,): 0, (1,): 0, (2,): 0})


def leaving_or_staying(reward: int) -> Pair:
    """One arm whose first state costs; M_k leaves it at once for a state of reward 0, M stays."""
    true, learned = (Arm(rewards=(reward, 0), transitions=[first, [0, 1]]) for first in ([1, 0], [0, 1]))
    return Pair(Bandit([true], 0), Bandit([learned], 0), {(0,): 0, (1,): 0})


def bound_of_lemma(pair: Pair, steps: int, multiple: fmpq) -> Values:
    """Return E sum over t <= `steps` of |r_k - r| + `multiple` * ||Q_k - Q||_1, play being in M."""
    table = dict(pair.policy)
    values: Values = dict.fromkeys(table, ZERO)
    for _ in range(steps):
        values = {state: _one_more(pair, values, state, arm, multiple) for state, arm in table.items()}
    return values


def _one_more(pair: Pair, values: Values, state: GlobalState, arm: int, multiple: fmpq) -> fmpq:
    true, learned, x = pair.true.arms[arm], pair.learned.arms[arm], state[arm]
    now = abs(learned.rewards[x] - true.rewards[x]) + multiple * distance(learned.transitions[x], true.transitions[x])
    value: fmpq = now + expectation(true.transitions[x], values_after(pair.true, values, state, arm))
    return value


def upper_bound(pair: Pair, steps: int, of: str) -> fmpq:
    """Return the least B >= 0 that bounds the values of M_k: ``of`` the whole horizon, all shorter, or their size."""
    spans = {"whole horizon": [steps], "one step less": [steps - 1]}.get(of, list(range(steps + 1)))
    values = [v for span in spans for v in finite_horizon_value(pair.learned, pair.policy, span).values()]
    largest: fmpq = max([ZERO, *(map(abs, values) if of == "absolute" else values)])
    return largest


def first_violation(pair: Pair, of: str, factor: fmpq, longest: int = LONGEST) -> dict[str, object] | None:
    """Return where the inequality with ``factor * B`` in place of B fails, or None."""
    for steps in range(1, longest + 1):
        bound = upper_bound(pair, steps, of)
        left, right = (
            finite_horizon_value(pair.learned, pair.policy, steps),
            bound_of_lemma(pair, steps, factor * bound),
        )
        true = finite_horizon_value(pair.true, pair.policy, steps)
        for state in true:
            gap = left[state] - true[state]
            if gap > right[state]:
                return pair.described(H=steps, start=state, B=bound, factor=factor, gap=gap, bound=right[state])
    return None

"""Pairs of models with one policy, and both sides of Lemma `regret_decomposition` on them, exactly.

Pairs made by hand come first: those on which the lemma is tight, or fails for rewards below 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flint import fmpq

from proofs_checks.claimcheck.statements import Answer, Family, answer
from theory import ZERO, Arm, Bandit, GlobalState, expectation, rational
from theory.optimism import distance
from theory.random_models import random_arm, random_discount, random_policy
from theory.values import Values, finite_horizon_value, values_after

if TYPE_CHECKING:
    from numpy.random import Generator

LONGEST = 5
LONG = 60
"""The length of one episode on which the factor 1/2 is nearly needed."""
SIZES = ((1,), (3,), (1, 1), (2, 2), (2, 3))


@dataclass(frozen=True)
class Pair:
    """The true model, the learner's model, the policy played in both, and the lengths of episodes to look at."""

    true: Bandit
    learned: Bandit
    policy: Mapping[GlobalState, int]
    lengths: tuple[int, ...] = tuple(range(1, LONGEST + 1))

    def with_rewards_from(self, lowest: object) -> Pair:
        """Return the pair with all rewards r, from 0 to 1, replaced by a + (1 - a) r, from a to 1."""
        low = rational(lowest)
        if low == 0:
            return self
        return replace(self, true=_rescaled(self.true, low), learned=_rescaled(self.learned, low))

    def told(self, **more: object) -> dict[str, object]:
        """Return the pair as a witness, with more entries."""
        policy = {str(state): arm for state, arm in self.policy.items()}
        return {"M": self.true, "M_k": self.learned, "policy (arm from 0)": policy, **more}


def _rescaled(model: Bandit, low: fmpq) -> Bandit:
    return Bandit(
        [Arm(rewards=[low + (1 - low) * r for r in arm.rewards], transitions=arm.transitions) for arm in model.arms],
        model.discount,
    )


def _one_arm(rewards: tuple[str, ...], true: list[list[int]], learned: list[list[int]], *lengths: int) -> Pair:
    models = [Bandit([Arm(rewards=rewards, transitions=rows)], 0) for rows in (true, learned)]
    policy: dict[GlobalState, int] = {(state,): 0 for state in range(len(rewards))}
    return Pair(models[0], models[1], policy, lengths or tuple(range(1, LONGEST + 1)))


def won_or_lost(*lengths: int) -> Pair:
    """One arm; from its first state M_k moves at once to a state of reward 1, M to one of reward 0; both absorb.

    The gap of an episode of H steps is H - 1, and the first rows are at distance 2. With rewards from -1 on it is twice
    that.
    """
    stay = [[0, 1, 0], [0, 0, 1]]
    return _one_arm(("1/2", "1", "0"), [[0, 0, 1], *stay], [[0, 1, 0], *stay], *lengths)


def leaving_or_staying() -> Pair:
    """One arm whose first state has the lowest reward; M_k leaves it, M stays (rewards -1 and 0, from -1 on)."""
    return _one_arm(("0", "1/2"), [[1, 0], [0, 1]], [[0, 1], [0, 1]])


def _made() -> Iterator[Pair]:
    yield won_or_lost()
    yield leaving_or_staying()
    yield won_or_lost(LONG)


def _drawn(generator: Generator) -> Pair:
    sizes = SIZES[int(generator.integers(len(SIZES)))]
    discount = random_discount(generator)
    true, learned = (Bandit([random_arm(generator, size) for size in sizes], discount) for _ in range(2))
    return Pair(true, learned, random_policy(generator, true))


PAIRS = Family("pairs of exact bandits of equal sizes with rewards in $[0, 1]$, and a policy", _made, draw=_drawn)


def within_bound(pair: Pair, f: object, of: str, a: object) -> Answer:
    """Return whether the gap is at most the lemma's bound with `f` times the least B that bounds `of` the values.

    Parameters
    ----------
    pair
    f
        The factor of B.
    of
        Which values of M_k the number B bounds: over the whole horizon or each shorter one; or H itself.
    a
        The rewards are from this to 1.
    """
    pair = pair.with_rewards_from(a)
    for steps in pair.lengths:
        bound = least_bound(pair, steps, of)
        gaps, bounds = gap_of(pair, steps), bound_of_lemma(pair, steps, rational(f) * bound)
        for state, gap in gaps.items():
            if gap > bounds[state]:
                return answer(False, **pair.told(H=steps, start=state, B=bound, gap=gap, bound=bounds[state]))
    return answer(True)


def gap_of(pair: Pair, steps: int) -> Values:
    """Return W of M_k less W of M, from each state."""
    learned, true = (finite_horizon_value(model, pair.policy, steps) for model in (pair.learned, pair.true))
    return {state: learned[state] - true[state] for state in true}


def least_bound(pair: Pair, steps: int, of: str) -> fmpq:
    """Return the least B >= 0 that bounds the values of M_k; or the length of the episode.

    Examples
    --------
    Paid 1, then -1 for ever: 1 in one step, -1 in three.

    >>> falls = _one_arm(("1", "0"), [[0, 1], [0, 1]], [[0, 1], [0, 1]]).with_rewards_from(-1)
    >>> [int(least_bound(falls, 3, of)) for of in ("W_{1:H}", "each", "H")], int(least_bound(won_or_lost(), 3, "each"))
    ([0, 1, 3], 3)
    """
    if of == "H":
        return fmpq(steps)
    spans = (0, steps) if of == "W_{1:H}" else range(steps + 1)
    return max(v for span in spans for v in finite_horizon_value(pair.learned, pair.policy, span).values())


def bound_of_lemma(pair: Pair, steps: int, multiple: fmpq) -> Values:
    """Return E sum over t <= `steps` of |r_k - r| + `multiple` * ||Q_k - Q||_1, play being in M."""
    return bound_by_steps(pair, [multiple] * steps)


def bound_by_steps(pair: Pair, multiples: Sequence[fmpq]) -> Values:
    """Return E sum over steps of |r_k - r| + multiple * ||Q_k - Q||_1, a multiple for each step, in order."""
    values: Values = dict.fromkeys(pair.policy, ZERO)
    for multiple in reversed(multiples):
        values = {state: _one_more(pair, values, state, arm, multiple) for state, arm in pair.policy.items()}
    return values


def _one_more(pair: Pair, values: Values, state: GlobalState, arm: int, multiple: fmpq) -> fmpq:
    true, learned, x = pair.true.arms[arm], pair.learned.arms[arm], state[arm]
    now = abs(learned.rewards[x] - true.rewards[x]) + multiple * distance(learned.transitions[x], true.transitions[x])
    value: fmpq = now + expectation(true.transitions[x], values_after(pair.true, values, state, arm))
    return value

"""Pairs of models with one policy, and both sides of Lemma `regret_decomposition` on them, exactly.

Pairs made by hand come first, on which the lemma is tight, or fails for rewards below 0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from flint import fmpq

from proofs_checks.claimcheck.statements import Answer, Family, all_of, answer
from proofs_checks.paper.shared.horizons import values_later
from theory import ZERO, Arm, Bandit, GlobalState, rational
from theory.optimism import distance
from theory.random_models import random_arm, random_discount, random_policy
from theory.values import Values, finite_horizon_value

if TYPE_CHECKING:
    from numpy.random import Generator

LONGEST = 5
LONG = 60
"""Length of an episode for which the factor 1/2 is nearly needed."""
SIZES = ((1,), (3,), (1, 1), (2, 2), (2, 3))


@dataclass(frozen=True)
class Pair:
    """The true model, the learner's model, the policy played in both, and the lengths of episodes to try."""

    true: Bandit
    learned: Bandit
    policy: Mapping[GlobalState, int]
    lengths: tuple[int, ...] = tuple(range(1, LONGEST + 1))

    def with_rewards_from(self, lowest: object) -> Pair:
        """Return the pair with each reward r in [0, 1] replaced by a + (1 - a) r in [a, 1], where a is `lowest`."""
        low = rational(lowest)
        if low == 0:
            return self
        true, learned = (with_rewards(model, lambda r: low + (1 - low) * r) for model in (self.true, self.learned))
        return replace(self, true=true, learned=learned)

    def told(self, **more: object) -> dict[str, object]:
        """Return the pair, together with `more`, as the data of a witness."""
        policy = {str(state): arm for state, arm in self.policy.items()}
        return {"M": self.true, "M_k": self.learned, "policy (arm from 0)": policy, **more}


def with_rewards(model: Bandit, of: Callable[[fmpq], fmpq]) -> Bandit:
    """Return the bandit with each mean reward r replaced by ``of(r)``."""
    arms = [replace(arm, rewards=tuple(map(of, arm.rewards))) for arm in model.arms]
    return Bandit(arms, model.discount, model.initial)


def _one_arm(rewards: tuple[str, ...], true: list[list[int]], learned: list[list[int]], *lengths: int) -> Pair:
    models = [Bandit([Arm(rewards=rewards, transitions=rows)], "1/2") for rows in (true, learned)]
    policy: dict[GlobalState, int] = {(state,): 0 for state in range(len(rewards))}
    return Pair(models[0], models[1], policy, lengths or tuple(range(1, LONGEST + 1)))


def won_or_lost(*lengths: int) -> Pair:
    """Return a pair of one arm; M_k moves from the first state to a state that pays 1 for ever, M to one that pays 0.

    The gap of an episode of H steps is H - 1 (twice that with rewards from -1 on), and the first rows are at distance
    2.
    """
    stay = [[0, 1, 0], [0, 0, 1]]
    return _one_arm(("1/2", "1", "0"), [[0, 0, 1], *stay], [[0, 1, 0], *stay], *lengths)


def leaving_or_staying() -> Pair:
    """Return a pair of one arm whose first state has the lowest reward; M_k leaves this state, M stays in it."""
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
    """Return whether the gap is at most the lemma's bound, with `f` times the least possible B.

    Parameters
    ----------
    pair
    f
        Factor of B.
    of
        Values of M_k that B bounds: over the whole horizon, or over each shorter one; or "H", for B = H.
    a
        Lowest reward; the highest is 1.
    """
    pair = pair.with_rewards_from(a)
    least = {steps: least_bound(pair, steps, of) for steps in pair.lengths}
    return all_of(gap_within(pair, H, bound_of_lemma(pair, H, rational(f) * B), B=B) for H, B in least.items())


def gap_within(pair: Pair, steps: int, bounds: Values, **more: object) -> Answer:
    """Return whether the gap over `steps` steps is at most its bound, from each state."""
    return all_of(
        answer(gap <= bounds[start], **pair.told(H=steps, start=start, **more, gap=gap, bound=bounds[start]))
        for start, gap in gap_of(pair, steps).items()
    )


def gap_of(pair: Pair, steps: int) -> Values:
    """Return the gap over `steps` steps from each state: W in M_k minus W in M."""
    learned, true = (finite_horizon_value(model, pair.policy, steps) for model in (pair.learned, pair.true))
    return {state: learned[state] - true[state] for state in true}


def least_bound(pair: Pair, steps: int, of: str) -> fmpq:
    """Return the least B >= 0 that bounds the values of M_k; or the length of the episode, if `of` is "H".

    Examples
    --------
    An arm that pays 1, then -1 for ever, has the value 1 over one step, and -1 over three.

    >>> falls = _one_arm(("1", "0"), [[0, 1], [0, 1]], [[0, 1], [0, 1]]).with_rewards_from(-1)
    >>> [int(least_bound(falls, 3, of)) for of in ("W_{1:H}", "each", "H")], int(least_bound(won_or_lost(), 3, "each"))
    ([0, 1, 3], 3)
    """
    if of == "H":
        return fmpq(steps)
    spans = (0, steps) if of == "W_{1:H}" else range(steps + 1)
    return max(v for span in spans for v in finite_horizon_value(pair.learned, pair.policy, span).values())


def bound_of_lemma(pair: Pair, steps: int, multiple: fmpq) -> Values:
    """Return E sum over t <= `steps` of |r_k - r| + `multiple` * ||Q_k - Q||_1, for play in M."""
    return bound_by_steps(pair, [multiple] * steps)


def bound_by_steps(pair: Pair, multiples: Sequence[fmpq]) -> Values:
    """Return E sum over steps of |r_k - r| + multiple * ||Q_k - Q||_1, with one multiple for each step, in order."""
    values: Values = dict.fromkeys(pair.policy, ZERO)
    for multiple in reversed(multiples):
        later = values_later(pair.true, pair.policy, values)
        values = {state: _apart(pair, arm, state[arm], multiple) + later[state] for state, arm in pair.policy.items()}
    return values


def _apart(pair: Pair, arm: int, x: int, multiple: fmpq) -> fmpq:
    true, learned = pair.true.arms[arm], pair.learned.arms[arm]
    rows: fmpq = distance(learned.transitions[x], true.transitions[x])
    return abs(learned.rewards[x] - true.rewards[x]) + multiple * rows

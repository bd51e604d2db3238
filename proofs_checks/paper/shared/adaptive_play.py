r"""The exact law of all histories of small plays, for adaptive learners; with fresh draws, or from tapes.

An adaptive learner is a function of the episodes so far that returns the policy of the next one, as in the paper's
algorithms. A *tape* is a sequence of pairs (reward, next state) drawn beforehand for one arm state; the l-th activation
of the arm state shows the l-th pair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod
from typing import NamedTuple, TypeAlias

from flint import fmpq

from theory import ONE, ZERO, Arm, Bandit
from theory.certified import geometric_probability


class Outcome(NamedTuple):
    """The reward of an activation, and the state that the arm moved to."""

    reward: fmpq
    moved_to: int

    def __hash__(self) -> int:
        """Return the hash of a part, since that of an fmpq is slow."""
        return hash((int(self.reward.p), self.moved_to))


class Step(NamedTuple):
    """One step of a play."""

    arm: int
    state: int
    outcome: Outcome


Law: TypeAlias = "tuple[tuple[Outcome, fmpq], ...]"
Episode: TypeAlias = "tuple[Step, ...]"
History: TypeAlias = "tuple[Episode, ...]"
Policy: TypeAlias = "Callable[[tuple[int, ...]], int]"
Learner: TypeAlias = "Callable[[History], Policy]"
ArmState: TypeAlias = "tuple[int, int]"
Event: TypeAlias = "Callable[[Sequence[Outcome]], bool]"
"""A condition on the outcomes that one arm state has shown so far."""


@dataclass(frozen=True)
class Play:
    """A small Markovian bandit with the joint law of reward and move, and a learner.

    Attributes
    ----------
    laws
        ``laws[a][x]`` is the law of the outcome of activating arm a in state x.
    start
        The global state in which every episode starts.
    learner
    says
        The bandit and the learner, in words.
    """

    laws: tuple[tuple[Law, ...], ...]
    start: tuple[int, ...]
    learner: Learner
    says: str

    @property
    def arm_states(self) -> list[ArmState]:
        """All arms with their states."""
        return [(a, x) for a, states in enumerate(self.laws) for x in range(len(states))]

    def bandit(self, discount: fmpq) -> Bandit:
        """Return the bandit of mean rewards and rows."""
        arms = []
        for states in self.laws:
            rewards = [sum((p * outcome.reward for outcome, p in law), ZERO) for law in states]
            rows = [[sum((p for o, p in law if o.moved_to == y), ZERO) for y in range(len(states))] for law in states]
            arms.append(Arm(rewards=rewards, transitions=rows))
        return Bandit(arms, discount, self.start)


def episodes_after(play: Play, done: History, length: int) -> Iterator[tuple[Episode, fmpq]]:
    """Yield every next episode of a given length, with its probability; outcomes are drawn as activations happen."""
    policy = play.learner(done)

    def walk(episode: Episode, state: tuple[int, ...], weight: fmpq) -> Iterator[tuple[Episode, fmpq]]:
        if len(episode) == length:
            yield episode, weight
            return
        a = policy(state)
        for outcome, p in play.laws[a][state[a]]:
            moved = (*state[:a], outcome.moved_to, *state[a + 1 :])
            yield from walk((*episode, Step(a, state[a], outcome)), moved, weight * p)

    return walk((), play.start, ONE)


@cache
def histories(play: Play, lengths: tuple[int, ...]) -> Mapping[History, fmpq]:
    """Return the law of the history of episodes of given lengths."""
    law: dict[History, fmpq] = {(): ONE}
    for length in lengths:
        law = {(*done, episode): p * q for done, p in law.items() for episode, q in episodes_after(play, done, length)}
    return law


@cache
def from_tapes(play: Play, lengths: tuple[int, ...], rewinds: bool = False) -> Mapping[History, fmpq]:
    """Return the law of the history if every arm state has a tape, summed over all tapes that are long enough.

    Parameters
    ----------
    play, lengths
    rewinds
        Whether the tapes start anew with every episode; then pairs are shown again, and the law is a different one.
    """
    states = play.arm_states
    steps = sum(lengths)
    found: dict[History, fmpq] = {}
    for tapes in product(*(list(product(play.laws[a][x], repeat=steps)) for a, x in states)):
        probability = prod((p for tape in tapes for _, p in tape), start=ONE)
        shown = _shown(play, lengths, dict(zip(states, tapes, strict=True)), rewinds)
        found[shown] = found.get(shown, ZERO) + probability
    return found


def _shown(
    play: Play, lengths: Sequence[int], tapes: Mapping[ArmState, Sequence[tuple[Outcome, fmpq]]], rewinds: bool
) -> History:
    done: History = ()
    used = dict.fromkeys(tapes, 0)
    for length in lengths:
        policy = play.learner(done)
        state = play.start
        episode: Episode = ()
        if rewinds:
            used = dict.fromkeys(tapes, 0)
        for _ in range(length):
            a = policy(state)
            here = (a, state[a])
            outcome = tapes[here][used[here]][0]
            used[here] += 1
            episode = (*episode, Step(*here, outcome))
            state = (*state[:a], outcome.moved_to, *state[a + 1 :])
        done = (*done, episode)
    return done


def largest_at_ends(
    play: Play, lengths: Sequence[int], value: Callable[[ArmState, tuple[Outcome, ...]], fmpq]
) -> Iterator[tuple[fmpq, fmpq]]:
    """Yield, for every history, its probability and the largest `value` of an arm state's outcomes at an episode's end.

    Each episode's end needs only the arm states activated in the episode, as the others have no new outcomes.
    """

    def follow(
        done: History, seen: Mapping[ArmState, tuple[Outcome, ...]], largest: fmpq, weight: fmpq
    ) -> Iterator[tuple[fmpq, fmpq]]:
        if len(done) == len(lengths):
            yield largest, weight
            return
        for episode, p in episodes_after(play, done, lengths[len(done)]):
            now = dict(seen)
            for a, x, outcome in episode:
                now[a, x] = (*now.get((a, x), ()), outcome)
            new = max(value(at, now[at]) for at in {(a, x) for a, x, _ in episode})
            yield from follow((*done, episode), now, max(largest, new), weight * p)

    return follow((), {}, ZERO, ONE)


@cache
def probability_at_episode_ends(play: Play, lengths: tuple[int, ...], event: Event) -> fmpq:
    """Return the probability that, at the end of some episode, the outcomes of some arm state are in an event."""
    found = largest_at_ends(play, lengths, lambda _, shown: ONE if event(shown) else ZERO)
    return sum((weight for met, weight in found if met), ZERO)


@cache
def chance_of(play: Play, at: ArmState, draws: int, event: Event) -> fmpq:
    """Return the probability that independent draws from one arm state's law are in an event."""
    a, x = at
    every = (zip(*drawn, strict=True) for drawn in product(play.laws[a][x], repeat=draws))
    return sum((prod(weights, start=ONE) for shown, weights in every if event(shown)), ZERO)


def lengths_up_to(longest: int, episodes: int, discount: fmpq) -> Iterator[tuple[tuple[int, ...], fmpq]]:
    """Yield the lengths of `episodes` episodes, in all ways up to `longest`, each with its probability."""
    for lengths in product(range(1, longest + 1), repeat=episodes):
        if probability := geometric_probability(lengths, discount):
            yield lengths, probability


# -- bandits and learners


def bernoulli(mean: fmpq) -> Law:
    """Return the law of a reward 1 with probability `mean`, and else 0; the arm stays in its one state."""
    return tuple((Outcome(reward, 0), p) for reward, p in ((ONE, mean), (ZERO, 1 - mean)) if p)


def moves(row: Sequence[fmpq], rewards: Sequence[fmpq]) -> Law:
    """Return the joint law of next state and reward: y has probability ``row[y]`` and pays ``rewards[y]``."""
    return tuple((Outcome(rewards[y], y), p) for y, p in enumerate(row) if p)


def keeps_what_pays(history: History) -> Policy:
    """Return the policy of the last step's arm if its reward was above 1/2, of the other arm if not; at first arm 1."""
    if not history:
        return lambda state: 0
    last = history[-1][-1]
    arm = last.arm if last.outcome.reward > fmpq(1, 2) else 1 - last.arm
    return lambda state: min(arm, len(state) - 1)


def chases_luck(history: History) -> Policy:
    """Return the policy of the arm whose mean reward is farthest from 1/2; the distance of an unplayed arm is 1/4."""

    def distance(a: int) -> fmpq:
        rewards = [step.outcome.reward for episode in history for step in episode if step.arm == a]
        return abs(sum(rewards, ZERO) / len(rewards) - fmpq(1, 2)) if rewards else fmpq(1, 4)

    def policy(state: tuple[int, ...]) -> int:
        return max(range(len(state)), key=lambda a: (distance(a), -a))

    return policy


HALF, THIRD = fmpq(1, 2), fmpq(1, 3)

TWO_COINS = Play(
    ((bernoulli(THIRD),), (bernoulli(HALF),)),
    (0, 0),
    keeps_what_pays,
    "two arms of one state, rewards 0 or 1, means 1/3 and 1/2; keeps what pays",
)
LUCKY_COINS = Play(
    ((bernoulli(fmpq(1, 50)),), (bernoulli(HALF),)),
    (0, 0),
    keeps_what_pays,
    "two arms of one state, rewards 0 or 1, means 1/50 and 1/2; keeps what pays",
)
ONE_COIN = Play(((bernoulli(fmpq(1, 50)),),), (0,), keeps_what_pays, "one arm of one state, rewards 0 or 1, mean 1/50")
MOVING = Play(
    (
        (moves((HALF, HALF), (ONE, ZERO)), moves((fmpq(1, 5), fmpq(4, 5)), (ZERO, ONE))),
        (moves((HALF, HALF), (ONE, ZERO)), moves((THIRD, 1 - THIRD), (ZERO, ONE))),
    ),
    (0, 0),
    chases_luck,
    "two arms of two states, which pay 1 for staying; chases luck",
)
RARELY_STAYING = Play(
    tuple((moves((p, 1 - p), (ONE, ZERO)), moves((ZERO, ONE), (ZERO, ZERO))) for p in (fmpq(2, 25), fmpq(1, 4))),
    (0, 0),
    keeps_what_pays,
    "two arms of two states; the first pays 1 for staying, with probability 2/25 or 1/4; keeps what pays",
)

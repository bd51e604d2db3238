"""Replay a short run of an optimistic learner: each episode's event, and whether its model is optimistic.

The learner plays in floating point. Its counts, kept apart in integers, give each episode's estimates exactly and its
radii as enclosures. Enclosures of the model's optimal values are compared with the true bandit's exact ones in every
global state, and with the learner's plan. For a learner with a bonus, the recursion that bounds the regret of MB-UCBVI
(`beyond:upper/recursion`) is checked too, with the bonus rounded up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import permutations
from typing import Final

import flint
import numpy as np
from flint import fmpq

from mbrl.agents import make_agent
from mbrl.agents.interface import Agent
from mbrl.environments import from_bandit, with_rewards
from mbrl.experiments.seeds import generator
from mbrl.experiments.simulation import horizons, play
from mbrl.policies import IndexPolicy, Policy, TablePolicy
from proofs_checks.paper.beyond.sharper_steps import Episode, few_moves, recursion_sides
from proofs_checks.paper.shared.bonus_models import Estimated
from proofs_checks.trials.replays.events import event
from proofs_checks.trials.replays.history import BITS, Confidence, History, Learner, believed_model
from theory import Bandit, ModelError, check_counts, value_of_float
from theory.certified import Truth
from theory.enclosures import (
    EnclosedArm,
    EnclosedBandit,
    EnclosedOptimisticValue,
    Enclosure,
    enclosed_indices,
    enclosed_optimistic_value,
)
from theory.paper import unfolded_steps
from theory.values import optimal_value

LEARNERS: Final = ("mb-ucrl2", "mb-ucbvi", "mb-ucbvi-bernstein")
_DIGITS: Final = 12  # equivalent: a digit more or less
_FLOAT_ERROR: Final = fmpq(1, 10**9)


@dataclass(frozen=True)
class ReplayedEpisode:
    """The findings on one episode.

    Attributes
    ----------
    episode, step : int
        The numbers k of the episode and t_k of its first step, from 1.
    event : Truth or None
        Whether the event holds; None if the appendix's radii are not defined.
    optimistic : Truth or None
        Whether the model's optimal value is at least the true one in every global state.
    slack : Enclosure or None
        The smallest excess of the model's optimal value over the true one.
    learner_agrees : bool or None
        Whether the learner's plan fits the enclosures; None if they are not compared.
    few_moves, recursion : Truth or bool, or None
        Whether the event of moves holds, and whether the recursion holds in every global state; None for MB-UCRL2, and
        if the appendix's radii are not defined.
    """

    episode: int
    step: int
    event: Truth | None
    optimistic: Truth | None
    slack: Enclosure | None
    learner_agrees: bool | None
    few_moves: Truth | None = None
    recursion: bool | None = None


@dataclass(frozen=True)
class Replay:
    """The findings on a run, episode by episode."""

    episodes: tuple[ReplayedEpisode, ...]

    @property
    def defined(self) -> int:
        """The number of episodes in which the radii are defined."""
        return sum(each.event is not None for each in self.episodes)

    @property
    def with_event(self) -> int:
        """The number of episodes in which the event held."""
        return sum(each.event is Truth.YES for each in self.episodes)

    @property
    def optimistic(self) -> int:
        """The number of episodes whose model was optimistic."""
        return sum(each.optimistic is Truth.YES for each in self.episodes)

    @property
    def optimistic_with_event(self) -> int:
        """The number of episodes in which the event held and the model was optimistic."""
        return sum(each.event is Truth.YES and each.optimistic is Truth.YES for each in self.episodes)

    @property
    def with_recursion(self) -> int:
        """The number of episodes in which the recursion held."""
        return sum(each.recursion is True for each in self.episodes)

    @property
    def stands(self) -> bool:
        """Whether episodes with the event were optimistic and kept the recursion, and all plans fit the enclosures."""
        return self.optimistic_with_event == self.with_event and all(
            each.learner_agrees is not False and not (each.event is Truth.YES and each.recursion is False)
            for each in self.episodes
        )


def replay(learner: Learner, truth: Bandit, confidence: Confidence, seed: int) -> Replay:
    """Play a run and return its replay.

    Parameters
    ----------
    learner
        One of `LEARNERS`.
    truth
        A bandit with few global states, arms of equal size, mean rewards in [0, 1] and an initial state.
    confidence
        The radii, and the number of episodes. With a share other than 1, the models are not the learner's own.
    seed
        Seed of all random draws.

    Raises
    ------
    ModelError
        For another learner, arms of different sizes, rewards outside [0, 1], no initial state, or a negative seed.
    """
    check_counts(0, seed=seed)
    if learner not in LEARNERS:
        raise ModelError(f"no learner called {learner!r} can be replayed; those are {', '.join(LEARNERS)}")
    if any(not 0 <= reward <= 1 for arm in truth.arms for reward in arm.rewards):
        raise ModelError("the paper's radii are for rewards from 0 to 1, and some reward is outside")
    return Replay(tuple(_episodes(learner, truth, confidence, seed)))


def _episodes(learner: Learner, truth: Bandit, confidence: Confidence, seed: int) -> Iterator[ReplayedEpisode]:
    environment = with_rewards(from_bandit(truth, "replay"), "bernoulli")
    agent = make_agent(f"{learner}/radii={confidence.radii}", environment, confidence.episodes)
    lengths = horizons(environment, "replay", 0, confidence.episodes, seed)
    planning, playing = (generator(seed, "replay", 0, learner, purpose) for purpose in ("plan", "play"))
    values = optimal_value(truth).values
    histories = [History.empty(truth)]

    def judged(policy: Policy) -> ReplayedEpisode:
        history = histories[-1]
        if not confidence.is_defined(history):
            return ReplayedEpisode(history.episode, history.step, None, None, None, None)
        model = believed_model(learner, history, truth.discount, confidence, truth.initial)
        found = enclosed_optimistic_value(model, digits=_DIGITS)
        differences = [(each.low - values[state], each.high - values[state]) for state, each in found.values.items()]
        slack = Enclosure(*map(min, zip(*differences, strict=True)))
        optimistic = Truth.YES if slack.low >= 0 else Truth.NO if slack.high < 0 else Truth.UNDECIDED
        agrees = _agrees(learner, agent, policy, model, found) if confidence.share == 1 else None
        held = event(learner, histories, truth, values, confidence)
        of_recursion = () if learner == "mb-ucrl2" else _recursion(learner, history, truth, confidence)
        return ReplayedEpisode(history.episode, history.step, held, optimistic, slack, agrees, *of_recursion)

    for length in lengths:
        policy = agent.plan(planning)
        yield judged(policy)
        episode = play(environment, policy, environment.starts[0], int(length), playing)
        agent.observe(episode)
        histories.append(histories[-1].after(episode))


def _recursion(learner: Learner, history: History, truth: Bandit, confidence: Confidence) -> tuple[Truth, bool]:
    """Return whether the event of moves holds, and whether the recursion with eps = 1/(3 T_0) does."""
    S, n, K = max(truth.sizes), len(truth.arms), confidence.episodes
    estimates, bonus, visits = {}, {}, {}
    with flint.ctx.workprec(BITS):
        for a, counts in enumerate(history.visits):
            for x, ball in enumerate(confidence.bonuses(learner, history, history, truth.discount, a)):
                estimates[a, x], visits[a, x] = history.estimate(a, x), counts[x]
                bonus[a, x] = ball.upper().fmpq()
    case = Episode(Estimated(truth, estimates), bonus, fmpq(1, 3 * unfolded_steps(S, n, K, truth.discount)))
    kept = all(side.gap <= 2 * side.bonus + side.excess + side.later for side in recursion_sides(case))
    return few_moves(case, visits, K), kept


def _agrees(
    learner: Learner, agent: Agent, policy: Policy, model: EnclosedBandit, found: EnclosedOptimisticValue
) -> bool:
    """Return whether the learner's values fit the enclosures, and its policy makes every choice that these decide."""
    if isinstance(policy, IndexPolicy):
        ranks, found_of_arms = policy.ranks, enclosed_indices(_with_bonus(model), _DIGITS).indices
        index = {(a, x): found_of_arms[a][x] for a, x in model.names.arm_states}
        pairs = [pair for pair in permutations(index, 2) if index[pair[0]].low - index[pair[1]].high > _FLOAT_ERROR]
        return all(ranks[above] < ranks[below] for above, below in pairs)
    assert isinstance(policy, TablePolicy)
    sizes = tuple(model.names.sizes)
    for state, enclosure in found.values.items():
        number = int(np.ravel_multi_index(state, sizes))
        value = value_of_float(agent.values[number])  # type: ignore[attr-defined]  # of MB-UCRL2
        error = _FLOAT_ERROR * enclosure.magnitude + value_of_float(agent.gap)  # type: ignore[attr-defined]
        if not enclosure.low - error <= value <= enclosure.high + error:
            return False
        certain_arm = found.plays[state]
        if certain_arm is not None and policy.table[number] != certain_arm:
            return False
    return True


def _with_bonus(model: EnclosedBandit) -> EnclosedBandit:
    """Return the model with its bonus added to the rewards, for its indices."""
    box = model.at(128)  # equivalent: whatever the bits, if there are enough
    return EnclosedBandit(
        [
            EnclosedArm(
                rewards=[
                    Enclosure(reward.low + bonus.low, reward.high + bonus.high)
                    for reward, bonus in zip(arm.rewards, arm.reward_radius, strict=True)  # equivalent: of a sum
                ],
                transitions=[row.low for row in arm.rows],
                states=names.states,
            )
            for arm, names in zip(box.arms, model.names.arms, strict=True)
        ],
        box.discount,
        model.names.initial,
    )

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
from typing import Final, get_args

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
from proofs_checks.trials.history import History
from proofs_checks.trials.replays.confidence import BITS, Confidence, Learner, believed_model, event
from theory import Bandit, ModelError, check_counts, value_of_float
from theory.certified import Truth
from theory.enclosures import (
    EnclosedBandit,
    EnclosedOptimisticValue,
    Enclosure,
    enclosed_indices,
    enclosed_optimistic_value,
)
from theory.paper import unfolded_steps
from theory.values import optimal_value

LEARNERS: Final[tuple[Learner, ...]] = get_args(Learner)
_DIGITS: Final = 12  # equivalent: a digit more or less
_FLOAT_ERROR: Final = fmpq(1, 10**9)


@dataclass(frozen=True)
class ReplayedEpisode:
    """The findings on the k-th episode, whose first step is the t_k-th; None if the appendix's radii are not defined.

    They say whether the event holds; whether the model's optimal value is at least the true one in every global state,
    and by how much at least; whether the learner's plan fits the enclosures, if it has these radii; and, if it has a
    bonus, whether the event of moves holds, and the recursion in every global state.
    """

    episode: int
    step: int
    event: Truth | None = None
    optimistic: Truth | None = None
    slack: Enclosure | None = None
    learner_agrees: bool | None = None
    few_moves: Truth | None = None
    recursion: bool | None = None

    @property
    def stands(self) -> bool:
        """Whether the plan fits, and an episode with the event has an optimistic model that keeps the recursion."""
        claimed = self.optimistic is Truth.YES and self.recursion is not False
        return self.learner_agrees is not False and (claimed or self.event is not Truth.YES)


def counts(episodes: tuple[ReplayedEpisode, ...]) -> dict[str, int]:
    """Return in how many episodes the radii are defined, and the event, optimism, both, and the recursion hold."""
    held, optimistic = ([getattr(each, name) is Truth.YES for each in episodes] for name in ("event", "optimistic"))
    return {
        "episodes": len(episodes),
        "defined": sum(each.event is not None for each in episodes),
        "event": sum(held),
        "optimistic": sum(optimistic),
        "optimistic_with_event": sum(map(bool.__and__, held, optimistic)),
        "recursion": sum(each.recursion is True for each in episodes),
    }


def replay(learner: Learner, truth: Bandit, confidence: Confidence, seed: int) -> tuple[ReplayedEpisode, ...]:
    """Play a run of a learner and return its replay, episode by episode.

    `truth` has few global states. With a share of the radii other than 1, the models are not the learner's own.

    Raises
    ------
    ModelError
        For another learner, arms of different sizes, rewards outside [0, 1], no initial state, or a negative seed.
    """
    check_counts(0, seed=seed)
    if learner not in LEARNERS:
        raise ModelError(f"no learner called {learner!r} can be replayed; those are {', '.join(LEARNERS)}")
    low, high = min(truth.sizes), max(truth.sizes)
    if low < high:
        raise ModelError(f"the paper's radii are for arms of equal size, not of {low} to {high} states")
    if any(not 0 <= reward <= 1 for arm in truth.arms for reward in arm.rewards):
        raise ModelError("the paper's radii are for rewards from 0 to 1, and some reward is outside")
    return tuple(_episodes(learner, truth, confidence, seed))


def _episodes(learner: Learner, truth: Bandit, confidence: Confidence, seed: int) -> Iterator[ReplayedEpisode]:
    environment = with_rewards(from_bandit(truth, "replay"), "bernoulli")
    agent = make_agent(f"{learner}/radii={confidence.radii}", environment, confidence.episodes)
    lengths = horizons(environment, "replay", 0, confidence.episodes, seed)
    planning, playing = (generator(seed, "replay", 0, learner, purpose) for purpose in ("plan", "play"))
    values = optimal_value(truth).values
    histories = [History.empty(truth.sizes)]

    def judged(policy: Policy) -> ReplayedEpisode:
        history = histories[-1]
        if not confidence.is_defined(history):
            return ReplayedEpisode(history.episode, history.step)
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
    with flint.ctx.workprec(BITS):
        bonuses = [confidence.bonuses(learner, history, history, truth.discount, a) for a in range(n)]
    bonus = {(a, x): bonuses[a][x].upper().fmpq() for a, x in truth.arm_states}
    estimates = {state: history.estimate(*state) for state in truth.arm_states}
    case = Episode(Estimated(truth, estimates), bonus, fmpq(1, 3 * unfolded_steps(S, n, K, truth.discount)))
    kept = all(side.gap <= 2 * side.bonus + side.excess + side.later for side in recursion_sides(case))
    return few_moves(case, {(a, x): history.visits[a][x] for a, x in truth.arm_states}, K), kept


def _agrees(
    learner: Learner, agent: Agent, policy: Policy, model: EnclosedBandit, found: EnclosedOptimisticValue
) -> bool:
    """Return whether the learner's values fit the enclosures, and its policy makes every choice that these decide."""
    if isinstance(policy, IndexPolicy):
        ranks, found_of_arms = policy.ranks, enclosed_indices(model, 6).indices
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

r"""The paper's radii for a history, the model in which a learner plans, and the event under which it is optimistic.

With the main text's radii, the event of an episode is that the true bandit lies in the confidence set (MB-UCRL2,
`eq:conf_rq`), or that the bonus is at least the deviation of the estimated values (MB-UCBVI, as in `conc:V` with
:math:`b_{k-1}`; MB-UCBVI-Bernstein, whose event has no proved probability).
With the appendix's radii, it is the event of `lem:concentration_ucrl` or `lem:concentration_ucbvi`, which covers all
earlier episodes and their lengths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, TypeAlias

import flint
from flint import arb, fmpq

from proofs_checks.paper.shared.local_variances import local_variances
from proofs_checks.trials.history import History
from theory import Bandit, GlobalState, ModelError, expectation
from theory.certified import Expression, Truth, at_most
from theory.enclosures import EnclosedArm, EnclosedBandit
from theory.optimism import distance
from theory.paper import horizon_bound, log_factor, reward_radius, transition_radius, ucbvi_bonus
from theory.values import values_after

Radii: TypeAlias = Literal["text", "appendix"]
Learner: TypeAlias = Literal["mb-ucrl2", "mb-ucbvi", "mb-ucbvi-bernstein"]

BITS = 160  # equivalent: a bit more or less
"""Precision of the radii, which are roots of logarithms."""


@dataclass(frozen=True)
class Confidence:
    """The radii of the paper, of arms of equal size, for a number of episodes; all multiplied by `share`.

    Those of the text have t_k, those of the appendix L_(k-1). Each is returned at the precision in force.
    """

    radii: Radii
    episodes: int
    share: fmpq = fmpq(1)

    def __post_init__(self) -> None:
        if self.share < 0:
            raise ModelError(f"share: {self.share} is negative")

    def is_defined(self, history: History) -> bool:
        """Return whether the radii are real numbers; the appendix's are not in the first episode."""
        return self.radii == "text" or self.episodes * (history.episode - 1) > 1

    def of_reward(self, history: History, discount: fmpq, visits: int) -> arb:
        """Return the radius of a mean reward."""
        if self.radii == "text":
            return arb(self.share) * reward_radius(**self._at(history), N=visits)
        return arb(self.share) * self._log_factor(history, discount) / (2 * arb(max(1, visits)).sqrt())

    def of_row(self, history: History, discount: fmpq, visits: int) -> arb:
        """Return the L1 radius of a row."""
        if self.radii == "text":
            return arb(self.share) * transition_radius(**self._at(history), N=visits)
        width = self._log_factor(history, discount) + arb(fmpq(3, 2)) * arb(len(history.paid[0])).sqrt()
        return arb(self.share) * width / arb(max(1, visits)).sqrt()

    def of_value(self, history: History, discount: fmpq, visits: int) -> arb:
        """Return the bonus of MB-UCBVI."""
        if self.radii == "text":
            return arb(self.share) * ucbvi_bonus(**self._at(history), N=visits, beta=discount)
        return self.of_reward(history, discount, visits) / (1 - arb(discount))

    def bonuses(self, learner: Learner, seen: History, present: History, discount: fmpq, a: int) -> list[arb]:
        """Return the bonus of MB-UCBVI or MB-UCBVI-Bernstein for each state of an arm, from the counts `seen`.

        The logarithm is that of `present`, which differs from `seen` only in the appendix's event.
        """
        visits = seen.visits[a]
        found = [self.of_value(present, discount, count) for count in visits]
        if learner == "mb-ucbvi-bernstein":
            # the number l for which MB-UCBVI's bonus is B (l/(2 N))^(1/2)
            logarithm = 2 * replace(self, share=fmpq(1)).of_reward(present, discount, 1) ** 2
            arm, beta = seen.arm(a), arb(discount)
            for x, (count, spread) in enumerate(zip(visits, local_variances(arm, discount), strict=True)):
                if count > 1:
                    of_reward = arm.rewards[x] * (1 - arm.rewards[x])  # rewards are 0 or 1
                    deviation = arb(of_reward).sqrt() + beta * arb(spread).sqrt()
                    few = 7 * logarithm / (3 * (1 - beta) * (count - 1))
                    found[x] = found[x].min(arb(self.share) * (deviation * (2 * logarithm / (count - 1)).sqrt() + few))
        return found

    def _at(self, history: History) -> dict[str, int]:
        return {"S": len(history.paid[0]), "n": len(history.paid), "K": self.episodes, "t": history.step}

    def _log_factor(self, history: History, discount: fmpq) -> arb:
        return log_factor(len(history.paid[0]), len(history.paid), self.episodes, history.episode, discount)


def believed_model(
    learner: Learner, history: History, discount: fmpq, confidence: Confidence, initial: Sequence[int] | None = None
) -> EnclosedBandit:
    """Return the model M_k of an episode, as an enclosed bandit.

    MB-UCRL2 has the set of bandits within the radii of rewards and rows as its model; the others add the bonus to the
    estimated rewards.
    """
    arms = []
    with flint.ctx.workprec(BITS):
        for a, counts in enumerate(history.visits):
            seen = history.arm(a)
            if learner == "mb-ucrl2":
                of_rewards = [confidence.of_reward(history, discount, count) for count in counts]
                of_rows = [confidence.of_row(history, discount, count) for count in counts]
                radii: dict[str, Any] = {"reward_radius": of_rewards, "transition_radius": of_rows}
                arms.append(EnclosedArm(rewards=seen.rewards, transitions=seen.transitions, **radii))
            else:
                bonuses = confidence.bonuses(learner, history, history, discount, a)
                rewards = [mean + bonus for mean, bonus in zip(seen.rewards, bonuses, strict=True)]
                arms.append(EnclosedArm(rewards=rewards, transitions=seen.transitions))
    return EnclosedBandit(arms, discount, initial)


def event(
    learner: Learner,
    histories: Sequence[History],
    truth: Bandit,
    values: Mapping[GlobalState, fmpq],
    confidence: Confidence,
) -> Truth | None:
    """Return whether a learner's event holds in the episode after the last of `histories`; None if it is not defined.

    `histories` are the counts before the first episode, before the second, ..., and before this one; `values` are the
    true bandit's optimal values.
    """
    present, beta = histories[-1], truth.discount
    if not confidence.is_defined(present):
        return None
    whole = confidence.radii == "appendix"

    def parts() -> Iterator[Truth]:
        for length in present.lengths if whole else ():
            most = partial(horizon_bound, confidence.episodes, present.episode, beta)
            yield at_most(partial(arb, length), most)
        for seen in histories[1:] if whole else [present]:  # the appendix: estimates after episodes 1, ..., k-1
            for state in truth.arm_states:
                yield from estimates(seen, *state)

    def estimates(seen: History, a: int, x: int) -> Iterator[Truth]:
        """Yield whether estimates deviate within their radii; optimism by a bonus needs only those of values."""
        (mean, row), reward, move = seen.estimate(a, x), truth.arms[a].rewards[x], truth.arms[a].transitions[x]
        count = seen.visits[a][x]
        if learner == "mb-ucrl2" or whole:
            yield _within(abs(mean - reward), partial(confidence.of_reward, present, beta, count))
            yield _within(distance(row, move), partial(confidence.of_row, present, beta, count))
        if learner != "mb-ucrl2":
            later = [values_after(truth, values, state, a) for state in values if state[a] == x]
            missed = (mean - reward + beta * (expectation(row, each) - expectation(move, each)) for each in later)
            yield _within(max(map(abs, missed)), lambda: confidence.bonuses(learner, seen, present, beta, a)[x])

    found = Truth.YES
    for part in parts():
        found = found.both(part)
        if found is Truth.NO:
            break
    return found


def _within(deviation: fmpq, radius: Expression) -> Truth:
    return at_most(partial(arb, deviation), radius)

"""The paper's radii for a history, and the model in which an optimistic learner plans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import flint
from flint import arb, fmpq

from proofs_checks.paper.shared.local_variances import local_variances
from proofs_checks.trials.history import History
from theory import ModelError
from theory.enclosures import EnclosedArm, EnclosedBandit
from theory.paper import log_factor, reward_radius, transition_radius, ucbvi_bonus

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

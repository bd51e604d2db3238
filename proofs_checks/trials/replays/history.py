"""Histories: a learner's integer counts before an episode, with the paper's estimates and radii."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import flint
from flint import arb, fmpq

from mbrl.agents.interface import Trajectory
from proofs_checks.paper.shared.local_variances import local_variances
from theory import Arm, Bandit, Exact, ModelError, rational
from theory.enclosures import EnclosedArm, EnclosedBandit, real_number
from theory.paper import log_factor, reward_radius, transition_radius, ucbvi_bonus

Radii: TypeAlias = Literal["text", "appendix"]
Learner: TypeAlias = Literal["mb-ucrl2", "mb-ucbvi", "mb-ucbvi-bernstein"]
Table: TypeAlias = tuple[tuple[int, ...], ...]

BITS = 160  # equivalent: a bit more or less
"""Precision of the radii, which are roots of logarithms."""


@dataclass(frozen=True)
class History:
    """The counts before an episode.

    Attributes
    ----------
    moves : (n, S, S) int
        Number of moves of each arm from each state to each state.
    paid : (n, S) int
        Sum of the rewards, which are 0 or 1, of each arm state.
    lengths : tuple of int
        Lengths H_1, ..., H_(k-1) of the episodes.
    """

    moves: tuple[Table, ...]
    paid: Table
    lengths: tuple[int, ...] = ()

    @classmethod
    def empty(cls, bandit: Bandit) -> History:
        """Return the counts before the first episode.

        Raises
        ------
        ModelError
            If the arms differ in size: the paper's radii are for arms of S states each.
        """
        sizes = set(bandit.sizes)
        if len(sizes) > 1:
            raise ModelError(
                f"the paper's radii are for arms of equal size, not of {min(sizes)} to {max(sizes)} states"
            )
        n, S = len(bandit.arms), sizes.pop()
        return cls((((0,) * S,) * S,) * n, ((0,) * S,) * n)

    @property
    def episode(self) -> int:
        """The number k of the coming episode, from 1."""
        return len(self.lengths) + 1

    @property
    def step(self) -> int:
        """The number t_k of the coming episode's first step, from 1."""
        return 1 + sum(self.lengths)

    @property
    def visits(self) -> Table:
        """How often each arm state was played."""
        return tuple(tuple(sum(row) for row in rows) for rows in self.moves)

    def after(self, episode: Trajectory) -> History:
        """Return the counts after one more episode."""
        moves = [[list(row) for row in rows] for rows in self.moves]
        paid = [list(sums) for sums in self.paid]
        for a, x, y, reward in zip(episode.arms, episode.states, episode.next_states, episode.rewards, strict=True):
            moves[a][x][y] += 1
            paid[a][x] += int(reward)
        return replace(
            self,
            moves=tuple(tuple(map(tuple, rows)) for rows in moves),
            paid=tuple(map(tuple, paid)),
            lengths=(*self.lengths, episode.length),
        )

    def estimate(self, a: int, x: int) -> tuple[fmpq, tuple[fmpq, ...]]:
        """Return the estimated mean reward and row of an arm state: 0 and the uniform row if it was never played."""
        moves = self.moves[a][x]
        count = sum(moves)
        if not count:
            return fmpq(0), (fmpq(1, len(moves)),) * len(moves)
        return fmpq(self.paid[a][x], count), tuple(fmpq(move, count) for move in moves)

    def arm(self, a: int) -> Arm:
        """Return the estimated arm."""
        means, rows = zip(*(self.estimate(a, x) for x in range(len(self.paid[a]))), strict=True)
        return Arm(rewards=means, transitions=rows)


@dataclass(frozen=True)
class Confidence:
    """The radii of the paper's text or appendix, for a number of episodes.

    Attributes
    ----------
    radii
        ``text``, with t_k, or ``appendix``, with L_(k-1).
    episodes : int
        Number K of episodes.
    share : fmpq
        Factor of every radius; 1 for the paper's radii.
    """

    radii: Radii
    episodes: int
    share: fmpq = fmpq(1)

    def is_defined(self, history: History) -> bool:
        """Return whether the radii are real numbers; the appendix's are not in the first episode."""
        return self.radii == "text" or self.episodes * (history.episode - 1) > 1

    def of_reward(self, history: History, discount: fmpq, visits: int) -> arb:
        """Return the radius of a mean reward, at the precision in force."""
        if self.radii == "text":
            return arb(self.share) * reward_radius(**self._at(history), N=visits)
        return arb(self.share) * self._log_factor(history, discount) / (2 * arb(max(1, visits)).sqrt())

    def of_row(self, history: History, discount: fmpq, visits: int) -> arb:
        """Return the L1 radius of a row, at the precision in force."""
        if self.radii == "text":
            return arb(self.share) * transition_radius(**self._at(history), N=visits)
        width = self._log_factor(history, discount) + arb(fmpq(3, 2)) * arb(len(history.paid[0])).sqrt()
        return arb(self.share) * width / arb(max(1, visits)).sqrt()

    def of_value(self, history: History, discount: fmpq, visits: int) -> arb:
        """Return the bonus of MB-UCBVI, at the precision in force."""
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
            logarithm, arm, beta = self._logarithm(present, discount), seen.arm(a), arb(discount)
            for x, (count, spread) in enumerate(zip(visits, local_variances(arm, discount), strict=True)):
                if count > 1:
                    of_reward = arm.rewards[x] * (1 - arm.rewards[x])  # rewards are 0 or 1
                    deviation = arb(of_reward).sqrt() + beta * arb(spread).sqrt()
                    few = 7 * logarithm / (3 * (1 - beta) * (count - 1))
                    found[x] = found[x].min(arb(self.share) * (deviation * (2 * logarithm / (count - 1)).sqrt() + few))
        return found

    def _at(self, history: History) -> dict[str, int]:
        return {"S": len(history.paid[0]), "n": len(history.paid), "K": self.episodes, "t": history.step}

    def _logarithm(self, history: History, discount: fmpq) -> arb:
        """Return the number l for which MB-UCBVI's bonus is B (l/(2 N))^(1/2)."""
        one = replace(self, share=fmpq(1))
        return 2 * one.of_reward(history, discount, 1) ** 2

    def _log_factor(self, history: History, discount: fmpq) -> arb:
        return log_factor(len(history.paid[0]), len(history.paid), self.episodes, history.episode, discount)


def believed_model(
    learner: Learner, history: History, discount: fmpq, confidence: Confidence, initial: tuple[int, ...] | None = None
) -> EnclosedBandit:
    """Return the model M_k of an episode, as an enclosed bandit.

    Parameters
    ----------
    learner
        MB-UCRL2 has the set of bandits within the radii of rewards and rows as its model; the others have the estimates
        with the bonus, given here as the radius of the rewards.
    history, discount, confidence
        The data from which estimates and radii are computed.
    initial
        The initial state, one state per arm.
    """
    visits = history.visits
    arms = []
    with flint.ctx.workprec(BITS):
        for a, counts in enumerate(visits):
            estimates = [history.estimate(a, x) for x in range(len(counts))]
            if learner == "mb-ucrl2":
                rewards = [confidence.of_reward(history, discount, count) for count in counts]
                rows = [confidence.of_row(history, discount, count) for count in counts]
            else:
                rewards = confidence.bonuses(learner, history, history, discount, a)
                rows = [arb(0)] * len(counts)
            arms.append(
                EnclosedArm(
                    rewards=[mean for mean, _ in estimates],
                    transitions=[row for _, row in estimates],
                    reward_radius=[real_number(radius) for radius in rewards],
                    transition_radius=[real_number(radius) for radius in rows],
                )
            )
    return EnclosedBandit(arms, discount, initial)


def share_of(value: Exact) -> fmpq:
    """Return a factor of the radii as an exact number.

    Raises
    ------
    ModelError
        If the factor is negative.

    Examples
    --------
    >>> share_of(0), share_of("1/2")
    (0, 1/2)
    >>> share_of("-1/2")
    Traceback (most recent call last):
    theory.errors.ModelError: share: -1/2 is negative
    """
    share = rational(value)
    if share < 0:
        raise ModelError(f"share: {share} is negative")
    return share

r"""Short runs of MB-UCBVI in exact arithmetic: its events, optimism, recursion and frozen counts in each episode.

The runs use nothing of `mbrl`. Bonuses (printed, or from local variances) are rounded up to a multiple of 2^-40;
indices and values are exact. Rewards are 0 or 1. As in the proof, eps is 1/(3 T_0).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from flint import arb, fmpq

from proofs_checks.claimcheck.statements import Answer, answer
from proofs_checks.paper.beyond.sharper_steps import Episode, Judged, judged_episode
from proofs_checks.paper.shared.bonus_models import Estimated, estimated_bandit
from proofs_checks.paper.shared.local_variances import local_variances
from theory import ONE, ZERO, Arm, ArmState, Bandit, gittins_priority, rational
from theory.certified import Truth
from theory.paper import ucbvi_bonus, unfolded_steps
from theory.values import priority_policy

if TYPE_CHECKING:
    from numpy.random import Generator

HALF = fmpq(1, 2)
BANDITS = (
    Bandit([Arm(rewards=["2/3"], transitions=[[1]]), Arm(rewards=["1/3"], transitions=[[1]])], HALF, [0, 0]),
    Bandit(
        [
            Arm(rewards=["1/5", "9/10"], transitions=[["1/2", "1/2"], ["1/4", "3/4"]]),
            Arm(rewards=["3/5", "1/10"], transitions=[["9/10", "1/10"], ["1/3", "2/3"]]),
        ],
        "3/4",
        [0, 0],
    ),
    Bandit(
        [Arm(rewards=[1, 0, 0], transitions=[[0, "1/2", "1/2"], [1, 0, 0], [0, 0, 1]])] * 2,
        "4/5",
        [0, 0],
    ),
)
SHARES = (ONE, fmpq(1, 8), fmpq(1, 20))
"""Shares of the printed bonus; with the whole bonus the events always hold with much room, with less they may fail."""
EPISODES, MANY, APART = 40, 900, 60
"""Episodes of a run; for bonuses that need many visits to be small, episodes, and distance of the episodes judged."""


@dataclass(frozen=True)
class Seen:
    """A learner's knowledge before one of K episodes: the step, and visits and estimates by cell."""

    bandit: Bandit
    episodes: int
    step: int
    visits: dict[ArmState, int]
    estimates: dict[ArmState, tuple[fmpq, tuple[fmpq, ...]]]

    @property
    def sizes(self) -> tuple[int, int]:
        """The numbers S of states per arm and n of arms."""
        return max(self.bandit.sizes), len(self.bandit.arms)


Bonuses: TypeAlias = "Callable[[Seen], dict[ArmState, arb]]"


def printed(seen: Seen) -> dict[ArmState, arb]:
    """Return the printed bonus of each cell."""
    S, n = seen.sizes
    discount = seen.bandit.discount
    return {cell: ucbvi_bonus(S, n, seen.episodes, seen.step, N, discount) for cell, N in seen.visits.items()}


def by_local_variances(seen: Seen) -> dict[ArmState, arb]:
    """Return, for each cell, the smaller of the printed bonus and MB-UCBVI-Bernstein's, here programmed again."""
    S, n = seen.sizes
    beta = seen.bandit.discount
    logarithm, found = arb(2 * S * n * seen.episodes * seen.step).log(), printed(seen)
    for a, arm in enumerate(estimated_bandit(seen.bandit, seen.estimates).arms):
        for x, (mean, spread) in enumerate(zip(arm.rewards, local_variances(arm, beta), strict=True)):
            N = seen.visits[a, x]
            if N > 1:
                deviation = arb(mean * (1 - mean)).sqrt() + beta * arb(spread).sqrt()
                few = 7 * logarithm / (3 * (1 - beta) * (N - 1))
                found[a, x] = found[a, x].min(deviation * (2 * logarithm / (N - 1)).sqrt() + few)
    return found


@dataclass(frozen=True)
class RunEpisode:
    """One episode of a run.

    Attributes
    ----------
    judged
        The properties of the episode.
    frozen : fmpq
        The loss by not updating f = 1/max{1, N} along the episode's steps, over B times the fall of f, both averaged
        over lengths up to the episode's; 0 if both are 0.
    smaller : bool
        Whether the bonus of some cell is smaller than the printed one.
    """

    judged: Judged
    frozen: fmpq
    smaller: bool


@cache
def played(bonuses: Bonuses, share: fmpq, episodes: int, apart: int = 1) -> tuple[RunEpisode, ...]:
    """Return every `apart`-th episode of one run on each bandit."""
    seeds = np.random.SeedSequence(2022).spawn(len(BANDITS))
    return tuple(
        episode
        for bandit, seed in zip(BANDITS, seeds, strict=True)
        for episode in run(bandit, episodes, bonuses, share, np.random.default_rng(seed), apart)
    )


def run(
    bandit: Bandit, episodes: int, bonuses: Bonuses, share: fmpq, generator: Generator, apart: int = 1
) -> Iterator[RunEpisode]:
    """Play a run and yield every `apart`-th of its episodes.

    Parameters
    ----------
    bandit
        A bandit with arms of equal size, rewards from 0 to 1, and an initial state.
    episodes : int
        Number K of episodes.
    bonuses, share
        The bonus of each cell, and its factor.
    generator
        Draws rewards, moves and lengths.
    apart
    """
    S, n = max(bandit.sizes), len(bandit.arms)
    epsilon = fmpq(1, 3 * unfolded_steps(S, n, episodes, bandit.discount))
    moves = {cell: [0] * S for cell in bandit.arm_states}
    paid, step = dict.fromkeys(bandit.arm_states, 0), 1
    for k in range(episodes):
        visits = {cell: sum(counts) for cell, counts in moves.items()}
        estimates = {
            cell: (fmpq(paid[cell], max(1, N)), tuple(fmpq(m, N) if N else fmpq(1, S) for m in moves[cell]))
            for cell, N in visits.items()
        }
        seen = Seen(bandit, episodes, step, visits, estimates)
        bonus = {cell: _up(share * found) for cell, found in bonuses(seen).items()}
        learned = estimated_bandit(bandit, {cell: (mean + bonus[cell], row) for cell, (mean, row) in estimates.items()})
        policy = priority_policy(bandit, gittins_priority(learned))
        state = list(bandit.initial or ())
        cells: list[ArmState] = []
        while not cells or _happens(bandit.discount, generator):
            a = policy(tuple(state))
            cell = (a, state[a])
            cells.append(cell)
            paid[cell] += _happens(bandit.arms[a].rewards[state[a]], generator)
            state[a] = _drawn(bandit.arms[a].transitions[state[a]], generator)
            moves[cell][state[a]] += 1
        step += len(cells)
        if k % apart == 0:
            case = Episode(Estimated(bandit, estimates), bonus, epsilon)
            smaller = any(bonus[cell] < _up(share * most) for cell, most in printed(seen).items())
            frozen = frozen_quotient(cells, visits, bandit.discount)
            yield RunEpisode(judged_episode(case, visits, episodes), frozen, smaller)


def frozen_quotient(cells: Sequence[ArmState], visits: dict[ArmState, int], discount: fmpq) -> fmpq:
    """Return the quotient of the two sides of frozen counts along the steps of one episode, for f = 1/max{1, N}.

    Lengths h up to that of `cells` have the probability (1-beta) beta^(h-1), longer ones 0. The left side is the mean
    sum over steps of the excess of f at the episode's beginning over the present f. The right side is B times the mean
    fall of f over the episode, summed over cells.

    Examples
    --------
    A cell never seen before has f = 1, 1, 1/2 at its three steps. Only the third loses 1/2, with probability 1/4 - 1/8;
    f falls by 0, 1/2, 2/3. So the quotient is 1/16 over 1/4 + 1/6.

    >>> frozen_quotient([(0, 0)] * 3, {(0, 0): 0}, fmpq(1, 2))
    3/20
    """
    longest, seen = len(cells), dict(visits)
    left = right = fallen = ZERO
    for h, cell in enumerate(cells, 1):
        before = discount ** (h - 1) if h > 1 else ONE
        left += (before - discount**longest) * (_f(visits[cell]) - _f(seen[cell]))
        fallen += _f(seen[cell]) - _f(seen[cell] + 1)
        seen[cell] += 1
        right += before * fallen
    return left / right if right else ZERO


def _f(N: int) -> fmpq:
    return fmpq(1, max(1, N))


def _up(value: arb) -> fmpq:
    return (value * 2**40).upper().ceil().fmpq() / 2**40


def _happens(chance: fmpq, generator: Generator) -> bool:
    return fmpq(int(generator.integers(2**30)), 2**30) < chance


def _drawn(row: Sequence[fmpq], generator: Generator) -> int:
    left = fmpq(int(generator.integers(2**30)), 2**30)
    for y, p in enumerate(row):
        left -= p
        if left < 0:
            return y
    return len(row) - 1


def replayed(c: object, s: object, where: str) -> Answer:
    """Return whether episodes, all or the covered, are optimistic and keep the recursion, and freezing costs little."""
    front, share, truth = rational(c), rational(s), True
    told: dict[str, object] = {}
    for part in SHARES:
        mine = played(printed, part, EPISODES)
        held = [each.judged for each in mine if each.judged.covered or where == "in each episode"]
        truth &= all(each.optimistic and each.front <= front for each in held)
        truth &= all(each.frozen <= share for each in mine)
        told[f"with {part} of the bonus"] = _counted(mine) | {
            "in which the event of moves holds": sum(each.judged.few_moves is Truth.YES for each in mine),
            "in which the recursion holds": sum(each.judged.front <= front for each in mine),
            "frozen counts lose at most": arb(max(each.frozen for each in mine)),
        }
    return answer(truth, **told)


def covered_by_variances(share: object) -> Answer:
    """Return whether, in each judged episode, a share of the bonus from local variances covers and gives optimism."""
    mine = played(by_local_variances, rational(share), MANY, APART)
    told = _counted(mine) | {"in which it is smaller than the printed one": sum(each.smaller for each in mine)}
    return answer(all(each.judged.covered and each.judged.optimistic for each in mine), **told)


def _counted(mine: Sequence[RunEpisode]) -> dict[str, object]:
    return {
        "episodes": len(mine),
        "in which the bonus covers": sum(each.judged.covered for each in mine),
        "optimistic": sum(each.judged.optimistic for each in mine),
        "the recursion holds from c on, on average": sum((arb(each.judged.front) for each in mine), arb(0)) / len(mine),
    }

r"""Short runs of MB-UCBVI in exact arithmetic: its events, optimism, recursion and frozen counts in each episode.

Nothing of `mbrl` is in it. Bonuses, the printed one or one from local variances, are rounded up to a multiple of 2^-40;
indices and values are exact. Rewards are 0 or 1. The part eps is that of the proof, 1/(3 T_0).
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
"""Of the printed bonus: with the whole of it the events hold with much room, with less now and then."""
EPISODES, MANY, APART = 40, 900, 60
"""Of the runs; and, for bonuses that take many visits to be small, of those in which few episodes are judged."""


@dataclass(frozen=True)
class Seen:
    """Step, visits and estimates, by cell, that a learner has before an episode, of K."""

    bandit: Bandit
    episodes: int
    step: int
    visits: dict[ArmState, int]
    estimates: dict[ArmState, tuple[fmpq, tuple[fmpq, ...]]]

    @property
    def sizes(self) -> tuple[int, int]:
        """S and n."""
        return max(self.bandit.sizes), len(self.bandit.arms)


Bonuses: TypeAlias = "Callable[[Seen], dict[ArmState, arb]]"


def printed(seen: Seen) -> dict[ArmState, arb]:
    """Return the printed bonus of each cell."""
    S, n = seen.sizes
    discount = seen.bandit.discount
    return {cell: ucbvi_bonus(S, n, seen.episodes, seen.step, N, discount) for cell, N in seen.visits.items()}


def by_local_variances(seen: Seen) -> dict[ArmState, arb]:
    """Return the smaller of the printed bonus and that of MB-UCBVI-Bernstein, written anew from its formula."""
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
        What was found of it.
    frozen : fmpq
        The two sides of frozen counts for f = 1/max{1, N} along the steps of this episode, the length averaged up to
        that of the run: the quotient of what is lost by not updating and of B times what f falls; 0 where both are.
    smaller : bool
        Whether the bonus of some cell is smaller than the printed one.
    """

    judged: Judged
    frozen: fmpq
    smaller: bool


@cache
def played(bonuses: Bonuses, share: fmpq, episodes: int, apart: int = 1) -> tuple[RunEpisode, ...]:
    """Return each `apart`-th episode of one run on each of the bandits."""
    seeds = np.random.SeedSequence(2022).spawn(len(BANDITS))
    return tuple(
        episode
        for bandit, seed in zip(BANDITS, seeds, strict=True)
        for episode in run(bandit, episodes, bonuses, share, np.random.default_rng(seed), apart)
    )


def run(
    bandit: Bandit, episodes: int, bonuses: Bonuses, share: fmpq, generator: Generator, apart: int = 1
) -> Iterator[RunEpisode]:
    """Play a run and judge each `apart`-th of its episodes.

    Parameters
    ----------
    bandit
        Arms of equal size, rewards from 0 to 1, with an initial state.
    episodes : int
        K.
    bonuses, share
        The bonus of each cell, and by what it is multiplied.
    generator
        Of what is seen, and of the lengths.
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
    """Return the quotient of the two sides of frozen counts along the steps of one episode, f being 1/max{1, N}.

    Lengths up to that of `cells` have the chances (1-beta) beta^(h-1), longer ones none. Left: in the mean over them,
    the sum over steps of what f, taken at the episode's beginning, exceeds f taken at once. Right: B times the mean of
    what the f of all cells fall.

    Examples
    --------
    One cell, never seen before: f is 1, 1, 1/2 at its three steps, so that 1/2 is lost at the third alone, with the
    chance 1/4 - 1/8; f falls by 0, 1/2, 2/3. So it is 1/16 over 1/4 + 1/6.

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


def replayed(c: object, s: object) -> Answer:
    """Return whether each covered episode is optimistic with the recursion, and frozen counts lose little in all."""
    front, share, truth = rational(c), rational(s), True
    told: dict[str, object] = {}
    for part in SHARES:
        mine = played(printed, part, EPISODES)
        held = [each.judged for each in mine if each.judged.covered]
        truth &= all(each.optimistic and each.front <= front for each in held)
        truth &= all(each.frozen <= share for each in mine)
        told[f"with {part} of the bonus"] = _counted(mine) | {
            "in which the event of moves holds": sum(each.judged.few_moves is Truth.YES for each in mine),
            "in which the recursion holds": sum(each.judged.front <= front for each in mine),
            "frozen counts lose at most": arb(max(each.frozen for each in mine)),
        }
    return answer(truth, **told)


def covered_by_variances(share: object) -> Answer:
    """Whether a share of the bonus from local variances covers, and the model is optimistic, in each judged episode."""
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

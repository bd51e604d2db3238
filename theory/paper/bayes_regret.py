r"""Exact Bayes-optimal regret on the prior of Theorem 2, by dynamic programming over posteriors.

In each of the S states, the best arm is unknown. The posterior is one probability per arm, of which only the multiset
matters. A pull of an arm of posterior p costs :math:`(\gamma'-\gamma)(1-p)` in expectation, and changes the posterior
by Bayes' rule. The states are independent, so the regret is S times that of one state.

There are two learners; the first can do all that the second can:

* the *adaptive* learner chooses at each step, and sees only where episodes end;
* the *episodic* learner fixes a deterministic policy per episode, so it pulls one arm throughout (as in the paper).

Geometric horizons are unbounded, so a tree cut at `depth` pulls gives two exact ends that enclose the regret.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import TypeAlias

from flint import fmpq

from theory.domain import check_counts
from theory.enclosures import Enclosure
from theory.paper.lower_bound import BestArmPrior, mean_visits
from theory.rationals import ZERO

Posterior: TypeAlias = tuple[fmpq, ...]
"""For each arm the probability that it is the best, in increasing order."""


@dataclass(frozen=True)
class Pull:
    """A pull of an arm of posterior `p`: its expected regret, and (probability, next posterior, next p) per reward."""

    p: fmpq
    regret: fmpq
    outcomes: tuple[tuple[fmpq, Posterior, fmpq], ...]


Level: TypeAlias = dict[Posterior, list[Pull]]
"""All posteriors that are reachable in a given number of pulls, with their possible pulls."""


def pulls(posterior: Posterior, prior: BestArmPrior) -> list[Pull]:
    """Return the distinct pulls in `posterior`, one for all arms of equal posterior."""
    found = []
    for p, _ in groupby(posterior):
        others = list(posterior)
        others.remove(p)
        outcomes = []
        for if_best, otherwise in ((prior.best, prior.base), (1 - prior.best, 1 - prior.base)):
            probability = p * if_best + (1 - p) * otherwise
            if probability:
                after = p * if_best / probability
                outcomes.append(
                    (probability, tuple(sorted([*(q * otherwise / probability for q in others), after])), after)
                )
        found.append(Pull(p, prior.gap * (1 - p), tuple(outcomes)))
    return found


def posterior_levels(prior: BestArmPrior, depth: int) -> list[Level]:
    """Return all reachable posteriors after 0..`depth` pulls."""
    reached: set[Posterior] = {(fmpq(1, prior.n),) * prior.n}
    levels: list[Level] = []
    for _ in range(depth + 1):
        level = {posterior: pulls(posterior, prior) for posterior in reached}
        levels.append(level)
        reached = {after for each in level.values() for pull in each for _, after, _ in pull.outcomes}
    return levels


def known_horizon_regrets(prior: BestArmPrior, depth: int) -> list[fmpq]:
    """Return the smallest Bayesian regret of t pulls in one state for each known t = 0..`depth`.

    Examples
    --------
    >>> known_horizon_regrets(BestArmPrior(S=1, n=2, discount=0, base="1/4", best="3/4"), 3)
    [0, 1/4, 3/8, 1/2]
    """
    after: dict[Posterior, list[fmpq]] = {}
    for number, level in reversed(list(enumerate(posterior_levels(prior, depth)))):
        current = {}
        for posterior, choices in level.items():
            current[posterior] = [ZERO] + [
                min(sum((chance * after[to][left] for chance, to, _ in pull.outcomes), pull.regret) for pull in choices)
                for left in range(depth - number)
            ]
        after = current
    (root,) = after.values()
    return root


def adaptive_regret(prior: BestArmPrior, K: int, depth: int) -> Enclosure:
    """Return the Bayes-optimal regret of `K` >= 1 episodes for a learner that chooses anew at each step.

    After `depth` pulls in one state, the regret of later ones there is at least 0, and at most that of not learning any
    more.

    Examples
    --------
    >>> adaptive_regret(BestArmPrior(S=1, n=2, discount=0, base="1/4", best="3/4"), K=3, depth=3)
    Enclosure(low=1/2, high=1/2)
    >>> adaptive_regret(BestArmPrior(S=1, n=2, discount="1/2", base="1/4", best="3/4"), K=3, depth=0)  # 6 steps
    Enclosure(low=0, high=3/2)
    """
    return _enclosure(prior, K, depth, fixed=False)


def episodic_regret(prior: BestArmPrior, K: int, depth: int) -> Enclosure:
    """Return the Bayes-optimal regret of K episodes for a learner that fixes a deterministic policy per episode."""
    return _enclosure(prior, K, depth, fixed=True)


def _enclosure(prior: BestArmPrior, K: int, depth: int, *, fixed: bool) -> Enclosure:
    check_counts(K=K)
    check_counts(0, depth=depth)
    levels, steps = posterior_levels(prior, depth), 1 / (1 - prior.discount)

    def nothing(_posterior: Posterior, _p: fmpq, _left: int) -> fmpq:
        return ZERO

    def no_more_learning(posterior: Posterior, p: fmpq, left: int) -> fmpq:
        later = mean_visits(prior.S, left, prior.discount) if left else ZERO
        return prior.gap * ((1 - p) * steps + (1 - posterior[-1]) * later)

    low = _regret(prior, levels, K, nothing, fixed=fixed)
    if prior.discount == 0 and depth >= K:
        return Enclosure.point(low)  # with at most K pulls, nothing is cut
    return Enclosure(low, _regret(prior, levels, K, no_more_learning, fixed=fixed))


def _regret(
    prior: BestArmPrior, levels: list[Level], K: int, beyond: Callable[[Posterior, fmpq, int], fmpq], *, fixed: bool
) -> fmpq:
    """Return the regret from the start; `beyond(posterior, p, left)` is the regret of a pull at the deepest level.

    For each posterior there are, with 0, 1, ... episodes left after the current one: by p, the regrets from pulling an
    arm of posterior p on; the least of these; and with so many episodes left and none under way, the regrets waiting.
    """
    discount, visit = prior.discount, fmpq(1, prior.S)

    def waiting_once_more(fewer: fmpq, playing: fmpq) -> fmpq:
        return visit * playing + (1 - visit) * fewer

    after: dict[Posterior, tuple[dict[fmpq, list[fmpq]], list[fmpq], list[fmpq]]] = {}
    for level in reversed(levels):
        current = {}
        for posterior, choices in level.items():
            pulling = {}
            for pull in choices:
                if level is levels[-1]:
                    values = [beyond(posterior, pull.p, left) for left in range(K)]
                else:
                    values = [pull.regret] * K
                    for chance, to, p in pull.outcomes:
                        pulling_next, playing, waiting = after[to]
                        same_episode = pulling_next[p] if fixed else playing
                        stay, end = chance * discount, chance * (1 - discount)
                        values = [
                            value + stay * same + end * late
                            for value, same, late in zip(values, same_episode, waiting[:K], strict=True)
                        ]
                pulling[pull.p] = values
            playing = [min(values) for values in zip(*pulling.values(), strict=True)]
            current[posterior] = pulling, playing, list(accumulate(playing, waiting_once_more, initial=ZERO))
        after = current
    ((_, _, root),) = after.values()
    return prior.S * root[K]


def one_step_episodes_regret(prior: BestArmPrior, belief: Mapping[tuple[int, ...], fmpq], K: int) -> fmpq:
    """Return the Bayes-optimal regret of K episodes of one step (discount 0), by search over all histories.

    Parameters
    ----------
    prior
        The source of the means and the numbers of arms and states; its uniform law plays no part.
    belief
        Joint law of the best arms of the S states, which may be dependent.
    K
        Number of episodes; the time grows as (2nS)^K.

    Examples
    --------
    >>> two = BestArmPrior(S=2, n=2, discount=0, base="1/4", best="3/4")  # half a time, wrong by 1/2
    >>> one_step_episodes_regret(two, {(a, b): fmpq(1, 4) for a in (0, 1) for b in (0, 1)}, K=1)
    1/4
    >>> sure = BestArmPrior(S=1, n=2, discount=0, base="1/2", best=1)  # one failure tells an arm from the best
    >>> one_step_episodes_regret(sure, {(0,): fmpq(2, 3), (1,): fmpq(1, 3)}, K=2)  # 1/6 + 5/6 * 1/10
    1/4
    """
    if K == 0:
        return ZERO
    total = ZERO
    for state in range(prior.S):
        options = []
        for arm in range(prior.n):
            wrong = sum((p for best, p in belief.items() if best[state] != arm), ZERO)
            value = prior.gap * wrong
            for paid in (True, False):
                joint = {
                    best: p * (mean if paid else 1 - mean)
                    for best, p in belief.items()
                    for mean in (prior.best if best[state] == arm else prior.base,)
                }
                chance = sum(joint.values(), ZERO)
                if chance:
                    after = {best: p / chance for best, p in joint.items() if p}
                    value += chance * one_step_episodes_regret(prior, after, K - 1)
            options.append(value)
        total += min(options) / prior.S
    return total

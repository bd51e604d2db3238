r"""The prior of the sharper lower bound: arms that may jump from a start state to a state that pays for ever.

The last of S states is absorbing and pays 1; the others pay 0. All arms start an episode in the same state i, uniform
on the S-1 others. From i an arm jumps with probability q or q', and stays otherwise. In each i one arm, drawn uniformly
and independently of the other i, has the larger probability q'.

A wrong play before the first jump costs :math:`\kappa = \beta(q'-q)/(1-\beta+\beta q')`
(`AbsorbingPrior.wrong_play`). After it, a play of an arm that has not jumped costs 1; all other plays cost nothing. So
the regret of any learner is the mean of a sum over its plays, and dynamic programming finds the Bayes-optimal regret.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import lcm
from typing import TypeAlias

from flint import fmpq

from theory.domain import check_counts, exact_discount
from theory.enclosures import Enclosure
from theory.errors import ModelError
from theory.model import Arm, Bandit
from theory.rationals import ONE, ZERO, Exact, rational


@dataclass(frozen=True, init=False)
class AbsorbingPrior:
    r"""Bandits of n arms with S-1 start states and one absorbing state that pays, one better arm per start state.

    Parameters
    ----------
    S, n
        States per arm, arms; at least 2.
    discount
        :math:`1/2 \le \beta < 1`.
    delta
        :math:`0 < \Delta \le 1/2`: the probabilities are :math:`q = (1-\beta)/(3\beta)` and :math:`q' = (1+\Delta)q`.

    Examples
    --------
    >>> prior = AbsorbingPrior(S=2, n=2, discount="1/2", delta="1/2")
    >>> prior.base, prior.best, prior.wrong_play
    (1/3, 1/2, 1/9)
    """

    S: int
    n: int
    discount: fmpq
    delta: fmpq

    def __init__(self, S: int, n: int, discount: Exact, delta: Exact) -> None:
        check_counts(2, S=S, n=n)
        beta, excess = exact_discount(discount), rational(delta)
        if beta < fmpq(1, 2):
            raise ModelError(f"discount: {beta} is below 1/2")
        if not 0 < excess <= fmpq(1, 2):
            raise ModelError(f"delta: {excess} is not in 0 < delta <= 1/2")
        for name, value in {"S": S, "n": n, "discount": beta, "delta": excess}.items():
            object.__setattr__(self, name, value)  # the dataclass is frozen; this is its construction

    @property
    def base(self) -> fmpq:
        """The probability q with which an arm jumps."""
        return (1 - self.discount) / (3 * self.discount)

    @property
    def best(self) -> fmpq:
        """The probability q' with which the better arm jumps."""
        return self.base * (1 + self.delta)

    @property
    def wrong_play(self) -> fmpq:
        """Cost of playing a worse arm while no arm has jumped."""
        return self.discount * (self.best - self.base) / (1 - self.discount + self.discount * self.best)

    def value(self, jump: fmpq) -> fmpq:
        """Return the value of playing for ever an arm that jumps with probability `jump`."""
        return self.discount * jump / (1 - self.discount) / (1 - self.discount + self.discount * jump)

    def bandit(self, better: tuple[int, ...]) -> Bandit:
        """Return the bandit in which `better` holds the better arm of each start state, started in the first."""
        ends = [ZERO] * (self.S - 1) + [ONE]
        arms = []
        for a in range(self.n):
            jumps = [self.best if a == b else self.base for b in better]
            rows: list[dict[int, fmpq]] = [{i: 1 - jump, self.S - 1: jump} for i, jump in enumerate(jumps)]
            arms.append(Arm(rewards=ends, transitions=[*rows, {self.S - 1: ONE}]))
        return Bandit(arms, self.discount, initial=[0] * self.n)

    def models(self) -> Iterator[tuple[tuple[int, ...], Bandit]]:
        """Yield the n^(S-1) bandits of equal probability as pairs (better arm of every start state, bandit)."""
        for better in product(range(self.n), repeat=self.S - 1):
            yield better, self.bandit(better)


Seen: TypeAlias = int
"""How often an arm was seen to stay, times (depth + 1), plus how often to jump, in one start state."""


def absorbing_regret(prior: AbsorbingPrior, K: int, depth: int) -> Enclosure:
    """Enclose the Bayes-optimal regret of `K` >= 1 episodes for a learner that chooses anew at each step.

    After `depth` >= 1 informative plays in one start state, the regret of later plays there is bounded from below by 0,
    and from above by playing the likeliest arm from then on.

    Examples
    --------
    >>> from theory.paper.sharper import absorbing_bound_squared
    >>> found = absorbing_regret(AbsorbingPrior(S=2, n=2, discount="1/2", delta="3/8"), K=8, depth=10)
    >>> found.high - found.low < fmpq(1, 4), absorbing_bound_squared(2, 2, 8, "1/2") < found.low**2
    (True, True)
    """
    check_counts(K=K, depth=depth)
    starts, jump, slow = prior.S - 1, prior.base, prior.value(prior.best) - prior.value(prior.base)
    ratios = (1 - prior.best) / (1 - prior.base), prior.best / prior.base
    chances = jump, 1 - jump
    go_on, stop = ([chance * end for chance in chances] for end in (prior.discount, 1 - prior.discount))

    # The regret from a moment on in one start state is computed times the sum of the weights: a sum over what may be
    # seen, with the chances of a worse arm, whichever arm is better. A pair holds both ends: plays beyond the depth
    # count not at all, or in full. All numbers are integers, in units of 1/(whole step^plays starts^left) for the plays
    # and episodes to come, so that no fraction is reduced on the way.
    step = lcm(*(int(each.q) for each in (*go_on, *stop)))
    costs = lcm(int(prior.wrong_play.q), int(slow.q))
    whole = costs * lcm(*(int(each.q) for each in ratios)) ** depth
    soon_by, late_by = ([int((step * each).p) for each in chance] for chance in (go_on, stop))
    wrong_by, slow_by = (int((costs * each).p) for each in (prior.wrong_play, slow))

    @cache
    def weight(seen: Seen) -> int:
        """Return the likelihood ratio of `seen` for the better arm against another arm, in units of costs/whole."""
        stays, jumps = divmod(seen, depth + 1)
        return int((ratios[0] ** stays * ratios[1] ** jumps * (whole // costs)).p)

    @cache
    def waiting(arms: tuple[Seen, ...], left: int, plays: int) -> tuple[int, int]:
        if left == 0:
            return 0, 0
        low, high = playing(arms, (), left - 1, plays)
        if starts == 1:
            return low, high
        other_low, other_high = waiting(arms, left - 1, plays)
        return low + (starts - 1) * other_low, high + (starts - 1) * other_high

    @cache
    def playing(resting: tuple[Seen, ...], jumped: tuple[Seen, ...], left: int, plays: int) -> tuple[int, int]:
        """Enclose the regret from here on, with `left` episodes and `plays` informative plays to come."""
        weights = [weight(each) for each in (*resting, *jumped)]
        total = sum(weights)
        if plays == 0:
            visits = left * starts**left // starts + (0 if jumped else starts**left)
            return 0, visits * (total - max(weights)) * slow_by
        # an arm that has jumped shows nothing more, and playing it to the episode's end costs nothing
        options = [waiting(tuple(sorted((*resting, *jumped))), left, plays)] if jumped else []
        unit = step**plays * starts**left
        for arm in set(resting):
            others = list(resting)
            others.remove(arm)
            after_jump = (tuple(others), tuple(sorted((*jumped, arm + 1))))
            after_stay = (tuple(sorted((*others, arm + depth + 1))), jumped)
            low = high = unit * (total * costs if jumped else wrong_by * (total - weight(arm)))
            for (rest, gone), now, later in zip((after_jump, after_stay), soon_by, late_by, strict=True):
                late = waiting(tuple(sorted((*rest, *gone))), left, plays - 1)
                soon = playing(rest, gone, left, plays - 1)
                low += now * soon[0] + later * late[0]
                high += now * soon[1] + later * late[1]
            options.append((low, high))
        return min(low for low, _ in options), min(high for _, high in options)

    low, high = (fmpq(end, whole * step**depth * starts**K) for end in waiting((0,) * prior.n, K, depth))
    return Enclosure(starts * low / prior.n, starts * high / prior.n)

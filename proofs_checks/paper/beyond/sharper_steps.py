r"""Independent checks of the steps behind the sharper bounds, in exact arithmetic on small models.

The kernel has the proofs. Here each step is computed as stated, by other means.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import accumulate
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from flint import arb, fmpq

from proofs_checks.claimcheck.statements import Answer, all_of, answer
from proofs_checks.paper.shared.adaptive_play import (
    lengths_up_to,
)
from proofs_checks.paper.shared.bonus_models import Estimated, from_counts, process_of
from proofs_checks.paper.shared.comparisons import is_less
from proofs_checks.paper.shared.horizons import values_later
from theory import ONE, ZERO, Arm, ArmState, Bandit, GlobalState, Solution, expectation, policy_value, rational
from theory.certified import Truth, at_most, enclosure
from theory.minimax import variance
from theory.values import optimal_value, product_process, values_after

if TYPE_CHECKING:
    from numpy.random import Generator

HALF, THIRD = fmpq(1, 2), fmpq(1, 3)

# -- the recursion of an episode (A)


@dataclass(frozen=True)
class Episode:
    """A bandit with estimates of it, a bonus for each arm state, and epsilon."""

    estimated: Estimated
    bonus: dict[ArmState, fmpq]
    epsilon: fmpq

    @property
    def true(self) -> Bandit:
        """The true bandit."""
        return self.estimated.true

    @cached_property
    def learned(self) -> Solution[GlobalState, int]:
        """Return the values and a best policy of the estimates with the bonus."""
        raised = {cell: (r + self.bonus[cell], row) for cell, (r, row) in self.estimated.estimates.items()}
        return process_of(self.true, raised).solve()


def _deviation(case: Estimated) -> dict[ArmState, fmpq]:
    """Return, for each arm state, the largest |r-hat - r + beta (Q-hat - Q) V*| over the other arms' states."""
    values, found = optimal_value(case.true).values, dict.fromkeys(case.true.arm_states, ZERO)
    for state in values:
        for a, x in enumerate(state):
            reward, row = case.estimates[a, x]
            after = values_after(case.true, values, state, a)
            moved = expectation(row, after) - expectation(case.true.arms[a].transitions[x], after)
            found[a, x] = max(found[a, x], abs(reward - case.true.arms[a].rewards[x] + case.true.discount * moved))
    return found


def all_of_the_bonus() -> Iterator[Episode]:
    """Yield an arm of one state that loses twice its bonus, and a move estimated to go to a bonus elsewhere."""
    arm = Bandit([Arm(rewards=[0], transitions=[[1]])], HALF)
    yield Episode(Estimated(arm, {(0, 0): (ONE, (ONE,))}), {(0, 0): ONE}, fmpq(1, 100))
    apart = Bandit([Arm(rewards=[0, 0, 0], transitions=[[0, 1, 0], [0, 1, 0], [0, 0, 1]])], HALF)
    rows = ((ZERO, ZERO, ONE), (ZERO, ONE, ZERO), (ZERO, ZERO, ONE))
    bonus = {(0, x): fmpq(int(x == 2)) for x in range(3)}
    yield Episode(Estimated(apart, {(0, x): (ZERO, row) for x, row in enumerate(rows)}), bonus, fmpq(1, 100))


def drawn_episode(generator: Generator) -> Episode:
    """Draw a bandit, estimates from counts, the least bonus or a slightly larger one, and epsilon."""
    estimated = from_counts(generator)
    more = fmpq(int(generator.integers(0, 3)), 10)
    bonus = {key: least + more for key, least in _deviation(estimated).items()}
    return Episode(estimated, bonus, fmpq(1, int(generator.integers(1, 21))))


def excess(estimate: Sequence[fmpq], row: Sequence[fmpq], epsilon: fmpq) -> fmpq:
    """Return the sum over next states of (Q-hat - (1 + eps) Q)^+.

    >>> excess((fmpq(3, 4), fmpq(1, 4)), (HALF, HALF), THIRD)  # 3/4 - 4/3 1/2, nothing
    1/12
    """
    return sum((max(ZERO, q - (1 + epsilon) * p) for p, q in zip(row, estimate, strict=True)), ZERO)


def overrated_move() -> Episode:
    """Return an arm that moves to the paying state with probability 1/2, estimated as 1; V* = (2/3, 2).

    >>> case = overrated_move()
    >>> sorted(case.learned.values.values()), _deviation(case.estimated)
    ([11/6, 8/3], {(0, 0): 1/3, (0, 1): 0})
    """
    arm = Bandit([Arm(rewards=[0, 1], transitions=[[HALF, HALF], [0, 1]])], HALF)
    estimates = {(0, 0): (ZERO, (ZERO, ONE)), (0, 1): (ONE, (ZERO, ONE))}
    return Episode(Estimated(arm, estimates), {(0, 0): HALF, (0, 1): THIRD}, HALF)


@dataclass(frozen=True)
class Side:
    """The recursion at one global state: `gap` has to be at most a factor times `bonus`, plus `excess` and `later`.

    Attributes
    ----------
    state
    gap : fmpq
        G = V_k - V^(pi_k).
    bonus : fmpq
        The bonus of the cell played.
    excess : fmpq
        beta Gamma sum (Q-hat - (1 + eps) Q)^+, where Gamma is the largest V_k.
    later : fmpq
        beta (1 + eps) Q G.
    """

    state: GlobalState
    gap: fmpq
    bonus: fmpq
    excess: fmpq
    later: fmpq


def recursion_sides(case: Episode) -> Iterator[Side]:
    """Yield the two sides of the recursion at each global state; pi_k is best for the estimates with the bonus.

    >>> [(side.gap, side.bonus, side.excess, side.later) for side in recursion_sides(overrated_move())]
    [(7/6, 1/2, 1/3, 11/16), (2/3, 1/3, 0, 1/2)]
    >>> fmpq(8, 3) * (1 - fmpq(3, 2) * HALF) / 2, fmpq(3, 2) * (fmpq(7, 6) + fmpq(2, 3)) / 2 / 2
    (1/3, 11/16)
    """
    true, eps, estimates = case.true, case.epsilon, case.estimated.estimates
    learned = case.learned
    values = policy_value(true, learned.policy)
    gaps = {state: learned.values[state] - values[state] for state in values}
    largest, later = max(learned.values.values()), values_later(true, learned.policy, gaps)
    for state, a in learned.policy.items():
        cell = (a, state[a])
        more = largest * excess(estimates[cell][1], true.arms[a].transitions[state[a]], eps)
        parts = (true.discount * each for each in (more, (1 + eps) * later[state]))
        yield Side(state, gaps[state], case.bonus[cell], *parts)


def episode_recursion(case: Episode, c: object, d: object) -> Answer:
    """Return whether G <= c b + d beta Gamma sum (Q-hat - (1 + eps) Q)^+ + beta (1 + eps) Q G at every global state."""
    front, of_moves = rational(c), rational(d)
    sides = ((side, front * side.bonus + of_moves * side.excess + side.later) for side in recursion_sides(case))
    return all_of(
        answer(side.gap <= right, M=case.true, state=side.state, epsilon=case.epsilon, G=side.gap, right=right)
        for side, right in sides
    )


def few_moves(case: Episode, visits: Mapping[ArmState, int], episodes: int) -> Truth:
    """Return whether the event of moves holds before one of `episodes` episodes; `visits` are N by cell."""
    true, eps, S, n = case.true, case.epsilon, max(case.true.sizes), len(case.true.arms)
    most = max(
        eps * max(1, visits[a, x]) * excess(row, true.arms[a].transitions[x], eps)
        for (a, x), (_, row) in case.estimated.estimates.items()
    )
    return at_most(partial(arb, most), lambda: S * arb(2).log() + arb(S * n * episodes).log())


# -- frozen counts

Falling: TypeAlias = "Callable[[int], fmpq]"
FALLING: tuple[tuple[str, Falling], ...] = (
    ("1 where N = 0", lambda N: ONE if N == 0 else ZERO),
    ("1/max{1, N}", lambda N: fmpq(1, max(1, N))),
    ("1 for N <= 2", lambda N: ONE if N <= 2 else ZERO),
)
Frozen: TypeAlias = "tuple[int, int, fmpq, str, Falling]"


def frozen_cases() -> Iterator[Frozen]:
    """Yield numbers of episodes with a longest length, a discount, and a decreasing function with its name."""
    for said, f in FALLING:
        yield 1, 100, fmpq(9, 10), said, f
        yield 2, 3, HALF, said, f


def frozen_counts(case: Frozen, c: object) -> Answer:
    """Return whether E sum n_k f(N_{k-1}) <= E sum over j < N_K of f(j) + c B E(f(0) - f(N_K)), for lengths cut.

    There is one cell, which each step activates.
    """
    episodes, longest, discount, said, f = case
    left = right = ZERO
    for lengths, weight in lengths_up_to(longest, episodes, discount):
        for count, seen in zip(lengths, accumulate(lengths, initial=0), strict=False):
            left += weight * count * f(seen)
            right += weight * sum((f(seen + j) for j in range(count)), ZERO)
            right += weight * rational(c) / (1 - discount) * (f(seen) - f(seen + count))
    holds = left <= right  # equivalent: what f fell is positive, and not all of it is needed
    return answer(holds, K=episodes, longest=longest, beta=discount, f=said, left=left, right=right)


# -- the event of moves

Moves: TypeAlias = "tuple[int, fmpq, fmpq]"
"""K, the probability of one of two next states, and epsilon."""


def frozen_sums(K: int, c: object, d: object, f: object) -> Answer:
    """Return whether both weighted sums are at most their bounds, for K episodes of one step and B = S = n = 1."""
    logs = [(arb(2) * K * (k + 1)).log() for k in range(K + 1)]
    tops = [1 + (each / 2).sqrt() for each in logs]
    roots = sum((logs[k].sqrt() / arb(max(1, k)).sqrt() for k in range(K)), arb(0))
    inverses = sum((tops[k] / max(1, k) for k in range(K)), arb(0))
    most = arb(rational(c)) * logs[K].sqrt() + arb(rational(d)) * (K * logs[K]).sqrt()
    most_inverse = arb(rational(f)) * tops[K] * (3 + logs[K])
    true = at_most(lambda: roots, lambda: most).both(at_most(lambda: inverses, lambda: most_inverse))
    return answer(true, K=K, roots=roots, at_most=most, inverses=inverses, and_they=most_inverse)


Coins: TypeAlias = "tuple[fmpq, fmpq, int, fmpq]"


def information_bound(coins: Coins, c: object) -> Answer:
    """Return whether t TV <= pulls * kl + t^2/c, where TV is the total variation of two coins' laws of all pulls."""
    q, other, pulls, t = coins
    laws = [[math.comb(pulls, k) * p**k * (1 - p) ** (pulls - k) for k in range(pulls + 1)] for p in (q, other)]
    apart = sum((abs(u - v) for u, v in zip(*laws, strict=True)), ZERO) / 2

    def most() -> arb:
        return pulls * (q * (arb(q) / other).log() + (1 - q) * (arb(1 - q) / (1 - other)).log()) + t**2 / rational(c)

    true = at_most(partial(arb, t * apart), most)
    return answer(true, q=q, other=other, pulls=pulls, t=t, apart=apart, at_most=enclosure(most))


def moves_event(case: Moves, c: object, s: object) -> Answer:
    """Return whether the event of moves fails before the last of K episodes with probability at most c/K.

    Episodes have one step and start in the first of two states of one arm, so N = K - 1; S = 2, n = 1, beta = 0.
    """
    K, q, eps = case
    N, chance = K - 1, ZERO
    for count in range(N + 1):
        over = excess((fmpq(count, N), fmpq(N - count, N)), (q, 1 - q), rational(s) * eps)
        if is_less(lambda: 2 * arb(2).log() + arb(2 * K).log(), partial(arb, eps * N * over)):
            chance += math.comb(N, count) * q**count * (1 - q) ** (N - count)
    return answer(chance <= rational(c) / K, K=K, q=q, epsilon=eps, probability=chance)


# -- open questions


def one_jump() -> Iterator[Bandit]:
    """Yield an arm that moves once, with equal chances, to a state that always pays or to one that never does."""
    rows = [[ZERO, HALF, HALF], [ZERO, ONE, ZERO], [ZERO, ZERO, ONE]]
    yield Bandit([Arm(rewards=[0, 1, 0], transitions=rows)], fmpq(9, 10))


def variance_of_values(bandit: Bandit, c: object) -> Answer:
    """Return whether E sum beta^t Var(V*(X_(t+1))) <= c B^2/beta^2, for an optimal policy and for each arm kept."""
    best, discount, process = optimal_value(bandit), bandit.discount, product_process(bandit)
    if discount == 0:
        return answer(True)
    claimed = rational(c) / (1 - discount) ** 2 / discount**2
    for policy in (best.policy, *(dict.fromkeys(best.values, a) for a in range(len(bandit.arms)))):
        played = {state: process.actions[state][a] for state, a in policy.items()}
        spreads = {
            state: replace(action, reward=variance(action.row, [best.values[y] for y in action.to]))
            for state, action in played.items()
        }
        largest = max(process.evaluate(spreads).values())
        if largest > claimed:
            return answer(False, M=bandit, policy=policy, sum_of_variances=largest, claimed=claimed)
    return answer(True)


def printed_bonus_loss(case: tuple[fmpq, int], c: object) -> Answer:
    """Return whether MB-UCBVI loses c B^(3/2) (2 K log(4 K t))^(1/2) in a run on constant arms that pay 1 and 1 - g.

    The gap is g = B (log(4 K T)/T)^(1/2) with T = KB; lengths are drawn once, rewards are constant. One of two episodes
    plays the worse arm:

    >>> loss = printed_bonus_loss((fmpq(9, 10), 2), 1).values["quotient"]
    >>> loss == round(1 / (2 * math.sqrt(2 * math.log(4 * 2 * 21) / math.log(4 * 2 * 20))), 4)
    True
    """
    discount, episodes = case
    B, beta = float(1 / (1 - discount)), float(discount)
    total = episodes * B
    gap = B * math.sqrt(math.log(4 * episodes * total) / total)
    visits, step, losses = [0, 0], 1, []
    lengths = np.random.default_rng(np.random.SeedSequence(20231, spawn_key=(episodes,))).geometric(1 - beta, episodes)
    for length in lengths:
        bonus = [B * math.sqrt(math.log(4 * episodes * step) / (2 * max(1, N))) for N in visits]
        worse = bonus[1] - gap > bonus[0]
        visits[worse] += int(length)
        losses.append(worse)
        step += int(length)
    regret = gap * B * sum(losses)
    unit = B**1.5 * math.sqrt(2 * episodes * math.log(4 * episodes * (total + 1)))
    return answer(regret >= float(rational(c)) * unit, beta=discount, K=episodes, quotient=round(regret / unit, 4))

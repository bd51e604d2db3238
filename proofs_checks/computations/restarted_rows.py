"""MB-UCBVI where the last step of an episode counts as a move to the next one's first state: one bandit, beta = 1/2.

Arm 1 moves from state 0 to state 1 for good and pays 0 and then 1; arm 2 has one state, which pays 2/5; all episodes
begin in state 0. Playing arm 1 is worth 1, playing arm 2 is worth 4/5.
"""

from __future__ import annotations

from functools import cache
from math import log, sqrt

import numpy as np
from flint import fmpq

from theory import ONE, ZERO, Arm, Bandit, gittins_priority, policy_value
from theory.values import optimal_value, priority_policy

HALF = fmpq(1, 2)
STEADY = fmpq(2, 5)
BANDIT = Bandit(
    [Arm(rewards=[0, 1], transitions=[[0, 1], [0, 1]]), Arm(rewards=[STEADY], transitions=[[1]])],
    HALF,
)


@cache
def loss_in_the_limit(next_state: str) -> fmpq:
    """Return what an episode loses with the index policy of the rows that the estimates tend to, and no bonus.

    Read literally, these are beta Q(x, .) + (1-beta) rho for an arm that is played to the end of each episode.
    """
    first = BANDIT.arms[0]
    weight = HALF if next_state == "literal" else ZERO
    rows = [
        [(ONE - weight) * q + weight * (ONE if y == 0 else ZERO) for y, q in enumerate(row)]
        for row in first.transitions
    ]
    learned = Bandit([Arm(rewards=first.rewards, transitions=rows), BANDIT.arms[1]], HALF)
    policy = priority_policy(learned, gittins_priority(learned))
    loss: fmpq = optimal_value(BANDIT).values[0, 0] - policy_value(BANDIT, policy)[0, 0]
    return loss


@cache
def simulated_regret(episodes: int, next_state: str, seed: int) -> fmpq:
    """Return the regret of one run of MB-UCBVI with the bonus of Section 4; indices in floating point."""
    lengths = np.random.default_rng(np.random.SeedSequence(seed)).geometric(0.5, episodes)
    visits, to_1, steady = [0, 0], [0, 0], 0  # of the states of arm 1, of moves to state 1; of arm 2
    time, regret = 1, ZERO
    for length in lengths.tolist():
        scale = sqrt(2 * log(8 * episodes * time))  # b = scale / sqrt(max(1, N)), as S = n = 2 and beta = 1/2
        first, later = indices_of_arm_1(visits, to_1, scale)
        other = (0.4 if steady else 0.5) + scale / sqrt(max(1, steady))
        if first < other:
            regret += fmpq(1, 5)
            steady += length
        else:
            states = [0] + [1] * (length - 1 if later >= other else 0)
            if later < other:
                regret += fmpq(3, 5)
                steady += length - 1
            count_moves(states, length, next_state, visits, to_1)
        time += length
    return regret


def count_moves(states: list[int], length: int, next_state: str, visits: list[int], to_1: list[int]) -> None:
    """Count the moves of arm 1 in an episode: the last one as literally written, or as it was."""
    ends_here = len(states) == length
    for state in states:
        visits[state] += 1
        to_1[state] += 1
    if ends_here and next_state == "literal":
        to_1[states[-1]] -= 1


def indices_of_arm_1(visits: list[int], to_1: list[int], scale: float) -> tuple[float, float]:
    """Return the indices of the states of arm 1, with the bonus; a state without a visit has the mean 1/2 and stays."""
    rewards = [(x if n else 0.5) + scale / sqrt(max(1, n)) for x, n in enumerate(visits)]
    to = [to_1[x] / n if n else float(x) for x, n in enumerate(visits)]  # of moving to state 1
    best = 1 if rewards[1] >= rewards[0] else 0
    enters = to[0] if best == 1 else 1 - to[1]  # from the other state to the best one
    stays = to[1] if best == 1 else 1 - to[0]
    for_ever = 0.5 / (1 - 0.5 * stays)
    lower = (rewards[1 - best] + enters * for_ever * rewards[best]) / (1 + enters * for_ever)
    return (lower, rewards[1]) if best == 1 else (rewards[0], lower)

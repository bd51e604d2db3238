"""MB-UCBVI where the last step of an episode counts as a move to the next one's first state: one bandit, beta = 1/2.

Arm 1 moves from state 0 to state 1 for good and pays 0 and then 1; arm 2 has one state, which pays 2/5; all episodes
begin in state 0. Playing arm 1 is worth 1, playing arm 2 is worth 4/5.
"""

from __future__ import annotations

from flint import fmpq

from theory import ONE, ZERO, Arm, Bandit, gittins_priority, policy_value
from theory.values import optimal_value, priority_policy

HALF = fmpq(1, 2)
STEADY = fmpq(2, 5)
BANDIT = Bandit(
    [Arm(rewards=[0, 1], transitions=[[0, 1], [0, 1]]), Arm(rewards=[STEADY], transitions=[[1]])],
    HALF,
)


def loss_in_the_limit(next_state: str) -> fmpq:
    """Return the loss of an episode with the index policy of the limits of the estimated rows, and no bonus.

    Read literally, these are beta Q(x, .) + (1-beta) rho for an arm that is played to the end of each episode.

    >>> loss_in_the_limit("literal"), loss_in_the_limit("observed")  # 1 - 4/5, and nothing
    (1/5, 0)
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

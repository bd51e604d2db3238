"""The state A3 of the counterexample against B2 and B3, over the whole confidence set."""

from __future__ import annotations

from flint import fmpq

from theory import Arm, Bandit, gittins_indices, optimistic_value
from theory.optimism import largest_expectation
from theory.paper import COUNTEREXAMPLE_REWARD_B, counterexample, counterexample_m1


def a3_against_known_arms() -> dict[str, fmpq]:
    """Return the smallest index of A3 over the set, the most that playing A3 is worth against B3, and B3 for ever.

    One arm moves, so a row per state of arm a is a row per global state: extended value iteration is exact. No index is
    below the smallest reward, which M1 attains in A3.
    """
    estimates, m1 = counterexample(), counterexample_m1()
    arm, beta = estimates.arms[0], estimates.discount
    b3 = Arm(rewards=[COUNTEREXAMPLE_REWARD_B], transitions=[[1]], states=["B3"])
    optimistic = optimistic_value(Bandit([arm, b3], beta), None, (2, 0)).values
    playing = beta * largest_expectation(
        arm.transitions[2], arm.transition_radius[2], tuple(optimistic[x, 0] for x in range(3))
    )
    (smallest,) = {gittins_indices(m1.arms[0], beta)[2], min(arm.rewards)}  # it is attained
    return {
        "smallest index of A3": smallest,
        "index of B2": gittins_indices(m1.arms[1], beta)[1],
        "playing A3 is worth at most": playing,
        "B3 for ever": COUNTEREXAMPLE_REWARD_B / (1 - beta),
    }

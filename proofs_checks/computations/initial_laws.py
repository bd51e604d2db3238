"""An initial law in place of one initial state: a bandit whose first step draws the state of one arm.

The drawn arm has a state more, in which its episode begins. A reward above all that can be gained otherwise makes its
first step the best one for every policy that is any good, so that values from an initial law are values from a state:
with U the reward, U + beta times the mean of the values from the states that may be drawn.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from proofs_checks.statements import Answer, answer
from theory import ZERO, Arm, Bandit, optimistic_value
from theory.certified import Truth
from theory.optimism import shared_supremum

NARROW = fmpq(1, 1000)
FIRST_REWARD = fmpq(1000)
DRAW = "draw"


def with_drawn_start(estimates: Bandit, others: Sequence[str], states: Sequence[str]) -> Bandit:
    """Return estimates whose last arm, known exactly, begins in one of `states`, each as likely as the others.

    Parameters
    ----------
    estimates
        Their last arm has radii 0.
    others
        The initial states of the other arms.
    states
        Of the last arm; one may be named oftener.

    Raises
    ------
    ValueError
        If the last arm is not known.
    """
    arm = estimates.arms[-1]
    if any(arm.transition_radius) or any(arm.reward_radius):
        raise ValueError("the arm that is drawn has to be known exactly")
    share = fmpq(1, len(states))
    row = [share * list(states).count(name) for name in arm.states]
    drawn = Arm(
        rewards=[*arm.rewards, FIRST_REWARD],
        transitions=[*([*each, ZERO] for each in arm.transitions), [*row, ZERO]],
        states=[*arm.states, DRAW],
    )
    return Bandit([*estimates.arms[:-1], drawn], estimates.discount, [*others, DRAW])


def mean_after_draw(value: fmpq, discount: fmpq) -> fmpq:
    """Return the mean over the initial law, from the value of the bandit with the draw."""
    mean: fmpq = (value - FIRST_REWARD) / discount
    return mean


def best_from_law(estimates: Bandit, others: Sequence[str], states: Sequence[str]) -> Answer:
    """Compare extended value iteration's mean over an initial law with the largest mean over the bandits of the set.

    The answer is no where a certified upper bound of the latter is smaller, and yes where a bandit attains the former.
    """
    drawn = with_drawn_start(estimates, others, states)
    extended = optimistic_value(drawn)
    told: dict[str, object] = {"initial law uniform on": [f"({', '.join((*others, state))})" for state in states]}
    told["extended value iteration"] = mean_after_draw(extended.value, drawn.discount)
    if extended.attained:
        return answer(True, **told, attained_by=extended.sharing.bandit)
    enclosure = shared_supremum(drawn, tolerance=NARROW)
    return answer(
        Truth.NO if enclosure.upper < extended.value else Truth.UNDECIDED,
        **told,
        every_bandit_of_the_set_has_at_most=mean_after_draw(enclosure.upper, drawn.discount),
    )


def named(states: str) -> tuple[str, ...]:
    """Return names of states as bandits have them, from a list as it is printed.

    Examples
    --------
    >>> named("A_1, B_3")
    ('A1', 'B3')
    """
    return tuple(each.strip().replace("_", "") for each in states.split(","))

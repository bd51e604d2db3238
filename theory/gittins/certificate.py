r"""A certificate for Gittins indices, to which every method is held.

An index g of state x is right exactly when, with retirement reward :math:`m = g/(1-\beta)`, retiring and playing on are
equally good in x. The check takes each distinct claimed index g and the value function of "play on in the states above
g, retire in the others". This function must satisfy the Bellman equation of the retirement problem, with playing on
strictly better above g, tied at g, and strictly worse below.
"""

from __future__ import annotations

from collections.abc import Sequence

from theory.domain import exact_discount
from theory.gittins.decision import values_with_retirement
from theory.model import Arm, check_arm
from theory.rationals import Exact, rationals
from theory.stopping import one_step, stopped_chain


def refutation(arm: Arm, discount: Exact, indices: Sequence[Exact]) -> str | None:
    """Return why `indices` are not the Gittins indices of `arm`, in one sentence, or None if they are.

    Examples
    --------
    >>> arm = Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], ["1/2", "1/2"]])
    >>> refutation(arm, "1/2", [1, "1/4"]) is None
    True
    >>> refutation(arm, "1/2", [1, "1/3"])
    'state 2, claimed index 1/3: at retirement reward 2/3 playing on is worth 5/9'
    """
    check_arm(arm)
    beta, claimed = exact_discount(discount), rationals(indices)
    if len(claimed) != arm.size:
        return f"{len(claimed)} indices for {arm.size} states"
    for level in dict.fromkeys(claimed):
        retirement = level / (1 - beta)
        inside = [x for x in range(arm.size) if claimed[x] > level]
        values = values_with_retirement(stopped_chain(arm, beta, inside), beta, retirement)
        for x in range(arm.size):
            playing_on = one_step(arm.transitions[x], values, beta, arm.rewards[x])
            gain, above = playing_on - retirement, claimed[x] - level
            if (gain > 0, gain < 0) != (above > 0, above < 0):
                name = arm.states[x] if arm.states else str(x + 1)
                return (
                    f"state {name}, claimed index {claimed[x]}: "
                    f"at retirement reward {retirement} playing on is worth {playing_on}"
                )
    return None


def is_gittins(arm: Arm, discount: Exact, indices: Sequence[Exact]) -> bool:
    """Return whether `indices` are the Gittins indices of `arm`.

    Examples
    --------
    >>> is_gittins(Arm(rewards=[1, 0], transitions=[["1/2", "1/2"], ["1/2", "1/2"]]), "1/2", [1, "1/4"])
    True
    """
    return refutation(arm, discount, indices) is None

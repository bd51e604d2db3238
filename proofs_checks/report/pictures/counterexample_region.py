"""Draw where the counterexample of Theorem 3 works: ``python -m proofs_checks picture counterexample OUT.png``.

The plane is that of the discount and the reward r of B1 and B3; M1 and M2 are as drawn in the paper. Both strict
inequalities can hold only between two curves: the Gittins index of A1 in M2 (below it pi1 is optimal in M2, unless r is
so small that A3 comes before B1) and in M1 (above it playing B3 for ever is optimal in M1). For small discounts, other
bandits of the set give pi1 more than M2 does, and the region ends above the lower curve. Every mark is decided exactly,
by comparing extended value iteration and vertices of the confidence set with the optimal values of M1 and M2.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

from flint import fmpq

from theory import Bandit, best_vertex, gittins_indices, gittins_value, nearest_float, optimistic_value
from theory.paper import counterexample, counterexample_m1, counterexample_m2

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INCHES = (7, 5.5)
PI_1 = ("A2", "A1", "B1", "B3", "A3", "B2")
PI_2 = ("A2", "B1", "B3", "A1", "A3", "B2")
DISCOUNTS = tuple(fmpq(k, 50) for k in range(15, 41))
REWARDS = tuple(fmpq(k, 100) for k in range(304, 341, 2))


def falling_short(discount: fmpq, reward: fmpq) -> tuple[bool, bool]:
    """Decide exactly whether pi1 and pi2 fall short, as the two strict inequalities say, at a discount and a reward.

    Examples
    --------
    >>> falling_short(fmpq(1, 2), fmpq(321, 100))
    (True, True)
    """
    estimates = counterexample(reward_b=reward, discount=discount)
    arm_b = estimates.arms[1]
    m1, m2 = (Bandit([model.arms[0], arm_b], discount) for model in (counterexample_m1(), counterexample_m2()))
    return (
        _falls_short(estimates, PI_1, ("A1", "B1"), gittins_value(m2, ("A1", "B1")).value),
        _falls_short(estimates, PI_2, ("A1", "B3"), gittins_value(m1, ("A1", "B3")).value),
    )


def _falls_short(estimates: Bandit, order: Sequence[str], initial: Sequence[str], optimum: fmpq) -> bool:
    if optimistic_value(estimates, order, initial).value < optimum:  # an upper bound of the supremum
        return True
    if best_vertex(estimates, order, initial).value < optimum:
        raise ArithmeticError(f"whether {order} falls short of {optimum} is not decided")
    return False


def index_of_a1(model: Bandit, discount: fmpq) -> fmpq:
    """Return the exact Gittins index of A1 in `model` at another discount."""
    return gittins_indices(model.arms[0], discount)[0]


def draw(figure: Figure) -> None:
    """Draw the picture into a figure."""
    marks = {at: falling_short(*at) for at in product(DISCOUNTS, REWARDS)}
    axes = figure.add_subplot()
    kinds = (  # Okabe-Ito colours, told apart by shape as well
        ("both inequalities hold", True, True, "o", "#009E73", 26),
        ("only the one on $\\pi_1$ holds", True, False, "_", "#0072B2", 26),
        ("only the one on $\\pi_2$ holds", False, True, "|", "#D55E00", 26),  # one of the two holds everywhere here
    )
    for label, first, second, shape, colour, area in kinds:
        chosen = [[*map(nearest_float, at)] for at, both in marks.items() if both == (first, second)]
        axes.scatter([x for x, _ in chosen], [y for _, y in chosen], marker=shape, c=colour, s=area, label=label)
    fine = [fmpq(k, 400) for k in range(int(DISCOUNTS[0] * 400), int(DISCOUNTS[-1] * 400) + 1)]
    for model, name, style in ((counterexample_m1(), "M^1", "-"), (counterexample_m2(), "M^2", "--")):
        heights = [nearest_float(index_of_a1(model, discount)) for discount in fine]
        label = f"Gittins index of $A_1$ in ${name}$"
        axes.plot([*map(nearest_float, fine)], heights, style, color="black", lw=1.4, label=label)
    axes.plot([0.5], [3.21], marker="*", ms=15, mfc="#F0E442", mec="black", ls="none", label="as printed")
    axes.set_xlabel(r"discount $\beta$")
    axes.set_ylabel(r"reward $r$ of $B_1$ and $B_3$")
    axes.set_title("Where the counterexample of Theorem 3 works (L1 radius 1/5)")
    axes.set_ylim(nearest_float(REWARDS[0]) - 0.02, nearest_float(REWARDS[-1]) + 0.02)
    figure.legend(loc="outside lower center", ncols=3, fontsize=9)

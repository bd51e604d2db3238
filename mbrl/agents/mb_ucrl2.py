"""MB-UCRL2: play a policy that is optimal for the most optimistic bandit of the confidence set (`eq:EVI`).

The optimum is over one row per *global* state: extended value iteration on the product of the arms, which bounds the
supremum over the set's bandits from above. As in the set, rewards may exceed 1 unless `largest_reward` limits them.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Annotated, Any, Final, NamedTuple

import numpy as np

from mbrl.agents.formulas import Formula, FormulaLike
from mbrl.agents.interface import Problem
from mbrl.agents.learner import Learner, check_option
from mbrl.agents.statistics import NextState, UnseenReward, check_product, counts_of_arms, estimate_row
from mbrl.arrays import Floats, Integers
from mbrl.confidence import (
    Radii,
    appendix_step,
    appendix_transition_radius,
    formula_value,
    reward_square,
    transition_square,
)
from mbrl.kernels.compiling import kernel, part
from mbrl.kernels.counting import Counts, count_arm_states
from mbrl.kernels.episodes import learnt_by, planned_by
from mbrl.kernels.extended import Extended, new_extended, solve_extended

_FUNCTION = "module:function of S, n, K, t, N in place of the printed"

LARGEST_PRODUCT = 2**20
"""Global states up to which a plan takes a few seconds at most."""


class ConfidenceSet(NamedTuple):
    """Counts of arm states, the constants of the radii, and the extended process of the last episode."""

    counts: Counts
    arm_states: int  # S n
    episodes: int  # K
    appendix: bool  # whether the radii are those of the appendix, with tau_k in place of t_k
    scale: float  # factor of all radii
    largest_reward: float
    unseen_reward: float
    process: Extended
    table: Integers  # (G,), the table of `process`
    gap: Floats  # (1,)
    reward_formula: Any  # a user's compiled radii, or None
    row_formula: Any
    reward_fault: Floats  # (6,), arguments at which they were not finite
    row_fault: Floats


class MBUCRL2(Learner):
    r"""Optimism over rewards and transitions of arm states.

    Parameters
    ----------
    problem
        What the learner knows beforehand.

    Attributes
    ----------
    values : (G,) float64
        Optimistic value of every global state in the last plan; each is at most `gap` too small.
    ties : str
        Always "first": of arms that gain equally, the first is played.

    Raises
    ------
    TooLargeError
        If the product of the arms is too large.
    """

    needs_bounded_rewards = False
    ties: Final = "first"

    def __init__(
        self,
        problem: Problem,
        *,
        radii: Radii = "text",
        reward_radius: Annotated[FormulaLike, f"{_FUNCTION} radius of a mean reward"] = None,
        row_radius: Annotated[FormulaLike, f"{_FUNCTION} radius of a row of next states"] = None,
        radius: Annotated[FormulaLike, f"{_FUNCTION} radius of both"] = None,
        scale: Annotated[float, "factor of all of MB-UCRL2's radii, above 0; below 1 nothing is proved"] = 1.0,
        largest_reward: Annotated[float, "limit of optimistic mean rewards, in the learner's unit, above 0"] = inf,
        unseen_reward: UnseenReward = 0.0,
        next_state: NextState = "observed",
    ) -> None:
        check_product(problem, LARGEST_PRODUCT)
        of_reward = Formula("reward_radius", reward_radius or radius, problem, radii)
        of_row = Formula("row_radius", row_radius or radius, problem, radii)
        process = new_extended(problem.sizes, problem.discount)
        memory = ConfidenceSet(
            counts_of_arms(problem, next_state),
            problem.arm_states,
            problem.episodes,
            radii == "appendix",
            check_option("scale", scale),
            check_option("largest_reward", largest_reward, most=inf),
            check_option("unseen_reward", unseen_reward, most=1.0, open_below=False),
            process,
            process.table,
            np.zeros(1),
            of_reward.function,
            of_row.function,
            of_reward.fault,
            of_row.fault,
        )
        super().__init__(problem, memory, of_reward, of_row)
        self.values = process.values

    @property
    def gap(self) -> float:
        """Bound on how much too small a number in `values` can be."""
        return float(self._memory.gap[0])


@planned_by(ConfidenceSet)
@kernel
def optimistic_plan(confidence: ConfidenceSet, sizes: Integers, discount: float, rng: np.random.Generator) -> None:
    """Solve the extended process of the confidence set."""
    counts, episodes = confidence.counts, confidence.episodes
    shape = counts.sums.shape
    width = shape[1]
    upper, rows, radii = np.empty(shape), counts.moves.copy(), np.empty(shape)
    step, episode = counts.coming
    time = appendix_step(episodes, episode, discount) if confidence.appendix else float(step)
    pairs, one = confidence.arm_states, (shape, episodes, time)
    of_rewards, of_rows = reward_square(pairs, episodes, time), transition_square(pairs, width, episodes, time)
    once = appendix_transition_radius(1.0, pairs, width, episodes, time) if confidence.appendix else 0.0
    for a in range(shape[0]):
        for x in range(width):
            seen, mean = estimate_row(counts, a, x, sizes[a], confidence.unseen_reward, 0, rows[a, x])
            radius = _radius(confidence.reward_formula, confidence.reward_fault, one, seen, of_rewards, 0.0)
            upper[a, x] = min(mean + confidence.scale * radius, confidence.largest_reward)
            radius = _radius(confidence.row_formula, confidence.row_fault, one, seen, of_rows, once)
            radii[a, x] = confidence.scale * radius
    confidence.gap[0], _ = solve_extended(rows, radii, upper, confidence.process)


@part
def _radius(
    formula: Any, fault: Floats, one: tuple[tuple[int, int], int, float], seen: float, square: float, once: float
) -> float:
    """Return a user's radius, or the printed one; code for a formula that is None is not compiled.

    Parameters
    ----------
    formula, fault
    one
        n and S, K, and the step.
    seen
        Number of visits.
    square, once
        The printed radius of one visit: its square, or else itself.
    """
    if formula is not None:
        return formula_value(formula, fault, one[0], one[1], one[2], seen, 0.0)
    least = max(1.0, seen)
    return once / sqrt(least) if once > 0.0 else sqrt(square / least)


learnt_by(ConfidenceSet)(count_arm_states)

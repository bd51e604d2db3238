"""MB-UCRL2: play a policy that is optimal for the most optimistic bandit of the confidence set (`eq:EVI`).

The optimum is over one row per *global* state: extended value iteration on the product of the arms, which bounds the
supremum over the set's bandits from above. As in the set, rewards may exceed 1 unless `largest_reward` limits them.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Annotated, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from mbrl.agents.formulas import Formula, FormulaLike, formula_for
from mbrl.agents.interface import Problem
from mbrl.agents.learner import Learner, check_option
from mbrl.agents.statistics import NextState, UnseenReward, counts_of_arms, estimate
from mbrl.arrays import product_size, product_text
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
from theory import TooLargeError

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

_FUNCTION = "module:function of S, n, K, t, N in place of the printed"

LARGEST_PRODUCT = 2**20
"""Global states up to which a plan takes a few seconds at most."""


class ConfidenceSet(NamedTuple):
    r"""Counts of arm states, the constants of the radii, and the extended process of the last episode.

    Attributes
    ----------
    counts : Counts
    arm_states, episodes : int
        S n and K.
    appendix : bool
        Whether the radii are those of the appendix, with :math:`\tau_k` in place of :math:`t_k`.
    scale : float
        Factor of all radii.
    largest_reward, unseen_reward : float
    process : Extended
    table : (G,) int64
        The table of `process`.
    gap : (1,)
    reward_formula, row_formula : compiled functions, or None
        A user's radii, both or none; compiled for them alone.
    reward_fault, row_fault : (6,)
        Arguments at which they were not finite.
    """

    counts: Counts
    arm_states: int
    episodes: int
    appendix: bool
    scale: float
    largest_reward: float
    unseen_reward: float
    process: Extended
    table: Integers
    gap: Floats
    reward_formula: Any
    row_formula: Any
    reward_fault: Floats
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
        if product_size(problem.sizes, LARGEST_PRODUCT) is None:
            raise TooLargeError(
                f"mb-ucrl2 solves the product of the arms: {product_text(problem.sizes)} global states are beyond "
                f"{LARGEST_PRODUCT}; use mb-psrl or mb-ucbvi"
            )
        formulas: tuple[Formula, ...] = (
            formula_for("reward_radius", reward_radius or radius, problem, radii),
            formula_for("row_radius", row_radius or radius, problem, radii),
        )
        if any(formula.function is not None for formula in formulas):
            formulas = tuple(formula if formula.function else formula.printed(problem) for formula in formulas)
        process = new_extended(problem.sizes, problem.width, problem.discount)
        memory = ConfidenceSet(
            counts_of_arms(problem, next_state),
            problem.arm_states,
            problem.episodes,
            radii == "appendix",
            check_option("scale", scale),
            check_option("largest_reward", largest_reward),
            check_option("unseen_reward", unseen_reward, most=1.0, open_below=False),
            process,
            process.table,
            np.zeros(1),
            *(formula.function for formula in formulas),
            *(formula.fault for formula in formulas),
        )
        super().__init__(problem, memory, *formulas)
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
    visits, upper, rows, of_rows = np.empty(shape), np.empty(shape), counts.moves.copy(), np.empty(shape)
    estimate(counts, sizes, confidence.unseen_reward, 0, visits, upper, rows)
    step, episode = counts.coming
    time = appendix_step(episodes, episode, discount) if confidence.appendix else float(step)
    squares = _squares(confidence, confidence.reward_formula, width, time)
    for a in range(shape[0]):
        for x in range(width):
            of_reward, of_row = _radii(
                confidence, confidence.reward_formula, confidence.row_formula, visits[a, x], shape, time, squares
            )
            upper[a, x] = min(upper[a, x] + confidence.scale * of_reward, confidence.largest_reward)
            of_rows[a, x] = confidence.scale * of_row
    confidence.gap[0], _ = solve_extended(rows, of_rows, upper, sizes, discount, confidence.process)


@part
def _squares(confidence: ConfidenceSet, formula: Any, width: int, time: float) -> tuple[float, float]:
    """Return the squares of the radii of one visit; for the appendix's radius of a row, the radius itself."""
    if formula is not None:
        return 0.0, 0.0
    pairs, episodes = confidence.arm_states, confidence.episodes
    of_reward = reward_square(pairs, episodes, time)
    if confidence.appendix:
        return of_reward, appendix_transition_radius(1.0, pairs, width, episodes, time)
    return of_reward, transition_square(pairs, width, episodes, time)


@part
def _radii(
    confidence: ConfidenceSet,
    reward_formula: Any,
    row_formula: Any,
    seen: float,
    shape: tuple[int, int],
    time: float,
    squares: tuple[float, float],
) -> tuple[float, float]:
    """Return the radii of a mean reward and of a row; code for a formula that is None is not compiled."""
    if reward_formula is not None:
        episodes = confidence.episodes
        of_reward = formula_value(reward_formula, confidence.reward_fault, shape, episodes, time, seen, 0.0)
        return of_reward, formula_value(row_formula, confidence.row_fault, shape, episodes, time, seen, 0.0)
    least = max(1.0, seen)
    if confidence.appendix:
        return sqrt(squares[0] / least), squares[1] / sqrt(least)
    return sqrt(squares[0] / least), sqrt(squares[1] / least)


learnt_by(ConfidenceSet)(count_arm_states)

"""MB-UCBVI: play the Gittins policy of the estimated bandit with a bonus on its rewards; also with a smaller bonus."""

from __future__ import annotations

from math import sqrt
from typing import Annotated, Any, ClassVar, NamedTuple

import numpy as np

from mbrl.agents.formulas import Formula, FormulaLike
from mbrl.agents.interface import Problem
from mbrl.agents.learner import Learner, check_option
from mbrl.agents.statistics import UNSEEN_ROWS, NextState, UnseenReward, UnseenRows, counts_of_arms, estimate_row
from mbrl.arrays import Floats, Integers
from mbrl.confidence import Radii, appendix_step, bernstein_bonus, formula_value, value_bonus
from mbrl.kernels.compiling import kernel, part
from mbrl.kernels.counting import Counts, count_arm_states
from mbrl.kernels.episodes import learnt_by, planned_by
from mbrl.kernels.gittins import eliminate_by_ratio, settle_ties
from mbrl.kernels.retirement import local_variances
from mbrl.policies import Ties


class Bonus(NamedTuple):
    """Counts of arm states, the constants of the bonus, and the last indices."""

    counts: Counts
    arm_states: int  # S n
    episodes: int  # K
    appendix: bool  # whether the appendix's tau_k replaces t_k
    scale: float  # factor of the bonus
    unseen_reward: float
    unseen_rows: int  # position in `mbrl.agents.statistics.UNSEEN_ROWS`
    indices: Floats  # (n, S), -inf beyond arms
    last_first: bool  # whether the last arm is played if indices are equal
    variances: Floats | None  # (S,), room for an arm's variances, with the bonus of `MBUCBVIBernstein` alone
    order: Integers  # (n * S,), all arm states by their last indices
    formula: Any  # a user's compiled formula in place of the bonus, or None
    fault: Floats  # (6,), arguments at which the formula was not finite


class MBUCBVI(Learner):
    r"""Optimism by a bonus on the mean reward of each arm state.

    Parameters
    ----------
    problem
        What the learner knows beforehand. Indices that are equal up to rounding are equal
        (`mbrl.kernels.gittins.settle_ties`).
    """

    needs_bounded_rewards = False
    _by_variance: ClassVar[bool] = False

    def __init__(
        self,
        problem: Problem,
        *,
        radii: Radii = "text",
        bonus: Annotated[FormulaLike, "module:function of S, n, K, t, N, beta in place of the printed bonus"] = None,
        scale: Annotated[float, "factor of MB-UCBVI's bonus, above 0; below 1 nothing is proved"] = 1.0,
        unseen_rows: UnseenRows = "uniform",
        unseen_reward: UnseenReward = 0.0,
        ties: Annotated[Ties, "which arm is played if indices are equal"] = "first",
        next_state: NextState = "observed",
    ) -> None:
        formula = Formula("bonus", bonus, problem, radii)
        memory = Bonus(
            counts_of_arms(problem, next_state),
            problem.arm_states,
            problem.episodes,
            radii == "appendix",
            check_option("scale", scale),
            check_option("unseen_reward", unseen_reward, most=1.0, open_below=False),
            UNSEEN_ROWS.index(unseen_rows),
            np.full(problem.shape, -np.inf),
            ties == "last",
            np.empty(problem.width) if self._by_variance else None,
            np.arange(problem.arms * problem.width),
            formula.function,
            formula.fault,
        )
        super().__init__(problem, memory, formula)


class MBUCBVIBernstein(MBUCBVI):
    r"""MB-UCBVI with a bonus from variances local to the arm; not in the paper, and not proved optimistic.

    The bonus of an arm state seen N times is the smaller of MB-UCBVI's bonus and the empirical-Bernstein bonus
    :math:`\sqrt{2 v l / N} + 7 B l / (3 (N - 1))` of Maurer and Pontil (2009), with :math:`B = 1/(1-\beta)` and
    MB-UCBVI's logarithm l (`mbrl.confidence.bernstein_bonus`). Here v bounds, at every retirement reward m, the sample
    variance of the reward plus :math:`\beta` times the value of the *estimated* arm with m in the next state
    (`mbrl.kernels.retirement`). Rewards and next states are not counted jointly, so v is the square of the sum of their
    two standard deviations (Minkowski). The optimal value of any bandit with this arm is a constant plus a mixture of S
    such functions, so the maximum over m covers it.

    The values are those of the estimates without a bonus. With the bonus they would be far above B for most of a run;
    cut off at B they would be equal in all states, and v would miss their variance.

    For the true arm's values both bonuses hold except with a probability of at most 2S/K in an episode. (As in the
    project's bound for MB-UCBVI, the union over S functions and two inequalities enters this probability, not l.) That
    the estimated arm's values may replace the true ones is *not* proved.

    Parameters and errors are those of `MBUCBVI`; with a `bonus`, the smallest of the three bonuses counts. Rewards must
    lie in 0..1.
    """

    needs_bounded_rewards = True
    _by_variance = True


@planned_by(Bonus)
@kernel
def optimistic_indices(bonus: Bonus, sizes: Integers, discount: float, rng: np.random.Generator) -> None:
    """Write the indices of the estimated arms with a bonus on their rewards."""
    counts, indices = bonus.counts, bonus.indices
    width = indices.shape[1]
    work, rewards, states = np.empty((width + 4, width)), np.empty(width), np.empty(width, np.int64)
    visits, lowest, largest = np.empty(width), 0.0, 0.0
    step, episode = counts.coming
    time = appendix_step(bonus.episodes, episode, discount) if bonus.appendix else float(step)
    for a in range(sizes.size):
        size = sizes[a]
        for x in range(size):
            visits[x], rewards[x] = estimate_row(counts, a, x, size, bonus.unseen_reward, bonus.unseen_rows, work[x])
        of_arm = rewards[:size]
        _add_bonuses(of_arm, visits, counts.squares[a], work, bonus, bonus.variances, bonus.formula, time, discount)
        eliminate_by_ratio(work, of_arm, discount, states, indices[a, :size])
        for x in range(size):
            lowest, largest = min(lowest, rewards[x]), max(largest, abs(rewards[x]))
    settle_ties(indices, largest if lowest < 0.0 else 0.0, bonus.order)


@part
def _add_bonuses(
    rewards: Floats,
    visits: Floats,
    squares: Floats,
    rows: Floats,
    bonus: Bonus,
    variances: Floats | None,
    formula: Any,
    time: float,
    discount: float,
) -> None:
    """Add the bonuses to the (s,) mean `rewards` of an arm; code for an argument that is None is not compiled."""
    size, pairs, episodes = rewards.size, bonus.arm_states, bonus.episodes
    if variances is not None:
        local_variances(rows[:size, :size], rewards, discount, variances[:size])
    for x in range(size):
        seen = visits[x]
        if formula is None:
            added = value_bonus(seen, pairs, episodes, time, discount)
        else:
            added = formula_value(formula, bonus.fault, bonus.indices.shape, episodes, time, seen, discount)
        if variances is not None and seen > 1.0:
            of_reward = max(0.0, squares[x] / seen - rewards[x] ** 2)
            spread = sqrt(of_reward) + discount * sqrt(variances[x])
            variance = spread * spread * seen / (seen - 1.0)
            added = min(added, bernstein_bonus(seen, variance, pairs, episodes, time, discount))
        rewards[x] += bonus.scale * added


learnt_by(Bonus)(count_arm_states)

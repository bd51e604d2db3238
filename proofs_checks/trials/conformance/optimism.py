"""Counts of the episodes shown to a learner, kept apart from the learner, and a check of its optimistic values.

The confidence set is that of `mbrl.confidence`, around the estimates from all episodes shown so far (`eq:conf_rq`). Its
radii are floats, read as the rationals that they equal; estimates and comparisons are exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from flint import fmpq

from mbrl.agents.interface import Problem, Trajectory
from mbrl.confidence import reward_radius, transition_radius
from proofs_checks.trials.conformance.arrays import FloatArray
from theory import Arm, Bandit, GlobalState, optimistic_value, value_of_float
from theory.optimism import distance, largest_expectation, upper_reward
from theory.values import global_states, values_after

Step: TypeAlias = tuple[tuple[int, ...], int, int, float]

_INSTEAD = "optimism of learners is judged on small bandits only"


class Shown:
    """Counts of the steps of all episodes so far.

    Attributes
    ----------
    steps : int
    visits : (n, S) int64
    seen : Counter
        Number of occurrences of each step: global state, arm, next state of the arm, reward.
    """

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._moves = np.zeros((problem.arms, problem.width, problem.width), dtype=np.int64)
        self._paid = np.zeros((problem.arms, problem.width), dtype=np.int64)
        self.steps = 0
        self.seen: Counter[Step] = Counter()

    @property
    def visits(self) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
        """How often each arm state was played."""
        total: np.ndarray[tuple[int, ...], np.dtype[np.int64]] = self._moves.sum(axis=2)
        return total

    def add(self, episode: Trajectory) -> None:
        """Count an episode."""
        np.add.at(self._moves, (episode.arms, episode.states, episode.next_states), 1)
        np.add.at(self._paid, (episode.arms, episode.states), episode.rewards.astype(np.int64))
        self.steps += episode.length
        now = episode.start.tolist()
        for a, y, reward in zip(
            *(of.tolist() for of in (episode.arms, episode.next_states, episode.rewards)), strict=True
        ):
            self.seen[tuple(now), a, y, reward] += 1
            now[a] = y

    def same_arm(self, a: int, b: int, renamed: Sequence[int]) -> bool:
        """Return whether arms a and b were shown alike if state x of a corresponds to state ``renamed[x]`` of b."""
        size, names = len(renamed), np.array(renamed)
        same_moves = np.array_equal(self._moves[a, :size, :size], self._moves[b][np.ix_(names, names)])
        return same_moves and np.array_equal(self._paid[a, :size], self._paid[b, names])

    def same_when_exchanged(self, a: int, b: int, renamed: Sequence[int]) -> bool:
        """Return whether exchanging arms a and b, with states as in `same_arm`, leaves the counts unchanged."""
        back, arms = np.argsort(renamed).tolist(), {a: b, b: a}
        places = {a: renamed, b: back}

        def exchanged(step: Step) -> Step:
            state, arm, after, reward = step
            there = list(state)
            there[a], there[b] = back[state[b]], renamed[state[a]]
            return tuple(there), arms.get(arm, arm), places[arm][after] if arm in places else after, reward

        return all(self.seen.get(exchanged(step)) == times for step, times in self.seen.items())

    def confidence_set(self, truth: Bandit) -> Bandit:
        """Return the estimates with their radii, as a bandit with the initial state of `truth`.

        The estimates of an arm state never played are mean reward 0 and the uniform row.
        """
        problem, visits = self._problem, self.visits
        seen, step = visits.astype(float), 1 + self.steps
        of_rewards = reward_radius(seen, problem.arm_states, problem.episodes, step)
        of_rows = transition_radius(seen, problem.arm_states, problem.width, problem.episodes, step)
        arms = []
        for a, size in enumerate(truth.sizes):
            rewards, rows = [], []
            for x in range(size):
                count = int(visits[a, x])
                rewards.append(fmpq(int(self._paid[a, x]), max(1, count)))
                moves = [int(self._moves[a, x, y]) for y in range(size)]
                rows.append([fmpq(move, count) if count else fmpq(1, size) for move in moves])
            arms.append(
                Arm(
                    rewards=rewards,
                    transitions=rows,
                    reward_radius=[value_of_float(of_rewards[a, x]) for x in range(size)],
                    transition_radius=[value_of_float(of_rows[a, x]) for x in range(size)],
                )
            )
        return Bandit(arms, truth.discount, truth.start())


def contains(confidence: Bandit, truth: Bandit) -> bool:
    """Return whether every reward and every row of `truth` is within the radii of `confidence`.

    Examples
    --------
    >>> def with_first(reward, row, **radii):
    ...     rows = [[fmpq(row, 16), 1 - fmpq(row, 16)], ["1/2", "1/2"]]
    ...     return Bandit([Arm(rewards=[fmpq(reward, 16), "1/2"], transitions=rows, **radii)], "1/2", [0])
    >>> around = with_first(8, 8, reward_radius=["1/8"] * 2, transition_radius=["1/2"] * 2)
    >>> [reward for reward in range(17) if contains(around, with_first(reward, 8))]
    [6, 7, 8, 9, 10]
    >>> [row for row in range(17) if contains(around, with_first(8, row))]
    [4, 5, 6, 7, 8, 9, 10, 11, 12]
    """
    return all(
        abs(around.rewards[x] - arm.rewards[x]) <= around.reward_radius[x]
        and distance(around.transitions[x], arm.transitions[x]) <= around.transition_radius[x]
        for around, arm in zip(confidence.arms, truth.arms, strict=True)
        for x in range(arm.size)
    )


def optimistic_shortfall(confidence: Bandit, values: FloatArray, forgiven: fmpq) -> fmpq:
    r"""Return the largest amount by which a value is below the exact optimistic value of its global state.

    The amount is at most :math:`\max(TV - V)/(1-\beta)`, by one sweep of the optimistic operator T. If this bound is at
    most `forgiven`, nothing is solved and the answer is 0.
    """
    found = as_table(confidence, values)
    gain = max(
        _optimistic_action_value(confidence, found, state, a) - value
        for state, value in found.items()
        for a in range(len(confidence.arms))
    )
    if gain <= forgiven * (1 - confidence.discount):
        return fmpq(0)
    wanted = optimistic_value(confidence).values
    return max(wanted[state] - value for state, value in found.items())


def as_table(bandit: Bandit, values: FloatArray) -> dict[GlobalState, fmpq]:
    """Return (G,) values by global state, in mbrl's order: the last arm's state varies fastest."""
    return {state: value_of_float(value) for state, value in zip(global_states(bandit, _INSTEAD), values, strict=True)}


def _optimistic_action_value(bandit: Bandit, values: dict[GlobalState, fmpq], state: GlobalState, a: int) -> fmpq:
    arm, x = bandit.arms[a], state[a]
    after = largest_expectation(arm.transitions[x], arm.transition_radius[x], values_after(bandit, values, state, a))
    return upper_reward(bandit, a, state[a]) + bandit.discount * after

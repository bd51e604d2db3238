"""The episodes shown to a learner, counted apart from the learner, and a check of its optimistic values.

The confidence set is that of `mbrl.confidence`, around the estimates from all episodes shown so far (`eq:conf_rq`). Its
radii are floats, read as the rationals that they equal; estimates and comparisons are exact.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from flint import fmpq

from mbrl.agents.interface import Problem, Trajectory
from mbrl.arrays import Floats, stacked
from mbrl.confidence import reward_radius, transition_radius
from proofs_checks.trials.history import History
from theory import Bandit, GlobalState, value_of_float
from theory.optimism import extended_process
from theory.values import global_states

Step: TypeAlias = tuple[tuple[int, ...], int, int, float]
"""A global state, the arm played, its next state, and the reward."""

SMALL = "learners are judged on small bandits only"


class Shown:
    """The history shown to a learner, and the number of occurrences of each step."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self.history = History.empty(problem.sizes.tolist())
        self._seen: Counter[Step] = Counter()

    @property
    def visits(self) -> Floats:
        """How often each arm state was played, (n, S)."""
        return stacked(self.history.visits, self._problem.sizes, 1, "visits")

    def add(self, episode: Trajectory) -> None:
        """Count an episode."""
        self.history = self.history.after(episode)
        now = episode.start.tolist()
        steps = (each.tolist() for each in (episode.arms, episode.next_states, episode.rewards))
        for a, y, reward in zip(*steps, strict=True):
            self._seen[tuple(now), a, y, reward] += 1
            now[a] = y

    def same_arm(self, a: int, b: int, renamed: Sequence[int]) -> bool:
        """Return whether arms a and b were shown alike if state x of a corresponds to state ``renamed[x]`` of b."""
        moves, paid = self.history.moves, self.history.paid
        return all(
            paid[a][x] == paid[b][there] and moves[a][x] == tuple(moves[b][there][y] for y in renamed)
            for x, there in enumerate(renamed)
        )

    def same_when_exchanged(self, a: int, b: int, renamed: Sequence[int]) -> bool:
        """Return whether exchanging arms a and b, with states as in `same_arm`, leaves the counts unchanged."""
        back = [renamed.index(x) for x in range(len(renamed))]
        arms, places = {a: b, b: a}, {a: renamed, b: back}

        def exchanged(step: Step) -> Step:
            state, arm, after, reward = step
            there = list(state)
            there[a], there[b] = back[state[b]], renamed[state[a]]
            return tuple(there), arms.get(arm, arm), places[arm][after] if arm in places else after, reward

        return all(self._seen.get(exchanged(step)) == times for step, times in self._seen.items())

    def confidence_set(self, truth: Bandit) -> Bandit:
        """Return the estimates with their radii, as a bandit with the initial state of `truth`."""
        problem, seen, step = self._problem, self.visits, self.history.step
        of_rewards = reward_radius(seen, problem.arm_states, problem.episodes, step)
        of_rows = transition_radius(seen, problem.arm_states, problem.width, problem.episodes, step)
        arms = [
            replace(
                self.history.arm(a),
                reward_radius=tuple(map(value_of_float, of_rewards[a, :size].tolist())),
                transition_radius=tuple(map(value_of_float, of_rows[a, :size].tolist())),
            )
            for a, size in enumerate(truth.sizes)
        ]
        return Bandit(arms, truth.discount, truth.start())


def optimistic_shortfall(confidence: Bandit, values: Floats, forgiven: fmpq) -> fmpq:
    r"""Return the largest amount by which a value is below the exact optimistic value of its global state.

    The amount is at most :math:`\max(TV - V)/(1-\beta)`, by one sweep of the optimistic operator T. If this bound is at
    most `forgiven`, nothing is solved and the answer is 0.
    """
    found, process = as_table(confidence, values), extended_process(confidence)
    gain = max(
        process.worth(action.greedy(found), found) - found[state]
        for state, actions in process.actions.items()
        for action in actions
    )
    if gain <= forgiven * (1 - confidence.discount):
        return fmpq(0)
    wanted = process.solve().values
    return max(wanted[state] - value for state, value in found.items())


def as_table(bandit: Bandit, values: Floats) -> dict[GlobalState, fmpq]:
    """Return (G,) values by global state, in mbrl's order: the last arm's state varies fastest."""
    return dict(zip(global_states(bandit, SMALL), map(value_of_float, values.tolist()), strict=True))

"""Can the maximising rows of extended value iteration be shared? Then a bandit of the confidence set attains its value.

Global states in which the same arm is played in the same state must use one row. Some row maximises in all of them at
once exactly when a row that maximises the *sum* of their objectives does. So one greedy maximisation decides each arm
state, ties included. The answer is

* yes, with the bandit, if rows chosen in this way suffice in all global states that play with them can reach;
* no, if some arm state has no such row for the global states that play reaches under every choice of optimal arms and
  maximising rows;
* undecided, if ties between arms or rows leave both open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq

from theory.decision_process import Solution
from theory.model import ArmState, Bandit, GlobalState
from theory.optimism.confidence_set import member_with_rows
from theory.optimism.l1_ball import always_possible, greedy_row
from theory.rationals import ZERO
from theory.stopping import mean
from theory.values import moved, values_after

Row: TypeAlias = tuple[fmpq, ...]


@dataclass(frozen=True)
class Sharing:
    """Whether play from the initial state can share the maximising rows; `attained` is None if ties leave it undecided.

    If so, `bandit` is the one of the confidence set with upper rewards and the shared rows. If not, `conflict` is an
    arm state that needs different rows in different global states.
    """

    attained: bool | None
    bandit: Bandit | None
    conflict: ArmState | None


def decide_sharing(bandit: Bandit, start: GlobalState, solution: Solution[GlobalState, int]) -> Sharing:
    """Decide whether a bandit of the set around `bandit` attains the value of `solution` from `start`."""

    def some_next_states(state: GlobalState, arm: int, row: Row) -> list[int]:
        return [y for y, probability in enumerate(row) if probability]

    shared, _ = _share(bandit, start, solution, solution.policy.__getitem__, some_next_states)
    if shared is not None:
        return Sharing(True, member_with_rows(bandit, shared), None)

    def only_optimal_arm(state: GlobalState) -> int | None:
        optimal = solution.optimal[state]
        return optimal[0] if len(optimal) == 1 else None

    def sure_next_states(state: GlobalState, arm: int, row: Row) -> list[int]:
        owner, x = bandit.arms[arm], state[arm]
        after = values_after(bandit, solution.values, state, arm)
        return always_possible(owner.transitions[x], owner.transition_radius[x], after)

    forced, conflict = _share(bandit, start, solution, only_optimal_arm, sure_next_states)
    return Sharing(False if forced is None else None, None, conflict)


def _share(
    bandit: Bandit,
    start: GlobalState,
    solution: Solution[GlobalState, int],
    arm_in: Callable[[GlobalState], int | None],
    next_states: Callable[[GlobalState, int, Row], list[int]],
) -> tuple[dict[ArmState, Row] | None, ArmState | None]:
    """Follow play from `start` and return one maximising row per arm state, or an arm state that has none.

    Play stops where `arm_in` is None. Rows depend on the global states met, and these on the rows, so both grow until
    neither changes.
    """
    met = {start}
    while True:
        groups: dict[ArmState, list[GlobalState]] = {}
        for state in sorted(met):
            a = arm_in(state)
            if a is not None:
                groups.setdefault((a, state[a]), []).append(state)
        shared: dict[ArmState, Row] = {}
        for (a, x), states in groups.items():
            estimate, radius = bandit.arms[a].transitions[x], bandit.arms[a].transition_radius[x]
            worth = [values_after(bandit, solution.values, state, a) for state in states]
            row = greedy_row(estimate, radius, [sum(column, ZERO) for column in zip(*worth, strict=True)])
            if any(mean(row, after) != mean(greedy_row(estimate, radius, after), after) for after in worth):
                return None, (a, x)
            shared[a, x] = row
        found = {
            moved(state, a, y)
            for (a, x), states in groups.items()
            for state in states
            for y in next_states(state, a, shared[a, x])
        }
        if found <= met:
            return shared, None
        met |= found

r"""Exact extended value iteration: the largest value over all policies *and* all transition rows within the radii.

On the product space the maximisation may choose a row per *global* state (`eq:EVI`). A Markovian bandit of the
confidence set has one row per *arm state*, which all global states with the arm there share: a smaller set. So the
result bounds the supremum over the set's bandits from above, and equals it if the maximising rows can be shared in all
global states that play can reach from the initial state.

With finitely many policies and rational data, policy iteration ends with the exact rational optimum. Rewards take the
upper end of their radius. The set of `eq:conf_rq` does not cut them off at 1; `largest_reward` does.

*Can the maximising rows be shared?* Global states in which the same arm is played in the same state must use one row.
Some row maximises in all of them at once exactly when a row that maximises the *sum* of their objectives does. So one
greedy maximisation decides each arm state, ties included. The answer is

* yes, with the bandit, if rows chosen in this way suffice in all global states that play with them can reach;
* no, if some arm state has no such row for the global states that play reaches under every choice of optimal arms and
  maximising rows;
* undecided, if ties between arms or rows leave both open.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from flint import fmpq

from theory.decision_process import DecisionProcess, OrderRule, Solution
from theory.domain import named_rational
from theory.errors import ModelError
from theory.model import ArmState, Bandit, GlobalState, check_bandit
from theory.optimism.confidence_set import member_with_rows, upper_reward
from theory.optimism.l1_ball import always_possible, greedy_row
from theory.rationals import ZERO, Exact
from theory.stopping import mean
from theory.values import Activation, moved, priority_policy, product_process, values_after

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


_INSTEAD = "extended value iteration needs the product; with all radii 0 its value is that of the Gittins policy"


@dataclass(frozen=True)
class OptimisticValue:
    """The outcome of extended value iteration.

    `value` is the value from the initial state, `values` those from every global state. Also by global state: `policy`
    is an optimistic one, or the given one, and `rows` has a maximising row, (S_a,), of the arm played. `sharing` says
    whether a bandit of the confidence set has this value from the initial state, and which.
    """

    value: fmpq
    values: dict[GlobalState, fmpq]
    policy: dict[GlobalState, int]
    rows: dict[GlobalState, tuple[fmpq, ...]]
    sharing: Sharing

    @property
    def attained(self) -> bool | None:
        """Whether the supremum over the set of bandits is attained at this value; None if undecided by ties."""
        return self.sharing.attained


def optimistic_value(
    bandit: Bandit,
    priority: Sequence[str | ArmState] | None = None,
    initial: Sequence[int | str] | None = None,
    largest_reward: Exact | None = None,
) -> OptimisticValue:
    """Return the exact result of extended value iteration over the radii of `bandit`.

    Parameters
    ----------
    bandit
        Estimates with their radii.
    priority
        If given, only this priority policy is considered; the maximum is then over rows alone.
    initial
        One state per arm; the model's own where omitted.
    largest_reward
        If given, plausible models have no larger rewards: 1 where rewards are known to lie in [0, 1].

    Raise `ModelError` for a bad priority order, a missing initial state, or a largest reward below every plausible one.
    Raise `TooLargeError` if the product of the arms is too large.

    Examples
    --------
    >>> from theory import Arm, paper_model
    >>> best = optimistic_value(paper_model("counterexample"))
    >>> best.value, best.attained
    (49167/7600, True)
    >>> arm = Arm(rewards=["1/2"], transitions=[[1]], reward_radius=["2/3"])
    >>> bandit = Bandit([arm], "1/2", [0])
    >>> optimistic_value(bandit).value, optimistic_value(bandit, largest_reward=1).value
    (7/3, 2)
    """
    check_bandit(bandit)
    if largest_reward is not None:
        bandit = with_rewards_at_most(bandit, largest_reward)
    start = bandit.start(initial)
    solution = extended_process(bandit, priority).solve()
    rows = {state: tuple(action.row) for state, action in solution.actions.items()}
    return OptimisticValue(
        solution.values[start], solution.values, solution.policy, rows, decide_sharing(bandit, start, solution)
    )


def extended_process(
    bandit: Bandit, priority: Sequence[str | ArmState] | None = None
) -> DecisionProcess[GlobalState, int]:
    """Return the decision process that maximises over arms and rows of the balls; with `priority`, over rows only.

    Raise `ModelError` for a bad priority order. Raise `TooLargeError` if the product of the arms is too large.
    """

    def upper(a: int, x: int) -> Activation:
        row, radius = bandit.arms[a].transitions[x], bandit.arms[a].transition_radius[x]
        return Activation(upper_reward(bandit, a, x), row, OrderRule(partial(greedy_row, row, radius)))

    policy = None if priority is None else priority_policy(bandit, priority)
    return product_process(bandit, upper, policy, instead=_INSTEAD)


def with_rewards_at_most(bandit: Bandit, largest: Exact) -> Bandit:
    """Return the bandit with every reward at the upper end of its radius, or at `largest` where that is less.

    The rewards have no radii left; rows keep theirs.

    Raise `ModelError` if all plausible rewards of some arm state lie above `largest`. Raise `NumberError` for a number
    that is not exact.
    """
    check_bandit(bandit)
    most = named_rational(largest, "largest reward")
    for a, x in bandit.arm_states:
        least = bandit.arms[a].rewards[x] - bandit.arms[a].reward_radius[x]
        if least > most:
            where = f"arm {a + 1}, state {bandit.name((a, x))}"
            raise ModelError(f"{where}: plausible rewards are {least} or more, and so all above {most}")
    return with_rewards_cut_off(bandit, most)


def with_rewards_cut_off(bandit: Bandit, most: fmpq) -> Bandit:
    """Return what `with_rewards_at_most` does, even where all plausible rewards lie above `most`."""
    arms = [
        replace(
            arm,
            rewards=tuple(min(upper_reward(bandit, a, x), most) for x in range(arm.size)),
            reward_radius=(),
            reward_laws=(),
        )
        for a, arm in enumerate(bandit.arms)
    ]
    return Bandit(arms, bandit.discount, bandit.initial)

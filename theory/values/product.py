r"""Policies on the product of the arms' state spaces: any deterministic policy, exactly, while the product is small.

The global chain of a policy has one row per global state; its value solves :math:`(I - \beta P^\pi) V = r^\pi`
(`eq:exact_value`). Nothing here uses indices or conservation laws, so this is the independent word on both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from flint import fmpq, fmpq_mat

from theory.errors import ModelError, TooLargeError
from theory.model import ArmState, Bandit, GlobalState
from theory.stopping import one_step

Policy: TypeAlias = "Callable[[GlobalState], int] | Mapping[GlobalState, int]"
"""Which arm to play (by index from 0) in each global state."""

PolicyTable: TypeAlias = dict[GlobalState, int]
Values: TypeAlias = dict[GlobalState, fmpq]
Row: TypeAlias = Sequence[fmpq]

LARGEST_PRODUCT = 2048


def global_states(bandit: Bandit, instead: str, largest: int = LARGEST_PRODUCT) -> list[GlobalState]:
    """Return all global states.

    Parameters
    ----------
    bandit
        The bandit.
    instead
        What to use when the product is too large; ends the error's sentence.
    largest
        The largest product allowed.

    Raises
    ------
    TooLargeError
        Beyond `largest` global states.
    """
    count = bandit.number_of_global_states
    if count > largest:
        sizes = " * ".join(map(str, bandit.sizes)) if len(bandit.arms) <= 12 else f"{len(bandit.arms)} arms"
        raise TooLargeError(
            f"the product of the arms has {count} global states ({sizes}), beyond {largest} for exact linear "
            f"systems; {instead}"
        )
    return list(product(*(range(size) for size in bandit.sizes)))


def moved(state: GlobalState, arm: int, to: int) -> GlobalState:
    """Return `state` after `arm` has moved to its state `to`."""
    return (*state[:arm], to, *state[arm + 1 :])


def policy_table(bandit: Bandit, policy: Policy) -> PolicyTable:
    """Return `policy` as a table over all global states.

    Raises
    ------
    ModelError
        Where the policy names no arm of the bandit, or has no entry.
    TooLargeError
        If the product is too large.
    """
    table: PolicyTable = {}
    for state in global_states(bandit, _USE_CONSERVATION):
        arm = policy.get(state) if isinstance(policy, Mapping) else policy(state)
        if not isinstance(arm, int) or isinstance(arm, bool) or not 0 <= arm < len(bandit.arms):
            raise ModelError(f"policy, global state {state}: {arm!r} is not an arm; arms are 0..{len(bandit.arms) - 1}")
        table[state] = arm
    return table


def priority_policy(bandit: Bandit, priority: Sequence[str | ArmState]) -> Callable[[GlobalState], int]:
    """Return the policy that plays the arm whose state comes first in `priority`.

    Raises
    ------
    ModelError
        For an order that is not strict and complete.
    """
    rank = {state: position for position, state in enumerate(bandit.priority(priority))}

    def play(state: GlobalState) -> int:
        return min(range(len(state)), key=lambda a: rank[a, state[a]])

    return play


def policy_value(bandit: Bandit, policy: Policy) -> Values:
    """Return the exact value of `policy` from every global state, by one linear system (`eq:exact_value`).

    Raises
    ------
    ModelError
        Where the policy names no arm.
    TooLargeError
        If the product is too large for it.

    Examples
    --------
    >>> from theory import paper_model
    >>> bandit = paper_model("counterexample-m2")
    >>> order = ["A2", "A1", "B1", "B3", "A3", "B2"]
    >>> policy_value(bandit, priority_policy(bandit, order))[bandit.start()]
    41117/6900
    """
    table = policy_table(bandit, policy)
    rewards = {state: bandit.arms[a].rewards[state[a]] for state, a in table.items()}
    rows = {state: bandit.arms[a].transitions[state[a]] for state, a in table.items()}
    return solve_chain(bandit.discount, table, rewards, rows)


def solve_chain(
    discount: fmpq, table: PolicyTable, rewards: Mapping[GlobalState, fmpq], rows: Mapping[GlobalState, Row]
) -> Values:
    """Return the value of playing arm `table[x]` with reward `rewards[x]` and next-state law `rows[x]` in each x."""
    position = {state: i for i, state in enumerate(table)}
    system = fmpq_mat(len(table), len(table))
    right = fmpq_mat(len(table), 1)
    for state, i in position.items():
        system[i, i] += 1
        right[i, 0] = rewards[state]
        for to, probability in enumerate(rows[state]):
            if probability:
                j = position[moved(state, table[state], to)]
                system[i, j] -= discount * probability
    solution = system.solve(right)
    return {state: solution[i, 0] for state, i in position.items()}


def values_after(bandit: Bandit, values: Mapping[GlobalState, fmpq], state: GlobalState, arm: int) -> tuple[fmpq, ...]:
    """Return what each next state of `arm` is worth, the other arms staying where `state` has them."""
    return tuple(values[moved(state, arm, y)] for y in range(bandit.arms[arm].size))


def action_value(bandit: Bandit, values: Mapping[GlobalState, fmpq], state: GlobalState, arm: int) -> fmpq:
    """Return the value of playing `arm` once in `state` and then collecting `values`."""
    owner, x = bandit.arms[arm], state[arm]
    return one_step(owner.transitions[x], values_after(bandit, values, state, arm), bandit.discount, owner.rewards[x])


@dataclass(frozen=True)
class ProductOptimum:
    """The optimal values over all deterministic policies on the product, and an optimal policy."""

    values: Values
    policy: PolicyTable


def optimal_value(bandit: Bandit) -> ProductOptimum:
    """Return the optimum over all policies of the product, by exact policy iteration; indices are not used.

    Raises
    ------
    TooLargeError
        If the product is too large for it.

    Examples
    --------
    >>> from theory import paper_model
    >>> optimal_value(paper_model("counterexample-m2")).values[0, 0]
    1799/300
    """
    policy = policy_table(bandit, lambda _: 0)
    while True:
        values = policy_value(bandit, policy)
        improved = dict(policy)
        for state, playing in policy.items():
            best, best_arm = values[state], playing  # kept on a tie, so the iteration ends
            for arm in range(len(bandit.arms)):
                candidate = action_value(bandit, values, state, arm)
                if candidate > best:
                    best, best_arm = candidate, arm
            improved[state] = best_arm
        if improved == policy:
            return ProductOptimum(values, policy)
        policy = improved


def bellman_refutation(bandit: Bandit, values: Mapping[GlobalState, fmpq]) -> str | None:
    """Return why `values` are not the optimal values, in one sentence, or None if they are.

    Values are optimal exactly when they satisfy the Bellman equation in every global state.
    """
    for state in global_states(bandit, _USE_CONSERVATION):
        best = max(action_value(bandit, values, state, arm) for arm in range(len(bandit.arms)))
        if best != values[state]:
            names = ", ".join(bandit.name((a, x)) for a, x in enumerate(state))
            return f"global state ({names}): claimed value {values[state]}, the best action is worth {best}"
    return None


def is_optimal(bandit: Bandit, values: Mapping[GlobalState, fmpq]) -> bool:
    """Return whether `values` satisfy the Bellman equation, and so are the optimal values."""
    return bellman_refutation(bandit, values) is None


def reachable(start: Iterable[GlobalState], table: PolicyTable, rows: Mapping[GlobalState, Row]) -> set[GlobalState]:
    """Return the global states that play can reach from `start` with positive probability."""
    found = set(start)
    waiting = list(found)
    while waiting:
        state = waiting.pop()
        for to, probability in enumerate(rows[state]):
            following = moved(state, table[state], to)
            if probability and following not in found:
                found.add(following)
                waiting.append(following)
    return found


_USE_CONSERVATION = "use the conservation laws instead (theory.values.priority_value), which need no product"

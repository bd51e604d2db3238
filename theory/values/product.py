r"""Exact values of any deterministic policy, on the product of the arms' state spaces while it is small.

The global chain of a policy has one row per global state; its value solves :math:`(I - \beta P^\pi) V = r^\pi`
(`eq:exact_value`). Nothing here uses indices or conservation laws, so it checks both independently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from numbers import Integral
from typing import NamedTuple, TypeAlias

from flint import fmpq

from theory.decision_process import Action, DecisionProcess, GreedyRule, Row, Solution, values_of_chain
from theory.errors import ModelError, TooLargeError, shown
from theory.model import ArmState, Bandit, GlobalState, check_bandit
from theory.rationals import decimal_text

Policy: TypeAlias = "Callable[[GlobalState], int] | Mapping[GlobalState, int]"
"""Returns the arm to play, by index from 0, in each global state."""

PolicyTable: TypeAlias = dict[GlobalState, int]
Values: TypeAlias = dict[GlobalState, fmpq]

LARGEST_PRODUCT = 2048

_USE_CONSERVATION = "for a priority policy use the conservation laws, which need no product"


def global_states(bandit: Bandit, instead: str, largest: int = LARGEST_PRODUCT) -> list[GlobalState]:
    """Return all global states.

    Raise `TooLargeError` beyond `largest` global states; the error ends with the advice `instead`.
    """
    check_bandit(bandit)
    count = bandit.number_of_global_states
    if count > largest:
        sizes = " * ".join(map(str, bandit.sizes)) if len(bandit.arms) <= 12 else f"{len(bandit.arms)} arms"
        number = str(count) if count < 10**15 else f"about {decimal_text(count, 3)}"
        raise TooLargeError(
            f"the product of the arms has {number} global states ({sizes}), beyond {largest} for exact "
            f"linear systems; {instead}"
        )
    return list(product(*(range(size) for size in bandit.sizes)))


def moved(state: GlobalState, arm: int, to: int) -> GlobalState:
    """Return `state` after `arm` has moved to its state `to`."""
    return (*state[:arm], to, *state[arm + 1 :])


def policy_table(bandit: Bandit, policy: Policy, instead: str = _USE_CONSERVATION) -> PolicyTable:
    """Return `policy` as a table over all global states; `instead` ends the `TooLargeError` if these are too many.

    `ModelError` says in which global state the policy has no entry, or names no arm of the bandit.
    """
    table: PolicyTable = {}
    if not isinstance(policy, Mapping) and not callable(policy):
        raise ModelError(
            f"policy: {shown(policy)} is neither a function of the global state nor a dict by global state"
        )
    for state in global_states(bandit, instead):
        arm: object = policy.get(state) if isinstance(policy, Mapping) else policy(state)
        if isinstance(arm, bool) or not (isinstance(arm, Integral) and 0 <= int(arm) < len(bandit.arms)):
            raise ModelError(
                f"policy, global state {state}: {shown(arm)} is not an arm; arms are 0..{len(bandit.arms) - 1}"
            )
        table[state] = int(arm)
    return table


def priority_policy(bandit: Bandit, priority: Sequence[str | ArmState]) -> Callable[[GlobalState], int]:
    """Return the policy that plays the arm whose state comes first in `priority`."""
    rank = {state: position for position, state in enumerate(bandit.priority(priority))}

    def play(state: GlobalState) -> int:
        return min(range(len(state)), key=lambda a: rank[a, state[a]])

    return play


def values_after(bandit: Bandit, values: Mapping[GlobalState, fmpq], state: GlobalState, arm: int) -> tuple[fmpq, ...]:
    """Return the values of the next states of `arm`, with the other arms as in `state`."""
    return tuple(values[moved(state, arm, y)] for y in range(bandit.arms[arm].size))


class Activation(NamedTuple):
    """The effect of playing an arm in one of its states: the reward of this step, and the law of the arm's next state.

    If a set of rows is maximised over, `greedy_rule` returns a best row (see `theory.decision_process`).
    """

    reward: fmpq
    row: Row
    greedy_rule: GreedyRule | None = None


def product_process(
    bandit: Bandit,
    activation: Callable[[int, int], Activation] | None = None,
    policy: Policy | None = None,
    *,
    may_end: bool = False,
    instead: str = _USE_CONSERVATION,
) -> DecisionProcess[GlobalState, int]:
    """Return the bandit as one decision process on the product; its actions are the arms, by index from 0.

    `activation` returns the effect of playing an arm in one of its states, if not as in `bandit`: other rewards and
    rows, or sets of rows. With `policy`, each state has one action, the arm that the policy plays. With `may_end`, rows
    may sum to less than 1; with the missing probability, play of all arms ends. `instead` ends a `TooLargeError`.

    Raise `ModelError` if the policy names no arm, or a row is no probability. Raise `TooLargeError` if the product is
    too large.

    Examples
    --------
    >>> from theory import paper_model
    >>> solution = product_process(paper_model("counterexample-m2")).solve()
    >>> solution.values[0, 0], solution.optimal[0, 0]
    (1799/300, (1,))
    """
    states = global_states(bandit, instead)
    given = activation or (lambda a, x: Activation(bandit.arms[a].rewards[x], bandit.arms[a].transitions[x]))
    played = {(a, x): given(a, x) for a, x in bandit.arm_states}
    only = None if policy is None else policy_table(bandit, policy)

    def actions(state: GlobalState) -> list[Action[GlobalState, int]]:
        arms = range(len(bandit.arms)) if only is None else (only[state],)
        return [_action(a, played[a, state[a]], state) for a in arms]

    return DecisionProcess(states, bandit.discount, actions, may_end=may_end)


def _action(arm: int, played: Activation, state: GlobalState) -> Action[GlobalState, int]:
    to = [moved(state, arm, y) for y in range(len(played.row))]
    return Action(arm, played.reward, to, played.row, played.greedy_rule)


def policy_value(bandit: Bandit, policy: Policy) -> Values:
    """Return the exact value of `policy` from every global state, by one linear system (`eq:exact_value`).

    Raise `ModelError` if the policy names no arm in some global state. Raise `TooLargeError` if the product is too
    large.

    Examples
    --------
    >>> from theory import paper_model
    >>> bandit = paper_model("counterexample-m2")
    >>> order = ["A2", "A1", "B1", "B3", "A3", "B2"]
    >>> policy_value(bandit, priority_policy(bandit, order))[bandit.start()]
    41117/6900
    """
    table = policy_table(bandit, policy)
    effects = {
        state: (arm.rewards[state[a]], [(moved(state, a, y), p) for y, p in arm.entries[state[a]]])
        for state, a, arm in ((state, a, bandit.arms[a]) for state, a in table.items())
    }
    return values_of_chain(effects, bandit.discount)


def optimal_value(bandit: Bandit) -> Solution[GlobalState, int]:
    """Return the optimum over all policies of the product by exact policy iteration, without indices.

    Raise `TooLargeError` if the product is too large.

    Examples
    --------
    >>> from theory import paper_model
    >>> optimal_value(paper_model("counterexample-m2")).values[0, 0]
    1799/300
    """
    return product_process(bandit).solve()

"""The priority orders of the arm states that are optimistic from every initial state, found by trying all orders.

Indices matter only through the strict order in which they, with a fixed tie-break, put the states of *different* arms.
An order fails from an initial state if its supremum over the confidence set, bounded from above by extended value
iteration, is below the optimal value of a bandit of the set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from graphlib import CycleError, TopologicalSorter
from itertools import permutations, product
from typing import TypeAlias

from flint import fmpq

from proofs_checks.claimcheck.statements import Answer, answer
from proofs_checks.paper.shared.model_pairs import with_rewards
from theory import (
    Arm,
    Bandit,
    DecisionProcess,
    Exact,
    GlobalState,
    Priority,
    optimal_value,
    policy_value,
    rational,
)
from theory.optimism import extended_process, vertex_bandits
from theory.paper import counterexample
from theory.values import Values, priority_policy

Above: TypeAlias = tuple[str, str]
"""Two states of different arms, the first of higher priority."""


@dataclass(frozen=True)
class Trial:
    """The trial of all orders of the states of two arms, one order for each policy.

    Attributes
    ----------
    tried
        Number of different policies.
    survivors
        The orders that are optimistic from every initial state, each with its comparisons.
    """

    tried: int
    survivors: Mapping[tuple[str, ...], frozenset[Above]]


def estimates_with(reward: Exact, mark: str = "", scale: Exact = 1) -> Bandit:
    """Return arms a and b with this reward in place of 3.21, all divided by `scale`, and a mark in b's states."""
    a, b = counterexample(reward_b=reward).arms
    arms = [a, replace(b, states=tuple(name + mark for name in b.states))]
    return with_rewards(Bandit(arms, fmpq(1, 2)), lambda r: r / rational(scale))


def distinct_orders(bandit: Bandit) -> dict[frozenset[Above], Priority]:
    """Return one strict order for each way of ranking the states of two arms against each other."""
    found: dict[frozenset[Above], Priority] = {}
    for order in permutations(bandit.arm_states):
        found.setdefault(_comparisons(bandit, order), order)
    return found


def _comparisons(bandit: Bandit, order: Priority) -> frozenset[Above]:
    return frozenset(
        (bandit.name(first), bandit.name(second))
        for position, first in enumerate(order)
        for second in order[position + 1 :]
        if first[0] != second[0]
    )


@cache
def attained_optima(estimates: Bandit) -> Values:
    """Return, for every initial state, the largest optimal value of a bandit at a vertex of the set."""
    return _largest(optimal_value(member).values for member in vertex_bandits(estimates))


def _largest(of_members: Iterable[Values]) -> Values:
    every = list(of_members)
    return {state: max(values[state] for values in every) for state in every[0]}


@cache  # variants change the reward of one arm
def try_all_orders(estimates: Bandit, wide: Bandit | None = None) -> Trial:
    """Try all orders; for a survivor, bandits of the set confirm that it reaches the optimum from every state.

    If the set is known only to be within that of `wide`, an order fails by its value there, and others survive.

    Raises
    ------
    ArithmeticError
        If an order can be neither refuted nor confirmed.
    """
    optima = attained_optima(estimates)
    survivors, orders = {}, distinct_orders(estimates)
    process = extended_process(estimates if wide is None else wide)
    for comparisons, order in orders.items():
        names = tuple(map(estimates.name, order))
        plays = priority_policy(estimates, order)
        upper = _values_of(process, plays)
        if any(upper[state] < optimum for state, optimum in optima.items()):
            continue
        if wide is None:
            reached = _largest(policy_value(member, plays) for member in vertex_bandits(estimates))
            if any(reached[state] < optimum for state, optimum in optima.items()):
                raise ArithmeticError(f"order {names} is undecided")
        survivors[names] = comparisons
    return Trial(len(orders), survivors)


def _values_of(process: DecisionProcess[GlobalState, int], plays: Callable[[GlobalState], int]) -> Values:
    """Return the largest values, over rows, of a policy in a process that maximises over arms and rows."""
    played = {x: [actions[plays(x)]] for x, actions in process.actions.items()}
    return DecisionProcess(played, process.discount, played.__getitem__).solve().values


def trial_of_three(low: fmpq, high: fmpq) -> tuple[Trial, ...]:
    """Return `try_all_orders` for {a, b'}, {a, b''} and {b', b''} with these rewards, all divided by 4."""
    pairs = [estimates_with(low, "'", 4), estimates_with(high, "''", 4)]
    return tuple(map(try_all_orders, [*pairs, Bandit([pair.arms[1] for pair in pairs], fmpq(1, 2))]))


def trial_with_arm_c(mu: fmpq) -> list[Trial]:
    """Return `try_all_orders` for the paper's arms, {a, b}, {b, c} and {a, c}, at one mu."""
    a, b = counterexample().arms
    c = Arm(rewards=[mu], transitions=[[1]], states=["C1"])
    return [try_all_orders(Bandit(list(arms), fmpq(1, 2))) for arms in ((a, b), (b, c), (a, c))]


def has_common_order(relations: Iterable[Above]) -> bool:
    """Return whether some strict order of the states has all these comparisons, that is, they have no cycle.

    >>> has_common_order([("A", "B"), ("B", "C")]), has_common_order([("A", "B"), ("B", "C"), ("C", "A")])
    (True, False)
    """
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for high, low in relations:
        sorter.add(low, high)
    try:
        sorter.prepare()
    except CycleError:
        return False
    return True


def no_common_order(passing: Iterable[Iterable[frozenset[Above]]], **told: object) -> Answer:
    """Return whether no order of all states is optimistic for each pair of arms; else the comparisons of one."""
    for parts in product(*passing):
        pairs = [pair for part in parts for pair in part]
        if has_common_order(pairs):
            return answer(False, comparisons_that_pass_everywhere=sorted(map(" > ".join, pairs)))
    return answer(True, **told)

"""Which priority orders of the arm states are optimistic from every initial state.

Indices act through the strict order in which they and a fixed tie-break put the states of *different* arms. So all
orders can be tried. An order fails from an initial state where its supremum over the confidence set, bounded from above
by extended value iteration, is below the optimal value of a bandit of the set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import permutations, product
from typing import TypeAlias

from flint import fmpq

from proofs_checks.paper.shared.model_pairs import with_rewards
from theory import (
    ONE,
    Arm,
    Bandit,
    Exact,
    GlobalState,
    Priority,
    best_vertex,
    optimal_value,
    optimistic_value,
    rational,
)
from theory.optimism import vertex_bandits
from theory.paper import counterexample

Above: TypeAlias = tuple[str, str]
"""Two states of different arms, the first of higher priority."""


@dataclass(frozen=True)
class Failure:
    """An initial state from which an order is not optimistic: `upper` bounds what it can reach, below `optimum`."""

    order: tuple[str, ...]
    initial: tuple[str, ...]
    upper: fmpq
    optimum: fmpq


@dataclass(frozen=True)
class Trial:
    """All orders of the states of two arms, as far as they differ in which arm is played somewhere."""

    failures: tuple[Failure, ...]
    survivors: tuple[frozenset[Above], ...]
    survivor_orders: tuple[tuple[str, ...], ...]

    @property
    def tried(self) -> int:
        """Number of different policies tried."""
        return len(self.failures) + len(self.survivors)


def estimates_with(arm_b_rewards: Sequence[Exact], scale: Exact = 1, with_a: bool = True) -> Bandit:
    """Return arm a and copies of arm b with these rewards in place of 3.21, all rewards divided by `scale`.

    The states of arm b are called B1, B2, B3 where there is one copy, and B1', B1'', ... where there are more.
    """
    arms = [counterexample().arms[0]] if with_a else []
    for copy, reward in enumerate(arm_b_rewards, start=1):
        model = counterexample(reward_b=reward).arms[1]
        mark = "'" * copy if len(arm_b_rewards) > 1 else ""
        arms.append(
            Arm(rewards=model.rewards, transitions=model.transitions, states=[name + mark for name in model.states])
        )
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


def attained_optima(estimates: Bandit) -> dict[GlobalState, fmpq]:
    """Return, from every initial state, the largest optimal value of a bandit at a vertex of the set."""
    members = [optimal_value(member).values for member in vertex_bandits(estimates)]
    return {state: max(values[state] for values in members) for state in product(*map(range, estimates.sizes))}


def try_all_orders(estimates: Bandit) -> Trial:
    """Try all orders; a survivor is confirmed to reach the optimum from everywhere by a bandit of the set.

    Raises
    ------
    ArithmeticError
        Where an order can be neither refuted nor confirmed.
    """
    optima = attained_optima(estimates)
    failures, survivors, survivor_orders = [], [], []
    for comparisons, order in distinct_orders(estimates).items():
        names = tuple(map(estimates.name, order))
        upper = optimistic_value(estimates, order, (0,) * len(estimates.arms)).values
        short = [state for state, optimum in optima.items() if upper[state] < optimum]
        if short:
            initial = tuple(estimates.name(pair) for pair in enumerate(short[0]))
            failures.append(Failure(names, initial, upper[short[0]], optima[short[0]]))
            continue
        for state, optimum in optima.items():
            if best_vertex(estimates, order, state).value < optimum:
                raise ArithmeticError(f"order {names} is undecided from {state}")
        survivors.append(comparisons)
        survivor_orders.append(names)
    return Trial(tuple(failures), tuple(survivors), tuple(survivor_orders))


@cache
def trial(arm_b_rewards: tuple[fmpq, ...], scale: fmpq = ONE, with_a: bool = True) -> Trial:
    """Return `try_all_orders` for arm a with one arm b, or for two arms b."""
    return try_all_orders(estimates_with(arm_b_rewards, scale, with_a))


def has_common_order(relations: Iterable[Above]) -> bool:
    """Return whether some strict order of the states has all these comparisons: they must not run in a circle.

    >>> has_common_order([("A", "B"), ("B", "C")]), has_common_order([("A", "B"), ("B", "C"), ("C", "A")])
    (True, False)
    """
    pairs = set(relations)
    states = {state for pair in pairs for state in pair}
    while states:
        free = {state for state in states if not any(low == state and high in states for high, low in pairs)}
        if not free:
            return False
        states -= free
    return True


def marked(comparisons: frozenset[Above], mark: str) -> frozenset[Above]:
    """Name the states of arm b as its copy in the bandit with two copies is named."""
    return frozenset(
        (high + mark * high.startswith("B"), low + mark * low.startswith("B")) for high, low in comparisons
    )


def survivors_of_three(rewards: tuple[fmpq, fmpq], scale: fmpq) -> Iterator[tuple[frozenset[Above], ...]]:
    """Yield what orders of the nine states pass in all three bandits {a, b'}, {a, b''}, {b', b''}."""
    parts = (
        [marked(each, "'") for each in trial(rewards[:1], scale).survivors],
        [marked(each, "''") for each in trial(rewards[1:], scale).survivors],
        list(trial(rewards, scale, with_a=False).survivors),
    )
    for combination in product(*parts):
        if has_common_order(pair for part in combination for pair in part):
            yield combination


def survivors_with_arm_c(mu: fmpq) -> Iterator[tuple[frozenset[Above], ...]]:
    """Yield what orders pass in all three bandits of the paper's arms, {a, b}, {b, c} and {a, c}, at one mu."""
    a, b = estimates_with([fmpq(321, 100)]).arms
    c = Arm(rewards=[mu], transitions=[[1]], states=["C1"])
    pairs = [Bandit(list(arms), fmpq(1, 2)) for arms in ((a, b), (b, c), (a, c))]
    for combination in product(*(try_all_orders(pair).survivors for pair in pairs)):
        if has_common_order(pair for part in combination for pair in part):
            yield combination

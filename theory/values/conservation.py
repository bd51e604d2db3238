r"""The value of any priority policy in polynomial time, from the strong conservation laws.

Let a strict order over all N arm states be given, and :math:`S_k` its first k states. Let
:math:`\theta_k(i) = E[\beta^T]`, with T the first time at which the arm of arm state i, played alone from i, is outside
:math:`S_k`. For i outside :math:`S_k` define

.. math:: A_k(i) = \frac{1 - \beta \sum_j Q(i,j)\,\theta_k(j)}{1-\beta}.

If X(i) is the expected discounted number of activations of arm state i from the initial state x, then for k = 0..N-1

.. math:: \sum_{i \notin S_k} A_k(i) X(i) = \Pi_k / (1-\beta), \qquad \Pi_k = \prod_a \theta_k(x_a),

a triangular system in X (Bertsimas and Nino-Mora, Math. Oper. Res. 21, 1996); and V(x) = sum of r(i) X(i). Summation by
parts, with the rate of the k-th state (`theory.elimination`) in the order of its own arm, gives

.. math:: V(x) = \frac{1}{1-\beta} \sum_{k=1}^{N} \mathrm{rate}_k \, (\Pi_{k-1} - \Pi_k),

which needs one elimination per arm and no triangular system. At each k only one arm's :math:`\theta` changes. The exact
numbers may be long: the denominators have little in common, so V has about as many digits as all terms together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, pairwise
from operator import sub

from flint import fmpq, fmpz, fmpz_mat

from theory.elimination import rates_and_drops
from theory.elimination.levels import integer_rows
from theory.gittins import gittins_priority
from theory.model import Arm, ArmState, Bandit, GlobalState, Priority, check_bandit
from theory.rationals import ONE, ZERO


@dataclass(frozen=True)
class PriorityValue:
    """The exact `value` of a priority policy, and the discounted number of plays of each arm state."""

    value: fmpq
    _bandit: Bandit = field(repr=False)
    _order: Priority = field(repr=False)
    _start: GlobalState = field(repr=False)

    @cached_property
    def visits(self) -> tuple[tuple[fmpq, ...], ...]:
        """Expected discounted number of activations, (n, S_a); non-negative, summing to 1/(1-beta).

        The first access solves the triangular system, which with many states takes far longer than the value.
        """
        discount, orders = self._bandit.discount, _local_orders(self._bandit, self._order)
        arms = zip(self._bandit.arms, orders, self._start, strict=True)
        coefficients, thetas = zip(*(_arm_laws(arm, discount, order, x) for arm, order, x in arms), strict=True)
        return _solve(self._order, coefficients, thetas, discount)


def priority_value(
    bandit: Bandit, priority: Sequence[str | ArmState], initial: Sequence[int | str] | None = None
) -> PriorityValue:
    """Return the exact value of always playing the arm whose state comes first in `priority`.

    The priority has all arm states, by name or as (arm, state), in strict order. The initial state, one state per arm,
    is the model's own where omitted.

    Examples
    --------
    >>> from theory import paper_model
    >>> priority_value(paper_model("counterexample-m2"), ["A2", "A1", "B1", "B3", "A3", "B2"]).value
    41117/6900
    """
    check_bandit(bandit)
    order = bandit.priority(priority)
    start = bandit.start(initial)
    return PriorityValue(_value_by_parts(bandit, order, start), bandit, order, start)


def gittins_value(bandit: Bandit, initial: Sequence[int | str] | None = None) -> PriorityValue:
    """Return the exact optimal value, which is the value of the Gittins index policy.

    Examples
    --------
    >>> from theory import paper_model
    >>> gittins_value(paper_model("counterexample-m1")).value
    5163/800
    """
    return priority_value(bandit, gittins_priority(bandit), initial)


def _local_orders(bandit: Bandit, order: Priority) -> list[list[int]]:
    local: list[list[int]] = [[] for _ in bandit.arms]
    for a, x in order:
        local[a].append(x)
    return local


def _value_by_parts(bandit: Bandit, order: Priority, start: GlobalState) -> fmpq:
    arms = zip(bandit.arms, _local_orders(bandit, order), start, strict=True)
    rates, drops = zip(*(rates_and_drops(arm, bandit.discount, local, x) for arm, local, x in arms), strict=True)
    products = _products(order, [list(accumulate(of_arm, sub, initial=ONE)) for of_arm in drops])
    in_order = list(map(iter, rates))
    terms = [
        next(in_order[a]) * (before - after) for (a, _), (before, after) in zip(order, pairwise(products), strict=True)
    ]
    return _sum(terms) / (1 - bandit.discount)


def _products(order: Sequence[ArmState], thetas: Sequence[Sequence[fmpq]]) -> list[fmpq]:
    """Return the product of the arms' theta for the first k states, k = 0..N, from theta by level; 0 once one is 0."""
    found, levels = [ONE], [iter(pairwise(of_arm)) for of_arm in thetas]
    for a, _ in order:
        now, after = next(levels[a])
        found.append(found[-1] * after / now if found[-1] else ZERO)
    return found


def _sum(terms: list[fmpq]) -> fmpq:
    """Return the sum by a balanced tree, which adds short numbers to short numbers."""
    while len(terms) > 1:
        terms = [sum(terms[i : i + 2], ZERO) for i in range(0, len(terms), 2)]
    return terms[0]


def _arm_laws(arm: Arm, discount: fmpq, order: Sequence[int], start: int) -> tuple[list[dict[int, fmpq]], list[fmpq]]:
    """Return A(x) by state x outside the set, and theta of `start`, by the number of the arm's states in the set."""
    size, last = arm.size, arm.size + 1
    table = integer_rows(arm, discount, order, start).rows
    _, lower, _, upper = fmpz_mat(table).fflu()

    # the column of ones, step by step: entries are leading minors bordered by the last row and this column
    column = [fmpz(row[last]) for row in table]
    scales = tuple(column)
    minor = fmpz(1)
    coefficients: list[dict[int, fmpq]] = []
    theta: list[fmpq] = []
    for level in range(size):
        coefficients.append({order[i]: fmpq(column[i], minor * scales[i]) for i in range(level, size)})
        theta.append(1 + (1 - discount) * fmpq(column[size], minor))
        pivot, pivot_entry = lower[level, level], upper[level, last]
        for i in range(level + 1, size + 1):
            column[i] = (pivot * column[i] - lower[i, level] * pivot_entry) // minor
        minor = pivot
    return coefficients, [*theta, ZERO]  # with all of its states in the set, the arm never leaves it


def _solve(
    order: Sequence[ArmState],
    coefficients: Sequence[Sequence[Mapping[int, fmpq]]],
    thetas: Sequence[Sequence[fmpq]],
    discount: fmpq,
) -> tuple[tuple[fmpq, ...], ...]:
    """Solve the triangular system from the last equation to the first, by increasing priority."""
    visits: list[dict[int, fmpq]] = [{} for _ in thetas]
    partial = [ZERO for _ in thetas]  # per arm, the left-hand sum over its states outside the set
    partial_total = ZERO
    products = _products(order, thetas)
    for (a, x), product in zip(reversed(order), reversed(products[:-1]), strict=True):
        solved = visits[a]
        level = coefficients[a][-len(solved) - 1]
        known = sum((level[y] * count for y, count in solved.items()), ZERO)
        right = product / (1 - discount)
        partial_total -= partial[a]
        solved[x] = (right - partial_total - known) / level[x]
        partial[a] = known + level[x] * solved[x]
        partial_total += partial[a]
    return tuple(tuple(counts[x] for x in range(len(counts))) for counts in visits)

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

from collections.abc import Sequence
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
    """The exact value of a priority policy, and the discounted number of plays of each arm state.

    Attributes
    ----------
    value : fmpq
        Expected total discounted reward from the initial state.
    """

    value: fmpq
    _bandit: Bandit = field(repr=False)
    _order: Priority = field(repr=False)
    _start: GlobalState = field(repr=False)

    @cached_property
    def visits(self) -> tuple[tuple[fmpq, ...], ...]:
        """Expected discounted number of activations, (n, S_a); non-negative, summing to 1/(1-beta).

        The first access solves the triangular system, which with many states takes far longer than the value.
        """
        laws = [
            _arm_laws(arm, self._bandit.discount, order, x)
            for arm, order, x in zip(
                self._bandit.arms, _local_orders(self._bandit, self._order), self._start, strict=True
            )
        ]
        return _solve(self._order, laws, self._bandit.discount)


def priority_value(
    bandit: Bandit, priority: Sequence[str | ArmState], initial: Sequence[int | str] | None = None
) -> PriorityValue:
    """Return the exact value of always playing the arm whose state comes first in `priority`.

    Parameters
    ----------
    bandit
        Arms of any sizes.
    priority
        All arm states, by name or as (arm, state), in strict order.
    initial
        One state per arm; the model's own where omitted.

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


@dataclass(frozen=True)
class _ArmLaws:
    """The terms of one arm in the conservation laws, by the number l of its states already in the set.

    `coefficients[l][x]` is A(x) for the states x outside the set; `theta[l]` is theta of the arm's initial state, 0 at
    the last level.
    """

    coefficients: tuple[dict[int, fmpq], ...]
    theta: tuple[fmpq, ...]


def _arm_laws(arm: Arm, discount: fmpq, order: Sequence[int], start: int) -> _ArmLaws:
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
    return _ArmLaws(tuple(coefficients), (*theta, ZERO))  # with all of its states in the set, the arm never leaves it


def _solve(order: Sequence[ArmState], laws: Sequence[_ArmLaws], discount: fmpq) -> tuple[tuple[fmpq, ...], ...]:
    """Solve the triangular system from the last equation to the first, by increasing priority."""
    visits: list[dict[int, fmpq]] = [{} for _ in laws]
    partial = [ZERO for _ in laws]  # per arm, the left-hand sum over its states outside the set
    partial_total = ZERO
    products = _products(order, [of_arm.theta for of_arm in laws])
    for (a, x), product in zip(reversed(order), reversed(products[:-1]), strict=True):
        solved = visits[a]
        coefficients = laws[a].coefficients[-len(solved) - 1]
        known = sum((coefficients[y] * count for y, count in solved.items()), ZERO)
        right = product / (1 - discount)
        partial_total -= partial[a]
        solved[x] = (right - partial_total - known) / coefficients[x]
        partial[a] = known + coefficients[x] * solved[x]
        partial_total += partial[a]
    return tuple(tuple(counts[x] for x in range(len(counts))) for counts in visits)

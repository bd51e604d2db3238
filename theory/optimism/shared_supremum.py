"""An enclosure of the supremum over the bandits of a confidence set, by branch and bound over the free rows.

A bandit of the set has *one* row per arm state, used in every global state. If different global states prefer different
rows, extended value iteration only bounds the supremum from above; and the value is then no quotient of affine
functions of the row, so that the best row need not be a vertex of its ball either. Simplices, which are bisected, cover
the ball of each free row. On a cell, which is a choice of one simplex per free row,

* extended value iteration with rows from the cell, chosen freely in each global state, is an upper bound;
* every bandit with rows from the cell gives a lower bound.

Both bounds are exact, and so is the enclosure; it shrinks with the cells because the value is continuous in the rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import combinations, product
from math import prod
from operator import itemgetter
from typing import TypeAlias

from flint import fmpq, fmpq_mat

from theory.domain import check_counts, non_negative
from theory.errors import ModelError
from theory.gittins import gittins_priority
from theory.model import ArmState, Bandit, GlobalState, check_bandit
from theory.optimism.confidence_set import member_with_rows, upper_reward
from theory.optimism.l1_ball import distance, vertices
from theory.rationals import Exact
from theory.stopping import mean
from theory.values import Activation, policy_value, priority_policy, priority_value, product_process

Row: TypeAlias = tuple[fmpq, ...]
Simplex: TypeAlias = tuple[Row, ...]
"""Affinely independent rows, the corners of a simplex."""

Cell: TypeAlias = "dict[ArmState, Simplex]"
"""The simplex of allowed rows of each arm state; one point if the row is known."""

_CORNERS_TRIED = 64


@dataclass(frozen=True)
class SharedSupremum:
    """An enclosure of the supremum, over a confidence set, of the optimal value or of one policy's value.

    The `bandit` lies in the set and has the value `lower`; `cells` is the number of cells that were bounded.
    """

    lower: fmpq
    upper: fmpq
    bandit: Bandit
    cells: int


def shared_supremum(
    estimates: Bandit,
    priority: Sequence[str | ArmState] | None = None,
    initial: Sequence[int | str] | Mapping[GlobalState, Exact] | None = None,
    tolerance: Exact = fmpq(1, 100),
    largest: int = 2000,
) -> SharedSupremum:
    """Return an enclosure of the supremum, over the set, of the optimal value or the value of one priority policy.

    Parameters
    ----------
    estimates
        Estimates with their radii.
    priority
        If given, only this priority policy is considered.
    initial
        One state per arm (default: the model's own), or a law over global states, as a mapping from states by index to
        weights; the supremum is then that of the mean value.
    tolerance
        Branching ends when the enclosure is at most this wide,
    largest
        or when this many cells have been bounded; the enclosure is then wider, but right.

    Raise `ModelError` for a bad priority order, a missing initial state, weights that are negative or do not sum to 1,
    a negative tolerance, or no cells. Raise `TooLargeError` if the product of the arms, or a ball's dimension, is too
    large.

    Examples
    --------
    >>> from theory import paper_model
    >>> found = shared_supremum(paper_model("counterexample"))
    >>> found.lower, found.upper
    (49167/7600, 49167/7600)
    """
    check_bandit(estimates)
    width = non_negative(tolerance, "tolerance")
    check_counts(largest=largest)
    bounder = _Bounder(estimates, _law(estimates, initial), None if priority is None else estimates.priority(priority))
    best = bounder.best_member({(a, x): (estimates.arms[a].transitions[x],) for a, x in estimates.arm_states})
    cells: Iterable[Cell] = _first_cells(estimates)
    waiting: list[tuple[fmpq, int, Cell]] = []  # a heap: the cell of largest bound, the older one if bounds are equal
    count = 0
    while True:
        for cell in cells:
            count += 1
            heappush(waiting, (-bounder.upper_bound(cell), count, cell))
        negative_bound, _, cell = heappop(waiting)
        best = max(best, bounder.best_member(cell), key=itemgetter(0))
        lower, upper = best[0], -negative_bound
        if upper - lower <= width or count >= largest:
            return SharedSupremum(lower, upper, best[1], count)
        cells = _bisected(cell)


def _law(
    estimates: Bandit, initial: Sequence[int | str] | Mapping[GlobalState, Exact] | None
) -> Mapping[GlobalState, fmpq]:
    if not isinstance(initial, Mapping):
        return {estimates.start(initial): fmpq(1)}
    law = {estimates.start(state): non_negative(weight, "initial law") for state, weight in initial.items()}
    if sum(law.values(), fmpq(0)) != 1:
        raise ModelError(f"initial law: weights sum to {sum(law.values(), fmpq(0))}, not 1")
    return law


@dataclass(frozen=True)
class _Bounder:
    estimates: Bandit
    law: Mapping[GlobalState, fmpq]
    order: tuple[ArmState, ...] | None

    def upper_bound(self, cell: Cell) -> fmpq:
        """Return the supremum if every global state chooses its own rows from the cell: extended value iteration."""

        def among_corners(a: int, x: int) -> Activation:
            corners = cell[a, x]

            def best_corner(values: Sequence[fmpq]) -> Row:
                return max(corners, key=lambda row: mean(row, values))

            return Activation(upper_reward(self.estimates, a, x), corners[0], best_corner)

        policy = None if self.order is None else priority_policy(self.estimates, self.order)
        process = product_process(self.estimates, among_corners, policy, instead="branch and bound needs the product")
        values = process.solve().values
        return sum((weight * values[state] for state, weight in self.law.items()), fmpq(0))

    def best_member(self, cell: Cell) -> tuple[fmpq, Bandit]:
        """Return the largest value among the bandits of the cell's centre and corners, and its bandit.

        If the combinations of corners are too many, only one free row at a time leaves the centre.
        """
        centre = {key: _centre(simplex) for key, simplex in cell.items()}
        if prod(map(len, cell.values())) <= _CORNERS_TRIED:
            corners = [dict(zip(cell, rows, strict=True)) for rows in product(*cell.values())]
        else:
            corners = [{**centre, key: row} for key, simplex in cell.items() for row in simplex]
        members = [member_with_rows(self.estimates, rows) for rows in (centre, *corners)]
        values = map(self._value, members)
        return max(zip(values, members, strict=True), key=itemgetter(0))

    def _value(self, member: Bandit) -> fmpq:
        order = self.order or gittins_priority(member)
        if len(self.law) == 1:
            return priority_value(member, order, *self.law).value
        values = policy_value(member, priority_policy(member, order))  # of all states at once
        return sum((weight * values[state] for state, weight in self.law.items()), fmpq(0))


def simplices(points: Sequence[Row]) -> list[Simplex]:
    """Return simplices with corners among `points` that cover their convex hull (Caratheodory); they may overlap."""
    dimension = _affine_dimension(points)
    return [corners for corners in combinations(points, dimension + 1) if _affine_dimension(corners) == dimension]


def _affine_dimension(points: Sequence[Row]) -> int:
    edges = [[x - y for x, y in zip(point, points[0], strict=True)] for point in points]
    return int(fmpq_mat(edges).rank())


def _first_cells(estimates: Bandit) -> Iterator[Cell]:
    keys = estimates.arm_states
    covers = [
        simplices(vertices(estimates.arms[a].transitions[x], estimates.arms[a].transition_radius[x])) for a, x in keys
    ]
    for choice in product(*covers):
        yield dict(zip(keys, choice, strict=True))


def _bisected(cell: Cell) -> tuple[Cell, Cell]:
    """Return the two halves of the cell, cut at the middle of the longest edge of its simplices."""
    key, i, j = max(
        ((key, i, j) for key, simplex in cell.items() for i, j in combinations(range(len(simplex)), 2)),
        key=lambda edge: distance(cell[edge[0]][edge[1]], cell[edge[0]][edge[2]]),
    )
    corners = cell[key]
    middle = _centre((corners[i], corners[j]))
    return (
        {**cell, key: tuple(middle if k == i else row for k, row in enumerate(corners))},
        {**cell, key: tuple(middle if k == j else row for k, row in enumerate(corners))},
    )


def _centre(simplex: Simplex) -> Row:
    return tuple(sum(column, fmpq(0)) / len(simplex) for column in zip(*simplex, strict=True))

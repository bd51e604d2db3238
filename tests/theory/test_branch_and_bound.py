"""Branch and bound on knapsack problems in integers, against enumeration of all subsets."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from theory.branch_and_bound import enclose_supremum

items = st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=7)


def knapsack(things, capacity, enough=lambda lower, upper: upper <= lower, largest=10**6, known=None):
    """Solve a knapsack problem. A cell is a tuple of 0 and 1 for the first things; its bound takes all other things."""

    def total(cell, part):
        return sum(thing[part] for thing, taken in zip(things, cell, strict=False) if taken)

    def bound(cell):
        return None if total(cell, 1) > capacity else total(cell, 0) + sum(value for value, _ in things[len(cell) :])

    def attained(cell):
        return (total(cell, 0), cell) if len(cell) == len(things) else None

    def split(cell):
        return [] if len(cell) == len(things) else [(*cell, 0), (*cell, 1)]

    return enclose_supremum([()], bound, attained, split, enough, largest, known)


def best_of_all_subsets(things, capacity):
    subsets = (chosen for size in range(len(things) + 1) for chosen in combinations(things, size))
    return max(sum(v for v, _ in chosen) for chosen in subsets if sum(w for _, w in chosen) <= capacity)


@given(items, st.integers(0, 30))
def test_search_finds_the_optimum_of_enumeration(things, capacity):
    found = knapsack(things, capacity)
    assert found.converged
    assert found.lower == found.upper == best_of_all_subsets(things, capacity)
    assert sum(weight for (_, weight), taken in zip(things, found.point, strict=True) if taken) <= capacity


@given(items, st.integers(0, 30), st.integers(1, 20))
def test_bounds_contain_the_optimum_at_any_limit_of_cells(things, capacity, largest):
    found = knapsack(things, capacity, largest=largest, known=(0, "nothing"))
    assert found.lower <= best_of_all_subsets(things, capacity) <= found.upper
    assert found.converged == (found.lower == found.upper)
    assert found.cells <= largest + 1


def test_search_keeps_a_known_point_that_is_best():
    found = knapsack([(1, 1)], capacity=5, known=(7, "elsewhere"))
    assert (found.lower, found.upper, found.point) == (7, 7, "elsewhere")
    nothing_else = knapsack([(1, 1)], capacity=-1, known=(7, "elsewhere"))
    assert (nothing_else.lower, nothing_else.upper, nothing_else.converged) == (7, 7, True)
    # of points of one value the first
    assert [search(known=known)[0].point for known in (None, (0, "known"), (-1, "known"))] == [(0, 1), "known", (0, 1)]


def test_search_refuses_a_domain_without_points():
    with pytest.raises(ValueError, match="no admissible point in the domain"):
        knapsack([(1, 1)], capacity=-1)
    with pytest.raises(ValueError, match="no admissible point met in 7 cells"):
        enclose_supremum([0], lambda _: 1, lambda _: None, lambda cell: [cell] * 2, lambda *_: True, 3)


def halves(cell):
    low, high = cell
    return (low, (low + high) / 2), ((low + high) / 2, high)


def search(largest=10, known=None, bounds=None, value=0, enough=lambda *_: False):
    """Search [0, 1] by halving: a cell's bound is 1 unless `bounds` has another; every point has the value `value`."""
    tried = []

    def attained(cell):
        tried.append(cell)
        return value, cell

    above = bounds or {}
    found = enclose_supremum([(0, 1)], lambda cell: above.get(cell, 1), attained, halves, enough, largest, known)
    return found, tried


def test_search_splits_cells_of_equal_bound_in_order_of_creation():
    found, tried = search(largest=13)
    assert tried == [(0, 1), (0, 0.5), (0.5, 1), (0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1)]
    assert (found.cells, found.converged, found.lower, found.upper) == (13, False, 0, 1)
    assert [search(largest=largest)[0].cells for largest in (1, 2, 3, 4)] == [1, 3, 3, 5]


def test_search_splits_the_cell_of_largest_bound_first():
    found, tried = search(largest=6, bounds={(0, 0.5): 2, (0.5, 1): 3, (0.5, 0.75): None, (0.75, 1): 4})
    assert tried == [(0, 1), (0.5, 1), (0.75, 1), (0, 0.5)]
    assert (found.cells, found.upper) == (6, 2)  # seven cells, of which one is empty


def test_stopping_rule_receives_best_value_and_largest_bound():
    calls = []
    found, _ = search(value=1, known=(2, "known"), bounds={(0, 1): 5}, enough=lambda *both: calls.append(both) or True)
    assert calls == [(2, 5)]
    assert (found.converged, found.lower, found.upper, found.point) == (True, 2, 5, "known")
    found, _ = search(known=(3, "known"), enough=lambda low, high: low >= high)
    assert (found.lower, found.upper, found.cells) == (3, 3, 1)  # the known value exceeds every bound

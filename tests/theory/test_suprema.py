"""Suprema over boxes against tops that are known, corners, constraints, and poles."""

from __future__ import annotations

import flint
import mpmath
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from tests.examples import examples
from theory.certified import maximise
from theory.certified.suprema import _halves

shares = st.integers(0, 24).map(lambda i: fmpq(i, 24))


def around(found, value, tolerance):
    """Whether the known supremum lies in the enclosure, and the enclosure is as narrow as asked for."""
    assert found.converged
    assert found.lower <= value.upper()
    assert value.lower() <= found.upper
    assert found.upper - found.lower <= abs(found.lower) * arb(tolerance) + arb(fmpq(1, 10**12))


@given(top=shares, height=st.integers(1, 5), tolerance=st.sampled_from([fmpq(1, 10), fmpq(1, 1000)]))
def test_a_parabola_has_its_top_where_it_was_put(top, height, tolerance):
    found = maximise(lambda p: height - (p[0] - arb(top)) ** 2, [(0, 1)], tolerance=tolerance)
    around(found, arb(height), tolerance)
    assert 0 <= found.point[0] <= 1


@examples(25)
@given(a=shares, b=shares, c=shares)
def test_two_variables_against_the_vertex_of_a_concave_quadratic(a, b, c):
    # -(x-a)^2 - (y-b)^2 - (x-a)(y-b)/2 + 1 + c is concave, with value 1 + c at (a, b)
    def expression(p):
        x, y = p[0] - arb(a), p[1] - arb(b)
        return 1 + arb(c) - x**2 - y**2 - x * y / 2

    around(maximise(expression, [(0, 1), (0, 1)], tolerance="1/50"), 1 + arb(c), fmpq(1, 50))


def test_several_local_maxima_against_mpmath():
    # sin(9 x)/(1 + x): interior maxima at tan(9x) = 9 (1 + x); the first is the highest
    with mpmath.workdps(40):
        at = mpmath.findroot(lambda x: 9 * mpmath.cos(9 * x) * (1 + x) - mpmath.sin(9 * x), 0.16)
        highest = mpmath.nstr(mpmath.sin(9 * at) / (1 + at), 30)
    found = maximise(lambda p: (9 * p[0]).sin() / (1 + p[0]), [(0, 3)], tolerance="1/10000")
    around(found, arb(highest, 1e-25), fmpq(1, 10**4))


def test_a_monotone_expression_is_largest_at_a_corner_at_once():
    found = maximise(lambda p: p[0] - p[1] + p[2], [(0, 1), ("1/3", 2), (-1, "7/2")], tolerance="1/1000000")
    assert found.point == (1, fmpq(1, 3), fmpq(7, 2))
    assert found.lower.overlaps(arb(fmpq(25, 6)))


def test_a_constraint_keeps_the_supremum_of_the_admissible_part():
    found = maximise(
        lambda p: p[0] + p[1],
        [(0, 1), (0, 1)],
        admissible=lambda p: p[0] + p[1] <= 1,
        excluded=lambda box: box[0][0] + box[1][0] > 1,
        tolerance="1/100",
    )
    around(found, arb(1), fmpq(1, 100))
    assert sum(found.point) <= 1


def test_a_pole_is_reported_and_not_believed():
    found = maximise(lambda p: 1 / p[0], [(0, 1)], largest_count=40)
    assert not found.converged
    assert not found.upper.is_finite()


def test_where_the_count_runs_out_both_bounds_stay_certified():
    found = maximise(lambda p: p[0] * (1 - p[0]), [(0, 1)], tolerance="1/1000000000", largest_count=6)
    assert not found.converged
    assert found.lower <= fmpq(1, 4) <= found.upper


def test_a_point_is_a_box():
    found = maximise(lambda p: p[0].exp(), [(1, 1)])
    assert found.point == (1,)
    assert found.lower.overlaps(arb(1).exp())


def test_an_empty_side_and_an_empty_admissible_part_are_errors():
    with pytest.raises(ValueError, match="empty"):
        maximise(lambda p: p[0], [(1, 0)])
    with pytest.raises(ValueError, match="no admissible point"):
        maximise(lambda p: p[0], [(0, 1)], admissible=lambda _: False, excluded=lambda _: True)
    with pytest.raises(ValueError, match="no admissible point"):
        maximise(lambda p: p[0], [(0, 1)], admissible=lambda _: False, largest_count=20)


def test_the_side_that_is_longest_in_proportion_is_halved():
    def box(*ends):
        return tuple((fmpq(low), fmpq(high)) for low, high in ends)

    start = box((0, 100), (3, 4), (7, 7))
    assert _halves(start, start) == (box((0, 50), (3, 4), (7, 7)), box((50, 100), (3, 4), (7, 7)))
    first, second = _halves(box((0, 50), (3, 4), (7, 7)), start)
    assert first == (*box((0, 50)), (fmpq(3), fmpq(7, 2)), *box((7, 7)))
    assert second == (*box((0, 50)), (fmpq(7, 2), fmpq(4)), *box((7, 7)))
    narrow = box((1, 1), (0, 2))
    assert _halves(narrow, narrow) == (box((1, 1), (0, 1)), box((1, 1), (1, 2)))


@pytest.mark.parametrize(("given", "bits"), [({}, 64), ({"precision": 200}, 200)])
def test_the_expression_is_computed_at_the_precision_asked_for(given, bits):
    precisions = set()
    before = flint.ctx.prec
    maximise(lambda p: precisions.add(flint.ctx.prec) or p[0], [(0, 1)], **given)
    assert precisions == {bits}
    assert flint.ctx.prec == before


def test_the_tolerance_is_relative_to_the_value_whatever_its_sign():
    boxes = set()
    for sign, size in ((1, 1), (-1, 1), (1, 1000), (-1, 1000)):

        def parabola(p, top=sign * size, size=size):
            return top - size * (p[0] - arb(fmpq(1, 3))) ** 2

        found = maximise(parabola, [(0, 1)])
        assert found.converged
        assert found.upper - found.lower <= size * arb(fmpq(1001, 10**6))
        assert found.lower <= sign * size <= found.upper
        boxes |= {found.boxes, maximise(parabola, [(0, 1)], tolerance="1/1000").boxes}
    assert len(boxes) == 1
    wide = maximise(lambda p: 1 - (p[0] - arb(fmpq(1, 3))) ** 2, [(0, 1)], tolerance="1/2")
    assert wide.upper - wide.lower > fmpq(1, 100)


def test_the_best_corner_is_one_that_is_admissible_and_finite():
    found = maximise(lambda p: -1 / p[0], [(0, 1)], largest_count=1)
    assert found.point == (1,)  # at 0 there is no value
    found = maximise(lambda p: p[0], [(0, 1)], admissible=lambda p: p[0] < 1, largest_count=1)
    assert found.point == (fmpq(1, 2),)  # the middle is better than the other corner


def test_where_bounds_are_no_numbers_nothing_is_claimed():
    found = maximise(lambda p: (p[0] - arb(fmpq(1, 3))) / (p[0] - arb(fmpq(1, 3))), [(0, 1)], largest_count=30)
    assert not found.converged
    assert found.upper == arb.pos_inf()


def test_a_bound_that_is_attained_ends_the_search_without_any_tolerance():
    found = maximise(lambda _: arb(1), [(0, 1)], tolerance=0)
    assert (found.converged, found.boxes) == (True, 1)
    assert found.lower == found.upper == 1

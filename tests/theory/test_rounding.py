"""The rule of `theory.rounding` for reading floats: the numbers read must round to the given floats."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq
from hypothesis import example, given
from hypothesis import strategies as st

from tests.refusals import refusal
from theory import fraction, rational
from theory.rounding import from_float, row_from_floats

FLOATS = st.floats(allow_nan=False, allow_infinity=False)


@given(FLOATS)
@example(0.0)
@example(-0.0)
@example(5e-324)
@example(2.0**60)
@example(1e23)
@example(2.0**-30)
def test_from_float_rounds_back_to_the_float(value):
    assert float(fraction(from_float(value))) == value


def spacing(value):
    """Return the distance to the next float of 32 bits away from 0, also above the largest one."""
    magnitude = max(abs(float(value)), float(np.finfo(np.float32).tiny))
    return Fraction(2) ** (np.frexp(magnitude)[1].item() - 24)


@given(st.floats(width=32, allow_nan=False, allow_infinity=False).map(np.float32))
def test_from_float_rounds_back_to_the_32_bit_float(value):
    read = fraction(from_float(value))
    assert abs(read - Fraction(*value.as_integer_ratio())) <= spacing(value) / 2


@given(st.fractions(min_value=-100, max_value=100, max_denominator=10**6))
def test_from_float_recovers_fractions_of_small_denominator(value):
    assert fraction(from_float(float(value))) == value


@pytest.mark.parametrize(("kind", "largest"), [(np.float64, 10**6), (np.float32, 100)])
def test_from_float_reads_fractions_up_to_the_largest_denominator(kind, largest):
    """1/(largest - 1) and 1/(largest + 1) have decimals without an end, and no simpler fraction as near to their float."""
    assert fraction(from_float(kind(1 / (largest - 1)))) == Fraction(1, largest - 1)
    beyond = kind(1 / (largest + 1))
    assert fraction(from_float(beyond)) == Fraction(str(beyond)) != Fraction(1, largest + 1)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_from_float_reads_a_fraction_from_its_nearest_float_only(kind):
    """1/3 lies a third of the floats' distance from the nearest one, and two thirds from the next on its other side."""
    nearest = kind(1) / kind(3)
    assert fraction(from_float(nearest)) == Fraction(1, 3)
    for other in (np.nextafter(nearest, kind(0)), np.nextafter(nearest, kind(1))):
        read = fraction(from_float(other))
        assert read == Fraction(str(other))
        assert kind(float(read)) == other


@pytest.mark.parametrize("value", [0, 1, -1, 2, 2**52 + 1, 2**53 - 1, 2**53 + 2, -(2**53) - 2, 2**54 - 2])
def test_from_float_reads_integers_and_exact_numbers_exactly(value):
    assert from_float(float(value)) == value
    assert from_float(np.float64(value)) == value
    for exact in (value, str(value), fmpq(1, 7 + abs(value)), Fraction(value, 10**9 + 7), Decimal("0.1")):
        assert from_float(exact) == rational(exact)


@pytest.mark.parametrize(
    ("row", "read"),
    [
        ([0.1234567890123456, 0.8765432109876543], ["0.1234567890123456", "0.8765432109876544"]),
        ([0.8765432109876543, 0.1234567890123456], ["0.8765432109876544", "0.1234567890123456"]),
        ([0.4999999999999999, 0.4999999999999999, 1e-16], ["0.5", "0.4999999999999999", "1e-16"]),
        ([0.4999999999999999, 0.5000000000000001, 1e-16], ["0.4999999999999999", "0.5", "1e-16"]),
    ],
)
def test_row_from_floats_corrects_the_largest_entry(row, read):
    """The correction is one unit in the sixteenth digit; of two largest entries the first takes it."""
    assert row_from_floats(row) == tuple(map(rational, read))


def test_row_from_floats_tolerates_one_unit_per_float():
    """The tolerance is 2^-52 per 64-bit float, 2^-23 per 32-bit float, and 0 for exact numbers."""
    for floats, unit in (
        ([0.5], fmpq(1, 2**52)),
        ([np.float32(0.5)] * 2, fmpq(2, 2**23)),
        ([np.float32(0.25), 0.5], fmpq(1, 2**23) + fmpq(1, 2**52)),
    ):
        rest = 1 - sum(map(from_float, floats), fmpq(0))
        for missing in (unit, -unit):
            assert sum(row_from_floats([*floats, rest - missing]), fmpq(0)) == 1
            assert "beyond rounding" in refusal(row_from_floats, [*floats, rest - missing * fmpq(1001, 1000)])
    for row, missed in ((["1/2", fmpq(1, 2) + fmpq(1, 10**30)], "+ 1e-30"), ([0.0, 0.0], "- 1"), ([0], "- 1")):
        assert refusal(row_from_floats, row).startswith(f"row sums to 1 {missed}, beyond rounding")


@given(st.lists(st.integers(0, 10**6), min_size=1, max_size=30).filter(any), st.sampled_from([np.float64, np.float32]))
def test_row_from_floats_reads_normalised_weights(weights, kind):
    row = np.array(weights, dtype=kind) / np.array(weights, dtype=kind).sum()
    read = row_from_floats(row)
    assert sum(read, fmpq(0)) == 1
    worst = max(abs(fraction(p) - Fraction(*x.as_integer_ratio())) for p, x in zip(read, row, strict=True))
    assert worst <= len(weights) * Fraction(float(np.finfo(kind).eps)) * 2
    assert [p == 0 for p in read] == [x == 0 for x in row]

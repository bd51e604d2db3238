from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy
from flint import fmpq, fmpz
from hypothesis import example, given
from hypothesis import strategies as st

from tests.refusals import refusal
from theory import decimal_text, fraction, nearest_float, rational, sympy_rational
from theory.rationals import decimal_texts, simplest_between


@pytest.mark.parametrize(
    ("given_value", "expected"),
    [
        (3, fmpq(3)), (fmpz(7), fmpq(7)), (Fraction(321, 100), fmpq(321, 100)), (sympy.Rational(2, 6), fmpq(1, 3)),
        (sympy.Integer(5), fmpq(5)), ("321/100", fmpq(321, 100)), ("-4/6", fmpq(-2, 3)), ("3.21", fmpq(321, 100)),
        (".5", fmpq(1, 2)), ("-2.", fmpq(-2)), ("1e-3", fmpq(1, 1000)), ("12.5E2", fmpq(1250)), (" 7 ", fmpq(7)),
        (Decimal("3.21"), fmpq(321, 100)), (Decimal("-1E+2"), fmpq(-100)), (np.int64(3), fmpq(3)),
        ("+9", fmpq(9)), ("+9/3", fmpq(3)), ("+.5", fmpq(1, 2)),
    ],
)  # fmt: skip
def test_rational_reads_exact_numbers(given_value, expected):
    assert rational(given_value) == expected


@pytest.mark.parametrize(
    ("given_value", "part"),
    [
        (3.21, 'write Fraction(321, 100), "321/100" or "3.21"'), (float("nan"), "nan is not a number"),
        (True, "truth value"), ("1/0", "denominator 0"), ("one", "is not a number"), ("", "is not a number"),
        (".", "is not a number"), ("1/2/3", "is not a number"), ("1e999999", "exponent beyond"),
        ("1e-999999999", "'1e-999999999' has an exponent beyond 10000"),
        ("1e9999999", "'1e9999999' has an exponent beyond 10000"), ("1e" + "9" * 5000, "exponent beyond 10000"),
        ("٣", "is not a number"),  # a digit of another script
        (None, "is not an exact number"), (Decimal("NaN"), "is not a number"),
        (Decimal("1e999999"), "exponent beyond"), (np.float64(0.2), 'write Fraction(1, 5), "1/5" or "0.2"'),
        (np.float32(0.2), 'write Fraction(1, 5), "1/5" or "0.2"'),
        (np.array([[0.2], [0.8]]), "array([[0.2], [0.8]]) is not an exact number"), ("7" * 5000 + "x", "777..."),
    ],
)  # fmt: skip
def test_rational_refuses_other_values_in_one_line(given_value, part):
    error = refusal(rational, given_value)
    assert part in error
    assert "\n" not in error


@pytest.mark.parametrize("text", ["1e10000", "1e-10000", "1e0010000", "1E+10000"])
def test_rational_accepts_exponents_up_to_10000(text):
    assert rational(text) == fmpq(10) ** (-10_000 if "-" in text else 10_000)
    assert refusal(rational, text[:-1] + "1").endswith("has an exponent beyond 10000, above 0 or below")


@given(st.fractions())
def test_rational_reads_back_its_text(value):
    assert rational(str(rational(value))) == rational(value)


@given(st.fractions(min_value=-(10**12), max_value=10**12), st.integers(1, 20))
@example(Fraction(999999, 1000000), 3)
@example(Fraction(1, 10**9), 4)
def test_decimal_text_is_the_nearest_decimal(value, digits):
    rounded = Fraction(decimal_text(rational(value), digits))
    if value == 0:
        assert rounded == 0
        return
    # half a unit in the last of `digits` significant digits, found independently through Decimal's exponent
    exponent = (Decimal(abs(value).numerator) / Decimal(abs(value).denominator)).adjusted()
    assert abs(rounded - value) <= Fraction(10) ** (exponent - digits + 1) / 2 * (1 + Fraction(1, 10**9))


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        ("0", 3, "0"),
        ("1.25", 2, "1.2"),  # half to even
        ("1.35", 2, "1.4"), ("-1.25", 2, "-1.2"), ("1.2500000000000000000000000000000000000001", 2, "1.3"),
        ("-1.2500000000000000000000000000000000000001", 2, "-1.3"), ("999.6", 3, "1000"), ("1e-9000", 5, "1e-9000"),
        ("-123456789e20", 3, "-1.23e28"),
    ],
)  # fmt: skip
def test_decimal_text_matches_hand_computation(value, digits, text):
    assert decimal_text(rational(value), digits) == text
    assert decimal_text("2/3") == "0.6666666667"


@given(st.fractions())
def test_conversions_keep_the_number(value):
    exact = rational(value)
    assert fraction(exact) == value
    assert rational(sympy_rational(exact)) == exact
    assert nearest_float(exact) == float(value)  # Fraction's own conversion rounds correctly too


@given(st.fractions(min_value=-(10**12), max_value=10**12), st.integers(1, 20))
def test_shorter_decimal_text_is_exact(value, digits):
    text = decimal_text(rational(value), digits)
    significant = text.split("e")[0].replace("-", "").replace(".", "").lstrip("0")
    assert Fraction(text) == value or len(significant) >= digits


@given(st.lists(st.fractions(), min_size=2), st.fractions(), st.integers(1, 300))
def test_decimal_texts_of_different_numbers_differ(values, value, exponent):
    numbers = [rational(number) for number in [*values, value, value + Fraction(1, 10**exponent)]]
    texts = decimal_texts(numbers)
    for x, text in zip(numbers, texts, strict=True):
        assert {y for y, other in zip(numbers, texts, strict=True) if Decimal(other) == Decimal(text)} == {x}


@given(st.fractions(0, 9, max_denominator=60), st.fractions(0, 9, max_denominator=60), st.booleans())
def test_simplest_between_has_the_smallest_denominator(one, other, with_ends):
    low, high = sorted((rational(one), rational(other)))
    if low == high and not with_ends:
        return

    def is_between(number):
        return low <= number <= high if with_ends else low < number < high

    found = simplest_between(low, high, with_ends=with_ends)
    assert is_between(found)
    smaller = (fmpq(p, q) for q in range(1, int(found.q)) for p in range(int(low * q), int(high * q) + 2))
    assert not any(map(is_between, smaller))


def test_rational_text_exceeds_pythons_digit_limit():
    text = "1" + "0" * 5000 + "1/3"
    assert str(rational(text)) == text
    assert nearest_float("1e-9999") == 0

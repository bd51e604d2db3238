"""Real numbers in text and their enclosures: against mpmath, nested in the precision; refusals."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

import mpmath
import pytest
from flint import arb, ctx, fmpq
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.refusals import refusal
from tests.theory.mpmath_oracle import by_mpmath
from theory import NumberError, fraction, rational
from theory.enclosures import Enclosure, parse_number, real_number
from theory.enclosures.enclosure import rounded_down, rounded_up
from theory.enclosures.expressions import Enclosed, Rational
from theory.enclosures.ranges import of_ball, rounded

fractions = st.fractions(-10, 10, max_denominator=10**6)


# --- enclosures


@given(one=fractions, other=fractions, digits=st.integers(1, 30), more=st.integers(0, 30))
def test_decimals_of_an_enclosure_contain_it_and_are_nested(one, other, digits, more):
    low, high = sorted((rational(one), rational(other)))
    enclosure = Enclosure(low, high)
    ends = [Fraction(Decimal(text)) for text in enclosure.decimals(digits)]
    assert ends[0] <= fraction(low) <= fraction(high) <= ends[1]
    finer = [Fraction(Decimal(text)) for text in enclosure.decimals(digits + more)]
    assert ends[0] <= finer[0] <= finer[1] <= ends[1]
    assert ends[1] - ends[0] <= fraction(high - low) + 3 * max(
        Fraction(1, 10 ** (digits + 1)) * fraction(enclosure.magnitude), fraction(high - low) / 100
    )


def test_decimals_of_an_exact_number_equal_it():
    # zeros are written out up to six
    small = ["0", "1", "-0.5", "-0.1", "0.000001", "1E-7", "1E-400"]
    for text in (*small, "-1E+7", "1500", "1000000", "-1000000", "1E+7", "1E+30"):
        point = Enclosure.point(rational(text))
        assert point.decimals(20) == (text, text)
    long = Enclosure.point(rational(10**4999 + 1))  # longer than Python prints integers
    assert len(long.decimals(5000)[0]) == 5000


@pytest.mark.parametrize("bits", [1, 2, 3, 4])
def test_directed_rounding_matches_enumeration_of_short_floats(bits):
    numbers = sorted({fmpq(sign * m) * fmpq(2) ** e for m in range(2**bits) for e in range(-10, 7) for sign in (1, -1)})
    for value in {fmpq(p, q) for p in range(-20, 21) for q in range(1, 13)}:
        assert rounded_down(value, bits) == max(number for number in numbers if number <= value)
        assert rounded_up(value, bits) == min(number for number in numbers if number >= value)


@pytest.mark.parametrize(
    ("low", "high", "digits", "expected"),
    [
        ("-123.456789", "-123.456789", 2, ("-123.5", "-123.4")),  # two digits to spare
        ("0", "1000", 5, ("0", "1000")),
        ("1", "9.99", 5, ("1", "9.99")),  # three digits of the width
        ("1", "9.9911", 5, ("1", "10")), ("1.00049", "2.00051", 9, ("1", "2.01")),
        ("-1000.5", "1.25", 9, ("-1010", "10")), ("-1.25", "1000.5", 9, ("-10", "1010")),
        ("1/3", "1/3", 1, ("0.333", "0.334")), ("0.0999", "0.0999", 1, ("0.0999", "0.0999")),
        ("-1/7", "1/7", 3, ("-0.143", "0.143")),
    ],
)  # fmt: skip
def test_decimals_of_an_enclosure_match_hand_computation(low, high, digits, expected):
    assert Enclosure(rational(low), rational(high)).decimals(digits) == expected


def test_enclosure_relations_match_hand_computation():
    one, two, three, four = map(fmpq, range(1, 5))
    inner, outer, point = Enclosure(two, three), Enclosure(one, four), Enclosure.point(two)
    assert [inner.within(outer), outer.within(inner), inner.within(inner)] == [True, False, True]
    assert [Enclosure(one, three).within(inner), Enclosure(two, four).within(inner)] == [False, False]
    assert [inner.contains(value) for value in (one, two, fmpq(5, 2), three, four)] == [False, True, True, True, False]
    assert Enclosure.point(four).certainly_above(inner) is True
    assert Enclosure.point(three).certainly_above(inner) is False  # they may be equal
    assert inner.certainly_above(outer) is False
    assert [each.is_exact for each in (inner, point)] == [False, True]
    assert [each.width for each in (inner, outer, point)] == [1, 3, 0]
    for low, high, magnitude in ((1, 3, 3), (-3, 1, 3), (-1, 3, 3), (-3, -1, 3), (0, 0, 0)):
        assert Enclosure(fmpq(low), fmpq(high)).magnitude == magnitude
    ball = Enclosure.of_ball(arb(3, 1))  # of a radius a little more than 1
    assert two - fmpq(1, 10**6) < ball.low <= two < four <= ball.high < four + fmpq(1, 10**6)
    assert outer.rounded(1) == outer
    assert Enclosure(fmpq(-7, 2), fmpq(7, 2)).rounded(2) == Enclosure(-four, four)
    assert of_ball(lambda: arb(0), 20) == Enclosure(fmpq(0), fmpq(0))


# --- expressions

LEAVES = st.one_of(st.sampled_from(["pi", "2", "0.318", "1/3", "20", "1e-3", "7"]), st.integers(1, 99).map(str))


def _combined(parts):
    return st.one_of(
        st.tuples(parts, st.sampled_from(["+", "-", "*", "/"]), parts).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(st.sampled_from(["exp", "log", "sqrt"]), parts).map(lambda t: f"{t[0]}({t[1]})"),
        st.tuples(parts, st.integers(-3, 4)).map(lambda t: f"({t[0]})^{t[1]}"),
        parts.map(lambda part: f"-({part})"),
    )


EXPRESSIONS = st.recursive(LEAVES, _combined, max_leaves=8)


@given(text=EXPRESSIONS)
def test_expression_enclosures_contain_mpmath_values(text):
    try:
        number = parse_number(text)
    except NumberError:
        assume(False)
    value = fraction(by_mpmath(text, 120))
    slack = abs(value) * Fraction(1, 10**90) + Fraction(1, 10**90)
    before = None
    for bits in (30, 32, 64, 100, 250):
        found = number.enclosure(bits)
        assert fraction(found.low) - slack <= value <= fraction(found.high) + slack
        assert before is None or found.within(before)
        before = found
    assert isinstance(number, Rational) or before.width <= fmpq(1, 2**100) * max(before.magnitude, fmpq(1))


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("1/3 + 1/6", "1/2"), ("-2^2", "-4"), ("2**-3", "1/8"), ("sqrt(9/4)", "3/2"), ("exp(0)", "1"), ("log(1)", "0"),
        ("--1", "1"), ("(1 + 2)*3 - 4/2", "7"), ("1.5e-3*2", "3/1000"), (".5 + 1.", "3/2"), ("2 * 3 ^ 2", "18"),
        ("8/2/2", "2"), ("10 - 3 - 2", "5"), ("1e5000*1e5000", "1e10000"),
    ],
)  # fmt: skip
def test_rational_expressions_are_exact(text, exact):
    assert parse_number(text) == Rational(rational(exact))


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("0.318 +/- 0.001", "0.317", "0.319"), ("0.318±1e-3", "0.317", "0.319"), ("(2 +/- 1)^2", "1", "9"),
        ("(-1 +/- 2)^2", "0", "9"), ("1/(3 +/- 1)", "1/4", "1/2"), ("(0 +/- 1)*(0 +/- 2)", "-2", "2"),
        ("-1 +/- 0.5", "-3/2", "-1/2"), ("(1 +/- 1/2) - (1 +/- 1/2)", "-1", "1"),
        ("(1 +/- 1/2) - (3 +/- 1)", "-7/2", "-1/2"), ("(1 +/- 1/2) + (3 +/- 1)", "5/2", "11/2"),
        ("(-3 +/- 1)^2", "4", "16"), ("(-2 +/- 1)*(3 +/- 1)", "-12", "-2"), ("3*(2 +/- 1)", "3", "9"),
        ("(2 +/- 1)/(-3 +/- 1)", "-3/2", "-1/4"), ("1/(-3 +/- 1)", "-1/2", "-1/4"), ("-(2 +/- 1)", "-3", "-1"),
        ("(2 +/- 1)^3", "1", "27"), ("(-2 +/- 1)^3", "-27", "-1"), ("(-2 +/- 1)^-2", "1/9", "1"),
        ("(2 +/- 1)^-1", "1/3", "1"), ("(0 +/- 2)^0", "1", "1"), ("(-1 +/- 2)^4", "0", "81"), ("(-2 +/- 1)^5", "-243", "-1"),
        ("1/2 +/- (1 +/- 1/4)", "-3/4", "7/4"), ("(1/2 +/- 1/4) +/- 1", "-3/4", "7/4"), ("2 +/- 0", "2", "2"),
    ],
)  # fmt: skip
def test_ranges_of_rational_expressions_are_exact(text, low, high):
    assert parse_number(text).enclosure(64) == Enclosure(rational(low), rational(high))


def test_parse_number_accepts_200_operations_49_brackets_and_1000_digits():
    for text in ("(" * 49 + "1" + ")" * 49, "1e9999*10", "1e-9999/10", "0" * 999 + "1", "1e10000", "1e-10000"):
        assert parse_number(text).enclosure(64).is_exact
    text = "sqrt(2)" + "*1+1" * 100
    number = parse_number(text)
    assert (number, hash(number)) == (parse_number(text), hash(parse_number(text)))
    assert number.enclosure(64).decimals(10) == ("101.414213562", "101.414213563")


def test_rational_power_is_exact():
    power = fmpq(1)
    for _ in range(2001):
        power *= fmpq(3, 7)
    assert parse_number("(3/7)^2001").enclosure(64) == Enclosure(power, power)
    assert parse_number("(3/7)^-2001").enclosure(64) == Enclosure(1 / power, 1 / power)


def test_long_rational_power_is_rounded():
    number = parse_number("((1 + 1e-9999)^1000)^1000")
    assert number.enclosure(64).low == 1
    assert 0 < number.enclosure(64).width < fmpq(1, 2**40)


@pytest.mark.parametrize(("exponent", "bits"), [(10, 64), (80, 1024), (400, 4096)])
def test_enclosure_raises_precision_to_decide_the_domain(exponent, bits):
    """The argument of the root is positive, which few bits do not show."""
    number = parse_number(f"sqrt(exp(1e-{exponent}) - 1)")
    assert number.enclosure(bits).low > 0


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (["sqrt(-1/2)"], "the square root of -0.5, which is negative"),
        (["1/0", "0^-1"], "division by 0"),
        (["1e5001*1e5000", "9^99999", "1e10000*10", "1e-10000/10", "exp(30000)", "exp(-30000)"], "it is beyond 10^10000 or its inverse"),
        (["9^9^9", "2^(1)^2"], "an exponent is an integer; for others write exp(y*log(x)) or sqrt(x)"),
        (["().__class__", "(1).real", "9//2", "1or 2", "exp()"], "'{text}' is not expected there"),
        (["1_0*2"], "'1_0' is not expected there"),
        (["0x10+1"], "'0x10' is not expected there"),
        (["1j*1"], "'1j' is not expected there"),
        (["True+1"], "'True' is not expected there"),
        (["pi(2)"], "no function is called pi; the functions are exp, log, sqrt"),
        (["exp(**1)"], "'exp(^1)' is not expected there"),
        ([""], "it is empty"),
        (["1 +/- 2 +/- 3"], "'+/-' is not expected there"),
        (["sqrt(2)" + "+1" * 201, "-" * 900 + "sqrt(2)"], "it has more than 200 operations"),
        (["exp(30001)", "exp(-30001)"], "{text} is beyond 10^10000 or its inverse"),
        (["log(-exp(1))"], "the logarithm of -2.7183..., which is not positive"),
        (["sqrt(-exp(1))"], "the square root of -2.7183..., which is negative"),
        (["log(1 +/- 1)"], "the logarithm of a number that may be 0 or less"),
        (["log(-1 +/- 1)"], "the logarithm of -2..., which is not positive"),
        (["sqrt(-1 +/- 1)"], "the square root of a number that may be negative"),
        (["sqrt(-2 +/- 1)"], "the square root of -3..., which is negative"),
        (["1/(1 +/- 1)", "1/(-1 +/- 1)", "(-1 +/- 1)^-2"], "division by a number that may be 0"),
        (["1 +/- (0 +/- 1)"], "what follows +/- may be negative"),
        (["1  $%"], "'$' is not expected there"),
        (["x"], "nothing is called x; known are pi and the functions exp, log, sqrt"),
        (["e1*2"], "nothing is called e1; known are pi and the functions exp, log, sqrt"),
        (["e1(2)"], "no function is called e1; the functions are exp, log, sqrt"),
        (["0" * 1001], "it is longer than 1000 characters"),
        (["(1)+" * 60 + "(" * 50 + "1" + ")" * 50], "it is nested deeper than 50"),
        (["__import__('os').system('true')"], "\"'\" is not expected there"),
        (["1 2", "(1", "1)", "*2", "**2", "2pi", "1 +", "sqrt(2", "1\n2", "2*lambda"], "it is no expression (…"),
        (["((1e9999)^9)^9", "(1/3)^999999999", "exp(9^9999)", "exp(1e5000)"], "…beyond…"),  # before they are computed
        (["2^0.5", "2^9999999999"], "an exponent is an integer…"), (["1e99999"], "…exponent beyond 10000…"),
        (["\N{ARABIC-INDIC DIGIT ONE}"], "…is not expected there"),
        (["sqrt(exp(1e-2000) - 1)"], "…may be negative"),  # no precision shows that it is positive
    ],
)  # fmt: skip
def test_parse_number_error_states_the_reason(texts, reason):
    for text in texts:
        error = refusal(parse_number, text)
        pattern = re.escape(reason.replace("{text}", text)).replace("…", ".*")
        assert re.search(f"( is not a number: |has an ){pattern}$", error)
        assert len(error) < 250
    for length, quoted in ((60, "$" * 60), (61, "$" * 57 + "...")):
        assert refusal(parse_number, "$" * length) == f"'{quoted}' is not a number: '$' is not expected there"


def test_rounded_keeps_rationals_up_to_2_to_the_17_bits():
    longest = 2**17  # bits, of numerator or denominator
    within, beyond = fmpq(2**longest - 1, 2 ** (longest - 1)), fmpq(2 ** (longest + 1) - 1, 2 ** (longest - 1))
    for exact in (within, 1 / within):
        assert rounded(Enclosure.point(exact), 64) == Enclosure.point(exact)
    for long in (beyond, 1 / beyond):
        found = rounded(Enclosure.point(long), 64)
        assert found.low < long < found.high
        assert found.width <= long / 2**62


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        ("1e-10001", "1", ("0", "1")), ("-1e-10001", "1", ("-1e-10000", "1")), ("-1", "1e-10001", ("-1", "1e-10000")),
        ("-1", "-1e-10001", ("-1", "0")), ("-1e-10001", "1e-10001", ("-1e-10000", "1e-10000")),
        ("0", "1e-10001", ("0", "1e-10000")), ("1e-10000", "1", ("1e-10000", "1")),
        ("-1", "-1e-10000", ("-1", "-1e-10000")), ("-1e10000", "1e10000", ("-1e10000", "1e10000")),
    ],
)  # fmt: skip
def test_rounding_moves_tiny_endpoints_outwards(low, high, expected):
    def number(text):  # accepts exponents that `rational` refuses
        sign, digits = (-1, text[1:]) if text[0] == "-" else (1, text)
        mantissa, _, exponent = digits.partition("e")
        return sign * fmpq(int(mantissa)) * fmpq(10) ** int(exponent or 0)

    assert rounded(Enclosure(number(low), number(high)), 64, True) == Enclosure(*map(number, expected))


@pytest.mark.parametrize(("low", "high"), [("1", "2"), ("-2", "-1"), ("7", "7")])
def test_rounded_refuses_enclosures_beyond_the_range(low, high):
    for scale in (fmpq(10) ** 10_001, fmpq(10) ** -10_001):
        wide = Enclosure(rational(low) * scale, rational(high) * scale)
        assert refusal(rounded, wide, 64) == "it is beyond 10^10000 or its inverse"


def test_functions_of_enclosures_match_values_at_the_ends():
    e = fmpq(27182818284590452353602874713526, 10**31)  # and a little more
    for text, low, high in (
        ("exp(0 +/- 1)", 1 / e, e),
        ("log((exp(1) + exp(-1))/2 +/- (exp(1) - exp(-1))/2)", fmpq(-1), fmpq(1)),
        ("sqrt(5/2 +/- 3/2)", fmpq(1), fmpq(2)),
        ("sqrt(0 +/- 0)", fmpq(0), fmpq(0)),
        ("sqrt(9/2)", *[fmpq(21213203435596425732025330863145, 10**31)] * 2),
        ("sqrt(2/9)", *[fmpq(47140452079103168293389624140323, 10**32)] * 2),
        ("sqrt(1/2 +/- 1/2)", fmpq(0), fmpq(1)),
        ("exp(-1)^2 +/- exp(-1)^2", fmpq(0), 2 / e**2),
    ):
        for bits in (40, 64):
            found = parse_number(text).enclosure(bits)
            slack = fmpq(1, 2 ** (bits - 4)) + fmpq(1, 10**30)
            assert low - slack <= found.low <= low + fmpq(1, 10**30)
            assert high - fmpq(1, 10**30) <= found.high <= high + slack


def test_is_fixed_holds_iff_the_number_contains_an_interval():
    for text in ("exp(1 +/- 0.1)", "(1 +/- 0.1)^2", "2*(1 +/- 0.1)", "(1 +/- 0.1)/2", "1 +/- 0.1", "-(1 +/- 0.1)"):
        assert parse_number(text).is_fixed is True
    for text in ("exp(1)", "pi", "2^3", "sqrt(2)*2", "1/3"):
        assert parse_number(text).is_fixed is False
    assert real_number(Enclosure(fmpq(1), fmpq(2))).is_fixed is True
    assert Enclosed(Enclosure(fmpq(1), fmpq(1))).is_fixed is False


def test_real_number_accepts_binary_exponents_up_to_80000():
    """Larger exponents are refused, because the exact number may not fit into memory."""
    for exponent in (80_000, -80_000):
        for taken in (arb(2) ** exponent, (mpmath.mpf(2) ** exponent, 0)):
            assert real_number(taken) == Rational(fmpq(2) ** exponent)
        further = exponent + (1 if exponent > 0 else -1)
        radius = arb(1, arb(2) ** (further + exponent // 1000))  # a radius has 30 bits
        for refused in (arb(2) ** further, radius, (mpmath.mpf(2) ** further, 0)):
            assert refusal(real_number, refused).endswith("is beyond 10^10000 or its inverse")
    assert real_number((mpmath.mpf(-3), 0)) == Rational(fmpq(-3))
    assert real_number((mpmath.mpf("-0.375"), 0)) == Rational(fmpq(-3, 8))


def test_real_number_accepts_every_supported_type():
    with ctx.workprec(200):
        root = arb(2).sqrt()
    found = real_number(root).enclosure(64)
    assert found.low**2 <= 2 <= found.high**2
    assert found.width < fmpq(1, 2**150)
    assert real_number(arb(3)) == Rational(fmpq(3))
    assert real_number((mpmath.mpf("0.5"), mpmath.mpf("0.25"))) == Enclosed(Enclosure(fmpq(1, 4), fmpq(3, 4)))
    assert real_number((mpmath.mpf(0), 1)) == Enclosed(Enclosure(fmpq(-1), fmpq(1)))
    assert real_number((mpmath.mpf(2) ** 100, mpmath.mpf(2) ** -100)).enclosure(64).width == fmpq(1, 2**99)
    assert real_number(mpmath.iv.mpf([1, 2])) == Enclosed(Enclosure(fmpq(1), fmpq(2)))
    assert real_number(Fraction(1, 3)) == Rational(fmpq(1, 3))
    assert real_number("3.21") == Rational(fmpq(321, 100))


@pytest.mark.parametrize("text", ["1-pi/4", "1/pi", "100/pi", "0.5+pi", "-pi", "pi", " pi", "2 + 3 * pi", "-1-pi"])
def test_real_number_reads_pi_anywhere(text):
    number = real_number(text)
    assert number == parse_number(text)
    assert not number.enclosure(64).is_exact


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (0.5, "is a float"), (mpmath.mpf(2), "give it with its largest error"), (arb("inf"), "is not finite"),
        (arb("nan"), "is not finite"), (arb(2) ** 10**12, "beyond 10^10000"), ((mpmath.mpf("inf"), 1), "infinite"),
        ((1, -1), "is negative"), (Enclosure(fmpq(2), fmpq(1)), "above the upper end"),
        (None, "is not an exact number"), ("a lot", "is not a number: write an integer"),
        ("1,5", "is not a number: write an integer"),
    ],
)  # fmt: skip
def test_real_number_refuses_other_values(value, reason):
    assert reason in refusal(real_number, value)

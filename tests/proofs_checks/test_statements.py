"""Statements: evaluation, variants, domains and printed words, on examples worked by hand."""

from __future__ import annotations

import itertools
import re

import pytest
import sympy
from flint import arb, fmpq

from proofs_checks.claimcheck.ledger import Chapter
from proofs_checks.claimcheck.statements import (
    Family,
    ForAll,
    PrintedNumber,
    Process,
    Property,
    Relation,
    answer,
    evaluate,
)
from proofs_checks.claimcheck.statements.evaluation import NotDefinedError, UnclearError
from proofs_checks.claimcheck.statements.symbols import K, N, S, T, beta, c, d, k, m, n, s, u, x, y
from proofs_checks.paper.shared.episode_moments import LongestMoment
from proofs_checks.paper.shared.source import OUTLINE
from theory import NumberError
from theory.certified import Truth

roots = sympy.Sum(1 / sympy.sqrt(m), (m, 1, T))
SQUARE_ROOTS = Relation("roots", ForAll(T >= 1), roots <= c * sympy.sqrt(T) - d, c=2, d=1)


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        (sympy.sqrt(x), fmpq(3, 2)),  # of 9/4
        (x ** sympy.Rational(-3, 2), fmpq(8, 27)), (sympy.Max(x, 2) + sympy.Min(x, 2), fmpq(17, 4)),
        (sympy.floor(x) + sympy.ceiling(x), fmpq(5)), (sympy.Sum(m * x, (m, 1, 3)), fmpq(27, 2)),
        (sympy.Abs(1 - x), fmpq(5, 4)),
    ],
)  # fmt: skip
def test_evaluate_returns_exact_rationals(formula, value):
    found = evaluate(formula, {x: fmpq(9, 4)})
    assert isinstance(found, fmpq)
    assert found == value


def test_evaluate_encloses_irrational_values():
    assert evaluate(sympy.log(x), {x: fmpq(2)}).overlaps(arb(2).log())
    assert evaluate(sympy.exp(x) * sympy.pi, {x: fmpq(1)}).overlaps(arb.const_e() * arb.pi())


@pytest.mark.parametrize("formula", [sympy.log(x), 1 / x, sympy.sqrt(x - 1), 0 * sympy.log(x) + sympy.log(x), sympy.zoo * x,
    LongestMoment(2, 1 - x, 3), sympy.sqrt(x - sympy.log(2)), sympy.cbrt(x - sympy.log(2))])  # fmt: skip
def test_evaluate_raises_where_a_formula_has_no_value(formula):
    with pytest.raises(NotDefinedError):
        evaluate(formula, {x: fmpq(0)})


def test_evaluate_over_a_box_around_a_pole_is_unclear():
    with pytest.raises(UnclearError):
        evaluate(1 / x, {x: arb(-1).union(arb(1))})


def test_evaluate_matches_hand_values_of_sums_and_roots():
    assert [evaluate(each, {x: arb(0)}) for each in (sympy.sqrt(x), sympy.cbrt(x))] == [0, 0]
    assert [evaluate(x**power, {x: fmpq(0)}) for power in (sympy.Rational(1, 2), sympy.sqrt(2))] == [0, 0]


def test_equal_domains_have_equal_hashes():
    assert len({ForAll(K >= 2), ForAll(K >= 2), ForAll(K >= 3)}) == 2


def test_relation_is_evaluated_with_its_parameters():
    assert SQUARE_ROOTS.at({T: fmpq(4)}).true
    assert SQUARE_ROOTS.with_(d="1.01").at({T: fmpq(1)}).false
    assert SQUARE_ROOTS.with_(c="9/5", d=0).at({T: fmpq(100)}).false  # the sum is 18.589...
    assert SQUARE_ROOTS.at({T: fmpq(10**6)}).truth is Truth.UNDECIDED  # too many terms to add up


def test_relation_decides_equality_of_rational_roots():
    tight = Relation("tight", ForAll(T >= 1), sympy.sqrt(T) <= 2)
    assert tight.at({T: fmpq(4)}).true


def test_relation_is_false_where_it_is_undefined():
    found = Relation("log", ForAll(K >= 1), sympy.log(sympy.log(K)) <= K).at({K: fmpq(1)})
    assert found.false
    assert "logarithm of 0" in found.values["not defined"]


def test_variant_of_an_unknown_parameter_is_refused():
    with pytest.raises(TypeError, match="roots has no parameter e; it has c, d"):
        SQUARE_ROOTS.with_(e=1)


def test_relation_refuses_a_constant_truth_value():
    with pytest.raises(ValueError, match="was decided at once"):
        Relation("empty", ForAll(T >= 1), T <= 2, sympy.Integer(1) <= 2)


def test_statement_text_with_an_unknown_parameter_is_refused():
    error = "third: it says [[prinetd]], which is no parameter; there are printed"
    with pytest.raises(ValueError, match=re.escape(error)):
        PrintedNumber("third", "0.333", lambda: fmpq(1, 3), says="$[[prinetd]]$")
    with pytest.raises(ValueError, match=re.escape("even: it says [[m]], which is no parameter; there are n, formula")):
        Property("even", lambda n: n % 2 == 0, says="$[[n]]$ is even[[m=0? up to #]].", n=2)


@pytest.mark.parametrize("second", [False, True])
def test_printed_number_refuses_floats(second):
    inexact = {"also": lambda: 0.1 + 0.2} if second else {}
    value = (lambda: fmpq(3, 10)) if second else (lambda: 0.1 + 0.2)
    error = r"sum: its value has to be exact, or enclosed in an arb: 0\.3.* is a float"
    with pytest.raises(NumberError, match=error):
        PrintedNumber("sum", "0.3", value, says="$[[printed]]$", **inexact).at(None)
    assert PrintedNumber("one", "1", lambda: 1, says="$[[printed]]$").at(None).true


def test_printed_number_keeps_trailing_zeros():
    assert PrintedNumber("ten", "10.0", lambda: 10, says="$[[printed]]$ of $[[n]]$", n="1.50").text == "$10.0$ of $1.5$"


@pytest.mark.parametrize("returned", [None, 1, "no", (False, 3), fmpq(1, 2)])
def test_property_refuses_a_function_that_returns_no_truth_value(returned):
    with pytest.raises(TypeError, match=r"a check returned .*: return True, False, a Truth"):
        Property("nothing", lambda: returned, says="It is.").at(None)


def test_plain_false_of_a_property_has_its_object_or_parameters_as_witness():
    numbers = Family("numbers", lambda: iter((4, 3)), complete=True)
    even = Property("even", lambda number: number % 2 == 0, over=numbers, says="Even.")
    assert [even.at(number).values for number in (4, 3)] == [{}, {"object": 3}]
    assert Property("two", lambda n: n % 2 == 0, says="$[[n]]$ is even.", n=3).at(None).values == {"n": 3}


def test_domain_points_start_at_edges_and_lie_inside():
    domain = ForAll(K >= 2, k >= 2, k <= K, beta >= 0, beta < 1)
    points = [point for point, _ in zip(domain.points(), range(300), strict=False)]
    assert points[0] == {K: 2, k: 2, beta: 0}
    assert all(point[k] <= point[K] and 0 <= point[beta] < 1 for point in points)
    # the end, one beyond it, points between, and points far away
    reals = [0, 1, fmpq(1, 2), fmpq(1, 10), 3, 10, fmpq(1, 1000), 1000, 10**6]
    shares = [0, *(fmpq(p, q) for p, q in ((1, 2), (9, 10), (1, 10), (99, 100), (1, 3), (3, 4), (999, 1000), (1, 1000), (10**6 - 1, 10**6)))]  # fmt: skip
    for where, edges in [
        (K >= 3, [3, 4, 5, 6, 7, 8, 11, 14, 102, 1003, 1000003]), (x >= 2, [2 + each for each in reals]),
        (x <= 2, [2 - each for each in reals]), (sympy.Ne(x, 7), [0, *(sign * each for each in reals[1:] for sign in (1, -1))]),
    ]:  # fmt: skip
        assert [next(iter(point.values())) for point in ForAll(where).points()] == edges
    assert [point[x] for point in ForAll(x >= 0, x < 1).points()] == shares
    assert not domain.contains({K: fmpq(5, 2), k: fmpq(2), beta: fmpq(0)})


@pytest.mark.parametrize(
    ("conditions", "first", "least"),
    [
        ([K >= 16 * S, S >= 1, n >= 2, beta >= 0, beta < 1, n * S <= K], {K: 16, S: 1, n: 2, beta: 0}, 400),
        ([n <= K, n >= 2], {n: 2, K: 2}, 100),
        ([3 * S <= 2 * K, 5 * K <= 8 * S, S >= 1], {S: 2, K: 3}, 30),
        ([K >= S**2, S >= 5], {S: 5, K: 25}, 100),
        ([S * sympy.log(S) <= K, S >= 100], {S: 100, K: 461}, 100),
        ([S * K <= 10, S > 5], {S: 6, K: 0}, 30),
        ([n >= K + S, K >= 16 * S, S >= 1], {n: 17, K: 16, S: 1}, 400),
        ([K >= 10**9 * S, S >= 1, K >= 1], {K: 10**9, S: 1}, 100),
        ([K >= S + 10**9, S >= 1, K >= 1, sympy.Eq(n, K + S)], {K: 10**9 + 1, S: 1, n: 10**9 + 2}, 100),
        ([sympy.Eq(x + y, sympy.Rational(1, 7)), x >= 0, y >= 0], {x: 0, y: fmpq(1, 7)}, 3),
        ([x * 2 > y, x < y, y >= 1], {x: fmpq(3, 4), y: 1}, 30),
    ],
)
def test_points_are_found_where_conditions_tie_variables(conditions, first, least):
    domain = ForAll(*conditions)
    points = list(itertools.islice(domain.points(), 400))
    assert (points[0], len(points) >= least) == (first, True)
    assert all(domain.contains(point) for point in points)


def test_all_points_lists_a_finite_domain():
    assert len(list(ForAll(K >= 1, K <= 3, k >= 1, k <= K, k <= 3).all_points())) == 6


def test_relation_prints_formula_and_domain_in_latex():
    assert SQUARE_ROOTS.formula_latex == r"\sum_{m=1}^{T} \frac{1}{\sqrt{m}} \le 2 \sqrt{T} - 1"
    assert SQUARE_ROOTS.with_(c="2.5").text == r"$\sum_{m=1}^{T} \frac{1}{\sqrt{m}} \le \frac{5 \sqrt{T}}{2} - 1$"
    assert SQUARE_ROOTS.domain_latex == r"$T \ge 1$"


def test_printed_number_holds_and_its_neighbours_fail():
    third = PrintedNumber("third", "0.333", lambda: fmpq(1, 3), says="$[[printed]]$")
    assert third.at(None).true
    assert [third.with_(printed=each).at(None).false for each in third.neighbours()] == [True, True]
    assert third.neighbours() == ("0.332", "0.334")
    root = PrintedNumber("root", "1.414", lambda: arb(2).sqrt(), says="$[[printed]]$")
    assert root.at(None).true
    assert root.with_(printed="1.415").at(None).false


def test_printed_number_refuses_two_different_computations():
    number = PrintedNumber("two", "2.0", lambda: fmpq(2), also=lambda: fmpq(3), says="$[[printed]]$")
    with pytest.raises(ArithmeticError, match="one computation gives 2, the other 3"):
        number.at(None)


def test_property_passes_instances_and_parameters():
    even = Property("even", lambda number, factor: answer(factor * number % 2 == 0, product=factor * number),
        over=Family("0, 1, 2", lambda: iter(range(3)), complete=True), says="$[[factor]]n$ is even", factor=2)  # fmt: skip
    assert [even.at(each).true for each in even.instances()] == [True] * 3
    assert even.with_(factor=1).at(1).values == {"product": 1}


def test_property_without_domain_is_computed_once_per_variant():
    calls = []
    fact = Property("fact", lambda c: calls.append(c) or c > 1, says="", c=2)
    assert [fact.at(None).true, fact.at(None).true, fact.with_(c=1).at(None).true] == [True, True, False]
    assert calls == [2, 1]


def test_process_ignores_inputs_outside_their_domain():
    inputs = ForAll(u >= 0, u <= 1)
    total = Process("total", s <= c * N, start={s: 0, N: 0}, move={s: s + u, N: N + 1}, inputs=inputs, c=1)
    assert total.at(({}, ({u: fmpq(1)}, {u: fmpq(1, 2)}))).true
    assert total.with_(c="1/2").at(({}, ({u: fmpq(1)},))).false
    assert total.with_(c="1/2").at(({}, ({u: fmpq(2)},))).true


def test_process_accepts_a_parameter_used_only_in_its_moves():
    kept = Process("kept", s >= 1, start={s: 1}, move={s: c * s}, inputs=ForAll(), c=1)
    assert kept.at(({}, ({}, {}))).true
    assert kept.with_(c="1/2").at(({}, ({},))).false


@pytest.mark.parametrize(
    ("line", "section", "environment", "equation"),
    [
        (218, "2.1", "", 2), (369, "5.1", "Theorem 1", None), (649, "A.2", "Lemma 1", 21),
        (644, "A.2", "Lemma 1", 19), (810, "A.2", "Lemma 4", 25), (1143, "B", "", 38), (1309, "C", "", 40),
        (1437, "D.3", "", 42),
    ],
)  # fmt: skip
def test_outline_numbers_sections_and_equations_like_the_paper(line, section, environment, equation):
    place = OUTLINE.at(line)
    assert (place.section, place.environment, place.equation) == (section, environment, equation)


def test_relation_refuses_an_unknown_convention():
    with pytest.raises(ValueError, match="no convention is called 'weather'"):
        Chapter().ours().relation("r", "", ForAll(T >= 1), x <= c, reading={"weather": "fine"}, c=1)


def test_evaluate_encloses_a_power_with_many_digits():
    power = evaluate(x**K, {x: fmpq(999_999, 10**6), K: fmpq(10**6)})
    assert not isinstance(power, fmpq)
    assert abs(power - arb(-1).exp() * (1 - arb(5) / 10**7)) < fmpq(1, 10**10)  # exp(10^6 log(1 - 10^-6)), expanded
    assert isinstance(evaluate(x**K, {x: fmpq(1, 2), K: fmpq(1000)}), fmpq)


def test_statement_omits_a_factor_of_one():
    bound = Relation("factor", ForAll(x >= 1), x <= c * x, says="$[[*c]]x$", c=1)
    assert (bound.text, bound.with_(c="3/2").text) == ("$x$", r"$1.5 \cdot x$")
    with pytest.raises(ValueError, match=r"factor: its text has 1 before a letter; write \[\[\*c\]\] for a factor"):
        Relation("factor", ForAll(x >= 1), x <= c * x, says="at most $[[c]]x$", c=1)


def test_nearest_refuses_a_constant_that_the_text_does_not_print():
    silent = Relation("silent", ForAll(x >= 1), x <= c * x, says="$x$ is small", c=1)
    said = Relation("said", ForAll(x >= 1), x <= c * x, says="$[[formula]]$", c=1)
    within = Relation("within", ForAll(x >= c), x <= 2 * x, says="$x$ is small", c=1)
    assert [each.says_parameter("c") for each in (silent, said, within)] == [False, True, True]
    with pytest.raises(ValueError, match=r"silent: nearest: the printed claim does not show c; write \[\[c\]\]"):
        Chapter().ours().statement(silent, by="", nearest="c")


def test_conditional_words_are_printed_only_if_the_constant_differs():
    bound = Relation("clause", ForAll(x >= 1), x <= x + c, says="$x$ is small[[c=0?, but for $#$]].", c=0)
    assert bound.text == "$x$ is small."
    assert bound.with_(c="3/2").text == "$x$ is small, but for $1.5$."


def test_process_is_checked_before_its_first_move():
    """This process is false only for the empty sequence of inputs."""
    moved = Process("moved", s >= 1, start={s: 0}, move={s: s + u}, inputs=ForAll(u >= 1, u <= 2))
    empty = [each for each in moved.instances() if each[1] == ()]
    assert empty
    assert moved.at(empty[0]).false
    assert all(moved.at(each).true for each in moved.instances() if each[1])


def test_after_move_returns_a_relation_even_if_both_sides_are_equal():
    """After the move both sides are 1: SymPy would say True, which is no relation to be proved."""
    reset = Process("reset", s <= 1, start={s: 0}, move={s: sympy.Integer(1)}, inputs=ForAll())
    (after,) = (reset.after_move(each) for each in reset.claimed)
    assert isinstance(after, sympy.core.relational.Relational)
    assert (after.lhs, after.rhs) == (1, 1)

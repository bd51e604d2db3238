"""Evidence proves true statements, refuses false ones nearby and lists its steps; cases worked by hand."""

from __future__ import annotations

import re

import pytest
import sympy
from flint import fmpq

from proofs_checks.claimcheck.evidence import (
    Algebra,
    AnyOf,
    Argument,
    ByHand,
    Cases,
    Cited,
    Decides,
    Enclosures,
    Everywhere,
    Grade,
    Invariant,
    LeastAt,
    Samples,
    Solver,
    Step,
    Uses,
    find_witness,
)
from proofs_checks.claimcheck.evidence.argument import relations_at
from proofs_checks.claimcheck.evidence.solver import _follows_linearly, _settled, refute_negation
from proofs_checks.claimcheck.ledger import Book, Chapter, Registry, hands, judged
from proofs_checks.claimcheck.statements import Family, ForAll, Process, Property, Relation, answer
from proofs_checks.claimcheck.statements.symbols import K, N, T, a, c, d, m, q, s, u, x, y
from tests.proofs_checks.blind_leaves import blind_leaves, stronger

ROOTS = Relation("roots", ForAll(T >= 1), sympy.Sum(1 / sympy.sqrt(m), (m, 1, T)) <= c * sympy.sqrt(T) - d, c=2, d=1)
EMPTY = Registry([])
BOOK = Book(EMPTY)
HALF = sympy.Rational(1, 2)


def refuted(domain, relations, given=(), integers=False):
    return refute_negation(domain, tuple(relations), tuple(given), integers)


def prove(evidence, statement, book=BOOK):
    return evidence.establish(statement, book)


def test_induction_proves_the_sum_of_roots_and_no_sharper_bound():
    induction = LeastAt(T, 1, steps=True)
    assert prove(induction, ROOTS).established
    assert prove(LeastAt(T, 1), ROOTS).by == prove(induction, ROOTS).by  # a sum that ends at T has no derivative
    assert "T = 8" in prove(induction, ROOTS.with_(c="1.9", d="0.9")).why
    assert not prove(induction, ROOTS.with_(d="1.001")).established


def test_solver_proves_known_inequalities_and_refuses_others():
    """Floor and ceiling are multiplied by y, so that SymPy does not simplify them."""
    r, floor, ceiling = sympy.Rational, sympy.floor, sympy.ceiling
    known = [
        (x >= -1, sympy.exp(x) >= 1 + x), (y > 0, y * sympy.exp(x) > 0), (x > 0, sympy.log(x) <= x - 1), (x > 0, sympy.log(x) >= 1 - 1 / x), (x > 0, x**y > 0),
        (x >= 0, m <= N, m >= N, x ** (N - m) <= 1), (y >= 0, y**2 <= s, s <= 0, u > 0, y**u <= 0), (x >= 0, x <= 1, y >= 0, x**y <= 1), (x >= 1, y >= 0, x**y >= 1),
        (x >= 0, x <= 1, y >= 1, x**y <= x), (x >= 1, y >= 1, x**y >= x), (N >= 0, (x - 1) ** N >= (x - 1) ** N), (x > 0, x ** (y + 2) <= x * x * x**y),
        (x >= 1, x ** r(1, 12) <= x), (x >= 1, x ** r(2, 3) <= x), (x >= 1, x ** r(-2, 3) <= 1), (x >= 2, x**-60 <= r(1, 2**60)), (x >= 2, x**-61 > 0),
        (K >= 3, K <= 3, x >= 1, x**K >= x**2), (x >= 0, y >= 0, floor(x) * y >= 0), (x >= 1, y >= 0, floor(x) * y >= y), (y >= 0, floor(x) * y <= x * y),
        (y > 0, floor(x) * y > x * y - y), (y > 0, ceiling(x) * y < x * y + y), (y >= 0, ceiling(x) * y >= x * y), (x <= 0, y >= 0, ceiling(x) * y <= 0),
        (x <= 1, y >= 0, ceiling(x) * y <= y), (x >= 0, x / (1 + x) <= 1), (x >= 0, y >= 0, 2 * sympy.sqrt(x * y) <= x + y), (x >= 0, y >= 0, sympy.Max(x, y) <= x + y),
        (x >= 0, y >= 0, sympy.Abs(x - y) <= x + y), (x >= 0, y >= 0, sympy.Min(x, y) <= sympy.sqrt(x * y)),
    ]  # fmt: skip
    unknown = [
        (x >= 0, y >= 0, r(201, 100) * sympy.sqrt(x * y) <= x + y), (x >= 0, sympy.exp(x) >= 1 + r(11, 10) * x), (x >= 2, x**-61 <= r(1, 2**61)),
        (x >= 1, x ** r(1, 13) <= x), (K >= 3, K <= 4, x >= 1, x**K >= x**2), (N >= 0, (x - 2) ** N >= -1), (x >= 1, sympy.gamma(x) <= 2 * x),
    ]  # fmt: skip
    for *domain, claim in (*known, *unknown):
        assert (refuted(ForAll(*domain), [claim]) == "") is ((*domain, claim) in known), claim
    assert refuted(ForAll(x >= -5), [x**2 >= x], integers=True)
    real, whole = (refuted(ForAll(K >= -5), [K**2 >= K], integers=each) for each in (False, True))
    assert real != "" == whole
    assert refuted(ForAll(x >= 1), [sympy.gamma(x) <= 2 * x], [sympy.gamma(x) <= x]) == ""


def test_solver_lemmas_never_exclude_a_true_value():
    """At every point the solver accepts the right value, and finds none where SymPy has none."""
    numbers = (-2, -1, -HALF, 0, HALF, 1, 2, 5 * HALF)
    points = [(x**y, a, b) for a in (0, HALF, 1, 4) for b in (-1, 0, HALF, 1, 2)]
    points += [(x**N, a, b) for a in numbers for b in (-1, 0, 1, 2)]
    points += [(function(x), a, 0) for function in (sympy.floor, sympy.ceiling, sympy.Abs) for a in numbers]
    points += [(function(x, HALF), a, 0) for function in (sympy.Max, sympy.Min) for a in numbers]
    points += [(x**power, a, 0) for power in (-2, HALF, -HALF, 3 * HALF) for a in (-1, 0, 1, 4)]
    points += [(sympy.exp(x), 0, 0), *((sympy.log(x), whole, 0) for whole in (-1, 0, 1))]
    for formula, base, exponent in points:
        at = {x: sympy.S(base), y: sympy.S(exponent), N: sympy.S(exponent)}
        value, given = formula.subs(at), [sympy.Eq(each, at[each]) for each in formula.free_symbols]
        reason = refuted(ForAll(), [sympy.Ne(formula, value) if value.is_real else formula >= formula - 1], given)
        assert (" may fail: " if value.is_real else " may have no value: ") in reason, (formula, at)


def test_argument_refuses_a_step_used_outside_its_domain():
    large = Step("", LeastAt(x, 8), sympy.log(x) >= 2, over=ForAll(x >= 8))
    squared = Step("", Solver(), y**2 >= 2 * y, over=ForAll(y >= 2), at={y: sympy.log(x)})
    goal = Relation("goal", ForAll(x >= 8), sympy.log(x) ** 2 >= 2 * sympy.log(x))
    assert prove(Argument(large, squared), goal).established
    assert prove(Argument(squared), goal).why.startswith("step 1: goal#1 is used outside its domain: ")


def test_algebra_decides_identities_by_the_signs_of_the_domain():
    square = Relation("square", ForAll(x >= 0), sympy.Eq((x + c) ** 2, x**2 + 2 * x + 1, evaluate=False), c=1)
    assert prove(Algebra(), square).established
    assert not prove(Algebra(), square.with_(c="1.001")).established
    root, logarithm = sympy.Eq(sympy.sqrt(x**2), x), sympy.Eq(sympy.log(x**2), 2 * sympy.log(x))
    no_signs = [(domain, False, False) for domain in (x > -1, x >= -1, x <= 1)]
    for domain, *signed in ((x > 0, True, True), (x >= 1, True, True), (x >= 0, True, False), *no_signs):
        found = [prove(Algebra(), Relation("it", ForAll(domain), each)).established for each in (root, logarithm)]
        assert found == signed


MORE = "; Enclosures(boxes=...) tries more, and needs values at the ends of open intervals too"


def test_enclosures_decide_bounds_on_bounded_domains():
    bound = Relation("log", ForAll(x >= 1, x <= 3), sympy.log(x) <= c * x, c="37/100")  # 1/e = 0.36788
    assert prove(Enclosures(), bound).established
    false = prove(Enclosures(), bound.with_(c="36/100"))
    assert (false.why, false.refuted["x"]) == ("it is false at x = 3", 3)
    close = prove(Enclosures(), bound.with_(c="367879442/1000000000")).why  # true, by 1e-9
    assert re.match(r"undecided after 2000 boxes, at x in \[\S{,12}, 2\.7\d{8}\]; Enclosures\(boxes=...\) tries", close)
    assert not prove(Enclosures(), Relation("open", ForAll(x > 0, x < 1), x > x**2 + c, c=0)).refuted  # false at 0, 1
    narrow = Relation("narrow", ForAll(x >= 0, x <= 1), (x - sympy.Rational(1, 7)) ** 2 > 0)
    assert prove(Enclosures(), narrow).refuted["x"] == fmpq(1, 7)
    triangle = Relation("sum", ForAll(x >= 0, x <= 1, y >= 0, y <= 1, x + y <= 1), x + y <= c, c="5/4")
    assert prove(Enclosures(boxes=200), triangle).established
    assert not prove(Enclosures(boxes=200), triangle.with_(c="9/10")).established
    halved = Relation("halved", ForAll(x >= 0, x <= 2), x * (2 - x) <= 3)  # up to 4 on the whole, to 2 on each half
    assert [prove(Enclosures(most), halved).why for most in (2, 3)] == [
        "undecided after 2 boxes, at x in [0, 1]" + MORE,
        "",
    ]
    whole = [ForAll(K >= 1, K <= 3), (K - 1) * (K - 2) * (7 - 2 * K) >= 0]  # false between 1 and 2, and at 4
    assert [prove(Enclosures(), Relation("whole", *whole, each >= K)).established for each in (3, 2)] == [True, False]
    assert "not bounded" in prove(Enclosures(), Relation("r", ForAll(x >= 1), sympy.log(x) <= x)).why


def test_slope_in_a_variable_that_does_not_occur_is_refused():
    square = Relation("square", ForAll(x >= 0, x <= c), x**2 <= x, c=1)
    for other in (N, c):
        assert prove(LeastAt(other, 0), square).why == f"{other} is no variable of the domain"


def test_solver_shows_no_solution_outside_the_domain():
    root = [sympy.exp(-1) / sympy.sqrt(x) >= 1 / x]  # for Z3, exp(y) may be 3
    little = "(Z3 knows little of exp(y), exp(-1); Enclosures() computes with it in boxes)"
    assert refuted(ForAll(x >= sympy.exp(y), y >= 2), root) == f"{root[0]} is undecided {little}"
    assert refuted(ForAll(N >= 0), [N**2 >= N]) == "N**2 >= N may fail: N = 1/2; Solver(integers=True) takes N as whole"
    assert refuted(ForAll(N >= 0), [N**2 >= N], integers=True) == ""


def test_evidence_refuses_statements_of_other_kinds():
    others = (LeastAt(x, 1), Cases((x <= 1, Solver())), Invariant(), Algebra(), Solver(), Enclosures(), Samples(1))
    found = [prove(each, Property("even", lambda: True, says="")) for each in others]
    assert not any(each.established for each in found)
    expected = "only a relation has a slope, a distinction of cases needs a domain with conditions, only a process has an invariant"
    expected += ", algebra decides equations, the solver decides relations, enclosures decide relations, there is nothing to draw from: give over=Family(words, draw=function of a generator)"
    assert ", ".join(each.why for each in found) == expected


def test_least_at_refuses_a_slope_of_the_wrong_sign():
    logarithm = Relation("log", ForAll(x > 0), sympy.log(x) <= c * x - d, c=1, d=1)
    least = LeastAt(x, 1)
    for bound, held in ((1, True), (3, False)):  # at x = 3 no variable is left, and Z3 has no log(3)
        told = prove(LeastAt(x, 3), Relation("log", ForAll(x >= 3, y >= 0), sympy.log(x) >= bound))
        assert told.established is held
    assert prove(least, logarithm).established
    assert not prove(least, logarithm.with_(d="1.01")).established
    assert not prove(LeastAt(x, 2), logarithm).established  # the slope has the wrong sign on (1, 2)
    assert prove(least, Relation("no", ForAll(x >= 1), sympy.Ne(x, 0))).why == "an inequation has no margin"
    summed = Relation("sum", ForAll(x >= 0, m >= 1), x + sympy.Sum(q, (q, 1, m)) >= m)  # nothing is known of the sum
    assert not prove(LeastAt(x, 0), summed).established


def test_cases_must_cover_the_domain():
    positive = Relation("p", ForAll(x >= 0), x**2 - x + 1 >= 0)
    assert prove(Cases((x <= 1, Solver()), (x >= 1, Solver())), positive).established
    assert "cover" in prove(Cases((x <= 1, Solver()), (x >= 2, Solver())), positive).why


def test_invariant_is_proved_or_names_the_move_that_breaks_it():
    squares = Process(
        "squares", s**2 <= c * N * q, start={s: 0, q: 0, N: 0}, move={s: s + u, q: q + u**2, N: N + 1},
        inputs=ForAll(u >= 0), c=1,
    )  # fmt: skip
    assert prove(Invariant(N >= 0, q >= 0), squares).established
    first, move = (found := prove(Invariant(N >= 0, q >= 0), squares.with_(c="99/100"))).steps
    assert (first.text, first.established, move.text[:21], move.established) == ("at the start", True,
        "every move preserves ", False)  # fmt: skip
    assert not found.established
    assert found.why == f"step 2: {move.why}"


def test_solver_concludes_linear_combinations_of_monomials_only():
    bounded = [x * sympy.log(x) <= sympy.sqrt(x), 2 * sympy.sqrt(x) <= x**3 + 1]
    assert refuted(ForAll(x >= 1), [2 * x * sympy.log(x) <= x**3 + 1], bounded) == ""
    assert _follows_linearly(tuple(bounded), 2 * x * sympy.log(x) <= x**3 + 1)
    assert "may fail" in refuted(ForAll(x >= 1), [bounded[0], 2 * sympy.sqrt(x) <= x**3], bounded)


def test_argument_with_a_gap_is_refused():
    goal = Relation("goal", ForAll(x >= 1), sympy.log(x) <= x / 2)
    slope = Step("by its slope", LeastAt(x, 2), sympy.log(x) <= x / 2)
    assert prove(Argument(slope), goal).established
    weaker = Step("too weak", Solver(), sympy.log(x) <= x)
    assert "step 2" in prove(Argument(weaker), goal).why


def test_by_hand_step_is_listed_and_proves_no_variant():
    chapter = Chapter()
    bound = Relation("bound", ForAll(x >= 1), sympy.log(x) <= c * x, c=1)
    by_hand = Argument(Step("a tangent", ByHand(), sympy.log(x) <= x - 1))
    chapter.ours().statement(bound, by=by_hand, false=[{"c": "0.3"}])
    book = Book(Registry(chapter))
    found = prove(by_hand, bound, book)
    assert (found.established, found.grade) == (True, Grade.ARGUED)
    assert [step.by for step in found.steps] == ["hand", Solver.by]
    written = ByHand("because it is so")
    chapter = Chapter()
    chapter.ours().statement(bound, by=written, false=[{"c": "0.3"}])
    book = Book(Registry(chapter))
    (step,) = (granted := prove(written, bound, book)).steps
    assert (granted.established, step.text, step.by, step.established) == (True, "because it is so", "hand", True)
    assert "not for another c" in prove(written, bound.with_(c=2), book).why


def test_argument_refuses_a_parameter_that_no_step_uses():
    chapter = Chapter()
    near = Property("near", lambda c: c >= 1, says="$[[c]] \\ge 1$", c=1)
    argument = Argument(Step("nothing of c", Solver(), x >= 1, over=ForAll(x >= 1)), conclusion=ByHand("it is clear"))
    chapter.ours().statement(near, by=argument, false=[{"c": 0}])
    book = Book(Registry(chapter))
    assert prove(argument, near, book).established
    expected = ["nothing of c $x \\ge 1$ for $x \\ge 1$", "it is clear"]
    assert [step.text for step in prove(argument, near, book).steps] == expected
    assert "no step depends on c" in prove(argument, near.with_(c=2), book).why
    reaching = Argument(Step("", Everywhere(), claim=near), conclusion=ByHand("it is said"))
    assert prove(reaching, near.with_(c=2), book).established
    assert prove(reaching, near.with_(c=0), book).why == "step 1: it is false"


def test_uses_refuses_points_outside_the_entrys_domain():
    chapter = Chapter()
    lemma = Relation("lemma", ForAll(K >= 2), sympy.log(K) >= a, a="1/2")
    chapter.ours().statement(lemma, by=LeastAt(K, 2), false=[{"a": 1}])
    book = Book(Registry(chapter))
    larger = Relation("larger", ForAll(K >= 3), sympy.log(K) >= sympy.Rational(1, 3))
    assert prove(Uses("lemma"), larger, book).established
    assert prove(Uses("lemma"), larger, book).uses == ("lemma",)
    assert "outside its domain" in prove(Uses("lemma"), Relation("all", ForAll(K >= 1), sympy.log(K) >= 0), book).why
    assert prove(
        Uses("lemma", at={K: T + 1}), Relation("t", ForAll(T >= 1), sympy.log(T + 1) >= sympy.Rational(1, 3)), book
    ).established


def test_uses_refuses_other_parameters_than_the_entrys():
    chapter = Chapter()
    lemma = Property("lemma", lambda c: c >= 1, says="$[[c]] \\ge 1$", c="3/2")
    chapter.ours().statement(lemma, by=Everywhere(), false=[{"c": 0}])
    theorem = Property("theorem", lambda d: d >= 1, says="$[[d]] \\ge 1$", d="1.5")
    argument = Argument(Step("", Uses("lemma", same={"d": "c"})), conclusion=ByHand("it is the lemma"))
    chapter.ours().statement(theorem, by=argument, false=[{"d": 0}])
    book = Book(Registry(chapter))
    assert prove(argument, theorem, book).established
    for other in (2, "the largest"):
        assert f"is about c = 3/2, not {other}" in prove(argument, theorem.with_(d=other), book).why
    words = Property("of-words", lambda d: d != "", says="$[[d]]$", d="largest")
    chapter.ours().statement(words, by=Everywhere(), false=[{"d": ""}])
    assert prove(Uses("of-words", same={"d": "d"}), words.with_(d="largest"), Book(Registry(chapter))).established


def test_samples_evaluate_a_relation_at_points_of_its_domain():
    square = Relation("square", ForAll(x >= 0, y >= x), y**2 + c >= x, c="1/4")
    found = prove(Samples(30), square)
    assert (found.established, found.grade, found.instances) == (True, Grade.TESTED, 30)
    assert prove(Samples(30), square.with_(c="1/5")).refuted["x"] == HALF
    assert prove(Samples(30), square, Book(Registry([]), sampling=False)).why == "sampling is off"
    assert prove(Samples(30), Relation("none", ForAll(x >= 1, x <= 0), y >= 0)).why.startswith("there is no instance")


@pytest.mark.parametrize("reference", ["", "the literature", "Lemma 2.17", "sections 21500 and 1399"])
def test_citation_without_a_year_is_refused(reference):
    with pytest.raises(ValueError, match="has no year: write author, title and year"):
        Cited(reference)
    Cited(f"{reference} Hoeffding 1963")


def test_slope_above_is_not_asked_for_where_the_domain_ends():
    """A concave function that is least at its right end, where it still falls."""
    falls = Relation("falls", ForAll(x >= 0, x <= 1), 2 - x**2 >= c, c=1)
    assert prove(LeastAt(x, 1), falls).established
    assert not prove(LeastAt(x, 1), falls.with_(c="1.01")).established
    assert not prove(LeastAt(x, 0), falls).established


def test_unit_steps_need_a_whole_variable_and_start():
    """At 2/7 < x < 3/7, and at n = 1, the formulas are negative, and no unit step from the start meets that."""
    r = sympy.Rational
    between, first = (x - r(2, 7)) * (x - r(3, 7)) >= 0, (N - r(4, 5)) * (N - r(6, 5)) >= 0
    for claim, start, domain in ((between, 0, ForAll(x >= 0)), (first, HALF, ForAll(N > 0))):
        found = prove(LeastAt(*domain.variables, start, steps=True), Relation("false", domain, claim))
        assert found.why.startswith("unit steps go from one whole number to the next: declare symbols(")


@pytest.mark.parametrize(
    ("domain", "claim", "false"),
    [
        (ForAll(y >= 1), sympy.log(y + 2) - sympy.log(y + 1) <= 1 / (y + 1), sympy.log(y + 2) - sympy.log(y) <= 1 / y),
        (ForAll(x >= 0), sympy.sqrt(1 - sympy.exp(-x)) <= 1 - sympy.exp(-x) / 2, sympy.sqrt(1 - sympy.exp(x)) <= 1),
        (ForAll(x >= 0), sympy.exp(2 * x) - 2 * sympy.exp(x) >= -1, sympy.exp(3 * x) >= sympy.exp(2 * x) + x / 9 + 1),
    ],
)
def test_solver_tries_again_with_more_facts_of_logarithms_and_exponentials(domain, claim, false):
    assert refuted(domain, [claim]) == ""
    assert refuted(domain, [false]) != ""


def test_solver_knows_bounds_of_constants():
    three = sympy.log(3)
    assert refuted(ForAll(x >= 0, x <= 1), [x * three <= sympy.Rational("1.09861229")]) == ""
    assert refuted(ForAll(x >= 0, x <= 1), [x * three <= sympy.Rational("1.09861228")]) != ""
    least = LeastAt(x, 0)
    steep = Relation("steep", ForAll(x >= 0, x < 1), c * sympy.log(1 / (1 - x)) >= three * x, c="1.0987")
    assert prove(least, steep).established
    assert not prove(least, steep.with_(c="1.0986")).established


def test_everywhere_evaluates_a_finite_domain_or_refuses():
    small = Relation("small", ForAll(K >= 1, K <= 10), c * K >= K**2, c=10)
    found = prove(Everywhere(), small)
    assert (found.established, found.grade, found.instances) == (True, Grade.EXHAUSTIVE, 10)
    assert prove(Everywhere(), small.with_(c=9)).refuted["K"] == 10
    for domain in (ForAll(K >= 1), ForAll(x >= 0, x <= 1)):
        why = prove(Everywhere(), Relation("large", domain, domain.variables[0] >= 0)).why
        assert why.endswith("have each variable whole, symbols('n', integer=True), and between bounds")
    assert "is empty" in prove(Everywhere(), Relation("none", ForAll(K >= 2, K <= 1), K >= 1)).why


def test_samples_give_grade_tested_only():
    drawn = Family("integers", draw=lambda generator: int(generator.integers(10)))
    small = Property("small", lambda number, c: number <= c, over=drawn, says="", c=9)
    found = prove(Samples(40), small)
    assert (found.established, found.grade, found.instances) == (True, Grade.TESTED, 40)
    assert not prove(Samples(40), small.with_(c=5)).established
    assert "sampling is off" in prove(Samples(40), small, Book(Registry([]), sampling=False)).why


def test_decides_passes_every_parameter_and_checks_its_grade():
    decided = Property("d", lambda a, b: a < b, says="", a=1, b=2)
    found = prove(Decides(lambda a, b: answer(a < b, gap=b - a), "two numbers"), decided)
    assert (found.values, found.grade, found.by) == ({"gap": 1}, Grade.CERTIFIED, "computation: two numbers")
    with pytest.raises(TypeError, match="unexpected keyword argument 'b'"):
        prove(Decides(lambda a: True, "half of it"), decided)
    with pytest.raises(ValueError, match=r"grade: 'certified' is no Grade: Grade\.KERNEL, "):
        Decides(lambda a, b: a < b, "two numbers", "certified")


def test_find_witness_returns_the_first_counterexample():
    assert find_witness(Relation("w", ForAll(K >= 1), K <= 1), BOOK).values["K"] == 2
    drawn = []
    numbers = Family("numbers", draw=lambda generator: drawn.append(generator) or 1)
    assert find_witness(Property("one", lambda number: number == 1, over=numbers, says=""), BOOK) is None
    assert len(drawn) == 60
    first = Family("the first numbers", lambda: iter(range(999)))
    far = Property("far", lambda number, most: number < most, over=first, says="", most=399)
    assert (find_witness(far, BOOK).values, find_witness(far.with_(most=400), BOOK)) == ({"object": 399}, None)
    assert find_witness(ROOTS, BOOK) is None
    assert find_witness(Relation("outside", ForAll(x >= 2), x >= 1), BOOK, first=[{x: fmpq(0)}]) is None


def test_blind_leaves_lists_steps_that_accept_every_variant():
    class Credulous(Solver):
        def decide(self, goal, context):
            return ""

    bound = Relation("bound", ForAll(x >= 0, y >= 0), 2 * sympy.sqrt(x * y) <= c * (x + y), c=1)
    mutant = bound.with_(c="0.99")
    assert blind_leaves(Solver(), bound, [mutant], EMPTY) == []
    sign = Relation("sign", ForAll(x >= 0), x >= 0)  # the scaled variant holds, the lowered one does not
    assert blind_leaves(Solver(), sign, [], EMPTY) == []
    assert len(blind_leaves(Credulous(), bound, [], EMPTY)) == 1
    two = Relation("two", ForAll(K >= 1, K <= 2), c >= K, c=2)  # it would contradict the other way
    assert blind_leaves(AnyOf(Everywhere(), Credulous()), two, [two.with_(c=1)], EMPTY) == []


def test_every_part_of_evidence_is_named():
    two = [Solver(), Everywhere()]
    for whole in (AnyOf(*two), Cases((x <= 1, two[0]), (x > 1, two[1])), LeastAt(x, 1, then=two[0], slope=two[1]),
            Invariant(start=two[0], move=two[1]), Argument(Step(two[0]), conclusion=two[1])):  # fmt: skip
        assert [*whole.parts()] == two


def test_substitution_is_simultaneous_and_does_not_evaluate():
    assert relations_at([x <= 2 * y, x <= y], {x: y, y: x}) == (y <= 2 * x, y <= x)
    assert ForAll(x <= 2 * y).replaced({x: y, y: x}) == ForAll(y <= 2 * x)
    assert relations_at([x <= y], {y: x + 1}) == (sympy.Le(x, x + 1, evaluate=False),)


def test_any_of_lists_steps_and_decisions_of_all_successful_proofs():
    small = Relation("small", ForAll(K >= 1, K <= 10), c * K >= K**2, c=10)
    found = prove(AnyOf(Argument(c * K >= K**2), Algebra(), Everywhere()), small)
    assert (found.grade, found.instances, len(found.steps), len(found.decisions)) == (Grade.CERTIFIED, 10, 2, 4)
    assert found.by == f"an argument in steps; and {Everywhere.by}"


def test_nested_steps_are_listed_and_their_by_hand_steps_counted():
    inner = Argument(Step("a tangent", ByHand(), sympy.log(x) <= x - 1))
    chapter = Chapter()
    bound = Relation("nested", ForAll(x >= 1), sympy.log(x) <= x)
    again = Argument(Step("again", inner, sympy.log(x) <= x - 1))
    chapter.ours().statement(bound, by=Cases((x <= 2, inner), (x >= 2, again)))
    content = judged("nested", Book(Registry(chapter)))
    assert [[each["by"] for each in step["steps"]] for step in content["steps"]] == [
        ["hand", Solver.by],
        ["an argument in steps", Solver.by],
    ]
    assert hands(content) == 2


def test_max_and_min_are_replaced_if_the_domain_decides_them():
    def ending(end):
        return sympy.Ge(sympy.Sum(1 / m, (m, 1, end)), x, evaluate=False)

    for domain, most, least in [(ForAll(T >= 2), T, 1), (ForAll(T <= 0), 1, T), (ForAll(T >= 0), None, None)]:
        for written, settled in ((sympy.Max(1, T), most), (sympy.Min(1, T), least)):
            expected = ending(written if settled is None else settled)
            assert _settled(ending(written), domain) == (sympy.Ge(1, x, evaluate=False) if settled == 1 else expected)


def test_stronger_yields_scaled_and_shifted_variants_in_order():
    scales, shifts = "-1 1/10 10 1/2 2 9/10 11/10 999/1000 1001/1000", "1/1000 1/10 1 10 1000 1000000"
    for written, side, at in [(x <= 1, "rhs", 1), (x >= 1, "lhs", x)]:
        variants = stronger(Relation("it", ForAll(x >= 0), written))
        expected = [at * sympy.Rational(by) for by in scales.split()] + [
            at - sympy.Rational(by) for by in shifts.split()
        ]
        assert [getattr(each, side) for variant in variants for each in variant.relations] == expected

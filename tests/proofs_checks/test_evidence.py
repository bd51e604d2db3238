"""Evidence: it establishes what is true, refuses what is false near it, and hides no step; worked by hand."""

from __future__ import annotations

import pytest
import sympy
from flint import fmpq

from proofs_checks.evidence import (
    Algebra,
    Argument,
    ByHand,
    Cases,
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
from proofs_checks.evidence.decisions import blind_leaves, stronger
from proofs_checks.evidence.solver import _settled, refute_negation
from proofs_checks.ledger import Book, Chapter, Registry, hands, judged
from proofs_checks.statements import Family, ForAll, Process, Property, Relation, answer
from proofs_checks.statements.symbols import K, N, T, a, c, d, m, q, s, u, x, y

ROOTS = Relation("roots", ForAll(T >= 1), sympy.Sum(1 / sympy.sqrt(m), (m, 1, T)) <= c * sympy.sqrt(T) - d, c=2, d=1)
BOOK = Book(Registry([]))


def says(evidence, statement, book=BOOK):
    return evidence.establish(statement, book)


def test_induction_establishes_the_sum_of_roots_and_nothing_sharper():
    induction = LeastAt(T, 1, steps=True)
    assert says(induction, ROOTS).established
    assert "T = 8" in says(induction, ROOTS.with_(c="1.9", d="0.9")).why
    assert not says(induction, ROOTS.with_(d="1.001")).established


@pytest.mark.parametrize(
    ("relation", "true"),
    [
        (2 * sympy.sqrt(x * y) <= x + y, True), (sympy.Rational(201, 100) * sympy.sqrt(x * y) <= x + y, False),
        (sympy.Max(x, y) <= x + y, True), (sympy.Abs(x - y) <= x + y, True), (sympy.exp(x) >= 1 + x, True),
        (sympy.exp(x) >= 1 + sympy.Rational(11, 10) * x, False), (x / (1 + x) <= 1, True),
    ],
)  # fmt: skip
def test_the_solver_decides_over_the_reals(relation, true):
    assert says(Solver(), Relation("r", ForAll(x >= 0, y >= 0), relation)).established == true


@pytest.mark.parametrize("formula", [1 / x, sympy.log(x), sympy.sqrt(x - 1)])
def test_the_solver_refuses_formulas_without_a_value(formula):
    found = says(Solver(), Relation("r", ForAll(x >= 0), formula <= formula + 1))
    assert "may have no value" in found.why or not found.established


def test_an_unknown_function_is_any_number_unless_something_is_given():
    bound = Relation("gamma", ForAll(x >= 1), sympy.gamma(x) <= 2 * x)
    assert not says(Solver(), bound).established
    assert says(Solver(sympy.gamma(x) <= x), bound).established


@pytest.mark.parametrize(
    ("relation", "true"),
    [
        (sympy.log(x) <= x - 1, True), (sympy.log(x) <= x - sympy.Rational(101, 100), False),
        (sympy.log(x) >= 1 - 1 / x, True), (sympy.log(x) >= sympy.Rational(101, 100) - 1 / x, False),
        (x**y >= 1, True), (x**y >= sympy.Rational(101, 100), False), ((1 / x) ** y <= 1, True),
        ((1 / x) ** y <= sympy.Rational(99, 100), False), (x ** (y + 1) >= x, True),
        (x ** (y + 1) >= sympy.Rational(101, 100) * x, False),
        ((x - 1) ** N >= 0, True),  # of 0 too: its power 0 is 1
        ((x - 1) ** N <= 1, False),
        ((x - 2) ** N >= -1, False),  # a negative base: nothing is known
        (sympy.floor(x) >= 1, True), (sympy.floor(x) >= sympy.Rational(101, 100), False),
        (sympy.floor(x) > x - 1, True), (sympy.ceiling(x) < x + 1, True),
    ],
)  # fmt: skip
def test_a_few_signs_and_tangents_are_known(relation, true):
    assert says(Solver(), Relation("r", ForAll(x >= 1, y >= 0, N >= 0), relation)).established == true


def test_a_step_may_be_used_where_the_steps_before_it_allow_it():
    large = Step("", LeastAt(x, 8), sympy.log(x) >= 2, over=ForAll(x >= 8))
    squared = Step("", Solver(), y**2 >= 2 * y, over=ForAll(y >= 2), at={y: sympy.log(x)})
    goal = Relation("goal", ForAll(x >= 8), sympy.log(x) ** 2 >= 2 * sympy.log(x))
    assert says(Argument(large, squared), goal).established
    assert not says(Argument(squared), goal).established


def test_algebra_decides_identities():
    square = Relation("square", ForAll(x >= 0), sympy.Eq((x + c) ** 2, x**2 + 2 * x + 1, evaluate=False), c=1)
    assert says(Algebra(), square).established
    assert not says(Algebra(), square.with_(c="1.001")).established


def test_enclosures_cover_a_box():
    bound = Relation("log", ForAll(x >= 1, x <= 3), sympy.log(x) <= c * x, c="37/100")  # 1/e = 0.36788
    assert says(Enclosures(), bound).established
    assert not says(Enclosures(boxes=2000), bound.with_(c="36/100")).established
    assert "not bounded" in says(Enclosures(), Relation("r", ForAll(x >= 1), sympy.log(x) <= x)).why


def test_the_least_value_along_a_variable():
    logarithm = Relation("log", ForAll(x > 0), sympy.log(x) <= c * x - d, c=1, d=1)
    least = LeastAt(x, 1)
    assert says(least, logarithm).established
    assert not says(least, logarithm.with_(d="1.01")).established
    assert not says(LeastAt(x, 2), logarithm).established  # the slope has the wrong sign on (1, 2)
    assert says(least, Property("even", lambda: True, says="")).why == "a slope is that of a relation"
    summed = Relation("sum", ForAll(x >= 0, m >= 1), x + sympy.Sum(q, (q, 1, m)) >= m)  # nothing is known of the sum
    assert not says(LeastAt(x, 0), summed).established


def test_cases_have_to_cover():
    positive = Relation("p", ForAll(x >= 0), x**2 - x + 1 >= 0)
    assert says(Cases((x <= 1, Solver()), (x >= 1, Solver())), positive).established
    assert "cover" in says(Cases((x <= 1, Solver()), (x >= 2, Solver())), positive).why


def test_an_invariant_is_preserved_or_refused():
    squares = Process(
        "squares", s**2 <= c * N * q, start={s: 0, q: 0, N: 0}, move={s: s + u, q: q + u**2, N: N + 1},
        inputs=ForAll(u >= 0), c=1,
    )  # fmt: skip
    assert says(Invariant(N >= 0, q >= 0), squares).established
    first, move = (found := says(Invariant(N >= 0, q >= 0), squares.with_(c="99/100"))).steps
    assert (first.text, first.established, move.text[:21], move.established) == ("at the start", True,
        "every move preserves ", False)  # fmt: skip
    assert not found.established
    assert found.why == f"{move.text}: {move.why}"


def test_what_is_linear_in_its_monomials_is_concluded_and_nothing_more():
    bounded = [x * sympy.log(x) <= sympy.sqrt(x), 2 * sympy.sqrt(x) <= x**3 + 1]
    assert refute_negation(ForAll(x >= 1), [2 * x * sympy.log(x) <= x**3 + 1], bounded) == ""
    assert "may fail" in refute_negation(ForAll(x >= 1), [2 * sympy.sqrt(x) <= x**3], bounded)


def test_a_gap_between_steps_is_seen():
    goal = Relation("goal", ForAll(x >= 1), sympy.log(x) <= x / 2)
    slope = Step("by its slope", LeastAt(x, 2), sympy.log(x) <= x / 2)
    assert says(Argument(slope), goal).established
    weaker = Step("too weak", Solver(), sympy.log(x) <= x)
    assert "step 2" in says(Argument(weaker), goal).why


def test_a_step_by_hand_is_counted_and_grants_no_variant():
    chapter = Chapter()
    bound = Relation("bound", ForAll(x >= 1), sympy.log(x) <= c * x, c=1)
    by_hand = Argument(Step("a tangent", ByHand(), sympy.log(x) <= x - 1))
    chapter.ours().statement(bound, by=by_hand, false=[{"c": "0.3"}])
    book = Book(Registry(chapter))
    found = says(by_hand, bound, book)
    assert (found.established, found.grade) == (True, Grade.ARGUED)
    assert [step.by for step in found.steps] == ["hand", Solver.by]
    written = ByHand("because it is so")
    chapter = Chapter()
    chapter.ours().statement(bound, by=written, false=[{"c": "0.3"}])
    book = Book(Registry(chapter))
    assert says(written, bound, book).established
    assert "not for another c" in says(written, bound.with_(c=2), book).why


def test_a_parameter_that_reaches_no_step_is_refused():
    chapter = Chapter()
    near = Property("near", lambda c: c >= 1, says="$[[c]] \\ge 1$", c=1)
    argument = Argument(Step("nothing of c", Solver(), x >= 1, over=ForAll(x >= 1)), conclusion=ByHand("it is clear"))
    chapter.ours().statement(near, by=argument, false=[{"c": 0}])
    book = Book(Registry(chapter))
    assert says(argument, near, book).established
    assert "no step depends on c" in says(argument, near.with_(c=2), book).why


def test_another_entry_is_used_within_its_domain_only():
    chapter = Chapter()
    lemma = Relation("lemma", ForAll(K >= 2), sympy.log(K) >= a, a="1/2")
    chapter.ours().statement(lemma, by=LeastAt(K, 2), false=[{"a": 1}])
    book = Book(Registry(chapter))
    larger = Relation("larger", ForAll(K >= 3), sympy.log(K) >= sympy.Rational(1, 3))
    assert says(Uses("lemma"), larger, book).established
    assert says(Uses("lemma"), larger, book).uses[0].claim_id == "lemma"
    assert "outside its domain" in says(Uses("lemma"), Relation("all", ForAll(K >= 1), sympy.log(K) >= 0), book).why
    assert says(
        Uses("lemma", at={K: T + 1}), Relation("t", ForAll(T >= 1), sympy.log(T + 1) >= sympy.Rational(1, 3)), book
    ).established


def test_another_entry_is_used_for_its_own_parameters_only():
    chapter = Chapter()
    lemma = Property("lemma", lambda c: c >= 1, says="$[[c]] \\ge 1$", c="3/2")
    chapter.ours().statement(lemma, by=Everywhere(), false=[{"c": 0}])
    theorem = Property("theorem", lambda d: d >= 1, says="$[[d]] \\ge 1$", d="1.5")
    argument = Argument(Step("", Uses("lemma", same={"d": "c"})), conclusion=ByHand("it is the lemma"))
    chapter.ours().statement(theorem, by=argument, false=[{"d": 0}])
    book = Book(Registry(chapter))
    assert says(argument, theorem, book).established
    assert "is about c = 3/2, not 2" in says(argument, theorem.with_(d=2), book).why


def test_everything_is_evaluated_or_nothing_is_said():
    small = Relation("small", ForAll(K >= 1, K <= 10), c * K >= K**2, c=10)
    found = says(Everywhere(), small)
    assert (found.established, found.grade, found.instances) == (True, Grade.EXHAUSTIVE, 10)
    assert says(Everywhere(), small.with_(c=9)).refuted["K"] == 10
    assert "not finite" in says(Everywhere(), Relation("large", ForAll(K >= 1), K >= 1)).why


def test_samples_test_and_never_more():
    drawn = Family("integers", draw=lambda generator: int(generator.integers(10)))
    small = Property("small", lambda number, c: number <= c, over=drawn, says="", c=9)
    found = says(Samples(40), small)
    assert (found.established, found.grade, found.instances) == (True, Grade.TESTED, 40)
    assert not says(Samples(40), small.with_(c=5)).established
    assert "sampling is off" in says(Samples(40), small, Book(Registry([]), sampling=False)).why


def test_what_decides_takes_every_parameter():
    decided = Property("d", lambda a, b: a < b, says="", a=1, b=2)
    assert says(Decides(lambda a, b: answer(a < b, gap=b - a), "two numbers"), decided).values == {"gap": 1}
    with pytest.raises(TypeError, match="does not take its parameter b"):
        says(Decides(lambda a: True, "half of it"), decided)
    with pytest.raises(ValueError, match=r"grade: 'certified' is no Grade: Grade\.KERNEL, "):
        Decides(lambda a, b: a < b, "two numbers", "certified")


def test_the_search_finds_the_simplest_witness():
    assert find_witness(Relation("w", ForAll(K >= 1), K <= 1), BOOK).instance == {K: fmpq(2)}
    assert find_witness(ROOTS, BOOK) is None


def test_a_decision_that_cannot_be_a_no_is_found():
    class Credulous(Solver):
        def decide(self, goal, context):
            return ""

    bound = Relation("bound", ForAll(x >= 0, y >= 0), 2 * sympy.sqrt(x * y) <= c * (x + y), c=1)
    mutant = bound.with_(c="0.99")
    assert blind_leaves(Solver(), bound, [mutant], BOOK) == []
    sign = Relation("sign", ForAll(x >= 0), x >= 0)  # scaled it holds, lowered it does not
    assert blind_leaves(Solver(), sign, [], BOOK) == []
    assert len(blind_leaves(Credulous(), bound, [], BOOK)) == 1


def test_a_symbol_with_one_value_is_replaced_by_it():
    cube = Relation("cube", ForAll(K >= 3, K <= 3, x >= 1), x**K >= x**2)
    assert says(Solver(), cube).established
    assert not says(Solver(), Relation("cube", ForAll(K >= 3, K <= 4, x >= 1), x**K >= x**2)).established


def test_a_witness_outside_the_domain_is_none():
    bound = Relation("bound", ForAll(x >= 2), x >= 1)
    assert find_witness(bound, BOOK, first=[{x: fmpq(0)}]) is None


def test_steps_within_steps_are_told_and_their_hands_counted():
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


@pytest.mark.parametrize(("exponent", "decided"), [(-60, True), (-61, False)])
def test_a_negative_power_is_written_out_up_to_the_limit(exponent, decided):
    """Up to 60 factors it falls with x; beyond, it is an unknown number of which that is not known."""
    falls = refute_negation(ForAll(x >= 2), [x**exponent <= sympy.Integer(2) ** exponent], [])
    assert (falls == "") is decided
    assert refute_negation(ForAll(x >= 2), [x**exponent > 0], []) == ""


def test_the_end_of_a_sum_is_settled_where_the_domain_settles_it():
    def ending(end):
        return sympy.Ge(sympy.Sum(1 / m, (m, 1, end)), x, evaluate=False)

    for domain, most, least in [(ForAll(T >= 2), T, 1), (ForAll(T <= 0), 1, T), (ForAll(T >= 0), None, None)]:
        for written, settled in ((sympy.Max(1, T), most), (sympy.Min(1, T), least)):
            wanted = ending(written if settled is None else settled)
            assert _settled(ending(written), domain) == (sympy.Ge(1, x, evaluate=False) if settled == 1 else wanted)


def test_what_is_decided_is_made_stronger_by_little_first():
    scales, shifts = "999/1000 9/10 1/2 1/10 -1 1001/1000 11/10 2 10", "1/1000 1/10 1 10 1000 1000000"
    for written, side, at in [(x <= 1, "rhs", 1), (x >= 1, "lhs", x)]:
        variants = stronger(Relation("it", ForAll(x >= 0), written))
        wanted = [at * sympy.Rational(by) for by in scales.split()] + [at - sympy.Rational(by) for by in shifts.split()]
        assert [getattr(each, side) for variant in variants for each in variant.relations] == wanted

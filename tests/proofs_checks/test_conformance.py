"""The conformance kit finds defects of broken implementations and passes correct ones."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from flint import fmpq

from proofs_checks.trials.conformance import cases, conform
from proofs_checks.trials.conformance.running import always_the_same
from tests import command_line
from theory import Arm, Bandit, nearest_float, optimistic_value, priority_value


def float_gittins(transitions, rewards, discount):
    """Largest remaining index in floating point."""
    size = len(rewards)
    kernel, reward, time = discount * transitions, rewards.astype(float), np.ones(size)
    index, left = np.empty(size), np.ones(size, dtype=bool)
    for _ in range(size):
        k = int(np.argmax(np.where(left, reward / time, -np.inf)))
        index[k], left[k] = reward[k] / time[k], False
        column = np.where(left, kernel[:, k], 0) / (1 - kernel[k, k])
        reward, time = reward + column * reward[k], time + column * time[k]
        kernel = kernel + np.outer(column, kernel[k])
    return index


def exact_model(transitions, rewards, discount, initial, row_radii=None, reward_radii=None):
    """The exact model that arrays of binary fractions hold."""
    arms = [Arm(rewards=map(as_text, rewards[a]),
        transitions=[[as_text(p) for p in row] for row in transitions[a]],
        reward_radius=[] if row_radii is None else map(as_text, reward_radii[a]),
        transition_radius=[] if row_radii is None else map(as_text, row_radii[a])) for a in range(len(rewards))]  # fmt: skip
    return Bandit(arms, as_text(discount), [int(x) for x in initial])


def as_text(number):
    p, q = float(number).as_integer_ratio()
    return f"{p}/{q}"


def exact_value(transitions, rewards, discount, priority, initial):
    bandit = exact_model(transitions, rewards, discount, initial)
    return nearest_float(priority_value(bandit, [tuple(map(int, state)) for state in priority]).value)


def exact_evi(transitions, rewards, row_radii, reward_radii, discount, initial):
    model = exact_model(transitions, rewards, discount, initial, row_radii, reward_radii)
    return nearest_float(optimistic_value(model).value)


def capped_evi(transitions, rewards, row_radii, reward_radii, discount, initial):
    model = exact_model(transitions, rewards, discount, initial, row_radii, reward_radii)
    return nearest_float(optimistic_value(model, largest_reward=1).value)


def discounts_twice(transitions, rewards, discount):
    return float_gittins(transitions, rewards, discount**2)


def one_step_too_many(transitions, rewards, discount, priority, initial):
    """Count the first reward twice: a horizon that is one step too long."""
    rank = {(int(a), int(x)): k for k, (a, x) in enumerate(priority)}
    first = min(range(len(initial)), key=lambda a: rank[a, int(initial[a])])
    return exact_value(transitions, rewards, discount, priority, initial) + float(rewards[first][initial[first]])


def ignores_the_order(transitions, rewards, discount, priority, initial):
    """Return the optimal value whatever the priority."""
    best = sorted(map(tuple, priority), key=lambda s: -gittins_of(transitions, rewards, discount)[s[0]][s[1]])
    return exact_value(transitions, rewards, discount, best, initial)


def gittins_of(transitions, rewards, discount):
    return [float_gittins(Q, r, discount) for Q, r in zip(transitions, rewards, strict=True)]


def returns_too_few(transitions, rewards, discount):
    return rewards[:-1]


def raises(transitions, rewards, discount):
    return 1 // 0


@pytest.mark.parametrize(
    ("implementation", "kind", "examples"),
    [(float_gittins, "gittins", 60), (exact_value, "value", 15), (exact_evi, "evi", 15)],
)
def test_correct_implementations_conform(implementation, kind, examples):
    report = conform(implementation, kind, examples=examples)
    assert report.passed, report.defects
    assert (report.implementation, report.generated) == (implementation.__name__, examples)
    assert report.whole.absolute_error < 1e-9


@pytest.mark.parametrize(
    ("implementation", "kind", "defect"),
    [
        (lambda Q, r, beta: float_gittins(Q, r, beta) * (1 + 1e-9 * np.arange(len(r))), "gittins", "tie split"),
        # stops one state too early: the best two-step density in place of the best stopping set
        (lambda Q, r, beta: np.maximum(r, (r + beta * Q @ r) / (1 + beta)), "gittins", "wrong number"),
        (discounts_twice, "gittins", "wrong number"), (lambda *of: -float_gittins(*of), "gittins", "wrong order"),
        (lambda Q, r, beta: np.nan * r, "gittins", "not finite"), (returns_too_few, "gittins", "wrong shape"),
        (raises, "gittins", "error"), (one_step_too_many, "value", "wrong number"),
        (one_step_too_many, "value", "negative regret"), (ignores_the_order, "value", "wrong number"),
        (lambda *of: exact_value(*of) * (1 + 1e-6) + 1e-6, "value", "negative regret"),
        (lambda *of: (value := exact_evi(*of)) - 1e-6 * max(1, abs(value)), "evi", "not optimistic"),
        (capped_evi, "evi", "rewards cut off"),
        (lambda Q, r, rows, *of: exact_evi(Q, r, [radius / 2 for radius in rows], *of), "evi", "not optimistic"),
    ],
)  # fmt: skip
def test_broken_implementations_have_the_expected_defect(implementation, kind, defect):
    assert any(each.kind == defect for case in cases(kind) for each in case.judge(implementation).defects)


def test_report_names_the_smallest_failing_case():
    report = conform(discounts_twice, "gittins", examples=0)
    assert report.failures[0].bandit.sizes == (3,)

    def wrong_by_a_half(transitions, rewards, discount):
        return float_gittins(transitions, rewards, discount) + 0.5

    report = conform(wrong_by_a_half, "gittins", examples=10)
    assert (report.failures[0].case, report.failures[0].bandit.sizes) == ("one state, beta 0", (1,))
    assert report.failures[0].judgement.passed is False


def test_report_has_a_smallest_model_per_kind_of_failure():
    """A doubled radius is reported although the other defect, sweeps stopped early, fails on smaller models."""

    def doubled_and_given_up(transitions, rewards, row_radii, reward_radii, discount, initial):
        found = exact_evi(transitions, rewards, [2 * radius for radius in row_radii], reward_radii, discount, initial)
        return found * (1 - discount**10000)

    failures = conform(doubled_and_given_up, "evi", examples=0).failures
    assert [failed.kinds for failed in failures] == [{"wrong number", "not optimistic"}, {"wrong number"}]
    assert (failures[0].case, failures[1].case) == (
        "one state, no radius, beta 1-2^-20",
        "one arm, radius 1/8, beta 1/2",
    )


def test_up_to_option_excludes_larger_discounts():
    def gives_up(transitions, rewards, discount):
        return float_gittins(transitions, rewards, discount) * (1 - discount**10000)

    report = conform(gives_up, "gittins", examples=10)
    assert (report.passed, report.generated) == (False, 10)  # the search for smaller ones is not counted
    report = conform(gives_up, "gittins", examples=10, up_to=fmpq(127, 128))
    assert report.passed
    assert (len(report.judgements), report.asked) == (46, 46)
    for up_to, largest in ((fmpq(9, 10), fmpq(7, 8)), (fmpq(0), fmpq(0)), (fmpq(1, 2), fmpq(1, 2))):
        drawn = []
        always_the_same(lambda bandit, drawn=drawn: bool(drawn.append(bandit.discount)), "gittins", 30, up_to)
        assert max(drawn) == largest


@pytest.mark.parametrize("case", cases("gittins")[:8], ids=str)
def test_case_check_raises_assertion_error_on_a_defect(case):
    case.check(float_gittins)
    with pytest.raises(AssertionError, match="wrong shape"):
        case.check(returns_too_few)


def command(folder, *arguments):
    return command_line.run("proofs_checks", "conform", *arguments, folder=folder)


def overwrites(transitions, rewards, discount):
    found = float_gittins(transitions, rewards, discount)
    transitions *= discount
    return found


def overwrites_a_radius(transitions, rewards, row_radii, reward_radii, discount, initial):
    found = exact_evi(transitions, rewards, row_radii, reward_radii, discount, initial)
    row_radii[-1] += 1
    return found


def leaves(transitions, rewards, discount):
    sys.exit("no licence")


def takes_two(transitions, rewards):
    return rewards


@pytest.mark.parametrize(
    ("implementation", "kind", "detail"),
    [
        (overwrites, "gittins", "changes its arguments: the argument transitions was changed; work on a copy"),
        (overwrites_a_radius, "evi", "changes its arguments: the argument row_radii was changed; work on a copy"),
        (lambda Q, r, beta: None, "gittins", "no number: None was returned, which is no array of numbers"),
        (lambda Q, r, beta: r + 1j, "gittins", "no number: an array of type complex128 was returned; real numbers are wanted"),
        (lambda Q, r, beta: ["0.5" for _ in r], "gittins", "no number: an array of type <U3 was returned; real numbers are wanted"),
        (leaves, "gittins", f"error: SystemExit: no licence ({__file__}, line {leaves.__code__.co_firstlineno + 1}, in leaves)"),
        (raises, "gittins", f"integer division or modulo by zero ({__file__}, line {raises.__code__.co_firstlineno + 1}, in raises)"),
        (takes_two, "gittins", "takes 2 positional arguments but 3 were given; it is called with (transitions, rewards, discount)"),
    ],
)  # fmt: skip
def test_defect_names_its_place(implementation, kind, detail):
    judgement = cases(kind)[1].judge(implementation)
    (defect,) = judgement.defects
    assert f"{defect.kind}: {defect.detail}".endswith(detail)


def test_error_in_a_library_names_the_calling_line():
    def singular(transitions, rewards, discount):
        return np.linalg.inv(0 * transitions) @ rewards

    (defect,) = cases("gittins")[0].judge(singular).defects
    assert f"{__file__}, line {singular.__code__.co_firstlineno + 1}, in singular" in defect.detail


def test_interrupted_conform_reports_the_cases_so_far():
    def until_tired(transitions, rewards, discount, calls=iter(range(6))):  # noqa: B008
        if next(calls, None) is None:
            raise KeyboardInterrupt
        return rewards - 1

    report = conform(until_tired, "gittins")
    assert (report.interrupted, report.passed, len(report.judgements)) == (True, False, 6)
    assert report.failures[0].bandit.sizes == (1,)


def test_random_results_are_reported_as_not_reproducible():
    generator = np.random.default_rng(1)

    def by_chance(transitions, rewards, discount):
        return float_gittins(transitions, rewards, discount) + (generator.random() < 0.02)

    report = conform(by_chance, "gittins")
    assert any("not reproducible" in failed.kinds for failed in report.failures)


def test_output_of_the_implementation_goes_to_stderr(tmp_path):
    (tmp_path / "theirs.py").write_text(
        "def talks(transitions, rewards, discount):\n    print('hello')\n    return rewards\n", encoding="utf-8"
    )
    done = command(tmp_path, "theirs:talks", "--kind", "gittins", "--json", "--examples", "0")
    assert json.loads(done.stdout)["passed"] is False
    assert done.stderr == "it printed: hello\n"
    few = ("theirs:talks", "--kind", "gittins", "--examples", "0", "--discounts-up-to", "1/2", "--failure")
    result = command(tmp_path, *few, "small.json")
    assert (result.returncode, result.stdout.splitlines()[-1]) == (1, "written to small.json")
    assert " of 30 passed" in result.stdout
    assert "transitions" not in result.stdout.replace(str(tmp_path), "")
    assert json.loads(command(tmp_path, *few, "other.json", "--json", "--states-up-to", "1").stdout)["cases"] == 2


def test_failing_import_names_file_and_line(tmp_path):
    (tmp_path / "theirs.py").write_text("import math\n\nmath.sqrt(-1)\n", encoding="utf-8")
    (tmp_path / "half.py").write_text("def gittins(:\n", encoding="utf-8")
    done = command(tmp_path, "theirs:f", "--kind", "gittins")
    assert done.stderr.startswith("error: function 'theirs:f' cannot be imported: ValueError: ")
    assert done.stderr.endswith(f"({tmp_path / 'theirs.py'}, line 3, in <module>)\n")
    assert (
        f"SyntaxError: invalid syntax ({tmp_path / 'half.py'}, line 1)"
        in command(tmp_path, "half:f", "--kind", "gittins").stderr
    )


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("math:gittins", "--kind", "gittins"), "function 'math:gittins' cannot be imported: module 'math' has no attribute"),
        (("math:pi", "--kind", "gittins"), "math:pi: is not callable"),
        (("mbrl.examples.learner:Myopic/last=2", "--kind", "agent"), "agent Myopic: no option is called 'last'; its options are first"),
        (("math", "--kind", "gittins"), "write module:attribute, such as math:function, in the module's folder"),
        (("./math:sin", "--kind", "gittins"), "write module:attribute, such as math:sin, in the module's folder"),
        (("math:sin", "--kind", "gittins", "--tolerance", "0"), "tolerance: 0.0 is not above 0 and at most 1"),
        (("math:sin", "--kind", "gittins", "--discounts-up-to", "1"), "1 is outside 0 <= discount < 1"),
        (("math:sin", "--kind", "gittins", "--examples", "-1"), "'--examples': -1 is not in the range"),
        (("math:sin", "--kind", "gittins", "--failure", "no/folder.json"), "there is no folder no"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused_in_one_line(tmp_path, arguments, part):
    done = command(tmp_path, *arguments)
    assert done.returncode == 2
    assert part in done.stderr
    assert done.stderr.count("\n") == 1

"""The decision process against brute force over all policies, ties included; its certificate; refusals."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from unittest.mock import patch

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.trials import strategies
from tests.examples import examples
from tests.refusals import refusal
from theory import Action, DecisionProcess, decision_process, fraction, rational
from theory.decision_process import OrderRule
from theory.enclosures import parse_number

HALF = fmpq(1, 2)


@st.composite
def processes(draw, may_end=False, sets_of_rows=False):
    """Up to three states with up to three actions each, next states repeated or missing; rewards of any sign."""
    states = range(draw(st.integers(1, 3)))
    listed = {}
    for x in states:
        listed[x] = []
        for name in "abc"[: draw(st.integers(1, 3))]:
            to = draw(st.lists(st.sampled_from(states), min_size=0 if may_end else 1, max_size=3))
            rows = draw(st.lists(rows_of(len(to), may_end), min_size=1, max_size=3 if sets_of_rows else 1))
            rule = partial(best_by_enumeration, rows) if sets_of_rows else None
            listed[x].append(Action(name, draw(strategies.rationals(-1, 1)), to, rows[0], rule))
    return DecisionProcess(states, draw(strategies.discounts()), listed.__getitem__, may_end=may_end)


def rows_of(size, may_end):
    if size == 0:
        return st.just(())
    proper = strategies.probability_rows(size)
    if not may_end:
        return proper
    kept = st.sampled_from([fmpq(0), fmpq(1, 3), fmpq(1)])
    return st.builds(lambda row, share: tuple(share * entry for entry in row), proper, kept)


def best_by_enumeration(rows, values):
    return max(rows, key=lambda row: sum((p * v for p, v in zip(row, values, strict=True)), fmpq(0)))


def value_in_fractions(process, policy):
    """(I - beta P) V = r by elimination in Python's fractions: no step in common with the library."""
    states = list(process.actions)
    beta = fraction(process.discount)
    table = []
    for x in states:
        row = [fraction(int(x == y)) for y in states]
        for y, p in zip(policy[x].to, policy[x].row, strict=True):
            row[states.index(y)] -= beta * fraction(p)
        table.append([*row, fraction(policy[x].reward)])
    for k in range(len(states)):
        table[k] = [entry / table[k][k] for entry in table[k]]
        for i in range(len(states)):
            if i != k:
                table[i] = [entry - table[i][k] * above for entry, above in zip(table[i], table[k], strict=True)]
    return {x: row[-1] for x, row in zip(states, table, strict=True)}


def all_policies(process):
    """Yield every choice of one action, and one of its rows, per state."""
    choices = [
        [
            replace(action, row=row)
            for action in actions
            for row in (action.greedy_rule.args[0] if action.greedy_rule else [action.row])
        ]
        for actions in process.actions.values()
    ]
    for chosen in product(*choices):
        yield dict(zip(process.actions, chosen, strict=True))


def check_against_all_policies(process):
    found = process.solve()
    valued = [(value_in_fractions(process, policy), policy) for policy in all_policies(process)]
    best = {x: max(values[x] for values, _ in valued) for x in process.actions}
    assert {x: fraction(value) for x, value in found.values.items()} == best
    assert process.evaluate(found.actions) == found.values
    assert {x: action.name for x, action in found.actions.items()} == found.policy
    assert all(found.policy[x] in found.optimal[x] for x in process.actions)
    # a policy is optimal everywhere exactly when it plays nothing but optimal actions (with a best row)
    optimal = {tuple(action.name for action in policy.values()) for values, policy in valued if values == best}
    assert set(product(*found.optimal.values())) == optimal
    assert process.refutation(found.values) is None


@pytest.mark.parametrize("proposed_from", [decision_process._PROPOSED_FROM, 1])  # floats propose a policy, or not
@examples(50)
@given(process=st.one_of(processes(), processes(may_end=True), processes(sets_of_rows=True)))
def test_solve_matches_brute_force_over_all_policies(process, proposed_from):
    with patch.object(decision_process, "_PROPOSED_FROM", proposed_from):
        check_against_all_policies(process)


@given(process=processes(sets_of_rows=True), bad=st.sampled_from(["first", "last", "not a number"]))
def test_bad_float_proposal_does_not_change_the_solution(process, bad):
    """The proposal may name bad actions, or contain NaN."""
    expected = process.solve()

    def proposed(actions, discount):
        return {x: choices[0 if bad == "first" else -1] for x, choices in actions.items()}

    changed = patch("theory.policy_proposal.propose_policy", proposed)
    if bad == "not a number":
        changed = patch("numpy.linalg.solve", lambda system, right: np.full(len(right), np.nan))
    with patch.object(decision_process, "_PROPOSED_FROM", 1), changed:
        found = process.solve()
    assert (found.values, found.optimal) == (expected.values, expected.optimal)


@pytest.mark.parametrize("discount", ["0", "1/2", "1 - 1e-40"])
@pytest.mark.parametrize("scale", ["1", "1e-400", "1e400", "-1e9"])
def test_solve_handles_numbers_beyond_floats(discount, scale):
    """A ring of 24 states, actions wait and go: it is optimal to go to some state and wait there, or to go for ever."""
    beta, unit = parse_number(discount).enclosure(64).low, rational(scale)
    rewards = [unit * reward for reward in (3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3, 8, 4, 6, 2, 6, 4)]

    def actions(x):
        return [Action("wait", rewards[x], [x], [1]), Action("go", rewards[x], [(x + 1) % 24], [1])]

    found = DecisionProcess(range(24), beta, actions).solve().values
    best = {}
    for x in range(24):
        # go for d steps and wait: the rewards on the way, then one reward for ever
        way = [rewards[(x + d) % 24] for d in range(25)]
        before, values = fmpq(0), []
        for d in range(24):
            values.append(before + beta**d * way[d] / (1 - beta))
            before += beta**d * way[d]
        best[x] = max(*values, before / (1 - beta**24))
    assert found == best


def test_order_rule_calls_its_function_once_per_order():
    calls = []

    def rule(order):
        calls.append(order)
        return tuple(fmpq(int(rank == max(order))) / order.count(max(order)) for rank in order)

    ordered = OrderRule(rule)
    assert ordered([fmpq(1, 3), fmpq(1, 2)]) is ordered([5, 7])
    assert ordered([HALF, HALF]) == (HALF, HALF)
    assert ordered([7, 5]) == (1, 0)
    assert calls == [(0, 1), (0, 0), (1, 0)]


@pytest.mark.parametrize("half", ["1/2", "0.5", Fraction(1, 2)])
def test_actions_accept_every_exact_number_type(half):
    process = DecisionProcess([0], half, lambda x: [Action("stay", half, [x, x], [half, half])])
    assert (process.solve().values, process.evaluate({0: "stay"})) == ({0: 1}, {0: 1})
    assert process.evaluate({0: Action("other", 1, [0], [1])}) == {0: 2}
    assert process.refutation({0: "2/2"}) is None


@given(st.data(), processes(), strategies.rationals(-1, 1).filter(bool))
def test_refutation_detects_one_wrong_value(data, process, error):
    values = dict(process.solve().values)
    x = data.draw(st.sampled_from(list(values)))
    values[x] += error
    assert process.refutation(values) is not None


def test_refutation_names_the_state():
    process = DecisionProcess([(0, 1)], HALF, lambda x: [Action("stay", fmpq(1), [x], [fmpq(1)])])
    assert process.refutation({(0, 1): fmpq(1)}) == "state (0, 1): claimed value 1, the best action is worth 3/2"
    assert process.refutation({}) == "state (0, 1): no value is claimed"


def one_state(discount=HALF, actions=None, **keywords):
    actions = actions or [Action("stay", fmpq(1), [0], [fmpq(1)])]
    return DecisionProcess([0], discount, lambda _: actions, **keywords)


@pytest.mark.parametrize(
    ("refused", "message"),
    [
        (lambda: one_state(1), "discount: 1 is outside"),
        (lambda: one_state(actions=[Action("stay", 0.5, [0], [1])]), "state 0, action stay: 0.5 is a float"),
        (lambda: DecisionProcess([0], 0, lambda _: []), "state 0: there is no action"),
        (lambda: DecisionProcess([], 0, lambda _: []), "a decision process needs at least one state"),
        (lambda: DecisionProcess([0, 0], 0, lambda x: [Action("a", fmpq(0), [x], [fmpq(1)])]), "state 0 comes twice"),
        (lambda: one_state(actions=[Action("a", fmpq(0), [0], [HALF])]), "state 0, action a: row sums to 1/2, not 1"),
        (lambda: one_state(actions=[Action("a", fmpq(0), [0], [fmpq(2)])], may_end=True), "state 0, action a: row sums to 2, not at most 1"),
        (lambda: one_state(actions=[Action("a", fmpq(0), [0, 0], [fmpq(3, 2), -HALF])]), "state 0, action a: row has the negative probability -1/2"),
        (lambda: one_state(actions=[Action("a", fmpq(0), [1], [fmpq(1)])]), "state 0, action a: 1 is not a state"),
        (lambda: one_state(actions=[Action("a", fmpq(0), [0], [])]), "0 probabilities for 1 next states"),
        (lambda: one_state(actions=[Action("a", fmpq(0), [0], [fmpq(1)])] * 2), "state 0: two actions have one name"),
        (lambda: one_state().evaluate({}), "policy, state 0: the policy names no action for it"),
        (lambda: one_state().evaluate({0: "go"}), "policy, state 0: no action is called 'go'; the actions are stay"),
        (lambda: one_state().evaluate({0: Action("own", fmpq(0), [0], [HALF])}), "state 0, action own: row sums to 1/2, not 1"),
    ],
)  # fmt: skip
def test_decision_process_refuses_wrong_arguments(refused, message):
    assert message in refusal(refused)

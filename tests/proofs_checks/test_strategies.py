"""The strategies draw valid objects and reach the edges of their domains."""

from __future__ import annotations

from functools import partial
from itertools import count, product
from random import Random
from types import SimpleNamespace

import pytest
from flint import fmpq
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from proofs_checks.trials import strategies
from proofs_checks.trials.conformance import KINDS
from proofs_checks.trials.models import binary_bandit
from proofs_checks.trials.properties import SUITES, optimism
from theory import Bandit


@given(st.data(), strategies.bandits())
def test_strategies_draw_valid_objects(data, bandit):
    assert data.draw(strategies.global_states(bandit)) in product(*map(range, bandit.sizes))
    assert -1 <= data.draw(strategies.rationals(-1, 2)) <= 2


@pytest.mark.parametrize(
    ("strategy", "edge"),
    [
        (strategies.arms(), lambda arm: arm.size == 1),
        (strategies.arms(), lambda arm: arm.size == 3 and len(set(arm.rewards)) == 1),
        (strategies.arms(), lambda arm: set(arm.rewards) == {0, 1} and all(max(row) == 1 for row in arm.transitions)),
        (strategies.bandits(), lambda bandit: len(bandit.arms) == 1),
        (strategies.bandits(), lambda bandit: {0, 1} <= {reward for arm in bandit.arms for reward in arm.rewards}),
        (strategies.bandits(), lambda bandit: len(set(bandit.sizes)) == 2 and bandit.number_of_global_states > 9),
        (strategies.bandits(radii=True), lambda bandit: any(2 in arm.transition_radius for arm in bandit.arms)),
        (strategies.bandits(radii=True), lambda bandit: not any(arm.has_radii for arm in bandit.arms)),
        (strategies.rationals(-1, 2), lambda number: number == 2),
        (strategies.rationals(-1, 2), lambda number: number == -1),
        (strategies.discounts(), lambda discount: discount == 0),
        (strategies.discounts(), lambda discount: discount == fmpq(9999, 10000)),
    ],
)
def test_strategies_reach_their_edges(strategy, edge):
    tried = settings(max_examples=500, phases=[Phase.generate], database=None)
    assert edge(find(strategy, edge, settings=tried, random=Random(1)))  # the same examples in every run


EXPECTED_INSTANCES = {
    "((0 0 ()) (1 1 None) 2 0); ((2*2*2*1 2*2*1 8) 2*2*(1 2*1/2 1) 3 1/2); ((2*2*2*2 2*2*2 16) 2*2*(1 2*1/2 1) 4 3/4); ((2*2*2*3 2*2*3 24) 2*2*(1 2*1/2 1) 5 3/4); ((2*2*2*4 2*2*4 32) 2*2*(1 2*1/2 1) 6 3/4); ((2*2*2*60 2*2*60 480) 2*2*(1 2*1/2 1) 22 3/4); ((0 0 ()) (1 1 None) 22 0); ((3 0 3) (1 1 0) 8 1/2)": "bonus-is-optimistic radii-are-optimistic",
    "(1 1 2 0 0 2); (2 2 3 1/2 1 2); (3 3 4 9/10 2 3); (4 4 5 99/100 3 4); (5 5 6 99/100 4 5); (6 6 10000 99/100 18420679 18420680); (1 1 2 0 0 2); (6 1 3 9/10 7 65)": "defined-from-the-start bonus-within-the-regret-bound reward-radius-within-the-regret-bound row-radius-within-the-regret-bound",
    "((1 0) 1 1 1 2 0); (2*1/2 2 2 2 4 1/2); (2*1/2 3 3 3 6 9/10); (2*1/2 3 4 4 8 9/10); (2*1/2 3 5 5 10 9/10); (2*1/2 3 10 30 40 9/10); ((1 0) 1 10 30 40 0); ((2/5 3/5) 2 6 1 8 1/2)": "deviation-is-rare reward-deviation-is-rare",
    "((1 0) 1 1 1 2 0); (3*1/3 2 2 2 4 1/2); (3*1/3 3 3 3 6 9/10); (3*1/3 3 4 4 8 9/10); (3*1/3 3 5 5 10 9/10); (3*1/3 3 10 10 20 9/10); ((1 0) 1 10 10 20 0); ((2/5 3/5 0) 3 7 1 9 9/10)": "row-deviation-is-rare",
    "(1 (0 1)); (2 2*(2*1 2)); (3 3*(3*2 3)); (4 4*(4*3 4)); (4 4*(5*3 5)); (4 4*(60*3 250)); (1 (60*0 250)); (1 ((3*0 8) (9*0 20)))": "sum-of-roots",
    "(1 1 0); (3/2 2 1/2); (2 3 3/4); (5/2 4 9/10); (5/2 5 99/100); (5/2 10000 99/100); (1 10 0); (1 3 9/10)": "moment-of-the-longest-horizon",
    "(1 2 16 0); (2 3 33 1/2); (3 4 50 9/10); (4 5 67 99/100); (4 6 68 99/100); (4 50 264 99/100); (1 50 216 0); (1 3 18 99/100)": "below-random-play",
    "(1 2 16 0); (1 2 18 0); (1 2 20 0); (1 2 20 0); (1 2 20 0); (1 2 20 0); (1 2 16 0); (1 2 16 0)": "supported-by-one-better-arm",
    "None; None; None; None; None; None; None; None": "policy-2-is-below policy-1-is-below",
    "(2 2 12 0); (3 3 270 1/2); (4 4 4800 9/10); (5 5 75000 99/100); (6 6 1080000 999/1000); (20 50 30000000000000000000000000000000000000000000 999/1000); (20 50 30000000000000000000000000000000000000000000 0); (2 3 1800 99/100)": "above-what-is-forced",
    "(2 2 8 1/2); (3 2 16 1/2); (3 2 16 1/2); (3 2 16 1/2); (3 2 16 1/2); (3 2 16 1/2); (2 2 8 1/2); (2 2 8 1/2)": "below-the-best-learner",
    "(1 0); (2 1/2); (3 9/10); (4 99/100); (4 999/1000); (4 999/1000); (1 0); (1 1/2)": "frozen-counts",
    "((2*0 2*2*0 2*0) 2*(1 2*1/2 None)); ((2*2 2*2*1 2*1) 2*(1/2 2*1/2 0)); ((2*4 2*2*2 2*2) 2*(0 2*1/2 1)); ((2*6 2*2*3 2*3) 2*(0 2*1/2 1)); ((2*6 2*2*3 2*4) 2*(0 2*1/2 1)); ((2*6 2*2*3 2*6) 2*(0 2*1/2 1)); ((2*0 2*2*0 2*0) 2*(1 2*1/2 None)); (((0 5) (2*0 (2 3)) (0 5)) ((1 2*1/2 1) (1/2 (1 0) None)))": "any",
    "((2*0 2*2*0 2*0) 2*(1 2*1/2 0)); ((2*2 2*2*1 2*1) 2*(1 2*1/2 1)); ((2*4 2*2*2 2*2) 2*(1 2*1/2 1)); ((2*6 2*2*3 2*3) 2*(1 2*1/2 1)); ((2*8 2*2*4 2*4) 2*(1 2*1/2 1)); ((2*120 2*2*60 2*60) 2*(1 2*1/2 1)); ((2*120 2*2*60 2*60) 2*(1 2*1/2 0)); (((1 5) ((0 1) (2 3)) (0 2)) ((1 (0 1) 0) (1 (2/5 3/5) 0)))": "border",
    "(0 (0 1 0 0)); (1/2 (2*1/8 2*(0 1) 2*0 2*0)); (3/4 (3*1/4 3*(0 0 1) 3*0 3*0)); (7/8 (4*3/8 4*(0 0 0 1) 4*0 4*0)); (15/16 (5*1/2 5*(0 0 0 0 1) 5*0 5*0)); (1048575/1048576 (8*1 8*(0 0 0 0 0 0 0 1) 8*0 8*0)); (1048575/1048576 (0 1 0 0)); (4095/4096 ((1/4 3/8) ((0 1) 2*1/2) 2*0 2*0))": "gittins",
    "(0 (0 1 0 0)); (1/2 2*(2*1/8 2*(0 1) 2*0 2*0)); (3/4 3*(3*1/4 3*(0 0 1) 3*0 3*0)); (7/8 3*(4*3/8 4*(0 0 0 1) 4*0 4*0)); (15/16 3*(4*1/2 4*(0 0 0 1) 4*0 4*0)); (1048575/1048576 3*(4*1 4*(0 0 0 1) 4*0 4*0)); (1048575/1048576 (0 1 0 0)); (4095/4096 ((1/4 3/8) ((0 1) 2*1/2) 2*0 2*0))": "value",
    "(0 (0 1 0 0)); (1/2 2*(2*1/8 2*(0 1) 2*1/8 2*1/8)); (3/4 2*(3*1/4 3*(0 0 1) 3*1/4 3*1/4)); (7/8 2*(3*3/8 3*(0 0 1) 3*3/8 3*3/8)); (15/16 2*(3*1/2 3*(0 0 1) 3*1/2 3*1/2)); (1048575/1048576 2*(3*1 3*(0 0 1) 3*1 3*2)); (1048575/1048576 (0 1 0 2)); (65535/65536 ((1/4 3/8) ((0 1) 2*1/2) (1/4 3/8) (13/8 7/4)))": "evi",
    "(0 (0 1 0 0)); (1/2 2*(2*1/8 2*(0 1) 2*0 2*0)); (3/4 2*(3*1/4 3*(0 0 1) 3*0 3*0)); (7/8 2*(3*3/8 3*(0 0 1) 3*0 3*0)); (15/16 2*(3*1/2 3*(0 0 1) 3*0 3*0)); (31/32 2*(3*1 3*(0 0 1) 3*0 3*0)); (0 (0 1 0 0)); (0 ((1/4 3/8) ((0 1) 2*1/2) 2*0 2*0))": "agent",
}  # fmt: skip
"""Instances tried if each integer is the least, the next, ..., the fifth, the largest, the largest of many, or in turn."""


def sources():
    turn = count()
    yield from (lambda low, high, i=i: min(low + i, high - 1) for i in (0, 1, 2, 3, 4, 10**9))
    yield lambda low, high: high - 1 if high - low > 9 else low
    yield lambda low, high: low + next(turn) % (high - low)


def compact(value):
    """Return fields in their order; several that are alike with their number."""
    if isinstance(value, Bandit):
        value = value.discount, [(a.rewards, a.transitions, a.reward_radius, a.transition_radius) for a in value.arms]
    fields = vars(value) if hasattr(value, "__dict__") else value
    fields = list(fields.values()) if isinstance(fields, dict) else fields
    if not (isinstance(fields, list | tuple) and fields):
        return str(value)
    words = [compact(each) for each in fields]
    alike = len(words) > 1 and len(set(words)) == 1
    return f"{len(words)}*{words[0]}" if alike else f"({' '.join(words)})" if len(words) > 1 else words[0]


def test_instance_makers_yield_their_pinned_instances():
    makers = {each.name: each.instances for properties in SUITES.values() for each in properties}
    makers |= {"any": partial(optimism.any_arm, size=2), "border": partial(optimism.arm_at_the_border, size=2)}
    makers |= {kind: partial(binary_bandit, kind=kind) for kind in KINDS}
    found = {}
    for name, make in makers.items():
        found.setdefault("; ".join(compact(make(SimpleNamespace(integers=each))) for each in sources()), []).append(
            name
        )
    assert {tried: " ".join(names) for tried, names in found.items()} == EXPECTED_INSTANCES

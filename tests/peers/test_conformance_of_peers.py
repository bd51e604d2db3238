"""Other programs, and this package's compiled routines, through the conformance kit.

The adapters are plain functions, so that each is also checked by one command from the folder of the sources::

    python -m proofs_checks conform tests.peers.test_conformance_of_peers:markovianbandit_gittins --kind gittins
"""

from __future__ import annotations

import numpy as np
import pytest

from mbrl.kernels import gittins_indices, optimistic_values, priority_value
from mbrl.kernels.chains import strides_of
from mbrl.policies import IndexPolicy
from proofs_checks.trials.conformance import cases, conform
from proofs_checks.trials.conformance.cases import DISCOUNTS
from tests.peers.models import product_process


def markovianbandit_gittins(transitions, rewards, discount):
    """`markovianbandit-pkg`: the Whittle indices of the rested arm."""
    import markovianbandit

    # it computes with uninitialised memory, which does not enter the result but may overflow
    with np.errstate(over="ignore", invalid="ignore"):
        return markovianbandit.rested_bandit_from_P1_R1(transitions, rewards).gittins_indices(discount)


def own_gittins(transitions, rewards, discount):
    return gittins_indices(transitions, rewards, discount)


def quantecon_value(transitions, rewards, discount, priority, initial):
    """QuantEcon's `DiscreteDP.evaluate_policy` on the product of the arms, in sparse state-action pairs."""
    from quantecon.markov import DiscreteDP
    from scipy import sparse

    sizes = [len(r) for r in rewards]
    matrices, paid = product_process(list(zip(transitions, rewards, strict=True)))
    count = len(paid)
    states = np.array(np.unravel_index(np.arange(count), sizes))
    pairs = np.tile(np.arange(count), len(sizes)), np.repeat(np.arange(len(sizes)), count)
    problem = DiscreteDP(paid.T.ravel(), sparse.vstack(matrices, format="csr"), discount, *pairs)
    ranks = np.zeros((len(sizes), max(sizes)), dtype=int)
    ranks[priority[:, 0], priority[:, 1]] = np.arange(len(priority))
    arms = np.argmin([ranks[a][states[a]] for a in range(len(sizes))], axis=0)
    return problem.evaluate_policy(arms)[np.ravel_multi_index(tuple(initial), sizes)]


def padded(transitions, rewards):
    """The bandit as mbrl holds it: (n, S, S), (n, S) and sizes."""
    sizes = np.array([len(r) for r in rewards], dtype=np.int64)
    width = int(sizes.max())
    rows, means = np.zeros((len(sizes), width, width)), np.zeros((len(sizes), width))
    for a, size in enumerate(sizes):
        rows[a, :size, :size], means[a, :size] = transitions[a], rewards[a]
    return rows, means, sizes


def own_value(transitions, rewards, discount, priority, initial):
    rows, means, sizes = padded(transitions, rewards)
    policy = IndexPolicy.from_priority([(int(a), int(x)) for a, x in priority], sizes)
    return priority_value(rows, means, sizes, initial, policy.order, discount)


def own_evi(transitions, rewards, row_radii, reward_radii, discount, initial):
    rows, means, sizes = padded(transitions, [r + b for r, b in zip(rewards, reward_radii, strict=True)])
    radii = np.zeros(means.shape)
    for a, radius in enumerate(row_radii):
        radii[a, : sizes[a]] = radius
    found = optimistic_values(rows, radii, means, sizes, discount)
    return found.values[int(np.dot(initial, strides_of(sizes)))]


CONFORMING = [
    pytest.param(own_gittins, "gittins", id="own indices"),
    pytest.param(own_value, "value", id="own value of a priority policy"),
    pytest.param(own_evi, "evi", id="own extended value iteration"),
    pytest.param(quantecon_value, "value", id="QuantEcon", marks=pytest.mark.peers),
]


def skip_unless_installed(implementation):
    needed = {quantecon_value: "quantecon", markovianbandit_gittins: "markovianbandit"}
    if implementation in needed:
        pytest.importorskip(needed[implementation])


@pytest.mark.parametrize(("implementation", "kind"), CONFORMING)
def test_implementations_conform_on_the_fixed_cases(implementation, kind):
    skip_unless_installed(implementation)
    report = conform(implementation, kind, examples=0)
    assert report.passed, report.defects


@pytest.mark.peers
def test_markovianbandit_conforms_up_to_discount_1_minus_2_to_the_minus_7():
    skip_unless_installed(markovianbandit_gittins)
    for case in cases("gittins"):
        if case.bandit.discount < DISCOUNTS["beta 1-2^-20"]:
            case.check(markovianbandit_gittins)


@pytest.mark.peers
def test_markovianbandit_loses_digits_and_splits_ties_near_discount_1():
    skip_unless_installed(markovianbandit_gittins)
    found = set()
    for case in cases("gittins"):
        if case.bandit.discount == DISCOUNTS["beta 1-2^-20"]:
            judged = case.judge(markovianbandit_gittins)
            assert judged.absolute_error < 1e-4, case.name
            found |= {defect.kind for defect in judged.defects}
    assert found == {"wrong number", "tie split"}

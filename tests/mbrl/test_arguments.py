"""Environments, policies and kernels refuse wrong arguments in one line that names the place."""

import numpy as np
import pytest

from mbrl import kernels
from mbrl.environments import Environment, random_walk
from mbrl.environments.rewards import RewardLaws
from mbrl.experiments.simulation import simulate
from mbrl.policies import IndexPolicy, TablePolicy
from theory import BanditError, ModelError

HALF = [[[0.5, 0.5], [0.0, 1.0]], [[1.0, 0.0], [0.5, 0.5]]]
PAID = [[[0.1], [0.2]], [[0.3], [0.4]]]


def changed(rows, arm, state, row):
    table = np.array(rows, dtype=float)
    table[arm, state] = row
    return table


def environment(transitions=HALF, rewards=PAID, sizes=(2, 2), discount=0.9, starts=((0, 0),), **others):
    return Environment("mine", transitions, rewards, sizes, discount, starts, **others)


def laws(states=2, top=1.0, deviation=0.0):
    """Return laws of fair coins for two arms."""
    values, cumulative = (np.tile(pair, (2, states, 1)) for pair in ([0.0, top], [0.5, 1.0]))
    return RewardLaws(values, cumulative, np.full((2, states), deviation))


BAD = [
    ({"transitions": changed(HALF, 1, 0, [0.25, 0.25])}, "mine: arm 2, state 1: row sums to 0.5, not 1"),
    ({"transitions": changed(HALF, 0, 1, [1.0, 1.0])}, "mine: arm 1, state 2: row sums to 2, not 1"),
    ({"transitions": changed(HALF, 0, 0, [-0.5, 1.5])}, "mine: arm 1, state 1: transition probability -0.5 is negative"),
    ({"transitions": changed(HALF, 0, 0, [np.nan, 1])}, "mine: arm 1, state 1: transition probability nan is not a probability"),
    ({"transitions": changed(HALF, 0, 0, [np.inf, 1])}, "mine: arm 1, state 1: transition probability inf is not a probability"),
    ({"sizes": (1, 2)}, "mine: arm 1, state 1: row sums to 0.5, not 1"),
    (
        {"sizes": (1, 2), "transitions": changed(HALF, 0, 0, [1.0, 0.5])},
        "mine: arm 1, state 1: a probability beyond its 1 states; rows of smaller arms are padded with 0",
    ),
    ({"sizes": (2, 3)}, "mine: arm 2: 3 states do not fit arrays for 2 states"),
    ({"sizes": (0, 2)}, "mine: arm 1: 0 states are too few; an arm has at least one"),
    ({"sizes": (2,)}, "mine: transitions of 2 arms, but sizes of 1"),
    ({"sizes": (2, 1.5)}, "mine: sizes of arms: no array of whole numbers"),
    ({"sizes": ()}, r"mine: sizes of arms: shape \(0,\) is not \(n,\), n at least 1"),
    ({"starts": ((0, 2),)}, "mine: initial state, arm 2: 2 is outside 0..1"),
    ({"starts": ((0, -1),)}, "mine: initial state, arm 2: -1 is outside 0..1"),
    ({"starts": ((0, 0, 0),)}, r"mine: initial state: shape \(3,\) is not one state for each of 2 arms"),
    ({"starts": (0, 0)}, r"mine: initial states: shape \(2,\) is not \(m, 2\), m at least 1"),
    ({"starts": ((0, np.nan),)}, "mine: initial states: no array of whole numbers"),
    ({"starts": ((0, 0), (2, 0)), "start_law": [0.5, 0.5]}, "mine: initial state 2, arm 1: 2 is outside 0..1"),
    ({"start_law": [0.5, 0.5]}, "mine: 1 initial states but 2 probabilities"),
    ({"starts": ((0, 0), (1, 0)), "start_law": [1.5, -0.5]}, "mine: probabilities of initial states: .* are negative or .*"),
    ({"start_law": [0.5]}, r"mine: probabilities of initial states: \[0.5\] are negative or do not sum to 1"),
    ({"discount": 1.0}, "mine: discount: 1 is outside 0 <= discount < 1"),
    ({"discount": np.nan}, "mine: discount: nan is outside 0 <= discount < 1"),
    ({"discount": "0.9"}, "mine: discount: '0.9' is no floating-point number, such as 0.9"),
    ({"rewards": changed(PAID, 1, 1, [1.5])}, "mine: arm 2, state 2: probability 1.5 of a reward is outside 0..1"),
    ({"rewards": changed(PAID, 0, 1, [np.nan])}, "mine: arm 1, state 2: probability nan of a reward is outside 0..1"),
    ({"rewards": [[0.1]]}, r"mine: transition rewards: shape \(1, 1\) does not fit transitions \(2, 2, 2\)"),
    ({"rewards": [[["much"]]]}, "mine: transition rewards: not a rectangular array of numbers"),
    ({"transitions": [[[1.0]], [[1.0, 0.0]]]}, "mine: transitions: not a rectangular array of numbers"),
    ({"unit": 0.0}, "mine: unit: 0.0 is not a positive number"),
    ({"unit": "1"}, "mine: unit: '1' is not a positive number"),
    ({"offset": np.inf}, "mine: offset: inf is not a finite number"),
    ({"laws": laws(states=3)}, r"mine: laws of rewards: shape \(2, 3, 2\) does not fit means of \(2, 2\) arm states"),
    ({"laws": laws(), "rewards": HALF}, "mine: laws of rewards: they need mean rewards that do not depend on .*"),
    ({"laws": laws(top=2.0)}, r"mine: arm 1, state 1: this is no law of a reward with values in 0\.\.1 and the mean 0.1"),
    ({"laws": laws(deviation=-1.0)}, r"mine: arm 1, state 1: this is no law of a reward with values in 0\.\.1 and the mean 0.1"),
    ({"laws": laws()}, "mine: arm 1, state 1: this is no law of a reward with values in 0..1 and the mean 0.1"),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "message"), BAD, ids=[message[6:50] for _, message in BAD])
def test_environment_refuses_wrong_arguments(wrong, message):
    with pytest.raises(ModelError, match=f"^{message}$"):
        environment(**wrong)


def test_environment_ignores_padded_rows():
    small = np.zeros((2, 2, 2))
    small[0, 0, 0], small[1] = 1.0, np.eye(2)
    assert environment(small, sizes=(1, 2)).value(IndexPolicy.from_indices([[1, 0], [0, 0]], [1, 2]), (0, 0)) > 0


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: IndexPolicy.from_indices([[1.0, np.nan]], [2]), "arm 1, state 2: the index is not a number"),
        (lambda: IndexPolicy.from_indices([1.0, 2.0], [2]), r"indices of shape \(2,\) do not fit 1 arms of 2 states"),
        (lambda: IndexPolicy.from_indices([[0.1], [0.2, "x"]], [1, 2]), "arm 2: indices are no array of numbers: .*'x'"),
        (lambda: IndexPolicy.from_indices([[0.1], [0.2, 0.3]], [1]), "indices of 2 arms for 1 arms"),
        (lambda: IndexPolicy.from_indices(np.zeros((2, 2)), [2, 3]), "do not fit 2 arms of 2 to 3 states"),
        (lambda: IndexPolicy(np.zeros((1, 1)), np.array([0])), "do not fit 1 arms of 0 states"),
        (lambda: TablePolicy.from_table([0, 1], [3]), r"shape \(2,\) does not fit 1 arms of 3 states"),
        (lambda: TablePolicy.from_table([0, 1, 2, 0], [2, 2]), "global state 2: 2 is no arm; arms are 0..1"),
        (lambda: TablePolicy.from_table([0, 0.5, 1, 0], [2, 2]), "policy table: no array of whole numbers"),
        (lambda: TablePolicy.from_table([0, np.nan, 1, 0], [2, 2]), "policy table: no array of whole numbers"),
        (lambda: TablePolicy.from_table([0, [1], 1, 0], [2, 2]), "policy table: no array of whole numbers"),
        (lambda: TablePolicy.from_table([0], [0, 2]), "arms of 0 to 2 states; an arm has at least one"),
        (lambda: TablePolicy.from_table([], []), "arms of no states; an arm has at least one"),
        (lambda: TablePolicy(np.zeros(4)), "an array of int64 is wanted; TablePolicy.from_table makes it"),
        (lambda: IndexPolicy([[0.1], [0.2]], [1, 1]), "an array of float64 is wanted; IndexPolicy.from_indices makes it"),
        (lambda: IndexPolicy.from_indices([[0.1, 0.2]], [1.5]), "sizes of arms: no array of whole numbers"),
        (lambda: IndexPolicy.from_indices([[0.1]], [1], ties="any"), "ties: 'any' is neither 'first' nor 'last'"),
        (lambda: IndexPolicy.from_priority([(0, 0), (0, 1)], [2.5]), "sizes of arms: no array of whole numbers"),
        (lambda: IndexPolicy.from_priority([(0, 0), "worn"], [2]), "must come exactly once"),
        (lambda: TablePolicy.from_table([0] * 5, [11] * 8000), r"does not fit 8000 arms of 11 states"),
    ],
)  # fmt: skip
def test_policies_refuse_wrong_arguments(make, message):
    with pytest.raises(ModelError, match=message):
        make()


class OtherArms:
    """A learner that always returns the given policy."""

    def __init__(self, policy):
        self.policy = policy

    def plan(self, rng):
        return self.policy

    def observe(self, trajectory):
        pass


@pytest.mark.parametrize(
    "policy",
    [
        IndexPolicy.from_indices(np.zeros((2, 4)), [4, 4]), IndexPolicy.from_indices(np.zeros((3, 4)), [4, 4, 3]),
        TablePolicy(np.zeros(63, dtype=np.int64)), TablePolicy(np.full(64, 3)), TablePolicy(np.full(64, -1)),
    ],
)  # fmt: skip
def test_simulate_refuses_a_policy_for_other_arms(policy):
    refusal = "agent mine, simulation 0, episode 1: plan returned a policy of a bandit with other arms"
    with pytest.raises(BanditError, match=refusal):
        simulate(random_walk(), OtherArms(policy), scenario="test", name="mine", simulation=0, episodes=1, seed=1)


class Shapeless(np.ndarray):
    shape = (3, 4)
    min = max = lambda self: 0


@pytest.mark.parametrize(
    "make",
    [
        lambda: IndexPolicy(np.zeros((1, 1)).view(Shapeless), np.full(3, 4)),
        lambda: IndexPolicy(np.ma.masked_less(np.zeros((3, 4)), 1), np.full(3, 4)),
        lambda: TablePolicy(np.full(64, 10**9).view(Shapeless)),
    ],
)
def test_policies_refuse_arrays_of_a_subclass(make):
    with pytest.raises(ModelError, match="makes it of any numbers"):
        make()


def without_fields(kind, **fields):
    policy = kind.__new__(kind)
    vars(policy).update(fields)
    return policy


def test_policies_made_without_their_checks_are_refused_or_played():
    key = {"scenario": "test", "name": "mine", "simulation": 0, "episodes": 1, "seed": 1}
    whole = IndexPolicy.from_indices(np.zeros((3, 4)), [4] * 3)
    table = np.full(64, 10**9).view(Shapeless)
    for policy, refusal in (
        (without_fields(IndexPolicy), "raised AttributeError: 'IndexPolicy' object has no attribute 'indices'"),
        (without_fields(TablePolicy, table=table), "plan returned a policy of a bandit with other arms"),
    ):
        with pytest.raises(BanditError, match=f"agent mine, simulation 0, episode 1:? {refusal}"):
            simulate(random_walk(), OtherArms(policy), **key)
    listed = without_fields(IndexPolicy, indices=whole.indices.tolist(), sizes=[4] * 3, ties="first")
    found, played = (simulate(random_walk(), OtherArms(policy), **key)[0] for policy in (listed, whole))
    assert found == played


def value(transitions=HALF, rewards=((0.1, 0.2), (0.3, 0.4)), sizes=(2, 2), start=(0, 0), order=(0, 1, 2, 3), beta=0.9):
    return kernels.priority_value(transitions, rewards, sizes, start, order, beta)


BAD_FOR_KERNELS = [
    (lambda: value(order=(0, 1, 2, 2)), "priority: arm 2, state 1 comes twice; every arm state comes once"),
    (lambda: value(order=(0, 1, 2, 4)), r"priority: 4 is no arm state; arm a's state x is a \* 2 \+ x"),
    (lambda: value(order=(0, 1, 2, -1)), r"priority: -1 is no arm state; arm a's state x is a \* 2 \+ x"),
    (lambda: value(order=(0, 1, 2)), "priority: 3 entries for 4 arm states; every arm state comes once"),
    (lambda: value(order=(0, 1, 2, 3.5)), "priority: no array of whole numbers"),
    (lambda: value(start=(0, 2)), r"initial state, arm 2: 2 is outside 0\.\.1"),
    (lambda: value(start=(0, 2**53 - 1)), r"initial state, arm 2: 9007199254740991 is outside 0\.\.1"),
    (lambda: value(start=(2.0**53, 0)), "initial state: no array of whole numbers"),  # floats skip integers above
    (lambda: value(transitions=np.ones((2, 2, 3))), r"transitions: shape \(2, 2, 3\) is not \(n, S, S\)"),
    (lambda: value(transitions=changed(HALF, 1, 0, [0.5, 0.25])), "arm 2, state 1: row sums to 0.75, not 1"),
    (lambda: value(rewards=((0.1, np.inf), (0.3, 0.4))), "arm 1, state 2: reward inf is not a finite number"),
    (lambda: value(rewards=((0.1,), (0.3,))), r"rewards: shape \(2, 1\) is not \(2, 2\), that of the arms' states"),
    (lambda: value(beta=1), "discount: 1 is outside 0 <= discount < 1"),
    (lambda: kernels.priority_value(HALF, np.zeros((2, 2)), (2, 2), (0, 0), (0, 1, 1, 2), 0.9), "priority: arm 1, state 2 comes twice; every arm state comes once"),
    (
        lambda: kernels.bandit_indices(changed(HALF, 0, 1, [2.0, -1.0]), np.zeros((2, 2)), (2, 2), 0.9),
        "arm 1, state 2: transition probability -1 is negative",
    ),
    (lambda: kernels.bandit_indices(HALF, np.zeros((2, 2)), (2, 3), 0.9), "arm 2: 3 states do not fit arrays for 2 states"),
    (lambda: kernels.index_order(HALF, [[0, 0], [0, np.nan]], (2, 2), 0.9), "arm 2, state 2: reward nan is not a finite number"),
    (lambda: kernels.gittins_indices([[1.0]], [0.0], -0.1), "discount: -0.1 is outside 0 <= discount < 1"),
    (lambda: kernels.gittins_indices([[1.0]], [0.0, 1.0], 0.5), r"transitions \(1, 1\) and rewards \(2,\) must be .*"),
    (lambda: kernels.gittins_indices([], [], 0.5), r"transitions \(0,\) and rewards \(0,\) must be .*"),
    (lambda: kernels.gittins_indices(changed([np.eye(3)], 0, 2, [-0.5, 0.5, 1])[0], np.ones(3), 0.5), "state 3: transition probability -0.5 is negative"),
    (lambda: kernels.gittins_indices(np.eye(200) / 2, np.ones(200), 0.5), "state 1: row sums to 0.5, not 1"),
    (lambda: kernels.optimistic_values(HALF, [[0, 0], [-1, 0]], np.zeros((2, 2)), (2, 2), 0.9), "arm 2, state 1: transition radius -1 is negative"),
    (
        lambda: kernels.optimistic_values(
            np.ones((8000, 2, 2)) / 2, np.zeros((8000, 2)), np.zeros((8000, 2)), [2] * 8000, 0.9
        ),
        r"extended value iteration solves the product of the arms: about 10\^2408 global states are beyond 10000000",
    ),
    (
        lambda: kernels.table_value(HALF, np.zeros((2, 2)), (2, 2), (0, 0), (0, 1, 2, 0), 0.9),
        r"policy table, global state 2: 2 is no arm; arms are 0\.\.1",
    ),
    (lambda: kernels.table_value(HALF, np.zeros((2, 2)), (2, 2), (0, 0), (0, 1), 0.9), r"policy table of shape \(2,\) does not fit 2 arms of 2 states"),
    (lambda: kernels.priority_table([11, 909_091], np.zeros((2, 909_091), dtype=int)), ".* 10000001 global states is beyond 10000000.*"),
    (lambda: kernels.priority_table((2, 2), [[0, 1]]), r"ranks of shape \(1, 2\) do not fit 2 arms"),
    (lambda: kernels.priority_table((1, 2), [[0], [1]]), r"ranks of shape \(2, 1\) do not fit 2 arms"),
    (lambda: random_walk().value(IndexPolicy.from_indices([[0.0]], [1]), (0, 0, 0)), "a policy of a bandit with other arms"),
    (lambda: random_walk().value(random_walk().optimal_policy, (0, 0, 4)), r"initial state, arm 3: 4 is outside 0\.\.3"),
]  # fmt: skip


@pytest.mark.parametrize(("call", "message"), BAD_FOR_KERNELS, ids=[message[:50] for _, message in BAD_FOR_KERNELS])
def test_kernels_refuse_wrong_arguments(call, message):
    with pytest.raises(BanditError, match=f"{message}$"):
        call()

"""The index of one state against all indices, for good and bad proposed orders."""

import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.trials.strategies import arms, discounts
from tests.theory.long_numbers import long_arm
from theory import Arm, ModelError, NumberError, gittins_index, gittins_indices

TWO = Arm(rewards=[0, 1], transitions=[["1/2", "1/2"], [0, 1]])


@given(arm=arms(max_size=6, low=-2, high=2), discount=discounts())
def test_gittins_index_matches_largest_remaining_method(arm, discount):
    expected = gittins_indices(arm, discount, "largest-remaining")
    assert tuple(gittins_index(arm, discount, x) for x in range(arm.size)) == expected


@given(arm=arms(max_size=5, low=-1), discount=discounts(), data=st.data())
def test_gittins_index_is_correct_for_any_proposed_order(arm, discount, data):
    order = data.draw(st.permutations(range(arm.size)))
    state = data.draw(st.integers(0, arm.size - 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("theory.gittins.single.propose_order", lambda *_: list(order))
        assert gittins_index(arm, discount, state) == gittins_indices(arm, discount, "definition")[state]


def test_gittins_index_of_120_states_matches_all_indices():
    arm = long_arm(120, "single")
    expected = gittins_indices(arm, "99/100")
    assert [gittins_index(arm, "99/100", x) for x in (0, 60, 119)] == [expected[x] for x in (0, 60, 119)]


@pytest.mark.parametrize("state", [-1, 2, "0", True, 0.0, None])
def test_gittins_index_refuses_an_unknown_state(state):
    with pytest.raises(ModelError, match=r"^state: "):
        gittins_index(TWO, fmpq(1, 2), state)


def test_gittins_index_refuses_a_wrong_discount():
    with pytest.raises(ModelError, match="discount: 1 is outside"):
        gittins_index(TWO, 1, 0)
    with pytest.raises(NumberError, match=r"discount: 0\.5 is a float"):
        gittins_index(TWO, 0.5, 0)

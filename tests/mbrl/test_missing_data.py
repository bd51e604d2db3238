"""Missing entries of arrays (NaN, None, masked) are refused with their place."""

from __future__ import annotations

import numpy as np
import pytest

import mbrl
from mbrl import kernels
from theory import ModelError

ROWS = [[0.0, 1, 0], [0, 0, 1], [1, 0, 0]]
HIDDEN = np.ma.array(ROWS, mask=np.arange(9).reshape(3, 3) == 1)


@pytest.mark.parametrize(
    "rewards",
    [
        np.ma.array([0.0, 1, 3], mask=[0, 1, 0]),
        np.ma.array([0, 10**9, 3], mask=[0, 1, 0]),
        [0, np.nan, 3],
        [0, None, 3],
        np.array([0, None, 3], dtype=object),
    ],
)
def test_missing_reward_is_refused_with_its_state(rewards):
    with pytest.raises(ModelError, match="bandit: arm 1, state 2: reward nan is not a finite number"):
        mbrl.bandit([ROWS], [rewards], 0.5)
    with pytest.raises(ModelError, match="state 2: reward nan is not a finite number"):
        kernels.gittins_indices(ROWS, rewards, 0.5)


@pytest.mark.parametrize("stacked", [HIDDEN[None], [HIDDEN], (HIDDEN,)])
def test_masked_probability_is_refused_with_its_state(stacked):
    for make in (
        lambda: mbrl.bandit(stacked, [[0, 1, 3]], 0.5),
        lambda: mbrl.Environment("bandit", stacked, np.full((1, 3, 1), 0.5), [3], 0.5, [[0]]),
    ):
        with pytest.raises(ModelError, match="bandit: arm 1, state 1: transition probability nan is not a probability"):
            make()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"sizes": np.ma.array([3], mask=[1])}, "sizes of arms: no array of whole numbers"),
        ({"starts": np.ma.array([[2]], mask=[[1]])}, "initial states: no array of whole numbers"),
        ({"starts": [np.ma.array([2], mask=[1])]}, "initial states: no array of whole numbers"),
        ({"discount": np.ma.masked}, "discount: masked is no floating-point number"),
    ],
)
def test_missing_sizes_starts_and_discounts_are_refused(change, message):
    given = {"transitions": [ROWS], "transition_rewards": np.full((1, 3, 1), 0.5), "sizes": [3]}
    given |= {"discount": 0.5, "starts": [[0]]}
    with pytest.raises(ModelError, match=message):
        mbrl.Environment("bandit", **given | change)


@pytest.mark.parametrize("missing", [np.datetime64("NaT"), np.timedelta64(1, "D")])
def test_dates_among_numbers_are_refused(missing):
    with pytest.raises(ModelError, match="arm 1: rewards are no array of numbers"):
        mbrl.bandit([ROWS], [[0, missing, 3]], 0.5)

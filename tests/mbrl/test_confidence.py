"""Radii and bonus, by hand: n = 3, S = 4, K = 3000, t = 101, N = 50, discount 99/100."""

from math import log, sqrt

import numpy as np
import pytest

from mbrl.confidence import reward_radius, transition_radius, value_bonus

VISITS = np.array([0.0, 1.0, 50.0])


def test_reward_radius_by_hand():
    # 2 S n K t = 2 * 4 * 3 * 3000 * 101 = 7 272 000
    expected = [sqrt(log(7_272_000) / 2), sqrt(log(7_272_000) / 2), sqrt(log(7_272_000) / 100)]
    np.testing.assert_allclose(reward_radius(VISITS, 12, 3000, 101), expected, rtol=1e-14)


def test_transition_radius_by_hand():
    # S n K 2^S t = 4 * 3 * 3000 * 16 * 101 = 58 176 000
    expected = [sqrt(2 * log(58_176_000)), sqrt(2 * log(58_176_000)), sqrt(log(58_176_000) / 25)]
    np.testing.assert_allclose(transition_radius(VISITS, 12, 4, 3000, 101), expected, rtol=1e-14)


def test_value_bonus_by_hand():
    expected = [100 * sqrt(log(7_272_000) / 2), 100 * sqrt(log(7_272_000) / 2), 100 * sqrt(log(7_272_000) / 100)]
    np.testing.assert_allclose(value_bonus(VISITS, 12, 3000, 101, 0.99), expected, rtol=1e-12)


def test_many_next_states_do_not_overflow():
    radius = transition_radius(np.array([1.0]), 10, 100_000, 3000, 1)
    assert radius[0] == pytest.approx(sqrt(2 * (log(30_000) + 100_000 * log(2))))

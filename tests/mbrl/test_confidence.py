"""Radii and bonus, by hand: n = 3, S = 4, K = 3000, t = 101, N = 50, discount 99/100."""

from math import log, sqrt

import numpy as np
import pytest

from mbrl.confidence import appendix_step, appendix_transition_radius, reward_radius, transition_radius, value_bonus

VISITS = np.array([0.0, 1.0, 50.0])


def test_reward_radius_matches_hand_computation():
    # 2 S n K t = 2 * 4 * 3 * 3000 * 101 = 7 272 000
    expected = [sqrt(log(7_272_000) / 2), sqrt(log(7_272_000) / 2), sqrt(log(7_272_000) / 100)]
    np.testing.assert_allclose(reward_radius(VISITS, 12, 3000, 101), expected, rtol=1e-14)


def test_transition_radius_matches_hand_computation():
    # S n K 2^S t = 4 * 3 * 3000 * 16 * 101 = 58 176 000
    expected = [sqrt(2 * log(58_176_000)), sqrt(2 * log(58_176_000)), sqrt(log(58_176_000) / 25)]
    np.testing.assert_allclose(transition_radius(VISITS, 12, 4, 3000, 101), expected, rtol=1e-14)


def test_value_bonus_matches_hand_computation():
    expected = [100 * sqrt(log(7_272_000) / 2), 100 * sqrt(log(7_272_000) / 2), 100 * sqrt(log(7_272_000) / 100)]
    np.testing.assert_allclose(value_bonus(VISITS, 12, 3000, 101, 0.99), expected, rtol=1e-12)


def test_transition_radius_of_many_states_does_not_overflow():
    radius = transition_radius(np.array([1.0]), 10, 100_000, 3000, 1)
    assert radius[0] == pytest.approx(sqrt(2 * (log(30_000) + 100_000 * log(2))))


def test_appendix_radii_match_hand_computation():
    # k = 5, K = 3000, beta = 99/100: tau = 4 log(12000) / 0.01; L^2 = 2 log(2 * 4 * 3 * 3000 tau)
    tau = 400 * log(12_000)
    width = sqrt(2 * log(72_000 * tau))
    step = appendix_step(3000, 5, 0.99)
    assert step == pytest.approx(tau, rel=1e-14)
    np.testing.assert_allclose(reward_radius(VISITS, 12, 3000, step), [width / 2, width / 2, width / sqrt(200)])
    of_rows = appendix_transition_radius(VISITS, 12, 4, 3000, step)
    np.testing.assert_allclose(of_rows, [width + 3, width + 3, (width + 3) / sqrt(50)])


def test_appendix_step_is_one_where_its_logarithm_vanishes():
    assert appendix_step(3000, 1, 0.99) == 1  # 0 log 0
    assert appendix_step(1, 2, 0.0) == 1  # 1 log 1

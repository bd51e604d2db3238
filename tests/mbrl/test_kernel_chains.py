"""Values of Markov chains by communicating classes."""

import numpy as np
import pytest
from flint import fmpq

from mbrl.kernels.chains import (
    Chain,
    chain_values,
    class_error,
    factor_class,
    find_classes,
    no_classes,
    solve_factored,
    strides_of,
)
from mbrl.kernels.elimination import UNIT, leaving
from tests.mbrl.exactly import bandit_of
from theory import policy_value, value_of_float


def chain_of(table, sizes, gains, rows, discount):
    """Return the chain of a table of arms, with the (G, S) `rows` that are played in each global state."""
    strides, count = strides_of(sizes), rows.shape[0]
    counts, jumps, laws = np.zeros(count, np.int64), np.zeros(rows.shape, np.int64), np.zeros(rows.shape)
    for g, a in enumerate(table):
        x = g // strides[a] % sizes[a]
        for y in np.flatnonzero(rows[g]):
            if y != x:
                jumps[g, counts[g]], laws[g, counts[g]] = (y - x) * strides[a], rows[g, y]
                counts[g] += 1
    return Chain(gains, np.arange(count), counts, jumps, laws, discount)


def random_chain(kept):
    rng, sizes = np.random.default_rng(1), np.array([5, 5, 5])
    weights, table = rng.exponential(size=(125, 5)) * (rng.random((125, 5)) < kept), rng.integers(0, 3, 125)
    weights[np.arange(125), rng.integers(5, size=125)] += 0.01
    return chain_of(table, sizes, rng.random(125), weights / weights.sum(axis=1, keepdims=True), 0.99)


def solved(chain, roots=None, largest_dense=2048, started=None):
    """Return values, and bounds of their relative errors."""
    count = chain.gains.size
    if started is None:  # sweeps start from the given values; elimination must not read them
        started = np.full(count, np.nan if largest_dense >= count else 0.0)
    values, lows, doubts = started.copy(), np.full(count, np.nan), np.full(count, np.nan)
    targets = np.arange(count) if roots is None else np.array(roots)
    classes = no_classes(count)
    find_classes(targets, chain, classes)
    chain_values(chain, classes, False, values, lows, doubts, largest_dense)
    reached = ~np.isnan(doubts)
    assert np.isnan(lows[~reached]).all()
    assert not lows[reached].any()  # no second float was asked for
    return values, doubts


@pytest.mark.parametrize("kept", [1.0, 0.3])
def test_sweeps_match_elimination_on_large_classes(kept):
    chain = random_chain(kept)
    values, _ = solved(chain)
    swept, doubts = solved(chain, largest_dense=1)
    np.testing.assert_allclose(swept, values, rtol=1e-12)
    assert (np.abs(swept - values) <= doubts * values).all()
    if kept == 1.0:  # 1 or 2 classes: 5 + 8 roundings per state and the last change, over 1 - discount
        assert doubts.max() <= 2 * (5 + 8 + 2) * UNIT * swept.max() / swept.min() / (1 - 0.99)
    assert (doubts < 1e-6).all()  # the bound is not trivial


def test_factored_class_matches_hand_computation():
    # D = (7, 4.5, 4), ends and the rows' sums; state 0 jumps over 2, and then over 1, with a factor of exactly 1
    weights = np.array([[np.nan, 3.0, 4.0], [1.5, np.nan, 2.0], [1.0, 1.0, np.nan]])
    values = np.array([7 * 1 - 3 * 2 - 4 * 3, 4.5 * 2 - 1.5 * 1 - 2 * 3, 4.0 * 3 - 1 - 2])
    factor_class(weights, np.array([0.0, 1.0, 2.0]), 3)
    solve_factored(weights, values, 3)
    assert values.tolist() == [1.0, 2.0, 3.0]


# classes 012, 3, 45, 6 and 7: 012 reaches 6 (and so 7), the others every class after them
KNOWN_ROWS = (
    np.array(
        [
            [2, 6, 4, 0, 0, 0, 4, 0],
            [5, 1, 6, 0, 0, 0, 4, 0],
            [7, 3, 4, 0, 0, 0, 2, 0],
            [0, 0, 0, 4, 6, 2, 3, 1],
            [0, 0, 0, 0, 3, 9, 2, 2],
            [0, 0, 0, 0, 8, 3, 4, 1],
            [0, 0, 0, 0, 0, 0, 5, 11],
            [0, 0, 0, 0, 0, 0, 0, 16],
        ]
    )
    / 16
)
KNOWN_GAINS = np.array([0.3, 0.1, 0.7, 0.2, 0.9, 0.4, 0.6, 0.5])


def known_chain(discount):
    return chain_of(np.zeros(8, np.int64), np.array([8]), KNOWN_GAINS, KNOWN_ROWS, discount)


@pytest.mark.parametrize("roots", [range(8), range(7, -1, -1), [2, 0, 5, 7, 3, 3]], ids=["up", "down", "mixed"])
def test_error_bounds_add_over_reachable_classes(roots):
    # the largest bound among the classes reached with positive probability, plus the own one
    one, two, three = (class_error(size, 8) for size in (1, 2, 3))
    of_class = 2 * one + two  # of 45, which reaches 6, which reaches 7
    expected = [2 * one + three] * 3 + [of_class + one, of_class, of_class, 2 * one, one]
    _, doubts = solved(known_chain(0.9), roots)
    assert doubts == pytest.approx(np.array(expected), rel=1e-12, abs=0)


def test_sweeps_ignore_unreachable_values():
    chain, started = known_chain(0.9), np.full(8, np.nan)
    started[[4, 5]] = 0.0  # class 45 does not reach the first classes, and the last ones are solved before it
    expected, _ = solved(chain)
    values, doubts = solved(chain, [4], largest_dense=1, started=started)
    assert np.isnan(values[:4]).all()
    assert (np.abs(values[4:] - expected[4:]) <= doubts[4:] * expected[4:]).all()
    assert doubts[4:].max() <= 1e-13


def test_double_double_values_resolve_small_differences():
    # values are near 0.5 / (1 - beta) = 7e5, where a float is accurate to 2**-34; residuals to about 2**-53
    discount, classes, (values, lows, doubts) = 1 - 3 * 2.0**-22, no_classes(8), np.full((3, 8), np.nan)
    find_classes(np.arange(8), known_chain(discount), classes)
    chain_values(known_chain(discount), classes, True, values, lows, doubts, 2048)
    bandit = bandit_of(KNOWN_ROWS[None], KNOWN_GAINS[None], [8], discount)
    exact = policy_value(bandit, {(x,): 0 for x in range(8)})
    for x in range(7):
        high, low = value_of_float(values[x]) - value_of_float(values[7]), value_of_float(lows[x] - lows[7])
        assert abs(high + low - (exact[x,] - exact[7,])) <= fmpq(1, 2**48)
    assert abs(value_of_float(values[7]) + value_of_float(lows[7]) - exact[7,]) <= fmpq(1, 2**32)


def cycle(gains, discount):
    rows = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])  # padded to 3 states
    return chain_of(np.zeros(2, np.int64), np.array([2]), np.array(gains), rows, discount)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_error_bound_of_sweeps_equals_hand_count(sign):
    # they start from the solution, 4 = 3 + 2/2 and 2 = 0 + 4/2, so that nothing changes; the bound is 3 + 8
    # roundings of the largest value, over 1 - 1/2, relative to the smallest
    started = np.array([sign * 4.0, sign * 2.0])
    values, doubts = solved(cycle([sign * 3.0, 0.0], 0.5), largest_dense=1, started=started)
    assert values.tolist() == [sign * 4.0, sign * 2.0]
    assert doubts.tolist() == [(3 + 8) * UNIT * 4 / 0.5 / 2] * 2


def test_classes_up_to_the_limit_are_eliminated():
    values, doubts = solved(cycle([3.0, 0.0], 0.5), largest_dense=2)
    assert values.tolist() == pytest.approx([4.0, 2.0], rel=1e-15)
    assert doubts.tolist() == [class_error(2, 3)] * 2


def test_error_bound_covers_sweeps_stopped_early():
    # each of 20 000 sweeps adds 1 + 1; the limit is 1 / (1 - beta) = 2**27
    values, doubts = solved(cycle([1.0, 1.0], 1 - 2.0**-27), largest_dense=1)
    assert values.max() < 50_000
    assert (doubts * values >= 2.0**27 - values).all()
    assert doubts * values == pytest.approx(2 / 2.0**-27, rel=1e-2)


def test_error_bound_of_sweeps_is_infinite_if_a_value_is_0():
    # 0 = 1 - 2/2 and -2 = -2 + 0/2
    started = np.array([0.0, -2.0])
    values, doubts = solved(cycle([1.0, -2.0], 0.5), largest_dense=1, started=started)
    assert values.tolist() == [0.0, -2.0]
    assert doubts.tolist() == [np.inf, np.inf]
    assert solved(cycle([0.0, 0.0], 0.5), largest_dense=1)[1].tolist() == [np.inf, np.inf]


def test_sweeps_end_at_the_first_that_changes_nothing():
    reads = []

    class Watched(np.ndarray):
        def __getitem__(self, place):
            reads.append(place)
            return super().__getitem__(place)

    chain = cycle([0.0, 0.0], 0.5)
    solved(chain._replace(places=chain.places.view(Watched)), largest_dense=1)
    assert len(reads) < 20  # all sweeps would be 40 000


@pytest.mark.parametrize("count", [0, 1, 31, 32, 33, 34, 35, 63, 64, 65, 100])
def test_leaving_sums_weights_from_first_to_before_last(count):
    row = np.arange(1.0, 131.0)
    for first in (0, 1, 5):
        assert leaving(3.0, row, first, first + count) == 3 + sum(range(first + 1, first + count + 1))


def test_leaving_compensates_rounding_from_32_weights():
    equal = np.full(71, 2.0**-53)
    assert leaving(1.0, equal, 39, 71) == 1 + 2.0**-48
    assert leaving(1.0, equal, 40, 71) == 1  # fewer are added one after the other
    few = np.zeros(320)
    few[::32] = 2.0**-53  # each is lost beside 1, ten together are not
    assert leaving(1.0, few, 0, 320) == 1 + 10 * 2.0**-53
    few[0] = 1.0  # which is larger than what it is added to
    assert leaving(2.0**-53, few, 0, 320) == 1 + 10 * 2.0**-53
    more = np.zeros(128)
    more[::32] = 3 * 2.0**-54  # what is rounded off is found by subtracting the larger one first
    assert leaving(1.0, more, 0, 128) == 1 + 3 * 2.0**-52
    more[0] = 1.0
    assert leaving(3 * 2.0**-54, more, 0, 128) == 1 + 3 * 2.0**-52

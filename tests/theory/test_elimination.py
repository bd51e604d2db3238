"""The elimination level by level: minors modulo primes against FLINT's determinants, rates and drops against solves."""

from __future__ import annotations

from itertools import islice
from math import isqrt
from random import Random

import pytest
from flint import fmpq, fmpz, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.trials.strategies import arms, discounts
from tests.theory.long_numbers import long_arm
from theory import Arm, stopped_chain
from theory.elimination import LARGE, modular, rates_along, rates_and_drops
from theory.elimination.levels import integer_rows, minors_along
from theory.elimination.modular import bordered_minors
from theory.elimination.sparse import sparse_minors
from theory.gittins.proposal import propose_order

NEARLY_ONE = fmpq(99, 100)


def minors_by_determinants(rows, size):
    """Return every minor by a separate determinant."""

    def determinant(chosen, columns):
        return fmpz_mat([[rows[x][y] for y in columns] for x in chosen]).det()

    leading = [determinant(range(k), range(k)) for k in range(1, size + 1)]
    columns = [tuple(determinant(range(k + 1), [*range(k), size + last]) for last in (0, 1)) for k in range(size)]
    row = [determinant([*range(k), size], range(k + 1)) for k in range(size)] if len(rows) > size else []
    return leading, columns, row


def check_minors(rows, bounds):
    found = bordered_minors(rows, bounds)
    assert (found.leading, found.columns, found.row) == minors_by_determinants(rows, len(bounds))
    return found


@given(arm=arms(max_size=6, low=-2, high=2), discount=discounts(), data=st.data())
def test_bordered_minors_equal_determinants_within_bounds(arm, discount, data):
    order = data.draw(st.permutations(range(arm.size)))
    start = data.draw(st.none() | st.integers(0, arm.size - 1))
    system = integer_rows(arm, discount, order, start)
    found = check_minors(system.rows, system.bounds)
    before = 1
    for k, leading in enumerate(found.leading):
        assert 0 < leading <= before * system.rows[k][k]
        for minor in [*found.columns[k], *found.row[k : k + 1]]:
            assert abs(minor) <= before * system.bounds[k]
        before = leading


@pytest.mark.parametrize(
    ("size", "discount"),
    [*((size, fmpq(0)) for size in (31, 32, 33, 64, 65, 127, 128, 129, 161)), (33, NEARLY_ONE), (129, NEARLY_ONE)],
)
def test_bordered_minors_match_flint_at_block_boundaries(size, discount):
    system = integer_rows(long_arm(size, "blocks"), discount, range(size), start=size // 2)
    found = bordered_minors(system.rows, system.bounds)
    _, lower, _, upper = fmpz_mat(system.rows).fflu()
    assert found.leading == [upper[k, k] for k in range(size)]
    assert found.columns == [(upper[k, size], upper[k, size + 1]) for k in range(size)]
    assert found.row == [lower[size, k] for k in range(size)]


@pytest.mark.parametrize(("size", "bits"), [(1, 1), (2, 200), (40, 24), (40, 25), (40, 53), (40, 54), (20, 400)])
def test_bordered_minors_of_long_integers_equal_determinants(size, bits):
    generator = Random(f"{size} {bits}")
    rows = [[-generator.randrange(2**bits) for _ in range(size)] for _ in range(size)]
    for x, row in enumerate(rows):
        row[x] += 1 - sum(row)  # the whole row then sums to 1 at least
        row += [generator.randrange(-(2**bits), 2**bits), 1]
    bounds = [2**bits * row[x] for x, row in enumerate(rows)]
    check_minors(rows, bounds)


@pytest.mark.parametrize(("size", "vanishing"), [(2, 0), (3, 0), (3, 1), (40, 0), (40, 5), (40, 31), (40, 35)])
def test_elimination_skips_primes_with_a_vanishing_pivot(size, vanishing):
    """Modulo such a prime the entries after that pivot are wrong; here the last row depends on all others."""
    p = next(modular._primes(size))
    rows = [[2 * (x == y) for y in range(size)] for x in range(size)]
    k = vanishing
    if k == 0:
        rows[0][0] = p
    else:  # the determinant of these four is p
        rows[k - 1][k], rows[k][k - 1], rows[k][k] = -1, -1, (p + 1) // 2
    for x in range(size - 1):
        rows[x][-1] = rows[-1][x] = -1
    rows[-1][-1] = 1000
    for x, row in enumerate(rows):
        row += [3 - x % 7, 1 + x % 2]
    found = check_minors(rows, bounds=[1000] * size)
    assert found.leading[k] % p == 0
    assert found.leading[-1] % p != 0


def test_prime_dividing_only_the_determinant_is_used_correctly():
    p = next(modular._primes(2))
    check_minors([[2, -1, 5, 1], [-1, (p + 1) // 2, -7, 1]], bounds=[8, 16])
    check_minors([[p, 3, 1]], bounds=[3])


def test_minors_of_zero_columns_are_found():
    """The bordered minors and their bounds are 0."""
    check_minors([[1, 0, 0]], bounds=[0])


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_number_of_workers_changes_no_minor(monkeypatch, workers):
    system = integer_rows(long_arm(70, "workers"), NEARLY_ONE, range(70), start=3)
    alone = bordered_minors(system.rows, system.bounds)
    monkeypatch.setattr(modular, "_SHARED_FROM", 1)
    monkeypatch.setattr(modular, "_processors", lambda: workers)
    assert bordered_minors(system.rows, system.bounds) == alone


@pytest.mark.parametrize("size", [1, 100, 1000, 3000])
def test_primes_keep_float_operations_exact(size):
    p = next(modular._primes(size))
    residue = p // 2 + 2
    assert (size + 1) * residue**2 + p <= 2**53


@pytest.mark.parametrize("size", [1, 100])
def test_primes_lists_consecutive_primes_downwards(size):
    found = list(islice(modular._primes(size), 30))
    assert found == [p for p in range(found[0], found[-1] - 1, -1) if all(p % q for q in range(2, isqrt(p) + 1))]


@pytest.mark.parametrize(("size", "bits"), [(1, 5), (2, 200), (40, 24), (20, 400)])
def test_primes_exceed_twice_the_largest_minor_allowed(monkeypatch, size, bits):
    """Leading minors may be the product of the diagonal, bordered ones that times the largest bound, of either sign."""
    used = []
    original = modular._signed
    monkeypatch.setattr(modular, "_signed", lambda parts, product: used.append(product) or original(parts, product))
    rows = [[2**bits * (x == y) for y in range(size)] + [-(2**bits), 2**bits] for x in range(size)]
    found = check_minors(rows, bounds=[2**bits] * size)
    largest = max(abs(minor) for minor in (*found.leading, *(abs(m) for pair in found.columns for m in pair)))
    assert largest == 2 ** (bits * size)
    assert used[-1] > 2 * largest


@pytest.mark.parametrize("longest", [2**52 - 1, 2**53 - 1, 2**53 - 3, 2**54 - 1])
def test_bordered_minors_near_2_to_the_53_equal_determinants(longest):
    generator, size = Random(longest), 40
    rows = [[-generator.randrange(2**40) for _ in range(size)] for _ in range(size)]
    for x, row in enumerate(rows):
        row[x] = longest
        row += [generator.randrange(2**50), longest]
    check_minors(rows, [4 * longest] * size)


def eliminations_of(arm, discount):
    """Return the same minors by FLINT, by elimination modulo primes, and by sparse elimination."""
    system = integer_rows(arm, discount, propose_order(arm, discount), start=arm.size - 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("theory.elimination.levels.LARGE", arm.size + 1)
        by_flint = minors_along(system)
    return by_flint, bordered_minors(system.rows, system.bounds), sparse_minors(system.entries, system.size)


@pytest.mark.parametrize("discount", [fmpq(0), NEARLY_ONE])
def test_three_eliminations_agree_on_many_states(discount):
    size = LARGE + 5
    walk = [[fmpq(1, 2) if y in {max(x - 1, 0), x + 1} else fmpq(0) for y in range(size)] for x in range(size)]
    walk[-1][-1] = fmpq(1, 2)
    rewards = [fmpq(Random(x).randrange(100), 7) for x in range(size)]
    star = [[fmpq(1, 2) * ((y == 0) + (y == x)) for y in range(size)] for x in range(size)]
    for arm in (
        long_arm(size, "dense"),
        Arm(rewards=rewards, transitions=walk),
        Arm(rewards=rewards, transitions=star),
        Arm(rewards=[0] * size, transitions=walk),
    ):
        by_flint, modulo_primes, sparse = eliminations_of(arm, discount)
        assert by_flint == modulo_primes == sparse


@given(arm=arms(max_size=6, low=-2, high=2), discount=discounts())
def test_three_eliminations_agree_on_few_states(arm, discount):
    by_flint, modulo_primes, sparse = eliminations_of(arm, discount)
    assert by_flint == modulo_primes == sparse


@pytest.mark.parametrize("large", [0, 10])
@given(arm=arms(max_size=5, low=-1), discount=discounts(), data=st.data())
def test_rates_and_drops_equal_stopped_chains(large, arm, discount, data):
    order = data.draw(st.permutations(range(arm.size)))
    start = data.draw(st.integers(0, arm.size - 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("theory.elimination.levels.LARGE", large)
        rates, drops = rates_and_drops(arm, discount, order, start)
        assert rates_along(arm, discount, order) == rates
    theta = fmpq(1)
    for k, x in enumerate(order):
        chain = stopped_chain(arm, discount, order[: k + 1])
        assert rates[k] == chain.reward[x] / chain.time[x]
        after = 1 - (1 - discount) * chain.time[start]
        assert drops[k] == theta - after
        theta = after


def test_integer_rows_match_hand_computation():
    # at discount 1/3: 3 (I - P/3) is [[3 - 1/2, -1/2], [0, 2]]; the first row times 2 more; rewards 3/4, -1/2 in quarters
    arm = Arm(rewards=["3/4", "-1/2"], transitions=[["1/2", "1/2"], [0, 1]])
    system = integer_rows(arm, fmpq(1, 3), [0, 1], start=1)
    assert system.rows == [[5, -1, 18, 6], [0, 2, -6, 3], [0, 1, 0, 0]]
    assert (system.size, system.reward_scale, system.largest_reward) == (2, 4, 3)
    assert system.bounds == [27, 14]  # the factors 6 and 3 times 3 times 3/2, rounded up
    swapped = integer_rows(arm, fmpq(1, 3), [1, 0])
    assert swapped.rows == [[2, 0, -6, 3], [-1, 5, 18, 6]]
    assert swapped.rates([(fmpz(-6), fmpz(3)), (fmpz(1), fmpz(6))]) == [fmpq(-1, 2), fmpq(1, 24)]
    system = integer_rows(Arm(rewards=[0], transitions=[[1]]), fmpq(1, 2), [0])
    assert (system.rows, system.largest_reward, system.bounds) == ([[1, 0, 2]], 1, [4])

"""The elimination level by level: minors modulo primes against FLINT's determinants, rates and drops against solves."""

from __future__ import annotations

from itertools import islice
from random import Random

import numpy as np
import pytest
from flint import fmpq, fmpz, fmpz_mat
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.strategies import arms, discounts
from tests.theory.long_numbers import long_arm
from theory import Arm, stopped_chain
from theory.elimination import LARGE, bordered_minors, modular, rates_along, rates_and_drops, sparse_minors
from theory.elimination.levels import integer_rows, minors_along
from theory.gittins.proposal import propose_order

NEARLY_ONE = fmpq(99, 100)


def minors_by_determinants(rows, size):
    """Every minor as a determinant of its own."""

    def determinant(chosen, columns):
        return fmpz_mat([[rows[x][y] for y in columns] for x in chosen]).det()

    leading = [determinant(range(k), range(k)) for k in range(1, size + 1)]
    columns = [
        tuple(determinant(range(k + 1), [*range(k), size + appended]) for appended in (0, 1)) for k in range(size)
    ]
    row = [determinant([*range(k), size], range(k + 1)) for k in range(size)] if len(rows) > size else []
    return leading, columns, row


def check_minors(rows, bounds, **keywords):
    found = bordered_minors(rows, bounds, **keywords)
    assert (found.leading, found.columns, found.row) == minors_by_determinants(rows, len(bounds))
    return found


@given(arm=arms(max_size=6, low=-2, high=2), discount=discounts(), data=st.data())
def test_minors_of_any_arm_are_determinants_within_their_bounds(arm, discount, data):
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


@pytest.mark.parametrize("discount", [fmpq(0), NEARLY_ONE])
@pytest.mark.parametrize("size", [31, 32, 33, 64, 65, 127, 128, 129, 161])
def test_minors_where_blocks_and_panels_begin_and_end(size, discount):
    system = integer_rows(long_arm(size, "blocks"), discount, range(size), start=size // 2)
    found = bordered_minors(system.rows, system.bounds)
    _, lower, _, upper = fmpz_mat(system.rows).fflu()
    assert found.leading == [upper[k, k] for k in range(size)]
    assert found.columns == [(upper[k, size], upper[k, size + 1]) for k in range(size)]
    assert found.row == [lower[size, k] for k in range(size)]


@pytest.mark.parametrize(("size", "bits"), [(1, 1), (2, 200), (40, 24), (40, 25), (40, 53), (40, 54), (20, 400)])
def test_minors_of_integers_of_any_length(size, bits):
    generator = Random(f"{size} {bits}")
    rows = [[-generator.randrange(2**bits) for _ in range(size)] for _ in range(size)]
    for x, row in enumerate(rows):
        row[x] += 1 - sum(row)  # the whole row then sums to 1 at least
        row += [generator.randrange(-(2**bits), 2**bits), 1]
    bounds = [2**bits * row[x] for x, row in enumerate(rows)]
    check_minors(rows, bounds)


def test_a_prime_at_which_a_pivot_vanishes_is_not_used():
    largest = next(modular._primes(2))
    check_minors([[largest, -1, 5, 1], [-1, largest + 1, -7, 1]], bounds=[8 * largest] * 2)


@pytest.mark.parametrize("guess", [0, -5, 10**5])
def test_a_wrong_guess_of_the_number_of_primes_changes_nothing(monkeypatch, guess):
    system = integer_rows(long_arm(40, "guess"), NEARLY_ONE, range(40))
    monkeypatch.setattr("theory.elimination.modular._guessed_bits", lambda *_: guess)
    check_minors(system.rows, system.bounds)


@pytest.mark.parametrize("guess", [0, -5])
def test_columns_of_zeros_need_no_bits(monkeypatch, guess):
    """The bordered minors are 0, and so are their bounds; of the determinant 1 floating point may see less than a bit."""
    monkeypatch.setattr("theory.elimination.modular._guessed_bits", lambda *_: guess)
    check_minors([[1, 0, 0]], bounds=[0])


def test_a_guess_of_less_than_a_bit():
    # pairs of determinant 1, which is 2^-52 of the product of the diagonal
    size, m = 6, 65246273
    rows = [[0] * (size + 2) for _ in range(size)]
    for x in range(0, size, 2):
        rows[x][x : x + 2], rows[x + 1][x : x + 2] = [m, 1 - m], [-1 - m, m]
    assert modular._guessed_bits(rows, size) < 0
    assert check_minors(rows, bounds=[0] * size).leading == [m, 1] * 3


def test_the_certificate_stops_when_the_modulus_is_as_long_as_the_numbers(monkeypatch):
    """Two states that exchange their places have small minors, however many such pairs there are."""
    size, primes = 40, []
    original = modular._minors_modulo
    monkeypatch.setattr(modular, "_minors_modulo", lambda *given: primes.extend(given[2].tolist()) or original(*given))

    def primes_for(arm):
        primes.clear()
        system = integer_rows(arm, fmpq(999, 1000), range(size))
        check_minors(system.rows, system.bounds)
        return len(primes)

    swapping = Arm(rewards=[1] * size, transitions=[[int(y == x ^ 1) for y in range(size)] for x in range(size)])
    moving = Arm(
        rewards=[1] * size, transitions=[[int(y == min(x + 1, size - 1)) for y in range(size)] for x in range(size)]
    )
    # both have 1000 on the diagonals; the leading minors are 1999^(k/2) for the pairs, and 1000^k on the way up
    assert primes_for(swapping) < 0.75 * primes_for(moving)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_any_number_of_workers_gives_the_same(workers):
    system = integer_rows(long_arm(70, "workers"), NEARLY_ONE, range(70), start=3)
    found = bordered_minors(system.rows, system.bounds, workers)
    assert found == bordered_minors(system.rows, system.bounds, workers=1)


@pytest.mark.parametrize("size", [1, 100, 1000, 3000])
def test_no_operation_of_the_elimination_can_round(size):
    p = next(modular._primes(size))
    residue = p // 2 + 2
    assert (size + 1) * residue**2 + p <= 2**53


@pytest.mark.parametrize("size", [1, 10, 100, 1000, 3000])
def test_primes_begin_with_the_largest_that_can_be(size):
    """Of smaller ones there are fewer, and all of them together bound how long minors can be."""
    p = next(modular._primes(size))
    with_larger_ones = fmpz(102 * p) // 200
    assert p > modular._LARGEST_PRIME - 100 or (size + 1) * with_larger_ones**2 > 2**53


@pytest.mark.parametrize("size", [1, 40, 80])
def test_no_reduction_of_a_model_s_integers_rounds(size):
    longest = 2**modular._EXACT_BITS - 1
    whole = [longest, longest - 2, longest - 2**24 + 1, -longest]
    for p in islice(modular._primes(size), 200):
        residues = modular._Reduction(np.array([float(p)])).of(np.array(whole, dtype=np.float64))
        assert all((int(residue) - number) % p == 0 for residue, number in zip(residues, whole, strict=True))


@pytest.mark.parametrize("longest", [2**52 - 1, 2**53 - 1, 2**53 - 3, 2**54 - 1])
def test_minors_of_integers_close_to_the_longest_exact_float(longest):
    generator = Random(longest)
    size = 40
    rows = [[-generator.randrange(2**40) for _ in range(size)] for _ in range(size)]
    for x, row in enumerate(rows):
        row[x] = longest
        row += [generator.randrange(2**50), longest]
    check_minors(rows, [4 * longest] * size)


def eliminations_of(arm, discount):
    """The same minors by FLINT, modulo primes, and touching non-zero entries only."""
    system = integer_rows(arm, discount, propose_order(arm, discount), start=arm.size - 1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("theory.elimination.levels.LARGE", arm.size + 1)
        by_flint = minors_along(system)
    return by_flint, bordered_minors(system.rows, system.bounds), sparse_minors(system.rows)


@pytest.mark.parametrize("discount", [fmpq(0), fmpq(9, 10), NEARLY_ONE])
def test_three_eliminations_of_many_states_are_the_same(discount):
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
def test_three_eliminations_of_few_states_are_the_same(arm, discount):
    by_flint, modulo_primes, sparse = eliminations_of(arm, discount)
    assert by_flint == modulo_primes == sparse


def test_which_elimination_is_chosen(monkeypatch):
    chosen = []
    for name in ("sparse_minors", "bordered_minors"):
        monkeypatch.setattr(f"theory.elimination.levels.{name}", lambda *_, name=name: chosen.append(name))
    walk = [[fmpq(int(y == min(x + 1, LARGE - 1))) for y in range(LARGE)] for x in range(LARGE)]
    for arm in (
        long_arm(LARGE, "dense"),
        Arm(rewards=[0] * LARGE, transitions=walk),
        long_arm(LARGE - 1, "dense"),
    ):
        minors_along(integer_rows(arm, NEARLY_ONE, range(arm.size)))
    assert chosen == ["bordered_minors", "sparse_minors"]


@pytest.mark.parametrize("large", [0, 10])
@given(arm=arms(max_size=5, low=-1), discount=discounts(), data=st.data())
def test_rates_and_drops_are_those_of_stopped_chains(large, arm, discount, data):
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


def test_minors_are_integers_of_flint():
    found = bordered_minors([[2, 3, 1]], bounds=[3])
    assert all(isinstance(number, fmpz) for number in [*found.leading, *found.columns[0]])

"""The elimination level by level: minors modulo primes against FLINT's determinants, rates and drops against solves."""

from __future__ import annotations

from itertools import islice
from math import isqrt, prod
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
from theory.elimination.levels import integer_rows, minors_along, share_of_products
from theory.elimination.minors import BorderedMinors
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


@pytest.mark.parametrize(("size", "vanishing"), [(2, 0), (3, 0), (3, 1), (40, 0), (40, 5), (40, 31), (40, 35)])
def test_a_prime_at_which_a_pivot_vanishes_is_not_used(size, vanishing):
    """Modulo such a prime what comes after that pivot is wrong: here in the last row, which meets all others."""
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


def test_a_prime_that_divides_the_determinant_only_does_no_harm():
    p = next(modular._primes(2))
    check_minors([[2, -1, 5, 1], [-1, (p + 1) // 2, -7, 1]], bounds=[8, 16])
    check_minors([[p, 3, 1]], bounds=[3])


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


def swapping(size):
    return Arm(rewards=[1] * size, transitions=[[int(y == x ^ 1) for y in range(size)] for x in range(size)])


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

    moving = Arm(
        rewards=[1] * size, transitions=[[int(y == min(x + 1, size - 1)) for y in range(size)] for x in range(size)]
    )
    # both have 1000 on the diagonals; the leading minors are 1999^(k/2) for the pairs, and 1000^k on the way up
    assert primes_for(swapping(size)) < 0.75 * primes_for(moving)


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


@pytest.mark.parametrize("size", [100, 1000, 3000])
def test_primes_begin_with_the_largest_that_can_be(size):
    """Of smaller ones there are fewer, and all of them together bound how long minors can be."""
    with_larger_ones = fmpz(102 * next(modular._primes(size))) // 200
    assert (size + 1) * with_larger_ones**2 > 2**53


@pytest.mark.parametrize("size", [1, 100])
def test_primes_are_all_of_them_downwards(size):
    found = list(islice(modular._primes(size), 30))
    assert found == [p for p in range(found[0], found[-1] - 1, -1) if all(p % q for q in range(2, isqrt(p) + 1))]


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("bits", [1, 24, 25, 400])
@pytest.mark.parametrize("at_once", [1, 3, 1000])
def test_primes_of_as_many_bits_as_asked_for_in_batches_that_fit(monkeypatch, bits, workers, at_once):
    size, batches = 4, []
    of_one = size * (size + 2)
    original = modular._minors_modulo
    monkeypatch.setattr(modular, "_minors_modulo", lambda *given: batches.append(given[2].tolist()) or original(*given))
    monkeypatch.setattr(modular, "_ENTRIES_AT_ONCE", at_once * of_one + of_one - 1)
    rows = [[*(int(x == y) for y in range(size)), 1, 1] for x in range(size)]
    primes = modular._primes(size)
    found = modular._residues(modular._limbs(rows), size, primes, bits, workers)
    used = [int(p) for moduli, _ in found for p in moduli]
    first = list(islice(modular._primes(size), len(used) + 1))
    assert used == first[:-1]  # in order, none left out
    assert next(primes) == first[-1]  # and the next ones come next time
    assert 2**bits <= prod(used)
    assert len(used) == 1 or prod(used[:-2]) < 2**bits  # two may be spare: each is counted with a bit less than it has
    assert max(map(len, batches)) <= at_once
    assert len(batches) >= min(workers, len(used))
    assert len(batches) <= max(workers, -(-len(used) // at_once))


@pytest.mark.parametrize("discount", [fmpq(0), fmpq(9, 10), fmpq(999, 1000), NEARLY_ONE])
@pytest.mark.parametrize("arm", [*(long_arm(size, "guess") for size in (1, 2, 5, 40)), swapping(40)])
def test_the_first_guess_of_the_number_of_primes_is_a_good_one(monkeypatch, arm, discount):
    """It suffices, so that nothing is done twice, and is not much more than what the certificate asks for.

    The arm whose states exchange their places has minors far below the product of their diagonal.
    """
    asked = []
    original = modular._residues
    monkeypatch.setattr(modular, "_residues", lambda *given: asked.append(given[3]) or original(*given))
    system = integer_rows(arm, discount, range(arm.size), start=0)
    found = bordered_minors(system.rows, system.bounds)
    befores = [1, *map(int, found.leading)]
    needed = max(
        before * max(row[k], 2 * bound)
        for k, (before, row, bound) in enumerate(zip(befores, system.rows, system.bounds, strict=False))
    ).bit_length()
    assert len(asked) == 1
    assert needed <= asked[0] <= needed + max(system.bounds).bit_length()


def test_inverses_are_the_smallest_in_absolute_value():
    p = 101
    for a in range(-150, 151):
        inverse = modular._inverse(a, p)
        assert inverse * a % p == (1 if a % p else 0)
        assert abs(inverse) <= p // 2
        assert a % p or inverse == 0


@pytest.mark.parametrize("bits", [1, 24, 25, 52, 53, 72, 73, 100])
def test_long_integers_are_cut_into_pieces_of_which_none_is_lost(bits):
    longest = 2**bits - 1
    rows = [[longest, -longest, 0, 1], [2 ** (bits - 1), -1, longest // 3, -(longest // 7)]]
    pieces = [piece.tolist() for piece in modular._limbs(rows)]
    assert [
        [sum(int(piece[x][y]) << 24 * k for k, piece in enumerate(reversed(pieces))) for y in range(4)]
        for x in range(2)
    ] == rows
    assert len(pieces) == 1 or all(abs(entry) < 2**24 for piece in pieces for row in piece for entry in row)
    assert len(pieces) <= 1 + bits // 24


@pytest.mark.parametrize(
    ("modulus", "leading", "entry", "diagonal", "bound", "known"),
    [
        (5, 0, 1, 5, 1, None),  # 5 and 0 are one residue
        (7, 5, 1, 5, 1, 1),
        (9, 2, 1, 2, 5, None),  # -5 and 4 are one residue
        (11, 2, 5, 2, 5, 5),
        (11, 2, 6, 2, 5, -5),
        (11, 2, 0, 2, 5, 0),
        (3, 1, 2, 1, 1, -1),
    ],
)
def test_the_certificate_knows_a_minor_from_the_modulus_on_that_tells_its_range_apart(
    modulus, leading, entry, diagonal, bound, known
):
    """A minor from 1 to the diagonal, and one from -bound to bound, are known from a modulus above the one and twice the other."""
    found = modular._certified(fmpz(modulus), [fmpz(leading), fmpz(entry), fmpz(1)], [diagonal], [bound])
    assert found == (None if known is None else BorderedMinors([leading], [(known, 1)], []))


def test_the_certificate_of_a_second_pivot_goes_by_the_first_minor():
    # leading minors 3 and at most 3 * 4; bordered ones at most 2 and at most 3 * 2
    values = [fmpz(value) for value in (3, 1, 2, 5, 6, 7)]
    assert modular._certified(fmpz(12), values, [3, 4], [2, 2]) is None
    assert modular._certified(fmpz(13), values, [3, 4], [2, 2]) == BorderedMinors([3, 5], [(1, 2), (6, -6)], [])


def test_processors_are_those_that_this_process_may_use(monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", {0: {1, 2, 5}}.get, raising=False)
    assert modular._processors() == 3
    monkeypatch.delattr("os.sched_getaffinity")
    for counted, processors in ((6, 6), (None, 1)):
        monkeypatch.setattr("os.cpu_count", lambda counted=counted: counted)
        assert modular._processors() == processors


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
    return by_flint, bordered_minors(system.rows, system.bounds), sparse_minors(system.entries, system.size)


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
    both_ways = [[fmpq(x == y, 2) + fmpq(y == (x + (-1) ** x) % LARGE, 2) for y in range(LARGE)] for x in range(LARGE)]
    for arm in (
        long_arm(LARGE, "dense"),
        Arm(rewards=[0] * LARGE, transitions=walk),
        Arm(rewards=[0] * LARGE, transitions=both_ways),  # not without products, but with few of them
        long_arm(LARGE - 1, "dense"),
    ):
        minors_along(integer_rows(arm, NEARLY_ONE, range(arm.size)))
    assert chosen == ["bordered_minors", "sparse_minors", "sparse_minors"]


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


def test_integer_rows_by_hand():
    # at discount 1/3: 3 (I - P/3) is [[3 - 1/2, -1/2], [0, 2]]; the first row times 2 more; rewards 3/4, -1/2 in quarters
    arm = Arm(rewards=["3/4", "-1/2"], transitions=[["1/2", "1/2"], [0, 1]])
    system = integer_rows(arm, fmpq(1, 3), [0, 1], start=1)
    assert system.rows == [[5, -1, 18, 6], [0, 2, -6, 3], [0, 1, 0, 0]]
    assert (system.size, system.reward_scale, system.largest_reward) == (2, 4, 3)
    assert system.bounds == [27, 14]  # the factors 6 and 3 times 3 times 3/2, rounded up
    swapped = integer_rows(arm, fmpq(1, 3), [1, 0])
    assert swapped.rows == [[2, 0, -6, 3], [-1, 5, 18, 6]]
    assert swapped.rates([(fmpz(-6), fmpz(3)), (fmpz(1), fmpz(6))]) == [fmpq(-1, 2), fmpq(1, 24)]


def test_integer_rows_of_rewards_that_are_zero():
    system = integer_rows(Arm(rewards=[0], transitions=[[1]]), fmpq(1, 2), [0])
    assert (system.rows, system.largest_reward, system.bounds) == ([[1, 0, 2]], 1, [4])


@given(
    st.integers(1, 6).flatmap(
        lambda size: st.lists(st.lists(st.booleans(), min_size=size, max_size=size), min_size=size, max_size=size)
    )
)
def test_the_share_of_products_is_that_of_an_elimination_of_patterns(filled):
    size = len(filled)
    rows = [[int(entry) * (-1) ** y for y, entry in enumerate(row)] + [1, 1] for row in filled]
    there = [list(row) for row in filled]
    products = possible = 0
    for k in range(size):
        for x in range(k + 1, size):
            for y in range(k + 1, size):
                possible += 1
                if there[x][k] and there[k][y]:
                    products += 1
                    there[x][y] = True
    entries = [{y: entry for y, entry in enumerate(row) if entry} for row in rows]
    assert share_of_products(entries, size) == (fmpq(products, possible) if possible else 0)
    # a row for the start takes no part
    assert share_of_products([*entries, dict.fromkeys(range(size), 1)], size) == share_of_products(entries, size)

r"""A fraction-free elimination's bordered minors, computed modulo many primes: exact, and faster for many states.

Let A be a square integer matrix with positive leading minors :math:`\Delta_1, \Delta_2, \dots`, with two integer
columns appended, and perhaps a row. Row k of its fraction-free elimination ends with one *bordered minor* per appended
column: the determinant of the leading k-square block with the appended column in place of its last; likewise for an
appended row. Modulo a prime that divides no leading minor, ordinary elimination gives the same minor, as the entry at
the k-th pivot times the product of the k-1 pivots before it. A prime at which a pivot vanishes is discarded.

*When to stop.* With primes of product M, the Chinese remainder theorem determines an integer known to lie in a range of
length M. The caller vouches for two bounds: :math:`\Delta_k \le a_{kk} \Delta_{k-1}` (true of I - beta Q with its rows
times any factors, where a pivot is at most its diagonal entry), and bordered minors of at most
:math:`c_k \Delta_{k-1}` in absolute value, with known :math:`c_k`. So primes whose product exceeds
:math:`2 \max_k c_k \prod_k a_{kk}` are enough. Nothing here is probabilistic.

*Arithmetic.* Residues are whole numbers in double precision arrays, so that matrix products run at the speed of the
linear algebra library. A number x is reduced to :math:`x - p \cdot \mathrm{rint}(x \cdot (1/p))`; for
:math:`|x| \le 2^{53}` the product is within 2/p of x/p, so the result is at most p/2 + 2 in absolute value. Blocks of
columns are eliminated together, without reducing the rest of the matrix in between: an entry is then the sum of itself
and at most n products of two residues. The primes are so small that this sum stays below :math:`2^{53}` in any order of
addition. So no operation ever rounds: the floating-point unit computes with integers.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from math import isqrt, prod
from typing import TypeAlias

import numpy as np
from flint import fmpz, fmpz_mat
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from theory.elimination.sparse import BorderedMinors

Floats: TypeAlias = NDArray[np.float64]
Integers: TypeAlias = NDArray[np.int64]

_BLOCK = 32  # columns inverted together
_LIMB_BITS = 24
_EXACT_BITS = 52  # of a number whose nearest multiple of a prime is below 2^53 too
_ENTRIES_AT_ONCE = 2**23  # limit of the entries of all primes' matrices that are eliminated together
_SHARED_FROM = 200  # states; with fewer, threads would mostly wait for each other


def bordered_minors(matrix: Sequence[Sequence[int]], bounds: Sequence[int]) -> BorderedMinors:
    """Return the leading and the bordered minors of `matrix`, (n, n + 2) or (n + 1, n + 2).

    Its leading minors must be positive, each at most its diagonal entry times the one before. At each of the n pivots,
    no bordered minor may exceed the bound times the leading minor before, in absolute value.

    Examples
    --------
    >>> bordered_minors([[2, -1, 3, 1], [-1, 2, -5, 1]], bounds=[3, 7])
    BorderedMinors(leading=[2, 3], columns=[(3, 1), (-7, 3)], row=[])
    """
    size = len(bounds)
    limbs, primes = _limbs(matrix), _primes(size)
    enough = 2 * prod(int(matrix[k][k]) for k in range(size)) * max(1, *bounds)
    parts: list[tuple[Integers, Integers]] = []
    modulus = 1
    while modulus <= enough:
        parts += _residues(limbs, size, primes, (enough // modulus).bit_length())
        modulus = prod(prime for moduli, _ in parts for prime in moduli.tolist())
    values = _signed(parts, modulus)
    kinds = len(values) // size
    by_pivot = [values[k * kinds : (k + 1) * kinds] for k in range(size)]
    return BorderedMinors(
        [minors[0] for minors in by_pivot],
        [(minors[1], minors[2]) for minors in by_pivot],
        [minor for minors in by_pivot for minor in minors[3:]],
    )


def _primes(size: int) -> Iterator[int]:
    """Yield odd primes, from the largest downwards, for which no operation rounds."""
    # (size + 1) (p/2 + 2)^2 <= 2^53, and p itself to spare
    largest = 2 * (isqrt(2**53 // (size + 4)) - 4)
    return (p for p in range(largest - 1, 2, -2) if fmpz(p).is_prime())


def _limbs(matrix: Sequence[Sequence[int]]) -> list[Floats]:
    """Return the integers as whole floats, the most significant 24 bits first; as one float where that is exact."""
    longest = max(entry.bit_length() for row in matrix for entry in row)
    if longest <= _EXACT_BITS:
        return [np.array(matrix, dtype=np.float64)]
    shifts = range(longest // _LIMB_BITS * _LIMB_BITS, -1, -_LIMB_BITS)
    mask = 2**_LIMB_BITS - 1
    return [
        np.array([[(abs(entry) >> shift & mask) * (-1 if entry < 0 else 1) for entry in row] for row in matrix], float)
        for shift in shifts
    ]


def _residues(limbs: list[Floats], size: int, primes: Iterator[int], bits: int) -> list[tuple[Integers, Integers]]:
    """Return primes with a product of at least `bits` bits, and the minors modulo them: ``(P,)`` and ``(P, v)``."""
    first = next(primes)
    count = bits // (first.bit_length() - 1) + 1
    moduli = [first, *(next(primes) for _ in range(count - 1))]
    threads = _processors() if size >= _SHARED_FROM else 1  # equivalent: any number finds the same
    together = max(1, min(-(-count // threads), _ENTRIES_AT_ONCE // limbs[0].size))
    batches = [np.array(moduli[i : i + together]) for i in range(0, count, together)]
    # each batch keeps to one thread: the products are too small to share, and other work may run beside them
    with threadpool_limits(1, user_api="blas"):
        if len(batches) == 1:
            return [_minors_modulo(limbs, size, batches[0])]
        with ThreadPoolExecutor(threads) as pool:
            return list(pool.map(lambda batch: _minors_modulo(limbs, size, batch), batches))


def _processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _minors_modulo(limbs: list[Floats], size: int, moduli: Integers) -> tuple[Integers, Integers]:
    """Return the usable primes, and the minors modulo each of them: leading, two per column, one per row.

    The elimination halves a range of columns: after the first half, one product subtracts its effect from the second
    half, while the rest of the matrix waits. Above the diagonal stands what the inverted blocks give.
    """
    p = moduli.astype(np.float64)[:, None, None]
    residue = _Reduction(p)
    tables = residue.of(limbs[0])
    for limb in limbs[1:]:
        tables = residue.of(tables * 2.0**_LIMB_BITS + limb)
    extra = tables.shape[1] - size
    product = np.empty(tables[0].size)
    met: list[tuple[Integers, Floats, Floats]] = []

    def subtract_product(rows: slice, inner: slice, columns: slice) -> None:
        for table in tables:  # one prime after the other: what is being changed stays in the cache
            target = table[rows, columns]
            out = product[: target.size].reshape(target.shape)
            target -= np.matmul(table[rows, inner], table[inner, columns], out=out)

    def eliminate(low: int, high: int) -> None:
        """Eliminate the pivots from `low` to `high`; their rows and columns hold the result of all earlier pivots."""
        if high - low > _BLOCK:
            middle = low + -(-(high - low) // (2 * _BLOCK)) * _BLOCK
            eliminate(low, middle)
            subtract_product(slice(middle, None), slice(low, middle), slice(middle, high))
            subtract_product(slice(middle, high), slice(low, middle), slice(high, None))
            eliminate(middle, high)
            return
        here = np.r_[low:high, size : size + extra]
        block = residue.of(tables[:, here[:, None], np.r_[low:high, size : size + 2]])
        inverse, at_pivots = _inverted(block, high - low, moduli)
        met.append(at_pivots)
        tables[:, high:, low:high] = residue.of(tables[:, high:, low:high])
        tables[:, low:high, high:] = residue.of(inverse @ residue.of(tables[:, low:high, high:]))

    eliminate(0, size)
    pivots, columns, rows = (np.concatenate([each[i] for each in met], axis=1) for i in range(3))
    modulus = moduli[:, None]
    leading = np.ones((len(moduli), size + 1), dtype=np.int64)
    for k in range(size):
        leading[:, k + 1] = leading[:, k] * pivots[:, k] % moduli
    bordered = np.concatenate((columns, rows), axis=2).astype(np.int64) % modulus[:, :, None]
    minors = np.concatenate((leading[:, 1:, None], bordered * leading[:, :size, None] % modulus[:, :, None]), axis=2)
    usable = leading[:, -1] != 0
    return moduli[usable], minors[usable].reshape(-1, size * (3 + extra))


def _inverted(block: Floats, width: int, moduli: Integers) -> tuple[Floats, tuple[Integers, Floats, Floats]]:
    """Invert the square block of a (P, width + e, width + 2) stack of residues in place (Gauss and Jordan).

    Returns the inverses, and, as each pivot meets them: the pivot, the entries of the appended columns and rows.
    """
    count = len(moduli)
    residue = _Reduction(moduli.astype(np.float64)[:, None])
    pivots, columns = np.empty((count, width), dtype=np.int64), np.empty((count, width, 2))
    rows = np.empty((count, width, block.shape[1] - width))
    change = np.empty_like(block)
    primes: list[int] = moduli.tolist()
    for j in range(width):
        row, column = residue.of(block[:, j]), residue.of(block[:, :, j])
        pivots[:, j] = row[:, j]
        columns[:, j], rows[:, j] = row[:, width:], column[:, width:]
        inverses = [_inverse(int(a), q) for a, q in zip(row[:, j].tolist(), primes, strict=True)]
        factor = np.array(inverses, dtype=np.float64)[:, None]
        row = residue.of(row * factor)
        row[:, j] = factor[:, 0]
        column[:, j] = 0
        block[:, :, j] = 0
        block[:, j] = row
        block -= np.multiply(column[:, :, None], row[:, None, :], out=change)
    whole = _Reduction(moduli.astype(np.float64)[:, None, None])
    return whole.of(block[:, :width, :width]), (pivots, columns, rows)


def _inverse(a: int, p: int) -> int:
    """Return the residue of smallest absolute value that inverts `a`, or 0 for a multiple of p."""
    if a % p == 0:
        return 0
    inverse = pow(a, -1, p)
    return inverse - p if 2 * inverse > p else inverse


class _Reduction:
    """Reduction modulo p to residues of absolute value at most p/2 + 2, without rounding; see the module."""

    def __init__(self, p: Floats) -> None:
        self._p, self._inverse = p, 1 / p

    def of(self, whole: Floats) -> Floats:
        """Return the residues of `whole` in a new array."""
        quotients = whole * self._inverse
        np.rint(quotients, out=quotients)
        quotients *= self._p
        return np.subtract(whole, quotients, out=quotients)


def _signed(parts: Sequence[tuple[Integers, Integers]], product: int) -> list[fmpz]:
    """Return the integers of smallest absolute value with the given residues modulo primes of this product."""
    moduli, values = (np.concatenate([part[i] for part in parts]) for i in (0, 1))
    primes: list[int] = moduli.tolist()
    modulus = fmpz(product)
    cofactors = [modulus // p for p in primes]
    inverses = np.array([pow(int(cofactor % p), -1, p) for cofactor, p in zip(cofactors, primes, strict=True)])
    weights = values.T * inverses % moduli
    sums = fmpz_mat(weights.tolist()) * fmpz_mat([[cofactor] for cofactor in cofactors])
    half = modulus // 2
    return [(total + half) % modulus - half for total in sums.entries()]

r"""The fraction-free elimination's appended entries, computed modulo many primes: exact, and faster for many states.

Let A be a square integer matrix with non-zero leading minors and two integer columns appended. Row k of its fraction-
free elimination ends with two *bordered minors*: the determinants of the leading (k+1)-square block of A with its last
column replaced by an appended one. Modulo a prime p that divides no leading minor, ordinary elimination gives the same
numbers: each is the k-th row's appended entry times the product of the k pivots before it. A prime at which a pivot
vanishes is discarded. Once the product of the primes exceeds twice a proved bound on the absolute values, the Chinese
remainder theorem leaves one integer each: nothing here is probabilistic.

Residues are kept as whole numbers in double precision arrays, so that matrix products run at the speed of the linear
algebra library. A number is reduced to :math:`x - p \cdot \mathrm{rint}(x \cdot (1/p))`; for :math:`|x| \le 2^{53}`
the product is within :math:`2/p` of :math:`x/p`, so the result is at most :math:`p/2 + 2 < 2^{23} + 2` in absolute
value. Each operation adds up at most 65 products of two residues, less than :math:`2^{53}` in absolute value in
whatever order they are added. So no operation ever rounds: the floating-point unit serves as one for integers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from flint import fmpz

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Residues: TypeAlias = NDArray[np.float64]

LARGEST_PRIME_BITS = 24
_BLOCK = 64  # columns eliminated before the rest is updated: at most as many products are added up
_LIMB_BYTES = 3
_ENTRIES_AT_ONCE = 2**20  # of as many primes' matrices together as this allows


def appended_minors(matrix: Sequence[Sequence[fmpz]], bound: fmpz) -> list[tuple[fmpz, fmpz]]:
    """Return the last two entries of every row of the fraction-free elimination of `matrix`.

    Parameters
    ----------
    matrix : (n, n + 2) integers
        With non-zero leading minors.
    bound
        No smaller than the absolute value of any of the results.

    Examples
    --------
    >>> matrix = [[fmpz(2), fmpz(-1), fmpz(3), fmpz(1)], [fmpz(-1), fmpz(2), fmpz(-5), fmpz(1)]]
    >>> appended_minors(matrix, fmpz(100))
    [(3, 1), (-7, 3)]
    """
    import numpy as np  # noqa: PLC0415  (`import theory` stays light)
    from threadpoolctl import threadpool_limits  # noqa: PLC0415

    size = len(matrix)
    limbs = _Limbs(matrix)
    primes = _primes()
    batch = max(1, _ENTRIES_AT_ONCE // (size * (size + 2)))
    parts: list[tuple[fmpz, list[fmpz]]] = []
    product = fmpz(1)
    while product <= 2 * bound:
        wanted = (2 * bound // product).bit_length() // (LARGEST_PRIME_BITS - 1) + 1
        moduli = [next(primes) for _ in range(min(batch, int(wanted)))]
        # the products are small: threads would gain little, and lose much where other work runs beside them
        with threadpool_limits(1, user_api="blas"):
            minors, usable = _minors_modulo(limbs.modulo(moduli), np.array(moduli))
        for p, values, good in zip(moduli, minors.tolist(), usable.tolist(), strict=True):
            if good:
                parts.append((fmpz(p), [fmpz(value) for value in values]))
                product *= p
    modulus, values = _combined(parts)
    half = modulus // 2
    signed = [value - modulus if value > half else value for value in values]
    return list(zip(signed[:size], signed[size:], strict=True))


def _primes() -> Iterator[int]:
    """Odd primes from the largest downwards."""
    return (p for p in range(2**LARGEST_PRIME_BITS - 1, 2, -2) if fmpz(p).is_prime())


class _Limbs:
    """An integer matrix in limbs of 24 bits, ready to be reduced modulo small primes."""

    def __init__(self, matrix: Sequence[Sequence[fmpz]]) -> None:
        import numpy as np  # noqa: PLC0415

        entries = [int(entry) for row in matrix for entry in row]
        count = max(-(-entry.bit_length() // (8 * _LIMB_BYTES)) for entry in entries) or 1
        raw = b"".join(abs(entry).to_bytes(_LIMB_BYTES * count, "little") for entry in entries)
        parts = np.frombuffer(raw, dtype=np.uint8).reshape(len(matrix), -1, count, _LIMB_BYTES)
        signs = np.array([-1 if entry < 0 else 1 for entry in entries], dtype=np.int64).reshape(parts.shape[:2])
        limbs = (parts.astype(np.int64) << np.arange(0, 8 * _LIMB_BYTES, 8)).sum(axis=3)
        self._limbs = np.moveaxis(limbs * signs[:, :, None], 2, 0)[::-1].copy()  # the most significant first

    def modulo(self, moduli: Sequence[int]) -> Residues:
        """Return the matrix modulo each of `moduli`: ``(len(moduli), n, n + 2)``."""
        import numpy as np  # noqa: PLC0415

        divisors = np.array(moduli)[:, None, None]
        residues = self._limbs[0] % divisors
        for limb in self._limbs[1:]:
            residues = ((residues << 8 * _LIMB_BYTES) + limb) % divisors
        centred: Residues = (residues - divisors * (2 * residues > divisors)).astype(np.float64)
        return centred


def _minors_modulo(tables: Residues, moduli: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return the bordered minors, ``(primes, 2 n)``, in [0, p), and whether no pivot vanished; changes `tables`.

    Crout's elimination in blocks of columns: within a block, a row and a column are updated when their pivot is
    reached; the rest of the matrix by one product per block.
    """
    import numpy as np  # noqa: PLC0415

    size = tables.shape[1]
    p = moduli.astype(np.float64)[:, None]
    inverse_p = 1 / p
    p3, inverse_p3 = p[:, :, None], inverse_p[:, :, None]
    usable = np.ones(len(moduli), dtype=bool)
    primes: list[int] = moduli.tolist()
    leading = np.ones((len(moduli), size + 1), dtype=np.int64)  # minors of the leading blocks
    for start in range(0, size, _BLOCK):
        stop = min(start + _BLOCK, size)
        for k in range(start, stop):
            row = tables[:, k, k:]
            if k > start:
                row -= (tables[:, k, None, start:k] @ tables[:, start:k, k:])[:, 0]
                row -= p * np.rint(row * inverse_p)
            pivots = row[:, 0].astype(np.int64) % moduli
            usable &= pivots != 0
            leading[:, k + 1] = leading[:, k] * pivots % moduli
            inverses = [pow(a, -1, q) if a else 0 for a, q in zip(pivots.tolist(), primes, strict=True)]
            column = tables[:, k + 1 :, k]
            if k > start:
                column -= (tables[:, k + 1 :, start:k] @ tables[:, start:k, k, None])[:, :, 0]
                column -= p * np.rint(column * inverse_p)
            factor = np.array(inverses, dtype=np.float64)[:, None]
            column *= factor - p * (2 * factor > p)
            column -= p * np.rint(column * inverse_p)
        rest = tables[:, stop:, stop:]
        rest -= tables[:, stop:, start:stop] @ tables[:, start:stop, stop:]
        rest -= p3 * np.rint(rest * inverse_p3)
    appended = tables[:, :, size:].astype(np.int64) % moduli[:, None, None]
    minors = appended * leading[:, :size, None] % moduli[:, None, None]
    return np.moveaxis(minors, 2, 1).reshape(len(moduli), -1), usable


def _combined(parts: list[tuple[fmpz, list[fmpz]]]) -> tuple[fmpz, list[fmpz]]:
    """Return the product of the moduli and, in [0, product), the numbers with the given residues: a balanced tree."""
    while len(parts) > 1:
        pairs = zip(parts[::2], parts[1::2], strict=False)
        merged = [_combine_two(*left, *right) for left, right in pairs]
        parts = merged + parts[len(parts) // 2 * 2 :]
    return parts[0]


def _combine_two(m: fmpz, xs: list[fmpz], n: fmpz, ys: list[fmpz]) -> tuple[fmpz, list[fmpz]]:
    inverse = pow(m, -1, n)
    return m * n, [x + m * ((y - x) * inverse % n) for x, y in zip(xs, ys, strict=True)]

"""An order of the states by non-increasing index, proposed with more digits than floating point has.

For arms on which the first proposal was not certified: indices closer together than floating point can tell, or a
discount so close to 1 that it loses its digits. Whole numbers stand for multiples of :math:`2^{-b}`; b grows with the
length of the model's numbers, for these say how close together indices are meant to be. Nothing here is certified.
"""

from __future__ import annotations

from flint import fmpq, fmpz

from theory.model import Arm

_SPARE_BITS = 192


def propose_order_in_fixed_point(arm: Arm, discount: fmpq) -> list[int]:
    """Return the states by non-increasing index as fixed-point arithmetic sees it.

    Examples
    --------
    >>> propose_order_in_fixed_point(Arm(rewards=[0, 1], transitions=[["1/2", "1/2"], ["1/2", "1/2"]]), fmpq(1, 2))
    [1, 0]
    """
    bits = _SPARE_BITS + 2 * _longest(arm, discount)
    size = arm.size
    one = fmpz(1) << bits
    # rewards mapped affinely onto [0, 1]; beta*Q, reward and time side by side
    low, high = min(arm.rewards), max(arm.rewards)
    width = high - low or fmpq(1)
    table = [
        [*(discount.p * n * one // (discount.q * d) for n in numerators), _rounded((reward - low) / width, bits), one]
        for (d, numerators), reward in zip(arm.integer_rows, arm.rewards, strict=True)
    ]
    remaining = list(range(size))
    order: list[int] = []
    while remaining:
        k = max(remaining, key=lambda x: (table[x][-2] << bits) // table[x][-1])
        remaining.remove(k)
        order.append(k)
        # the chosen state is folded into the remaining rows; its column moves out of them
        position = len(remaining) - sum(1 for x in remaining if x > k)
        chosen = table[k]
        leaving = one - chosen.pop(position)
        for x in remaining:
            row = table[x]
            factor = (row.pop(position) << bits) // max(leaving, fmpz(1))
            if factor:
                table[x] = [entry + (factor * other >> bits) for entry, other in zip(row, chosen, strict=True)]
    return order


def _rounded(value: fmpq, bits: int) -> fmpz:
    return (value.p << bits) // value.q


def _longest(arm: Arm, discount: fmpq) -> int:
    values = [discount, *arm.rewards, *(p for row in arm.transitions for p in row)]
    return max(max(value.p.bit_length(), value.q.bit_length()) for value in values)

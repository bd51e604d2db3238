r"""The bound of Lemma `moment` by blocks: E[max H^alpha] <= c A with A the least i such that K beta^(i^(1/alpha)) <= 1.

Let :math:`a = A^{1/\alpha}`. The block size is A only if :math:`\beta \le K^{-1/a}`. The moment grows with the
discount, so it is largest at this bound, where :math:`P(\max H > m) = 1 - (1 - K^{-m/a})^K \le \min(1, K^{1-m/a})`.
"""

from __future__ import annotations

from functools import cache

from flint import arb, fmpq

from proofs_checks.claimcheck.statements import Answer, answer
from theory import ONE, rational
from theory.certified import Truth, at_most, horizon_power

FIRST_K = 5
LARGEST_A = 400
PIECES = 200
MOST_TERMS = 4000


def bounded_by_blocks(c: object, e: object) -> Answer:
    r"""Return whether E[max H^alpha] <= c A for all K >= 5, 0 < beta < 1 and 1 <= alpha <= e.

    For A = 1 the moment is largest at alpha = e, K = 5 and beta = 1/5. For A >= 2, boxes cover the exponents. On each
    box, the union bound decides small A (its sum is largest at K = 5), and the bound :math:`1 + a(1 + g/\log 5)` on the
    norm of the longest episode decides all larger A; g is the norm of one exponential variable.
    """
    front, largest = arb(rational(c)), rational(e)
    first = horizon_power(largest, fmpq(1, FIRST_K), FIRST_K)
    truth = at_most(lambda: first, lambda: front)
    if truth is not Truth.YES:
        return answer(truth, A=1, alpha=largest, moment=first, bound=front)
    width = (largest - 1) / PIECES
    worst = 1
    for piece in range(PIECES):
        ends = ONE + piece * width, ONE + (piece + 1) * width
        alpha, A = _between(*ends), 2
        while not _by_norm(A, alpha, front):
            if A > LARGEST_A or not _sum_between(A, *ends) <= front * A:
                return answer(Truth.UNDECIDED, A=A, alpha=alpha)
            A += 1
        worst = max(worst, A)
    return answer(True, moment_at_block_size_1=first, by_the_norm_from_block_size=worst)


def _by_norm(A: int, alpha: arb, front: arb) -> bool:
    """Return whether 1/a + 1 + g/log 5 <= c^(1/alpha) for A and all larger block sizes, and all alpha in a ball.

    >>> [_by_norm(A, arb(1), arb(2)) for A in (2, 3)], [_by_norm(A, arb(2), arb(4)) for A in (67, 68)]  # g = 1, sqrt 2
    ([False, True], [False, True])
    """
    norm = (1 + alpha).gamma() ** (1 / alpha)
    return bool(arb(A) ** (-1 / alpha) + 1 + norm / arb(FIRST_K).log() <= front ** (1 / alpha))


def _between(low: fmpq, high: fmpq) -> arb:
    return arb(low).union(arb(high))


@cache
def _sum_between(A: int, low: fmpq, high: fmpq) -> arb:
    """Return `union_sum` for all alpha between two values; no constant of the claim enters, so variants share it."""
    return union_sum(A, _between(low, high))


def union_sum(A: int, alpha: arb) -> arb:
    r"""Return an upper bound on the sum over m of ((m+1)^alpha - m^alpha) min(1, 5^(1 - m/a)), alpha >= 1 in a ball.

    The increments grow with alpha, and a falls with it. A geometric series bounds the terms left out.

    Examples
    --------
    >>> x = 1 / arb(5).sqrt()  # a = 2: (m + 1)^2 - m^2 = 1, 3, 5, ..., and from m = 2 on the powers of x
    >>> 0 <= union_sum(4, arb(2)) - (1 + 3 + 5 / (1 - x) + 2 * x / (1 - x) ** 2) < 1e-6
    True
    """
    a, power = arb(A) ** (1 / alpha.lower()), alpha.upper()
    ratio = arb(FIRST_K) ** (-1 / a)
    total, before, tail = arb(0), arb(0), arb(FIRST_K)
    for m in range(MOST_TERMS):
        after = arb(m + 1) ** power
        total += (after - before) * tail.min(arb(1))
        before, tail = after, tail * ratio
        growth = ratio * (power / (m + 1)).exp()
        if growth < 1:
            rest = arb(m + 2) ** power * tail / (1 - growth)
            if rest < arb(2) ** -20:
                return (total + rest).upper()
    return arb("inf")

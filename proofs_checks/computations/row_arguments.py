"""Steps of proofs that sum over next states, proved for one next state in free symbols, and so for rows of any length.

An inequality is entered through its slack: w <= B is written w = B - g with g >= 0. A polynomial without negative
coefficients in quantities that are >= 0 is >= 0. Rows are probabilities: p >= 0, and sums over a row of a constant are
that constant.
"""

from __future__ import annotations

import sympy  # type: ignore[import-untyped]

from proofs_checks.computations.symbolic import is_identity, nonnegative_above


def one_step_difference(second: str = "true") -> sympy.Expr:
    """Return, for one next state, p' w' - p w less ((p' - p)(w' - c) + p (w' - w)): what is left when c is taken off.

    Summed over the next states, c (p' - p) vanishes, as both rows sum to 1. `second` names the row of the last product.

    Examples
    --------
    >>> sympy.factor(one_step_difference())
    -c*(p - p_k)
    """
    learned, true, w_learned, w, c = sympy.symbols("p_k p w_k w c")
    row = true if second == "true" else learned
    split = (learned - true) * (w_learned - c) + row * (w_learned - w)
    return sympy.expand(learned * w_learned - true * w - split)


def longer_is_more(lowest: int) -> bool:
    """Prove W_{j+1} >= W_j for every j, rewards being at least `lowest`: r at j = 0, then P (W_j - W_{j-1})."""
    p, value, gain, reward = sympy.symbols("p W gain r")
    return is_identity(p * (value + gain) - p * value, p * gain) and all(
        (nonnegative_above(p * gain, {p: 0, gain: 0}), nonnegative_above(reward, {reward: lowest}))
    )


def at_most_the_horizon(less: int = 0) -> bool:
    """Prove W_{1:H} <= H - `less` for H >= 1 and rewards at most 1, by induction from W_{1:1} = r.

    Step: (H + 1) - r - sum p w = (1 - r) + sum p (H - w).
    """
    p, H, below, below_one = sympy.symbols("p H g e")
    return (
        nonnegative_above(1 - less - (1 - below_one), {below_one: 0})
        and is_identity(p * H - p * (H - below), p * below)
        and nonnegative_above(1 - (1 - below_one) + p * below, {p: 0, below: 0, below_one: 0})
    )


def decomposition_step(lowest: sympy.Expr, highest: sympy.Expr, taken: sympy.Expr, bound: sympy.Expr) -> bool:
    """Prove the induction of the lemma where lowest <= w' <= highest, with `bound` in front of the norm.

    With d = p' - p and c = `taken`: what the bound gains over the gap in one step is
    |r_k - r| - (r_k - r) + sum(|d| bound - d (w' - c)) + sum p (what it has gained before). Each term is shown to be
    >= 0, for either sign of r_k - r and of d. All four arguments are multiples of one symbol B >= 0.
    """
    B, size, slack, p, before = sympy.symbols("B size slack p before")
    zero = dict.fromkeys((B, size, slack, p, before), 0)
    gains = [
        size - size,  # r_k - r = size
        size + size,  # r_k - r = -size
        size * bound - size * (highest - slack - taken),  # d = size
        size * bound + size * (lowest + slack - taken),  # d = -size
        p * before,
    ]
    p_k, p_true, c = sympy.symbols("p_k p c")
    only_constants = is_identity(one_step_difference(), c * (p_k - p_true))
    return only_constants and all(nonnegative_above(sympy.expand(gain), zero) for gain in gains)


def idle_arms_leave_the_norm() -> bool:
    """Prove that the L1 distance of two global rows is that of the local rows, by induction over the idle arms.

    P(x, y) = Q(x_a, y_a) times the product over the other arms b of 1{y_b = x_b}. Summing over y_b multiplies a
    distance d by sum over y_b of 1{y_b = x_b}, which is 1 for x_b in 1, ..., S.
    """
    y = sympy.Symbol("y", integer=True)
    x, others = sympy.Symbol("x", integer=True, positive=True), sympy.Symbol("m", integer=True, nonnegative=True)
    d = sympy.Symbol("d")
    return bool(sympy.summation(sympy.KroneckerDelta(y, x) * d, (y, 1, x + others)) == d)


def triangle_inequality() -> bool:
    """Prove |d1 + d2| <= |d1| + |d2| for each sign of d1, d2 and of the sum; summed over entries it is that of L1."""
    first, second = sympy.symbols("d1 d2")
    zero = {first: 0, second: 0}
    return all(
        nonnegative_above(first + second - of_sum * (of_first * first + of_second * second), zero)
        for of_first in (1, -1)
        for of_second in (1, -1)
        for of_sum in (1, -1)
    )

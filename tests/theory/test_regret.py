"""The right-hand sides of Theorem 1 against mpmath, and the bound that needs no learning."""

from __future__ import annotations

import mpmath
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from proofs_checks.trials.strategies import discounts
from theory.paper import leading_function, log_term, theorem_side, trivial_bound

sizes = st.integers(1, 300)


def agree(ball, value):
    return abs(ball / arb(mpmath.nstr(value, 50)) - 1) < arb("1e-12")


@given(S=sizes, n=sizes, K=st.integers(2, 10**6), beta=discounts())
def test_theorem_side_matches_mpmath(S, n, K, beta):
    with mpmath.workdps(40):
        kept = 1 - mpmath.mpf(int(beta.p)) / int(beta.q)
        z = mpmath.log(K) / kept
        f, y = S * n * z**2 + mpmath.sqrt(S * n * K) * z**1.5, mpmath.log(S * n * K * z)
        assert agree(leading_function(S, n, K, beta), f)
        assert agree(log_term(S, n, K, beta), y)
        assert agree(theorem_side(S, n, K, beta), (mpmath.sqrt(S) + y) * f)
        assert agree(theorem_side(S, n, K, beta, order=2), mpmath.sqrt(S) / kept * y * f)


@given(K=st.integers(1, 10**9), beta=discounts())
def test_trivial_bound_equals_K_over_one_minus_beta(K, beta):
    assert trivial_bound(K, beta) * (1 - beta) == K
    assert leading_function(3, 2, 1, beta) == 0  # log 1

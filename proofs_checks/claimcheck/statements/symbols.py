"""The symbols of the formulas, each with one meaning in all entries.

SymPy assumes no sign of them: a formula may assume only the conditions of its statement's domain.
"""

from __future__ import annotations

import sympy  # type: ignore[import-untyped]

S, n, K, k = sympy.symbols("S n K k", integer=True)
"""States per arm, arms, episodes, the number of an episode."""
N, T, m, j, i, ell, H, h, t = sympy.symbols("N T m j i ell H h t", integer=True)
"""Activations of a state, steps, indices of sums, the length of an episode, a step of it, a time."""
alpha, beta, mu, x, y, z, L, r, s, u, v, w, p, q, c, d, e, f, g, a, b = sympy.symbols(
    "alpha beta mu x y z L r s u v w p q c d e f g a b", real=True
)
"""Real numbers; c, d, a and b are mostly the constants of a statement, its parameters."""

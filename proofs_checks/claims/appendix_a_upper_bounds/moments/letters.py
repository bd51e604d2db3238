"""What the entries of Lemma `moment` have in common: domains, formulas, and steps about powers."""

from __future__ import annotations

from sympy import Eq, Rational, gamma, log  # type: ignore[import-untyped]

from proofs_checks.computations.episode_moments import ExponentialMoment, LongestMoment
from proofs_checks.evidence import Algebra, LeastAt, Step
from proofs_checks.statements import ForAll
from proofs_checks.statements.symbols import K, alpha, beta, u, v, x

LARGEST = Rational(5, 2)
"""The largest exponent of the lemma."""
PAPER = ForAll(K >= 1, alpha >= 1, alpha <= LARGEST, beta >= 0, beta < 1)
EVERY_POWER = ForAll(K >= 1, alpha >= 1, beta >= 0, beta < 1)
MAXIMUM = LongestMoment(alpha, beta, K)
EXPONENTIAL = ExponentialMoment(alpha, K)
NORM = gamma(1 + alpha) ** (1 / alpha)
"""The alpha-norm of one variable of law Exp(1)."""
SCALED = log(K) / (1 - beta)

POWER_GROWS = Step(
    "Powers grow with their base:", LeastAt(v, u), u**alpha <= v**alpha, over=ForAll(u > 0, v >= u, alpha >= 1)
)
POWER_OF_QUOTIENT = Step(
    "",
    Algebra(),
    Eq((u / v) ** alpha, u**alpha * v ** (-alpha), evaluate=False),
    over=ForAll(u > 0, v > 0, alpha >= 1),
)
POWER_OF_ROOT = Step(
    "",
    Algebra(),
    Eq((u ** (1 / alpha) * v) ** alpha, u * v**alpha, evaluate=False),
    over=ForAll(u > 0, v > 0, alpha >= 1),
)


def logarithm_at_least(value: Rational, least: int) -> Step:
    """Return the step that log K is at least a value from some K on."""
    return Step("", LeastAt(x, least), log(x) >= value, over=ForAll(x >= least), at={x: K})

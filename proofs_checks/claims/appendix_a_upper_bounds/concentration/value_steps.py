"""What the entries about the probability of E^V share: the event in words, the four bounds, and steps."""

from __future__ import annotations

import sympy  # type: ignore[import-untyped]
from sympy import log, sqrt

from proofs_checks.claims.appendix_a_upper_bounds.concentration.steps import (
    HOEFFDING,
    LOG,
    SIZES,
    Y,
)
from proofs_checks.evidence import Argument, Step, Uses
from proofs_checks.statements.symbols import S, beta, k, n

E_V = r"""that $|\hat r_{k'}(x_a) - r(x_a) + \beta\sum_y(\hat P^a_{k'}(x, y) - P^a(x, y))V^*(y)| \le [[*s]]
\frac{L_{k-1}}{2(1-\beta)\sqrt{\max\{1, N_{k'}(x_a)\}}}$ for all $x$, $a$ and $k' \le k-1$."""
SAME = r"""with the radius $[[*s]]\frac{L_{k-1}}{2(1-\beta)\sqrt{\max\{1, N\}}}$, and estimates where $N = 0$ as in
`conc:V/repair-probability`."""

FEW_STEPS = (k - 1 + beta) / ((1 - beta) * n * LOG)
CONSTANT_APART = (S - 1 + (1 / Y) ** (1 / (1 - beta) ** 2 - 1)) / LOG

IN_RANGE = Step(
    r"With a function $f$ from $0$ to $\frac{1}{1-\beta}$ one observation $R + \beta f(Y)$ is in that range too.",
    Uses("conc:V/range"),
)
ONE_OBSERVATION = (IN_RANGE, HOEFFDING)
S_FUNCTIONS = (Step("", Uses("conc:V/functions")), Step("", Uses("conc:V/deviation-of-mixture")))
COVERED = Step(
    r"Where $N = 0$, the estimate $1/2$ and any row deviate by at most $1/2 + \beta/(1-\beta)$, within the radius.",
    Argument(Step("", Uses("conc:domain/least"))),
    sympy.Rational(1, 2) + beta / (1 - beta) <= sqrt(2 * log(Y)) / (2 * (1 - beta)),
    over=SIZES,
)

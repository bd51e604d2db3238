"""The names that every chapter of claims imports: statements, evidence, letters, and exact numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import chain, pairwise, product
from typing import Any, TypeAlias

import sympy  # type: ignore[import-untyped]
from flint import arb, fmpq
from numpy.random import Generator
from sympy import Abs, Max, Min, Rational, Sum, ceiling, exp, floor, gamma, log, sqrt

from proofs_checks.claimcheck.evidence import (
    Algebra, AnyOf, Argument, ByHand, Cases, Cited, Decides, Enclosures, Everywhere, Evidence, Grade,
    Invariant, LeastAt, Samples, Solver, Step, TermByTerm, Uses,
)
from proofs_checks.claimcheck.ledger import Cause, Severity, Survives, Verdict
from proofs_checks.claimcheck.ledger.chapter import EntryBuilder
from proofs_checks.kernel.evidence import InKernel
from proofs_checks.paper.shared.source import Chapter
from proofs_checks.claimcheck.statements import (
    Answer, Compared, Family, ForAll, Process, Property, Reading, Relation, all_of, answer,
)
from proofs_checks.claimcheck.statements.symbols import (
    S, n, K, k, N, T, m, j, i, ell, H, h, t, beta, alpha, mu, x, y, z, L, r, s, u, v, w, p, q, c, d, e, f, g, a, b,
)
from theory import (
    ONE, ZERO, Arm, Bandit, Exact, GlobalState, Priority, best_vertex, gittins_priority, gittins_value,
    optimistic_value, paper_model, policy_value, priority_value, rational,
)
from theory.certified import Truth, at_most, enclosure, less
from theory.random_models import random_bandit, random_policy
from theory.values import finite_horizon_value, moved, optimal_value, priority_policy

Eq = partial(sympy.Eq, evaluate=False)
"""An equation as it is written; SymPy's own would first try to decide it."""
HALF = fmpq(1, 2)
IN_UNIT, REAL_REWARDS = {"mean rewards": "in [0, 1]"}, {"mean rewards": "real"}
LOG_INCREASES = Step("The logarithm increases:", LeastAt(v, u), log(u) <= log(v), over=ForAll(u > 0, v >= u))
EXP_INCREASES = Step("The exponential increases:", LeastAt(v, u), exp(u) <= exp(v), over=ForAll(v >= u))
LOG_OF_INVERSE = Step(Algebra(), Eq(log(1 / beta), -log(beta)), over=ForAll(beta > 0))


def log_at_least(value: sympy.Expr, least: sympy.Expr, of: sympy.Expr = K * (k - 1)) -> Step:
    """Return the step that log(of) >= value, for `of` at least the number `least`."""
    return Step(LeastAt(x, least), log(x) >= value, over=ForAll(x >= least), at={x: of})


"""The counterexample of Theorem 3 with its reward, discount or radius left open, as exact rational functions.

One of the three is the variable t, and values are rational functions of t. Three facts make the regions exact.

* From (A1, B3), pi2 plays B3 for ever. So its supremum is below the optimal value of a bandit exactly when the Gittins
  index of A1 in this bandit exceeds the reward r of B3.
* From (A1, B1), a bandit attains the supremum of pi1 over the set if its values satisfy the optimality inequality for
  every vertex of every ball of rows. These are finitely many inequalities in t.
* From (A1, B1), a priority policy (with B2 last) plays arm a while it is in a set C, then B1 once, then arm a for ever.
  So the optimal value is the largest of five.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import sympy  # type: ignore[import-untyped]  # it ships no types
from flint import fmpq
from sympy.polys.matrices import DomainMatrix  # type: ignore[import-untyped]

from proofs_checks.claimcheck.statements import Answer, answer
from theory import Exact, sympy_rational
from theory.certified import Truth
from theory.paper import counterexample_m1, counterexample_m2

T = sympy.Symbol("t")
FIELD: Any = sympy.QQ.frac_field(T)
Function: TypeAlias = Any
"""A rational function of t: an element of `FIELD`."""
Matrix: TypeAlias = tuple[tuple[Function, ...], ...]

STOPPING_SETS = ((), (0,), (0, 1), (0, 2), (0, 1, 2))
REWARDS_A = (3, 4, 0)


def constant(value: Exact) -> Function:
    """Return an exact number as a function of t."""
    return FIELD(sympy_rational(value))


def matrix(rows: Sequence[Sequence[Exact]]) -> Matrix:
    """Return rows of exact numbers as functions of t."""
    return tuple(tuple(constant(value) for value in row) for row in rows)


M1, M2 = (matrix(made().arms[0].transitions) for made in (counterexample_m1, counterexample_m2))


@dataclass(frozen=True)
class CounterexampleFamily:
    """The construction as functions of t: the reward of B1 and B3, the discount, and the L1 radius.

    Values are kept, since the same functions are asked for their signs on many intervals.
    """

    reward: Function
    discount: Function
    radius: Function

    @property
    def balls(self) -> list[list[list[Function]]]:
        """The vertices of the ball around each row of arm a, for radii in [0, 1]."""
        half, moved = constant("1/2"), self.radius / 2
        zero, one = constant(0), constant(1)
        first = [
            [half + moved, half - moved, zero],
            [half - moved, half + moved, zero],
            [half - moved, half, moved],
            [half, half - moved, moved],
        ]
        other = [[zero, zero, one], [moved, zero, one - moved], [zero, moved, one - moved]]
        return [first, other, other]

    @cache  # noqa: B019  (families are few)
    def alone(self, rows: Matrix) -> list[Function]:
        """Return the value, from each state, of playing arm a for ever."""
        return self.stopped(rows, range(3), [constant(0)] * 3)

    def stopped(self, rows: Matrix, inside: Collection[int], prize: Sequence[Function]) -> list[Function]:
        """Return the value, from each state, of playing arm a while it is in `inside`, and then collecting `prize`."""
        states = list(inside)
        system = [[constant(int(x == y)) - self.discount * rows[x][y] for y in states] for x in states]
        right = [
            [
                constant(REWARDS_A[x])
                + self.discount * sum((rows[x][y] * prize[y] for y in range(3) if y not in inside), constant(0))
            ]
            for x in states
        ]
        values = list(prize)
        if states:
            size = len(states)
            solution = DomainMatrix(system, (size, size), FIELD).lu_solve(DomainMatrix(right, (size, 1), FIELD))
            for x, value in zip(states, solution.to_list_flat(), strict=True):
                values[x] = value
        return values

    @cache  # noqa: B019  (families are few)
    def with_b1(self, rows: Matrix, inside: tuple[int, ...]) -> list[Function]:
        """Return the value from (., B1) of playing arm a while it is in `inside`, then B1 once, then arm a for ever."""
        return self.stopped(rows, inside, [self.reward + self.discount * value for value in self.alone(rows)])

    @cache  # noqa: B019  (families are few)
    def advantages(self, rows: Matrix) -> list[Function]:
        """Return, for each stopping set, the excess value of arm a from A1 over the reward r in every step.

        The Gittins index of A1 exceeds r exactly when some excess is positive.
        """
        return [
            self.stopped(rows, inside, [self.reward / (constant(1) - self.discount)] * 3)[0]
            - self.reward / (constant(1) - self.discount)
            for inside in STOPPING_SETS[1:]
        ]

    @cache  # noqa: B019  (families are few)
    def slacks_of_pi1(self, rows: Matrix, allowance: Exact = 0) -> list[Function]:
        """Return slacks; if none is negative, the bandit with these rows attains the supremum of pi1 over the set.

        A slack is the value minus that of taking a vertex of a ball once as the row, before or after B1 is played. If
        the values before B1 are raised by an `allowance`, the supremum is at most the raised value.
        """
        alone, before = self.alone(rows), self.with_b1(rows, (0, 1))
        raised = [*(value + constant(allowance) for value in before[:2]), before[2]]
        slacks = []
        for values, states in ((alone, (0, 1, 2)), (raised, (0, 1))):
            for x in states:
                for row in self.balls[x]:
                    after = sum((p * value for p, value in zip(row, values, strict=True)), constant(0))
                    slacks.append(values[x] - constant(REWARDS_A[x]) - self.discount * after)
        return slacks


Fact: TypeAlias = Callable[[fmpq, fmpq], "bool | None"]
"""Whether a fact holds on all of an open interval (True) or nowhere in it (False); None if neither is known."""


def sign_between(function: Function, left: Exact, right: Exact) -> int | None:
    """Return the sign of a rational function on an open interval: 0 for the zero function, None if the sign changes.

    Raises
    ------
    ArithmeticError
        If the function has a pole inside the interval.
    """
    if function == 0:
        return 0
    low, high = (sympy_rational(end) for end in (left, right))
    numerator, denominator = _polynomials(function)
    if _roots_between(denominator, low, high):
        raise ArithmeticError("a pole inside the interval")
    if _roots_between(numerator, low, high):
        return None
    middle = (low + high) / 2
    return int(sympy.sign(numerator.eval(middle) * denominator.eval(middle)))


@cache
def _polynomials(function: Function) -> tuple[Any, Any]:
    return sympy.Poly(function.numer.as_expr(), T), sympy.Poly(function.denom.as_expr(), T)


def _roots_between(polynomial: Any, low: Any, high: Any) -> int:
    ends = sum(1 for end in (low, high) if polynomial.eval(end) == 0)
    return int(polynomial.count_roots(low, high)) - ends


def index_exceeds(family: CounterexampleFamily, rows: Matrix, left: Exact, right: Exact) -> bool | None:
    """Return whether the index of A1 exceeds the reward on all of an open interval, or nowhere in it; else None."""
    signs = [sign_between(advantage, left, right) for advantage in family.advantages(rows)]
    if 1 in signs:
        return True
    return None if None in signs else False


def pi1_falls_short(family: CounterexampleFamily, rows: Matrix, left: Exact, right: Exact) -> bool | None:
    """Return whether sup over the set of V^{pi1}(A1, B1) is below the optimal value of the bandit with these rows.

    The answer holds on all of an open interval; it is None if the bandit does not attain the supremum, as this argument
    needs.
    """
    of_sets = {inside: family.with_b1(rows, inside)[0] for inside in STOPPING_SETS}
    more = [value - of_sets[0, 1] for value in of_sets.values()]
    gains = [sign_between(each, left, right) for each in more]
    if all(gain is not None and gain <= 0 for gain in gains):
        return False  # pi1 is optimal in the bandit, which is in the set
    for allowance in (0, "1/40"):
        bounded = all(sign_between(slack, left, right) in (0, 1) for slack in family.slacks_of_pi1(rows, allowance))
        if bounded and any(sign_between(each - constant(allowance), left, right) == 1 for each in more):
            return True
    return None


def everywhere(fact: Fact, left: fmpq, right: fmpq) -> Answer:
    """Return whether a fact holds on all of an open interval, cut into parts at its ends; else where it fails."""
    known = fact(left, right)
    for part in ((right - left) / 2**k for k in range(16 if known is None else 1)):
        for low, high in ((left, left + part), (right - part, right)):
            if fact(low, high) is False:
                return answer(False, at=(low + high) / 2)
    return answer(Truth.YES if known else Truth.UNDECIDED, between=(left, right))


def widest_m2(radius: Function) -> Matrix:
    """Return the rows of M2 for an L1 radius, 1/5 in the paper: the estimated rows with mass radius/2 moved to A1."""
    half, moved, zero, one = constant("1/2"), radius / 2, constant(0), constant(1)
    other = (moved, zero, one - moved)
    return (half + moved, half - moved, zero), other, other

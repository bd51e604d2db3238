"""Theorem 3 beyond the printed numbers: for which rewards, discounts and radii both strict inequalities hold.

One of the three varies: it is the variable t, and values are rational functions of t. Three facts make the regions
exact.

* From (A1, B3), pi2 plays B3 for ever. So its supremum is below the optimal value of a bandit exactly when the Gittins
  index of A1 in that bandit exceeds the reward r of B3.
* From (A1, B1), a bandit whose values satisfy the optimality inequality for every vertex of every ball of rows attains
  the supremum of pi1 over the set. These are finitely many inequalities in t.
* From (A1, B1), a priority policy (with B2 last) plays arm a while it is in a set C, then B1 once, then arm a for ever.
  So the optimal value is the largest of five.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Any, TypeAlias

import sympy  # type: ignore[import-untyped]  # it ships no types

from proofs_checks.ledger import Book, Evidence, Finding, claim, fails, holds
from theory.rationals import Exact, rational

SECTION = "Theorem 3"

T = sympy.Symbol("t")
FIELD: Any = sympy.QQ.frac_field(T)
Function: TypeAlias = Any
"""A rational function of t: an element of `FIELD`."""
Matrix: TypeAlias = Sequence[Sequence[Function]]

STOPPING_SETS = ((), (0,), (0, 1), (0, 2), (0, 1, 2))
REWARDS_A = (3, 4, 0)


def constant(value: Exact) -> Function:
    """Return an exact number as a function of t."""
    number = rational(value)
    return FIELD(sympy.Rational(int(number.p), int(number.q)))


def matrix(rows: Sequence[Sequence[Exact]]) -> Matrix:
    """Return rows of exact numbers as functions of t."""
    return [[constant(value) for value in row] for row in rows]


ESTIMATED_ROWS = ((sympy.Rational(1, 2), sympy.Rational(1, 2), 0), (0, 0, 1), (0, 0, 1))
M1 = matrix([["2/5", "3/5", 0], [0, 0, 1], [0, 0, 1]])
M2 = matrix([["3/5", "2/5", 0], ["1/10", 0, "9/10"], ["1/10", 0, "9/10"]])


@dataclass(frozen=True)
class Family:
    """The construction with one parameter left open: its reward of B1 and B3, discount and L1 radius."""

    reward: Function
    discount: Function
    radius: Function

    @property
    def balls(self) -> list[list[list[Function]]]:
        """The vertices of the ball of each row of arm a, for radii in [0, 1]."""
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

    def alone(self, rows: Matrix) -> list[Function]:
        """Return the value of arm a played alone for ever."""
        return self.stopped(rows, range(3), [constant(0)] * 3)

    def stopped(self, rows: Matrix, inside: Collection[int], prize: Sequence[Function]) -> list[Function]:
        """Return the value of playing arm a while it is in the states `inside`, and then collecting `prize`."""
        states = list(inside)
        system = [[constant(int(x == y)) - self.discount * rows[x][y] for y in states] for x in states]
        right = [
            constant(REWARDS_A[x])
            + self.discount * sum((rows[x][y] * prize[y] for y in range(3) if y not in inside), constant(0))
            for x in states
        ]
        values = list(prize)
        for x, value in zip(states, _solve(system, right), strict=True):
            values[x] = value
        return values

    def with_b1(self, rows: Matrix, inside: Collection[int]) -> list[Function]:
        """Return the value from (., B1) of arm a while it is in `inside`, then B1, then arm a for ever."""
        return self.stopped(rows, inside, [self.reward + self.discount * value for value in self.alone(rows)])

    def advantages(self, rows: Matrix) -> list[Function]:
        """Return, per stopping set, how much arm a from A1 is worth above the reward r per discounted step.

        One is positive exactly when the Gittins index of A1 exceeds r.
        """
        return [
            self.stopped(rows, inside, [self.reward / (constant(1) - self.discount)] * 3)[0]
            - self.reward / (constant(1) - self.discount)
            for inside in STOPPING_SETS[1:]
        ]

    def slacks_of_pi1(self, rows: Matrix, allowance: Exact = 0) -> list[Function]:
        """Return what must be non-negative for the bandit with these rows to attain the supremum of pi1 over the set.

        Per vertex of each ball: the value minus that of taking this row once, before B1 and after it. With an
        `allowance`, the values before B1 are raised by it; then the supremum is at most the raised value.
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


def _solve(system: list[list[Function]], right: list[Function]) -> list[Function]:
    """Solve a linear system over the field of rational functions, by Gauss-Jordan elimination."""
    size = len(right)
    table = [[*row, value] for row, value in zip(system, right, strict=True)]
    for k in range(size):
        pivot = next(i for i in range(k, size) if table[i][k] != 0)
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [value / table[k][k] for value in table[k]]
        for i in range(size):
            if i != k:
                table[i] = [value - table[i][k] * above for value, above in zip(table[i], table[k], strict=True)]
    return [row[size] for row in table]


def sign_between(function: Function, left: Exact, right: Exact) -> int | None:
    """Return the sign of a rational function on the open interval, 0 for the zero function, None if it changes.

    Raises
    ------
    ArithmeticError
        If it has a pole inside.
    """
    if function == 0:
        return 0
    low, high = (sympy.Rational(str(rational(end))) for end in (left, right))
    numerator, denominator = (sympy.Poly(part.as_expr(), T) for part in (function.numer, function.denom))
    if _roots_between(denominator, low, high):
        raise ArithmeticError("a pole inside the interval")
    if _roots_between(numerator, low, high):
        return None
    middle = (low + high) / 2
    return int(sympy.sign(numerator.eval(middle) * denominator.eval(middle)))


def _roots_between(polynomial: Any, low: Any, high: Any) -> int:
    ends = sum(1 for end in (low, high) if polynomial.eval(end) == 0)
    return int(polynomial.count_roots(low, high)) - ends


def index_exceeds(family: Family, rows: Matrix, left: Exact, right: Exact) -> bool | None:
    """Return whether the index of A1 exceeds the reward on all of the open interval, on none of it, or neither."""
    signs = [sign_between(advantage, left, right) for advantage in family.advantages(rows)]
    if 1 in signs:
        return True
    return None if None in signs else False


def pi1_falls_short(family: Family, rows: Matrix, left: Exact, right: Exact) -> bool | None:
    """Return whether sup over the set of V^{pi1}(A1, B1) is below the optimal value of the bandit with these rows.

    True or False on all of the open interval; None where this argument, which needs that bandit to attain the supremum,
    does not tell.
    """
    of_pi1 = family.with_b1(rows, (0, 1))[0]
    gains = [sign_between(family.with_b1(rows, inside)[0] - of_pi1, left, right) for inside in STOPPING_SETS]
    if all(gain is not None and gain <= 0 for gain in gains):
        return False  # pi1 is optimal in the bandit, which is in the set
    for allowance in (0, "1/40"):
        bounded = all(sign_between(slack, left, right) in (0, 1) for slack in family.slacks_of_pi1(rows, allowance))
        if bounded and any(
            sign_between(family.with_b1(rows, inside)[0] - of_pi1 - constant(allowance), left, right) == 1
            for inside in STOPPING_SETS
        ):
            return True
    return None


def _varying(**parameter: Function) -> Family:
    printed = {"reward": constant("321/100"), "discount": constant("1/2"), "radius": constant("1/5")}
    return Family(**{**printed, **parameter})


def _region(
    family: Family, best_for_index: Matrix, domain: tuple[Exact, Exact], inside: Sequence[Exact]
) -> dict[str, object]:
    """Return nothing if both inequalities hold inside a region, and one fails on each side of it; or what is wrong.

    `inside` lists the ends of the region, and points between them where the argument is split.
    """
    wrong: dict[str, object] = {}
    points = [domain[0], *inside, domain[1]]
    for position, (left, right) in enumerate(pairwise(points)):
        if rational(left) >= rational(right):
            continue
        facts = index_exceeds(family, best_for_index, left, right), pi1_falls_short(family, M2, left, right)
        agrees = False in facts if position in (0, len(points) - 2) else facts == (True, True)
        if not agrees:
            wrong[f"between {left} and {right}: pi2 falls short, pi1 falls short"] = facts
    return wrong


def _decide_region(wrong: dict[str, object], low: Exact, high: Exact, reason: str = "") -> Finding:
    if wrong:
        return fails({key: list(map(str, value)) for key, value in wrong.items() if isinstance(value, tuple)})
    return holds(Evidence.CERTIFIED, from_=rational(low), to=rational(high), reason=reason)


@claim(
    "thm:no_OFU/region-reward",
    section=SECTION,
    statement="""With M1 and M2 as drawn, both strict inequalities hold exactly for the rewards r of B1 and B3 strictly
    between 19/6 (the Gittins index of A1 in M2) and 42/13 (that in M1).""",
    domain="1 <= r <= 4, beta = 1/2, L1 radius 1/5",
    evidence=Evidence.CERTIFIED,
    mutants={"from 3.16": {"low": "79/25"}, "from 3.17": {"low": "317/100"}, "to 3.24": {"high": "81/25"}},
)
def region_of_rewards(book: Book, low: Exact = "19/6", high: Exact = "42/13") -> Finding:
    family = _varying(reward=FIELD(T))
    return _decide_region(
        _region(family, M1, (1, 4), (low, high)), low, high, "At the ends one inequality is an equality."
    )


@claim(
    "thm:no_OFU/region-reward-optimistic",
    section=SECTION,
    statement="""With the most optimistic bandits of the set in place of M1 and M2, both strict inequalities hold
    exactly for r strictly between 19/6 and 81/25, the largest Gittins index of A1 over the set.""",
    domain="1 <= r <= 4, beta = 1/2, L1 radius 1/5",
    evidence=Evidence.CERTIFIED,
    mutants={"to 42/13": {"high": "42/13"}, "to 3.25": {"high": "13/4"}},
)
def region_of_rewards_optimistic(book: Book, low: Exact = "19/6", high: Exact = "81/25") -> Finding:
    family = _varying(reward=FIELD(T))
    members = list(product(*family.balls))
    inside = [index_exceeds(family, rows, low, high) for rows in members]
    above = [index_exceeds(family, rows, high, 4) for rows in members]
    shortfalls = pi1_falls_short(family, M2, low, high), pi1_falls_short(family, M2, 1, low)
    # below 19/6 pi1 must be optimal in a most optimistic bandit: M2 is one if no free choice of rows beats it
    unbeaten = all(sign_between(slack, 1, low) in (0, 1) for slack in _slacks_of_all_policies(family, M2))
    if not (any(inside) and set(above) == {False} and shortfalls == (True, False) and unbeaten):
        return fails(
            {
                "some index exceeds r inside": any(inside),
                "no index exceeds r above": set(above) == {False},
                "pi1 falls short inside, below": list(shortfalls),
                "M2 is most optimistic from (A1, B1) below": unbeaten,
            }
        )
    return holds(Evidence.CERTIFIED, from_=rational(low), to=rational(high))


def _slacks_of_all_policies(family: Family, rows: Matrix) -> list[Function]:
    """Return what must be non-negative for pi1 in the bandit with these rows to be worth most in the whole set."""
    before, alone = family.with_b1(rows, (0, 1)), family.alone(rows)
    slacks = family.slacks_of_pi1(rows)
    for x in range(3):
        slacks.append(before[x] - family.reward - family.discount * alone[x])
        for row in family.balls[x]:
            after = sum((p * value for p, value in zip(row, before, strict=True)), constant(0))
            slacks.append(before[x] - constant(REWARDS_A[x]) - family.discount * after)
    return slacks


@claim(
    "thm:no_OFU/region-discount",
    section=SECTION,
    statement="""With M1 and M2 as drawn and r = 3.21, both strict inequalities hold exactly for the discounts strictly
    between 35/79 and 105/158.""",
    domain="0 <= beta < 1, L1 radius 1/5",
    evidence=Evidence.CERTIFIED,
    mutants={"from 0.44": {"low": "11/25"}, "to 0.66": {"high": "33/50"}, "to 0.67": {"high": "67/100"}},
)
def region_of_discounts(book: Book, low: Exact = "35/79", high: Exact = "105/158") -> Finding:
    family = _varying(discount=FIELD(T))
    return _decide_region(_region(family, M1, (0, 1), (low, "1/2", high)), low, high)


@claim(
    "thm:no_OFU/region-radius",
    section=SECTION,
    statement="""With M1 and M2 as drawn, r = 3.21 and beta = 1/2, both lie in the set and both strict inequalities hold
    exactly for the L1 radii from 1/5 up to, without, the root 0.31453... of
    50 t^4 - 350 t^3 + 1118 t^2 - 1053 t + 231.""",
    domain="radius >= 0",
    evidence=Evidence.CERTIFIED,
    mutants={
        "up to 0.3": {"bracket": ("299/1000", "301/1000")},
        "from 1/10": {"smallest": "1/10"},
    },
)
def region_of_radii(
    book: Book, smallest: Exact = "1/5", bracket: tuple[Exact, Exact] = ("314533/1000000", "314534/1000000")
) -> Finding:
    family, rows = _varying(radius=FIELD(T)), widest_m2(FIELD(T))
    below, above = bracket
    enough = "8/25"  # beyond the bracket: sets grow with the radius, and so does the supremum
    drawn = constant("321/100") + family.discount * family.alone(M2)[0]
    excess = family.with_b1(rows, (0, 1))[0] - drawn
    facts = {
        "M1 and M2 are in the set from this radius on": max(
            sum(abs(x - y) for x, y in zip(row, other, strict=True))
            for member in (M1, M2)
            for row, other in zip(_plain(member), ESTIMATED_ROWS, strict=True)
        )
        == sympy.Rational(str(rational(smallest))),
        "the bandit attains the supremum of pi1": all(
            sign_between(slack, 0, enough) in (0, 1) for slack in family.slacks_of_pi1(rows)
        ),
        "that is below the optimal value of M2 before the root": sign_between(excess, smallest, below) == -1,
        "above it after the root": sign_between(excess, above, enough) == 1,
        "pi2 falls short": index_exceeds(family, M1, 0, enough),
    }
    wrong = {name: fact for name, fact in facts.items() if fact is not True}
    if wrong:
        return fails(wrong)
    return holds(Evidence.CERTIFIED, smallest=rational(smallest), largest_is_between=bracket, excess=str(excess))


@claim(
    "thm:no_OFU/region-radius-optimistic",
    section=SECTION,
    statement="""With the most optimistic bandits of the set in place of M1 and M2, r = 3.21 and beta = 1/2, both strict
    inequalities hold for every L1 radius in (1/20, 3/10], and not for radii up to 1/20.""",
    domain="0 <= radius <= 3/10",
    evidence=Evidence.CERTIFIED,
    mutants={"from 0.06": {"low": "3/50"}, "from 0.04": {"low": "1/25"}},
)
def region_of_radii_optimistic(book: Book, low: Exact = "1/20", high: Exact = "301/1000") -> Finding:
    family, rows = _varying(radius=FIELD(T)), widest_m2(FIELD(T))
    members = list(product(*family.balls))
    facts = {
        "some index of A1 exceeds r inside": True in [index_exceeds(family, member, low, high) for member in members],
        "none does below": {index_exceeds(family, member, 0, low) for member in members} == {False},
        "pi1 falls short": pi1_falls_short(family, rows, 0, high),
    }
    wrong = {name: fact for name, fact in facts.items() if fact is not True}
    return fails(wrong) if wrong else holds(Evidence.CERTIFIED, from_=rational(low), to=rational("3/10"))


def widest_m2(radius: Function) -> Matrix:
    """Return the rows of M2 with this radius in place of 1/5: mass radius/2 moved to A1 in every row."""
    half, moved, zero, one = constant("1/2"), radius / 2, constant(0), constant(1)
    return [[half + moved, half - moved, zero], [moved, zero, one - moved], [moved, zero, one - moved]]


def _plain(rows: Matrix) -> list[list[Any]]:
    return [[sympy.Rational(value.as_expr()) for value in row] for row in rows]

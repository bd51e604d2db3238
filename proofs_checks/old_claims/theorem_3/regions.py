"""Theorem 3 beyond the printed numbers: for which rewards, discounts and radii both strict inequalities hold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product
from typing import Any

import sympy  # type: ignore[import-untyped]  # it ships no types

from proofs_checks.computations.counterexample_family import (
    ESTIMATED_ROWS,
    FIELD,
    M1,
    M2,
    REWARDS_A,
    Family,
    Function,
    Matrix,
    T,
    constant,
    index_exceeds,
    pi1_falls_short,
    sign_between,
    widest_m2,
)
from proofs_checks.ledger import Book, Evidence, Finding, claim, fails, holds
from theory import Exact, rational, sympy_rational

SECTION = "Theorem 3"


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
    of_one_arm = book.stands("eq:EVI/vertices/repair")  # so the largest index over the set is that of a vertex
    if not (any(inside) and set(above) == {False} and of_one_arm and shortfalls == (True, False) and unbeaten):
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
        == sympy_rational(smallest),
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
        "no vertex's does below": {index_exceeds(family, member, 0, low) for member in members} == {False},
        "so none in the set does, of one arm": book.stands("eq:EVI/vertices/repair"),
        "pi1 falls short": pi1_falls_short(family, rows, 0, high),
    }
    wrong = {name: fact for name, fact in facts.items() if fact is not True}
    return fails(wrong) if wrong else holds(Evidence.CERTIFIED, from_=rational(low), to=rational("3/10"))


def _plain(rows: Matrix) -> list[list[Any]]:
    return [[sympy.Rational(value.as_expr()) for value in row] for row in rows]

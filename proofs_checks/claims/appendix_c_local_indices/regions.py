"""Theorem 3 beyond the printed numbers: for which rewards, discounts and radii both strict inequalities hold."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
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
from proofs_checks.evidence import Argument, Decides, Step, Uses
from proofs_checks.ledger import Chapter
from proofs_checks.statements import Answer, Property, answer
from theory import Exact, rational, sympy_rational

chapter = Chapter(under="thm:no_OFU")
REAL_REWARDS = {"mean rewards": "real"}
SIGNS = "signs of rational functions of the one free number, between their roots, which are isolated exactly"


def varying(**parameter: Function) -> Family:
    """Return the construction with the printed numbers, but for one that is left open."""
    printed = {"reward": constant("321/100"), "discount": constant("1/2"), "radius": constant("1/5")}
    return Family(**{**printed, **parameter})


def exactly_between(
    family: Family, best_for_index: Matrix, domain: tuple[Exact, Exact], inside: Sequence[Exact]
) -> Answer:
    """Return whether both inequalities hold inside a region and one fails on each side of it.

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
            wrong[f"between {left} and {right}: pi2 falls short, pi1 falls short"] = list(map(str, facts))
    return answer(not wrong, **wrong)


@cache
def rewards_as_drawn(low: Exact, high: Exact) -> Answer:
    """Decide the region of rewards for M1 and M2 as drawn."""
    return exactly_between(varying(reward=FIELD(T)), M1, (1, 4), (low, high))


chapter.ours(
    Property(
        "thm:no_OFU/region-reward",
        rewards_as_drawn,
        says=r"""With $M^1$ and $M^2$ as drawn both strict inequalities hold exactly for the rewards $r$ of $B_1$ and
        $B_3$ with $[[low]] < r < [[high]]$: the Gittins indices of $A_1$ in $M^2$ and in $M^1$.""",
        domain=r"$1 \le r \le 4$, $\beta = 1/2$, L1 radius $1/5$",
        reading=REAL_REWARDS,
        low="19/6",
        high="42/13",
    ),
    Decides(rewards_as_drawn, SIGNS),
    line=1309,
    mutants=[{"low": "3.166"}, {"high": "3.2308"}, {"low": "79/25"}, {"high": "81/25"}],
)


@cache
def rewards_most_optimistic(low: Exact, high: Exact) -> Answer:
    """Decide the region of rewards for the most optimistic bandits of the set."""
    family = varying(reward=FIELD(T))
    members = list(product(*family.balls))
    inside = [index_exceeds(family, rows, low, high) for rows in members]
    above = [index_exceeds(family, rows, high, 4) for rows in members]
    facts = {
        "some index of A1 exceeds r inside": any(inside),
        "no vertex's does above": set(above) == {False},
        "pi1 falls short inside": pi1_falls_short(family, M2, low, high) is True,
        "pi1 does not fall short below": pi1_falls_short(family, M2, 1, low) is False,
        # below, M2 is most optimistic from (A1, B1) if no free choice of rows beats it
        "no choice of rows beats M2 below": all(
            sign_between(slack, 1, low) in (0, 1) for slack in slacks_of_all_policies(family, M2)
        ),
    }
    return answer(all(facts.values()), **{name: fact for name, fact in facts.items() if not fact})


def slacks_of_all_policies(family: Family, rows: Matrix) -> list[Function]:
    """Return what must be non-negative for pi1 in the bandit with these rows to be worth most in the whole set."""
    before, alone = family.with_b1(rows, (0, 1)), family.alone(rows)
    slacks = family.slacks_of_pi1(rows)
    for x in range(3):
        slacks.append(before[x] - family.reward - family.discount * alone[x])
        for row in family.balls[x]:
            after = sum((p * value for p, value in zip(row, before, strict=True)), constant(0))
            slacks.append(before[x] - constant(REWARDS_A[x]) - family.discount * after)
    return slacks


chapter.ours(
    Property(
        "thm:no_OFU/region-reward-optimistic",
        rewards_most_optimistic,
        says=r"""With the most optimistic bandits of the set in place of $M^1$ and $M^2$ both strict inequalities hold
        exactly for $[[low]] < r < [[high]]$, the latter being the largest Gittins index of $A_1$ over the set.""",
        domain=r"$1 \le r \le 4$, $\beta = 1/2$, L1 radius $1/5$",
        reading=REAL_REWARDS,
        low="19/6",
        high="81/25",
    ),
    Argument(
        Step("The largest index over the set is that of a vertex: one arm.", Uses("eq:EVI/vertices/repair")),
        conclusion=Decides(rewards_most_optimistic, SIGNS),
    ),
    line=1309,
    mutants=[{"high": "42/13"}, {"high": "13/4"}],
)


@cache
def discounts_as_drawn(low: Exact, high: Exact) -> Answer:
    """Decide the region of discounts for M1 and M2 as drawn."""
    return exactly_between(varying(discount=FIELD(T)), M1, (0, 1), (low, "1/2", high))


chapter.ours(
    Property(
        "thm:no_OFU/region-discount",
        discounts_as_drawn,
        says=r"""With $M^1$ and $M^2$ as drawn and $r = 3.21$ both strict inequalities hold exactly for $[[low]] <
        \beta < [[high]]$. """,
        domain=r"$0 \le \beta < 1$, L1 radius $1/5$",
        reading=REAL_REWARDS,
        low="35/79",
        high="105/158",
    ),
    Decides(discounts_as_drawn, SIGNS),
    line=1309,
    mutants=[{"low": "11/25"}, {"high": "67/100"}],
)


@cache
def radii_as_drawn(smallest: Exact, below: Exact, above: Exact) -> Answer:
    """Decide the region of radii for M1 and M2 as drawn; its end is a root between `below` and `above`."""
    family, rows = varying(radius=FIELD(T)), widest_m2(FIELD(T))
    enough = "8/25"  # beyond the root: sets grow with the radius, and so does the supremum
    drawn = constant("321/100") + family.discount * family.alone(M2)[0]
    excess = family.with_b1(rows, (0, 1))[0] - drawn
    widest = max(
        sum(abs(x - y) for x, y in zip(row, other, strict=True))
        for member in (M1, M2)
        for row, other in zip(_plain(member), ESTIMATED_ROWS, strict=True)
    )
    facts = {
        "M1 and M2 are in the set from this radius on": widest == sympy_rational(smallest),
        "the bandit attains the supremum of pi1": all(
            sign_between(slack, 0, enough) in (0, 1) for slack in family.slacks_of_pi1(rows)
        ),
        "that is below the optimal value of M2 before the root": sign_between(excess, smallest, below) == -1,
        "above it after the root": sign_between(excess, above, enough) == 1,
        "pi2 falls short": index_exceeds(family, M1, 0, enough) is True,
    }
    return answer(all(facts.values()), **{name: fact for name, fact in facts.items() if not fact})


chapter.ours(
    Property(
        "thm:no_OFU/region-radius",
        radii_as_drawn,
        says=r"""With $M^1$ and $M^2$ as drawn, $r = 3.21$ and $\beta = 1/2$, both lie in the set and both strict
        inequalities hold exactly for the L1 radii from $[[smallest]]$ up to, without, the root of $50t^4 - 350t^3 +
        1118t^2 - 1053t + 231$ between $[[below]]$ and $[[above]]$.""",
        domain=r"radii $\ge 0$",
        reading=REAL_REWARDS,
        smallest="1/5",
        below="0.314533",
        above="0.314534",
    ),
    Decides(radii_as_drawn, SIGNS),
    line=1255,
    mutants=[{"below": "0.299", "above": "0.301"}, {"smallest": "1/10"}],
)


@cache
def radii_most_optimistic(low: Exact, high: Exact) -> Answer:
    """Decide the region of radii for the most optimistic bandits of the set."""
    family, rows = varying(radius=FIELD(T)), widest_m2(FIELD(T))
    members = list(product(*family.balls))
    beyond = rational(high) + rational("1/1000")  # the sign is taken on an open interval
    facts = {
        "some index of A1 exceeds r inside": True in [index_exceeds(family, each, low, beyond) for each in members],
        "no vertex's does below": {index_exceeds(family, each, 0, low) for each in members} == {False},
        "pi1 falls short": pi1_falls_short(family, rows, 0, beyond) is True,
    }
    return answer(all(facts.values()), **{name: fact for name, fact in facts.items() if not fact})


chapter.ours(
    Property(
        "thm:no_OFU/region-radius-optimistic",
        radii_most_optimistic,
        says=r"""With the most optimistic bandits of the set in place of $M^1$ and $M^2$, $r = 3.21$ and $\beta =
        1/2$, both strict inequalities hold for every L1 radius above $[[low]]$ and up to $[[high]]$, and not for
        radii up to $[[low]]$.""",
        domain=r"radii from $0$ to $0.3$",
        reading=REAL_REWARDS,
        low="1/20",
        high="3/10",
    ),
    Argument(
        Step("The largest index over the set is that of a vertex: one arm.", Uses("eq:EVI/vertices/repair")),
        conclusion=Decides(radii_most_optimistic, SIGNS),
    ),
    line=1255,
    mutants=[{"low": "3/50"}, {"low": "1/25"}],
)


def _plain(rows: Matrix) -> list[list[Any]]:
    return [[sympy.Rational(value.as_expr()) for value in row] for row in rows]

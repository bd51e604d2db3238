"""Families of exact deviation cases for each event of Lemma `concentration`, and bounds on their probabilities."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from flint import arb, fmpq

from proofs_checks.claimcheck.statements import Answer
from proofs_checks.paper.shared.adaptive_play import LUCKY_COINS, MOVING, ONE_COIN, RARELY_STAYING, TWO_COINS
from proofs_checks.paper.shared.deviation_cases import Cell, DeviationCase, Level, counted_once, played
from theory import ONE, ZERO, rational

Bound: TypeAlias = "Callable[[DeviationCase, object], arb]"
"""A bound on a probability, with a constant in front."""

HALF = fmpq(1, 2)


def leaves(case: DeviationCase, level: Level, bound: Bound, s: object, c: object) -> Answer:
    """Return whether `s` times the radius of `level` is left with a probability of at most a bound with constant c."""
    return case.within(level, lambda: bound(case, c), s)


# -- cases


def rare_draws(episodes: int) -> tuple[int, int, fmpq]:
    """Return K, k and a mean such that all k-1 draws are 1 with probability above 3/K, at discount 0."""
    mean = fmpq(7, 25)
    return int((3 / mean**episodes).ceil()), episodes + 1, mean


def reward_cases(event: str = "rewards") -> Iterator[DeviationCase]:
    """Yield cases of draws from one state, and of adaptive learners, with the statistic of `event`."""
    yield counted_once(20, 20, HALF)
    yield counted_once(1000, 1000, HALF)
    yield counted_once(*rare_draws(300))
    yield counted_once(2, 2, fmpq(7, 25))
    yield counted_once(3, 2, fmpq(1, 50))
    yield counted_once(3, 3, fmpq(11, 80))
    yield from (played(ONE_COIN, 3, 2, HALF, 4, event), played(LUCKY_COINS, 3, 3, ZERO, 1, event))
    yield from (played(play, 3, 3, HALF, 3, event) for play in (TWO_COINS, LUCKY_COINS, MOVING))


def row_cases() -> Iterator[DeviationCase]:
    """Yield cases of draws from one row, and of adaptive learners, with the statistic of E^Q."""
    yield counted_once(*rare_draws(1000), of_rows=True)
    yield counted_once(12, 12, fmpq(2, 25), of_rows=True)
    yield counted_once(20, 20, HALF, of_rows=True)
    yield played(MOVING, 3, 3, HALF, 3, "transitions")
    yield played(RARELY_STAYING, 13, 13, ZERO, 1, "transitions")


def value_cases(event: str = "values") -> Iterator[DeviationCase]:
    """Yield cases of draws from one state at discount 0, and of adaptive learners, with the statistic of `event`."""
    yield from reward_cases(event)
    yield played(RARELY_STAYING, 13, 13, ZERO, 1, event)
    yield played(RARELY_STAYING, 5, 5, HALF, 2, event)
    yield played(MOVING, 4, 4, ZERO, 1, event)


def before_any_visit(cell: Cell, guess: fmpq = ZERO) -> DeviationCase:
    """Return the case of a state of mean 1 that is not visited (its arm is not played, or k' = 0), at discount 0."""
    shown = {"a state of mean 1": f"was not visited; its estimate is {guess}"}
    return DeviationCase(cell, shown, ((cell.k, 2 * (1 - guess) ** 2, ONE),))


def of_unplayed_arm() -> DeviationCase:
    """Return the case of two arms of one state, one not played in the first episode, at K = 2."""
    return before_any_visit(Cell(1, 2, 2, 2, ZERO))


# -- bounds


def of_k(case: DeviationCase, c: object) -> arb:
    """Return c/K."""
    return arb(rational(c)) / case.cell.K


def of_k_and_log(case: DeviationCase, c: object) -> arb:
    """Return c/(K log(K(k-1)))."""
    return of_k(case, c) / arb(case.cell.K * (case.cell.k - 1)).log()


def functions_of_k_and_log(case: DeviationCase, c: object) -> arb:
    """Return c F/(K log(K(k-1))), where F is S, or 1 for a single arm."""
    return (1 if case.cell.n == 1 else case.cell.S) * of_k_and_log(case, c)

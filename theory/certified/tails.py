r"""Exact tails of empirical means and empirical laws: the probabilities that concentration inequalities bound.

Each probability is a finite sum of products of rationals. `theory.certified.balls` compares it with irrational radii.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import comb
from typing import TypeAlias

from flint import fmpq

from theory.domain import check_counts, check_probability, exact_discount
from theory.errors import ModelError
from theory.rationals import ONE, ZERO, Exact, rational

Counts: TypeAlias = tuple[tuple[int, ...], ...]
"""How often each transition was counted: ``counts[x][y]``."""

CountLaw: TypeAlias = dict[Counts, fmpq]
"""The probability of each outcome of the counts."""


def binomial_law(trials: int, mean: Exact) -> tuple[fmpq, ...]:
    """Return the probability of 0, 1, ..., `trials` successes.

    Examples
    --------
    >>> binomial_law(2, "1/3")
    (4/9, 4/9, 1/9)
    """
    check_counts(0, trials=trials)
    q, p = _coin(mean)
    return tuple(comb(trials, k) * p**k * q ** (trials - k) for k in range(trials + 1))


def binomial_deviation(trials: int, mean: Exact, deviation: Exact) -> fmpq:
    """Return the probability that the mean of `trials` Bernoulli variables is at least `deviation` away from `mean`.

    Examples
    --------
    >>> binomial_deviation(3, "1/2", "1/2")
    1/4
    """
    check_counts(trials=trials)
    law, (_, success), far = binomial_law(trials, mean), _coin(mean), rational(deviation)
    return sum((p for k, p in enumerate(law) if abs(fmpq(k, trials) - success) >= far), ZERO)


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Return all ways to write `total` as an ordered sum of `parts` non-negative integers.

    Examples
    --------
    >>> list(compositions(2, 2))
    [(0, 2), (1, 1), (2, 0)]
    """
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


def multinomial_deviation(trials: int, law: Sequence[Exact], distance: Exact) -> fmpq:
    """Return the probability that the empirical law of `trials` draws is at L1 distance at least `distance` from `law`.

    Examples
    --------
    >>> multinomial_deviation(1, ["1/2", "1/4", "1/4"], "3/2")
    1/2
    """
    check_counts(trials=trials)
    exact, far = check_probability(law), rational(distance)
    probability = ZERO
    for counts in compositions(trials, len(exact)):
        if sum((abs(fmpq(count, trials) - p) for count, p in zip(counts, exact, strict=True)), ZERO) >= far:
            weight, left = ONE, trials
            for count, p in zip(counts, exact, strict=True):
                weight *= comb(left, count) * p**count
                left -= count
            probability += weight
    return probability


def transition_count_law(
    transitions: Sequence[Sequence[Exact]],
    initial: Sequence[Exact],
    horizons: Sequence[int],
    restart_counts: bool = False,
) -> CountLaw:
    """Return the law of the transition counts of one arm, played alone over episodes of the given lengths.

    Each episode begins in a state of law `initial`, (S,), and moves by the matrix `transitions`, (S, S). The last
    step of an episode leads to the state the arm moved to or, with `restart_counts`, the first one of the next episode.

    Examples
    --------
    >>> swap = [[fmpq(0), fmpq(1)], [fmpq(1), fmpq(0)]]
    >>> transition_count_law(swap, [fmpq(1), fmpq(0)], [1])
    {((0, 1), (0, 0)): 1}
    >>> transition_count_law(swap, [fmpq(1), fmpq(0)], [1], restart_counts=True)
    {((1, 0), (0, 0)): 1}
    """
    size = len(transitions)
    first, *rows = (check_probability(law) for law in (initial, *transitions))
    for law in (first, *rows):
        if len(law) != size:
            raise ModelError(f"{len(law)} probabilities for {size} states")
    empty: Counts = tuple((0,) * size for _ in range(size))
    current = {(x, empty): p for x, p in enumerate(first) if p}
    for horizon in horizons:
        check_counts(horizon=horizon)
        for step in range(1, horizon + 1):
            following: dict[tuple[int, Counts], fmpq] = {}
            for (x, counts), probability in current.items():
                for y, p in enumerate(rows[x]):
                    for after, q in enumerate(first) if step == horizon else ((y, ONE),):
                        counted = after if restart_counts else y
                        _add(following, (after, _counted(counts, x, counted)), probability * p * q)
            current = following
    law_of_counts: CountLaw = {}
    for (_, counts), probability in current.items():
        _add(law_of_counts, counts, probability)
    return law_of_counts


def geometric_probability(horizons: Collection[int], discount: Exact) -> fmpq:
    r"""Return the probability that independent geometric episode lengths of parameter :math:`1-\beta` are `horizons`.

    Examples
    --------
    >>> geometric_probability([1, 2], "1/3")
    4/27
    """
    beta, probability = exact_discount(discount), ONE
    for horizon in horizons:
        check_counts(horizon=horizon)
        probability *= (1 - beta) * beta ** (horizon - 1)
    return probability


def _coin(mean: Exact) -> tuple[fmpq, ...]:
    """Return the probabilities of 0 and 1 for a Bernoulli variable of this mean."""
    success = rational(mean)
    return check_probability([1 - success, success], f"a coin of mean {success}")


def _counted(counts: Counts, x: int, y: int) -> Counts:
    row = counts[x]
    return (*counts[:x], (*row[:y], row[y] + 1, *row[y + 1 :]), *counts[x + 1 :])


def _add(law: dict, key: object, weight: fmpq) -> None:  # type: ignore[type-arg]
    if weight:
        law[key] = law.get(key, ZERO) + weight

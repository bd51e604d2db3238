"""Random bandits: of all kinds for a soak, where the k-th model of a seed is always the same; and of binary fractions.

The kind of a model consists of its sizes, chains, rewards, discount and numbers. In half of the models every number is
a binary fraction, so that the floating-point kernels can take them without rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from flint import fmpq

from theory import ONE, ZERO, Arm, Bandit
from theory.random_models import (
    Integers,
    Row,
    drawn,
    picked,
    random_bandit,
    random_full_row,
    random_rewards,
    random_row,
    random_shared_row,
    with_random_radii,
)

DrawRow: TypeAlias = "Callable[[Integers, int], Row]"
DrawRows: TypeAlias = "Callable[[Integers, int, bool], list[Row]]"
"""Draws the rows of a chain for a number of states; of binary fractions, if the last argument is true."""


class Kind(NamedTuple):
    """The kind of a random model: the name of each of its features."""

    arms: str
    chains: str
    rewards: str
    discount: str
    numbers: str


def random_model(seed: int, number: int) -> tuple[Kind, Bandit]:
    """Return the model of this number, from 0 on, of a seed.

    Examples
    --------
    >>> kind, bandit = random_model(1, 0)
    >>> bandit == random_model(1, 0)[1], kind.arms in SHAPES
    (True, True)
    """
    return model_of(integers_of(seed, number))


def integers_of(seed: int, number: int) -> Integers:
    """Return the source of random integers from which the model of this number is made."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(number,)))


def model_of(source: Integers) -> tuple[Kind, Bandit]:
    """Return the kind and the model made from the integers of a source."""
    binary = drawn(source, 0, 2) == 0
    shape, chains, rewards, discount = (picked(source, tuple(table)) for table in (SHAPES, CHAINS, REWARDS, DISCOUNTS))
    sizes = SHAPES[shape](source)
    arms: list[Arm] = []
    for size in sizes:
        arm = Arm(rewards=REWARDS[rewards](source, size, binary), transitions=CHAINS[chains](source, size, binary))
        if "radii" in shape:
            arm = _with_binary_radii(source, arm) if binary else with_random_radii(source, arm)
        arms.append(arms[0] if shape == "identical arms" and arms else arm)
    start = [drawn(source, 0, size) for size in sizes]
    kind = Kind(shape, chains, rewards, discount, "binary fractions" if binary else "fractions")
    return kind, Bandit(arms, DISCOUNTS[discount](source, binary), start)


def binary_bandit(source: Integers, kind: str, up_to: fmpq | None = None) -> Bandit:
    """Return a bandit of binary fractions for one kind of answer: one arm for indices, a small product for others.

    Rows are 1, 2, 4 or 8 equal shares, rewards and radii multiples of 1/8, discounts 0, 1/2 or 1 - 2^-j and at most
    `up_to`. For learners, discounts are at most 1 - 2^-5, so that episodes are short.
    """
    halvings = 6 if kind == "agent" else 21
    while up_to is not None and halvings > 1 and 1 - fmpq(1, 2 ** (halvings - 1)) > up_to:
        halvings -= 1
    largest_size, largest_number = {"gittins": (8, 1), "value": (4, 3), "evi": (3, 2), "agent": (3, 2)}[kind]

    def arm(source: Integers, size: int) -> Arm:
        rewards = random_rewards(source, size, 8)
        found = Arm(rewards=rewards, transitions=[_equal_shares(source, size, 4) for _ in range(size)])
        return _with_binary_radii(source, found) if kind == "evi" else found

    def discount(source: Integers) -> fmpq:
        return 1 - fmpq(1, 2 ** drawn(source, 0, halvings))

    most_states = largest_size**largest_number
    return random_bandit(source, largest_number, largest_size, most_states, arm=arm, discount=discount)


def _with_binary_radii(source: Integers, arm: Arm) -> Arm:
    of_rewards, of_rows = random_rewards(source, arm.size, 8), random_rewards(source, arm.size, 8, high=2)
    return replace(arm, reward_radius=of_rewards, transition_radius=of_rows)


def _several(source: Integers, arms: int, size: int, product: int) -> list[int]:
    """Return the sizes of `arms` arms of up to `size` states, with at most `product` global states."""
    sizes = []
    for _ in range(arms):
        sizes.append(drawn(source, 1, min(size, product) + 1))
        product //= sizes[-1]
    return sizes


SHAPES: Final[dict[str, Callable[[Integers], list[int]]]] = {
    "one arm": lambda source: [drawn(source, 1, 9)],
    "a large arm": lambda source: [drawn(source, 9, 41 if drawn(source, 0, 3) == 0 else 16)],
    "two arms": lambda source: _several(source, 2, 8, 36),
    "several arms": lambda source: _several(source, drawn(source, 3, 5), 4, 36),
    "many arms": lambda source: [drawn(source, 1, 5) for _ in range(drawn(source, 5, 9))],
    "identical arms": lambda source: [drawn(source, 1, 5)] * drawn(source, 2, 4),
    "one arm with radii": lambda source: [drawn(source, 1, 6)],
    "several arms with radii": lambda source: _several(source, drawn(source, 2, 4), 4, 12),
}
"""The sizes of the arms, by kind; bandits with radii are confidence sets."""


def _unit(at: int, size: int) -> Row:
    return tuple(ONE if y == at else ZERO for y in range(size))


def _any_unit(source: Integers, size: int) -> Row:
    return _unit(drawn(source, 0, size), size)


def _equal_shares(source: Integers, size: int, powers: int = 3) -> Row:
    """Return a row of 1, 2, 4, ... equal shares, one of so many numbers of them."""
    return random_shared_row(source, size, 2 ** drawn(source, 0, powers))


def _binary_row(source: Integers, size: int, bits: int) -> Row:
    """Return a row of multiples of ``2**-bits``, one entry of which takes the remainder."""
    row = [fmpq(drawn(source, 0, 2**bits // size), 2**bits) for _ in range(size)]
    at = drawn(source, 0, size)
    row[at] += 1 - sum(row, ZERO)
    return tuple(row)


def _rows(of_fractions: DrawRow, of_binary_fractions: DrawRow) -> DrawRows:
    """Return what draws the rows of a chain one by one."""

    def rows(source: Integers, size: int, binary: bool) -> list[Row]:
        draw = of_binary_fractions if binary else of_fractions
        return [draw(source, size) for _ in range(size)]

    return rows


_sparse = _rows(random_row, _equal_shares)
_dense = _rows(partial(random_full_row, largest=10), partial(_binary_row, bits=20))


def _absorbing(source: Integers, size: int, binary: bool) -> list[Row]:
    rows = _sparse(source, size, binary)
    return [_unit(x, size) if drawn(source, 0, 3) == 0 else row for x, row in enumerate(rows)]


def _upward(source: Integers, size: int, binary: bool) -> list[Row]:
    """Return rows that lead to the same or later states only, so that states before the initial one are not reached."""
    return [(ZERO,) * x + tuple(_dense(source, size - x, binary)[0]) for x in range(size)]


def _nearly_apart(source: Integers, size: int, binary: bool) -> list[Row]:
    """Return rows that stay within one half of the states but for a probability of 2^-30."""
    rare, half = fmpq(1, 2**30), (size + 1) // 2
    rows = []
    for x in range(size):
        own = range(half) if x < half else range(half, size)
        within = _sparse(source, len(own), binary)[0]
        row = [ZERO] * size
        for y, p in zip(own, within, strict=True):
            row[y] = p * (1 - rare)
        row[drawn(source, 0, size)] += rare
        rows.append(tuple(row))
    return rows


CHAINS: Final[dict[str, DrawRows]] = {
    "sparse": _sparse,
    "dense": _dense,
    "long numbers": _rows(partial(random_full_row, largest=10**15), partial(_binary_row, bits=45)),
    "deterministic": _rows(_any_unit, _any_unit),
    "periodic": lambda _source, size, _: [_unit((x + 1) % size, size) for x in range(size)],
    "absorbing": _absorbing,
    "upward": _upward,
    "nearly apart": _nearly_apart,
}


def _plain(source: Integers, size: int, binary: bool) -> Row:
    return random_rewards(source, size, 1024 if binary else 1000)


def _scaled(source: Integers, size: int, binary: bool, factor: fmpq) -> Row:
    return tuple(factor * reward for reward in _plain(source, size, binary))


def _near_ties(source: Integers, size: int, _: bool) -> Row:
    return tuple(fmpq(1, 2) + fmpq(drawn(source, 0, 4), 2**50) for _ in range(size))


def _huge_and_tiny(source: Integers, size: int, binary: bool) -> Row:
    powers = (fmpq(2 if binary else 10) ** drawn(source, -50, 50) for _ in range(size))
    return tuple(reward * power for reward, power in zip(_plain(source, size, binary), powers, strict=True))


def _two_values(source: Integers, size: int, binary: bool) -> Row:
    values = _plain(source, 2, binary)
    return tuple(picked(source, values) for _ in range(size))


REWARDS: Final[dict[str, Callable[[Integers, int, bool], Row]]] = {
    "plain": _plain,
    "quarters": lambda source, size, _: random_rewards(source, size),
    "two values": _two_values,
    "zero": lambda _source, size, _: (ZERO,) * size,
    "one that pays": lambda source, size, _: _any_unit(source, size),
    "near ties": _near_ties,
    "both signs": lambda source, size, _: random_rewards(source, size, low=-1),
    "negative": lambda source, size, _: random_rewards(source, size, low=-1, high=0),
    "tiny": partial(_scaled, factor=fmpq(1, 2**300)),
    "huge": partial(_scaled, factor=fmpq(2**300)),
    "huge and tiny": _huge_and_tiny,
}


def _simple_discount(source: Integers, binary: bool) -> fmpq:
    values = ((1, 2), (3, 4), (7, 8)) if binary else ((1, 2), (1, 3), (4, 5), (9, 10), (99, 100))
    return fmpq(*picked(source, values))


def _any_discount(source: Integers, binary: bool) -> fmpq:
    q = 1024 if binary else drawn(source, 2, 1000)
    return fmpq(drawn(source, 0, q), q)


DISCOUNTS: Final[dict[str, Callable[[Integers, bool], fmpq]]] = {
    "0": lambda _source, _: ZERO,
    "simple": _simple_discount,
    "any": _any_discount,
    "near 0": lambda source, _: fmpq(1, 2 ** drawn(source, 4, 31)),
    "near 1": lambda source, _: 1 - fmpq(1, 2 ** drawn(source, 4, 31)),
}

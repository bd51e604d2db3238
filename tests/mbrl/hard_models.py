"""Bandits on which floats go wrong, and how far each kernel is from the exact answer on them.

Every probability is a multiple of 2**-40 and every row sums to exactly 1, so that the exact answer is that of the
same numbers and nothing is lost on the way in.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from typing import NamedTuple

import numpy as np
from flint import fmpq

import theory
from mbrl.kernels import exact_bandit, index_order, optimistic_values, priority_value_and_error
from mbrl.kernels.arguments import read_only
from mbrl.kernels.product import value_of_table
from tests.mbrl.exactly import exact_optimism
from theory import value_of_float

DISCOUNTS = {"0": 0.0, "1/2": 0.5} | {f"1-2^-{k}": 1 - 2.0**-k for k in (7, 20, 27)}  # the last is 1 - 7.5e-9
CHAINS = ("dense", "sparse", "absorbing", "periodic", "nearly apart", "walk", "upward")
REWARDS = ("plain", "ties of 1e-6", "ties of 1e-9", "ties of 1e-12", "ties of 1e-15", "tiny", "cancelling")
REWARDS += ("huge and tiny", "both signs")
_TIES = {"ties of 1e-6": 20, "ties of 1e-9": 30, "ties of 1e-12": 40, "ties of 1e-15": 50}

_SCALE = 2**40


def chain(kind: str, size: int, rng: np.random.Generator) -> np.ndarray:
    """Return (S, S) rows of one kind."""
    if size == 1:
        return np.ones((1, 1))
    if kind == "periodic":
        return np.eye(size)[np.roll(np.arange(size), 1)]
    weights = rng.exponential(size=(size, size))
    if kind in {"sparse", "absorbing"}:
        weights *= rng.random((size, size)) < 3 / size
    if kind == "nearly apart":
        block = np.arange(size) * 3 // size
        weights *= np.where(block[:, None] == block, 1.0, 2.0**-30)
    if kind == "walk":
        weights *= np.abs(np.subtract.outer(np.arange(size), np.arange(size))) <= 1
    if kind == "upward":
        weights = np.triu(weights)
    np.fill_diagonal(weights, weights.diagonal() + 1e-3)
    rows = np.floor(_SCALE * weights / weights.sum(axis=1, keepdims=True))
    if kind == "absorbing":
        rows[rng.random(size) < 0.3] = 0
    np.fill_diagonal(rows, 0)
    np.fill_diagonal(rows, _SCALE - rows.sum(axis=1))
    return rows / _SCALE


def mean_rewards(kind: str, size: int, rng: np.random.Generator) -> np.ndarray:
    """Return (S,) rewards of one kind."""
    plain = np.floor(rng.random(size) * 2**20) / 2**20
    if kind in _TIES:
        return 0.5 + rng.integers(0, 4, size) * 2.0 ** -_TIES[kind]
    if kind == "tiny":
        return plain * 2.0**-600
    if kind == "cancelling":  # rewards of 1e-9, and one of 1
        return np.where(np.arange(size) == size - 1, 1.0, plain * 2.0**-30)
    if kind == "huge and tiny":
        return plain * 2.0 ** rng.integers(-60, 60, size)
    if kind == "both signs":
        return plain - 0.5
    return plain


class Hard(NamedTuple):
    """A padded bandit of floats; its name lists sizes, kind of chain, kind of rewards and discount."""

    name: tuple[str, ...]
    transitions: np.ndarray
    rewards: np.ndarray
    sizes: np.ndarray
    discount: float
    rng: np.random.Generator


class Measured(NamedTuple):
    """One number of one kernel: its error against the exact answer, and the bound of that error."""

    kernel: str
    model: tuple[str, ...]
    error: fmpq
    bound: fmpq


def hard_bandits(sizes: tuple[int, ...]) -> Iterator[Hard]:
    """Yield bandits with arms of these sizes, of every kind and discount."""
    width = max(sizes)
    kinds = product(enumerate(CHAINS), enumerate(REWARDS), DISCOUNTS.items())
    for (c, chains), (r, rewards), (name, discount) in kinds:
        rng = np.random.default_rng([*sizes, c, r])
        transitions, means = np.zeros((len(sizes), width, width)), np.zeros((len(sizes), width))
        for a, size in enumerate(sizes):
            transitions[a, :size, :size], means[a, :size] = chain(chains, size, rng), mean_rewards(rewards, size, rng)
        label = ("x".join(map(str, sizes)), chains, rewards, name)
        yield Hard(label, transitions, means, np.array(sizes), discount, rng)


def measured_indices(hard: Hard) -> Iterator[Measured]:
    """Yield the errors of the indices; assert that an order reported as certain is the exact one."""
    found = index_order(hard.transitions, hard.rewards, hard.sizes, hard.discount)
    bandit = exact_bandit(hard.transitions, hard.rewards, hard.sizes, hard.discount)
    exact = [theory.gittins_indices(arm, bandit.discount) for arm in bandit.arms]
    for a, indices in enumerate(exact):
        for x, index in enumerate(indices):
            error = abs(value_of_float(found.indices[a, x]) - index)
            yield Measured("gittins_indices", hard.name, error, value_of_float(found.errors[a, x]))
    if found.certain:
        width = hard.rewards.shape[1]
        in_order = [exact[place // width][place % width] for place in found.order]
        assert all(first > second for first, second in pairwise(in_order)), hard.name


def measured_values(hard: Hard) -> Iterator[Measured]:
    """Yield the errors of the value of a random priority order."""
    width = hard.rewards.shape[1]
    order = [a * width + x for a, size in enumerate(hard.sizes) for x in range(size)]
    hard.rng.shuffle(order)
    start = [int(hard.rng.integers(size)) for size in hard.sizes]
    value, bound = priority_value_and_error(hard.transitions, hard.rewards, hard.sizes, start, order, hard.discount)
    bandit = exact_bandit(hard.transitions, hard.rewards, hard.sizes, hard.discount)
    exact = theory.priority_value(bandit, [divmod(place, width) for place in order], start)
    error = abs(value_of_float(value) - exact.value)
    yield Measured("priority_value", hard.name, error, value_of_float(bound))


def measured_tables(hard: Hard) -> Iterator[Measured]:
    """Yield the error of the value of a random table."""
    count = int(np.prod(hard.sizes))
    table, start = hard.rng.integers(0, hard.sizes.size, count), hard.rng.integers(0, hard.sizes)
    arrays = map(read_only, (hard.transitions, hard.rewards, hard.sizes, start, table))
    value, bound = value_of_table(*arrays, hard.discount)
    bandit = exact_bandit(hard.transitions, hard.rewards, hard.sizes, hard.discount)
    states = np.ndindex(*map(int, hard.sizes))
    exact = theory.policy_value(bandit, {state: int(table[g]) for g, state in enumerate(states)})[tuple(start.tolist())]
    error = abs(value_of_float(value) - exact)
    yield Measured("table_value", hard.name, error, value_of_float(bound))


def measured_optimism(hard: Hard) -> Iterator[Measured]:
    """Yield by how much optimistic values are too small and, as a second error, too large."""
    radii = np.floor(hard.rng.random(hard.rewards.shape) * 1024) / 1024 * hard.rng.choice([0.125, 0.5, 2.0])
    found = optimistic_values(hard.transitions, radii, hard.rewards, hard.sizes, hard.discount)
    best = exact_optimism(hard.transitions, radii, hard.rewards, hard.sizes, hard.discount).values
    exact = [best[state] for state in np.ndindex(*map(int, hard.sizes))]
    largest = max(map(abs, exact))
    for value, best in zip(map(value_of_float, found.values), exact, strict=True):
        short, over = max(best - value, fmpq(0)), max(value - best, fmpq(0))
        yield Measured("optimistic_values", hard.name, short, value_of_float(found.gap))
        yield Measured("optimistic_values, above", hard.name, over, value_of_float(1e-13) * largest)

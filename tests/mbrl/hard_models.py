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
from mbrl.kernels import index_order, optimistic_values, priority_value_and_error
from mbrl.kernels.arguments import read_only
from mbrl.kernels.product import value_of_table
from tests.mbrl.exactly import bandit_of, exact_optimism, exact_priority_value, exact_table_value
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
    model: tuple[np.ndarray, np.ndarray, np.ndarray]
    """Transitions, rewards and sizes."""
    discount: float
    rng: np.random.Generator


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
        yield Hard(label, (transitions, means, np.array(sizes)), discount, rng)


# each of the functions below yields pairs: the error of a number against the exact answer, and the bound of that error


def errors_of_indices(hard: Hard) -> Iterator[tuple[fmpq, fmpq]]:
    """Assert that an order reported as certain is the exact one, too."""
    found, width = index_order(*hard.model, hard.discount), hard.model[1].shape[1]
    bandit = bandit_of(*hard.model, hard.discount)
    exact = {
        a * width + x: index
        for a, arm in enumerate(bandit.arms)
        for x, index in enumerate(theory.gittins_indices(arm, bandit.discount))
    }
    for place, index in exact.items():
        yield abs(value_of_float(found.indices.flat[place]) - index), value_of_float(found.errors.flat[place])
    if found.certain:
        assert all(exact[first] > exact[second] for first, second in pairwise(found.order.tolist())), hard.name


def errors_of_values(hard: Hard) -> Iterator[tuple[fmpq, fmpq]]:
    """The value is that of a random priority order."""
    _, rewards, sizes = hard.model
    order = [a * rewards.shape[1] + x for a, size in enumerate(sizes) for x in range(size)]
    hard.rng.shuffle(order)
    policy = *hard.model, [int(hard.rng.integers(size)) for size in sizes], order, hard.discount
    value, bound = priority_value_and_error(*policy)
    yield abs(value_of_float(value) - exact_priority_value(*policy)), value_of_float(bound)


def errors_of_tables(hard: Hard) -> Iterator[tuple[fmpq, fmpq]]:
    """The value is that of a random table."""
    sizes = hard.model[2]
    table, start = hard.rng.integers(0, sizes.size, np.prod(sizes)), hard.rng.integers(0, sizes)
    policy = *map(read_only, (*hard.model, start, table)), hard.discount
    value, bound = value_of_table(*policy)
    yield abs(value_of_float(value) - exact_table_value(*policy)), value_of_float(bound)


def errors_of_optimism(hard: Hard) -> Iterator[tuple[fmpq, fmpq]]:
    """Optimistic values may be too small by the gap, and too large by rounding."""
    transitions, rewards, sizes = hard.model
    radii = np.floor(hard.rng.random(rewards.shape) * 1024) / 1024 * hard.rng.choice([0.125, 0.5, 2.0])
    model = transitions, radii, rewards, sizes, hard.discount
    found, exact = optimistic_values(*model), exact_optimism(*model).values
    largest = max(map(abs, exact.values()))
    for value, state in zip(map(value_of_float, found.values), np.ndindex(*sizes.tolist()), strict=True):
        yield exact[state] - value, value_of_float(found.gap)
        yield value - exact[state], value_of_float(1e-13) * largest

"""One episode of play, and the counting of what it showed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from mbrl.kernels.chains import strides_of
from mbrl.kernels.compiling import kernel

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@kernel
def _draw(cumulative: Floats, uniform: float) -> int:
    """Return the first next state whose cumulative probability exceeds `uniform`."""
    for y in range(cumulative.size):
        if uniform < cumulative[y]:
            return y
    raise AssertionError  # the last cumulative probabilities are exactly 1


@kernel
def _pay(means: Floats, following: int, uniform: float) -> float:
    """Return 1 with the probability that the move to the next state `following` has, else 0."""
    mean = means[0] if means.size == 1 else means[following]
    return 1.0 if uniform < mean else 0.0


@kernel
def play_priority(
    cumulative: Floats, means: Floats, start: Integers, ranks: Integers, uniforms: Floats
) -> tuple[Integers, Integers, Integers, Floats]:
    """Play a priority policy for one episode.

    Parameters
    ----------
    cumulative : (n, S, S)
        Cumulative transition rows; exactly 1 from the last possible next state on.
    means : (n, S, S) or (n, S, 1)
        Probability of the reward 1 on each transition; the shorter form where it does not depend on the next state.
    start : (n,) int64
    ranks : (n, S) int64
        Place of each arm state in the priority order; the smallest is played.
    uniforms : (H, 2)
        Uniform on [0, 1): one for the transition and one for the reward of each step.

    Returns
    -------
    arms, states, next_states : (H,) int64
    rewards : (H,) float64
        0 or 1.
    """
    length = uniforms.shape[0]
    arms, states, following = np.empty(length, np.int64), np.empty(length, np.int64), np.empty(length, np.int64)
    rewards = np.empty(length)
    current = start.copy()
    for t in range(length):
        a, lowest = 0, ranks[0, current[0]]
        for b in range(1, current.size):
            if ranks[b, current[b]] < lowest:
                a, lowest = b, ranks[b, current[b]]
        x = current[a]
        y = _draw(cumulative[a, x], uniforms[t, 0])
        arms[t], states[t], following[t] = a, x, y
        rewards[t] = _pay(means[a, x], y, uniforms[t, 1])
        current[a] = y
    return arms, states, following, rewards


@kernel
def play_table(
    cumulative: Floats, means: Floats, sizes: Integers, start: Integers, table: Integers, uniforms: Floats
) -> tuple[Integers, Integers, Integers, Floats]:
    """Play arm ``table[g]`` in every global state g for one episode; otherwise as `play_priority`."""
    length = uniforms.shape[0]
    strides = strides_of(sizes)
    arms, states, following = np.empty(length, np.int64), np.empty(length, np.int64), np.empty(length, np.int64)
    rewards = np.empty(length)
    current = start.copy()
    g = 0
    for a in range(start.size):
        g += start[a] * strides[a]
    for t in range(length):
        a = table[g]
        x = current[a]
        y = _draw(cumulative[a, x], uniforms[t, 0])
        arms[t], states[t], following[t] = a, x, y
        rewards[t] = _pay(means[a, x], y, uniforms[t, 1])
        current[a] = y
        g += (y - x) * strides[a]
    return arms, states, following, rewards


@kernel
def count_arm_states(
    arms: Integers,
    states: Integers,
    following: Integers,
    rewards: Floats,
    moves: Floats,
    sums: Floats,
    squares: Floats,
) -> None:
    """Add an episode to the statistics of arm states: (n, S, S) `moves`, (n, S) `sums` and `squares` of rewards."""
    for t in range(arms.size):
        a, x = arms[t], states[t]
        moves[a, x, following[t]] += 1.0
        sums[a, x] += rewards[t]
        squares[a, x] += rewards[t] * rewards[t]


@kernel
def count_global_states(
    arms: Integers,
    states: Integers,
    following: Integers,
    rewards: Floats,
    sizes: Integers,
    start: Integers,
    moves: Floats,
    sums: Floats,
    squares: Floats,
) -> None:
    """Add an episode to the statistics of global states: (G, n, G) `moves`, (G, n) `sums` and `squares`."""
    strides = strides_of(sizes)
    g = 0
    for a in range(start.size):
        g += start[a] * strides[a]
    for t in range(arms.size):
        a = arms[t]
        h = g + (following[t] - states[t]) * strides[a]
        moves[g, a, h] += 1.0
        sums[g, a] += rewards[t]
        squares[g, a] += rewards[t] * rewards[t]
        g = h


@kernel
def learn_restart_values(
    arms: Integers,
    states: Integers,
    following: Integers,
    rewards: Floats,
    sizes: Integers,
    discount: float,
    exponent: float,
    values: Floats,
    visits: Floats,
) -> None:
    r"""Q-learning of the restart-in-state problems of all arm states, over one episode.

    ``values[a, k, x]`` is the value of continuing from x in the problem that may restart in k; restarting is worth
    ``values[a, k, k]``. A move from x to y with reward r changes, for all k at once,

    .. math:: W_k(x) \leftarrow W_k(x) + \alpha [ r + \beta \max(W_k(y), W_k(k)) - W_k(x) ]

    with :math:`\alpha = N(x)^{-\text{exponent}}`.
    """
    for t in range(arms.size):
        a, x, y = arms[t], states[t], following[t]
        visits[a, x] += 1.0
        rate = visits[a, x] ** -exponent
        for k in range(sizes[a]):
            target = rewards[t] + discount * max(values[a, k, y], values[a, k, k])
            values[a, k, x] += rate * (target - values[a, k, x])

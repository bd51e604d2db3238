"""Play: one episode of a policy in the true model, recorded in a track."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from mbrl.arrays import Floats, Integers
from mbrl.kernels.chains import strides_of
from mbrl.kernels.compiling import part
from mbrl.kernels.native import standard_normal, standard_uniform
from mbrl.kernels.next_arm import arms_in_order, settle_first


class Laws(NamedTuple):
    """Laws of rewards that are not Bernoulli laws."""

    values: Floats  # (n, S, M), values of the rewards of each arm state; empty if rewards are 0 or 1
    cumulative: Floats  # (n, S, M), their cumulative probabilities
    deviations: Floats  # (n, S), standard deviation of the Gaussian noise; empty if there is none


class World(NamedTuple):
    """The true model, in the form that compiled code takes; see `mbrl.environments.Environment`.

    Attributes
    ----------
    transitions : (n, S, S)
    paid : (n, S, S) or (n, S, 1)
        Mean reward of each transition; without laws, the probability of a reward of 1.
    rewards : (n, S)
        Mean rewards of arm states.
    sizes : (n,) int64
    discount : float
    laws : Laws
        Empty if rewards are 0 or 1; the type stays the same, so that no loop is compiled twice.
    """

    transitions: Floats
    paid: Floats
    rewards: Floats
    sizes: Integers
    discount: float
    laws: Laws


class Track(NamedTuple):
    """Preallocated arrays that record one episode, one entry per step; see `mbrl.agents.Trajectory`.

    Attributes
    ----------
    arms, states, following : (H,) int64
    rewards : (H,) float64
    """

    arms: Integers
    states: Integers
    following: Integers
    rewards: Floats


@part
def new_track(length: int) -> Track:
    """Return room for `length` steps."""
    return Track(np.empty(length, np.int64), np.empty(length, np.int64), np.empty(length, np.int64), np.empty(length))


@part
def next_state(transitions: Floats, arm: int, state: int, uniform: float) -> int:
    """Return the first next state whose cumulative probability exceeds `uniform`, or else the last possible one.

    The arguments are no slice of a row: it would be counted as a reference, which takes longer than everything else.
    """
    total, last = 0.0, 0
    for y in range(transitions.shape[2]):
        probability = transitions[arm, state, y]
        if probability > 0.0:
            total += probability
            last = y
            if uniform < total:
                break
    return last


@part
def pay(paid: Floats, arm: int, state: int, following: int, uniform: float) -> float:
    """Return the reward of a move: 1 if `uniform` is below the move's entry of `paid`, else 0."""
    return 1.0 if uniform < paid[arm, state, following if paid.shape[2] > 1 else 0] else 0.0


@part
def draw_laws(laws: Laws, rng: np.random.Generator, length: int, track: Track) -> None:
    """Replace the rewards of an episode by draws from their laws, if any: first all values, then all noise."""
    if laws.values.size > 0:
        for t in range(length):
            a, x, level = track.arms[t], track.states[t], standard_uniform(rng)
            which = 0
            while level >= laws.cumulative[a, x, which]:
                which += 1
            track.rewards[t] = laws.values[a, x, which]
        if laws.deviations.size > 0:
            for t in range(length):
                track.rewards[t] += laws.deviations[track.arms[t], track.states[t]] * standard_normal(rng)


@part
def play_indices(
    world: World,
    rng: np.random.Generator,
    start: Integers,
    length: int,
    indices: Floats,
    last_first: bool,
    track: Track,
) -> None:
    """Play the arm whose state has the largest of the (n, S) `indices` for one episode of `length` steps.

    Of equal indices the first arm is played, or the last if `last_first`. `rng` gives two uniforms per step, then the
    draws of the laws of rewards; `track` receives the steps.
    """
    transitions, paid = world.transitions, world.paid
    arms, states, following, rewards = track
    current = start.copy()
    keys, order = arms_in_order(indices, start, last_first)
    for t in range(length):
        played = order[0]
        x = current[played]
        y = next_state(transitions, played, x, standard_uniform(rng))
        arms[t], states[t], following[t] = played, x, y
        rewards[t] = pay(paid, played, x, y, standard_uniform(rng))
        current[played] = y
        keys[played] = indices[played, y]
        settle_first(order, keys, last_first)
    draw_laws(world.laws, rng, length, track)


@part
def play_table(
    world: World, rng: np.random.Generator, start: Integers, length: int, table: Integers, track: Track
) -> None:
    """Play arm ``table[g]`` in every global state g for one episode; otherwise as `play_indices`."""
    transitions, paid = world.transitions, world.paid
    arms, states, following, rewards = track
    strides = strides_of(world.sizes)
    current = start.copy()
    g = 0
    for a in range(start.size):
        g += start[a] * strides[a]
    for t in range(length):
        a = table[g]
        x = current[a]
        y = next_state(transitions, a, x, standard_uniform(rng))
        arms[t], states[t], following[t] = a, x, y
        rewards[t] = pay(paid, a, x, y, standard_uniform(rng))
        current[a] = y
        g += (y - x) * strides[a]
    draw_laws(world.laws, rng, length, track)


@part
def collected(world: World, length: int, track: Track) -> float:
    """Return the sum of the mean rewards of the arm states that were played."""
    total = 0.0
    for t in range(length):
        total += world.rewards[track.arms[t], track.states[t]]
    return total

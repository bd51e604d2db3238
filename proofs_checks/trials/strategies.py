"""Hypothesis strategies that generate every valid exact Markovian bandit, edge cases included.

They describe the domain, not the probability of its parts. The domain includes ties, rewards of 0, absorbing and
periodic chains, one state, one arm, discount 0 and discounts close to 1. `theory.random_models` builds models from
integers, which Hypothesis draws and shrinks.

Examples
--------
>>> from hypothesis import given, settings
>>> from theory import gittins_indices, is_gittins
>>> @settings(max_examples=5, database=None)
... @given(arm=arms(max_size=3), discount=discounts())
... def indices_have_a_certificate(arm, discount):
...     assert is_gittins(arm, discount, gittins_indices(arm, discount))
>>> indices_have_a_certificate()
"""

from __future__ import annotations

from flint import fmpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from proofs_checks.trials.search import Drawn
from theory import ONE, ZERO, Arm, Bandit, GlobalState, Priority
from theory.random_models import Integers, random_bandit, random_row

_PRIMES_AND_SUCH = (1, 2, 3, 4, 5, 6, 7, 10, 12)


def rationals(low: int, high: int) -> SearchStrategy[fmpq]:
    """Return rationals in [low, high] with small denominators, so that ties are common."""
    return st.builds(
        lambda q, share: low + fmpq(round(share * q * (high - low)), q),
        st.sampled_from(_PRIMES_AND_SUCH),
        st.integers(0, 60).map(lambda i: i / 60),
    )


def discounts() -> SearchStrategy[fmpq]:
    """Return discounts in [0, 1), among them 0 and 9999/10000."""
    return st.one_of(
        st.sampled_from([fmpq(0), fmpq(1, 2), fmpq(9, 10), fmpq(99, 100), fmpq(9999, 10000)]),
        st.builds(lambda p, q: fmpq(p, p + q), st.integers(0, 20), st.integers(1, 20)),
    )


@st.composite
def probability_rows(draw: DrawFn, size: int) -> tuple[fmpq, ...]:
    """Draw rows of `size` non-negative rationals that sum to exactly 1, among them sparse rows and unit rows."""
    return random_row(Drawn(draw), size, largest=4)


def _unit_rows(targets: list[int]) -> list[tuple[fmpq, ...]]:
    return [tuple(ONE if y == target else ZERO for y in range(len(targets))) for target in targets]


@st.composite
def arms(draw: DrawFn, min_size: int = 1, max_size: int = 5, low: int = 0, high: int = 1) -> Arm:
    """Draw arms with exact rewards in [low, high], which are often tied or all zero.

    Rows are any rows, or those of a deterministic map: absorbing and periodic chains.
    """
    size = draw(st.integers(min_size, max_size))
    palette = draw(st.lists(rationals(low, high), min_size=1, max_size=size))
    rewards = draw(st.lists(st.sampled_from(palette), min_size=size, max_size=size))
    any_rows = st.lists(probability_rows(size), min_size=size, max_size=size)
    of_a_map = st.lists(st.integers(0, size - 1), min_size=size, max_size=size).map(_unit_rows)
    return Arm(rewards=rewards, transitions=draw(st.one_of(any_rows, of_a_map)))


@st.composite
def bandits(
    draw: DrawFn,
    max_arms: int = 3,
    max_size: int = 3,
    radii: bool = False,
    low: int = 0,
    high: int = 1,
) -> Bandit:
    """Draw bandits with an initial state, small enough for their product to be solved.

    Their arms have up to `max_size` states each, perhaps `radii`, and rewards in [low, high].
    """

    def arm(_: Integers, size: int) -> Arm:
        return draw(arms(size, size, low, high))

    every = max_size**max_arms
    return random_bandit(Drawn(draw), max_arms, max_size, every, radii, arm, discount=lambda _: draw(discounts()))


@st.composite
def priorities(draw: DrawFn, bandit: Bandit) -> Priority:
    """Draw strict priority orders over all states of `bandit`."""
    return tuple(draw(st.permutations(bandit.arm_states)))


def global_states(bandit: Bandit) -> SearchStrategy[GlobalState]:
    """Return the global states of `bandit`."""
    return st.tuples(*(st.integers(0, size - 1) for size in bandit.sizes))

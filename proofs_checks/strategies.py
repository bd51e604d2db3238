"""Hypothesis strategies for exact Markovian bandits: what is valid, edges included.

They describe the domain, not how likely its parts are: ties, zero rows, absorbing and periodic chains, one state, one
arm, discount 0 and discounts close to 1 all belong to it. Needs the extra ``test``.

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

from itertools import product

from flint import fmpq
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from theory import ONE, ZERO, Arm, Bandit, GlobalState, Priority
from theory.bayes import FinitePrior

_PRIMES_AND_SUCH = (1, 2, 3, 4, 5, 6, 7, 10, 12)


def rationals(low: int = 0, high: int = 1) -> SearchStrategy[fmpq]:
    """Rationals in [low, high] with small denominators, so that ties are common."""
    return st.builds(
        lambda q, share: low + fmpq(round(share * q * (high - low)), q),
        st.sampled_from(_PRIMES_AND_SUCH),
        st.integers(0, 60).map(lambda i: i / 60),
    )


def discounts() -> SearchStrategy[fmpq]:
    """Discounts in [0, 1): 0 and 9999/10000 among them."""
    return st.one_of(
        st.sampled_from([fmpq(0), fmpq(1, 2), fmpq(9, 10), fmpq(99, 100), fmpq(9999, 10000)]),
        st.builds(lambda p, q: fmpq(p, p + q), st.integers(0, 20), st.integers(1, 20)),
    )


@st.composite
def probability_rows(draw: DrawFn, size: int) -> tuple[fmpq, ...]:
    """Rows of `size` non-negative rationals that sum to exactly 1; sparse ones and unit rows among them."""
    weights = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size).filter(any))
    total = sum(weights)
    return tuple(fmpq(weight, total) for weight in weights)


def _unit_rows(targets: list[int]) -> list[tuple[fmpq, ...]]:
    return [tuple(ONE if y == target else ZERO for y in range(len(targets))) for target in targets]


def transition_matrices(size: int) -> SearchStrategy[list[tuple[fmpq, ...]]]:
    """Stochastic matrices: any rows, or a deterministic map (absorbing and periodic chains)."""
    return st.one_of(
        st.lists(probability_rows(size), min_size=size, max_size=size),
        st.lists(st.integers(0, size - 1), min_size=size, max_size=size).map(_unit_rows),
    )


@st.composite
def arms(draw: DrawFn, min_size: int = 1, max_size: int = 5, low: int = 0, high: int = 1) -> Arm:
    """Arms with exact rewards in [low, high]; many with tied rewards, all zero among them."""
    size = draw(st.integers(min_size, max_size))
    palette = draw(st.lists(rationals(low, high), min_size=1, max_size=size))
    rewards = draw(st.lists(st.sampled_from(palette), min_size=size, max_size=size))
    return Arm(rewards=rewards, transitions=draw(transition_matrices(size)))


@st.composite
def arms_with_radii(draw: DrawFn, max_size: int = 3, rewards_too: bool = True) -> Arm:
    """Arms that are the centre of a confidence set, with radii of rewards and rows (0 and large ones among them)."""
    arm = draw(arms(max_size=max_size))
    radii = st.sampled_from([fmpq(0), fmpq(1, 10), fmpq(1, 5), fmpq(1, 2), fmpq(1), fmpq(2)])
    of_rows = draw(st.lists(radii, min_size=arm.size, max_size=arm.size))
    of_rewards = draw(st.lists(radii, min_size=arm.size, max_size=arm.size)) if rewards_too else ()
    return Arm(rewards=arm.rewards, transitions=arm.transitions, reward_radius=of_rewards, transition_radius=of_rows)


@st.composite
def bandits(
    draw: DrawFn,
    max_arms: int = 3,
    max_size: int = 3,
    max_global_states: int = 27,
    radii: bool = False,
    low: int = 0,
    high: int = 1,
) -> Bandit:
    """Bandits of arms of different sizes with an initial state, small enough for their product to be solved.

    Parameters
    ----------
    draw
        Given by Hypothesis.
    max_arms, max_size, max_global_states
        Bounds; the product of the sizes stays within the last.
    radii
        Whether the arms carry radii.
    low, high
        Range of the rewards, for arms without radii.
    """
    made: list[Arm] = []
    room = max_global_states
    for _ in range(draw(st.integers(1, max_arms))):
        largest = min(max_size, room)
        made.append(draw(arms_with_radii(largest) if radii else arms(max_size=largest, low=low, high=high)))
        room //= made[-1].size
    start = [draw(st.integers(0, arm.size - 1)) for arm in made]
    return Bandit(made, draw(discounts()), start)


@st.composite
def priorities(draw: DrawFn, bandit: Bandit) -> Priority:
    """Strict priority orders over all states of `bandit`."""
    return tuple(draw(st.permutations(bandit.arm_states)))


def global_states(bandit: Bandit) -> SearchStrategy[GlobalState]:
    """Global states of `bandit`."""
    return st.tuples(*(st.integers(0, size - 1) for size in bandit.sizes))


@st.composite
def policies(draw: DrawFn, bandit: Bandit) -> dict[GlobalState, int]:
    """Deterministic policies of `bandit`: an arm for every global state."""
    states = product(*(range(size) for size in bandit.sizes))
    return {state: draw(st.integers(0, len(bandit.arms) - 1)) for state in states}


@st.composite
def transition_counts(draw: DrawFn, size: int, largest: int = 4) -> list[list[int]]:
    """Observed transitions counted, (size, size): states never activated (zero rows) among them."""
    row = st.one_of(st.just([0] * size), st.lists(st.integers(0, largest), min_size=size, max_size=size))
    return draw(st.lists(row, min_size=size, max_size=size))


@st.composite
def estimates(draw: DrawFn, arm: Arm, largest: int = 4) -> tuple[Arm, tuple[int, ...]]:
    """Empirical means of `arm` that some observations could give, and the number of activations of each state.

    A state with activations has the fractions of its counted transitions and a reward in [0, 1] with that denominator;
    a state without any has an arbitrary row and reward, as no formula says what they are.
    """
    counts = draw(transition_counts(arm.size, largest))
    activations = tuple(sum(row) for row in counts)
    rows, rewards = [], []
    for row, total in zip(counts, activations, strict=True):
        if total:
            rows.append(tuple(fmpq(count, total) for count in row))
            rewards.append(fmpq(draw(st.integers(0, total)), total))
        else:
            rows.append(draw(probability_rows(arm.size)))
            rewards.append(draw(rationals()))
    return Arm(rewards=rewards, transitions=rows), activations


@st.composite
def priors(draw: DrawFn, max_models: int = 3, max_arms: int = 2, max_size: int = 2) -> FinitePrior:
    """Finite priors over bandits of equal sizes and discount with rewards in [0, 1]; a single model among them."""
    sizes = draw(st.lists(st.integers(1, max_size), min_size=1, max_size=max_arms))
    discount = draw(discounts())
    count = draw(st.integers(1, max_models))
    models = [Bandit([draw(arms(size, size)) for size in sizes], discount) for _ in range(count)]
    weights = draw(st.lists(st.integers(1, 4), min_size=count, max_size=count))
    return FinitePrior(models, [fmpq(weight, sum(weights)) for weight in weights])

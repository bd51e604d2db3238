"""A bandit to play: floating-point transitions, laws of rewards, and a law of initial states.

A model given by mean rewards pays exactly these, unless it has laws of rewards (`mbrl.environments.rewards`). Learners
see rewards relative to an offset and in a unit. Indices, values and regrets are in the model's own unit, computed from
its mean rewards as given, so that a reward that play never collects changes none of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from mbrl.arrays import Floats, Integers, ReadOnly, floats, integers, kept
from mbrl.environments.rewards import ROUNDING, RewardLaws, deviation_of, paid
from mbrl.policies import IndexPolicy, Policy, fits
from theory import Bandit, ModelError, NumberError, RewardLaw, nearest_float

if TYPE_CHECKING:
    from mbrl.kernels.play import World

_SHOWN_ARMS = 12


@dataclass(frozen=True, eq=False, repr=False)
class Environment(ReadOnly):
    """The true model; learners see only its `Problem`.

    Its arrays cannot be changed: they are copies, unless the given arrays are read-only and own their data.

    Attributes
    ----------
    name : str
    transitions : (n, S, S)
        Arm a uses its first ``sizes[a]`` states; zero elsewhere.
    transition_rewards : (n, S, S) or (n, S, 1)
        Mean reward of each transition, in units; the shorter form if it does not depend on the next state. Without
        `laws` it is the probability of a reward of 1, and other rewards are 0.
    sizes : (n,) int64
    discount : float
    starts : (m, n) int64
        Possible initial global states, at least one.
    start_law : (m,)
        Their probabilities.
    unit, offset : float
        A reward r is worth ``offset + unit * r`` in the model's own unit.
    means : (n, S), optional
        Mean reward of playing each arm state, in the model's own unit; by default computed from `transition_rewards`,
        with the rounding of offset and unit.
    exact : theory.Bandit, optional
        The exact model, of which the floats here are the nearest ones.
    laws : RewardLaws, optional
        Laws of the rewards of each arm state, if rewards are not 0 or 1 in units.
    states : tuple of tuple of str, optional
        The names of each arm's states.

    Raises
    ------
    ModelError
        For anything that is no Markovian bandit with such rewards; the error names arm, state and value.

    Examples
    --------
    >>> Environment("mine", [[[0.5]]], [[[1.0]]], [1], 0.9, [[0]])
    Traceback (most recent call last):
    theory.errors.ModelError: mine: arm 1, state 1: row sums to 0.5, not 1
    >>> Environment("mine", [np.eye(3)], [[[0, 1, 0], [0, 1, 1.5], [0, 0, 0]]], [3], 0.9, [[0]])
    Traceback (most recent call last):
    theory.errors.ModelError: mine: arm 1, state 2: probability 1.5 of a reward is outside 0..1
    >>> Environment("mine", [np.eye(2)], [[[0.5], [1.0]]], [2], 0.9, [[0], [1]], [1.0, 0.0]).start_text
    'play starts in one of 2 global states'
    """

    name: str
    transitions: Floats
    transition_rewards: Floats
    sizes: Integers
    discount: float
    starts: Integers
    start_law: Floats = field(default_factory=lambda: np.ones(1))
    unit: float = 1.0
    offset: float = 0.0
    laws: RewardLaws | None = None
    states: tuple[tuple[str, ...], ...] = ()
    means: Floats | None = None
    exact: Bandit | None = None

    def __post_init__(self) -> None:
        try:
            self._check()
        except ModelError as error:
            raise ModelError(f"{self.name}: {error}") from None

    def _check(self) -> None:
        """Replace the given arrays by checked, contiguous and read-only ones."""
        from mbrl.kernels import arguments  # noqa: PLC0415  (numba is loaded when first needed)

        transitions, sizes = arguments.check_rows(self.transitions, self.sizes)
        means = floats(self.transition_rewards, "transition rewards")
        if means.shape not in {transitions.shape, (*transitions.shape[:2], 1)}:
            raise ModelError(f"transition rewards: shape {means.shape} does not fit transitions {transitions.shape}")
        for a, x, y in np.argwhere(~((means >= 0) & (means <= 1))):
            value = f"{means[a, x, y]:.12g}"
            raise ModelError(f"arm {a + 1}, state {x + 1}: probability {value} of a reward is outside 0..1")
        starts = integers(self.starts, "initial states")
        if starts.ndim != 2 or len(starts) == 0:
            raise ModelError(f"initial states: shape {starts.shape} is not (m, {sizes.size}), m at least 1")
        for number, start in enumerate(starts, start=1):
            arguments.check_start(start, sizes, f"initial state {number}" if len(starts) > 1 else "initial state")
        law = floats(self.start_law, "probabilities of initial states")
        if law.shape != starts.shape[:1]:
            raise ModelError(f"{len(starts)} initial states but {law.size} probabilities")
        if not (law.min() >= 0 and abs(law.sum() - 1) <= arguments.ROW_TOLERANCE):
            raise ModelError(f"probabilities of initial states: {law.tolist()} are negative or do not sum to 1")
        for what, scale, least in (("unit", self.unit, 0.0), ("offset", self.offset, -np.inf)):
            if not isinstance(scale, (int, float, np.number)) or not least < scale < np.inf:
                raise ModelError(f"{what}: {scale!r} is not a {'positive' if least == 0 else 'finite'} number")
        if self.laws is not None:
            self.laws.check(means, sizes)
        if self.means is not None:
            own = _padded(arguments.check_rewards(self.means, sizes, transitions.shape[1]), sizes)
            seen = _padded(self.offset + self.unit * _means_of(transitions, means), sizes)
            for a, x in np.argwhere(np.abs(own - seen) > ROUNDING * (self.unit + abs(self.offset))):
                raise ModelError(
                    f"arm {a + 1}, state {x + 1}: mean reward {own[a, x]:.12g}, but {seen[a, x]:.12g} is paid"
                )
            object.__setattr__(self, "means", kept(own))
        discount = arguments.check_discount(self.discount)
        checked = {"transitions": transitions, "transition_rewards": means, "sizes": sizes, "starts": starts}
        for name, array in (checked | {"start_law": law}).items():
            object.__setattr__(self, name, kept(array))  # the dataclass is frozen; this is its construction
        object.__setattr__(self, "discount", discount)

    def __str__(self) -> str:
        sizes = self.sizes.tolist()
        low, high = min(sizes), max(sizes)
        of = str(low) if low == high else f"{low} to {high}"
        arms = f"{len(sizes)} arm{'s' * (len(sizes) > 1)} of {of} state{'s' * (high > 1)}"
        return f"{self.name}: {arms}, discount {self.discount:.12g}, {self.start_text}"

    def __repr__(self) -> str:
        return f"<{self}>"

    @property
    def start_text(self) -> str:
        """The initial state in words, by names of states or by numbers from 1, as in all printed output.

        Examples
        --------
        >>> Environment("mine", [[[1.0]]] * 2, [[[1.0]]] * 2, [1, 1], 0.9, [[0, 0]]).start_text
        'play starts in (state 1, state 1)'
        """
        if len(self.starts) > 1:
            return f"play starts in one of {len(self.starts)} global states"
        shown = [
            self.states[a][x] if self.states else f"state {x + 1}" for a, x in enumerate(self.starts[0, :_SHOWN_ARMS])
        ]
        return f"play starts in ({', '.join(shown)}{', ...' if self.sizes.size > _SHOWN_ARMS else ''})"

    @cached_property
    def rewards(self) -> Floats:
        """(n, S) mean rewards of playing each arm state, in the model's own unit.

        Examples
        --------
        >>> Environment("paid on arrival", [[[0.75, 0.25], [0, 1]]], [[[0, 1], [0, 1]]], [2], 0.9, [[0]]).rewards
        array([[0.25, 1.  ]])
        """
        if self.means is not None:
            return self.means
        means = _means_of(self.transitions, self.transition_rewards)
        return kept(_padded(self.offset + self.unit * means, self.sizes))

    @cached_property
    def largest_reward(self) -> float:
        """Largest absolute mean reward over the states that each arm can reach.

        Examples
        --------
        >>> far = Environment("", [np.eye(2)], [[[1], [0]]], [2], 0.5, [[0]], offset=-1e9, unit=1e9 + 1)
        >>> far.rewards.tolist(), far.largest_reward
        ([[1.0, -1000000000.0]], 1.0)
        """
        reached = np.zeros(self.rewards.shape, dtype=bool)
        new = reached.copy()
        new[np.arange(self.sizes.size), self.starts] = True
        while new.any():
            reached |= new
            new = (self.transitions > 0).any(axis=1, where=new[:, :, None]) & ~reached
        return float(np.abs(self.rewards).max(where=reached, initial=0.0))

    @cached_property
    def bandit(self) -> Bandit:
        """The exact model: the given one if its nearest floats are those here, otherwise these floats, read exactly."""
        from mbrl.kernels.exact import exact_bandit  # noqa: PLC0415

        given = self.exact
        if given is not None and nearest_float(given.discount) == self.discount:
            rows, rewards = _floats_of(given)
            if np.array_equal(rows, self.transitions) and np.array_equal(rewards, self.rewards):
                return given
        return exact_bandit(self.transitions, self.rewards, self.sizes, self.discount)

    @property
    def has_bounded_rewards(self) -> bool:
        """Whether every reward lies in 0..1, in units."""
        return self.laws is None or self.laws.bounded

    @cached_property
    def world(self) -> World:
        """The true model in the form that compiled code takes."""
        from mbrl.kernels.play import Laws, World  # noqa: PLC0415

        laws, (nothing, no_noise) = self.laws, map(kept, (np.empty((0, 0, 0)), np.empty((0, 0))))
        drawn = Laws(nothing, nothing, no_noise)
        if laws is not None:
            drawn = Laws(laws.values, laws.cumulative, no_noise if laws.bounded else laws.deviations)
        model = (self.transitions, self.transition_rewards, self.rewards, self.sizes)
        return World(*model, self.discount, drawn)

    @property
    def number_of_global_states(self) -> int:
        """Size of the product of the arms' state spaces."""
        return prod(int(size) for size in self.sizes)

    @cached_property
    def optimal_policy(self) -> IndexPolicy:
        """The Gittins index policy of the true model."""
        from mbrl.kernels.gittins import indices_once  # noqa: PLC0415

        return IndexPolicy(indices_once(self.transitions, self.rewards, self.sizes, self.discount), self.sizes)

    def optimal_value(self, start: Integers) -> float:
        """Return the `value` of the optimal policy, without compiling code if the model is small."""
        from mbrl.kernels.conservation import evaluate_indices  # noqa: PLC0415
        from mbrl.kernels.gittins import is_small  # noqa: PLC0415

        if not is_small(self.rewards):
            return self.value(self.optimal_policy, start)
        model, indices = (self.transitions, self.rewards, self.sizes), self.optimal_policy.indices
        return float(evaluate_indices(*model, start, indices, False, self.discount)[0])

    def value(self, policy: Policy, start: ArrayLike) -> float:
        """Return the expected total discounted reward of `policy` from `start`, in the model's own unit.

        A priority policy is valued by the conservation laws, a table by a linear system on the reachable global states.

        Raises
        ------
        ModelError
            For a policy of other arms, or a start that does not exist.

        Examples
        --------
        >>> two = Environment("1 or 0", [[[1.0]]] * 2, [[[1.0]], [[0.0]]], [1, 1], 0.5, [[0, 0]])
        >>> [two.value(IndexPolicy.from_indices([[7], [7]], [1, 1], ties=which), [0, 0]) for which in ("first", "last")]
        [2.0, 0.0]
        """
        return self.value_and_error(policy, start)[0]

    def value_and_error(self, policy: Policy, start: ArrayLike) -> tuple[float, float]:
        """Return the `value`, and a bound on its distance from the exact value of these floats."""
        from mbrl.kernels.arguments import check_start  # noqa: PLC0415
        from mbrl.kernels.conservation import value_by_indices  # noqa: PLC0415
        from mbrl.kernels.product import value_of_table  # noqa: PLC0415

        first = check_start(start, self.sizes).view()
        first.flags.writeable = False  # like the rows of `starts`: one compiled version
        self.check_fits(policy)
        model = (self.transitions, self.rewards, self.sizes, first)
        if isinstance(policy, IndexPolicy):
            indices = policy.indices.copy()  # writeable as in the loop that plays: one compiled version
            return value_by_indices(*model, indices, policy.ties == "last", self.discount)
        return value_of_table(*model, policy.table, self.discount)

    def check_fits(self, policy: Policy) -> None:
        """Raise a `ModelError` if `policy` belongs to a bandit with other arms."""
        if not fits(policy, self.sizes, self.rewards.shape[1]):
            raise ModelError(f"{self.name}: a policy of a bandit with other arms")


def from_bandit(bandit: Bandit, name: str) -> Environment:
    """Return the environment of an exact bandit.

    Rewards follow the laws of the arms; an arm without laws pays its mean rewards exactly.

    Raises
    ------
    ModelError
        If the bandit has no initial state, or the discount is 1 in floating point.
    NumberError
        For a number beyond the range of floats.
    """
    sizes = np.array(bandit.sizes, dtype=np.int64)
    transitions, means = _floats_of(bandit)
    laws: list[Sequence[RewardLaw]] = []
    if any(arm.reward_laws for arm in bandit.arms):
        laws = [arm.reward_laws or [RewardLaw.constant(mean) for mean in arm.rewards] for arm in bandit.arms]
    discount = nearest_float(bandit.discount)
    if discount == 1:
        raise ModelError("discount: so near 1 that it is 1 in floating point; the exact commands take it")
    return Environment(
        name=name,
        transitions=transitions,
        sizes=sizes,
        discount=discount,
        starts=np.array([bandit.start()], dtype=np.int64),
        states=tuple(arm.states for arm in bandit.arms),
        exact=bandit,
        **paid(means, sizes, laws=laws),
    )


def _floats_of(bandit: Bandit) -> tuple[Floats, Floats]:
    """Return the (n, S, S) transitions and (n, S) mean rewards of an exact bandit, padded with 0."""
    width = max(bandit.sizes)
    transitions, rewards = np.zeros((len(bandit.arms), width, width)), np.zeros((len(bandit.arms), width))
    for a, arm in enumerate(bandit.arms):
        for x in range(arm.size):
            try:
                rewards[a, x] = nearest_float(arm.rewards[x])
            except NumberError as error:
                raise NumberError(f"arm {a + 1}, state {arm.states[x]}: reward {error}") from None
            transitions[a, x, : arm.size] = [nearest_float(p) for p in arm.transitions[x]]
    return transitions, rewards


def _means_of(transitions: Floats, by_move: Floats) -> Floats:
    """Return the (n, S) mean rewards of arm states from mean rewards of moves, (n, S, S) or (n, S, 1)."""
    means: Floats = by_move[:, :, 0] if by_move.shape[2] == 1 else np.einsum("axy,axy->ax", transitions, by_move)
    return means


def with_rewards(environment: Environment, law: str) -> Environment:
    """Return the same bandit with another law of rewards that has the same means.

    Parameters
    ----------
    environment
        The bandit.
    law
        ``bernoulli``, ``constant`` or ``gaussian:DEVIATION``, in the model's own unit; for all arm states.

    Raises
    ------
    ModelError, NumberError
        For any other text, or Bernoulli rewards with means outside 0..1.

    Examples
    --------
    >>> from mbrl.environments import random_walk
    >>> with_rewards(random_walk(), "gaussian:0.1").laws.deviations[0]
    array([0.1, 0.1, 0.1, 0.1])
    >>> both = Environment("-1 and 3", [np.eye(2)], [[[0], [1]]], [2], 0.5, [[0]], unit=4, offset=-1)
    >>> with_rewards(both, "constant").rewards
    array([[-1.,  3.]])
    """
    means, sizes, deviation = environment.rewards, environment.sizes, deviation_of(law)
    if deviation is not None:
        return replace(environment, **paid(means, sizes, deviation))
    for a, x in np.argwhere((means < 0) | (means > 1)):
        outside = f"a Bernoulli reward has a mean from 0 to 1, not {means[a, x]:.12g}"
        raise ModelError(f"{environment.name}: arm {a + 1}, state {x + 1}: {outside}")
    return replace(environment, **paid(means, sizes) | {"laws": None})


def _padded(means: Floats, sizes: Integers) -> Floats:
    """Return the mean rewards, with 0 in the padding.

    Examples
    --------
    >>> _padded(np.array([[0.75, 1.0, 0.5], [0.25, 0.5, 0.75]]), np.array([2, 3]))
    array([[0.75, 1.  , 0.  ],
           [0.25, 0.5 , 0.75]])
    """
    return np.where(np.arange(means.shape[1]) < sizes[:, None], means, 0.0)

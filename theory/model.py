r"""The exact Markovian bandit.

An *arm* is a Markov reward process: a reward :math:`r(x)` and a transition row :math:`Q(x, \cdot)` for each of its
states. A *bandit* is a list of arms with a discount :math:`0 \le \beta < 1`; at each step one arm is played, and only
that arm moves (`eq:defP`). Arms may differ in size. Every number is an exact rational; every row sums to exactly 1.

An arm may carry two radii, one of its rewards and one (in L1 norm) of its rows. It then describes the set of all arms
within these radii (`eq:conf_rq`). It may also carry the laws of its rewards, which matter only in play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from functools import cached_property
from html import escape
from itertools import chain, repeat
from math import prod
from operator import index
from typing import Never, TypeAlias

from flint import fmpq, fmpq_mat

from theory.domain import (
    Entries,
    RowReader,
    checked_name,
    exact_discount,
    listed,
    numbers_of_states,
    radii,
    rewards_and_labels,
    row_of,
    rows_of_states,
    state_index,
)
from theory.errors import ModelError, refuse_other_order, shown
from theory.rationals import Exact, rational
from theory.reward_laws import RewardLaw
from theory.rounding import from_float, row_from_floats

ArmState: TypeAlias = tuple[int, int]
"""An arm and one of its states, both by index from 0."""

_LARGEST_HTML = 400
"""Numbers up to which notebooks show the rows of arms."""

_LONGEST_REPR = 1000
"""Characters up to which `repr` shows all numbers."""

GlobalState: TypeAlias = tuple[int, ...]
"""One state per arm, by index from 0."""

Priority: TypeAlias = tuple[ArmState, ...]
"""All arm states in strict order, the most urgent first."""


@dataclass(frozen=True, init=False)
class Arm:
    """A Markov reward process with exact rational data, given by name.

    Parameters
    ----------
    rewards : (S,) exact numbers
        Mean reward of playing the arm in each state.
    transitions : (S, S) exact numbers
        Row x is the law of the next state; non-negative, summing to exactly 1. A row may be a mapping of next states,
        by index from 0 or by name, to their probabilities; the others are 0.
    states : (S,) names, optional
        Unique within the arm; a bandit names the states of an unnamed arm ``a1s1``, ``a1s2``, ...
    reward_radius, transition_radius : (S,) exact numbers, optional
        Radii of the confidence set (`eq:conf_rq`), non-negative; 0 where omitted.
    reward_laws : (S,) laws, optional
        Laws of the rewards; their means must be exactly `rewards`.
    name : text, optional
        Name of the arm in a log. The names of its states may begin with it: ``M07 worn``.

    Raises
    ------
    ModelError
        For anything that is not a Markov reward process; the error names the state and the value.
    NumberError
        For a float, or something that is not a number.

    Examples
    --------
    >>> arm = Arm(rewards=[1, "1/2"], transitions=[["1/2", "1/2"], [0, 1]])
    >>> arm.size, arm.transitions[0]
    (2, (1/2, 1/2))
    >>> Arm(rewards=[1, "1/2"], transitions=[{0: "1/2", 1: "1/2"}, {1: 1}]) == arm
    True
    """

    rewards: tuple[fmpq, ...]
    transitions: tuple[tuple[fmpq, ...], ...]
    states: tuple[str, ...] = ()
    reward_radius: tuple[fmpq, ...] = ()
    transition_radius: tuple[fmpq, ...] = ()
    reward_laws: tuple[RewardLaw, ...] = ()
    name: str = field(default="", repr=False)
    entries: tuple[Entries, ...] = field(init=False, repr=False, compare=False)

    def __init__(
        self,
        *unnamed: Never,  # so that Python's own error names the missing argument
        rewards: Iterable[Exact],
        transitions: Iterable[Iterable[Exact] | Mapping[int | str, Exact]],
        states: Iterable[str] = (),
        reward_radius: Iterable[Exact] = (),
        transition_radius: Iterable[Exact] = (),
        reward_laws: Iterable[RewardLaw] = (),
        name: str = "",
    ) -> None:
        if unnamed:
            raise ModelError("an arm's numbers are given by name: Arm(rewards=..., transitions=...)")
        refuse_other_order(rewards=rewards, transitions=transitions, states=states)
        given, names, labels = rewards_and_labels(rewards, states)
        reader = RowReader(labels, names)
        entries = tuple(reader.entries(row, x) for x, row in enumerate(rows_of_states(transitions, labels)))
        set_field = object.__setattr__  # the dataclass is frozen; this is its construction
        set_field(self, "states", names)
        set_field(self, "rewards", numbers_of_states(given, labels, "reward", rational))
        set_field(self, "transitions", tuple(row_of(row, len(labels)) for row in entries))
        set_field(self, "entries", entries)
        set_field(self, "reward_radius", radii(reward_radius, labels, "reward radius"))
        set_field(self, "transition_radius", radii(transition_radius, labels, "transition radius"))
        set_field(self, "reward_laws", listed(reward_laws, "reward laws", "give one law per state"))
        set_field(self, "name", "" if name == "" else checked_name(name, "arm"))
        _check_laws(self.reward_laws, self.rewards, labels)

    @classmethod
    def from_floats(
        cls,
        *,
        rewards: Iterable[float | Exact],
        transitions: Iterable[Iterable[float | Exact]],
        states: Iterable[str] = (),
        reward_radius: Iterable[float | Exact] = (),
        transition_radius: Iterable[float | Exact] = (),
    ) -> Arm:
        """Return the arm of the exact rationals that floats, such as those of NumPy arrays, were meant to be.

        Each float becomes the fraction of denominator at most 10^6 that rounds to it, or else the shortest decimal that
        does. A row of S floats may miss 1 by rounding, which is at most S 2^-52; its largest entry then absorbs the
        difference. `theory.rounding` states the rule in full. Apply `numpy.round` first to remove the noise of earlier
        computations.

        Raises
        ------
        ModelError
            For a bad value, or a row that misses 1 by more than rounding; the error names the state and the value.
        NumberError
            For what is no finite number.

        Examples
        --------
        >>> arm = Arm.from_floats(rewards=[0.2, 1 / 3], transitions=[[0.9, 0.1], [1 / 3, 2 / 3]])
        >>> arm.rewards, arm.transitions
        ((1/5, 1/3), ((9/10, 1/10), (1/3, 2/3)))
        """
        refuse_other_order(rewards=rewards, transitions=transitions, states=states)
        given, names, labels = rewards_and_labels(rewards, states)
        rows, reader = rows_of_states(transitions, labels), RowReader(labels, names, row_from_floats)
        return cls(
            rewards=numbers_of_states(given, labels, "reward", from_float),
            transitions=[dict(reader.entries(row, x)) for x, row in enumerate(rows)],
            states=names,
            reward_radius=radii(reward_radius, labels, "reward radius", from_float),
            transition_radius=radii(transition_radius, labels, "transition radius", from_float),
        )

    def __hash__(self) -> int:
        """Return a hash of the numerators of rewards and rows; hashing an `fmpq` takes as long as twenty integers."""
        return hash((self.integer_entries, tuple(int(reward.p) for reward in self.rewards)))

    def __repr__(self) -> str:
        """Return all numbers; for a large arm, the same text as `str`."""
        return _all_or_short(self)

    def __str__(self) -> str:
        """Return the number of states as one line."""
        return f"arm of {self.size} state{'s' * (self.size > 1)}"

    def _repr_html_(self) -> str:
        """Return rewards and rows as a table for notebooks; for a large arm, its size."""
        if self.size * self.size > _LARGEST_HTML:
            return f"<p>{self}</p>"
        names = [escape(name) for name in self.states or map(str, range(1, self.size + 1))]
        lines = ["".join(f"<th>{cell}</th>" for cell in ("", "reward", *(f"to {name}" for name in names)))]
        for name, reward, row in zip(names, self.rewards, self.transitions, strict=True):
            lines.append(f"<th>{name}</th>" + "".join(f"<td>{number}</td>" for number in (reward, *row)))
        return "<table>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"

    @property
    def size(self) -> int:
        """Number of states S."""
        return len(self.rewards)

    @cached_property
    def integer_entries(self) -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
        """Per state, the least common denominator d, and the pairs (y, n) of all ``Q(x, y) = n / d`` that are not 0."""
        return tuple(_over_common_denominator(row) for row in self.entries)

    @cached_property
    def integer_rows(self) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Per state, ``(d, numerators)`` with ``Q(x, y) = numerators[y] / d`` and d the least common denominator."""
        size = self.size
        return tuple((d, tuple(map(dict(pairs).get, range(size), repeat(0)))) for d, pairs in self.integer_entries)

    @property
    def has_radii(self) -> bool:
        """Whether the arm describes more than one Markov reward process."""
        return any(self.reward_radius) or any(self.transition_radius)


@dataclass(frozen=True, init=False)
class Bandit:
    """Arms of any sizes, a discount, and optionally the state play starts from.

    Parameters
    ----------
    arms
        At least one. States without names are called ``a1s1``, ... If several arms have a state of the same name,
        `Bandit` qualifies the name by the arm's number: ``2:worn`` is the second arm's.
    discount
        The exact discount, ``0 <= discount < 1``.
    initial
        One state per arm, by index from 0 or by name.

    Examples
    --------
    >>> constant = Arm(rewards=["1/3"], transitions=[[1]])
    >>> bandit = Bandit(arms=[constant, constant], discount="9/10", initial=[0, "a2s1"])
    >>> bandit.state_names, bandit.initial
    (('a1s1', 'a2s1'), (0, 0))
    """

    arms: tuple[Arm, ...]
    discount: fmpq
    initial: GlobalState | None = None
    _names: tuple[tuple[str, ...], ...] = field(init=False, repr=False, compare=False)
    _positions: dict[str, ArmState] = field(init=False, repr=False, compare=False)

    def __init__(self, arms: Iterable[Arm], discount: Exact, initial: Sequence[int | str] | None = None) -> None:
        set_field = object.__setattr__
        if isinstance(arms, Arm):
            raise ModelError("arms: this is one Arm; give a list of arms, such as [arm]")
        given = listed(arms, "arms", "give a list of arms, such as [arm]")
        named = tuple(_with_names(arm, number) for number, arm in enumerate(given, start=1))
        if not named:
            raise ModelError("a bandit needs at least one arm")
        for name, count in Counter(arm.name for arm in named if arm.name).items():
            if count > 1:
                raise ModelError(f"{count} arms have the name {name}; rename all but one")
        set_field(self, "arms", named)
        set_field(self, "discount", exact_discount(discount))
        set_field(self, "_names", _names(named))
        set_field(self, "_positions", _positions(named, self._names))
        set_field(self, "initial", None if initial is None else self.global_state(initial))

    def __repr__(self) -> str:
        """Return all numbers; for a large bandit, the same text as `str`."""
        return _all_or_short(self)

    def __str__(self) -> str:
        """Return sizes, discount and initial state as one line.

        Examples
        --------
        >>> one = Arm(rewards=["1/3", 0], transitions=[[0, 1], [1, 0]], states=["up", "down"])
        >>> print(Bandit([one], "9/10", ["down"]))
        bandit of 1 arm, with 2 states, discount 9/10, started in (down)
        """
        low, high = min(self.sizes), max(self.sizes)
        states = f"{low} state{'s' * (low > 1)}" if low == high else f"{low} to {high} states"
        arms = f"{len(self.arms)} arms" if len(self.arms) > 1 else "1 arm"
        start = "" if self.initial is None else f", started in ({', '.join(map(self.name, enumerate(self.initial)))})"
        return f"bandit of {arms}, with {states}, discount {self.discount}{start}"

    def _repr_html_(self) -> str:
        """Return the arms as tables for notebooks, large arms as one line."""
        parts = [f"<p>{escape(str(self))}</p>"]
        if sum(size * size for size in self.sizes) <= _LARGEST_HTML:
            parts += [arm._repr_html_() for arm in self.arms]
        return "".join(parts)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of states of each arm."""
        return tuple(arm.size for arm in self.arms)

    @property
    def number_of_global_states(self) -> int:
        """Size of the product of the state spaces."""
        return prod(self.sizes)

    @property
    def state_names(self) -> tuple[str, ...]:
        """Names of all arm states, arm by arm, each once: see `name`."""
        return tuple(chain.from_iterable(self._names))

    @property
    def arm_states(self) -> tuple[ArmState, ...]:
        """All arm states, arm by arm."""
        return tuple((a, x) for a, arm in enumerate(self.arms) for x in range(arm.size))

    def name(self, state: ArmState) -> str:
        """Return the name of an arm state, led by the arm's number if several arms have a state of that name.

        Examples
        --------
        >>> machine = Arm(rewards=[1, 0], transitions=[[0, 1], [0, 1]], states=["new", "worn"])
        >>> bandit = Bandit([machine, machine], "1/2", initial=["new", "worn"])
        >>> bandit.name((1, 1)), bandit.arm_state("2:worn"), bandit.initial
        ('2:worn', (1, 1), (0, 1))
        """
        arm, x = self._pair(state, "name")
        return self._names[arm][x]

    def arm_state(self, name: str) -> ArmState:
        """Return the arm and the index of the state called `name`, which may be led by the arm's number: ``2:worn``."""
        if isinstance(name, str) and name in self._positions:
            return self._positions[name]
        owners = [f"{a}:{name}" for a, arm in enumerate(self.arms, start=1) if name in arm.states]
        if owners:
            several = ", ".join(owners[:4]) + (", ..." if len(owners) > 4 else "")
            raise ModelError(f"{len(owners)} arms have a state called {name}; say which one is meant: {several}")
        known = ", ".join(self.state_names[:12]) + (", ..." if len(self.state_names) > 12 else "")
        raise ModelError(f"no state is called {shown(name)}; the states are {known}")

    def global_state(self, states: Sequence[int | str]) -> GlobalState:
        """Return a global state given by one index or name per arm."""
        example = f"[{', '.join(repr(arm.states[0]) for arm in self.arms[:3])}{', ...' if len(self.arms) > 3 else ''}]"
        given = listed(states, "initial", f"give one state per arm, such as {example}")
        if len(given) != len(self.arms):
            raise ModelError(f"initial: {len(given)} states given for {len(self.arms)} arms; give one state per arm")
        return tuple(self._local_index(arm, state) for arm, state in enumerate(given))

    def _local_index(self, arm: int, state: object) -> int:
        if isinstance(state, str):
            names = self.arms[arm].states
            for name in (state, f"{self.arms[arm].name} {state}"):  # named "worn" in a log, and "M07 worn" here
                if name in names:
                    return names.index(name)
            owner, x = self.arm_state(state)
            if owner != arm:
                raise ModelError(f"initial, arm {arm + 1}: {state} is a state of arm {owner + 1}")
            return x
        return state_index(state, self.arms[arm].size, f"initial, arm {arm + 1}")

    def start(self, initial: Sequence[int | str] | None = None) -> GlobalState:
        """Return `initial` as a global state, or the model's own initial state where it is omitted."""
        if initial is not None:
            return self.global_state(initial)
        if self.initial is None:
            raise ModelError("the model has no initial state: give initial, one state per arm")
        return self.initial

    def priority(self, states: Iterable[str | ArmState]) -> Priority:
        """Return a strict priority order over all arm states, given by names or (arm, state) pairs."""
        given = listed(states, "priority", "give a list of all states, the most urgent first, such as ['a2s1', 'a1s1']")
        order = tuple(self.arm_state(state) if isinstance(state, str) else self._pair(state) for state in given)
        everything = self.arm_states
        seen: set[ArmState] = set()
        for state in order:
            if state in seen:
                raise ModelError(f"priority: {self.name(state)} comes twice; every state comes once")
            seen.add(state)
        missing = [self.name(state) for state in everything if state not in seen]
        if missing:
            named = ", ".join(missing[:8]) + (", ..." if len(missing) > 8 else "")
            raise ModelError(f"priority: incomplete, {len(missing)} of {len(everything)} states missing: {named}")
        return order

    def _pair(self, state: object, what: str = "priority") -> ArmState:
        try:
            arm, x = (index(part) for part in state)  # type: ignore[attr-defined]  # arrays of two are taken
        except (TypeError, ValueError):
            raise ModelError(f"{what}: {shown(state)} is no state: give names or (arm, state) pairs from 0") from None
        if not (0 <= arm < len(self.arms) and 0 <= x < self.arms[arm].size):
            raise ModelError(f"{what}: ({arm}, {x}) is not an (arm, state) pair of this bandit")
        return arm, x


def check_arm(value: object) -> None:
    """Raise `ModelError` unless `value` is an `Arm`."""
    if isinstance(value, Bandit):
        raise ModelError("an Arm is wanted and this is a Bandit: give one of its arms, such as bandit.arms[0]")
    if not isinstance(value, Arm):
        raise ModelError(f"an Arm is wanted, not {shown(value)}: write Arm(rewards=..., transitions=...)")


def check_bandit(value: object) -> None:
    """Raise `ModelError` unless `value` is a `Bandit`."""
    if isinstance(value, Arm):
        raise ModelError("a Bandit is wanted and this is an Arm: write Bandit([arm], discount)")
    if not isinstance(value, Bandit):
        made = (
            "give its .bandit" if isinstance(getattr(value, "bandit", None), Bandit) else "write Bandit(arms, discount)"
        )
        raise ModelError(f"a Bandit is wanted, not {shown(value)}: {made}")


def _all_or_short(model: Arm | Bandit) -> str:
    values = (f"{each.name}={getattr(model, each.name)!r}" for each in fields(model) if each.repr)
    whole = f"{type(model).__name__}({', '.join(values)})"
    return whole if len(whole) <= _LONGEST_REPR else f"<{model}>"


def _with_names(arm: object, number: int) -> Arm:
    if not isinstance(arm, Arm):
        raise ModelError(f"arm {number}: {shown(arm)} is not an Arm")
    if arm.states:
        return arm
    named = copy(arm)  # the rest was checked before
    object.__setattr__(named, "states", tuple(f"a{number}s{x}" for x in range(1, arm.size + 1)))
    return named


def _names(arms: Sequence[Arm]) -> tuple[tuple[str, ...], ...]:
    owners = Counter(name for arm in arms for name in arm.states)
    return tuple(
        tuple(name if owners[name] == 1 else f"{a}:{name}" for name in arm.states)
        for a, arm in enumerate(arms, start=1)
    )


def _positions(arms: Sequence[Arm], names: Sequence[Sequence[str]]) -> dict[str, ArmState]:
    positions = {f"{a + 1}:{name}": (a, x) for a, arm in enumerate(arms) for x, name in enumerate(arm.states)}
    for a, row in enumerate(names):
        for x, name in enumerate(row):
            other = positions.setdefault(name, (a, x))
            if other != (a, x):
                raise ModelError(
                    f"arm {a + 1}, state {name}: state {arms[other[0]].states[other[1]]} of arm {other[0] + 1} has "
                    "this name, too; rename one of them"
                )
    return positions


def _check_laws(laws: Sequence[RewardLaw], rewards: Sequence[fmpq], labels: Sequence[str]) -> None:
    if laws and len(laws) != len(rewards):
        raise ModelError(f"{len(laws)} reward laws for {len(rewards)} states")
    for law, reward, label in zip(laws, rewards, labels, strict=False):
        if law.mean != reward:
            raise ModelError(f"state {label}: the law of the reward has mean {law.mean}, but the reward is {reward}")


def _over_common_denominator(row: Entries) -> tuple[int, tuple[tuple[int, int], ...]]:
    numerators, denominator = fmpq_mat([[p for _, p in row]]).numer_denom()
    return int(denominator), tuple((y, int(n)) for (y, _), n in zip(row, numerators.entries(), strict=True))

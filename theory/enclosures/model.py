r"""Arms and bandits whose numbers are real numbers known up to enclosures, instead of rational ones.

A number is an expression (`theory.enclosures.parsing`), a ball, or two ends. Its enclosure shrinks with more bits,
unless nothing more is known of it. At a number of bits the bandit is a *box* that contains the true bandit; results
from the box hold for each of its members.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from operator import attrgetter

from theory.domain import RowReader, listed, numbers_of_states, rewards_and_labels, rows_of_states
from theory.enclosures.box import ArmBox, BanditBox, RowBox
from theory.enclosures.conversion import Real, real_number
from theory.enclosures.enclosure import Enclosure
from theory.enclosures.expressions import Expression, Rational, enclose
from theory.enclosures.ranges import BITS_TRIED
from theory.errors import ModelError, NumberError, shown
from theory.model import Arm, Bandit, check_bandit

_FIELDS = ("rewards", "transitions", "states", "reward_radius", "transition_radius", "name")


class EnclosedArm:
    """A Markov reward process whose numbers are real numbers, given by name.

    Parameters
    ----------
    rewards : (S,) real numbers
        Exact numbers, text such as ``"sqrt(log(20)/2)"`` or ``"0.318 +/- 0.001"``, a `flint.arb`, an mpmath number
        with its error as a pair, or an `Enclosure`.
    transitions : (S, S) real numbers
        Rows whose enclosures allow a sum of 1, as the true row has. A row may be a mapping, as in `Arm`.
    states : (S,) names, optional
    reward_radius, transition_radius : (S,) real numbers, optional
        Certainly not negative; 0 where omitted.
    name : text, optional

    Examples
    --------
    >>> arm = EnclosedArm(rewards=["sqrt(2)", 0], transitions=[["exp(-1)", "1 - exp(-1)"], [0, 1]])
    >>> arm.size, arm.at(64).rewards[0].decimals(10)
    (2, ('1.41421356237', '1.41421356238'))
    """

    def __init__(
        self,
        *,
        rewards: Iterable[Real],
        transitions: Iterable[Iterable[Real] | Mapping[int | str, Real]],
        states: Iterable[str] = (),
        reward_radius: Iterable[Real] = (),
        transition_radius: Iterable[Real] = (),
        name: str = "",
    ) -> None:
        given, names, labels = rewards_and_labels(rewards, states)
        reader = RowReader(labels, names)
        rows = [reader.given(row, x) for x, row in enumerate(rows_of_states(transitions, labels))]
        radii = [listed(radius, "radius", "give one number per state") for radius in (reward_radius, transition_radius)]
        # an exact arm of the same shape checks shape and names
        self.shape = Arm(
            rewards=[0] * len(given),
            transitions=[{0: 1}] * len(rows),
            states=names,
            reward_radius=[0] * len(radii[0]),
            transition_radius=[0] * len(radii[1]),
            name=name,
        )
        self._labels = labels
        read = partial(numbers_of_states, read=real_number)
        self.rewards: tuple[Expression, ...] = read(given, labels, "reward")
        self.transitions = tuple(
            read([row.get(y, 0) for y in range(self.size)], [label] * self.size, "transition probability")
            for row, label in zip(rows, labels, strict=True)
        )
        self.reward_radius = read(radii[0] or (0,) * self.size, labels, "reward radius")
        self.transition_radius = read(radii[1] or (0,) * self.size, labels, "transition radius")
        self.at(BITS_TRIED[0])

    @classmethod
    def of(cls, arm: object) -> EnclosedArm:
        """Return an exact arm as an enclosed one, each number enclosed by a point."""
        if not isinstance(arm, Arm):
            raise ModelError(f"{shown(arm)} is no arm; make one with EnclosedArm(rewards=..., transitions=...)")
        return cls(**{name: getattr(arm, name) for name in _FIELDS})

    @property
    def size(self) -> int:
        """Number of states S."""
        return self.shape.size

    @property
    def numbers(self) -> tuple[Expression, ...]:
        """All numbers of the arm."""
        rows = [entry for row in self.transitions for entry in row]
        return (*self.rewards, *rows, *self.reward_radius, *self.transition_radius)

    @property
    def is_fixed(self) -> bool:
        """Whether some number stays wide, however many bits are asked for."""
        return any(number.is_fixed for number in self.numbers)

    def at(self, bits: int) -> ArmBox:
        """Return the arm with every number enclosed with this number of bits."""
        return ArmBox(
            tuple(enclose(number, bits) for number in self.rewards),
            tuple(
                RowBox.of([enclose(entry, bits) for entry in row], f"state {label}: row")
                for row, label in zip(self.transitions, self._labels, strict=True)
            ),
            self._radii(self.reward_radius, "reward radius", bits),
            self._radii(self.transition_radius, "transition radius", bits),
        )

    def _radii(self, radii: Sequence[Expression], what: str, bits: int) -> tuple[Enclosure, ...]:
        found = []
        for radius, label in zip(radii, self._labels, strict=True):
            enclosed = enclose(radius, bits)
            if enclosed.low < 0:
                low, high = enclosed.decimals(10)
                is_negative = "is negative" if enclosed.high < 0 else f"may be negative: it is between {low} and {high}"
                raise ModelError(f"state {label}: {what} {is_negative}")
            found.append(enclosed)
        return tuple(found)


class EnclosedBandit:
    """A bandit whose numbers are real numbers.

    Parameters
    ----------
    arms
        At least one, enclosed or exact.
    discount
        A real number that is certainly at least 0 and less than 1.
    initial
        One state per arm, by index from 0 or by name.

    Examples
    --------
    >>> arm = EnclosedArm(rewards=["sqrt(2)"], transitions=[[1]])
    >>> bandit = EnclosedBandit([arm], "exp(-1/100)", initial=[0])
    >>> bandit.at(64).discount.decimals(10)
    ('0.990049833749', '0.99004983375')
    """

    def __init__(
        self, arms: Iterable[EnclosedArm | Arm], discount: Real, initial: Sequence[int | str] | None = None
    ) -> None:
        given = listed(arms, "arms", "give a list of arms, such as [arm]")
        self.arms = tuple(arm if isinstance(arm, EnclosedArm) else EnclosedArm.of(arm) for arm in given)
        self.names = Bandit([arm.shape for arm in self.arms], 0, initial)
        try:
            self.discount = real_number(discount)
        except NumberError as error:
            raise NumberError(f"discount: {error}") from None
        self._least_bits = _bits_for_discount(self.discount, discount)

    @classmethod
    def of(cls, bandit: Bandit | EnclosedBandit) -> EnclosedBandit:
        """Return an exact bandit as an enclosed one, each number enclosed by a point; an enclosed bandit as it is."""
        if isinstance(bandit, EnclosedBandit):
            return bandit
        check_bandit(bandit)
        return cls(bandit.arms, bandit.discount, bandit.initial)

    def exact(self) -> Bandit | None:
        """Return the exact bandit if all numbers are rational, and None otherwise."""
        numbers = [number for arm in self.arms for number in arm.numbers]
        if not all(isinstance(number, Rational) for number in [*numbers, self.discount]):
            return None
        box = self.at(BITS_TRIED[0])
        return box.member(attrgetter("low"), box.discount.low)

    @property
    def is_fixed(self) -> bool:
        """Whether some number stays wide, however many bits are asked for."""
        return any(arm.is_fixed for arm in self.arms) or self.discount.is_fixed

    def at(self, bits: int) -> BanditBox:
        """Return the bandit with every number enclosed with `bits` bits, or more where the discount needs them."""
        enough = max(bits, self._least_bits)
        arms = []
        for number, arm in enumerate(self.arms, start=1):
            try:
                arms.append(arm.at(enough))
            except ModelError as error:
                raise ModelError(f"arm {number}, {error}") from None
        return BanditBox(tuple(arms), enclose(self.discount, enough), self.names)


def _bits_for_discount(discount: Expression, given: Real) -> int:
    for bits in BITS_TRIED:
        found = enclose(discount, bits)
        if found.low >= 0 and found.high < 1:
            return bits
        low, high = found.decimals(10)
        called = given if isinstance(given, str) else low if low == high else f"a number between {low} and {high}"
        if found.high < 0 or found.low >= 1:
            raise ModelError(f"discount: {called} is outside 0 <= discount < 1")
    outside = "1 or more" if found.high >= 1 else "negative"
    raise ModelError(f"discount: {called} may be {outside}: it is only known to lie between {low} and {high}")

r"""Arms with real rewards and rational rows, as the discount varies.

An elimination is linear in the rewards. Rewards are combinations of numbers :math:`e_1, \dots, e_m`: 1, and numbers
such as ``sqrt(2)`` that rational arithmetic cannot take apart. So an index is a quotient :math:`\sum_s c_s e_s / d`,
and the difference of two indices has the sign of some :math:`\sum_s c_s e_s`, where the :math:`c_s` and d are integer
polynomials in the discount, known exactly. Balls enclose the :math:`e_s` only, with as many bits as a sign takes.

A common factor of the :math:`c_s` has algebraic roots. Descartes' rule of signs, in balls, isolates the other roots: an
interval without a change of sign holds none, one with a single change holds one, others are divided. If this does not
end, as at a double root, the interval is *undecided*: pieces end at it, and nothing is claimed within. Combinations
that are multiples of each other have the same roots. If numbers are equal for another reason, as ``log(4)`` and
``2*log(2)`` are, no precision proves it, and comparing them is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce, total_ordering
from itertools import pairwise
from typing import Final

import flint
from flint import arb, arb_poly, fmpq, fmpz, fmpz_poly

from theory.enclosures.enclosure import Enclosure
from theory.enclosures.expressions import Expression, Operation, Rational, enclose
from theory.enclosures.model import EnclosedArm
from theory.enclosures.ranges import BITS_TRIED, UndecidedError
from theory.errors import ModelError
from theory.model import Arm
from theory.parametric.algebraic import AlgebraicNumber, roots_between_0_and_1, value_at
from theory.rationals import ONE, ZERO, decimal_text

UNIT: Final = Rational(ONE)
_ISOLATING_BITS: Final = 2048
_NARROWEST: Final = fmpq(1, fmpz(1) << 256)
_SHARE: Final = fmpq(4, 7)  # where intervals are divided: hardly ever at a root, unlike 1/2


@total_ordering
class RealNumber:
    """A combination of real numbers with rational weights; equal to another with the same weights.

    Comparing raises `UndecidedError` if numbers with different weights agree to 4096 bits.

    Examples
    --------
    >>> from theory.enclosures import parse_number
    >>> numbers = UNIT, parse_number("sqrt(2)")
    >>> short, long = (RealNumber(numbers, [fmpq(w), fmpq(1)]) for w in (-2, -1))  # sqrt(2) less 2, and less 1
    >>> short.sign(), long.sign(), short < long, short == long, short == RealNumber(numbers, short.weights)
    (-1, 1, True, False, True)
    >>> long.decimal(5), short.as_rational, RealNumber(numbers, [fmpq(3), fmpq(0)]).as_rational
    ('0.41421', None, 3)
    """

    def __init__(self, numbers: tuple[Expression, ...], weights: Sequence[fmpq]) -> None:
        self.numbers, self.weights = numbers, tuple(weights)

    @property
    def as_rational(self) -> fmpq | None:
        """The number if it is a rational multiple of 1, the first of the numbers; otherwise None."""
        return None if any(self.weights[1:]) else self.weights[0]

    def enclosure(self, bits: int) -> Enclosure:
        """Return an enclosure, computed from enclosures of the numbers with `bits` bits."""
        ends = [(w, enclose(number, bits)) for number, w in zip(self.numbers, self.weights, strict=True) if w]
        low = sum((w * (known.low if w > 0 else known.high) for w, known in ends), ZERO)
        return Enclosure(low, sum((w * (known.high if w > 0 else known.low) for w, known in ends), ZERO))

    def sign(self) -> int:
        """Return 1, 0 or -1; 0 only if all weights are 0."""
        for bits in BITS_TRIED if any(self.weights) else ():
            known = self.enclosure(bits)
            if known.low > 0 or known.high < 0:
                return 1 if known.low > 0 else -1
        if any(self.weights):
            raise UndecidedError(
                f"undecided: two numbers agree to {BITS_TRIED[-1]} bits; if they are equal, write them in the same way"
            )
        return 0

    def decimal(self, digits: int = 10) -> str:
        """Return the number correctly rounded to `digits` significant digits."""
        exact = self.as_rational
        for bits in BITS_TRIED if exact is None else ():
            known = self.enclosure(bits + 4 * digits)
            low, high = decimal_text(known.low, digits), decimal_text(known.high, digits)
            if low == high:
                return low
        return decimal_text((known.low + known.high) / 2 if exact is None else exact, digits)

    def __truediv__(self, divisor: fmpq) -> RealNumber:
        return RealNumber(self.numbers, [w / divisor for w in self.weights])

    def __eq__(self, other: object) -> bool:
        return self.weights == other.weights if isinstance(other, RealNumber) else NotImplemented

    def __lt__(self, other: RealNumber) -> bool:
        weights = [w - v for w, v in zip(self.weights, other.weights, strict=True)]
        return RealNumber(self.numbers, weights).sign() < 0

    def __hash__(self) -> int:
        return hash(self.weights)


class Combination:
    """A polynomial in the discount that is a sum of real numbers times integer polynomials.

    Parameters
    ----------
    numbers
        The real numbers, of which the first is 1; combinations in one computation have the same numbers.
    parts
        The polynomial that multiplies each number.
    """

    def __init__(self, numbers: tuple[Expression, ...], parts: Iterable[fmpz_poly]) -> None:
        self.numbers, self.parts = numbers, tuple(parts)
        self._key = tuple(tuple(map(int, part.coeffs())) for part in self.parts)

    def is_zero(self) -> bool:
        """Return whether all polynomials are 0."""
        return not any(self._key)

    def at(self, point: fmpq) -> RealNumber:
        """Return the value at a rational discount."""
        return RealNumber(self.numbers, [value_at(part, point) for part in self.parts])

    def coeffs(self) -> list[RealNumber]:
        """Return the coefficients, the constant first."""
        length = max(map(len, self._key))
        return [RealNumber(self.numbers, [fmpq(part[k]) for part in self.parts]) for k in range(length)]

    def gcd(self, other: fmpz_poly) -> fmpz_poly:
        """Return the greatest common divisor of all polynomials and `other`."""
        return reduce(fmpz_poly.gcd, self.parts, other)

    def vanishes_at(self, point: AlgebraicNumber) -> bool:
        """Return whether the combination is 0 at `point`, a root of itself or of an integer polynomial."""
        if isinstance(point, RealRoot):
            return self.is_zero() or self.in_lowest_terms()[1] == point.polynomial
        return all((part % point.polynomial).is_zero() for part in self.parts)

    def in_lowest_terms(self) -> tuple[fmpz_poly, Combination]:
        """Return the common divisor of the polynomials, and the quotient, which all multiples share."""
        common = self.gcd(fmpz_poly([0]))
        first = next(part for part in self.parts if not part.is_zero())
        return common, self // (common if first.leading_coefficient() > 0 else -common)

    def __mul__(self, factor: fmpz_poly) -> Combination:
        return Combination(self.numbers, (part * factor for part in self.parts))

    def __floordiv__(self, factor: fmpz_poly) -> Combination:
        return Combination(self.numbers, (part // factor for part in self.parts))

    def __sub__(self, other: Combination) -> Combination:
        return Combination(self.numbers, (one - two for one, two in zip(self.parts, other.parts, strict=True)))

    def __eq__(self, other: object) -> bool:
        return self._key == other._key and self.numbers == other.numbers if isinstance(other, Combination) else False

    def __hash__(self) -> int:
        return hash(self._key)


class RealRoot(AlgebraicNumber):
    """A root of a combination in lowest terms, or an interval whose number of roots is undecided."""

    def __init__(self, polynomial: Combination, low: fmpq, high: fmpq, *, is_decided: bool) -> None:
        super().__init__(polynomial, low, high)
        self.is_decided = is_decided

    def narrow(self) -> None:
        """Narrow the isolating interval."""
        if not self.is_decided or self.high - self.low < _NARROWEST:
            raise UndecidedError(f"undecided: do indices cross at the discount {decimal_text(self.low)}, to 70 digits")
        try:
            self._divide(_SHARE)
        except UndecidedError:  # the point may be the root, and then no root is elsewhere
            self._divide(1 - _SHARE)

    def _divide(self, share: fmpq) -> None:
        middle = self.low + share * (self.high - self.low)
        if self.polynomial.at(middle).sign() == self.polynomial.at(self.high).sign():
            self.high = middle
        else:
            self.low = middle

    def __hash__(self) -> int:
        return hash(self.polynomial)


def roots_of(polynomial: fmpz_poly | Combination) -> tuple[AlgebraicNumber, ...]:
    """Return the roots in (0, 1) of a non-zero polynomial: numbers, and undecided intervals."""
    if isinstance(polynomial, fmpz_poly):
        return roots_between_0_and_1(polynomial)
    common, rest = polynomial.in_lowest_terms()
    return (*roots_between_0_and_1(common), *_isolated(rest))


@lru_cache(maxsize=4096)
def _isolated(polynomial: Combination) -> tuple[RealRoot, ...]:
    todo, single, unclear = [(ZERO, ONE)], [], []
    while todo:
        low, high = todo.pop()
        changes = _sign_changes(polynomial, low, high)
        if changes == 1:
            single.append((low, high))
        elif changes != 0 and (high - low) ** 2 < _NARROWEST:
            unclear.append((low, high))
        elif changes != 0:
            middle = low + _SHARE * (high - low)
            todo += [(middle, high), (low, middle)]  # the lowest is next
    roots = []
    for low, high in single:
        root = RealRoot(polynomial, low, high, is_decided=True)
        while low in (root.low, root.high) or high in (root.low, root.high):
            root.narrow()  # so that it does not touch its neighbours
        roots.append(root)
    while unclear:
        low, high = unclear.pop()
        while unclear and unclear[-1][1] == low:  # join neighbouring intervals
            low, _ = unclear.pop()
        roots.append(RealRoot(polynomial, low, high, is_decided=False))
    return tuple(roots)


def _sign_changes(polynomial: Combination, low: fmpq, high: fmpq) -> int | None:
    """Return the number of sign changes, which bounds the roots in an open interval; None if a sign is unclear."""
    with flint.ctx.workprec(_ISOLATING_BITS):
        balls = arb_poly([_ball(number.enclosure(_ISOLATING_BITS)) for number in polynomial.coeffs()])
        moved = balls(arb_poly([arb(low), arb(high - low)]))
        mapped = arb_poly(moved.coeffs()[::-1])(arb_poly([1, 1])).coeffs()
        signs = [each > 0 for each in mapped if not each.is_zero()]
        if any(each.contains(0) and not each.is_zero() for each in mapped):
            return None
    return sum(one != other for one, other in pairwise(signs))


def _ball(known: Enclosure) -> arb:
    return arb(known.low).union(arb(known.high))


@dataclass(frozen=True)
class RealArm:
    """An arm whose rewards are sums of `numbers` with rational `weights`; `rows` is an exact arm with its rows."""

    given: EnclosedArm
    rows: Arm
    numbers: tuple[Expression, ...]
    weights: tuple[tuple[fmpq, ...], ...]

    @property
    def size(self) -> int:
        """Number of states."""
        return self.rows.size

    def near(self, bits: int) -> Arm:
        """Return an exact arm with approximations of these rewards."""
        rewards = [RealNumber(self.numbers, row).enclosure(bits).low for row in self.weights]
        return Arm(rewards=rewards, transitions=[dict(row) for row in self.rows.entries])


def real_arms(arms: Sequence[EnclosedArm]) -> tuple[RealArm, ...]:
    """Return arms with real rewards, as combinations of common numbers."""
    for number, arm in enumerate(arms, start=1):
        of_arm = f"arm {number}: " if len(arms) > 1 else ""
        if not all(isinstance(p, Rational) for row in arm.transitions for p in row):
            raise ModelError(f"{of_arm}indices for all discounts need rational rows; rewards may be any numbers")
        if any(reward.is_fixed for reward in arm.rewards):
            raise ModelError(f"{of_arm}a reward is only known up to an interval: give it as a number or an expression")
    rewards = [[_combined(reward) for reward in arm.rewards] for arm in arms]
    numbers = tuple(dict.fromkeys([UNIT, *(each for arm in rewards for reward in arm for each in reward)]))
    return tuple(
        RealArm(
            arm,
            Arm(rewards=[0] * arm.size, transitions=[[p.value for p in row] for row in arm.transitions]),  # type: ignore[attr-defined]
            numbers,
            tuple(tuple(reward.get(each, ZERO) for each in numbers) for reward in of_arm),
        )
        for arm, of_arm in zip(arms, rewards, strict=True)
    )


def _combined(number: Expression) -> dict[Expression, fmpq]:
    """Return a number as a sum of others with rational weights, as far as its expression allows."""
    if isinstance(number, Rational):
        return {UNIT: number.value}
    if not isinstance(number, Operation) or number.sign == "+/-":
        return {number: ONE}
    left, right = _combined(number.left), _combined(number.right)
    if number.sign in ("+", "-"):
        factor = ONE if number.sign == "+" else -ONE
        return left | {each: left.get(each, ZERO) + factor * w for each, w in right.items()}
    if right.keys() == {UNIT}:
        factor = right[UNIT] if number.sign == "*" else 1 / right[UNIT]
        return {each: w * factor for each, w in left.items()}
    if left.keys() == {UNIT} and number.sign == "*":
        return {each: w * left[UNIT] for each, w in right.items()}
    return {number: ONE}

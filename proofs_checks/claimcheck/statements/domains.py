"""Domains: the variables of a statement with their bounds and conditions.

A domain decides whether a point belongs to it, and yields points, the edges first (K = 1, n = 1, S = 1, beta = 0, beta
close to 1), where printed claims break.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from heapq import heappop, heappush
from itertools import chain, product, tee

import sympy  # type: ignore[import-untyped]
from flint import fmpq

from proofs_checks.claimcheck.statements.evaluation import (
    NotDefinedError,
    Program,
    UnclearError,
    decided,
    program,
    sympy_number,
)
from theory import ONE, ZERO

ExactPoint = Mapping[sympy.Symbol, fmpq]

_STEPS_OF_INTEGERS = (0, 1, 2, 3, 4, 5, 8, 11, 99, 1000, 10**6)
_STEPS_OF_REALS = (fmpq(0), fmpq(1), fmpq(1, 2), fmpq(1, 10), fmpq(3), fmpq(10), fmpq(1, 1000), fmpq(1000), fmpq(10**6))
_SHARES = (
    ZERO,
    fmpq(1, 2),
    fmpq(9, 10),
    fmpq(1, 10),
    fmpq(99, 100),
    fmpq(1, 3),
    fmpq(3, 4),
    fmpq(999, 1000),
    fmpq(1, 1000),
    1 - fmpq(1, 10**6),
    ONE,
)
_POINTS_LOOKED_AT = 200_000
GE = r"\ge"


@dataclass(frozen=True)
class Bounds:
    """The constant bounds of one variable; None on a side without a bound."""

    low: fmpq | None
    high: fmpq | None
    low_open: bool = False
    high_open: bool = False

    def holds(self, value: fmpq) -> bool:
        """Return whether a value is within the bounds."""
        if self.low is not None and (value < self.low or (self.low_open and value == self.low)):
            return False
        return not (self.high is not None and (value > self.high or (self.high_open and value == self.high)))

    def integers(self) -> list[fmpq]:
        """Return the integers between bounds on both sides, open or not."""
        assert self.low is not None
        assert self.high is not None
        return [fmpq(each) for each in range(int(self.low.ceil()), int(self.high.floor()) + 1)]


@dataclass(frozen=True)
class _Tie:
    """A condition slope * x + rest >= 0 (> 0, = 0) on one variable x; slope and rest are formulas in the given ones."""

    given: frozenset[sympy.Symbol]
    slope: Program
    rest: Program
    kind: type

    def bounds(self, point: ExactPoint) -> Bounds:
        """Return the bounds of x, an irrational end moved inward to a rational number."""
        slope, rest = self.slope(point), self.rest(point)
        if not (slope > 0 or slope < 0):
            return Bounds(None, None)
        end, is_open = -rest / slope, issubclass(self.kind, (sympy.Gt, sympy.Lt))
        low, high = (end, end) if isinstance(end, fmpq) else (end.upper().fmpq(), end.lower().fmpq())
        if self.kind is sympy.Eq:
            return Bounds(low, high)
        return Bounds(low, None, low_open=is_open) if slope > 0 else Bounds(None, high, high_open=is_open)


class ForAll:
    """All values of the symbols in `conditions` that satisfy each of them.

    Parameters
    ----------
    *conditions
        SymPy relations between the variables, rational numbers and expressions in both. Integer symbols take integer
        values, all others real values.

    Examples
    --------
    >>> T, beta = sympy.Symbol("T", integer=True), sympy.Symbol("beta", real=True)
    >>> domain = ForAll(T >= 1, beta >= 0, beta < 1)
    >>> next(iter(domain.points()))
    {T: 1, beta: 0}
    >>> domain.contains({T: fmpq(2), beta: fmpq(1)})
    False
    """

    def __init__(self, *conditions: sympy.Rel) -> None:
        for each in conditions:
            if each in (sympy.true, sympy.false, True, False):
                raise ValueError("a condition of a domain has no variable in it: SymPy has decided it")
            if not isinstance(each, sympy.core.relational.Relational):
                raise ValueError(f"a condition of a domain is {each!r}: write a SymPy relation, such as beta >= 0")
        self.conditions: tuple[sympy.Rel, ...] = conditions
        symbols = (sorted(condition.free_symbols, key=str) for condition in conditions)
        self.variables: tuple[sympy.Symbol, ...] = tuple(dict.fromkeys(chain.from_iterable(symbols)))
        self._points = self._found()
        self.tried = 0
        """Number of points at which `points` has looked so far."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ForAll) and self.conditions == other.conditions

    def __hash__(self) -> int:
        return hash(self.conditions)

    def where(self, *conditions: sympy.Rel) -> ForAll:
        """Return the part of the domain where these conditions hold too."""
        return ForAll(*self.conditions, *conditions)

    def replaced(self, values: Mapping[sympy.Symbol, object]) -> ForAll:
        """Return the domain with symbols replaced by values; conditions that become true are left out."""
        kept = []
        for condition in self.conditions:
            changed = condition.xreplace(values)
            if changed == sympy.false:
                raise ValueError(f"{condition} is false there")
            if changed != sympy.true:
                kept.append(changed)
        return ForAll(*kept)

    def within(self, condition: sympy.Rel) -> bool:
        """Return whether the constant bounds alone show that a condition on a single variable holds.

        Examples
        --------
        >>> x, y = sympy.symbols("x y", real=True)
        >>> [ForAll(x > 2, y >= x).within(each) for each in (x >= 1, x > 2, x >= 3, y > 2)]
        [True, True, False, False]
        """
        bound = _bound_of(condition)
        if bound is None or bound[0] not in self.bounds:
            return False
        return _tighter(self.bounds[bound[0]], bound[1]) == self.bounds[bound[0]]

    def contains(self, point: ExactPoint) -> bool:
        """Return whether an exact point belongs to the domain."""
        for symbol, whole, bounds in self._sides:
            value = point[symbol]
            if (whole and value.q != 1) or not bounds.holds(value):
                return False
        return self._satisfies_joint_conditions(point)

    def _satisfies_joint_conditions(self, point: ExactPoint) -> bool:
        try:
            return all(decided(each, point) for each in self._joint_conditions)
        except NotDefinedError:
            return False

    @cached_property
    def bounds(self) -> Mapping[sympy.Symbol, Bounds]:
        """The constant bounds of each variable."""
        found = {symbol: Bounds(None, None) for symbol in self.variables}
        for condition in self.conditions:
            bound = _bound_of(condition)
            if bound is not None:
                symbol, new = bound
                found[symbol] = _tighter(found[symbol], new)
        return found

    @cached_property
    def _sides(self) -> tuple[tuple[sympy.Symbol, bool, Bounds], ...]:
        return tuple((symbol, bool(symbol.is_integer), self.bounds[symbol]) for symbol in self.variables)

    @cached_property
    def _joint_conditions(self) -> tuple[sympy.Rel, ...]:
        return tuple(condition for condition in self.conditions if _bound_of(condition) is None)

    @property
    def finite(self) -> bool:
        """Whether every variable is an integer between constant bounds."""
        return all(
            symbol.is_integer and self.bounds[symbol].low is not None and self.bounds[symbol].high is not None
            for symbol in self.variables
        )

    def all_points(self) -> Iterator[dict[sympy.Symbol, fmpq]]:
        """Yield every point of a finite domain."""
        if not self.finite:
            raise ValueError("the domain is not finite")
        values = product(*(self.bounds[symbol].integers() for symbol in self.variables))
        yield from filter(self.contains, (dict(zip(self.variables, each, strict=True)) for each in values))

    def points(self) -> Iterator[dict[sympy.Symbol, fmpq]]:
        """Yield finitely many points of the domain, the simplest first: edges, then larger values."""
        self._points, points = tee(self._points)  # all variants of a statement share the points found so far
        return points

    def _found(self) -> Iterator[dict[sympy.Symbol, fmpq]]:
        """Yield the points of the first way to propose them that finds one.

        First, only variables without a constant bound start at the ends that the joint conditions leave them, given the
        others; then each variable does, given those before it, in one order of the others and in its reverse.
        """
        free = [each for each in self.variables if self.bounds[each] == Bounds(None, None)]
        loose = [each for each in free if any(tie.given for tie in self._ties[each])]
        others, last = [each for each in self.variables if each not in loose], list[sympy.Symbol]()
        while len(last) < len(loose):
            known = frozenset((*others, *last))
            left = [each for each in loose if each not in last]
            last.append(next((each for each in left if any(tie.given <= known for tie in self._ties[each])), left[0]))
        every = frozenset(self.variables)
        for order, tied in ((others, frozenset(loose)), (others, every), (others[::-1], every)):
            found = self._proposed([*order, *last], tied)
            for first in found:
                yield first
                yield from found
                return

    def _proposed(
        self, order: Sequence[sympy.Symbol], tied: frozenset[sympy.Symbol]
    ) -> Iterator[dict[sympy.Symbol, fmpq]]:
        sides = {each: self._candidates(each, self.bounds[each]) for each in order if each not in tied}
        found: dict[tuple[int, ...], list[fmpq]] = {}  # of a tied variable, by the ranks of those before it
        # in order of the sum of ranks, as each variable's candidates stand in order of simplicity
        # each tuple of ranks comes from one other alone: that with its last positive rank one less
        waiting = [(0, (0,) * len(order), 0)] if all(sides.values()) else []
        last_of_all = self.tried + _POINTS_LOOKED_AT
        while waiting and self.tried < last_of_all:
            total, ranks, last = heappop(waiting)
            point: dict[sympy.Symbol, fmpq] = {}
            for place, symbol in enumerate(order):
                if symbol in tied and ranks[:place] not in found:
                    found[ranks[:place]] = self._candidates(symbol, self._bounds_given(symbol, point))
                values = sides[symbol] if symbol in sides else found[ranks[:place]]
                if ranks[place] >= len(values):
                    break
                point[symbol] = values[ranks[place]]
            else:
                self.tried += 1
                with suppress(UnclearError):
                    if self._satisfies_joint_conditions(point):  # candidates are within the bounds
                        yield {symbol: point[symbol] for symbol in self.variables}
            for place in range(last, len(point)):  # beyond, the same variable lacks a candidate
                heappush(waiting, (total + 1, (*ranks[:place], ranks[place] + 1, *ranks[place + 1 :]), place))

    @cached_property
    def _ties(self) -> Mapping[sympy.Symbol, Sequence[_Tie]]:
        """The joint conditions that are linear in a variable, for each variable."""
        found: dict[sympy.Symbol, list[_Tie]] = {symbol: [] for symbol in self.variables}
        for each in self.conditions:
            if _bound_of(each) is None and not isinstance(each, sympy.Ne):
                margin = each.lhs - each.rhs if isinstance(each, sympy.Eq) else each.gts - each.lts
                for symbol in each.free_symbols:
                    slope = margin.diff(symbol)
                    if symbol not in slope.free_symbols:
                        rest = margin.xreplace({symbol: sympy.Integer(0)})
                        given = frozenset(each.free_symbols - {symbol})
                        found[symbol].append(_Tie(given, program(slope), program(rest), type(each)))
        return found

    def _bounds_given(self, symbol: sympy.Symbol, point: ExactPoint) -> Bounds:
        """Return the bounds of a variable that follow from the values of others."""
        bounds = self.bounds[symbol]
        for tie in self._ties[symbol]:
            if tie.given <= point.keys():
                with suppress(NotDefinedError, UnclearError):
                    bounds = _tighter(bounds, tie.bounds(point))
        return bounds

    def _candidates(self, symbol: sympy.Symbol, bounds: Bounds) -> list[fmpq]:
        if symbol.is_integer:
            low = fmpq(bounds.low.ceil()) if bounds.low is not None else None
            if low is None:
                start = [fmpq(0), fmpq(1), fmpq(-1), fmpq(2), fmpq(-2), fmpq(10), fmpq(-10)]
            else:
                start = [low + step for step in _STEPS_OF_INTEGERS]
            if bounds.high is not None:
                start.append(fmpq(bounds.high.floor()))
        elif bounds.low is not None and bounds.high is not None:
            start = [bounds.low + share * (bounds.high - bounds.low) for share in _SHARES]
        elif bounds.low is not None:
            start = [bounds.low + step for step in _STEPS_OF_REALS]
        elif bounds.high is not None:
            start = [bounds.high - step for step in _STEPS_OF_REALS]
        else:
            start = [fmpq(0), *(sign * step for step in _STEPS_OF_REALS[1:] for sign in (1, -1))]
        return [value for value in dict.fromkeys(start) if bounds.holds(value)]

    @cached_property
    def latex(self) -> str:
        r"""The domain in LaTeX, with both bounds of a variable in one chain."""
        parts: list[str] = []
        told: set[sympy.Symbol] = set()
        for condition in self.conditions:
            bound = _bound_of(condition)
            if bound is None:
                parts.append(sympy.latex(condition).replace(r"\leq", r"\le").replace(r"\geq", r"\ge"))
            elif bound[0] not in told:
                told.add(bound[0])
                parts.append(self._told_bounds(bound[0]))
        return r",\; ".join(parts)

    def _told_bounds(self, symbol: sympy.Symbol) -> str:
        bounds, name = self.bounds[symbol], sympy.latex(symbol)
        low, high = (sympy.latex(sympy_number(end)) if end is not None else "" for end in (bounds.low, bounds.high))
        if low and high and bounds.low == bounds.high:
            return f"{name} = {low}"
        below = "<" if bounds.low_open else r"\le"
        above = "<" if bounds.high_open else r"\le"
        if low and high:
            return f"{low} {below} {name} {above} {high}"
        if low:
            return f"{name} {'>' if bounds.low_open else GE} {low}"
        return f"{name} {above} {high}"


def _bound_of(condition: sympy.Rel) -> tuple[sympy.Symbol, Bounds] | None:
    """Return the variable and its bound if the condition compares one symbol with a rational number, else None."""
    left, right = condition.lhs, condition.rhs
    if right.is_Symbol and left.is_Rational:
        condition = condition.reversed
        left, right = condition.lhs, condition.rhs
    if not (left.is_Symbol and right.is_Rational):
        return None
    value = fmpq(int(right.p), int(right.q))
    bounds = {
        sympy.Ge: Bounds(value, None),
        sympy.Gt: Bounds(value, None, low_open=True),
        sympy.Le: Bounds(None, value),
        sympy.Lt: Bounds(None, value, high_open=True),
        sympy.Eq: Bounds(value, value),
    }.get(type(condition))
    return None if bounds is None else (left, bounds)


def _tighter(old: Bounds, new: Bounds) -> Bounds:
    low, low_open, high, high_open = old.low, old.low_open, old.high, old.high_open
    if new.low is not None and (low is None or new.low > low or (new.low == low and new.low_open)):
        low, low_open = new.low, new.low_open
    if new.high is not None and (high is None or new.high < high or (new.high == high and new.high_open)):
        high, high_open = new.high, new.high_open
    return Bounds(low, high, low_open, high_open)

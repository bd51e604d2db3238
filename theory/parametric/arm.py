r"""The Gittins indices of an arm as functions of the discount, exactly, for all discounts in (0, 1) at once.

Between finitely many algebraic numbers the states keep their order, and every index is a rational function of
:math:`\beta`. An elimination in one order of the states gives quotients, which are the indices wherever they do not
increase, and polynomials that vanish where neighbours tie (`theory.parametric.elimination`). So the order at one
rational discount holds up to the nearest roots on both sides; the rest of (0, 1) is treated likewise.

No breakpoint is missed. At a breakpoint, states tie that do not tie beside it. In the order of either side, two of them
are neighbours, and their difference is a non-zero polynomial that vanishes at the breakpoint.

The indices are continuous and do not decrease in the discount: under the best stopping time for a smaller discount,
later rewards are worth more per unit of time, and a larger discount weighs them more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Generic

from flint import fmpq

from theory.domain import check_counts, exact_discount, state_index
from theory.enclosures.model import EnclosedArm
from theory.enclosures.ranges import BITS_TRIED, UndecidedError
from theory.errors import ModelError, TooLargeError
from theory.gittins import gittins_indices
from theory.model import Arm, check_arm
from theory.parametric.algebraic import AlgebraicNumber
from theory.parametric.elimination import Elimination, eliminate
from theory.parametric.real import RealArm, real_arms
from theory.parametric.sweep import Piece, State, nearest_roots, sweep
from theory.rationals import Exact, rational

LARGEST_ARM: Final = 20
"""Number of states up to which the indices take seconds to minutes."""


@dataclass(frozen=True)
class Pieces(Generic[State]):
    """Indices for all discounts.

    Attributes
    ----------
    pieces : tuple of Piece
        In increasing order; they cover (0, 1) except for the breakpoints between them.
    """

    pieces: tuple[Piece[State], ...]

    @property
    def breakpoints(self) -> tuple[AlgebraicNumber, ...]:
        """Discounts, increasing, at which states tie that do not tie on either side."""
        return tuple(piece.low for piece in self.pieces[1:])

    def ties_at(self, breakpoint_number: int) -> list[list[State]]:
        """Return the groups of states that tie at the breakpoint at this position (from 0), highest index first."""
        state_index(breakpoint_number, len(self.breakpoints), "breakpoint")
        below, point = self.pieces[breakpoint_number], self.breakpoints[breakpoint_number]
        first, *others = below.order
        groups = [[first]]
        for state in others:
            if below.indices[state].agrees_at(point, below.indices[groups[-1][-1]]):
                groups[-1].append(state)
            else:
                groups.append([state])
        return [group for group in groups if any(below.indices[x] != below.indices[group[0]] for x in group)]


@dataclass(frozen=True)
class ParametricIndices(Pieces[int]):
    """The indices of an arm for all discounts; the indices of a piece are a tuple.

    Attributes
    ----------
    arm : Arm or EnclosedArm
    """

    arm: Arm | EnclosedArm

    def name(self, state: int) -> str:
        """Return the state by its number from 1."""
        return f"state {state + 1}"

    def piece_at(self, discount: Exact) -> Piece[int]:
        """Return the piece that holds a discount in [0, 1]; at a breakpoint, the one below it."""
        beta = rational(discount)
        if not 0 <= beta <= 1:
            raise ModelError(f"discount: {beta} is outside 0 <= discount <= 1")
        here = AlgebraicNumber.from_rational(beta)
        return next(piece for piece in self.pieces if here <= piece.high)

    def indices_at(self, discount: Exact) -> tuple[Any, ...]:
        """Return the index of every state at a discount in [0, 1); for discount 1 see `limits_at_1`.

        The indices are rational; if rewards are real numbers, each index is a `RealNumber`, which can be enclosed.

        Examples
        --------
        >>> parametric_indices(Arm(rewards=[0, 1], transitions=[["1/2", "1/2"], [0, 1]])).indices_at("1/2")
        (1/3, 1)
        """
        return self._values(exact_discount(discount))

    @property
    def limits_at_0(self) -> tuple[Any, ...]:
        """The limits at discount 0, which are the rewards."""
        return self._values(fmpq(0))

    @property
    def limits_at_1(self) -> tuple[Any, ...]:
        """The limits at discount 1; the order of the last piece holds for all discounts close enough to 1."""
        return self._values(fmpq(1))

    def _values(self, discount: fmpq) -> tuple[Any, ...]:
        return tuple(index(discount) for index in self.piece_at(discount).indices)


def parametric_indices(arm: Arm | EnclosedArm, largest: int = LARGEST_ARM) -> ParametricIndices:
    """Return the Gittins indices of `arm` as functions of the discount.

    Parameters
    ----------
    arm
        S states. Rewards may be real numbers, such as ``"sqrt(2)"``; rows are rational.
    largest
        Largest number of states S that is allowed.

    Raises
    ------
    ModelError
        If `arm` is no arm or has rows that are not rational, or if `largest` is no size.
    TooLargeError
        If the arm has more than `largest` states.
    UndecidedError
        If real numbers agree to so many bits that they may be equal.

    Examples
    --------
    >>> found = parametric_indices(Arm(rewards=[0, "1/4"], transitions=[[0, 1], [1, 0]]))
    >>> [(str(index.numerator), str(index.denominator)) for index in found.pieces[0].indices]
    [('x', '4*x + 4'), ('1', '4')]
    """
    if isinstance(arm, EnclosedArm):
        (real,) = real_arms([arm])
        return indices_of(real, largest)
    check_arm(arm)
    return indices_of(arm, largest)


def indices_of(arm: Arm | RealArm, largest: int) -> ParametricIndices:
    """Return the indices of an arm as functions of the discount; `RealArm`s may share their real numbers."""
    check_counts(largest=largest)
    if arm.size > largest:
        raise TooLargeError(f"{arm.size} states are beyond {largest}, up to which indices are found for all discounts")

    def piece_around(discount: fmpq) -> Piece[int] | None:
        order, found = _eliminated(arm, discount)
        ends = nearest_roots(found.differences, discount)
        if ends is None:
            return None
        by_state = dict(zip(order, found.quotients, strict=True))
        return Piece(*ends, order, tuple(by_state[x] for x in range(arm.size)))

    return ParametricIndices(sweep(piece_around), arm.given if isinstance(arm, RealArm) else arm)


def _eliminated(arm: Arm | RealArm, discount: fmpq) -> tuple[tuple[int, ...], Elimination]:
    """Return an order of the states by index at a discount, and the elimination in this order."""
    for near in (arm,) if isinstance(arm, Arm) else map(arm.near, BITS_TRIED):
        at_point = gittins_indices(near, discount)
        order = tuple(sorted(range(arm.size), key=lambda x: at_point[x], reverse=True))
        found = eliminate(arm, order)
        if near is arm or all(each.at(discount).sign() >= 0 for each in found.differences):  # type: ignore[union-attr]
            return order, found
    raise UndecidedError(f"undecided: the order of the states at the discount {discount}")

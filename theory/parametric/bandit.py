"""The optimal priority order of a bandit as a function of the discount, and the arm played in each global state.

The order of all arm states changes only where the order within one arm changes, or where the indices of two arms cross.
Between breakpoints of the arms all indices are rational functions, so differences of neighbours bound the piece.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from flint import fmpq

from theory.domain import check_counts
from theory.enclosures.model import EnclosedBandit
from theory.errors import TooLargeError
from theory.model import Arm, ArmState, Bandit, GlobalState, check_bandit
from theory.parametric.algebraic import AlgebraicNumber
from theory.parametric.arm import LARGEST_ARM, ParametricIndices, Pieces, indices_of
from theory.parametric.real import RealArm, real_arms
from theory.parametric.sweep import Piece, nearest_roots, sweep


@dataclass(frozen=True)
class ParametricBandit(Pieces[ArmState]):
    """The indices and the optimal order of a bandit for all discounts; the bandit's own discount plays no part.

    Attributes
    ----------
    bandit : Bandit
        For a bandit with real rewards, an exact bandit with its names.
    arms : (n,) ParametricIndices
    """

    bandit: Bandit
    arms: tuple[ParametricIndices, ...]

    def name(self, state: ArmState) -> str:
        """Return the bandit's name of a state."""
        return self.bandit.name(state)

    def played(self, state: GlobalState) -> list[tuple[AlgebraicNumber, AlgebraicNumber, int]]:
        """Return the maximal intervals on which one arm is played in `state`, each with that arm, by index from 0."""
        state = self.bandit.global_state(state)
        runs: list[tuple[AlgebraicNumber, AlgebraicNumber, int]] = []
        for piece in self.pieces:
            arm = next(a for a, x in piece.order if state[a] == x)
            if runs and runs[-1][2] == arm:
                runs[-1] = (runs[-1][0], piece.high, arm)
            else:
                runs.append((piece.low, piece.high, arm))
        return runs


def parametric_bandit(bandit: Bandit | EnclosedBandit, largest: int = LARGEST_ARM) -> ParametricBandit:
    """Return the indices of all arms and the optimal priority order as functions of the discount.

    Parameters
    ----------
    bandit
        The bandit; its discount plays no part. Rewards may be real numbers; rows must be rational.
    largest
        Largest number of states per arm that is allowed.

    Examples
    --------
    >>> from theory import Arm
    >>> waits = Arm(rewards=[0, 1], transitions=[[0, 1], [0, 1]], states=["waits", "pays"])
    >>> known = Arm(rewards=["1/2"], transitions=[[1]], states=["known"])
    >>> found = parametric_bandit(Bandit([waits, known], "9/10"))
    >>> [(piece.high.high, piece.order) for piece in found.pieces]
    [(1/2, ((0, 1), (1, 0), (0, 0))), (1, ((0, 1), (0, 0), (1, 0)))]
    """
    check_counts(largest=largest)
    given: tuple[Arm | RealArm, ...]
    if isinstance(bandit, EnclosedBandit):
        given, bandit = real_arms(bandit.arms), bandit.names
    else:
        check_bandit(bandit)
        given = bandit.arms
    for number, size in enumerate(bandit.sizes, start=1):
        if size > largest:
            raise TooLargeError(
                f"arm {number} has {size} states, beyond {largest}, the largest size for which indices for all "
                "discounts are tried; a larger one may be asked for, and takes time"
            )
    arms, states = tuple(indices_of(arm, largest) for arm in given), list(bandit.arm_states)

    def piece_around(discount: fmpq) -> Piece[ArmState] | None:
        here = AlgebraicNumber.from_rational(discount)
        parts = [found.piece_at(discount) for found in arms]
        if any(part.high == here for part in parts):
            return None
        indices = {(a, x): parts[a].indices[x] for a, x in states}
        values = {state: index(discount) for state, index in indices.items()}
        order = tuple(sorted(states, key=values.__getitem__, reverse=True))
        # neighbours of one arm stay in order within the arm's own piece
        crossings = (indices[one].cross(indices[other]) for one, other in pairwise(order) if one[0] != other[0])
        low, high = max(part.low for part in parts), min(part.high for part in parts)
        ends = nearest_roots(crossings, discount, low, high)
        return None if ends is None else Piece(*ends, order, indices)

    return ParametricBandit(sweep(piece_around), bandit, arms)

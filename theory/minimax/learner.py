r"""The tables of the minimax learner: optimistic retirement functions of each arm, computed from counts.

With N visits, :math:`\hat N = \max\{1, N\}`, a logarithm l and levels :math:`0 = m_0 < \dots < m_G = B`, the bonus of a
function v of the next state is of the Bernstein, monotone (MVP) type,

.. math:: b(v) = \max\{ c_1 \, \mathrm{sd}_{\hat Q}(v) \sqrt{l / \hat N}, \; c_2 B l / \hat N \}, \qquad c_2 \ge c_1^2,

and :math:`\tilde\varphi(x, \cdot)` is the convex minorant on the levels of

.. math:: H(x, m) = \max\{ m, \min\{ B, \; \hat r + \sqrt{l / (2 \hat N)}
          + \beta [\hat Q \tilde\varphi(\cdot, m) + b(\tilde\varphi(\cdot, m))] \} \}.

:math:`v \mapsto \hat Q v + b(v)` is monotone and commutes with constants, so this is the fixed point of a contraction.
Square roots are irrational, so H is rounded up to a multiple of :math:`2^{-p}`, which keeps it monotone. The iteration
starts at B and goes down until nothing changes. So tables are rational, at least the fixed point of H, and a fixed
point of the rounded operator, whose error `MinimaxSettings.rounding` bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import isqrt

from flint import fmpq

from theory.domain import check_probability, exact_discount
from theory.errors import ModelError
from theory.minimax.tables import RetirementTable
from theory.rationals import ZERO, Exact, rational, rationals
from theory.stopping import mean


@dataclass(frozen=True)
class MinimaxSettings:
    """The constants of the bonus: `logarithm` is l or an upper bound of it, `bits` the p of the module.

    The bonus is monotone if c2 >= c1^2; the proof has 9/5 and 16.
    """

    logarithm: fmpq
    c1: fmpq = fmpq(9, 5)
    c2: fmpq = fmpq(16)
    bits: int = 24

    def __post_init__(self) -> None:
        for name in ("logarithm", "c1", "c2"):
            object.__setattr__(self, name, rational(getattr(self, name)))
        if self.logarithm < 0 or self.c1 < 0 or self.c2 < self.c1**2:
            raise ModelError(f"c1 = {self.c1}, c2 = {self.c2}: the bonus is monotone for c1 >= 0 and c2 >= c1^2")

    @property
    def rounding(self) -> fmpq:
        """Bound on the excess of a rounded branch over the formula: one rounding for H, one for the reward's radius."""
        return fmpq(2, 2**self.bits)

    def up(self, part: fmpq, square: fmpq = ZERO) -> fmpq:
        """Return `part` plus the square root of `square`, rounded up to a multiple of 2^-bits.

        Examples
        --------
        >>> settings = MinimaxSettings(1, bits=1)
        >>> settings.up(fmpq(1), fmpq(2)), settings.up(fmpq(1), fmpq(1, 4))
        (5/2, 3/2)
        """
        whole, below = part * 2**self.bits, square * 4**self.bits
        least = int(whole.ceil()) + isqrt(int(below.floor())) - 1
        while least < whole or (least - whole) ** 2 < below:
            least += 1
        return fmpq(least, 2**self.bits)


@dataclass(frozen=True)
class SeenArm:
    """Data of an arm: mean rewards in [0, 1], rows of next states (any row for an unvisited state), and visits.

    Examples
    --------
    >>> SeenArm(["1/2"], [[1]], [4]).rewards
    (1/2,)
    """

    rewards: tuple[fmpq, ...]
    rows: tuple[tuple[fmpq, ...], ...]
    visits: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "rewards", rationals(self.rewards))
        object.__setattr__(self, "rows", tuple(check_probability(row, f"row {x}") for x, row in enumerate(self.rows)))
        object.__setattr__(self, "visits", tuple(self.visits))
        if any(not 0 <= reward <= 1 for reward in self.rewards):
            raise ModelError("mean rewards are from 0 to 1")
        if any(isinstance(N, bool) or not isinstance(N, int) or N < 0 for N in self.visits):
            raise ModelError("visits are integers, at least 0")

    def share(self, x: int) -> fmpq:
        """Return 1/max(1, N)."""
        return fmpq(1, max(1, self.visits[x]))


def variance(row: Sequence[fmpq], values: Sequence[fmpq]) -> fmpq:
    """Return the variance of `values` under `row`.

    Examples
    --------
    >>> variance((fmpq(1, 2), fmpq(1, 2)), (fmpq(0), fmpq(1)))
    1/4
    """
    return mean(row, [value * value for value in values]) - mean(row, values) ** 2


def equal_levels(discount: Exact, cells: int) -> tuple[fmpq, ...]:
    """Return `cells` + 1 levels from 0 to B at equal distances.

    Examples
    --------
    >>> equal_levels("1/2", 2)
    (0, 1, 2)
    """
    B = 1 / (1 - exact_discount(discount))
    return tuple(B * j / cells for j in range(cells + 1))


def convex_minorant(levels: Sequence[fmpq], values: Sequence[fmpq]) -> tuple[fmpq, ...]:
    """Return the greatest convex function on the levels that is nowhere above `values`.

    Examples
    --------
    >>> convex_minorant((fmpq(0), fmpq(1), fmpq(2), fmpq(3)), (fmpq(0), fmpq(1), fmpq(0), fmpq(3)))
    (0, 0, 0, 3)
    """
    hull: list[int] = []
    for j in range(len(levels)):
        while len(hull) > 1 and (values[hull[-1]] - values[hull[-2]]) * (levels[j] - levels[hull[-2]]) >= (
            values[j] - values[hull[-2]]
        ) * (levels[hull[-1]] - levels[hull[-2]]):
            hull.pop()
        hull.append(j)
    found = list(values)
    for left, right in pairwise(hull):
        slope = (values[right] - values[left]) / (levels[right] - levels[left])
        for j in range(left + 1, right):
            found[j] = values[left] + slope * (levels[j] - levels[left])
    return tuple(found)


def optimistic_sweep(
    seen: SeenArm,
    discount: fmpq,
    levels: Sequence[fmpq],
    values: Sequence[Sequence[fmpq]],
    settings: MinimaxSettings,
) -> tuple[tuple[fmpq, ...], ...]:
    """Return the image of `values`, (S, G+1), under the rounded operator."""
    B = levels[-1]
    columns = list(zip(*values, strict=True))
    found = []
    for x, row in enumerate(seen.rows):
        rate = settings.logarithm * seen.share(x)
        reward = seen.rewards[x] + settings.up(ZERO, rate / 2)
        few, scale = settings.c2 * B * rate, settings.c1**2 * rate
        few_squared, few_later = few**2, discount * few
        heights = []
        for m, column in zip(levels, columns, strict=True):
            part = reward + discount * mean(row, column)
            square = scale * variance(row, column)
            branch = settings.up(part + few_later) if square <= few_squared else settings.up(part, discount**2 * square)
            heights.append(max(m, min(B, branch)))
        found.append(convex_minorant(levels, heights))
    return tuple(found)


def optimistic_table(
    seen: SeenArm, discount: Exact, levels: Sequence[fmpq], settings: MinimaxSettings
) -> RetirementTable:
    """Return the optimistic retirement functions of an arm.

    Examples
    --------
    One state, visited often, pays 1/2. Its index is a little above 1/2; B times that is rounded up to the level 5/4.

    >>> settings = MinimaxSettings(1)
    >>> table = optimistic_table(SeenArm(["1/2"], [[1]], [10**6]), "1/2", equal_levels("1/2", 8), settings)
    >>> table.indices, table.levels[table.indices[0]], table.values[0][0] < fmpq(101, 100)
    ((5,), 5/4, True)
    """
    beta, levels = exact_discount(discount), tuple(levels)
    values: tuple[tuple[fmpq, ...], ...] = ((levels[-1],) * len(levels),) * len(seen.rewards)
    while (found := optimistic_sweep(seen, beta, levels, values, settings)) != values:
        values = found
    return RetirementTable(levels, values)

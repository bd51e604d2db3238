"""Judgements: the error and the defects of an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from flint import fmpq

from mbrl.arrays import Floats
from theory import ModelError, nearest_float


@dataclass(frozen=True)
class Tolerance:
    """The largest errors that pass.

    Attributes
    ----------
    error : float
        Largest error relative to the size of the exact answers (at least 1).
    tie : float
        Largest difference between two answers whose exact values are equal, relative in the same way.
    optimism : float
        Largest amount by which an optimistic value may fall below the exact one, relative in the same way.

    Raises
    ------
    ModelError
        If a value is outside (0, 1].
    """

    error: float = 1e-9
    tie: float = 1e-10
    optimism: float = 1e-9

    def __post_init__(self) -> None:
        for value in (self.error, self.tie, self.optimism):
            if not 0 < value <= 1:
                raise ModelError(f"tolerance: {value} is not above 0 and at most 1")


@dataclass(frozen=True)
class Defect:
    """A defect: its kind, and one line on where it is."""

    kind: str
    detail: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}"


@dataclass(frozen=True)
class Judgement:
    """The worst errors and the defects beyond the tolerance, of one answer or of several.

    The relative error leaves out exact answers of 0 (a learner's is relative to its largest value). `ties_split` is the
    number of pairs whose exact answers are equal and whose computed ones differ, by however little. `information` are
    further numbers, by name, that decide nothing. `answer` are the plans of a learner; for other kinds the errors say
    enough.
    """

    absolute_error: float = 0.0
    relative_error: float = 0.0
    ties_split: int = 0
    defects: tuple[Defect, ...] = ()
    information: Mapping[str, float] = field(default_factory=dict)
    answer: tuple[bytes, ...] = field(default=(), repr=False)

    @property
    def passed(self) -> bool:
        """Whether there is no defect beyond the tolerance."""
        return not self.defects

    @property
    def text(self) -> str:
        """All defects in one line."""
        return "; ".join(map(str, self.defects))


def together(judgements: Iterable[Judgement]) -> Judgement:
    """Return the judgement of several answers: the worst errors, all defects, and the sums of other numbers."""
    absolute, relative, split, defects, information = 0.0, 0.0, 0, list[Defect](), Counter[str]()
    for each in judgements:
        absolute, relative = max(absolute, each.absolute_error), max(relative, each.relative_error)
        split += each.ties_split
        defects += each.defects
        information.update(each.information)  # floats add up as well
    return Judgement(absolute, relative, split, tuple(defects), dict(information))


def failure(kind: str, detail: str) -> Judgement:
    """Return the judgement of an answer that could not be compared."""
    return Judgement(float("inf"), float("inf"), 0, (Defect(kind, detail),))


def compare_numbers(found: Floats, exact: Sequence[fmpq], names: Sequence[str], tolerance: Tolerance) -> Judgement:
    """Return the judgement of numbers against exact ones: errors, split ties and wrong order."""
    wanted = np.array([nearest_float(value) for value in exact])
    errors, sizes = np.abs(found - wanted), np.abs(wanted)
    scale = max(1.0, float(sizes.max()))
    relative = float((errors[sizes > 0] / sizes[sizes > 0]).max(initial=0.0))
    worst = int(errors.argmax())
    defects: list[Defect] = []
    if errors[worst] > tolerance.error * scale:
        detail = f"{names[worst]}: {float(found[worst])!r} in place of {float(wanted[worst])!r}"
        defects.append(Defect("wrong number", detail))
    split, tie_defects = _split_ties(found, exact, names, tolerance.tie * scale)
    defects += tie_defects + _wrong_orders(found, exact, names, tolerance.error * scale)
    return Judgement(float(errors.max()), relative, split, tuple(defects))


def _split_ties(found: Floats, exact: Sequence[fmpq], names: Sequence[str], allowed: float) -> tuple[int, list[Defect]]:
    """Return the number of pairs of ties that are split, and the widest split as a defect if it is not allowed."""
    pairs = [(x, y) for x, y in combinations(range(len(exact)), 2) if exact[x] == exact[y] and found[x] != found[y]]
    x, y = max(pairs, key=lambda pair: abs(found[pair[0]] - found[pair[1]]), default=(0, 0))
    apart = float(abs(found[x] - found[y]))
    if apart <= allowed:
        return len(pairs), []
    told = f"{names[x]} and {names[y]} are exactly equal and came out {apart:.3g} apart"
    return len(pairs), [Defect("tie split", told)]


def _wrong_orders(found: Floats, exact: Sequence[fmpq], names: Sequence[str], allowed: float) -> list[Defect]:
    """Return the first neighbours in the exact order that the answer reverses by more than `allowed`, as a defect."""
    order = sorted(range(len(exact)), key=lambda x: exact[x], reverse=True)
    for i, x in enumerate(order[:-1]):
        y = max(order[i + 1 :], key=lambda z: float(found[z]))
        if exact[x] > exact[y] and found[y] > found[x] + allowed:
            return [Defect("wrong order", f"{names[x]} is above {names[y]} exactly, and came out below it")]
    return []

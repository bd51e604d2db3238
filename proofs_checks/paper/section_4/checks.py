"""The mean errors of estimated rows in small cases, exactly: one arm played alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from flint import fmpq

from proofs_checks.claimcheck.statements import Answer, answer
from theory import ONE, ZERO
from theory.certified import transition_count_law
from theory.random_models import random_full_row

if TYPE_CHECKING:
    from numpy.random import Generator


@dataclass(frozen=True)
class CountedArm:
    """An arm played alone, the law of its initial state, and the lengths of the episodes."""

    rows: Sequence[Sequence[fmpq]]
    start: Sequence[fmpq]
    lengths: tuple[int, ...]


def row_errors_vanish(case: CountedArm, next_state: str) -> Answer:
    """Return whether the matrix E[N(x) (Q-hat(x, y) - Q(x, y))], computed from the law of the counts, is 0."""
    size = len(case.rows)
    error = [[ZERO] * size for _ in range(size)]
    law = transition_count_law(case.rows, case.start, case.lengths, next_state == "literal")
    for counts, probability in law.items():
        for x, y in product(range(size), repeat=2):
            error[x][y] += probability * (counts[x][y] - sum(counts[x]) * case.rows[x][y])
    vanishes = all(entry == 0 for row in error for entry in row)
    return answer(vanishes, Q=case.rows, rho=case.start, lengths=case.lengths, expected_error_of_counts=error)


LEAVING = [CountedArm([[ZERO, ONE], [ZERO, ONE]], [ONE, ZERO], lengths) for lengths in ((1,), (2, 2))]
"""The arm that leaves its first state, in which episodes begin, at once and for good."""


def drawn_arm(generator: Generator) -> CountedArm:
    """Draw an arm of up to three states, and the lengths of two episodes."""
    size = int(generator.integers(1, 4))
    *rows, start = (random_full_row(generator, size) for _ in range(size + 1))
    first, second = (int(each) for each in generator.integers(1, 3, 2))
    return CountedArm(rows, start, (first, second))

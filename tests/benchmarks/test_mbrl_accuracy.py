"""The worst error of every kernel over the hard models, beside its bound; arms of up to 200 states.

``BENCHMARK_LARGE=1`` adds indices of arms of 80 and 200 states, some minutes; all else is held to exact fractions, which
take too long there.
"""

import os
from collections.abc import Iterator

import pytest

import theory
from tests.mbrl.hard_models import (
    Measured,
    hard_bandits,
    measured_indices,
    measured_optimism,
    measured_tables,
    measured_values,
)

CASES = [
    *((measured_indices, (size,), 1) for size in (2, 5, 11, 40)),
    *((measured_values, sizes, 1) for sizes in ((6,), (11, 11), (3, 5, 2), (20, 20))),
    *((measured_tables, sizes, 1) for sizes in ((3, 3, 2), (4, 4, 4))),
    *((measured_optimism, sizes, 1) for sizes in ((3,), (2, 3), (3, 3, 3))),
]
if os.environ.get("BENCHMARK_LARGE"):
    # every fourth of 315, at least eleven of each kind of chain: no kind of reward and no discount is left out
    CASES += [(measured_indices, (80,), 4), (measured_indices, (200,), 4)]


@pytest.mark.timeout(3600)  # the machine may be busy
@pytest.mark.parametrize(("measure", "sizes", "every"), CASES, ids=[f"{m.__name__}-{s}" for m, s, _ in CASES])
def test_worst_errors(note_row, measure, sizes, every):
    worst: dict[tuple[str, str], Measured] = {}
    models: dict[tuple[str, str], set[tuple[str, ...]]] = {}
    for number in numbers(measure, sizes, every):
        assert number.error <= number.bound, number
        key = (number.kernel, number.model[3])
        models.setdefault(key, set()).add(number.model)
        if key not in worst or number.relative > worst[key].relative:
            worst[key] = number
    for (kernel, discount), number in worst.items():
        bound = theory.nearest_float(number.bound / number.scale) if number.scale else 0.0
        where = f"{', '.join(number.model[1:3])}; of {len(models[kernel, discount])} models"
        note_row(f"{kernel}, {number.model[0]}, beta {discount}", f"{number.relative:.1e}  ({where})", f"{bound:.1e}")


def numbers(measure, sizes, every) -> Iterator[Measured]:
    for hard in hard_bandits(sizes, every):
        yield from measure(hard)

"""Random dense arms with numbers of any length, for eliminations."""

from random import Random
from types import SimpleNamespace

from theory.random_models import random_dense_arm


def long_arm(size, seed, largest=10, denominator=1000):
    """A dense arm, the same for the same arguments; weights up to `largest`, rewards over `denominator`."""
    generator = SimpleNamespace(integers=Random(f"{seed} {size} {largest}").randrange)
    return random_dense_arm(generator, size, largest, denominator)
